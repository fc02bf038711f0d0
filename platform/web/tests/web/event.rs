//! Events of random players for the tests of this crate.
#![allow(dead_code, reason = "each test uses a part")]

use std::path::Path;

use tengen_players::{Player, RandomLegal, RealTime};
use tengen_rules::{Procedure, Rule};
use tengen_tournament::{EngineEntry, Event, EventConfig, Roster, Stop};

/// Players that play anywhere.
pub struct Dice;

impl Roster for Dice {
    fn player(&self, _engine: usize) -> Box<dyn Player> {
        Box::new(RandomLegal::new())
    }

    fn interrupt(&self) {}
}

/// An event of three engines, one of which has a name that would like to be more than text.
pub fn event(dir: &Path, rule: Rule, opening: Procedure, games: u32) -> Event {
    let mut engines = ["red", "blue", "green"].map(EngineEntry::new).to_vec();
    engines[0].name = "</script><script>alert(1)</script>\u{2028}\u{202e}".to_owned();
    let config = EventConfig {
        rule,
        opening,
        games,
        engines,
        concurrency: 2,
        tc: "inf".parse().expect("a time control"),
        ..EventConfig::default()
    };
    Event::create(dir, config).expect("an event")
}

/// Plays it to its end.
pub fn play(event: &mut Event) {
    event.run(&Dice, &RealTime::new(), &Stop::new(), &mut |_| {}).expect("a whole run");
}
