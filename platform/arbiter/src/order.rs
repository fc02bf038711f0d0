use tengen_rules::{Ask, Seat};

use crate::{GameResult, Limits, Nanos};

/// What the table must do next. At most one question is open at a time, the end comes once, and no
/// order follows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// Put a question.
    Ask {
        /// The seat to ask.
        seat: Seat,
        /// What it is asked.
        ask: Ask,
        /// What the player may use.
        limits: Limits,
        /// The shortest time, counted from [`Input::Asked`](crate::Input::Asked), that is too
        /// long: the hard limit, the margin and one nanosecond. What is
        /// [given back](crate::Correction) comes on top. None is to wait for ever.
        patience: Option<Nanos>,
    },
    End(GameResult),
}
