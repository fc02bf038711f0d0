//! How much of its time an engine of this computer may use for an answer.

use tengen_arbiter::{Limits, Nanos, TimeControl};

use crate::app::model::SeatInfo;

/// How long an engine thinks where there is no clock.
const BUDGET: Nanos = 5_000_000_000;
/// The part of its clock that an engine may use for one answer, and the time that the way to the
/// server may take.
const PART: Nanos = 12;
const WAY: Nanos = 300_000_000;

/// The time that a player still has for the open question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TurnTime {
    /// What is left of the clock, with the first period of byo-yomi that an answer may use; none
    /// is untimed.
    pub left: Option<Nanos>,
    /// How much of that is a period: what an answer does not use of it is gone.
    pub period: Nanos,
    /// What is left of the time for this answer; none is no such limit.
    pub cap: Option<Nanos>,
}

impl TurnTime {
    /// What limits on an answer say of it.
    pub fn of(limits: &Limits, control: &TimeControl) -> TurnTime {
        TurnTime { left: limits.own, period: period(control), cap: limits.hard }
    }

    /// What a seat's clock says of it, when so much has passed since that stopped.
    pub fn on_clock(seated: &SeatInfo, gone: Nanos) -> TurnTime {
        let left = seated.clock.map(|clock| clock.after(gone).plan());
        let cap = seated.control.per_move.map(|cap| cap.saturating_sub(gone));
        TurnTime { left, period: period(&seated.control), cap }
    }

    /// What there is of it when so much more has passed.
    pub fn after(self, gone: Nanos) -> TurnTime {
        let less = |time: Option<Nanos>| time.map(|time| time.saturating_sub(gone));
        TurnTime { left: less(self.left), cap: less(self.cap), ..self }
    }

    /// All of it, as limits.
    pub fn whole(self) -> Limits {
        Limits { own: self.left, hard: self.cap, ..Limits::default() }
    }

    /// The limits of an answer that leaves enough for later ones, and for the way to the server.
    pub fn limits(self, limits: &Limits) -> Limits {
        let cap = self.cap.map(|cap| cap.saturating_sub(WAY));
        let of_clock = self.left.map(|left| {
            let period = self.period.min(left);
            ((left - period) / PART + period).min(left.saturating_sub(WAY))
        });
        let hard = match (of_clock, cap) {
            (Some(left), Some(cap)) => left.min(cap),
            (left, cap) => left.or(cap).unwrap_or(BUDGET),
        };
        Limits { hard: Some(hard.max(1)), own: self.left, ..*limits }
    }
}

fn period(control: &TimeControl) -> Nanos {
    control.byo_yomi.map_or(0, |byo_yomi| byo_yomi.span)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Nanos = 1_000_000;
    const SECOND: Nanos = 1000 * MS;

    fn hard(left: Option<Nanos>, cap: Option<Nanos>, gone: Nanos) -> Nanos {
        let time = TurnTime { left, period: 0, cap }.after(gone);
        let limits = time.limits(&Limits::default());
        assert_eq!(limits.own, left.map(|left| left.saturating_sub(gone)));
        limits.hard.unwrap()
    }

    #[test]
    fn in_byo_yomi_a_period_is_used_and_none_behind_it() {
        use tengen_arbiter::ClockFace;
        use tengen_rules::Seat;

        let control: TimeControl = "120,byo=3x30".parse().unwrap();
        let clock = ClockFace::of(&control);
        let seated = SeatInfo { control, clock, ..SeatInfo::blank(Seat::First) };
        let hard = |used: Nanos| {
            let time = TurnTime::on_clock(&seated, used * SECOND);
            time.limits(&Limits::default()).hard.unwrap()
        };
        assert_eq!(hard(0), 40 * SECOND, "a twelfth of the game's time, and a period");
        assert_eq!(hard(120), 29_700 * MS, "the whole period, but for the way");
        assert_eq!(hard(140), 9700 * MS);
        assert_eq!(hard(155), 24_700 * MS, "of the second one");
        assert_eq!(hard(300), 1);
    }

    #[test]
    fn time_that_is_gone_is_given_to_no_seat() {
        let second = |seconds: Nanos| Some(seconds * SECOND);
        assert_eq!(hard(None, second(10), 0), 9700 * MS, "a fresh question");
        assert_eq!(hard(None, second(10), 6 * SECOND), 3700 * MS, "6 s were thought before");
        assert_eq!(hard(second(40), None, 38 * SECOND), 2 * SECOND / PART);
        assert_eq!(hard(None, second(5), SECOND), 3700 * MS, "a network was loaded for 1 s");
        assert_eq!(hard(second(120), second(5), 0), 4700 * MS);
        assert_eq!(hard(second(12), second(5), 0), SECOND);
        assert_eq!(hard(None, None, SECOND), BUDGET);
        assert_eq!(hard(second(1), None, 2 * SECOND), 1, "at once");
    }
}
