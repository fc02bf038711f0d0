//! Games lost by time that the host took, and games in which it stood still.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tengen_arbiter::{Cause, CpuStats, GameResult, Nanos, Termination};
use tengen_players::{Fault, GameSetup, Player, RandomLegal, Reply, Request, Time, Timing};
use tengen_rules::Seat;
use tengen_testkit::VirtualTime;
use tengen_tournament::{Event, EventConfig, Roster, RunOutcome, SpoiledOption, Stop};

use crate::test_event::{MisbehavingRoster, TestEvent, config};

const SECOND: Nanos = 1_000_000_000;

/// Engines of which the first never answers in its first games on the second seat, in which the
/// machine sleeps.
struct BusyRoster {
    time: Arc<VirtualTime>,
    spoils: Arc<AtomicU64>,
    /// How many games the first engine has ended.
    ended: Arc<AtomicU64>,
    /// After how many of them an engine goes away before the start of the second game, once.
    leaves_after: AtomicU64,
}

impl BusyRoster {
    fn new(spoils: u64) -> BusyRoster {
        BusyRoster {
            time: Arc::default(),
            spoils: Arc::new(AtomicU64::new(spoils)),
            ended: Arc::default(),
            leaves_after: AtomicU64::new(u64::MAX),
        }
    }
}

impl Roster for BusyRoster {
    fn player(&self, engine: usize) -> Box<dyn Player> {
        let (time, spoils) = (Arc::clone(&self.time), Arc::clone(&self.spoils));
        let (dice, is_starved, ended) = (RandomLegal::new(), false, Arc::clone(&self.ended));
        Box::new(StarvedPlayer { engine, time, spoils, ended, dice, is_starved })
    }

    fn was_missed(&self, _engine: usize, game: u64) -> bool {
        let ended = self.ended.load(Ordering::SeqCst);
        let order = Ordering::SeqCst;
        game == 2 && self.leaves_after.compare_exchange(ended, u64::MAX, order, order).is_ok()
    }
}

struct StarvedPlayer {
    engine: usize,
    time: Arc<VirtualTime>,
    spoils: Arc<AtomicU64>,
    ended: Arc<AtomicU64>,
    dice: RandomLegal,
    is_starved: bool,
}

impl Player for StarvedPlayer {
    fn new_game(&mut self, game: &GameSetup) -> Result<(), Fault> {
        let less = |left: u64| left.checked_sub(1);
        self.is_starved = self.engine == 0
            && game.seat == Seat::Second
            && self.spoils.fetch_update(Ordering::SeqCst, Ordering::SeqCst, less).is_ok();
        self.dice.new_game(game)
    }

    fn ask(&mut self, request: &Request<'_>, time: &dyn Time) -> Reply {
        if !self.is_starved {
            return self.dice.ask(request, time);
        }
        let asked_at = time.now();
        self.time.advance(request.patience.unwrap());
        let (answered_at, outcome) = (time.now(), Ok(None));
        Reply::new(asked_at, answered_at, outcome)
    }

    fn timing(&self) -> Timing {
        let cpu_stats = CpuStats { cpu: SECOND / 2, suspended: SECOND, ..CpuStats::default() };
        Timing {
            own: Some(0),
            cpu_stats: self.is_starved.then_some(cpu_stats),
            ..Timing::default()
        }
    }

    fn end_game(&mut self, result: GameResult) {
        self.ended.fetch_add(u64::from(self.engine == 0), Ordering::SeqCst);
        self.dice.end_game(result);
    }
}

fn event(test: &TestEvent, spoiled: SpoiledOption) -> Event {
    seeded(test, spoiled, 1)
}

fn seeded(test: &TestEvent, spoiled: SpoiledOption, seed: u64) -> Event {
    let tc = "1+0".parse().unwrap();
    let config = EventConfig { tc, spoiled, concurrency: 1, ..config(2, 4, seed) };
    Event::create(&test.dir, config).unwrap()
}

/// An event of two engines in which so many games were spoiled and played again; it has another
/// seed for another number of them.
pub fn play_spoiled(test: &TestEvent, spoils: u64) -> Event {
    let mut event = seeded(test, SpoiledOption::Replay, spoils);
    play(&mut event, spoils);
    event
}

fn play(event: &mut Event, spoils: u64) -> Vec<u64> {
    play_with(event, &BusyRoster::new(spoils))
}

fn play_with(event: &mut Event, roster: &BusyRoster) -> Vec<u64> {
    let mut told = Vec::new();
    let outcome = event.run(roster, &*roster.time, &Stop::new(), &mut |progress| {
        told.extend(progress.games.iter().map(|game| game.number));
    });
    assert_eq!(outcome.unwrap(), RunOutcome::Finished);
    told
}

/// The records of what was played and does not count.
pub fn discarded(event: &Event) -> String {
    let path = event.dir().join("spoiled.jsonl");
    event.keep_discarded().unwrap();
    std::fs::read_to_string(path).unwrap()
}

/// Which of the first four games were played how often more.
fn replays(event: &Event) -> [u32; 4] {
    [1, 2, 3, 4].map(|number| event.game(number).unwrap().unwrap().conditions.replays)
}

fn timeouts(event: &Event) -> Option<u64> {
    event.summary().terminations.get(&Termination::Timeout).copied()
}

#[test]
fn a_spoiled_game_that_is_kept_is_flagged() {
    let test = TestEvent::new();
    let mut event = event(&test, SpoiledOption::Keep);
    play(&mut event, 1);
    assert_eq!(timeouts(&event), Some(1));
    let spoiled = event.summary().spoiled;
    assert_eq!((spoiled.games, spoiled.replayed, spoiled.numbers.len()), (1, 0, 1));
    let record = event.game(spoiled.numbers[0]).unwrap().unwrap();
    assert!(record.conditions.is_spoiled());
    assert_eq!(record.conditions.forfeit.unwrap().cause, Cause::Suspend);
    assert!(record.detail.unwrap().contains("spoiled by the host"));
    assert_eq!(Event::open(&test.dir).unwrap().summary(), event.summary(), "it is on the disk");
}

#[test]
fn a_spoiled_pair_is_played_again_and_each_game_counts_once() {
    let test = TestEvent::new();
    let mut event = event(&test, SpoiledOption::ReplayPair);
    let mut told = play(&mut event, 2);
    told.sort_unstable();
    assert_eq!(told, [1, 2, 3, 4]);
    assert_eq!((timeouts(&event), event.summary().games), (None, 4));
    let spoiled = event.summary().spoiled;
    assert_eq!((spoiled.games, spoiled.replayed), (0, 2), "both games of the pair");
    assert_eq!(replays(&event), [2, 2, 0, 0]);
    let discarded = discarded(&event);
    let flagged = discarded.lines().filter(|line| line.contains("\"spoiled\":true"));
    assert_eq!(flagged.count(), 2, "{discarded}");
    assert_eq!(Event::open(&test.dir).unwrap().summary(), event.summary(), "it is on the disk");
}

#[test]
fn every_spoiled_game_is_kept_though_the_next_time_was_put_off() {
    let test = TestEvent::new();
    let mut event = event(&test, SpoiledOption::ReplayPair);
    // Spoiled in the second game; then that one is put off, and is spoiled again.
    let roster = BusyRoster { leaves_after: AtomicU64::new(3), ..BusyRoster::new(2) };
    let mut told = play_with(&mut event, &roster);
    told.sort_unstable();
    assert_eq!(told, [1, 2, 3, 4]);
    assert_eq!(roster.leaves_after.load(Ordering::SeqCst), u64::MAX, "it went away");
    assert_eq!(replays(&event)[..2], [1, 2]);
    let discarded = discarded(&event);
    assert_eq!(discarded.lines().count(), 3, "the pair, and the second game alone: {discarded}");
}

#[test]
fn a_pair_that_is_spoiled_again_and_again_counts_for_no_engine() {
    let test = TestEvent::new();
    let mut event = event(&test, SpoiledOption::ReplayPair);
    let told = play(&mut event, u64::from(SpoiledOption::REPLAYS) + 1);
    assert_eq!(told, [1, 2, 3, 4], "they are finished all the same");
    assert_eq!((timeouts(&event), event.summary().games), (None, 2));
    let spoiled = event.summary().spoiled;
    assert_eq!((spoiled.games, spoiled.replayed, spoiled.void), (0, 0, 2));
    assert_eq!(spoiled.void_numbers, [1, 2]);
    assert!(spoiled.are_too_many(event.tally().len()));
    let conditions = event.game(1).unwrap().unwrap().conditions;
    assert!(conditions.is_void && conditions.replays == SpoiledOption::REPLAYS);
    assert_eq!(event.recount().unwrap(), *event.tally());
    assert_eq!(Event::open(&test.dir).unwrap().summary(), event.summary(), "it is on the disk");
}

/// The other game of its pair was over: it stays so, and only the spoiled one is played again.
#[test]
fn a_game_that_was_over_is_not_undone_because_its_twin_is_spoiled() {
    let test = TestEvent::new();
    let mut event = event(&test, SpoiledOption::Replay);
    assert_eq!(play(&mut event, 2), [1, 2, 3, 4]);
    assert_eq!((timeouts(&event), event.summary().games), (None, 4));
    let summary = event.summary();
    assert_eq!((summary.spoiled.games, summary.spoiled.replayed), (0, 1));
    assert_eq!(replays(&event), [0, 2, 0, 0]);
    let discarded = discarded(&event);
    let numbers = discarded.lines().filter(|line| line.contains("\"game\":2,"));
    assert_eq!((numbers.count(), discarded.lines().count()), (2, 2), "{discarded}");
    let losers = &summary.spoiled.losers;
    assert_eq!(losers.len(), 1, "{losers:?}");
    assert_eq!((losers[0].lost, losers[0].won, losers[0].p), (2, 0, 0.5), "two engines");
    assert_eq!(Event::open(&test.dir).unwrap().summary(), summary, "it is on the disk");
}

#[test]
fn a_void_game_leaves_the_other_one_of_its_pair_as_it_was() {
    let test = TestEvent::new();
    let mut event = event(&test, SpoiledOption::Replay);
    assert_eq!(play(&mut event, u64::from(SpoiledOption::REPLAYS) + 1), [1, 2, 3, 4]);
    let summary = event.summary();
    assert_eq!((timeouts(&event), summary.games), (None, 3));
    assert_eq!((summary.spoiled.void, &summary.spoiled.void_numbers[..]), (1, &[2][..]));
    let pairs: u64 = summary.pairs.as_ref().unwrap().counts.iter().sum();
    assert_eq!(pairs, 1, "a pair of which one is void is none");
    assert_eq!(event.recount().unwrap(), *event.tally());
    assert_eq!(Event::open(&test.dir).unwrap().summary(), summary, "it is on the disk");
}

/// Time of a stopped process is charged to no player, though it answers in time.
#[test]
fn a_stop_of_the_arbiter_spoils_the_game_that_it_falls_into() {
    let tc = "100+0".parse().unwrap();
    let spoiled = SpoiledOption::Replay;
    let config = EventConfig { tc, spoiled, concurrency: 1, ..config(2, 4, 1) };
    let (_test, mut event) = TestEvent::with(config);
    let time =
        StoppedTime { asked: AtomicU64::new(0), stopped_at: 41, inner: VirtualTime::default() };
    let outcome =
        event.run(&MisbehavingRoster::new(None), &time, &Stop::new(), &mut |_| {}).unwrap();
    assert_eq!(outcome, RunOutcome::Finished);
    let spoiled = event.summary().spoiled;
    assert_eq!((spoiled.games, spoiled.replayed, spoiled.void), (0, 1, 0), "one game, once");
    let discarded = discarded(&event);
    assert!(discarded.contains("\"stopped\":20000000000"), "{discarded}");
    assert!(discarded.contains("Tengen did not run for 20.0 s"), "{discarded}");
}

/// A clock of a process that stood still for 20 s, noticed when it is asked for the n-th time.
struct StoppedTime {
    asked: AtomicU64,
    stopped_at: u64,
    inner: VirtualTime,
}

impl Time for StoppedTime {
    fn now(&self) -> Nanos {
        self.inner.now()
    }

    fn stopped(&self) -> Nanos {
        let asked = self.asked.fetch_add(1, Ordering::SeqCst);
        if asked >= self.stopped_at { 20 * SECOND } else { 0 }
    }
}

#[test]
fn a_stop_within_a_pair_leaves_no_half_of_it() {
    let test = TestEvent::new();
    let mut event = event(&test, SpoiledOption::ReplayPair);
    let stop = Stop::new();
    let roster = BusyRoster::new(1);
    let outcome = event.run(&roster, &*roster.time, &stop, &mut |progress| {
        assert_eq!(progress.finished % 2, 0, "pairs are told as such");
        stop.request();
    });
    assert!(outcome.is_ok());
    let before = event.summary().games;
    assert!(before.is_multiple_of(2) && before > 0, "{before}");
    let mut event = Event::open(&test.dir).unwrap();
    let told = play(&mut event, 0);
    assert_eq!(told.len() as u64, 4 - before);
    assert_eq!(event.summary().games, 4);
}
