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

impl Point {
    /// What [`Display`](fmt::Display) prints, and its length.
    #[inline]
    #[doc(hidden)]
    pub fn ascii(self) -> ([u8; 5], usize) {
        let (mut buffer, mut length) = ([0; 5], 0);
        let mut push = |byte| {
            buffer[length] = byte;
            length += 1;
        };
        if self.x >= 26 {
            push(b'a' + self.x / 26 - 1);
        }
        push(b'a' + self.x % 26);
        let row = u16::from(self.y) + 1;
        for (place, least) in [(100, 100), (10, 10), (1, 1)] {
            if row >= least {
                push(b'0' + (row / place % 10) as u8);
            }
        }
        (buffer, length)
    }

    /// Reads whatever [`Display`](fmt::Display) prints. That goes beyond the largest board, since a
    /// record must hold every answer that an engine gave, points off the board included.
    #[inline]
    #[doc(hidden)]
    pub fn from_ascii(text: &[u8]) -> Option<Point> {
        let (x, row) = match *text {
            [low @ b'a'..=b'z', ref row @ ..] if row.first()?.is_ascii_digit() => (low - b'a', row),
            [high @ b'a'..=b'i', low @ b'a'..=b'z', ref row @ ..] => {
                (u8::try_from(26 * u16::from(high - b'a' + 1) + u16::from(low - b'a')).ok()?, row)
            }
            _ => return None,
        };
        if !matches!(row, [b'1'..=b'9'] | [b'1'..=b'9', _] | [b'1'..=b'9', _, _]) {
            return None;
        }
        if !row.iter().all(u8::is_ascii_digit) {
            return None;
        }
        let number = row.iter().fold(0, |number, digit| 10 * number + u16::from(digit - b'0'));
        Some(Point::new(x, u8::try_from(number - 1).ok()?))
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (buffer, length) = self.ascii();
        buffer[..length].iter().try_for_each(|byte| f.write_char(char::from(*byte)))
    }
}

/// The text for a point that is not on the board: a point beyond every board has no name.
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
        let is_on_some_board = |point: &Point| point.x.max(point.y) < Size::MAX;
        Point::from_ascii(text.as_bytes()).filter(is_on_some_board).ok_or(ParsePointError)
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
    fn a_point_beyond_every_board_has_a_text_for_records() {
        for x in 0..=255 {
            for y in 0..=255 {
                let point = Point::new(x, y);
                assert_eq!(Point::from_ascii(point.to_string().as_bytes()), Some(point));
            }
        }
        for text in
            ["", "h", "8", "8h", "h0", "h08", "H8", "h8 ", "h257", "iw1", "ja1", "h+1", "é1"]
        {
            assert_eq!(Point::from_ascii(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn text_that_is_no_point_is_refused() {
        for text in ["", "h", "8", "8h", "h0", "h08", "H8", "h8 ", "ag1", "ba1", "h123", "h+1"] {
            assert_eq!(text.parse::<Point>(), Err(ParsePointError), "{text}");
        }
    }
}
