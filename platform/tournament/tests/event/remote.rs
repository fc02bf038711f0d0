//! Games that are put off while an engine cannot play.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use tengen_players::{Player, RandomLegal};
use tengen_testkit::VirtualTime;
use tengen_tournament::{Event, EventConfig, Roster, RunOutcome, SpoiledOption, Stop};

use crate::test_event::{TestEvent, config};

/// Engines each of which plays one game at a time; one is away, for ever or until the others have
/// played.
#[derive(Default)]
struct Doors {
    busy: Mutex<BTreeSet<usize>>,
    away: Mutex<BTreeSet<usize>>,
    /// How the queue was asked: whether engines that are away are taken as nothing else is left.
    comes_late: bool,
    forfeits: bool,
    /// Whether to wait for it without a limit.
    waits: bool,
    asked_last: AtomicUsize,
    stop: Stop,
    was_broken: AtomicBool,
    /// How often engines were asked for.
    takes: AtomicUsize,
    /// The engines of the games that were begun, in order.
    taken: Mutex<Vec<[usize; 2]>>,
    /// An engine goes away once, before the start of this game.
    missed: AtomicU64,
    left: Mutex<Vec<usize>>,
}

impl Roster for Doors {
    fn player(&self, _engine: usize) -> Box<dyn Player> {
        Box::new(RandomLegal::new())
    }

    fn take(&self, seats: [usize; 2], nothing_else: bool) -> Result<(), usize> {
        self.takes.fetch_add(1, Ordering::SeqCst);
        let (mut busy, mut away) = (self.busy.lock().unwrap(), self.away.lock().unwrap());
        let is_away = seats.iter().any(|seat| away.contains(seat));
        if nothing_else {
            self.asked_last.fetch_add(1, Ordering::SeqCst);
            let is_quiet = busy.is_empty();
            self.was_broken.fetch_or(!is_quiet, Ordering::SeqCst);
            if self.comes_late {
                away.clear();
            } else if !self.forfeits && !self.waits {
                self.stop.request();
            }
        }
        let is_free = !seats.iter().any(|seat| busy.contains(seat));
        let is_taken = is_free && (!is_away || nothing_else && self.forfeits);
        if is_taken {
            busy.extend(seats);
            self.taken.lock().unwrap().push(seats);
            return Ok(());
        }
        let refused = |seat: &&usize| busy.contains(seat) || away.contains(seat);
        Err(*seats.iter().find(refused).unwrap_or(&seats[0]))
    }

    fn was_missed(&self, _engine: usize, game: u64) -> bool {
        self.missed.compare_exchange(game, 0, Ordering::SeqCst, Ordering::SeqCst).is_ok()
    }

    fn leave(&self, engine: usize) {
        self.left.lock().unwrap().push(engine);
    }

    fn free(&self, seats: [usize; 2]) {
        let mut busy = self.busy.lock().unwrap();
        for seat in seats {
            let was_there = busy.remove(&seat);
            self.was_broken.fetch_or(!was_there, Ordering::SeqCst);
        }
    }
}

impl Doors {
    fn away(engine: usize) -> Doors {
        Doors { away: Mutex::new([engine].into()), ..Doors::default() }
    }

    /// Plays an event of four engines, three games at once, and gives the games in the order in
    /// which they were saved.
    fn play(&self, spoiled: SpoiledOption) -> (RunOutcome, Vec<u64>, Vec<u64>) {
        self.play_event(EventConfig { concurrency: 3, spoiled, ..config(4, 4, 5) })
    }

    /// The same with any event.
    fn play_event(&self, config: EventConfig) -> (RunOutcome, Vec<u64>, Vec<u64>) {
        let with_first: Vec<u64> = config
            .schedule()
            .iter()
            .filter(|game| game.seat_of(0).is_some())
            .map(|game| game.number)
            .collect();
        let (_test, mut event) = TestEvent::with(config);
        let mut saved = Vec::new();
        let outcome = event
            .run(self, &VirtualTime::default(), &self.stop, &mut |progress| {
                saved.extend(progress.games.iter().map(|game| game.number));
            })
            .unwrap();
        assert!(self.busy.lock().unwrap().is_empty(), "every engine taken is freed");
        assert!(!self.was_broken.load(Ordering::SeqCst));
        (outcome, saved, with_first)
    }
}

#[test]
fn an_engine_with_one_table_plays_one_game_at_a_time_and_no_game_is_lost() {
    for spoiled in SpoiledOption::ALL {
        let doors = Doors::default();
        let (outcome, mut saved, _) = doors.play(spoiled);
        assert_eq!(outcome, RunOutcome::Finished);
        saved.sort_unstable();
        assert!(saved.into_iter().eq(1..=24), "{spoiled:?}");
        assert_eq!(doors.asked_last.load(Ordering::SeqCst), 0, "none was away");
    }
}

#[test]
fn the_games_of_an_absent_engine_are_put_off_until_no_others_are_left() {
    for doors in
        [Doors { comes_late: true, ..Doors::away(0) }, Doors { forfeits: true, ..Doors::away(0) }]
    {
        let (outcome, mut saved, _) = doors.play(SpoiledOption::Keep);
        assert_eq!(outcome, RunOutcome::Finished);
        let taken = doors.taken.lock().unwrap();
        assert!(taken[..12].iter().all(|seats| !seats.contains(&0)), "{taken:?}");
        saved.sort_unstable();
        assert!(saved.into_iter().eq(1..=24));
    }
}

#[test]
fn an_event_that_waits_in_vain_may_be_stopped_and_has_what_was_played() {
    let doors = Doors::away(0);
    let (outcome, saved, with_first) = doors.play(SpoiledOption::Keep);
    assert_eq!(outcome, RunOutcome::Stopped);
    assert_eq!(saved.len(), 12);
    assert!(saved.iter().all(|number| !with_first.contains(number)));
}

/// A game of the two that are there may stand behind thousands of the others.
#[test]
fn no_engine_is_given_up_while_others_have_games_far_behind() {
    let doors = Doors { away: Mutex::new([0, 1].into()), ..Doors::default() };
    let config = EventConfig { move_limit: Some(1), ..config(4, 860, 5) };
    let (outcome, saved, _) = doors.play_event(config);
    assert_eq!((outcome, saved.len()), (RunOutcome::Stopped, 860));
    assert_eq!(doors.asked_last.load(Ordering::SeqCst), 1, "a stop is obeyed at once");
}

#[test]
fn who_is_away_is_not_asked_for_each_game_again_and_again() {
    let doors = Doors { comes_late: true, ..Doors::away(0) };
    let config = EventConfig { move_limit: Some(1), concurrency: 1, ..config(3, 100, 5) };
    let (outcome, saved, _) = doors.play_event(config);
    assert_eq!((outcome, saved.len()), (RunOutcome::Finished, 300));
    let takes = doors.takes.load(Ordering::SeqCst);
    assert!(takes < 4 * 300, "{takes}");
}

#[test]
fn a_game_whose_engine_goes_away_before_its_start_is_put_off_and_nothing_is_lost() {
    for spoiled in SpoiledOption::ALL {
        // The first game of a pair, and the second one.
        for number in [5, 6] {
            let doors = Doors { missed: number.into(), ..Doors::default() };
            let (outcome, mut saved, _) = doors.play(spoiled);
            assert_eq!(outcome, RunOutcome::Finished);
            assert_eq!(doors.missed.load(Ordering::SeqCst), 0);
            // One game or pair is begun once more. In which order they are saved is by chance.
            let games = if spoiled == SpoiledOption::ReplayPair { 12 } else { 24 };
            assert_eq!(doors.taken.lock().unwrap().len(), games + 1);
            saved.sort_unstable();
            assert!(saved.into_iter().eq(1..=24), "{spoiled:?}");
        }
    }
    // One worker saves its games in the order in which it plays them.
    let doors = Doors { missed: 6.into(), ..Doors::default() };
    let spoiled = SpoiledOption::ReplayPair;
    let (_, saved, _) =
        doors.play_event(EventConfig { concurrency: 1, spoiled, ..config(4, 4, 5) });
    let place = |number| saved.iter().position(|one| *one == number);
    assert!(place(5) < place(6), "the first game counts, whichever went away after it");
}

#[test]
fn who_is_removed_hears_of_it_while_games_are_played() {
    let doors = Doors { waits: true, ..Doors::away(0) };
    let (test, mut event) = TestEvent::with(config(4, 4, 5));
    let outcome = event.run(&doors, &VirtualTime::default(), &doors.stop, &mut |progress| {
        if progress.finished == 12 {
            drop(Event::open(&test.dir).unwrap().remove(0, "", "now").unwrap());
        }
    });
    assert_eq!((outcome.unwrap(), event.tally().len()), (RunOutcome::Finished, 12));
    assert_eq!(*doors.left.lock().unwrap(), [0]);
}
