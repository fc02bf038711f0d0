//! Points of the board, and their text (`h8`).

use core::fmt::{self, Write};
use core::str::FromStr;

use crate::Size;

/// An intersection of the board, counted from 0; `a1` = (0, 0) is the bottom left corner.
///
/// Columns are `a` to `z`, then `aa` to `af`; rows are numbered from 1. Points order by column,
/// then row.
///
/// ```
/// use tengen_rules::Point;
/// let point: Point = "h8".parse().unwrap();
/// assert_eq!((point.x(), point.y()), (7, 7));
/// assert_eq!(Point::new(26, 31).to_string(), "aa32");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point {
    x: u8,
    y: u8,
}

impl Point {
    /// The point in column `x` and row `y`, both counted from 0.
    pub const fn new(x: u8, y: u8) -> Point {
        Point { x, y }
    }

    /// The column, counted from 0 on the left.
    pub const fn x(self) -> u8 {
        self.x
    }

    /// The row, counted from 0 at the bottom.
    pub const fn y(self) -> u8 {
        self.y
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.x >= 26 {
            f.write_char((b'a' + self.x / 26 - 1) as char)?;
        }
        f.write_char((b'a' + self.x % 26) as char)?;
        write!(f, "{}", u16::from(self.y) + 1)
    }
}

/// What is said of a point that is not on the board: one beyond every board has no name.
pub(crate) struct OffBoardText(pub Point);

impl fmt::Display for OffBoardText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let OffBoardText(point) = self;
        match point.x.max(point.y) < Size::MAX {
            true => write!(f, "{point} is not on the board"),
            false => f.write_str("the point is not on the board"),
        }
    }
}

impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that is no point; points read like `h8`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParsePointError;

impl fmt::Display for ParsePointError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a point: expected a column letter and a row number, as in h8")
    }
}

impl core::error::Error for ParsePointError {}

impl FromStr for Point {
    type Err = ParsePointError;

    fn from_str(text: &str) -> Result<Point, ParsePointError> {
        let digits = text.find(|c: char| c.is_ascii_digit()).ok_or(ParsePointError)?;
        let (column, row) = text.split_at(digits);
        let x = match *column.as_bytes() {
            [c @ b'a'..=b'z'] => c - b'a',
            [b'a', c @ b'a'..=b'f'] => 26 + c - b'a',
            _ => return Err(ParsePointError),
        };
        if row.starts_with('0') || row.len() > 2 || !row.bytes().all(|b| b.is_ascii_digit()) {
            return Err(ParsePointError);
        }
        let y: u8 = row.parse().map_err(|_| ParsePointError)?;
        Ok(Point { x, y: y - 1 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn every_point_of_the_largest_board_reads_as_it_prints() {
        for x in 0..32 {
            for y in 0..32 {
                let point = Point::new(x, y);
                assert_eq!(point.to_string().parse(), Ok(point));
            }
        }
    }

    #[test]
    fn text_that_is_no_point_is_refused() {
        for text in ["", "h", "8", "8h", "h0", "h08", "H8", "h8 ", "ag1", "ba1", "h123", "h+1"] {
            assert_eq!(text.parse::<Point>(), Err(ParsePointError), "{text}");
        }
    }
}
