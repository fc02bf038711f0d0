//! How much of its time an engine of this computer may use for an answer.

use tengen_arbiter::{Limits, Nanos};

/// How long an engine thinks where there is no clock.
const BUDGET: Nanos = 5_000_000_000;
/// The part of its clock that an engine may use for one answer, and the time that the way to the
/// server may take.
const PART: Nanos = 12;
const WAY: Nanos = 300_000_000;

/// The time that a player still has for the open question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TurnTime {
    /// What is left of the clock; none is untimed.
    pub left: Option<Nanos>,
    /// What is left of the time for this answer; none is no such limit.
    pub cap: Option<Nanos>,
}

impl TurnTime {
    /// What limits on an answer say of it.
    pub fn of(limits: &Limits) -> TurnTime {
        TurnTime { left: limits.own, cap: limits.hard }
    }

    /// What there is of it when so much more has passed.
    pub fn after(self, gone: Nanos) -> TurnTime {
        let less = |time: Option<Nanos>| time.map(|time| time.saturating_sub(gone));
        TurnTime { left: less(self.left), cap: less(self.cap) }
    }

    /// All of it, as limits.
    pub fn whole(self) -> Limits {
        Limits { own: self.left, hard: self.cap, ..Limits::default() }
    }

    /// The limits of an answer that leaves enough for later ones, and for the way to the server.
    pub fn limits(self, limits: &Limits) -> Limits {
        let cap = self.cap.map(|cap| cap.saturating_sub(WAY));
        let of_clock = self.left.map(|left| (left / PART).min(left.saturating_sub(WAY)));
        let hard = match (of_clock, cap) {
            (Some(left), Some(cap)) => left.min(cap),
            (left, cap) => left.or(cap).unwrap_or(BUDGET),
        };
        Limits { hard: Some(hard.max(1)), own: self.left, ..*limits }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Nanos = 1_000_000;
    const SECOND: Nanos = 1000 * MS;

    fn hard(left: Option<Nanos>, cap: Option<Nanos>, gone: Nanos) -> Nanos {
        let time = TurnTime { left, cap }.after(gone);
        let limits = time.limits(&Limits::default());
        assert_eq!(limits.own, left.map(|left| left.saturating_sub(gone)));
        limits.hard.unwrap()
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
