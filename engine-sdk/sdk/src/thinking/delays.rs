use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::time::Duration;

/// No look at the clock yet.
const UNSEEN: i64 = i64::MAX;
/// What is longer than this says nothing of the next question: a machine slept, or a debugger did.
const LONGEST_US: i64 = 1_000_000;

/// How long the engine was seen not to look at its clock: what it computes between two looks, and
/// what the machine gave to others meanwhile. By so much an answer may be later than it should be.
#[derive(Debug)]
pub(crate) struct Delays {
    /// The time left at the last look, in microseconds.
    last: AtomicI64,
    /// The longest delay of late, in microseconds.
    longest: AtomicI64,
    /// Whether the engine was told that its time is up.
    told: AtomicBool,
}

impl Delays {
    pub(crate) const fn new() -> Delays {
        Delays {
            last: AtomicI64::new(UNSEEN),
            longest: AtomicI64::new(0),
            told: AtomicBool::new(false),
        }
    }

    /// A question begins. What was seen in earlier ones counts less with each.
    pub(crate) fn begin(&self) {
        let longest = self.longest.load(Ordering::Relaxed);
        self.longest.store(longest / 4 * 3, Ordering::Relaxed);
        self.last.store(UNSEEN, Ordering::Relaxed);
        self.told.store(false, Ordering::Relaxed);
    }

    /// The engine looks at its clock.
    pub(crate) fn look(&self, left_us: i64) {
        let last = self.last.swap(left_us, Ordering::Relaxed);
        // Zero is also what a host says that wants the answer before its time.
        if last == UNSEEN || left_us == 0 {
            return;
        }
        let delay = last.saturating_sub(left_us).min(LONGEST_US);
        if delay > self.longest.load(Ordering::Relaxed) {
            self.longest.fetch_max(delay, Ordering::Relaxed);
        }
    }

    /// The engine is told that its time is up.
    pub(crate) fn tell(&self) {
        self.told.store(true, Ordering::Relaxed);
    }

    /// The engine has answered. `left_us` is only asked where the time until then is a delay: an
    /// engine that answers of its own accord may have done anything since its last look.
    pub(crate) fn end(&self, left_us: impl FnOnce() -> i64) {
        if self.told.load(Ordering::Relaxed) {
            self.look(left_us());
        }
    }

    /// The longest delay of late.
    pub(crate) fn longest(&self) -> Duration {
        let longest = self.longest.load(Ordering::Relaxed);
        Duration::from_micros(u64::try_from(longest).unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn longest_us(delays: &Delays) -> u128 {
        delays.longest().as_micros()
    }

    #[test]
    fn the_longest_time_between_two_looks_is_known() {
        let delays = Delays::new();
        delays.begin();
        for left in [100_000, 99_000, 92_000, 91_000] {
            delays.look(left);
        }
        assert_eq!(longest_us(&delays), 7000);
        // Two threads may see their looks in another order than they took them.
        delays.look(91_500);
        assert_eq!(longest_us(&delays), 7000);
    }

    #[test]
    fn what_was_seen_fades_and_the_first_look_of_a_question_is_no_delay() {
        let delays = Delays::new();
        delays.begin();
        delays.look(50_000);
        delays.look(42_000);
        delays.begin();
        delays.look(10_000);
        assert_eq!(longest_us(&delays), 6000);
    }

    #[test]
    fn an_answer_that_was_wanted_early_is_no_delay() {
        let delays = Delays::new();
        delays.begin();
        delays.look(50_000_000);
        delays.look(0);
        delays.tell();
        delays.end(|| 0);
        assert_eq!(longest_us(&delays), 0);
    }

    #[test]
    fn the_way_out_of_a_search_counts_when_the_time_was_up() {
        let delays = Delays::new();
        delays.begin();
        delays.look(10_000);
        delays.end(|| unreachable!("the time was not said to be up"));
        delays.tell();
        delays.end(|| -2000);
        assert_eq!(longest_us(&delays), 12_000);
    }
}
