//! How much longer than its deadline a question may take, because the engine was kept waiting.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tengen_arbiter::{Correction, Nanos};

use super::{StopTarget, Supervisor};
use crate::process::{BaseSample, is_queued};

/// No question is waited for longer than this multiple of its time, however busy the machine is, so
/// that a hung engine is judged in every case. An engine with one thread still has its whole time
/// beside 63 busy loops on its CPU.
const MOST: u64 = 64;
/// But at least this long: if many threads share a CPU, one may wait this long for its turn.
const LEAST: Nanos = 1_000_000_000;
/// The next look is no sooner than after this part of what the question took, so that there are
/// few of them.
const PART: u64 = 16;
/// The shortest time between two looks.
const SHORTEST: Nanos = 2_000_000;
/// The longest time until the next look at an engine that stands in a queue.
const LONGEST_QUEUED: Nanos = 50_000_000;

/// The question that is open, for as long as it may be extended.
#[derive(Default)]
pub(super) struct QuestionClock {
    /// When it was put, as the watchdog counts time; 0 where there is none.
    asked: AtomicU64,
    /// How long it may take.
    allowed: AtomicU64,
    /// By how much it was extended in all because the engine stood in a queue.
    queued: AtomicU64,
    /// What was waited when it was looked at last.
    waited: AtomicU64,
    /// What the system reported before it, or before one shortly before.
    base: Mutex<Option<Arc<BaseSample>>>,
}

impl QuestionClock {
    /// A question is put that may take as long as `patience`; none is not extended.
    pub(super) fn put(&self, asked: u64, patience: Option<Duration>) {
        let allowed = patience.map_or(0, |patience| patience.as_nanos().saturating_sub(1));
        self.allowed.store(allowed.try_into().unwrap_or(u64::MAX), Ordering::Release);
        self.queued.store(0, Ordering::Release);
        self.waited.store(0, Ordering::Release);
        self.asked.store(if patience.is_some() { asked } else { 0 }, Ordering::Release);
    }

    pub(super) fn seen_waiting(&self) -> Nanos {
        self.waited.load(Ordering::Acquire)
    }

    pub(super) fn set_base(&self, base: Option<Arc<BaseSample>>) {
        *self.base.lock().unwrap_or_else(PoisonError::into_inner) = base;
    }

    /// How much longer it is waited for, its deadline having passed at `now`; none where its time
    /// is over. The watchdog counts time from `origin`.
    pub(super) fn extension(
        &self,
        target: &StopTarget,
        origin: Instant,
        now: u64,
    ) -> Option<Nanos> {
        let asked = self.asked.load(Ordering::Acquire);
        let base = self.base.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let base = base.filter(|_| asked > 0)?;
        let stats = match target {
            StopTarget::Nothing => None,
            StopTarget::Child(supervisor) => supervisor.sched_stats_of_all(),
            StopTarget::Epoch(_) => base.thread_stats(),
        };
        let since = origin + Duration::from_nanos(asked);
        let question = Spent {
            allowed: self.allowed.load(Ordering::Acquire),
            spent: now.saturating_sub(asked),
            waited: base.until_now(stats, since)?.waited,
            queued: self.queued.load(Ordering::Acquire),
        };
        self.waited.store(question.waited, Ordering::Release);
        let is_engine_queued = || match target {
            StopTarget::Child(supervisor) => supervisor.is_queued(),
            // It runs on the thread that waits for it.
            StopTarget::Nothing | StopTarget::Epoch(_) => false,
        };
        let is_queued = || base.is_listener_queued() || is_engine_queued();
        match question.extension(is_queued)? {
            MoreTime::Owed(more) => Some(more),
            MoreTime::Queued(more) => {
                self.queued.fetch_add(more, Ordering::AcqRel);
                Some(more)
            }
        }
    }
}

/// What became of the time of a question so far.
#[derive(Clone, Copy)]
struct Spent {
    allowed: Nanos,
    spent: Nanos,
    waited: Nanos,
    /// By how much it was extended because the engine stood in a queue.
    queued: Nanos,
}

/// Why a question is waited for longer, and how much.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum MoreTime {
    /// So much of what was waited is not given back yet.
    Owed(Nanos),
    /// The engine stands in a queue.
    Queued(Nanos),
}

impl Spent {
    /// How much longer it is waited for. `is_queued` finds out whether the engine, or the thread
    /// that listens to it, is kept waiting at this moment: its present wait is not yet in `waited`,
    /// but must be in the end; otherwise an engine that only seems to wait could delay the end
    /// again and again.
    fn extension(self, is_queued: impl FnOnce() -> bool) -> Option<MoreTime> {
        let Spent { allowed, spent, waited, queued } = self;
        let bound = allowed.saturating_mul(MOST).max(LEAST);
        let left = bound.checked_sub(spent).filter(|left| *left > 0)?;
        let own = spent.saturating_sub(Correction::of_wait(waited).given_back);
        let step = (spent / PART).max(SHORTEST);
        Some(match allowed.checked_sub(own) {
            Some(rest) => MoreTime::Owed(step.max(rest + 1).min(left)),
            None if queued <= waited.saturating_add(LEAST) && is_queued() => {
                MoreTime::Queued(step.min(LONGEST_QUEUED).min(left))
            }
            None => return None,
        })
    }
}

impl Supervisor {
    /// Whether a thread of it could run, and none does.
    fn is_queued(&self) -> bool {
        is_queued(|| self.is_runnable(), || self.cpu_time())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Nanos = 1_000_000_000;

    fn extension(spent: Nanos, waited: Nanos, is_queued: bool) -> Option<MoreTime> {
        Spent { allowed: SECOND, spent, waited, queued: 0 }.extension(|| is_queued)
    }

    #[test]
    fn what_was_waited_is_waited_for_again_and_no_more() {
        use MoreTime::{Owed, Queued};
        assert_eq!(extension(SECOND + 1, 0, false), None);
        assert_eq!(extension(SECOND + 1, SECOND / 2, false), Some(Owed(SECOND / 2)));
        assert_eq!(extension(3 * SECOND / 2, SECOND / 2, false), Some(Owed(3 * SECOND / 32)));
        assert_eq!(extension(3 * SECOND / 2 + 1, SECOND / 2, false), None, "its time is over");
        // Too little to give back.
        assert_eq!(extension(SECOND + 1, 900_000, false), None);
        // It stands in a queue: what it waits there is counted when it leaves that.
        assert_eq!(extension(SECOND + 1, 0, true), Some(Queued(LONGEST_QUEUED)));
    }

    /// How long an engine that never answers is waited for if it has itself waited for so much of
    /// each span, and how often it is looked at.
    fn looks(waits: impl Fn(Nanos) -> Nanos, is_queued: bool) -> (Nanos, u32) {
        let (mut spent, mut looks, mut queued) = (SECOND + 1, 1, 0);
        loop {
            let now = Spent { allowed: SECOND, spent, waited: waits(spent), queued };
            match now.extension(|| is_queued) {
                Some(MoreTime::Owed(more)) => spent += more,
                Some(MoreTime::Queued(more)) => (spent, queued) = (spent + more, queued + more),
                None => return (spent, looks),
            }
            looks += 1;
        }
    }

    #[test]
    fn an_engine_that_never_answers_is_judged_after_few_looks() {
        // It computes beside so many others on its CPU: its own time is over.
        for others in [1, 3, 15, 50] {
            let (spent, looks) = looks(|spent| spent / (others + 1) * others, false);
            let shares = others + 1;
            assert!((shares * SECOND..=shares * SECOND * 17 / 16 + 99).contains(&spent), "{spent}");
            assert!(looks < 250, "{looks}");
        }
        // It waits for nothing but a CPU: the multiple ends that.
        let (spent, looks_taken) = looks(|spent| spent, false);
        assert!(spent == MOST * SECOND && looks_taken < 99, "{spent} {looks_taken}");
        // It seems to stand in a queue, and has never waited.
        let (spent, _) = looks(|_| 0, true);
        assert!(spent <= 2 * SECOND + 2 * LONGEST_QUEUED, "{spent}");
        // It waited once, and sleeps since.
        let (spent, _) = looks(|_| SECOND / 2, false);
        assert!(spent <= 3 * SECOND / 2 * 17 / 16 + 1, "{spent}");
    }

    #[test]
    fn a_clock_that_is_nearly_out_is_longer_than_a_turn_of_others() {
        let spent = Spent { allowed: 0, spent: 1, waited: 0, queued: 0 };
        assert_eq!(spent.extension(|| true), Some(MoreTime::Queued(SHORTEST)));
        assert_eq!(Spent { spent: LEAST, ..spent }.extension(|| true), None);
        let never = Spent { allowed: u64::MAX, spent: u64::MAX, ..spent };
        assert_eq!(never.extension(|| true), None);
    }
}
