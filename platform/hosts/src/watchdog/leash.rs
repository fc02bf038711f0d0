use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::{Target, Watched};
use crate::platform::Load;

/// The engine is asked, or starts: it may work.
const ASKED: u64 = 0;
/// It waits for its next question, and its process is stopped.
const HELD: u64 = 1;
/// It waits, and is trusted to do nothing. This and every greater number is one wait.
const FIRST_WAIT: u64 = 2;

/// Whether an engine is asked or waits.
///
/// A process is stopped and continued only by who holds the lock on the slot's target, so that the
/// two come in the order of the states. A question costs no more than an exchange where nobody has
/// to be continued.
pub(super) struct Leash {
    state: AtomicU64,
    waits: AtomicU64,
    /// Whether it was ever seen to work while it waited.
    is_tight: AtomicBool,
}

impl Leash {
    pub(super) fn new() -> Leash {
        let (state, waits) = (AtomicU64::new(ASKED), AtomicU64::new(FIRST_WAIT));
        Leash { state, waits, is_tight: AtomicBool::new(false) }
    }

    /// As for a new process.
    pub(super) fn renew(&self) {
        self.state.store(ASKED, Ordering::SeqCst);
        self.is_tight.store(false, Ordering::SeqCst);
    }

    /// The engine is asked from now on. Gives whether it must be continued for that.
    pub(super) fn ask(&self) -> bool {
        self.state.swap(ASKED, Ordering::SeqCst) == HELD
    }

    /// The engine waits from now on.
    pub(super) fn wait(&self) {
        self.state.store(self.waits.fetch_add(1, Ordering::Relaxed), Ordering::SeqCst);
    }

    /// The engine is held from now on.
    pub(super) fn hold(&self) {
        self.state.store(HELD, Ordering::SeqCst);
    }

    /// The engine is held from now on if it is still that wait. Gives whether it is.
    pub(super) fn hold_in(&self, wait: u64) -> bool {
        let order = Ordering::SeqCst;
        self.state.compare_exchange(wait, HELD, order, order).is_ok()
    }

    /// The number of the wait, if the engine waits and is not held.
    pub(super) fn waiting(&self) -> Option<u64> {
        Some(self.state.load(Ordering::SeqCst)).filter(|&state| state >= FIRST_WAIT)
    }

    pub(super) fn is_held(&self) -> bool {
        self.state.load(Ordering::SeqCst) == HELD
    }

    /// From now on the engine is held whenever it waits.
    pub(super) fn tighten(&self) {
        self.is_tight.store(true, Ordering::SeqCst);
    }

    pub(super) fn is_tight(&self) -> bool {
        self.is_tight.load(Ordering::SeqCst)
    }
}

impl Watched {
    /// Lets a child work, which is about to be asked.
    pub(crate) fn ask(&self) {
        if self.slot.leash.ask()
            && let Target::Child(ward) = &*self.slot.target()
        {
            ward.go_on();
        }
    }

    /// Has a child wait, which has answered: stopped, if `hold` or if it was ever seen to work
    /// while it waited; otherwise looked at from time to time.
    pub(crate) fn rest(&self, hold: bool) {
        let leash = &self.slot.leash;
        if !hold && !leash.is_tight() {
            return leash.wait();
        }
        if let Target::Child(ward) = &*self.slot.target() {
            leash.hold();
            ward.stop();
        }
    }

    /// Holds a child from now on whenever it waits.
    pub(crate) fn tighten(&self) {
        self.slot.leash.tighten();
    }

    /// The CPU time of a child, in nanoseconds.
    pub(crate) fn cpu_time(&self) -> Option<u64> {
        match &*self.slot.target() {
            Target::Child(ward) => ward.cpu_time(),
            _ => None,
        }
    }

    /// What the scheduler has done with a child so far.
    pub(crate) fn load(&self) -> Option<Load> {
        match &*self.slot.target() {
            Target::Child(ward) => ward.load(),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_who_was_held_is_continued() {
        let leash = Leash::new();
        assert!(!leash.ask());
        leash.wait();
        assert!(!leash.ask());
        leash.hold();
        assert!(leash.is_held() && leash.ask() && !leash.ask());
    }

    #[test]
    fn a_wait_that_is_over_holds_nobody() {
        let leash = Leash::new();
        leash.wait();
        let first = leash.waiting().unwrap();
        leash.ask();
        assert!(!leash.hold_in(first) && leash.waiting().is_none());
        leash.wait();
        assert!(!leash.hold_in(first));
        let second = leash.waiting().unwrap();
        assert!(leash.hold_in(second) && leash.ask());
    }
}
