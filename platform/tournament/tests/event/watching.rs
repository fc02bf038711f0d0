use std::collections::BTreeMap;
use std::sync::Mutex;

use tengen_arbiter::Game;
use tengen_rules::Move;
use tengen_testkit::VirtualTime;
use tengen_tournament::{
    Event, EventConfig, RunOutcome, ScheduledGame, Stop, Summary, Tally, Watcher,
};

use crate::test_event::{MisbehavingRoster, TestEvent, config, export, finish};

/// Notes the last that was shown of each game, and where it was played.
#[derive(Default)]
struct LastPositions(Mutex<BTreeMap<u64, LastPosition>>);

/// The table, the moves, and whether the game was over.
type LastPosition = (usize, Vec<Move>, bool);

impl Watcher for LastPositions {
    fn look(&self, table: usize, scheduled: &ScheduledGame, game: &Game) {
        let moves = game.position().moves().to_vec();
        let mut seen = self.0.lock().unwrap();
        if let Some((at, before, over)) = seen.get(&scheduled.number) {
            assert!(*at == table && moves.starts_with(before) && !over, "shown in order");
        }
        seen.insert(scheduled.number, (table, moves, game.result().is_some()));
    }
}

#[test]
fn who_looks_on_sees_every_game_to_its_end_and_changes_none() {
    let (unseen, test) = (TestEvent::new(), TestEvent::new());
    let expected = export(&finish(&unseen.dir, config(3, 4, 5)));
    let mut event = Event::create(&test.dir, config(3, 4, 5)).unwrap();
    let (roster, seen) = (MisbehavingRoster::new(None), LastPositions::default());
    let mut news = Tally::default();
    let outcome = event.run_watched(
        &roster,
        &*roster.time,
        &Stop::new(),
        &mut |progress| {
            news += progress.news;
            assert_eq!(news, *progress.tally);
        },
        &seen,
    );
    assert_eq!(outcome.unwrap(), RunOutcome::Finished);
    assert_eq!(export(&event), expected);
    let seen = seen.0.into_inner().unwrap();
    assert!(seen.keys().copied().eq(1..=12));
    for (number, (table, moves, over)) in seen {
        assert!(over && table < 2);
        let record = event.game(number).unwrap().unwrap();
        let finished = event.finished().nth(number as usize - 1).unwrap().unwrap();
        assert_eq!((finished.number, finished.result), (number, record.result));
        assert_eq!(moves.len(), finished.plies as usize);
    }
    assert_eq!(event.game(13).unwrap(), None);
    let labels = event.config().labels();
    assert_eq!(Summary::new(&news, &labels, event.dir()), event.summary());
}

#[test]
fn a_closed_event_ends_the_games_that_are_played_and_begins_no_other() {
    let (_test, mut event) = TestEvent::with(config(2, 100, 3));
    let stop = Stop::new();
    let roster = MisbehavingRoster::new(None);
    struct CloseAtGame<'a>(&'a Stop);
    impl Watcher for CloseAtGame<'_> {
        fn look(&self, _: usize, scheduled: &ScheduledGame, game: &Game) {
            if scheduled.number == 5 && game.position().ply() == 2 {
                self.0.close();
            }
        }
    }
    let time = VirtualTime::default();
    let outcome = event.run_watched(&roster, &time, &stop, &mut |_| {}, &CloseAtGame(&stop));
    assert_eq!(outcome.unwrap(), RunOutcome::Stopped);
    assert!(event.game(5).unwrap().is_some(), "the game went on to its end");
    let finished: Vec<u64> = event.finished().map(|game| game.unwrap().number).collect();
    assert!(finished.iter().copied().eq(1..=finished.len() as u64), "none was given up");
    assert!(finished.len() < 100);
}

#[test]
fn events_are_numbered_in_their_folder() {
    let test = TestEvent::new();
    let plain = EventConfig { games: 1, ..config(2, 1, 1) };
    let first = Event::create_numbered(&test.dir, &plain).unwrap();
    let more = Event::create_numbered(&test.dir, &config(3, 1, 1)).unwrap();
    assert_eq!(first.dir(), test.dir.join("001-e0-vs-e1"));
    assert_eq!(more.dir(), test.dir.join("002-e0-vs-e1-and-others"));
}
