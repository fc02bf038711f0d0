//! A test that decides when a game ends, and not when its commit is on the disk.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use tengen_rules::Seat;

use crate::store::{GameBatch, Store};
use crate::{Schedule, Stop, Tally};

/// A test of the games that are handed in to be saved.
///
/// A commit may wait for the disk while hundreds of games end. So the test looks at each game as it
/// is handed in, in that order; with the first that decides it, the games that are being played are
/// given up, and no other is handed in. What is saved is then what the test was decided on, and the
/// decision is told when it is saved.
pub(super) struct LiveTest<'a> {
    schedule: Schedule,
    has_decided: &'a (dyn Fn(&Tally) -> bool + Sync),
    seen: Mutex<Seen>,
}

#[derive(Default)]
struct Seen {
    tally: Tally,
    /// The winners of games whose twins have not ended, by their numbers.
    singles: HashMap<u64, Option<Seat>>,
    is_decided: bool,
}

impl<'a> LiveTest<'a> {
    /// A test that has come so far with the games that are saved.
    pub fn new(
        schedule: Schedule,
        has_decided: &'a (dyn Fn(&Tally) -> bool + Sync),
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
        let seen = Seen { tally: tally.clone(), singles, is_decided: false };
        LiveTest { schedule, has_decided, seen: Mutex::new(seen) }
    }

    /// Hands games in with `send`, and requests the stop if they decide; false where no more are
    /// wanted.
    pub fn hand_in(
        &self,
        batch: GameBatch,
        stop: &Stop,
        send: impl FnOnce(GameBatch) -> bool,
    ) -> bool {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.is_decided {
            return false;
        }
        if seen.completes_a_pair(&batch, &self.schedule) && (self.has_decided)(&seen.tally) {
            seen.is_decided = true;
            stop.request();
        }
        // Under the lock: what another table hands in comes after it or not at all.
        send(batch)
    }
}

impl Seen {
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
