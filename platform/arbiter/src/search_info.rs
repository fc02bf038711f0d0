use crate::SearchScore;

/// What a player last said of the search behind an action. What it did not tell is none, or 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SearchInfo {
    /// Evaluation in the player's own unit, for the side to move.
    pub eval: Option<i32>,
    /// Plies to a proved win, negative to a proved loss.
    pub win_in: Option<i32>,
    /// The depth searched, in plies.
    pub depth: u32,
    /// The greatest depth reached, in plies.
    pub seldepth: u32,
    pub nodes: u64,
}

impl SearchInfo {
    /// What a game may be adjudicated on; it goes before the action as
    /// [`Input::Scored`](crate::Input::Scored).
    pub fn score(&self) -> SearchScore {
        SearchScore { eval: self.eval, win_in: self.win_in }
    }
}
