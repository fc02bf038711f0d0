use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, OnceLock};
use std::thread::{self, ThreadId};
use std::time::Duration;

use tengen_arbiter::{Action, Termination};
use tengen_players::{Fault, GameSetup, Player, Reply, Request, Time};
use tengen_rules::{Answer, Move, Seat, Size};
use tengen_stats::SprtDecision;
use tengen_testkit::{Misbehavior, VirtualTime};
use tengen_tournament::{
    Event, EventConfig, EventFormat, FinishedGame, Roster, RunOutcome, SpoiledOption, StageConfig,
    Stop, Tally,
};

use crate::test_event::{MisbehavingRoster, TestEvent, config, export, finish, run};

#[test]
fn every_game_is_played_once_and_told_as_it_is_stored() {
    let (_test, mut event) = TestEvent::with(config(5, 3, 1));
    let mut told = BTreeMap::<u64, FinishedGame>::new();
    let mut counted = Tally::default();
    let outcome = run(&mut event, &Stop::new(), &mut |progress| {
        assert_eq!((progress.total, progress.before), (30, 0));
        for game in progress.games {
            assert_eq!(told.insert(game.number, *game), None, "told twice");
        }
        assert_eq!(progress.finished, told.len() as u64);
        counted = progress.tally.clone();
    });
    assert_eq!(outcome, RunOutcome::Finished);
    assert!(told.keys().copied().eq(1..=30));
    assert_eq!(&counted, event.tally());
    assert_eq!(event.recount().unwrap(), counted);
    let schedule = event.schedule();
    let labels = event.config().labels();
    for (record, told) in event.records().zip(told.values()) {
        let record = record.unwrap();
        assert_eq!(record.header.game, Some(told.number));
        assert_eq!(record.result, told.result);
        assert_eq!(tengen_record::replay(&record), Ok(told.result));
        let scheduled = schedule.get(told.number).unwrap();
        assert_eq!(record.header.seed, scheduled.seed);
        for seat in Seat::ALL {
            assert_eq!(record.header.seats[seat].id, labels[scheduled.seats[seat]]);
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_records() {
    for opening in ["none", "swap2", "contest"] {
        let records = |seed, concurrency| {
            let test = TestEvent::new();
            let event = finish(
                &test.dir,
                EventConfig {
                    rule: "renju".parse().unwrap(),
                    size: "15".parse().unwrap(),
                    opening: opening.parse().unwrap(),
                    concurrency,
                    ..config(3, 2, seed)
                },
            );
            export(&event)
        };
        let once = records(7, 2);
        assert_eq!(once.lines().count(), 6);
        assert!(once == records(7, 1), "{opening}");
        assert!(once != records(8, 2), "{opening}");
    }
}

/// However many games end while a commit is on its way to the disk.
#[test]
fn a_test_ends_with_the_pair_that_decides_it() {
    for spoiled in [SpoiledOption::Replay, SpoiledOption::ReplayPair] {
        let sprt = "elo0=0,elo1=50".parse().ok();
        let config = EventConfig { sprt, concurrency: 4, spoiled, ..config(2, 4000, 1) };
        let (_test, mut event) = TestEvent::with(config);
        let roster = MisbehavingRoster::new(Some(Misbehavior::Crash));
        let stop = Stop::new();
        let outcome = event.run(&roster, &*roster.time, &stop, &mut |_| {}).unwrap();
        assert_eq!(outcome, RunOutcome::Finished);
        let sprt = event.config().sprt.unwrap().0;
        let mut pairs = event.tally().pairs(0, 1);
        assert_eq!(sprt.decision(pairs), Some(SprtDecision::H0));
        pairs.counts[0] -= 1;
        assert_eq!(sprt.decision(pairs), None, "a pair too many: {pairs:?}");
        assert_eq!(&event.recount().unwrap(), event.tally());
    }
}

/// The twins of games that were saved before a stop count with those that come after it.
#[test]
fn a_stopped_test_goes_on_with_the_pairs_it_has() {
    let sprt = "elo0=0,elo1=200".parse().ok();
    let config = EventConfig { sprt, concurrency: 1, ..config(2, 4000, 1) };
    let (_test, mut event) = TestEvent::with(config);
    loop {
        let roster = MisbehavingRoster::new(Some(Misbehavior::Crash));
        let stop = Stop::new();
        let mut saved = 0;
        let outcome = event
            .run(&roster, &*roster.time, &stop, &mut |progress| {
                saved += progress.games.len();
                if saved >= 3 {
                    stop.request();
                }
            })
            .unwrap();
        if outcome == RunOutcome::Finished {
            break;
        }
    }
    let sprt = event.config().sprt.unwrap().0;
    let mut pairs = event.tally().pairs(0, 1);
    assert!(sprt.decision(pairs).is_some());
    pairs.counts[0] -= 1;
    assert_eq!(sprt.decision(pairs), None);
}

#[test]
fn players_are_kept_over_many_games() {
    let test = TestEvent::new();
    let roster = MisbehavingRoster::new(None);
    let mut event =
        Event::create(&test.dir, EventConfig { concurrency: 1, ..config(3, 10, 1) }).unwrap();
    event.run(&roster, &*roster.time, &Stop::new(), &mut |_| {}).unwrap();
    assert_eq!(roster.made.into_inner(), 3);
}

/// Each misdeed costs its engine its games and nothing else, and the event goes on.
#[test]
fn a_misbehaving_engine_loses_its_own_games() {
    for (misdeed, tc, termination) in [
        (Misbehavior::Crash, "nodes=9", Termination::Crash),
        (Misbehavior::Babble, "nodes=9", Termination::ProtocolError),
        (Misbehavior::Overeat, "nodes=9", Termination::ResourceLimit),
        (Misbehavior::Compute, "nodes=9", Termination::Unasked),
        (Misbehavior::Illegal, "nodes=9", Termination::IllegalAnswer),
        (Misbehavior::WrongKind, "nodes=9", Termination::IllegalAnswer),
        (Misbehavior::NeverReady, "nodes=9", Termination::Stall),
        (Misbehavior::Silent, "nodes=9", Termination::Stall),
        (Misbehavior::Silent, "1+0", Termination::Timeout),
        (Misbehavior::Late(1), "1+0", Termination::Timeout),
    ] {
        let roster = MisbehavingRoster::new(Some(misdeed));
        let config = EventConfig { concurrency: 1, tc: tc.parse().unwrap(), ..config(3, 2, 4) };
        let (_test, mut event) = TestEvent::with(config);
        event.run(&roster, &*roster.time, &Stop::new(), &mut |_| {}).unwrap();
        let summary = event.summary();
        let bad = summary.standings.iter().find(|line| line.index == 0).unwrap();
        assert_eq!(bad.terminations, BTreeMap::from([(termination, 4)]), "{misdeed:?}");
        let others = summary.standings.iter().filter(|line| line.index != 0);
        assert_eq!(others.filter(|line| line.terminations.contains_key(&termination)).count(), 0);
        for record in event.records() {
            let record = record.unwrap();
            assert_eq!(tengen_record::replay(&record), Ok(record.result), "{misdeed:?}");
            let told = record.result.termination == termination;
            assert_eq!(record.detail.is_some(), told, "{misdeed:?}");
        }
    }
}

/// No player can be made ready: the first seat, which was tried first, loses.
#[test]
fn the_first_to_fail_loses() {
    struct EmptyRoster(MisbehavingRoster);
    impl Roster for EmptyRoster {
        fn player(&self, _engine: usize) -> Box<dyn tengen_players::Player> {
            self.0.player(0)
        }
    }
    let (_test, mut event) = TestEvent::with(config(2, 2, 1));
    let roster = EmptyRoster(MisbehavingRoster::new(Some(Misbehavior::NeverReady)));
    event.run(&roster, &VirtualTime::default(), &Stop::new(), &mut |_| {}).unwrap();
    for record in event.records() {
        let result = record.unwrap().result;
        assert_eq!((result.winner, result.termination), (Some(Seat::Second), Termination::Stall));
    }
}

#[test]
fn an_untimed_player_that_hangs_is_given_up_after_the_events_patience() {
    let roster = MisbehavingRoster::new(Some(Misbehavior::Silent));
    let config = EventConfig { concurrency: 1, stall: "60".parse().unwrap(), ..config(2, 1, 1) };
    let (_test, mut event) = TestEvent::with(config);
    event.run(&roster, &*roster.time, &Stop::new(), &mut |_| {}).unwrap();
    assert_eq!(roster.time.now(), 60_000_000_000);
}

/// The records have every game that was told, while the event runs.
#[test]
fn records_grow_as_games_end() {
    let (test, mut event) = TestEvent::with(config(3, 4, 7));
    let path = test.dir.join("games.jsonl");
    let lines = || fs::read_to_string(&path).unwrap().lines().count() as u64;
    let stop = Stop::new();
    let outcome = run(&mut event, &stop, &mut |progress| {
        assert_eq!(lines(), progress.finished);
        stop.request();
    });
    // All games may have ended before the stop was seen.
    let told = event.tally().len();
    assert!(told > 0 && (outcome == RunOutcome::Stopped || told == event.schedule().len()));
    assert_eq!((event.keep_records().unwrap(), lines()), (path.clone(), told));
    // As after a kill: within a line, and without the last ones.
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, &text[..text.len() / 2]).unwrap();
    let mut event = Event::open(&test.dir).unwrap();
    let outcome = run(&mut event, &Stop::new(), &mut |progress| {
        assert_eq!(lines(), progress.finished);
    });
    assert_eq!(outcome, RunOutcome::Finished);
    event.keep_records().unwrap();
    let ordered = fs::read_to_string(&path).unwrap();
    assert!(export(&event) == ordered, "in the order of their numbers at the end");
}

/// The cost of each progress report does not grow with the engines, and the leader in it is right.
#[test]
fn an_event_of_many_engines_tells_which_leads() {
    let config = EventConfig { size: "5".parse().unwrap(), ..config(60, 1, 3) };
    let (_test, mut event) = TestEvent::with(config);
    let outcome = run(&mut event, &Stop::new(), &mut |progress| {
        let points = |engine| progress.tally.total(engine).points();
        let (leader, most) = progress.tally.leader().unwrap();
        assert_eq!(points(leader), most);
        assert!((0..60).all(|engine| points(engine) <= most));
    });
    assert_eq!(outcome, RunOutcome::Finished);
    assert_eq!(event.recount().unwrap(), *event.tally());
    let summary = event.summary();
    assert_eq!(summary.standings.len(), 60);
    assert!(summary.cross_table.iter().flatten().all(|score| score.games() <= 1));
}

/// Players that always do the same play the same game again, and that is counted.
#[test]
fn the_same_game_again_is_counted() {
    let (_test, event) = TestEvent::finished(config(2, 6, 1));
    let repeated = event.summary().repeated;
    assert_eq!((repeated.games, repeated.repeated()), (6, 0), "players by lot");
    let (_again, mut event) = TestEvent::with(config(2, 6, 1));
    play_alike(&mut event);
    let repeated = event.summary().repeated;
    assert_eq!((repeated.games, repeated.distinct), (6, 2), "one for each seat");
}

/// An interrupt is for good: an engine that heard of one loses its next games.
#[test]
fn no_engine_is_interrupted_between_rounds() {
    #[derive(Default)]
    struct Undisturbed(AtomicUsize);

    impl Roster for Undisturbed {
        fn player(&self, engine: usize) -> Box<dyn Player> {
            Alike.player(engine)
        }

        fn interrupt(&self) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }

    for _ in 0..10 {
        let swiss = EventConfig {
            own: StageConfig { rounds: Some(4), ..StageConfig::of(EventFormat::Swiss) },
            ..config(5, 2, 2)
        };
        let (_test, mut event) = TestEvent::with(swiss);
        let roster = Undisturbed::default();
        let outcome = event.run(&roster, &VirtualTime::default(), &Stop::new(), &mut |_| {});
        assert_eq!(outcome.unwrap(), RunOutcome::Finished);
        assert_eq!(roster.0.into_inner(), 0);
    }
}

/// An engine's process dies with the thread that started it, and may play at other tables.
#[test]
fn a_table_that_panics_ends_the_run_and_its_thread_ends_last() {
    thread_local! {
        static TABLE: RefCell<Option<TableThread>> = const { RefCell::new(None) };
    }

    #[derive(Default)]
    struct Tables {
        first: OnceLock<ThreadId>,
        is_interrupted: Mutex<bool>,
        interrupted: Condvar,
        has_ended: AtomicBool,
        ended_early: AtomicBool,
    }

    /// Ends with its thread.
    struct TableThread(Arc<Tables>);

    impl Drop for TableThread {
        fn drop(&mut self) {
            self.0.has_ended.store(true, Ordering::SeqCst);
        }
    }

    /// Panics, except at the table that began first, where it waits for an interrupt.
    struct Panics(Arc<Tables>);

    impl Player for Panics {
        fn new_game(&mut self, _: &GameSetup) -> Result<(), Fault> {
            let id = thread::current().id();
            if *self.0.first.get_or_init(|| id) != id {
                TABLE.set(Some(TableThread(Arc::clone(&self.0))));
                panic!("this is what the test is about");
            }
            Ok(())
        }

        fn ask(&mut self, request: &Request<'_>, time: &dyn Time) -> Reply {
            let Panics(tables) = self;
            let waiting = tables.is_interrupted.lock().unwrap();
            let patience = Duration::from_secs(60);
            let waited = tables.interrupted.wait_timeout_while(waiting, patience, |is| !*is);
            assert!(!waited.unwrap().1.timed_out(), "the run goes on");
            let has_ended = tables.has_ended.load(Ordering::SeqCst);
            tables.ended_early.fetch_or(has_ended, Ordering::SeqCst);
            FirstFree { size: Size::STANDARD }.ask(request, time)
        }
    }

    struct PanickingRoster(Arc<Tables>);

    impl Roster for PanickingRoster {
        fn player(&self, _engine: usize) -> Box<dyn Player> {
            Box::new(Panics(Arc::clone(&self.0)))
        }

        fn interrupt(&self) {
            *self.0.is_interrupted.lock().unwrap() = true;
            self.0.interrupted.notify_all();
        }
    }

    let (test, mut event) = TestEvent::with(config(2, 8, 1));
    let tables = Arc::new(Tables::default());
    let roster = PanickingRoster(Arc::clone(&tables));
    let run = || event.run(&roster, &VirtualTime::default(), &Stop::new(), &mut |_| {});
    assert!(catch_unwind(AssertUnwindSafe(run)).is_err());
    assert!(tables.has_ended.load(Ordering::SeqCst));
    assert!(
        !tables.ended_early.load(Ordering::SeqCst),
        "its processes were killed at other tables"
    );
    drop(event);
    let mut event = Event::open(&test.dir).unwrap();
    assert_eq!(event.tally().len(), 0, "no game was finished");
    play_alike(&mut event);
}

/// Plays an event of such players to its end.
pub fn play_alike(event: &mut Event) {
    let outcome = event.run(&Alike, &VirtualTime::default(), &Stop::new(), &mut |_| {});
    assert_eq!(outcome.unwrap(), RunOutcome::Finished);
}

/// Seats players that lay their stones on the first free point.
struct Alike;

impl Roster for Alike {
    fn player(&self, _engine: usize) -> Box<dyn Player> {
        Box::new(FirstFree { size: Size::STANDARD })
    }
}

struct FirstFree {
    size: Size,
}

impl Player for FirstFree {
    fn new_game(&mut self, game: &GameSetup) -> Result<(), Fault> {
        self.size = game.size;
        Ok(())
    }

    fn ask(&mut self, request: &Request<'_>, time: &dyn Time) -> Reply {
        let taken: Vec<_> = request.moves.iter().filter_map(|mv| mv.point()).collect();
        let free = self.size.points().find(|point| !taken.contains(point)).unwrap();
        let action = Action::Answer(Answer::Move(Move::Stone(free)));
        Reply::new(time.now(), time.now(), Ok(Some(action)))
    }
}
