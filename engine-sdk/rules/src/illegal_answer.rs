//! Why an answer to an opening question is illegal.

use core::fmt;

use crate::point::OffBoardText;
use crate::{Ask, Point, Seat, Zone};

/// Why an answer inside an opening is illegal.
///
/// ```
/// use tengen_rules::IllegalAnswer;
/// let answer = IllegalAnswer::Occupied("h8".parse().unwrap());
/// assert!(answer.to_string().contains("h8"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IllegalAnswer {
    /// Nothing is asked any more: ordinary play goes on.
    OpeningOver,
    /// The other seat is asked.
    NotAsked {
        /// The seat that is.
        asked: Seat,
    },
    /// An answer of another kind, a choice that is not on offer.
    WrongKind {
        /// What was asked.
        asked: Ask,
    },
    /// Another number of points than was asked.
    WrongCount {
        /// How many were asked.
        asked: u8,
        /// How many came.
        given: usize,
    },
    /// A number of fifth moves outside the range.
    OutOfRange {
        /// The smallest.
        min: u8,
        /// The largest.
        max: u8,
        /// The number declared.
        given: u8,
    },
    /// A point that is not on the board.
    OffBoard(Point),
    /// A point that has a stone.
    Occupied(Point),
    /// A point named twice.
    Repeated(Point),
    /// A point outside the zone.
    OutOfZone(Point, Zone),
    /// Three stones that make none of the 26 canonical openings.
    NotCanonical([Point; 3]),
    /// Two fifth moves that count as the same.
    TooAlike(Point, Point),
    /// A fifth move that was not offered.
    NotOffered(Point),
    /// A pass, which no opening allows.
    Pass,
}

impl fmt::Display for IllegalAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IllegalAnswer::OpeningOver => f.write_str("the opening is over"),
            IllegalAnswer::NotAsked { asked } => write!(f, "the {asked} seat is asked"),
            IllegalAnswer::WrongKind { asked } => {
                write!(f, "not an answer to what is asked: {}", asked.name())
            }
            IllegalAnswer::WrongCount { asked, given } => {
                write!(f, "{asked} points are asked, not {given}")
            }
            IllegalAnswer::OutOfRange { min, max, given } => {
                write!(f, "{min} to {max} fifth moves may be declared, not {given}")
            }
            IllegalAnswer::OffBoard(point) => OffBoardText(*point).fmt(f),
            IllegalAnswer::Occupied(point) => write!(f, "{point} is occupied"),
            IllegalAnswer::Repeated(point) => write!(f, "{point} is named twice"),
            IllegalAnswer::OutOfZone(point, zone) => {
                write!(f, "{point} is not {}", ZoneText(*zone))
            }
            IllegalAnswer::NotCanonical([first, second, third]) => {
                write!(f, "{first} {second} {third} is none of the 26 canonical openings")
            }
            IllegalAnswer::TooAlike(one, other) => {
                write!(f, "the fifth moves {one} and {other} are alike")
            }
            IllegalAnswer::NotOffered(point) => write!(f, "{point} was not offered"),
            IllegalAnswer::Pass => f.write_str("no pass during the opening"),
        }
    }
}

impl core::error::Error for IllegalAnswer {}

/// A zone in words.
struct ZoneText(Zone);

impl fmt::Display for ZoneText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = |radius: u8| 2 * u16::from(radius) + 1;
        match self.0 {
            Zone::Anywhere => f.write_str("on the board"),
            Zone::Within(0) => f.write_str("the centre"),
            Zone::Within(radius) => write!(f, "in the central {0}×{0}", side(radius)),
            Zone::Beyond(radius) => write!(f, "outside the central {0}×{0}", side(radius)),
        }
    }
}
