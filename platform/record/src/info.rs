use serde::Deserialize;
use tengen_arbiter::SearchScore;

/// What an engine last said of the search behind an action. What it left out is left out of the
/// record: a depth or a count of nodes of zero is one that was not told.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SearchInfo {
    /// Evaluation in the engine's own unit, for the side to move.
    pub eval: Option<i32>,
    /// Plies to a proved win, negative to a proved loss.
    pub win_in: Option<i32>,
    /// The depth searched, in plies.
    pub depth: u32,
    /// The greatest depth reached, in plies.
    pub seldepth: u32,
    /// The nodes visited.
    pub nodes: u64,
}

impl SearchInfo {
    /// The score that the arbiter is told with the action.
    pub fn score(&self) -> SearchScore {
        SearchScore { eval: self.eval, win_in: self.win_in }
    }
}
