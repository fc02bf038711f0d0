//! A seat's clock.

use crate::{ByoYomi, ClockFace, MarginPolicy, Nanos, TimeControl};

/// A seat's clock: what a [`TimeControl`] leaves of the game.
///
/// The margin is how late an answer may be and still count. It never gives time back: a player that
/// overruns its game clock within the margin stands at zero, and what it overran is gone from the
/// margin for the rest of the game, so that all overruns of a game together stay within one margin;
/// unless the policy is [`MarginPolicy::Move`], by which each answer has the whole margin again.
/// The cap on one answer begins anew with each answer, and so does the margin on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    control: TimeControl,
    margin: Nanos,
    policy: MarginPolicy,
    left: Option<Nanos>,
    grace: Nanos,
    /// The periods of byo-yomi that are left.
    periods: u32,
    /// How many answers were given.
    answered: u32,
}

impl Clock {
    /// A full clock.
    pub fn new(control: TimeControl, margin: Nanos, policy: MarginPolicy) -> Clock {
        let periods = control.byo_yomi.map_or(0, |byo_yomi| byo_yomi.periods);
        let left = control.main;
        Clock { control, margin, policy, left, grace: margin, periods, answered: 0 }
    }

    /// The setting it runs by.
    pub fn control(&self) -> TimeControl {
        self.control
    }

    /// What is left of the game's time when the clock last stopped; none is unlimited.
    pub fn left(&self) -> Option<Nanos> {
        self.left
    }

    /// The periods of byo-yomi that are left.
    pub fn periods(&self) -> u32 {
        self.periods
    }

    /// What it shows when an answer has taken so long; none without a game's time.
    pub fn face(&self, used: Nanos) -> Option<ClockFace> {
        let periods = self.periods;
        let byo_yomi = self.control.byo_yomi.map(|of_game| ByoYomi { periods, ..of_game });
        let given = |session: u32| self.answered.checked_rem(session);
        let answers_left = self.control.session.and_then(|all| Some(all - given(all)?));
        let stopped = ClockFace { left: self.left?, in_period: false, byo_yomi, answers_left };
        Some(stopped.after(used))
    }

    /// How much longer an answer that has taken so long may take without using up another period
    /// of byo-yomi: what a player plans with. Without byo-yomi it is what is left of the game's
    /// time.
    pub fn plan(&self, used: Nanos) -> Option<Nanos> {
        Some(self.face(used)?.plan())
    }

    /// What is left of the game's time with all periods that follow it; none is unlimited.
    pub fn whole(&self) -> Option<Nanos> {
        self.face(0).map(ClockFace::whole)
    }

    /// The time an answer may take, margin not counted; none is unlimited.
    pub fn hard(&self) -> Option<Nanos> {
        earlier(self.whole(), self.control.per_move)
    }

    /// The longest an answer may take and still be in time, margin counted; none is unlimited.
    pub fn deadline(&self) -> Option<Nanos> {
        earlier(
            self.whole().map(|left| left.saturating_add(self.grace)),
            self.control.per_move.map(|cap| cap.saturating_add(self.margin)),
        )
    }

    /// Whether an answer that took this long is late.
    pub fn is_late(&self, spent: Nanos) -> bool {
        self.deadline().is_some_and(|deadline| spent > deadline)
    }

    /// Whether that is more than is left of the game's time, margin counted.
    pub(crate) fn is_beyond(&self, spent: Nanos) -> bool {
        self.whole().is_some_and(|left| spent > left.saturating_add(self.grace))
    }

    /// Takes off what an answer took.
    pub fn charge(&mut self, spent: Nanos) {
        let Some(left) = self.left else { return };
        let whole = self.whole().unwrap_or(left);
        if self.policy == MarginPolicy::Game {
            self.grace = self.grace.saturating_sub(spent.saturating_sub(whole));
        }
        if let Some(byo_yomi) = self.control.byo_yomi {
            // The one in which the answer came stays whole.
            let overrun = byo_yomi.overrun(spent.saturating_sub(left));
            self.periods = self.periods.saturating_sub(overrun);
        }
        self.left = Some(left.saturating_sub(spent));
    }

    /// Adds what an answer earns: the increment, and the game's time once more where a session is
    /// over by it.
    pub(crate) fn add_increment(&mut self) {
        self.answered = self.answered.saturating_add(1);
        let is_over = |session: u32| self.answered.is_multiple_of(session);
        let session = self.control.session.filter(|&session| is_over(session));
        let session = session.and(self.control.main).unwrap_or(0);
        let earned = self.control.increment.saturating_add(session);
        self.left = self.left.map(|left| left.saturating_add(earned));
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
    fn a_session_brings_its_time_again() {
        let mut clock = clock("2/0.000000100+0.000000001", 0);
        for (spent, left) in [(60, 41), (41, 101), (1, 101), (101, 101)] {
            assert!(!clock.is_late(spent));
            clock.charge(spent);
            clock.add_increment();
            assert_eq!(clock.left(), Some(left), "after {spent}");
        }
    }

    #[test]
    fn byo_yomi_lasts_while_answers_come_within_a_period() {
        let mut clock = clock("0.000000100,byo=3x0.000000030", 5);
        assert_eq!((clock.hard(), clock.plan(0)), (Some(190), Some(130)));
        clock.charge(110);
        assert_eq!((clock.left(), clock.periods()), (Some(0), 3), "within the first period");
        for _ in 0..9 {
            clock.charge(30);
        }
        assert_eq!(clock.periods(), 3, "a period that is not overrun stays");
        clock.charge(31);
        assert_eq!((clock.periods(), clock.hard(), clock.plan(0)), (2, Some(60), Some(30)));
        assert!(!clock.is_late(65) && clock.is_late(66), "the margin follows the last period");
        clock.charge(62);
        assert_eq!((clock.periods(), clock.deadline()), (0, Some(3)), "two were overrun");
    }

    #[test]
    fn what_may_be_planned_with_is_never_more_than_a_period_that_has_begun() {
        let clock = clock("0.000000100,byo=3x0.000000030", 0);
        let planned = [0, 90, 100, 110, 130, 131, 190, 191].map(|used| clock.plan(used).unwrap());
        assert_eq!(planned, [130, 40, 30, 20, 0, 29, 0, 0]);
    }

    #[test]
    fn an_answer_at_any_moment_leaves_the_periods_that_were_shown_before() {
        let clock = clock("0.000000010,byo=3x0.000000030", 0);
        for used in 1..=100 {
            let (shown, mut after) = (clock.face(used).unwrap(), clock);
            after.charge(used);
            let running = u32::from(shown.in_period);
            let follows = shown.byo_yomi.unwrap().periods;
            assert_eq!(after.periods(), follows + running, "an answer after {used}");
        }
    }

    #[test]
    fn a_session_tells_how_many_answers_it_still_has() {
        let mut clock = clock("3/0.000000100", 0);
        let told = |clock: &Clock| clock.face(0).unwrap().answers_left;
        for answers in [3, 2, 1, 3] {
            assert_eq!(told(&clock), Some(answers));
            clock.add_increment();
        }
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
