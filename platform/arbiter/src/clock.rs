//! A seat's clock.

use crate::{MarginPolicy, Nanos, TimeControl};

/// A seat's clock: what a [`TimeControl`] leaves of the game.
///
/// The margin forgives the lag of the line. It never gives time back: a player that overruns its
/// game clock within the margin stands at zero, and what it overran is gone from the margin for the
/// rest of the game, so that all overruns of a game together stay within one margin; unless the
/// policy is [`MarginPolicy::Move`], by which each answer has the whole margin again. The cap on
/// one answer begins anew with each answer, and so does the margin on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    control: TimeControl,
    margin: Nanos,
    policy: MarginPolicy,
    left: Option<Nanos>,
    grace: Nanos,
}

impl Clock {
    /// A full clock.
    pub fn new(control: TimeControl, margin: Nanos, policy: MarginPolicy) -> Clock {
        Clock { control, margin, policy, left: control.main, grace: margin }
    }

    /// The setting it runs by.
    pub fn control(&self) -> TimeControl {
        self.control
    }

    /// What is left of the game's time when the clock last stopped; none is unlimited.
    pub fn left(&self) -> Option<Nanos> {
        self.left
    }

    /// The time an answer may take, margin not counted; none is unlimited.
    pub fn hard(&self) -> Option<Nanos> {
        earlier(self.left, self.control.per_move)
    }

    /// The longest an answer may take and still be in time, margin counted; none is unlimited.
    pub fn deadline(&self) -> Option<Nanos> {
        earlier(
            self.left.map(|left| left.saturating_add(self.grace)),
            self.control.per_move.map(|cap| cap.saturating_add(self.margin)),
        )
    }

    /// Whether an answer that took this long is late.
    pub fn is_late(&self, spent: Nanos) -> bool {
        self.deadline().is_some_and(|deadline| spent > deadline)
    }

    /// Whether that is more than is left of the game's time, margin counted.
    pub(crate) fn is_beyond(&self, spent: Nanos) -> bool {
        self.left.is_some_and(|left| spent > left.saturating_add(self.grace))
    }

    /// Takes off what an answer took.
    pub(crate) fn charge(&mut self, spent: Nanos) {
        if let Some(left) = &mut self.left {
            if self.policy == MarginPolicy::Game {
                self.grace = self.grace.saturating_sub(spent.saturating_sub(*left));
            }
            *left = left.saturating_sub(spent);
        }
    }

    /// Adds the increment.
    pub(crate) fn add_increment(&mut self) {
        self.left = self.left.map(|left| left.saturating_add(self.control.increment));
    }
}

fn earlier(a: Option<Nanos>, b: Option<Nanos>) -> Option<Nanos> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(control: &str, margin: Nanos) -> Clock {
        Clock::new(control.parse().unwrap(), margin, MarginPolicy::Game)
    }

    #[test]
    fn the_deadline_itself_is_in_time() {
        let clock = clock("1+0", 50);
        assert!(!clock.is_late(1_000_000_050));
        assert!(clock.is_late(1_000_000_051));
        assert_eq!(clock.hard(), Some(1_000_000_000));
    }

    #[test]
    fn overruns_share_one_margin() {
        let mut clock = clock("0.000000100+0.000000010", 30);
        clock.charge(120);
        clock.add_increment();
        assert_eq!((clock.left(), clock.deadline()), (Some(10), Some(20)));
        clock.charge(20);
        clock.add_increment();
        assert_eq!((clock.left(), clock.deadline()), (Some(10), Some(10)));
        assert!(clock.is_late(11));
    }

    #[test]
    fn a_margin_of_each_move_is_whole_again_and_never_time() {
        let control = "0.000000100+0.000000010".parse().unwrap();
        let mut clock = Clock::new(control, 30, MarginPolicy::Move);
        for _ in 0..5 {
            let deadline = clock.deadline().unwrap();
            assert_eq!(deadline, clock.left().unwrap() + 30);
            assert!(clock.is_late(deadline + 1));
            clock.charge(deadline);
            assert_eq!(clock.left(), Some(0));
            clock.add_increment();
            assert_eq!(clock.left(), Some(10));
        }
    }

    #[test]
    fn the_cap_on_one_answer_has_its_margin_each_time() {
        let mut clock = clock("move=0.000000100", 30);
        for _ in 0..3 {
            assert!(!clock.is_late(130));
            assert!(clock.is_late(131));
            clock.charge(130);
            clock.add_increment();
        }
        assert_eq!(clock.left(), None);
    }

    #[test]
    fn the_nearer_limit_counts() {
        let mut clock = clock("0.000000150+0,move=0.000000100", 0);
        assert_eq!(clock.hard(), Some(100));
        clock.charge(100);
        assert_eq!(clock.hard(), Some(50));
        assert!(clock.is_late(51));
    }

    #[test]
    fn no_clock_is_never_late() {
        let mut clock = clock("nodes=5", 0);
        assert!(!clock.is_late(Nanos::MAX));
        clock.charge(Nanos::MAX);
        assert_eq!((clock.left(), clock.hard()), (None, None));
    }

    #[test]
    fn no_sum_of_times_overflows() {
        let mut clock = clock("18446744073.709551615+1", 10);
        assert_eq!(clock.deadline(), Some(Nanos::MAX));
        clock.add_increment();
        assert_eq!(clock.left(), Some(Nanos::MAX));
    }
}
