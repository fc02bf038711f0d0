//! A position before it is validated.

use alloc::vec::Vec;
use core::fmt;

use crate::{IllegalMove, Move, Point, Rule, Size};

/// A position as it was written down, not yet validated: stones, then moves.
///
/// ```
/// use tengen_rules::{Color, Point, Position, Rule, Setup, Size};
/// let mut setup = Setup::new(Rule::Renju, Size::STANDARD);
/// setup.black.push(Point::new(7, 7));
/// let position = Position::try_from(setup).unwrap();
/// assert_eq!(position.to_move(), Color::White);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// What wins.
    pub rule: Rule,
    /// The board.
    pub size: Size,
    /// Black stones that lie there before the moves: as many as White's, or one more.
    pub black: Vec<Point>,
    /// White stones that lie there before the moves.
    pub white: Vec<Point>,
    /// The moves since, in order.
    pub moves: Vec<Move>,
}

impl Setup {
    /// An empty board.
    pub const fn new(rule: Rule, size: Size) -> Setup {
        Setup { rule, size, black: Vec::new(), white: Vec::new(), moves: Vec::new() }
    }
}

/// Why a [`Setup`] is no position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SetupError {
    /// A stone set up where none may lie.
    Stone(IllegalMove),
    /// Neither as many black stones as white ones nor one more, so that neither colour is to move.
    Uneven {
        /// How many black stones.
        black: usize,
        /// How many white stones.
        white: usize,
    },
    /// A move that cannot be played.
    Move {
        /// Its place among the moves, counted from 0.
        index: usize,
        /// Why not.
        illegal: IllegalMove,
    },
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SetupError::Stone(illegal) => write!(f, "a stone cannot be set up: {illegal}"),
            SetupError::Uneven { black, white } => {
                write!(
                    f,
                    "{black} black and {white} white stones: expected as many, or one more "
                )?;
                f.write_str("black stone")
            }
            SetupError::Move { index, illegal } => write!(f, "move {}: {illegal}", index + 1),
        }
    }
}

impl core::error::Error for SetupError {}
