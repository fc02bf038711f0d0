use tengen_rules::{Move, Point};
use thiserror::Error;

use super::ScoreSheet;

/// What keeps a game out of a format that has stones in the order laid, and nothing else.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum WriteError {
    /// Stones that were set up, in no order.
    #[error("stones are set up before the first move, which this format cannot say; use sgf")]
    SetUp,
    #[error("move {ply} is a pass, which this format cannot say; use sgf")]
    Pass {
        /// The move, counted from 1.
        ply: usize,
    },
}

impl ScoreSheet {
    /// The stones of the main line in the order laid, if they are all there is to it.
    ///
    /// # Errors
    /// When stones are set up, or a player passes.
    pub fn stones(&self) -> Result<Vec<Point>, WriteError> {
        if !self.set_up.black.is_empty() || !self.set_up.white.is_empty() {
            return Err(WriteError::SetUp);
        }
        let moves = (1..).zip(self.moves());
        let stone = |(ply, (_, mv))| match mv {
            Move::Stone(point) => Ok(point),
            Move::Pass => Err(WriteError::Pass { ply }),
        };
        moves.map(stone).collect()
    }
}
