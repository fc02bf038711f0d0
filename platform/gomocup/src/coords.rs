//! Points as the protocol writes them.

use core::fmt;

use tengen_rules::{Point, Size};

/// Where a stone is put that an answer names off the board: no point of any [`Size`], so that the
/// arbiter finds the answer illegal instead of the line unreadable.
pub const OFF_BOARD: Point = Point::new(u8::MAX, u8::MAX);

/// A point as it is written, `X,Y`: column and row from 0, the origin at the top left. Not yet
/// known to lie on a board.
///
/// ```
/// use tengen_gomocup::Coords;
/// use tengen_rules::Size;
/// let size = Size::new(20, 15)?;
/// let coords = Coords::of("b15".parse()?, size);
/// assert_eq!(coords.to_string(), "1,0");
/// assert_eq!(coords.on(size), Some("b15".parse()?));
/// assert_eq!(Coords { x: 1, y: 15 }.on(size), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Coords {
    /// The column, from the left.
    pub x: i32,
    /// The row, from the top.
    pub y: i32,
}

impl Coords {
    /// How a point is written on a board of this size; a point off the board gives coordinates off
    /// the board.
    pub fn of(point: Point, size: Size) -> Coords {
        Coords { x: point.x().into(), y: i32::from(size.height()) - 1 - i32::from(point.y()) }
    }

    /// The point, if it is one of the board.
    pub fn on(self, size: Size) -> Option<Point> {
        let x = u8::try_from(self.x).ok()?;
        let y = u8::try_from(i64::from(size.height()) - 1 - i64::from(self.y)).ok()?;
        let point = Point::new(x, y);
        size.contains(point).then_some(point)
    }

    /// The point, or [`OFF_BOARD`].
    pub fn point(self, size: Size) -> Point {
        self.on(size).unwrap_or(OFF_BOARD)
    }
}

impl fmt::Display for Coords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.x, self.y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_of_every_size_comes_back() {
        for width in Size::MIN..=Size::MAX {
            for height in Size::MIN..=Size::MAX {
                let size = Size::new(width, height).unwrap();
                for point in size.points() {
                    assert_eq!(Coords::of(point, size).on(size), Some(point), "{size}");
                }
            }
        }
    }

    #[test]
    fn the_origin_is_the_top_left() {
        let size = Size::STANDARD;
        assert_eq!(Coords { x: 0, y: 0 }.on(size), Some("a15".parse().unwrap()));
        assert_eq!(Coords { x: 14, y: 14 }.on(size), Some("o1".parse().unwrap()));
        for (x, y) in [(-1, 0), (0, -1), (15, 0), (0, 15), (i32::MIN, i32::MAX)] {
            assert_eq!(Coords { x, y }.on(size), None);
            assert_eq!(Coords { x, y }.point(size), OFF_BOARD);
        }
        assert!(!Size::new(32, 32).unwrap().contains(OFF_BOARD));
        assert_eq!(Coords::of(OFF_BOARD, size).on(size), None);
    }
}
