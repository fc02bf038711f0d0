//! Listeners: they are told what a player says while it thinks.

use std::fmt::Debug;
use std::sync::Arc;

use tengen_arbiter::{Nanos, SearchInfo};
use tengen_rules::Move;

/// How a search stands: what a player says of it while it thinks.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SearchProgress {
    /// Which of its best lines it is, from 1; 0 is the only one.
    pub line: u32,
    /// Evaluation, depth, nodes.
    pub info: SearchInfo,
    /// The time spent as the player tells it; zero when it does not.
    pub elapsed: Nanos,
    /// The line itself, from the side to move. The player's word: no board has seen it.
    pub pv: Vec<Move>,
}

/// Hears what a player says unasked. Called on any thread, and on the one that waits for the
/// answer: it must return at once, for the player that is waited for pays for it.
pub trait Listener: Send + Sync + Debug {
    /// The search stands so. What was said before is of no use any more.
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
