//! Listeners: they are told what a player says while it thinks.

use std::fmt::Debug;
use std::sync::Arc;

use tengen_arbiter::{Nanos, SearchInfo};
use tengen_rules::Move;

/// The state of a search, as a player reports it while it thinks.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SearchProgress {
    /// Which of its best lines it is, from 1; 0 is the only one.
    pub line: u32,
    /// Evaluation, depth, nodes.
    pub info: SearchInfo,
    /// The time spent as the player tells it; zero when it does not.
    pub elapsed: Nanos,
    /// The line itself, from the side to move. It is unchecked: it was not played on a board.
    pub pv: Vec<Move>,
}

/// Hears what a player says unasked. It is called on any thread, also on the one that waits for the
/// answer, so it must return at once: its time is on the clock of the player to move.
pub trait Listener: Send + Sync + Debug {
    /// The newest state of the search; earlier ones are out of date.
    fn progress(&self, progress: SearchProgress);

    /// Text of the player's log or its output: whole lines, none of which comes twice.
    fn message(&self, text: &str);
}

/// Hears a player while it thinks about a request.
#[derive(Clone, Copy, Debug)]
pub struct Subscription<'a> {
    /// The listener from the request on until the next one.
    pub listener: &'a Arc<dyn Listener>,
    /// How many of its best lines the player is to tell. More than one may cost it strength, and
    /// not every player can.
    pub lines: u32,
}
