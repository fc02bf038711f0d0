//! What an event costs with many engines and with many rounds: games a second with two engines and
//! with a thousand, of a schedule of eleven million games; its report; and the rounds of a Swiss
//! and a ladder, the first ones beside the last.
//!
//! `cargo bench -p tengen-tournament --bench wide` prints all of it; the players resign at once.

use std::hint::black_box;
use std::time::Instant;

use tengen_arbiter::{Action, Nanos};
use tengen_players::{Fault, GameSetup, Player, Reply, Request, Time};
use tengen_tournament::{EngineEntry, Event, EventConfig, EventFormat, Roster, StageConfig, Stop};

struct MonotonicTime(Instant);

impl Time for MonotonicTime {
    fn now(&self) -> Nanos {
        self.0.elapsed().as_nanos() as Nanos
    }
}

/// Resigns, so that nothing but the event costs anything.
struct Quitter;

impl Player for Quitter {
    fn new_game(&mut self, _game: &GameSetup) -> Result<(), Fault> {
        Ok(())
    }

    fn ask(&mut self, _request: &Request<'_>, time: &dyn Time) -> Reply {
        let (asked_at, answered_at) = (time.now(), time.now());
        let outcome = Ok(Some(Action::Resign));
        Reply::new(asked_at, answered_at, outcome)
    }
}

struct Quitters;

impl Roster for Quitters {
    fn player(&self, _engine: usize) -> Box<dyn Player> {
        Box::new(Quitter)
    }
}

fn config(engines: usize, games: u32) -> EventConfig {
    let engines = (0..engines).map(|engine| EngineEntry::new(format!("e{engine}"))).collect();
    EventConfig { games, engines, concurrency: 2, ..EventConfig::default() }
}

/// Plays so many games of an event, and reports on it.
fn wide(engines: usize, scheduled: u32, games: u64) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let dir = folder.path().join("event");
    let mut event = Event::create(&dir, config(engines, scheduled)).expect("a new event");
    let total = event.total();
    let (time, stop) = (MonotonicTime(Instant::now()), Stop::new());
    let begin = Instant::now();
    let mut leader = None;
    let mut observe = |progress: &tengen_tournament::EventProgress<'_>| {
        leader = progress.tally.leader();
        if progress.finished >= games {
            stop.request();
        }
    };
    event.run(&Quitters, &time, &stop, &mut observe).expect("a whole run");
    let seconds = begin.elapsed().as_secs_f64();
    let played = event.tally().len();
    black_box(leader);
    drop(event);
    let begin = Instant::now();
    let event = Event::open(&dir).expect("the event");
    black_box(event.summary().games);
    println!(
        "{engines} engines, {total} games: {:.0} games/s in {played} games, report {:.3} s, {}",
        played as f64 / seconds,
        begin.elapsed().as_secs_f64(),
        memory(),
    );
}

/// Plays an event whose rounds follow from each other, and prints how long rounds take in its first
/// and its last tenth, and how long opening it takes.
fn rounds(format: EventFormat, engines: usize, rounds: u32) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let dir = folder.path().join("event");
    let mut config = EventConfig { own: StageConfig::of(format), ..config(engines, 2) };
    match format {
        EventFormat::Swiss => config.own.rounds = Some(rounds),
        _ => config.own.newcomers = Some(engines as u32 - 1),
    }
    let mut event = Event::create(&dir, config).expect("a new event");
    let time = MonotonicTime(Instant::now());
    let begin = Instant::now();
    let mut told = Vec::new();
    let mut observe = |progress: &tengen_tournament::EventProgress<'_>| {
        told.push((progress.finished, begin.elapsed()))
    };
    event.run(&Quitters, &time, &Stop::new(), &mut observe).expect("a whole run");
    let games = event.tally().len();
    drop(event);
    let at = |games: u64| {
        let place = told.partition_point(|(finished, _)| *finished < games);
        told.get(place.min(told.len() - 1)).map_or(0.0, |(_, at)| at.as_secs_f64())
    };
    let opening = Instant::now();
    black_box(Event::open(&dir).expect("the event").total());
    println!(
        "{format} of {engines}, {games} games: the first tenth {:.2} s, the last {:.2} s, all \
         {:.2} s, opened in {:.3} s",
        at(games / 10),
        at(games) - at(games - games / 10),
        at(games),
        opening.elapsed().as_secs_f64(),
    );
}

/// The most memory this process has had, where the system tells.
fn memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    format!("peak memory {}", peak.map_or("unknown", str::trim))
}

fn main() {
    wide(2, 40_000, 39_800);
    wide(200, 2, 39_800);
    wide(1000, 22, 200_000);
    rounds(EventFormat::Swiss, 200, 100);
    rounds(EventFormat::Ladder, 60, 0);
}
