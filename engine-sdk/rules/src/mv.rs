use core::fmt;

use crate::Point;

/// One ply of a game: a stone, or a pass.
///
/// ```
/// use tengen_rules::{Move, Point};
/// assert_eq!(Move::from(Point::new(7, 7)).point(), Some(Point::new(7, 7)));
/// assert_eq!(Move::Pass.point(), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Move {
    /// A stone on the point.
    Stone(Point),
    /// No stone; the turn goes over.
    Pass,
}

impl Move {
    /// The point of the stone, if it is one.
    pub const fn point(self) -> Option<Point> {
        match self {
            Move::Stone(point) => Some(point),
            Move::Pass => None,
        }
    }
}

impl From<Point> for Move {
    fn from(point: Point) -> Move {
        Move::Stone(point)
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Stone(point) => point.fmt(f),
            Move::Pass => f.write_str("pass"),
        }
    }
}
