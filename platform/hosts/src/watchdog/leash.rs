use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::{Target, Ward, Watched};
use crate::platform::{Activity, Load};

/// The engine is asked, or starts: it may work.
const ASKED: u64 = 0;
/// It waits for its next question, and its process is stopped.
const HELD: u64 = 1;
/// It waits, and is trusted to do nothing. This and every greater number is one wait.
const FIRST_WAIT: u64 = 2;

/// What an engine did until it was asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Roused {
    /// It was asked already.
    Asked,
    /// It had been seen to have settled: it waits for its next question.
    Settled,
    /// It may still have had something to finish.
    Unsettled,
}

/// Whether an engine is asked or waits.
///
/// A process is stopped and continued only by who holds the lock on the slot's target, so that the
/// two come in the order of the states. A question costs no more than an exchange where nobody has
/// to be continued.
pub(super) struct Leash {
    state: AtomicU64,
    waits: AtomicU64,
    /// The last wait in which it is to be stopped once it has settled.
    due: AtomicU64,
    /// The last wait in which it was seen to have settled.
    settled: AtomicU64,
    /// Whether it was ever seen to work while it waited.
    is_tight: AtomicBool,
}

impl Leash {
    pub(super) fn new() -> Leash {
        Leash {
            state: AtomicU64::new(ASKED),
            waits: AtomicU64::new(FIRST_WAIT),
            due: AtomicU64::new(0),
            settled: AtomicU64::new(0),
            is_tight: AtomicBool::new(false),
        }
    }

    /// As for a new process. Where one was seen to work while it waited, the next one of the same
    /// engine would be.
    pub(super) fn renew(&self) {
        self.state.store(ASKED, Ordering::SeqCst);
    }

    /// The engine is asked from now on. Gives whether it must be continued for that, and what it
    /// did before.
    pub(super) fn ask(&self) -> (bool, Roused) {
        let last = self.waits.load(Ordering::Relaxed) - 1;
        let before = self.state.swap(ASKED, Ordering::SeqCst);
        let roused = match before {
            ASKED => Roused::Asked,
            _ if self.settled.load(Ordering::SeqCst) == last => Roused::Settled,
            _ => Roused::Unsettled,
        };
        (before == HELD, roused)
    }

    fn next(&self) -> u64 {
        self.waits.fetch_add(1, Ordering::Relaxed)
    }

    /// The engine waits from now on.
    pub(super) fn wait(&self) {
        self.state.store(self.next(), Ordering::SeqCst);
    }

    /// The same, and it is to be stopped once it has settled.
    pub(super) fn wait_to_stop(&self) {
        let wait = self.next();
        self.due.store(wait, Ordering::SeqCst);
        self.state.store(wait, Ordering::SeqCst);
    }

    /// The engine is held from now on.
    pub(super) fn hold(&self) {
        self.next();
        self.state.store(HELD, Ordering::SeqCst);
    }

    /// The engine is held from now on if it is still that wait. Gives whether it is.
    pub(super) fn hold_in(&self, wait: u64) -> bool {
        let order = Ordering::SeqCst;
        self.state.compare_exchange(wait, HELD, order, order).is_ok()
    }

    /// Whether the engine is to be stopped in that wait once it has settled, and was not yet seen
    /// to have.
    pub(super) fn is_due(&self, wait: u64) -> bool {
        self.due.load(Ordering::SeqCst) == wait && self.settled.load(Ordering::SeqCst) != wait
    }

    /// The engine has settled in that wait.
    pub(super) fn settle(&self, wait: u64) {
        self.settled.store(wait, Ordering::SeqCst);
    }

    /// The number of the wait, if the engine waits and is not held.
    pub(super) fn waiting(&self) -> Option<u64> {
        Some(self.state.load(Ordering::SeqCst)).filter(|&state| state >= FIRST_WAIT)
    }

    /// A number that no other question has, if one is open.
    pub(super) fn question(&self) -> Option<u64> {
        let is_asked = self.state.load(Ordering::SeqCst) == ASKED;
        is_asked.then(|| self.waits.load(Ordering::Relaxed))
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
    /// Lets a child work, which is about to be asked. Gives what it did until now.
    pub(crate) fn ask(&self) -> Roused {
        let (is_held, roused) = self.slot.leash.ask();
        if is_held && let Target::Child(ward) = &*self.slot.target() {
            ward.go_on();
        }
        roused
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

    /// Has a child wait, which has answered: stopped by the patrol, once it has settled; or at
    /// once, if it was ever seen to work while it waited.
    pub(crate) fn rest_once_settled(&self) {
        if self.slot.leash.is_tight() {
            return self.rest(true);
        }
        self.slot.leash.wait_to_stop();
    }

    /// Holds a child from now on whenever it waits.
    pub(crate) fn tighten(&self) {
        self.slot.leash.tighten();
    }

    /// The CPU time of a child, in nanoseconds.
    pub(crate) fn cpu_time(&self) -> Option<u64> {
        self.ward(Ward::cpu_time)
    }

    /// What the scheduler has done with a child so far.
    pub(crate) fn load(&self) -> Option<Load> {
        self.ward(Ward::load)
    }

    /// What the threads of a child are doing.
    pub(crate) fn activity(&self) -> Option<Activity> {
        self.ward(Ward::activity)
    }

    /// Whether a child has more than one thread, or processes of its own.
    pub(crate) fn is_several(&self) -> bool {
        self.ward(|ward| Some(ward.is_several())) == Some(true)
    }

    fn ward<T>(&self, look: impl FnOnce(&Ward) -> Option<T>) -> Option<T> {
        match &*self.slot.target() {
            Target::Child(ward) => look(ward),
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
        assert_eq!(leash.ask(), (false, Roused::Asked));
        leash.wait();
        assert_eq!(leash.ask(), (false, Roused::Unsettled));
        leash.hold();
        assert!(leash.is_held());
        assert_eq!(leash.ask(), (true, Roused::Unsettled));
        assert_eq!(leash.ask(), (false, Roused::Asked));
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
        assert!(leash.hold_in(second) && leash.ask().0);
    }

    #[test]
    fn what_was_seen_in_a_wait_says_nothing_of_the_next() {
        let leash = Leash::new();
        leash.wait_to_stop();
        let first = leash.waiting().unwrap();
        assert!(leash.is_due(first));
        leash.settle(first);
        assert!(!leash.is_due(first) && leash.hold_in(first));
        assert_eq!(leash.ask(), (true, Roused::Settled));
        leash.wait();
        assert!(!leash.is_due(leash.waiting().unwrap()));
        assert_eq!(leash.ask(), (false, Roused::Unsettled));
        leash.hold();
        assert_eq!(leash.ask(), (true, Roused::Unsettled));
    }

    #[test]
    fn questions_have_numbers_of_their_own() {
        let leash = Leash::new();
        let first = leash.question().unwrap();
        leash.wait();
        assert_eq!(leash.question(), None);
        leash.ask();
        let second = leash.question().unwrap();
        leash.hold();
        leash.ask();
        assert!(first != second && leash.question().is_some_and(|third| third != second));
    }
}
