//! Games that are put off while an engine cannot play.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use tengen_players::{Player, RandomLegal};
use tengen_testkit::VirtualTime;
use tengen_tournament::{Event, Roster, RunOutcome, SpoiledOption, Stop};

use crate::test_event::{TestEvent, config};

/// Engines each of which plays one game at a time; one is away, for ever or until the others have
/// played.
#[derive(Default)]
struct Doors {
    busy: Mutex<BTreeSet<usize>>,
    away: Mutex<BTreeSet<usize>>,
    /// What the queue was to be: who is away was taken when nothing else was left.
    comes_late: bool,
    forfeits: bool,
    asked_last: AtomicUsize,
    stop: Stop,
    was_broken: AtomicBool,
}

impl Roster for Doors {
    fn player(&self, _engine: usize) -> Box<dyn Player> {
        Box::new(RandomLegal::new())
    }

    fn interrupt(&self) {}

    fn take(&self, seats: [usize; 2], nothing_else: bool) -> bool {
        let (mut busy, mut away) = (self.busy.lock().unwrap(), self.away.lock().unwrap());
        let is_away = seats.iter().any(|seat| away.contains(seat));
        if nothing_else {
            self.asked_last.fetch_add(1, Ordering::SeqCst);
            let is_quiet = busy.is_empty();
            self.was_broken.fetch_or(!is_quiet, Ordering::SeqCst);
            if self.comes_late {
                away.clear();
            } else if !self.forfeits {
                self.stop.request();
            }
        }
        let is_free = !seats.iter().any(|seat| busy.contains(seat));
        let is_taken = is_free && (!is_away || nothing_else && self.forfeits);
        if is_taken {
            busy.extend(seats);
        }
        is_taken
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
        let test = TestEvent::new();
        let config = config(4, 4, 5);
        let config = tengen_tournament::EventConfig { concurrency: 3, spoiled, ..config };
        let with_first: Vec<u64> = config
            .schedule()
            .iter()
            .filter(|game| game.seat_of(0).is_some())
            .map(|game| game.number)
            .collect();
        let mut event = Event::create(&test.dir, config).unwrap();
        let mut saved = Vec::new();
        let outcome = event
            .run(self, &VirtualTime::default(), &self.stop, &mut |progress| {
                saved.extend(progress.games.iter().map(|game| game.number));
            })
            .unwrap();
        assert!(self.busy.lock().unwrap().is_empty(), "whoever was taken is freed");
        assert!(!self.was_broken.load(Ordering::SeqCst));
        (outcome, saved, with_first)
    }
}

#[test]
fn an_engine_with_one_table_plays_one_game_at_a_time_and_no_game_is_lost() {
    for spoiled in [SpoiledOption::Keep, SpoiledOption::Replay] {
        let doors = Doors::default();
        let (outcome, mut saved, _) = doors.play(spoiled);
        assert_eq!(outcome, RunOutcome::Finished);
        saved.sort_unstable();
        assert!(saved.into_iter().eq(1..=24), "{spoiled:?}");
        assert_eq!(doors.asked_last.load(Ordering::SeqCst), 0, "nobody was away");
    }
}

#[test]
fn the_games_of_one_who_is_away_are_put_off_until_nothing_else_is_left() {
    for doors in
        [Doors { comes_late: true, ..Doors::away(0) }, Doors { forfeits: true, ..Doors::away(0) }]
    {
        let (outcome, mut saved, with_first) = doors.play(SpoiledOption::Keep);
        assert_eq!(outcome, RunOutcome::Finished);
        assert!(saved[..12].iter().all(|number| !with_first.contains(number)), "{saved:?}");
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
