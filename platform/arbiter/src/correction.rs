use crate::Nanos;

/// The part of a question's time that was not its player's, and other time that was, as measured by
/// the players' host. Nothing in it is the player's own claim.
///
/// Apart from the moments of a question, nothing else enters a clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Correction {
    /// For how long others kept the player waiting within the question. It is given back.
    pub given_back: Nanos,
    /// For how long the player computed, without being asked, before the question. It is charged.
    pub unasked: Nanos,
}

impl Correction {
    /// The shortest wait that is given back: every wake-up takes some microseconds.
    pub const LEAST_WAIT: Nanos = 1_000_000;

    /// The correction for a player that was kept waiting for so long.
    pub fn of_wait(waited: Nanos) -> Correction {
        let given_back = if waited >= Correction::LEAST_WAIT { waited } else { 0 };
        Correction { given_back, unasked: 0 }
    }

    /// What is charged for a question that took so long.
    pub fn charge(self, span: Nanos) -> Nanos {
        span.saturating_sub(self.given_back).saturating_add(self.unasked)
    }

    /// How long a question took, from what was charged for it.
    pub fn span(self, charged: Nanos) -> Nanos {
        charged.saturating_sub(self.unasked).saturating_add(self.given_back)
    }

    pub fn and(self, other: Correction) -> Correction {
        Correction {
            given_back: self.given_back.saturating_add(other.given_back),
            unasked: self.unasked.saturating_add(other.unasked),
        }
    }
}
