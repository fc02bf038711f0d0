//! What a clock shows.

use crate::{ByoYomi, Nanos, TimeControl};

/// What a clock shows: the game's time while there is some, then the period of byo-yomi that runs.
/// Whatever shows a clock shows this, and lets it run by [`ClockFace::after`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClockFace {
    /// What is left of the game's time, or of the period that runs.
    pub left: Nanos,
    /// Whether a period of byo-yomi runs.
    pub in_period: bool,
    /// The periods that follow; none without byo-yomi.
    pub byo_yomi: Option<ByoYomi>,
    /// In how many answers the game's time is added again; none if it never is.
    pub answers_left: Option<u32>,
}

impl ClockFace {
    /// A full clock; none without a game's time.
    pub fn of(control: &TimeControl) -> Option<ClockFace> {
        let TimeControl { main, byo_yomi, session, .. } = *control;
        Some(ClockFace { left: main?, in_period: false, byo_yomi, answers_left: session })
    }

    /// The time with all periods that follow.
    pub fn whole(self) -> Nanos {
        self.left.saturating_add(self.following(u32::MAX))
    }

    /// The time that uses up no period: the game's time comes with the first one.
    pub fn plan(self) -> Nanos {
        self.left.saturating_add(self.following(if self.in_period { 0 } else { 1 }))
    }

    /// How long the periods that follow are, up to so many.
    fn following(self, most: u32) -> Nanos {
        self.byo_yomi
            .map_or(0, |ByoYomi { periods, span }| span.saturating_mul(periods.min(most).into()))
    }

    /// What it shows so much later, if it runs. An answer at the last moment of a period is within
    /// it.
    #[must_use]
    pub fn after(self, used: Nanos) -> ClockFace {
        let Some(ByoYomi { periods, span }) = self.byo_yomi else {
            return ClockFace { left: self.left.saturating_sub(used), ..self };
        };
        let is_within = if self.in_period { used <= self.left } else { used < self.left };
        if is_within {
            return ClockFace { left: self.left - used, ..self };
        }
        // The first moment of a period that follows the game's time belongs to the period.
        let beyond = used - self.left;
        let begun = ByoYomi { periods, span }.overrun(beyond).saturating_add(1);
        let (left, periods) = match periods.checked_sub(begun) {
            Some(periods) => {
                (Nanos::from(begun).saturating_mul(span).saturating_sub(beyond), periods)
            }
            None => (0, 0),
        };
        let byo_yomi = Some(ByoYomi { periods, span });
        ClockFace { left, in_period: true, byo_yomi, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn face(left: Nanos, in_period: bool, periods: u32) -> ClockFace {
        let byo_yomi = Some(ByoYomi { periods, span: 30 });
        ClockFace { left, in_period, byo_yomi, answers_left: None }
    }

    #[test]
    fn periods_follow_the_game_s_time_one_by_one() {
        let full = face(100, false, 3);
        let cases = [
            (99, face(1, false, 3)),
            (100, face(30, true, 2)),
            (130, face(0, true, 2)),
            (131, face(29, true, 1)),
            (190, face(0, true, 0)),
            (191, face(0, true, 0)),
            (Nanos::MAX, face(0, true, 0)),
        ];
        for (used, shown) in cases {
            assert_eq!(full.after(used), shown, "after {used}");
        }
    }

    #[test]
    fn a_clock_that_is_looked_at_often_shows_the_same() {
        for first in 0..200 {
            for then in [0, 1, 29, 30, 31, 77] {
                let full = face(100, false, 3);
                assert_eq!(
                    full.after(first).after(then),
                    full.after(first + then),
                    "{first}+{then}"
                );
            }
        }
    }

    #[test]
    fn there_is_no_less_on_it_than_it_shows() {
        let face = face(100, false, 3);
        assert_eq!((face.plan(), face.whole()), (130, 190));
        assert_eq!((face.after(110).plan(), face.after(110).whole()), (20, 80));
        let control: TimeControl = "0.000000100,byo=3x0.000000030".parse().unwrap();
        assert_eq!(ClockFace::of(&control), Some(face));
    }

    #[test]
    fn periods_of_no_time_are_over_at_once() {
        let full =
            ClockFace { byo_yomi: Some(ByoYomi { periods: 3, span: 0 }), ..face(100, false, 3) };
        assert_eq!((full.after(102).left, full.after(1_000).left), (0, 0));
    }

    #[test]
    fn without_byo_yomi_it_runs_down_to_nothing() {
        let full = ClockFace { byo_yomi: None, answers_left: Some(40), ..face(100, false, 0) };
        assert_eq!(full.after(99), ClockFace { left: 1, ..full });
        assert_eq!(full.after(101), ClockFace { left: 0, ..full });
    }
}
