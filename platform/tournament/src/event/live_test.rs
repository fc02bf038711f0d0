//! Tests that decide as soon as a game ends, and not only once its commit is on the disk.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tengen_rules::BySeat;

use super::queue::GameQueue;
use crate::evidence::{EndedPair, PairMaker, PlayedLines};
use crate::store::{GameBatch, Store};
use crate::{EventConfig, FinishedGame, Schedule, StoreError, Tally};

/// The tests of the games that are handed in to be saved.
///
/// A commit may wait for the disk while hundreds of games end. So a test looks at each game when it
/// is handed in, in that order. After the pair that decides a test, no other game of these two
/// engines is accepted; when every test has decided, the games being played are given up. So
/// exactly the games that decided a test are saved, and the decision is reported once they are.
pub(super) struct LiveTest<'a> {
    schedule: Schedule,
    config: &'a EventConfig,
    pairings: BTreeSet<(usize, usize)>,
    seen: Mutex<TestProgress>,
    /// The numbers of games that were saved since a game was handed in. The thread that tells them
    /// must not wait: a table that hands games in may wait for the store, and the store for it.
    saved: Mutex<Vec<u64>>,
}

struct TestProgress {
    tally: Tally,
    pairs: PairMaker,
    lines: HandedIn,
    /// The pairings that have finished their tests.
    over: BTreeSet<(usize, usize)>,
}

/// The lines of games in the database, and of those that are on their way there.
struct HandedIn {
    store: Store,
    /// The lowest numbers that are on their way there.
    lowest: HashMap<u64, u64>,
    /// Each pair on its way, by the game that completes it.
    waiting: HashMap<u64, WaitingPair>,
    /// The pairs that are no evidence by what was added last.
    repeats: Vec<u64>,
}

/// A pair on its way to the database, and what it changes there.
struct WaitingPair {
    pair: EndedPair,
    /// The pairs that are no evidence because of it.
    repeats: Vec<u64>,
}

impl PlayedLines for HandedIn {
    type Error = StoreError;

    fn lowest(&mut self, line: u64) -> Result<Option<u64>, StoreError> {
        match self.lowest.get(&line) {
            Some(&number) => Ok(Some(number)),
            None => self.store.lowest(line),
        }
    }

    fn set_lowest(&mut self, line: u64, number: u64) -> Result<(), StoreError> {
        self.lowest.insert(line, number);
        Ok(())
    }

    fn set_repeat(&mut self, number: u64) -> Result<bool, StoreError> {
        let waiting = self.waiting.values().flat_map(|pair| &pair.repeats);
        let is_known = waiting.chain(&self.repeats).any(|known| *known == number);
        let is_new = !is_known && !self.store.is_again(number);
        self.repeats.extend(is_new.then_some(number));
        Ok(is_new)
    }
}

impl<'a> LiveTest<'a> {
    /// Tests as they stand after the saved games; the store is that of the event.
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
        let mut pairs = PairMaker::default();
        for game in saved.filter(|game| !game.conditions.is_void) {
            let _other = pairs.add(game.ended(), schedule.twin(game.number));
        }
        let pairings: BTreeSet<_> = config.tests().into_iter().collect();
        let open = config.open_tests(tally).into_iter().collect();
        let over = pairings.difference(&open).copied().collect();
        let (lowest, waiting) = (HashMap::new(), HashMap::new());
        let lines = HandedIn { store, lowest, waiting, repeats: Vec::new() };
        let seen = TestProgress { tally: tally.clone(), pairs, lines, over };
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

    /// Hands games of two engines in with `send`; false where no more are wanted. If they end the
    /// test of a pairing, `queue` plays no more games of it, and is stopped if that was the last
    /// test.
    pub fn hand_in(
        &self,
        batch: GameBatch,
        queue: &GameQueue<'_>,
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
                queue.stop.request();
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
        for waiting in saved.iter().filter_map(|number| self.waiting.remove(number)) {
            for line in waiting.pair.lines() {
                // A pair that was handed in later, and is not saved, may have a lower number.
                if self.lowest.get(&line) == Some(&waiting.pair.earlier.number) {
                    self.lowest.remove(&line);
                }
            }
        }
    }

    /// Adds a pair that this game completes, and gives those that are no evidence from now on.
    fn add_pair(&mut self, game: u64, pair: EndedPair, schedule: &Schedule) -> Vec<EndedPair> {
        let number = pair.earlier.number;
        // Where the database cannot be read, the games cannot be saved either.
        let numbers = self.add(number, &pair.lines()).unwrap_or_default();
        let repeats = std::mem::take(&mut self.repeats);
        self.waiting.insert(game, WaitingPair { pair, repeats });
        numbers.iter().filter_map(|&number| self.pair(number, schedule)).collect()
    }

    /// The pair of that number, which was added.
    fn pair(&self, number: u64, schedule: &Schedule) -> Option<EndedPair> {
        let twin = schedule.twin(number);
        let of_pair = [Some(number), twin].into_iter().flatten();
        if let Some(waiting) = of_pair.filter_map(|game| self.waiting.get(&game)).next() {
            return Some(waiting.pair);
        }
        let saved = |number| self.store.game(number).map(|game| game.ended());
        Some(EndedPair { earlier: saved(number)?, later: twin.and_then(saved) })
    }
}

impl TestProgress {
    /// Counts the pairs that these games complete, and tells whether there are any.
    fn completes_a_pair(&mut self, batch: &GameBatch, schedule: &Schedule) -> bool {
        let mut completes = false;
        for game in batch.games.iter().filter(|game| !game.conditions.is_void) {
            let number = game.number;
            let Some(pair) = self.pairs.add(game.ended(), schedule.twin(number)) else { continue };
            pair.count(&mut self.tally);
            for repeat in self.lines.add_pair(number, pair, schedule) {
                repeat.repeat(&mut self.tally);
            }
            completes = true;
        }
        completes
    }
}

#[cfg(test)]
mod tests;
