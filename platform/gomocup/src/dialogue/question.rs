//! Questions to a brain.

use alloc::vec::Vec;

use tengen_arbiter::Limits;
use tengen_rules::{Answer, Ask, Move, Zone};

#[cfg(doc)]
use crate::Dialogue;

/// What was asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum QuestionKind {
    Move,
    /// The three stones of swap2.
    Place,
    /// Swap2's answer to three stones, or to five.
    Swap2,
}

/// A question that waits to be written.
#[derive(Clone, Debug)]
pub(super) struct PendingQuestion {
    pub(super) moves: Vec<Move>,
    pub(super) question_kind: QuestionKind,
    pub(super) limits: Limits,
}

/// One question to a brain.
#[derive(Clone, Copy, Debug)]
pub struct DialogueQuestion<'a> {
    /// Every ply so far, from the empty board. The protocol has no pass; the stones are sent
    /// without it, each with its owner.
    pub moves: &'a [Move],
    /// What is asked.
    pub ask: Ask,
    /// What the brain may use. Its time is sent in whole milliseconds.
    pub limits: Limits,
}

/// The result of asking.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AskResult {
    /// Its lines are in [`Dialogue::output`]. The clock starts as they are written.
    Sent,
    /// It will be sent when the brain has answered the question it still owes an answer to. The
    /// clock starts now.
    Held,
    /// The brain has answered it already, along with the question before: nothing is sent.
    Known(Answer),
    /// The protocol cannot express it: see [`Dialogue::can_ask`].
    Unsupported,
}

/// The result of beginning a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NewGameResult {
    /// Its lines are in [`Dialogue::output`]; [`Response::Ready`](crate::Response::Ready)
    /// is to follow.
    Sent,
    /// The brain's process must be started again first, then [`Dialogue::started_again`] called:
    /// it begins no other game, owes an answer, or has failed.
    StartAgain,
}

/// The kind of a question, if the protocol can express it after so many plies.
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
