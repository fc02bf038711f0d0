use std::collections::BTreeSet;
use std::thread;

use tengen_testkit::VirtualTime;
use tengen_tournament::{Event, EventError, RunOutcome, Stop};

use crate::test_event::{MisbehavingRoster, TestEvent, WaitingRoster, config, export, finish, run};

#[test]
fn stopped_anywhere_and_resumed_each_game_is_played_once() {
    let straight = TestEvent::new();
    let expected = export(&finish(&straight.dir, config(4, 6, 11)));
    for stop_after in [1, 2, 3, 5, 8, 13, 21] {
        let (test, mut event) = TestEvent::with(config(4, 6, 11));
        let mut told = BTreeSet::new();
        let mut runs = 0;
        loop {
            let stop = Stop::new();
            let mut fresh = 0;
            let outcome = run(&mut event, &stop, &mut |progress| {
                fresh += progress.games.len();
                told.extend(progress.games.iter().map(|game| game.number));
                assert_eq!(progress.finished, told.len() as u64, "a game was told twice");
                if fresh >= stop_after {
                    stop.request();
                }
            });
            runs += 1;
            assert_eq!(event.recount().unwrap(), *event.tally());
            event = Event::open(&test.dir).unwrap();
            assert_eq!(event.tally().len(), told.len() as u64, "what is stored was told");
            if outcome == RunOutcome::Finished {
                break;
            }
        }
        assert!(told.into_iter().eq(1..=36), "after {runs} runs");
        assert!(export(&event) == expected, "stopped every {stop_after} games");
    }
}

/// Interrupting players kills them; that is no crash of theirs.
#[test]
fn a_stop_leaves_no_trace_of_the_games_it_interrupts() {
    let (_test, mut event) = TestEvent::with(config(2, 10, 1));
    let (roster, stop) = (WaitingRoster::default(), Stop::new());
    let outcome = thread::scope(|scope| {
        let run = scope.spawn(|| {
            event.run(&roster, &VirtualTime::default(), &stop, &mut |_| panic!("nothing to tell"))
        });
        roster.wait_for(2);
        stop.request();
        run.join().unwrap()
    });
    assert_eq!(outcome.unwrap(), RunOutcome::Stopped);
    assert!(event.tally().is_empty());
    assert_eq!(event.records().count(), 0);
}

#[test]
fn a_stop_before_the_start_plays_nothing() {
    let (_test, mut event) = TestEvent::with(config(2, 2, 1));
    let stop = Stop::new();
    stop.request();
    assert_eq!(run(&mut event, &stop, &mut |_| {}), RunOutcome::Stopped);
    assert!(event.tally().is_empty());
}

#[test]
fn two_cannot_run_one_event() {
    let (test, mut event) = TestEvent::with(config(2, 20, 1));
    let mut refused = 0;
    run(&mut event, &Stop::new(), &mut |_| {
        let mut other = Event::open(&test.dir).unwrap();
        let roster = MisbehavingRoster::new(None);
        let error = other.run(&roster, &*roster.time, &Stop::new(), &mut |_| {}).unwrap_err();
        assert!(matches!(error, EventError::Running { .. }), "{error}");
        refused += 1;
    });
    assert!(refused > 0);
}

/// An event can be reported on while it runs, and each report is of whole games.
#[test]
fn a_running_event_can_be_read() {
    let (test, mut event) = TestEvent::with(config(3, 20, 1));
    run(&mut event, &Stop::new(), &mut |progress| {
        let reader = Event::open(&test.dir).unwrap();
        assert!(reader.tally().len() >= progress.finished);
        assert!(reader.records().count() as u64 >= progress.finished);
    });
}
