//! Events that are changed after they were made: before, between and within their runs.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex};
use std::time::Duration;

use tengen_arbiter::Game;
use tengen_players::Player;
use tengen_tournament::{
    Change, ChangeKind, EngineEntry, Event, EventConfig, EventError, Roster, RunOutcome,
    ScheduledGame, Stop, StoreError, Watcher,
};

use crate::test_event::{MisbehavingRoster, TestEvent, config, export, finish, run};

/// The games that are played before a run has seen a change: they end so soon that all could be
/// over by then.
const BEFORE: u64 = 20;
/// How long a game waits for that; without an end the test would have none.
const PATIENCE: Duration = Duration::from_secs(60);

/// The changes that a run saw, and what to do when one is seen.
struct ChangeWatcher<F> {
    seen: Mutex<Vec<ChangeKind>>,
    has_seen: Condvar,
    answer: F,
}

impl<F> ChangeWatcher<F> {
    fn new(answer: F) -> ChangeWatcher<F> {
        ChangeWatcher { seen: Mutex::default(), has_seen: Condvar::new(), answer }
    }
}

impl<F: Fn(ChangeKind) + Sync> Watcher for ChangeWatcher<F> {
    fn look(&self, _: usize, scheduled: &ScheduledGame, _: &Game) {
        let seen = self.seen.lock().unwrap();
        let waits = |seen: &mut Vec<ChangeKind>| scheduled.number >= BEFORE && seen.is_empty();
        drop(self.has_seen.wait_timeout_while(seen, PATIENCE, waits).unwrap());
    }

    fn changed(&self, change: &Change) {
        self.seen.lock().unwrap().push(change.kind);
        self.has_seen.notify_all();
        (self.answer)(change.kind);
    }
}

/// Plays an event to its end, and does this when the first games are told.
pub fn run_and(
    event: &mut Event,
    first: impl Fn(),
    answer: impl Fn(ChangeKind) + Sync,
) -> (RunOutcome, Vec<ChangeKind>, u64) {
    let roster = MisbehavingRoster::new(None);
    let watcher = ChangeWatcher::new(answer);
    let (mut is_first, mut total) = (true, 0);
    let mut observe = |progress: &tengen_tournament::EventProgress<'_>| {
        if std::mem::replace(&mut is_first, false) {
            first();
        }
        total = progress.total;
    };
    let stop = Stop::new();
    let outcome = event.run_watched(&roster, &*roster.time, &stop, &mut observe, &watcher).unwrap();
    (outcome, watcher.seen.into_inner().unwrap(), total)
}

fn open(dir: &Path) -> Event {
    Event::open(dir).unwrap()
}

fn newcomer(id: &str) -> EngineEntry {
    EngineEntry::new(id)
}

#[test]
fn an_engine_joins_an_event_and_what_was_played_stays() {
    let test = TestEvent::new();
    let before = export(&finish(&test.dir, config(3, 4, 5)));
    let mut event = open(&test.dir).add(&[newcomer("x"), newcomer("y")], "today").unwrap();
    assert_eq!((event.tally().len(), event.total()), (12, 12 + 12 + 16));
    assert_eq!(event.changes().unwrap()[0].text, "x, y joined, with 28 games");
    assert_eq!(run(&mut event, &Stop::new(), &mut |_| {}), RunOutcome::Finished);
    let after = export(&event);
    assert!(after.starts_with(&before), "the records of the games that were there are the same");
    assert_eq!(after.lines().count(), 40);
    assert_eq!(event.summary().standings.len(), 5);
    assert_eq!(event.recount().unwrap(), *event.tally());
}

#[test]
fn an_engine_leaves_an_event_and_its_other_games_are_dropped() {
    let (test, mut event) = TestEvent::with(config(3, 400, 5));
    let stop = Stop::new();
    run(&mut event, &stop, &mut |_| stop.request());
    let kept = event.tally().len();
    drop(event);
    let mut event = open(&test.dir).remove(1, "it hangs", "today").unwrap();
    let text = event.changes().unwrap()[0].text.clone();
    assert!(
        text.starts_with("e1 was removed, and ") && text.ends_with("dropped: it hangs"),
        "{text}"
    );
    assert_eq!(run(&mut event, &Stop::new(), &mut |_| {}), RunOutcome::Finished);
    assert_eq!(event.tally().len(), event.total());
    assert!((kept..1200).contains(&event.total()));
    assert_eq!(event.tally().score(0, 2).games(), 400, "the others play on");
    let summary = event.summary();
    assert_eq!((summary.removed[0].engine.as_str(), summary.standings.len()), ("e1", 3));
    assert_eq!(run(&mut event, &Stop::new(), &mut |_| panic!("played")), RunOutcome::Finished);

    let few = finish(&TestEvent::new().dir, config(2, 2, 5)).remove(0, "", "today");
    let error = few.err().unwrap().to_string();
    assert!(error.contains("fewer than two engines"), "{error}");
}

#[test]
fn a_running_event_obeys_what_is_written() {
    let games = EventConfig { concurrency: 1, ..config(3, 2000, 5) };
    let (test, mut event) = TestEvent::with(games);
    let order = |kind| open(&test.dir).order(kind, "", "now").unwrap();
    let change = || {
        drop(open(&test.dir).add(&[newcomer("x")], "now").unwrap());
        drop(open(&test.dir).remove(0, "", "now").unwrap());
        order(ChangeKind::Paused);
    };
    let answer = |kind| {
        if kind == ChangeKind::Paused {
            order(ChangeKind::Continued);
        }
    };
    let (outcome, seen, total) = run_and(&mut event, change, answer);
    assert_eq!(outcome, RunOutcome::Finished);
    use ChangeKind::{Added, Continued, Paused, Removed};
    assert_eq!(seen, [Added, Removed(0), Paused, Continued]);
    assert_eq!((event.total(), event.tally().len()), (total, total));
    assert_eq!(event.tally().score(3, 1).games(), 2000, "the newcomer plays those that are there");
    assert_eq!(event.tally().score(1, 2).games(), 2000);
    assert_eq!(event.tally().score(3, 0).games(), 0, "they were never there together");
    assert!(event.tally().score(0, 1).games() < 2000, "the one that left plays no more");
    assert_eq!(event.recount().unwrap(), *event.tally());
    drop(event);
    assert_eq!(open(&test.dir).config().engines.len(), 4, "the file says so too");
}

#[test]
fn orders_to_stop_end_one_run_and_no_other() {
    for (kind, is_whole) in [(ChangeKind::Stopped, true), (ChangeKind::StoppedNow, false)] {
        let (test, mut event) = TestEvent::with(config(2, 2000, 5));
        let order = || open(&test.dir).order(kind, "", "now").unwrap();
        let (outcome, seen, _) = run_and(&mut event, order, |_| {});
        assert_eq!((outcome, seen), (RunOutcome::Stopped, vec![kind]));
        let finished = event.tally().len();
        assert!((1..2000).contains(&finished), "{finished}, {is_whole}");
        let refused = open(&test.dir).order(ChangeKind::Paused, "", "now");
        assert!(matches!(refused, Err(EventError::NotRunning { .. })), "no process would hear it");
        let stop = Stop::new();
        run(&mut event, &stop, &mut |_| stop.request());
        assert!(event.tally().len() > finished, "the next run does not obey the last one's order");
    }
}

/// Players of an event to which an engine is added that does not start here, and that is
/// stopped before the first game.
struct EarlyOrder<'a> {
    dir: &'a Path,
    players: MisbehavingRoster,
    is_ordered: AtomicBool,
}

impl Roster for EarlyOrder<'_> {
    fn player(&self, engine: usize) -> Box<dyn Player> {
        self.players.player(engine)
    }

    fn join(&self, config: &EventConfig) -> Vec<(usize, String)> {
        if config.engines.last().is_some_and(|last| last.removed.is_some()) {
            return Vec::new();
        }
        if !self.is_ordered.swap(true, Ordering::SeqCst) {
            open(self.dir).order(ChangeKind::Stopped, "", "now").unwrap();
        }
        vec![(config.engines.len() - 1, "it does not start".to_owned())]
    }
}

#[test]
fn an_order_in_the_first_moment_of_a_run_is_obeyed() {
    let (test, mut event) = TestEvent::with(config(3, 20, 5));
    // It has grown when its run begins.
    drop(open(&test.dir).add(&[newcomer("x")], "now").unwrap());
    let (players, is_ordered) = (MisbehavingRoster::new(None), AtomicBool::new(false));
    let roster = EarlyOrder { dir: &test.dir, players, is_ordered };
    let stop = Stop::new();
    let outcome = event.run(&roster, &*roster.players.time, &stop, &mut |_| {}).unwrap();
    assert_eq!((outcome, event.tally().len()), (RunOutcome::Stopped, 0));
    let kinds: Vec<ChangeKind> =
        event.changes().unwrap().iter().map(|change| change.kind).collect();
    assert_eq!(kinds, [ChangeKind::Added, ChangeKind::Stopped, ChangeKind::Removed(3)]);
}

#[test]
fn a_standing_event_waits_for_newcomers_and_is_stopped() {
    let (test, mut event) = TestEvent::with(config(2, 2, 5));
    event.set_standing();
    let roster = MisbehavingRoster::new(None);
    let watcher = ChangeWatcher::new(|_| {});
    let mut observe = |progress: &tengen_tournament::EventProgress<'_>| {
        let event = open(&test.dir);
        match progress.finished {
            2 => drop(event.add(&[newcomer("x")], "now").unwrap()),
            6 => event.order(ChangeKind::Stopped, "", "now").unwrap(),
            _ => {}
        }
    };
    let stop = Stop::new();
    let outcome = event.run_watched(&roster, &*roster.time, &stop, &mut observe, &watcher).unwrap();
    assert_eq!((outcome, event.tally().len()), (RunOutcome::Finished, 6));
}

#[test]
fn two_people_cannot_steer_against_each_other() {
    let test = TestEvent::new();
    drop(finish(&test.dir, config(3, 2, 5)));
    let (mine, theirs) = (open(&test.dir), open(&test.dir));
    let after = mine.add(&[newcomer("x")], "today").unwrap();
    let before = fs::read_to_string(test.dir.join("event.toml")).unwrap();
    let error = theirs.remove(0, "", "today").err().unwrap();
    assert!(matches!(error, EventError::Stale { .. }), "{error}");
    assert!(error.to_string().contains("x joined, with 6 games"), "{error}");
    assert_eq!(fs::read_to_string(test.dir.join("event.toml")).unwrap(), before);
    let again = open(&test.dir).remove(0, "", "today").unwrap();
    let numbers: Vec<u64> = again.changes().unwrap().iter().map(|change| change.number).collect();
    assert_eq!((numbers, after.changes().unwrap().len()), (vec![1, 2], 2));
}

/// The database has a change as a whole before the file has it: after a kill in between, however
/// many changes came, the next that opens the event writes the file.
#[test]
fn a_change_is_there_whatever_is_left_undone_behind_it() {
    let test = TestEvent::new();
    drop(finish(&test.dir, config(3, 2, 5)));
    let file = test.dir.join("event.toml");
    let mut texts = vec![fs::read_to_string(&file).unwrap()];
    for id in ["x", "y", "z"] {
        drop(open(&test.dir).add(&[newcomer(id)], "today").unwrap());
        texts.push(fs::read_to_string(&file).unwrap());
    }
    let now = texts.pop().unwrap();
    for before in texts {
        fs::write(&file, before.replace("concurrency = 2", "concurrency = 1")).unwrap();
        assert_eq!(open(&test.dir).config().engines.len(), 6);
        assert_eq!(fs::read_to_string(&file).unwrap(), now);
    }
    let never = now.replace("games = 2", "games = 4");
    fs::write(&file, never).unwrap();
    assert!(matches!(Event::open(&test.dir).err(), Some(EventError::Changed { .. })));
}

#[test]
fn a_change_that_was_altered_is_refused() {
    let test = TestEvent::new();
    drop(finish(&test.dir, config(3, 2, 5)));
    drop(open(&test.dir).add(&[newcomer("x")], "today").unwrap());
    let sql = "UPDATE event SET value = replace(value, 'today', 'later') WHERE key LIKE 'change %'";
    rusqlite::Connection::open(test.dir.join("event.db")).unwrap().execute_batch(sql).unwrap();
    let error = open(&test.dir).changes().err();
    assert!(matches!(error, Some(EventError::Store(StoreError::Damaged { .. }))), "{error:?}");
}
