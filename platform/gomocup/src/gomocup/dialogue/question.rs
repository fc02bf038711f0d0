//! Which questions the protocol can express.

use alloc::vec::Vec;

use tengen_rules::{Ask, Move, Zone};

/// What was asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum QuestionKind {
    Move,
    /// The three stones of swap2.
    Place,
    /// Swap2's answer to three stones, or to five.
    Swap2,
}

/// A question that waits for the OK to a START before it.
#[derive(Clone, Debug)]
pub(super) struct PendingQuestion {
    pub(super) moves: Vec<Move>,
    pub(super) question_kind: QuestionKind,
    pub(super) limits: tengen_arbiter::Limits,
}

/// The kind of a question, if the protocol can express it after so many plies: a move anywhere, and
/// the three decisions of swap2. Other openings have to be decided for the engine.
pub(super) fn question_kind(ask: Ask, plies: usize) -> Option<QuestionKind> {
    match ask {
        Ask::Move { zone: Zone::Anywhere } => Some(QuestionKind::Move),
        Ask::Place { count: 3, zone: Zone::Anywhere, canonical: false } if plies == 0 => {
            Some(QuestionKind::Place)
        }
        Ask::ChooseOrPlace { count: 2 } if plies == 3 => Some(QuestionKind::Swap2),
        Ask::Choose if plies == 5 => Some(QuestionKind::Swap2),
        _ => None,
    }
}
