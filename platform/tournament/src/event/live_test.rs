//! Tests that decide when a game ends, and not when its commit is on the disk.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tengen_rules::{BySeat, Seat};

use super::queue::GameQueue;
use crate::evidence::{CountedLines, line_between};
use crate::store::{GameBatch, Store, StoredGame};
use crate::{EventConfig, FinishedGame, Schedule, Stop, StoreError, Tally};

/// The tests of the games that are handed in to be saved.
///
/// A commit may wait for the disk while hundreds of games end. So a test looks at each game as it
/// is handed in, in that order. With the pair that decides a test, no other game of these two
/// engines is handed in; when every test has decided, the games that are being played are given
/// up. What is saved is then what a test was decided on, and the decision is told when it is saved.
pub(super) struct LiveTest<'a> {
    schedule: Schedule,
    config: &'a EventConfig,
    /// The pairings that are tested.
    pairings: BTreeSet<(usize, usize)>,
    seen: Mutex<TestProgress>,
    /// The numbers of games that were saved since a game was handed in. Whoever tells them must not
    /// wait: who hands games in may be waiting for the store, and the store for who tells.
    saved: Mutex<Vec<u64>>,
}

struct TestProgress {
    tally: Tally,
    /// The winners and the lines of games whose twins have not ended, by their numbers.
    singles: HashMap<u64, (Option<Seat>, u64)>,
    lines: HandedIn,
    /// The pairings whose tests are over.
    over: BTreeSet<(usize, usize)>,
}

/// The lines that are counted: in the database, and in what is on its way there.
struct HandedIn {
    store: Store,
    waiting: HashSet<u64>,
    /// The lines of each pair on its way, by the game that completes it.
    completed: HashMap<u64, [u64; 2]>,
}

impl CountedLines for HandedIn {
    type Error = StoreError;

    fn has(&mut self, line: u64) -> Result<bool, StoreError> {
        Ok(self.waiting.contains(&line) || self.store.has_line(line)?)
    }

    fn note(&mut self, line: u64) -> Result<(), StoreError> {
        self.waiting.insert(line);
        Ok(())
    }
}

impl<'a> LiveTest<'a> {
    /// Tests that have come so far with the games that are saved; the store is that of the event.
    pub fn new(
        schedule: Schedule,
        config: &'a EventConfig,
        tally: &Tally,
        unfinished: &[Range<u64>],
        store: Store,
    ) -> LiveTest<'a> {
        // Twins stand next to each other.
        let edges = unfinished.iter().flat_map(|numbers| [numbers.start, numbers.end - 1]);
        let saved = edges.filter_map(|number| store.game(schedule.twin(number)?));
        let singles = saved
            .filter(|game| !game.conditions.is_void)
            .map(|game| (game.number, (game.result.winner, game.line)))
            .collect();
        let pairings: BTreeSet<_> = config.tests().into_iter().collect();
        let open = config.open_tests(tally).into_iter().collect();
        let over = pairings.difference(&open).copied().collect();
        let lines = HandedIn { store, waiting: HashSet::new(), completed: HashMap::new() };
        let seen = TestProgress { tally: tally.clone(), singles, lines, over };
        LiveTest { schedule, config, pairings, seen: Mutex::new(seen), saved: Mutex::default() }
    }

    /// The pairings that play no more, since their tests are over.
    pub fn over(&self) -> BTreeSet<(usize, usize)> {
        self.seen().over.clone()
    }

    /// Games that were handed in are in the database.
    pub fn note_saved(&self, games: &[FinishedGame]) {
        locked(&self.saved).extend(games.iter().map(|game| game.number));
    }

    /// Hands games of two engines in with `send`, and requests the stop if they end the last test;
    /// false where no more are wanted. `queue` plays no more games of a pairing whose test they
    /// end.
    pub fn hand_in(
        &self,
        batch: GameBatch,
        queue: &GameQueue<'_>,
        stop: &Stop,
        send: impl FnOnce(GameBatch) -> bool,
    ) -> bool {
        let mut seen = self.seen();
        let saved = std::mem::take(&mut *locked(&self.saved));
        seen.lines.forget(&saved);
        if seen.over.len() == self.pairings.len() {
            return false;
        }
        let pairing = batch.games.first().and_then(|game| self.pairing(game.seats));
        if pairing.is_some_and(|pairing| seen.over.contains(&pairing)) {
            return true;
        }
        if seen.completes_a_pair(&batch, &self.schedule)
            && let Some(pairing) = pairing
            && self.config.is_test_over(&seen.tally, pairing)
        {
            seen.over.insert(pairing);
            queue.pass_over(seen.over.clone());
            if seen.over.len() == self.pairings.len() {
                stop.request();
            }
        }
        // Under the lock: what another table hands in comes after it or not at all.
        send(batch)
    }

    fn pairing(&self, seats: BySeat<usize>) -> Option<(usize, usize)> {
        let BySeat { first, second } = seats;
        [(first, second), (second, first)].into_iter().find(|pair| self.pairings.contains(pair))
    }

    fn seen(&self) -> MutexGuard<'_, TestProgress> {
        locked(&self.seen)
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl HandedIn {
    /// Forgets what is in the database by now.
    fn forget(&mut self, saved: &[u64]) {
        for line in saved.iter().filter_map(|number| self.completed.remove(number)).flatten() {
            self.waiting.remove(&line);
        }
    }
}

impl TestProgress {
    /// Counts the pairs that these games complete, and tells whether there are any.
    fn completes_a_pair(&mut self, batch: &GameBatch, schedule: &Schedule) -> bool {
        let mut completes = false;
        for game in batch.games.iter().filter(|game| !game.conditions.is_void) {
            let Some(twin) = schedule.twin(game.number) else { continue };
            let StoredGame { number, result, seats, line, .. } = *game;
            let Some((other, its)) = self.singles.remove(&twin) else {
                self.singles.insert(number, (result.winner, line));
                continue;
            };
            let swapped = BySeat { first: seats.second, second: seats.first };
            let (seats_before, earlier, later) = match twin < number {
                true => (swapped, other, result.winner),
                false => (seats, result.winner, other),
            };
            self.tally.add_pair(seats_before, earlier, later);
            let lines = [line_between(seats, line), line_between(swapped, its)];
            // Where the database cannot be read, the games cannot be saved either.
            if self.lines.count(&lines).unwrap_or(false) {
                self.lines.completed.insert(number, lines);
            } else {
                self.tally.repeat_pair(seats_before, earlier, later);
            }
            completes = true;
        }
        completes
    }
}
