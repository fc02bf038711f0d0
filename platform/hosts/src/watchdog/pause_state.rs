//! Whether the process of an engine is paused between two questions.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::{StopTarget, Supervisor, WatchdogHandle};

/// A question is open, or the engine starts: it may work.
const ACTIVE: u64 = 0;
/// It waits for its next question, and its process is paused.
const PAUSED: u64 = 1;
/// It waits, and its process runs. This and every greater number is one idle period.
const FIRST_IDLE: u64 = 2;

/// What an engine did before a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PriorState {
    /// A question was open already.
    Active,
    /// It was seen to wait for its next question.
    Settled,
    /// It may still have had something to finish.
    Unsettled,
}

/// What is known of an engine when it is about to get a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct BeforeQuestion {
    /// What it did before.
    pub prior: PriorState,
    /// What it is charged for what it did while it was paused, in nanoseconds of CPU time.
    pub unasked: u64,
    /// Its CPU time, if it was paused.
    pub cpu: Option<u64>,
}

/// Whether a question to an engine is open, or it is idle, and whether its process is paused.
///
/// A process is paused and resumed only by the holder of the lock on the slot's target, so that the
/// two come in the order of the states. A question costs no more than an atomic swap where no
/// process has to be resumed.
pub(super) struct PauseState {
    state: AtomicU64,
    periods: AtomicU64,
    /// The last idle period in which it is to be paused once it has settled.
    pause_due: AtomicU64,
    /// The last idle period in which it was seen to have settled.
    settled: AtomicU64,
    /// Whether it was ever seen to work while it was idle.
    pauses_always: AtomicBool,
}

impl PauseState {
    pub(super) fn new() -> PauseState {
        PauseState {
            state: AtomicU64::new(ACTIVE),
            periods: AtomicU64::new(FIRST_IDLE),
            pause_due: AtomicU64::new(0),
            settled: AtomicU64::new(0),
            pauses_always: AtomicBool::new(false),
        }
    }

    /// A new process starts. The next one of an engine that worked while it was idle would do so
    /// too, so that this is remembered.
    pub(super) fn renew(&self) {
        self.state.store(ACTIVE, Ordering::SeqCst);
    }

    /// A question is open from now on. Gives whether the process must be resumed for that, and what
    /// the engine did before.
    pub(super) fn begin_question(&self) -> (bool, PriorState) {
        let last = self.periods.load(Ordering::Relaxed) - 1;
        let before = self.state.swap(ACTIVE, Ordering::SeqCst);
        let prior = match before {
            ACTIVE => PriorState::Active,
            _ if self.settled.load(Ordering::SeqCst) == last => PriorState::Settled,
            _ => PriorState::Unsettled,
        };
        (before == PAUSED, prior)
    }

    fn next(&self) -> u64 {
        self.periods.fetch_add(1, Ordering::Relaxed)
    }

    /// The engine is idle from now on.
    pub(super) fn begin_idle(&self) {
        self.state.store(self.next(), Ordering::SeqCst);
    }

    /// The same, and it is to be paused once it has settled. Gives the number of the idle period.
    pub(super) fn begin_idle_until_settled(&self) -> u64 {
        let begin_idle = self.next();
        self.pause_due.store(begin_idle, Ordering::SeqCst);
        self.state.store(begin_idle, Ordering::SeqCst);
        begin_idle
    }

    /// The engine is paused from now on.
    pub(super) fn pause(&self) {
        self.next();
        self.state.store(PAUSED, Ordering::SeqCst);
    }

    /// The engine is paused from now on if that idle period has not ended. Gives whether it is.
    pub(super) fn pause_if_idle(&self, begin_idle: u64) -> bool {
        let order = Ordering::SeqCst;
        self.state.compare_exchange(begin_idle, PAUSED, order, order).is_ok()
    }

    /// Whether the engine is to be paused in that idle period once it has settled, and was not yet
    /// seen to have.
    pub(super) fn is_pause_due(&self, begin_idle: u64) -> bool {
        self.pause_due.load(Ordering::SeqCst) == begin_idle
            && self.settled.load(Ordering::SeqCst) != begin_idle
    }

    pub(super) fn mark_settled(&self, begin_idle: u64) {
        self.settled.store(begin_idle, Ordering::SeqCst);
    }

    /// The number of the idle period, if the engine is idle and not paused.
    pub(super) fn idle_period(&self) -> Option<u64> {
        Some(self.state.load(Ordering::SeqCst)).filter(|&state| state >= FIRST_IDLE)
    }

    /// A number that no other question has, if one is open.
    pub(super) fn open_question(&self) -> Option<u64> {
        let is_asked = self.state.load(Ordering::SeqCst) == ACTIVE;
        is_asked.then(|| self.periods.load(Ordering::Relaxed))
    }

    pub(super) fn is_paused(&self) -> bool {
        self.state.load(Ordering::SeqCst) == PAUSED
    }

    /// From now on the engine is paused whenever it is idle.
    pub(super) fn pause_always(&self) {
        self.pauses_always.store(true, Ordering::SeqCst);
    }

    pub(super) fn pauses_always(&self) -> bool {
        self.pauses_always.load(Ordering::SeqCst)
    }
}

impl WatchdogHandle {
    /// Lets a process work that is about to get a question.
    pub(crate) fn begin_question(&self) -> BeforeQuestion {
        let (is_paused, prior) = self.slot.pause_state.begin_question();
        let running = BeforeQuestion { prior, unasked: 0, cpu: None };
        if !is_paused {
            return running;
        }
        let mut target = self.slot.target();
        let StopTarget::Child(supervisor) = &mut *target else { return running };
        let Some((unasked, cpu)) = supervisor.end_pause() else {
            self.slot.stop(&mut target);
            return running;
        };
        BeforeQuestion { prior, unasked, cpu }
    }

    /// Whether the process has computed though it was paused, and is not to be asked any more.
    pub(crate) fn is_unasked(&self) -> bool {
        if !self.slot.pause_state.is_paused() {
            return false;
        }
        let StopTarget::Child(supervisor) = &mut *self.slot.target() else { return false };
        supervisor.look_at_pause();
        supervisor.is_unasked()
    }

    /// The engine has answered: pauses its process, if `pause` or if it was ever seen to work while
    /// it was idle. Otherwise the monitor checks it from time to time. Gives its CPU time if it is
    /// paused.
    pub(crate) fn begin_idle(&self, pause: bool) -> Option<u64> {
        let pause_state = &self.slot.pause_state;
        if !pause && !pause_state.pauses_always() {
            pause_state.begin_idle();
            return None;
        }
        let StopTarget::Child(supervisor) = &mut *self.slot.target() else { return None };
        pause_state.pause();
        supervisor.pause()
    }

    /// The engine has answered: its process is paused by the monitor once it has settled, or now,
    /// if it was ever seen to work while it was idle.
    pub(crate) fn begin_idle_until_settled(&self) {
        if self.slot.pause_state.pauses_always() {
            self.begin_idle(true);
            return;
        }
        let StopTarget::Child(supervisor) = &mut *self.slot.target() else { return };
        // Before the lock is free again: the monitor would begin it at its next look.
        supervisor.begin_idle_text(self.slot.pause_state.begin_idle_until_settled());
    }

    /// Pauses the process from now on whenever it is idle.
    pub(crate) fn pause_always(&self) {
        self.slot.pause_state.pause_always();
    }

    /// Whether the process has more than one thread, or processes of its own.
    pub(crate) fn has_several_threads(&self) -> bool {
        self.read(|supervisor| Some(supervisor.has_several_threads())) == Some(true)
    }

    /// Asks the supervisor of the process, if there is one.
    pub(crate) fn read<T>(&self, read: impl FnOnce(&Supervisor) -> Option<T>) -> Option<T> {
        match &*self.slot.target() {
            StopTarget::Child(supervisor) => read(supervisor),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_held_is_continued() {
        let pause_state = PauseState::new();
        assert_eq!(pause_state.begin_question(), (false, PriorState::Active));
        pause_state.begin_idle();
        assert_eq!(pause_state.begin_question(), (false, PriorState::Unsettled));
        pause_state.pause();
        assert!(pause_state.is_paused());
        assert_eq!(pause_state.begin_question(), (true, PriorState::Unsettled));
        assert_eq!(pause_state.begin_question(), (false, PriorState::Active));
    }

    #[test]
    fn a_wait_that_is_over_holds_no_process() {
        let pause_state = PauseState::new();
        pause_state.begin_idle();
        let first = pause_state.idle_period().unwrap();
        pause_state.begin_question();
        assert!(!pause_state.pause_if_idle(first) && pause_state.idle_period().is_none());
        pause_state.begin_idle();
        assert!(!pause_state.pause_if_idle(first));
        let second = pause_state.idle_period().unwrap();
        assert!(pause_state.pause_if_idle(second) && pause_state.begin_question().0);
    }

    #[test]
    fn what_was_seen_in_a_wait_says_nothing_of_the_next() {
        let pause_state = PauseState::new();
        pause_state.begin_idle_until_settled();
        let first = pause_state.idle_period().unwrap();
        assert!(pause_state.is_pause_due(first));
        pause_state.mark_settled(first);
        assert!(!pause_state.is_pause_due(first) && pause_state.pause_if_idle(first));
        assert_eq!(pause_state.begin_question(), (true, PriorState::Settled));
        pause_state.begin_idle();
        assert!(!pause_state.is_pause_due(pause_state.idle_period().unwrap()));
        assert_eq!(pause_state.begin_question(), (false, PriorState::Unsettled));
        pause_state.pause();
        assert_eq!(pause_state.begin_question(), (true, PriorState::Unsettled));
    }

    #[test]
    fn questions_have_numbers_of_their_own() {
        let pause_state = PauseState::new();
        let first = pause_state.open_question().unwrap();
        pause_state.begin_idle();
        assert_eq!(pause_state.open_question(), None);
        pause_state.begin_question();
        let second = pause_state.open_question().unwrap();
        pause_state.pause();
        pause_state.begin_question();
        assert!(
            first != second && pause_state.open_question().is_some_and(|third| third != second)
        );
    }
}
