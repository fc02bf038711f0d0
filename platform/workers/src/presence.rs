//! Which workers there are, by what they tell of themselves.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use async_nats::jetstream::kv;
use futures_util::StreamExt;

use crate::bus::{Bus, WORKER_AGE};
use crate::coordinator::AGAIN;
use crate::message::WorkerState;

/// So many runs of a worker in a row that were lost in their first games are its own fault: a game
/// that ends every worker is given up earlier.
const MOST_LOST: u32 = 12;
/// How long a lost worker is remembered.
const REMEMBERED: Duration = Duration::from_secs(600);

/// The workers that were heard of lately, by name.
#[derive(Default)]
pub(crate) struct WorkerPresence {
    workers: BTreeMap<String, KnownWorker>,
    /// Those whose runs were lost again and again, until they are asked for.
    failing: BTreeSet<String>,
    /// The names that two of them have, until they are asked for.
    clashes: BTreeSet<String>,
}

struct KnownWorker {
    state: WorkerState,
    seen: Instant,
    /// Whether a result of this run or a later one has come: what it tells of itself may be older.
    has_played: bool,
    /// The run before.
    earlier: String,
    /// How many runs before this one were lost in their first games, one after another.
    lost: u32,
}

impl WorkerPresence {
    /// A worker has told of itself.
    fn hear(&mut self, name: String, state: WorkerState, now: Instant) {
        self.workers.retain(|_, worker| now.saturating_duration_since(worker.seen) < REMEMBERED);
        let known = self.workers.get(&name);
        let is_same = known.is_some_and(|known| known.state.run == state.run);
        let has_played = state.jobs > 0 || is_same && known.is_some_and(|known| known.has_played);
        let (earlier, lost) = match known {
            Some(before) if is_same => (before.earlier.clone(), before.lost),
            // It is not over: two workers have the same name.
            Some(before) if before.earlier == state.run => {
                self.clashes.insert(name.clone());
                (before.state.run.clone(), 0)
            }
            // A run that ends in order says so.
            Some(KnownWorker { state: before, has_played, lost, .. }) => {
                let was_playing = !has_played && before.playing > 0;
                (before.run.clone(), if was_playing { lost + 1 } else { 0 })
            }
            None => (String::new(), 0),
        };
        let lost = if has_played { 0 } else { lost };
        if lost == MOST_LOST {
            self.failing.insert(name.clone());
        }
        self.workers.insert(name, KnownWorker { state, seen: now, has_played, earlier, lost });
    }

    /// A result of a worker counts.
    pub fn note_played(&mut self, name: &str) {
        if let Some(known) = self.workers.get_mut(name) {
            (known.has_played, known.lost) = (true, 0);
        }
    }

    /// A worker has ended in order.
    fn leave(&mut self, name: &str) {
        self.workers.remove(name);
    }

    /// Those that are there, and for how long nothing was heard of each.
    pub fn present(&self) -> impl Iterator<Item = (&String, &WorkerState, Duration)> {
        let told = self.workers.iter().map(|(name, it)| (name, &it.state, it.seen.elapsed()));
        told.filter(|(.., silent)| *silent < WORKER_AGE)
    }

    /// The names that several workers have at the same time, each once.
    pub fn take_clashes(&mut self) -> BTreeSet<String> {
        std::mem::take(&mut self.clashes)
    }

    /// The workers that were found to end in their first games again and again, each once.
    pub fn take_failing(&mut self) -> BTreeSet<String> {
        std::mem::take(&mut self.failing)
    }
}

/// Hears of the workers as long as the runtime is there.
pub(crate) async fn follow(bus: Bus, presence: Arc<Mutex<WorkerPresence>>) {
    loop {
        let Ok(mut watch) = bus.workers.watch_with_history(">").await else {
            tokio::time::sleep(AGAIN).await;
            continue;
        };
        while let Some(entry) = watch.next().await {
            let Ok(kv::Entry { key, value, operation, .. }) = entry else { break };
            let mut presence = presence.lock().unwrap_or_else(PoisonError::into_inner);
            match WorkerState::read(&value) {
                Some(state) if operation == kv::Operation::Put => {
                    presence.hear(key, state, Instant::now());
                }
                _ => presence.leave(&key),
            }
        }
        tokio::time::sleep(AGAIN).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A worker is heard of by these runs with so many games begun and jobs played, one after
    /// another. Whether it is found to fail.
    fn fails(told: impl IntoIterator<Item = (u32, usize, u64)>) -> bool {
        let mut presence = WorkerPresence::default();
        let now = Instant::now();
        for (run, playing, jobs) in told {
            let run = run.to_string();
            let state = WorkerState { run, playing, jobs, ..WorkerState::default() };
            presence.hear("lab".to_owned(), state, now);
        }
        presence.take_failing().contains("lab")
    }

    #[test]
    fn a_worker_fails_that_is_lost_in_its_first_games_again_and_again() {
        let runs = || (0..=MOST_LOST).flat_map(|run| [(run, 0, 0), (run, 1, 0)]);
        assert!(fails(runs()));
        assert!(!fails(runs().take(2 * MOST_LOST as usize)), "it may get well");
        assert!(!fails((0..40).map(|run| (run, 0, 0))), "it was lost, but not in a game");
        assert!(!fails((0..40).map(|run| (run, 1, 1))), "each run has played a job");
        let well = [(7, 1, 0), (7, 1, 1)];
        assert!(!fails(
            (0..7).map(|run| (run, 1, 0)).chain(well).chain((8..15).map(|run| (run, 1, 0)))
        ));
    }

    #[test]
    fn a_worker_whose_results_come_does_not_fail_whatever_it_told_last() {
        let mut presence = WorkerPresence::default();
        for run in 0..40 {
            let run = run.to_string();
            let state = WorkerState { run, playing: 1, ..WorkerState::default() };
            presence.hear("lab".to_owned(), state.clone(), Instant::now());
            presence.note_played("lab");
            presence.hear("lab".to_owned(), state, Instant::now());
        }
        assert!(presence.take_failing().is_empty());
    }

    #[test]
    fn two_workers_of_one_name_are_told_from_one_that_starts_again() {
        let clashes = |runs: &[&str]| {
            let mut presence = WorkerPresence::default();
            for run in runs {
                let state = WorkerState { run: (*run).to_owned(), ..WorkerState::default() };
                presence.hear("lab".to_owned(), state, Instant::now());
            }
            presence.take_clashes().contains("lab")
        };
        assert!(!clashes(&["a", "a", "b", "b", "c"]));
        assert!(clashes(&["a", "b", "a"]));
    }

    #[test]
    fn a_worker_that_ends_in_order_is_not_lost() {
        let mut presence = WorkerPresence::default();
        for run in 0..40 {
            let state = WorkerState { run: run.to_string(), playing: 1, ..WorkerState::default() };
            presence.hear("lab".to_owned(), state, Instant::now());
            assert_eq!(presence.present().count(), 1);
            presence.leave("lab");
        }
        assert_eq!(presence.present().count(), 0);
        assert!(presence.take_failing().is_empty());
    }
}
