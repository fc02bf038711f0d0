//! The inputs of a game, and what the game made of each.

use tengen_rules::Answer;

use crate::{Action, Correction, Failure, Nanos};

/// What happened at the table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Input {
    /// The seat's player got ready for the game, which took so long. It comes before anything else
    /// of that seat, and counts only where [the event counts it](crate::Policies::count_startup).
    Ready(Nanos),
    /// The question is put to the seat: its clock starts. An answer without this before
    /// it took no time.
    Asked,
    /// What the host measured of the asked seat's time. It comes before what the seat did, or its
    /// timeout, and comes on top of what was measured of the same question before.
    Corrected(Correction),
    /// The seat did something; for an answer its clock stops.
    Act(Action),
    /// The answer in place of the asked seat's illegal one, where the event
    /// [has that](crate::IllegalPolicy::Substitute); for instance that of another engine. No clock
    /// runs. If it is illegal too, the arbiter plays its own.
    Substitute(Answer),
    /// The asked seat's score of the position. It comes before the answer that it belongs to, and
    /// only adjudication uses it.
    Scored(SearchScore),
    /// The seat's player failed; whatever it was doing, it loses. After the deadline of its
    /// question it has lost on time already.
    Failed(Failure),
}

/// A search's score, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SearchScore {
    /// Evaluation, in the engine's own unit.
    pub eval: Option<i32>,
    /// Plies to a proved win, negative to a proved loss; it outweighs the evaluation.
    pub win_in: Option<i32>,
}

/// What became of an [`Input`]. A caller may ignore it: the orders say all that is to be done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Handled {
    /// It was taken as it is.
    Accepted,
    /// A wrong claim, or a draw offer that is not allowed: it was refused, and the same answer is
    /// still owed. [`Game::refusal`](crate::Game::refusal) says why.
    Declined,
    /// It broke the rules, the procedure or the turn; [`Game::refusal`](crate::Game::refusal) says
    /// how.
    Illegal,
    /// It came too late.
    Late,
    /// It belongs to no open question, or the game is over: nothing changed.
    Ignored,
}
