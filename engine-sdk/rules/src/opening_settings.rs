//! What an event sets about its openings, and why an opening cannot be played.

use alloc::vec::Vec;
use core::fmt;

use crate::{Alike, IllegalMove, Point, Procedure, Size};

/// What an event sets about its openings.
///
/// ```
/// use tengen_rules::{OpeningSettings, Procedure};
/// let settings = OpeningSettings::new(Procedure::Soosorv8);
/// assert_eq!((settings.procedure, settings.fifth_moves), (Procedure::Soosorv8, None));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(remote = "Self", deny_unknown_fields))]
pub struct OpeningSettings {
    /// The procedure.
    pub procedure: Procedure,
    /// The smallest and the largest number of fifth moves that may be declared; none leaves it to
    /// the procedure.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub fifth_moves: Option<(u8, u8)>,
    /// When two offered fifth moves count as the same.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Alike::is_shape"))]
    pub alike: Alike,
    /// The stones that [`Procedure::Book`] gives, in order.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub book: Vec<Point>,
}

impl OpeningSettings {
    /// The most fifth moves that an event may let declare, so that every offer can be made.
    ///
    /// Whatever the four stones, there are 221 points for the fifth, and at most four of them are
    /// [alike](Alike): a turning, mirroring or moving that lays one shape on another lays White's
    /// two stones on each other or each on itself, in two ways each. That leaves 56 that are not
    /// alike, and 62 of the canonical openings at their most symmetric.
    pub const MOST_FIFTH_MOVES: u8 = 32;

    /// The procedure as its own rules have it, with no book.
    pub const fn new(procedure: Procedure) -> OpeningSettings {
        OpeningSettings { procedure, fifth_moves: None, alike: Alike::Shape, book: Vec::new() }
    }
}

/// Why an event's opening cannot be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OpeningError {
    /// The procedure is defined on 15×15 alone.
    BoardSize {
        /// The procedure.
        procedure: Procedure,
        /// The board it was to be played on.
        size: Size,
    },
    /// The board has no point where the procedure wants a stone.
    NoRoom {
        /// The procedure.
        procedure: Procedure,
        /// The board it was to be played on.
        size: Size,
    },
    /// A range of fifth moves for a procedure that declares none.
    NothingDeclared(Procedure),
    /// A range of fifth moves that is empty, begins at 0 or goes beyond
    /// [`OpeningSettings::MOST_FIFTH_MOVES`].
    FifthMoves {
        /// The smallest number.
        min: u8,
        /// The largest number.
        max: u8,
    },
    /// Stones of a book for a procedure that has none.
    NoBook(Procedure),
    /// A stone of the book that cannot be laid.
    BookStone(IllegalMove),
    /// A stone of the book that ends the game.
    BookEnds(Point),
}

impl fmt::Display for OpeningError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpeningError::BoardSize { procedure, size } => {
                write!(f, "the opening {procedure} needs a board of 15, not {size}")
            }
            OpeningError::NoRoom { procedure, size } => {
                write!(f, "the opening {procedure} needs a larger board than {size}")
            }
            OpeningError::NothingDeclared(procedure) => {
                write!(f, "the opening {procedure} lets declare no number of fifth moves")
            }
            OpeningError::FifthMoves { min, max } => {
                let most = OpeningSettings::MOST_FIFTH_MOVES;
                write!(f, "{min} to {max} fifth moves: expected a range within 1 to {most}")
            }
            OpeningError::NoBook(procedure) => {
                write!(f, "the opening {procedure} takes no stones from a book")
            }
            OpeningError::BookStone(illegal) => write!(f, "a book stone: {illegal}"),
            OpeningError::BookEnds(point) => {
                write!(f, "the book's stone on {point} ends the game")
            }
        }
    }
}

impl core::error::Error for OpeningError {}
