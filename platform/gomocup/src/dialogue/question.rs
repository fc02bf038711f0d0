//! Questions to an engine.

use tengen_arbiter::Limits;
use tengen_rules::{Answer, Ask, Move};

#[cfg(doc)]
use crate::TextDialogue;

#[derive(Clone, Copy, Debug)]
pub struct DialogueQuestion<'a> {
    /// Every ply so far, from the empty board. No protocol has a pass; Gomocup's sends the stones
    /// without it, each with its owner.
    pub moves: &'a [Move],
    pub ask: Ask,
    /// What the engine may use. Its time is sent in whole milliseconds.
    pub limits: Limits,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AskResult {
    /// Its lines are in [`TextDialogue::output`]. The clock starts as they are written.
    Sent,
    /// The engine has answered it already, along with the question before: nothing is sent.
    Known(Answer),
    /// The protocol cannot express it.
    Unsupported,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NewGameResult {
    /// Its lines are in [`TextDialogue::output`]; [`Response::Ready`](crate::Response::Ready) is to
    /// follow if the dialogue [is waiting](TextDialogue::is_waiting).
    Sent,
    /// The engine's process must be started again first, then [`TextDialogue::started_again`]
    /// called: it begins no other game, or has failed.
    StartAgain,
}
