//! Tests that decide when a game ends, and not when its commit is on the disk.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tengen_rules::{BySeat, Seat};

use super::queue::GameQueue;
use crate::store::{GameBatch, Store};
use crate::{EventConfig, Schedule, Stop, Tally};

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
}

#[derive(Default)]
struct TestProgress {
    tally: Tally,
    /// The winners of games whose twins have not ended, by their numbers.
    singles: HashMap<u64, Option<Seat>>,
    /// The pairings whose tests have decided.
    decided: BTreeSet<(usize, usize)>,
}

impl<'a> LiveTest<'a> {
    /// Tests that have come so far with the games that are saved.
    pub fn new(
        schedule: Schedule,
        config: &'a EventConfig,
        tally: &Tally,
        unfinished: &[Range<u64>],
        store: &Store,
    ) -> LiveTest<'a> {
        // Twins stand next to each other.
        let edges = unfinished.iter().flat_map(|numbers| [numbers.start, numbers.end - 1]);
        let saved = edges.filter_map(|number| store.game(schedule.twin(number)?));
        let singles = saved
            .filter(|game| !game.conditions.is_void)
            .map(|game| (game.number, game.result.winner))
            .collect();
        let pairings: BTreeSet<_> = config.tests().into_iter().collect();
        let open = config.open_tests(tally).into_iter().collect();
        let decided = pairings.difference(&open).copied().collect();
        let seen = TestProgress { tally: tally.clone(), singles, decided };
        LiveTest { schedule, config, pairings, seen: Mutex::new(seen) }
    }

    /// The pairings that play no more, since their tests have decided.
    pub fn decided(&self) -> BTreeSet<(usize, usize)> {
        self.seen().decided.clone()
    }

    /// Hands games of two engines in with `send`, and requests the stop if they decide the last
    /// test; false where no more are wanted. `queue` plays no more games of a pairing whose test
    /// they decide.
    pub fn hand_in(
        &self,
        batch: GameBatch,
        queue: &GameQueue<'_>,
        stop: &Stop,
        send: impl FnOnce(GameBatch) -> bool,
    ) -> bool {
        let mut seen = self.seen();
        if seen.decided.len() == self.pairings.len() {
            return false;
        }
        let pairing = batch.games.first().and_then(|game| self.pairing(game.seats));
        if pairing.is_some_and(|pairing| seen.decided.contains(&pairing)) {
            return true;
        }
        if seen.completes_a_pair(&batch, &self.schedule)
            && let Some(pairing) = pairing
            && self.config.has_decided_between(&seen.tally, pairing)
        {
            seen.decided.insert(pairing);
            queue.pass_over(seen.decided.clone());
            if seen.decided.len() == self.pairings.len() {
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
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl TestProgress {
    /// Counts the pairs that these games complete, and tells whether there are any.
    fn completes_a_pair(&mut self, batch: &GameBatch, schedule: &Schedule) -> bool {
        let mut completes = false;
        for game in batch.games.iter().filter(|game| !game.conditions.is_void) {
            let Some(twin) = schedule.twin(game.number) else { continue };
            let Some(other) = self.singles.remove(&twin) else {
                self.singles.insert(game.number, game.result.winner);
                continue;
            };
            let (earlier, winners) = if twin < game.number {
                (twin, [other, game.result.winner])
            } else {
                (game.number, [game.result.winner, other])
            };
            if let Some(earlier) = schedule.get(earlier) {
                self.tally.add_pair(earlier.seats, winners[0], winners[1]);
                completes = true;
            }
        }
        completes
    }
}
