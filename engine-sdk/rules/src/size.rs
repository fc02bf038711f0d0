//! The size of a board.

use core::fmt;
use core::str::FromStr;

use crate::Point;

/// The size of a board, 5 to 32 points each way; it may be rectangular.
///
/// ```
/// use tengen_rules::Size;
/// let size: Size = "20x15".parse().unwrap();
/// assert_eq!((size.width(), size.height()), (20, 15));
/// assert_eq!("15".parse(), Ok(Size::STANDARD));
/// assert_eq!(Size::STANDARD.center().to_string(), "h8");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Size {
    width: u8,
    height: u8,
}

impl Size {
    /// The smallest side.
    pub const MIN: u8 = 5;
    /// The largest side.
    pub const MAX: u8 = 32;
    /// 15×15, the board of renju.
    pub const STANDARD: Size = Size { width: 15, height: 15 };

    /// A board of `width` columns and `height` rows.
    ///
    /// # Errors
    /// When a side is not within 5 to 32.
    pub const fn new(width: u8, height: u8) -> Result<Size, SizeError> {
        if width < Size::MIN || width > Size::MAX || height < Size::MIN || height > Size::MAX {
            return Err(SizeError);
        }
        Ok(Size { width, height })
    }

    /// The number of columns.
    pub const fn width(self) -> u8 {
        self.width
    }

    /// The number of rows.
    pub const fn height(self) -> u8 {
        self.height
    }

    /// The number of points.
    pub const fn area(self) -> usize {
        self.width as usize * self.height as usize
    }

    /// Whether the point lies on the board.
    pub const fn contains(self, point: Point) -> bool {
        point.x() < self.width && point.y() < self.height
    }

    /// The centre; on an even side the point right of or above the middle.
    pub const fn center(self) -> Point {
        Point::new(self.width / 2, self.height / 2)
    }

    /// Every point, column by column, which is the order of [`Point`].
    pub fn points(self) -> impl Iterator<Item = Point> {
        (0..self.width).flat_map(move |x| (0..self.height).map(move |y| Point::new(x, y)))
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.width == self.height {
            write!(f, "{}", self.width)
        } else {
            write!(f, "{}x{}", self.width, self.height)
        }
    }
}

/// A board size that is not 5 to 32 points each way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SizeError;

impl fmt::Display for SizeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a board size: expected 5 to 32, as in 15, or two of them, as in 20x15")
    }
}

impl core::error::Error for SizeError {}

impl FromStr for Size {
    type Err = SizeError;

    fn from_str(text: &str) -> Result<Size, SizeError> {
        // The integers of the standard library may have a sign and leading zeros.
        let side = |text: &str| match text.as_bytes() {
            [b'1'..=b'9', ..] => text.parse::<u8>().map_err(|_| SizeError),
            _ => Err(SizeError),
        };
        match text.split_once(['x', 'X']) {
            Some((width, height)) => Size::new(side(width)?, side(height)?),
            None => Size::new(side(text)?, side(text)?),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn every_size_reads_as_it_prints() {
        for width in Size::MIN..=Size::MAX {
            for height in Size::MIN..=Size::MAX {
                let size = Size::new(width, height).unwrap();
                assert_eq!(size.to_string().parse(), Ok(size));
            }
        }
        assert_eq!("15x15".parse(), Ok(Size::STANDARD));
        assert_eq!("20X15".parse(), Size::new(20, 15));
    }

    #[test]
    fn text_that_is_no_size_is_refused() {
        for text in
            ["", "4", "33", "x", "15x", "x15", "15x15x15", "+15", "015", "15x+9", " 15", "-9"]
        {
            assert_eq!(text.parse::<Size>(), Err(SizeError), "{text}");
        }
    }
}
