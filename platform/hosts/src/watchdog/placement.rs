//! Which CPU a game's thread and its engines share.
//!
//! The thread and its engines take turns. While the engines answer at once, most of a question's
//! time is the way there and back. If each of them is on a CPU of its own, that is the time a
//! sleeping CPU takes to wake up: 5 µs on one CPU, 40 to 80 µs on two of a busy machine, and 200 µs
//! and more if an idle CPU sleeps deeply. So they are bound to one CPU. An engine that thinks for
//! longer is not bound: it would gain nothing, and lose when something else has work on that CPU.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use tengen_players::CpuClaim;

use super::WatchdogHandle;
use crate::platform::{self, Cpus};

/// An answer that took so long was thought about, or else something had the CPU meanwhile. Two of
/// them close together are thoughts.
const LONG: Duration = Duration::from_millis(1);
const CLOSE: u32 = 16;
/// One that took so long was thought about.
const THOUGHT: Duration = Duration::from_millis(10);
/// After this many quicker answers in a row, the thread is bound with its engines.
const QUICK: u32 = 64;
/// After this many answers the gain is checked. If they took longer than this on average, and twice
/// as long as before, the next try comes only after so many times as many quick answers.
const TRIAL: u32 = 1024;
const SLOW: Duration = Duration::from_micros(100);
const PATIENCE: u32 = 16;

/// How many threads of this process are bound to each CPU.
static BOUND: Mutex<BTreeMap<usize, usize>> = Mutex::new(BTreeMap::new());
/// What keeps other programs away from these.
/// Locked after [`BOUND`], never before it.
static CLAIMS: Mutex<BTreeMap<usize, CpuClaim>> = Mutex::new(BTreeMap::new());

thread_local! {
    static PLACEMENT: RefCell<ThreadPlacement> = RefCell::new(ThreadPlacement::new());
}

/// Calls `f` with the placement of this thread.
pub(crate) fn with_placement<T>(f: impl FnOnce(&mut ThreadPlacement) -> T) -> T {
    PLACEMENT.with_borrow_mut(f)
}

/// Where a thread that asks engines runs.
pub(crate) struct ThreadPlacement {
    /// The CPU that it is bound to, and those that it may use when it is bound no more.
    bound: Option<(usize, Cpus)>,
    quick: Streak,
    /// How many quick answers make up for the long ones.
    debt: u32,
    /// What an answer took before it was bound.
    before: Duration,
    /// How many quick answers are wanted.
    wanted: u32,
}

/// Answers in a row.
#[derive(Default)]
struct Streak {
    answers: u32,
    sum: Duration,
}

impl Streak {
    fn mean(&self) -> Duration {
        self.sum / self.answers.max(1)
    }
}

impl ThreadPlacement {
    fn new() -> ThreadPlacement {
        let (before, quick) = (Duration::ZERO, Streak::default());
        ThreadPlacement { bound: None, quick, debt: 0, before, wanted: QUICK }
    }

    pub(crate) fn cpu(&self) -> Option<usize> {
        self.bound.as_ref().map(|bound| bound.0)
    }

    /// The CPUs that it and its engines may use.
    pub(crate) fn allowed(&self) -> Option<Cpus> {
        self.bound.as_ref().map(|bound| bound.1).or_else(Cpus::of_this_thread)
    }

    /// An engine that may share the CPU has answered.
    fn note_answer(&mut self, spent: Duration) {
        if spent >= LONG {
            self.debt += CLOSE;
            if self.bound.is_none() || self.debt > CLOSE || spent >= THOUGHT {
                self.release();
            }
            return;
        }
        self.debt = self.debt.saturating_sub(1);
        self.quick.answers += 1;
        self.quick.sum += spent;
        if self.bound.is_none() && self.quick.answers >= self.wanted {
            self.before = self.quick.mean();
            self.bind();
            self.quick = Streak::default();
        } else if self.bound.is_some() && self.quick.answers >= TRIAL {
            let mean = self.quick.mean();
            if mean > SLOW && mean > 2 * self.before {
                self.release();
                self.wanted = (self.wanted.max(TRIAL)).saturating_mul(PATIENCE);
            }
            self.quick = Streak::default();
        }
    }

    /// Binds the thread to the CPU it is on, unless others have more room.
    fn bind(&mut self) {
        let Some(allowed) = Cpus::of_this_thread() else { return };
        let mut bound_threads = BOUND.lock().unwrap_or_else(PoisonError::into_inner);
        let mut cpus: Vec<usize> = allowed.iter().collect();
        let cpu = loop {
            let here = platform::current_cpu();
            let Some(cpu) = least_used(&cpus, &bound_threads, here) else { return };
            if claim(cpu) {
                break cpu;
            }
            // Another event has bound a game to it.
            cpus.retain(|&other| other != cpu);
        };
        if Cpus::one(cpu).is_some_and(|one| one.apply_here()) {
            *bound_threads.entry(cpu).or_default() += 1;
            self.bound = Some((cpu, allowed));
        }
    }

    /// Releases the thread, until its engines have answered at once for a while.
    pub(crate) fn release(&mut self) {
        (self.quick, self.debt) = (Streak::default(), 0);
        if let Some((cpu, allowed)) = self.bound.take() {
            allowed.apply_here();
            let mut bound_threads = BOUND.lock().unwrap_or_else(PoisonError::into_inner);
            bound_threads
                .entry(cpu)
                .and_modify(|bound_threads| *bound_threads = bound_threads.saturating_sub(1));
            if bound_threads.get(&cpu).is_none_or(|&threads| threads == 0) {
                CLAIMS.lock().unwrap_or_else(PoisonError::into_inner).remove(&cpu);
            }
        }
    }
}

/// Keeps other programs from binding games to a CPU; false where one has done so.
fn claim(cpu: usize) -> bool {
    let mut claims = CLAIMS.lock().unwrap_or_else(PoisonError::into_inner);
    // Other tests run beside these, each a program of its own.
    if cfg!(test) || claims.contains_key(&cpu) {
        return true;
    }
    let claimed = CpuClaim::take(cpu);
    claimed.is_some_and(|claimed| claims.insert(cpu, claimed).is_none())
}

/// The CPU with the fewest bound threads, preferably the one where the thread runs; none where
/// there is no choice.
fn least_used(
    cpus: &[usize],
    bound_threads: &BTreeMap<usize, usize>,
    here: usize,
) -> Option<usize> {
    let bound_threads = |cpu: usize| bound_threads.get(&cpu).copied().unwrap_or(0);
    let latest = cpus.iter().copied().min_by_key(|&cpu| (bound_threads(cpu), cpu != here));
    latest.filter(|_| cpus.len() > 1)
}

impl Drop for ThreadPlacement {
    fn drop(&mut self) {
        self.release();
    }
}

/// Whether one engine shares the CPU of the thread that asks it.
pub(crate) struct CpuSharing {
    may: bool,
    asked: Instant,
}

impl CpuSharing {
    /// `may` for an engine of one thread that does not work while it is not asked.
    pub(crate) fn new(may: bool) -> CpuSharing {
        CpuSharing { may, asked: Instant::now() }
    }

    /// Binds the engine to the CPU of this thread, if that is bound.
    pub(crate) fn bind(&self, watchdog: &WatchdogHandle) {
        if self.may {
            with_placement(|placement| watchdog.bind_to(placement));
        }
    }

    /// The engine is asked at that moment.
    pub(crate) fn start_question(&mut self, now: Instant) {
        self.asked = now;
    }

    /// The engine has answered.
    pub(crate) fn end_question(&self) {
        if self.may {
            with_placement(|placement| placement.note_answer(self.asked.elapsed()));
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::thread;

    use super::*;

    const QUICKLY: Duration = Duration::from_micros(50);

    fn note_answers(placement: &mut ThreadPlacement, answers: u32, spent: Duration) {
        (0..answers).for_each(|_| placement.note_answer(spent));
    }

    /// Every test has a thread of its own, which ends with it.
    fn alone(test: impl FnOnce(&mut ThreadPlacement) + Send) {
        let allowed = Cpus::of_this_thread().unwrap();
        if allowed.iter().count() > 1 {
            thread::scope(|scope| {
                scope.spawn(|| test(&mut ThreadPlacement::new())).join().unwrap()
            });
        }
    }

    #[test]
    fn a_table_is_bound_while_its_engines_answer_at_once() {
        alone(|placement| {
            let allowed = Cpus::of_this_thread();
            note_answers(placement, QUICK - 1, QUICKLY);
            placement.note_answer(LONG);
            note_answers(placement, QUICK - 1, QUICKLY);
            assert_eq!((placement.cpu(), Cpus::of_this_thread()), (None, allowed));
            placement.note_answer(QUICKLY);
            assert_eq!(Cpus::of_this_thread(), placement.cpu().and_then(Cpus::one));
            assert_eq!(placement.allowed(), allowed);
            note_answers(placement, 10 * TRIAL, QUICKLY);
            assert!(placement.cpu().is_some());
            placement.note_answer(LONG);
            note_answers(placement, CLOSE, QUICKLY);
            placement.note_answer(LONG);
            assert!(placement.cpu().is_some(), "it was something else, twice");
            placement.note_answer(LONG);
            assert_eq!((placement.cpu(), Cpus::of_this_thread()), (None, allowed));
            note_answers(placement, QUICK, QUICKLY);
            assert!(placement.cpu().is_some());
            placement.note_answer(THOUGHT);
            assert_eq!((placement.cpu(), Cpus::of_this_thread()), (None, allowed));
        });
    }

    #[test]
    fn what_is_of_no_use_is_left_and_not_tried_again_soon() {
        alone(|placement| {
            note_answers(placement, QUICK, QUICKLY);
            note_answers(placement, TRIAL, 2 * QUICKLY);
            assert!(placement.cpu().is_some());
            note_answers(placement, TRIAL, 3 * QUICKLY);
            assert_eq!(placement.cpu(), None);
            note_answers(placement, TRIAL * PATIENCE - 1, QUICKLY);
            assert_eq!(placement.cpu(), None);
            placement.note_answer(QUICKLY);
            assert!(placement.cpu().is_some());
        });
    }

    #[test]
    fn a_table_goes_where_it_is_or_where_fewer_are() {
        let bound_threads = BTreeMap::from([(0, 2), (1, 1), (2, 1)]);
        assert_eq!(least_used(&[0, 1, 2], &bound_threads, 2), Some(2));
        assert_eq!(least_used(&[0, 1, 2], &bound_threads, 0), Some(1));
        assert_eq!(least_used(&[0, 1, 2, 3], &bound_threads, 2), Some(3));
        assert_eq!(least_used(&[3], &bound_threads, 3), None);
    }
}
