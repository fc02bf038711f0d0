use serde::{Deserialize, Serialize};
use tengen_arbiter::SearchScore;

/// What an engine last said of the search behind an action. What it left out is left out of the
/// record: a depth or a count of nodes of zero is one that was not told.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SearchInfo {
    /// Evaluation in the engine's own unit, for the side to move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub eval: Option<i32>,
    /// Plies to a proved win, negative to a proved loss.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub win_in: Option<i32>,
    /// The depth searched, in plies.
    #[serde(skip_serializing_if = "is_zero")]
    pub depth: u32,
    /// The greatest depth reached, in plies.
    #[serde(skip_serializing_if = "is_zero")]
    pub seldepth: u32,
    /// The nodes visited.
    #[serde(skip_serializing_if = "is_zero")]
    pub nodes: u64,
}

impl SearchInfo {
    /// The score that the arbiter is told with the action.
    pub fn score(&self) -> SearchScore {
        SearchScore { eval: self.eval, win_in: self.win_in }
    }
}

fn is_zero<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
