//! Watches the engines: one thread keeps their deadlines, another checks their processes.

mod cpu_binding;
mod cpu_tally;
mod extension;
mod idle_period;
mod limits;
mod monitor;
mod pause_state;
pub(crate) mod placement;
mod scratch;
mod supervisor;
mod unasked_use;

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use cpu_binding::CpuBinding;
use extension::QuestionClock;
pub(crate) use idle_period::idle_allowance;
#[cfg(target_os = "linux")]
pub(crate) use limits::MOST_TASKS;
pub(crate) use limits::{Excess, ExcessKind, ResourceLimits};
use pause_state::PauseState;
pub(crate) use pause_state::PriorState;
pub(crate) use scratch::ScratchDir;
pub(crate) use supervisor::{ChildExit, Supervisor, Work};

use crate::process::BaseSample;

/// A slot with nothing to wait for.
const IDLE: u64 = u64::MAX;
/// A slot whose target has been stopped.
const FIRED: u64 = 0;

/// Stops every engine that is hosted with it, so that every open question returns at once. Clones
/// stop the same engines.
#[derive(Clone)]
pub struct Interrupt(Arc<Watchdog>);

impl Interrupt {
    /// An interrupt that has not been raised.
    pub fn new() -> Interrupt {
        Interrupt(Arc::new(Watchdog::new()))
    }

    /// Kills the processes and stops the WASM engines of this process. Every question, now and
    /// later, is answered by a fault that says so; the caller aborts the game instead of blaming a
    /// player.
    pub fn raise(&self) {
        let shared = &self.0.shared;
        shared.raised.store(true, Ordering::SeqCst);
        // The order of locks: this state, then a target. Nothing locks the state while it holds a
        // target.
        for slot in shared.lock().slots.iter().filter(|slot| !slot.has_fired()) {
            slot.interrupt();
        }
    }

    pub fn is_raised(&self) -> bool {
        self.0.shared.raised.load(Ordering::SeqCst)
    }

    /// A slot for one engine, which has at most one open question.
    pub(crate) fn watch(&self) -> WatchdogHandle {
        let (deadline, target) = (AtomicU64::new(IDLE), Mutex::new(StopTarget::Nothing));
        let slot = Arc::new(Slot {
            deadline,
            question: QuestionClock::default(),
            target,
            pause_state: PauseState::new(),
            cpu_binding: CpuBinding::new(),
        });
        self.0.register(Arc::clone(&slot));
        WatchdogHandle { interrupt: self.clone(), slot }
    }
}

impl Default for Interrupt {
    fn default() -> Interrupt {
        Interrupt::new()
    }
}

impl fmt::Debug for Interrupt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Interrupt").field(&self.is_raised()).finish()
    }
}

/// What is stopped when a deadline passes.
pub(crate) enum StopTarget {
    Nothing,
    /// A process, not reaped yet: its whole group is killed.
    Child(Box<Supervisor>),
    /// Engines in this process: their epoch moves on, and each checks whether its own deadline
    /// passed.
    Epoch(wasmtime::Engine),
}

impl StopTarget {
    fn stop(&mut self) {
        match self {
            StopTarget::Nothing => {}
            StopTarget::Child(supervisor) => supervisor.kill_late(),
            StopTarget::Epoch(engine) => engine.increment_epoch(),
        }
    }

    /// Stops it without an account of what it did. An interrupted engine needs none, and the
    /// account takes a look at every process of the machine.
    fn interrupt(&mut self) {
        match self {
            StopTarget::Child(supervisor) => supervisor.kill(),
            other => other.stop(),
        }
    }
}

/// One engine's deadline, and what to stop when it passes. The lock on the target keeps a kill and
/// the reaping of the same process apart: after the reaping its number may be another process's.
pub(crate) struct Slot {
    deadline: AtomicU64,
    question: QuestionClock,
    target: Mutex<StopTarget>,
    pause_state: PauseState,
    cpu_binding: CpuBinding,
}

impl Slot {
    /// Stops the target now, whether or not a deadline runs.
    pub(crate) fn fire(&self) {
        self.stop(&mut self.target());
    }

    /// The same because everything is interrupted.
    fn interrupt(&self) {
        let mut target = self.target();
        self.deadline.store(FIRED, Ordering::SeqCst);
        target.interrupt();
    }

    fn stop(&self, target: &mut StopTarget) {
        self.deadline.store(FIRED, Ordering::SeqCst);
        target.stop();
    }

    /// Whether the target has been stopped since the deadline was last set.
    pub(crate) fn has_fired(&self) -> bool {
        self.deadline.load(Ordering::SeqCst) == FIRED
    }

    fn target(&self) -> MutexGuard<'_, StopTarget> {
        self.target.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stops the target if its deadline is still the one that was seen to pass, unless it has more
    /// time.
    fn fire_at(&self, seen: u64, origin: Instant, now: u64) {
        let mut target = self.target();
        let order = Ordering::SeqCst;
        if self.deadline.load(order) != seen {
            return;
        }
        let more = self.question.extension(&target, origin, now);
        let next = more.map_or(FIRED, |more| now.saturating_add(more).min(IDLE - 1));
        let is_set = self.deadline.compare_exchange(seen, next, order, order).is_ok();
        if is_set && next == FIRED {
            target.stop();
        }
    }
}

/// The owner's end of a slot; dropping it ends the watch.
pub(crate) struct WatchdogHandle {
    interrupt: Interrupt,
    slot: Arc<Slot>,
}

impl WatchdogHandle {
    /// The slot, for code that must know whether it has fired.
    pub(crate) fn slot(&self) -> &Arc<Slot> {
        &self.slot
    }

    /// Whether everything has been interrupted.
    pub(crate) fn is_interrupted(&self) -> bool {
        self.interrupt.is_raised()
    }

    /// Whether the target has been stopped, so that it is useless to wait for it.
    pub(crate) fn is_over(&self) -> bool {
        self.is_interrupted() || self.slot.has_fired()
    }

    /// Puts a target in, and gives the one that was there.
    pub(crate) fn replace(&self, target: StopTarget) -> StopTarget {
        let mut cpu_binding = self.slot.target();
        self.slot.pause_state.renew();
        self.slot.cpu_binding.renew();
        std::mem::replace(&mut *cpu_binding, target)
    }

    /// Sets the deadline to `patience` from now; none waits until it is interrupted. Costs no
    /// system call unless this is the earliest deadline of all.
    pub(crate) fn arm(&self, patience: Option<Duration>) {
        self.arm_from(Instant::now(), patience);
    }

    /// As [`WatchdogHandle::arm`], for a question that is put `now`: where the engine is kept
    /// waiting for a CPU, the deadline is later by that.
    pub(crate) fn arm_question(&self, now: Instant, patience: Option<Duration>) {
        let asked = self.interrupt.0.shared.moment(now, Duration::ZERO);
        self.slot.question.put(asked, patience);
        self.set_deadline(now, patience);
    }

    /// What the engine was seen to wait in this question while it was open, in nanoseconds.
    pub(crate) fn seen_waiting(&self) -> u64 {
        self.slot.question.seen_waiting()
    }

    /// What the system reported before the questions to come.
    pub(crate) fn set_base(&self, base: Option<Arc<BaseSample>>) {
        self.slot.question.set_base(base);
    }

    /// As [`WatchdogHandle::arm`], counted from `now`.
    pub(crate) fn arm_from(&self, now: Instant, patience: Option<Duration>) {
        self.slot.question.put(0, None);
        self.set_deadline(now, patience);
    }

    fn set_deadline(&self, now: Instant, patience: Option<Duration>) {
        let shared = &self.interrupt.0.shared;
        let at = patience.map_or(IDLE, |patience| shared.moment(now, patience));
        self.slot.deadline.store(at, Ordering::SeqCst);
        if shared.raised.load(Ordering::SeqCst) {
            self.slot.interrupt();
        } else if at < shared.planned.load(Ordering::SeqCst) {
            shared.lock().woken = true;
            shared.wake.notify_one();
        }
    }

    /// Ends the deadline, and says whether the target was stopped before that.
    pub(crate) fn disarm(&self) -> bool {
        let fired = self.slot.deadline.swap(IDLE, Ordering::SeqCst) == FIRED;
        if fired {
            // The thread that fired holds this lock until the target is stopped for good.
            drop(self.slot.target());
        }
        fired
    }
}

impl Drop for WatchdogHandle {
    fn drop(&mut self) {
        self.interrupt.0.shared.lock().slots.retain(|slot| !Arc::ptr_eq(slot, &self.slot));
    }
}

/// One thread that keeps the deadlines of all engines, and one that checks their processes.
struct Watchdog {
    shared: Arc<WatchdogShared>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

struct WatchdogShared {
    origin: Instant,
    /// The next wake-up of the thread. Later deadlines need not wake it: it checks again then.
    planned: AtomicU64,
    raised: AtomicBool,
    state: Mutex<WatchdogState>,
    wake: Condvar,
    /// Wakes the second thread, for its end.
    quits: Condvar,
}

#[derive(Default)]
struct WatchdogState {
    slots: Vec<Arc<Slot>>,
    woken: bool,
    quit: bool,
}

impl Watchdog {
    fn new() -> Watchdog {
        let shared = WatchdogShared {
            origin: Instant::now(),
            planned: AtomicU64::new(IDLE),
            raised: AtomicBool::new(false),
            state: Mutex::default(),
            wake: Condvar::new(),
            quits: Condvar::new(),
        };
        Watchdog { shared: Arc::new(shared), threads: Mutex::default() }
    }

    fn register(&self, slot: Arc<Slot>) {
        let mut threads = self.threads.lock().unwrap_or_else(PoisonError::into_inner);
        if threads.is_empty() {
            let (deadlines, monitor) = (Arc::clone(&self.shared), Arc::clone(&self.shared));
            threads.push(thread::spawn(move || deadlines.run_deadlines()));
            threads.push(thread::spawn(move || monitor.monitor()));
        }
        self.shared.lock().slots.push(slot);
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.shared.lock().quit = true;
        self.shared.wake.notify_one();
        self.shared.quits.notify_one();
        for thread in self.threads.get_mut().unwrap_or_else(PoisonError::into_inner).drain(..) {
            if thread.join().is_err() {
                log::error!("a watchdog of engines panicked");
            }
        }
    }
}

impl WatchdogShared {
    fn lock(&self) -> MutexGuard<'_, WatchdogState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn now(&self) -> u64 {
        self.moment(Instant::now(), Duration::ZERO)
    }

    fn moment(&self, now: Instant, later: Duration) -> u64 {
        let span = now.saturating_duration_since(self.origin).saturating_add(later);
        u64::try_from(span.as_nanos()).unwrap_or(IDLE).clamp(FIRED + 1, IDLE - 1)
    }

    /// Body of the thread. A deadline set during a check is either seen by the second check, or its
    /// setter sees the wake-up that was planned before it.
    fn run_deadlines(&self) {
        let mut state = self.lock();
        while !state.quit {
            state.woken = false;
            let due = due(&state.slots, self.now());
            if !due.is_empty() {
                // A look at a late engine takes a while, and others must not wait for it.
                drop(state);
                due.iter().for_each(|(slot, seen)| slot.fire_at(*seen, self.origin, self.now()));
                state = self.lock();
                continue;
            }
            let next = earliest(&state.slots);
            self.planned.store(next, Ordering::SeqCst);
            if earliest(&state.slots) < next {
                continue;
            }
            let asleep = |state: &mut WatchdogState| !state.woken && !state.quit;
            state = if next == IDLE {
                self.wake.wait_while(state, asleep).unwrap_or_else(PoisonError::into_inner)
            } else {
                let span = Duration::from_nanos(next.saturating_sub(self.now()));
                let woken = self.wake.wait_timeout_while(state, span, asleep);
                woken.unwrap_or_else(PoisonError::into_inner).0
            };
        }
    }
}

/// What is due, each with its deadline.
fn due(slots: &[Arc<Slot>], now: u64) -> Vec<(Arc<Slot>, u64)> {
    let with_deadline = |slot: &Arc<Slot>| (Arc::clone(slot), slot.deadline.load(Ordering::SeqCst));
    let slots = slots.iter().map(with_deadline);
    slots.filter(|&(_, deadline)| deadline != FIRED && deadline <= now).collect()
}

fn earliest(slots: &[Arc<Slot>]) -> u64 {
    let deadlines = slots.iter().map(|slot| slot.deadline.load(Ordering::SeqCst));
    deadlines.filter(|&deadline| deadline != FIRED).min().unwrap_or(IDLE)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Option<Duration> = Some(Duration::from_secs(3600));
    const SHORT: Option<Duration> = Some(Duration::from_millis(1));

    fn until_fired(watchdog: &WatchdogHandle) {
        while !watchdog.slot().has_fired() {
            thread::yield_now();
        }
    }

    #[test]
    fn a_deadline_that_passes_fires_and_another_does_not() {
        let interrupt = Interrupt::new();
        let (early, late) = (interrupt.watch(), interrupt.watch());
        late.arm(LONG);
        for _ in 0..20 {
            early.arm(SHORT);
            until_fired(&early);
            assert!(early.disarm());
        }
        assert!(!late.disarm());
    }

    #[test]
    fn a_deadline_that_was_ended_does_not_fire() {
        let interrupt = Interrupt::new();
        let (watchdog, other) = (interrupt.watch(), interrupt.watch());
        for _ in 0..20 {
            watchdog.arm(SHORT);
            // It may be too late to end it, but then it says so.
            let fired = watchdog.disarm();
            other.arm(Some(Duration::from_millis(2)));
            until_fired(&other);
            assert!(fired || !watchdog.slot().has_fired());
            other.disarm();
        }
    }

    #[test]
    fn an_interrupt_fires_what_runs_and_what_comes_later() {
        let interrupt = Interrupt::new();
        let (running, later) = (interrupt.watch(), interrupt.watch());
        running.arm(None);
        interrupt.raise();
        assert!(running.disarm());
        later.arm(LONG);
        assert!(later.disarm());
        let new = interrupt.watch();
        new.arm(None);
        assert!(new.disarm());
    }
}
