//! The two colours, and one value for each.

use core::fmt;
use core::ops::{Index, IndexMut, Not};

/// The colour of a stone. Black plays first.
///
/// ```
/// use tengen_rules::Color;
/// assert_eq!(!Color::Black, Color::White);
/// assert_eq!(Color::of_ply(0), Color::Black);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Color {
    /// Plays the first stone; under renju the side with forbidden moves.
    Black,
    /// Plays the second stone.
    White,
}

impl Color {
    /// Both colours, Black first.
    pub const ALL: [Color; 2] = [Color::Black, Color::White];

    /// The colour of the stone laid as number `ply`, counted from 0: colours alternate from Black.
    pub const fn of_ply(ply: usize) -> Color {
        if ply % 2 == 0 { Color::Black } else { Color::White }
    }

    /// `black` or `white`.
    pub const fn name(self) -> &'static str {
        match self {
            Color::Black => "black",
            Color::White => "white",
        }
    }
}

impl Not for Color {
    type Output = Color;

    fn not(self) -> Color {
        match self {
            Color::Black => Color::White,
            Color::White => Color::Black,
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One value for each colour.
///
/// ```
/// use tengen_rules::{ByColor, Color};
/// let mut stones = ByColor { black: 3, white: 2 };
/// stones[Color::White] += 1;
/// assert_eq!(stones, ByColor { black: 3, white: 3 });
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct ByColor<T> {
    /// Black's.
    pub black: T,
    /// White's.
    pub white: T,
}

impl<T> Index<Color> for ByColor<T> {
    type Output = T;

    fn index(&self, color: Color) -> &T {
        match color {
            Color::Black => &self.black,
            Color::White => &self.white,
        }
    }
}

impl<T> IndexMut<Color> for ByColor<T> {
    fn index_mut(&mut self, color: Color) -> &mut T {
        match color {
            Color::Black => &mut self.black,
            Color::White => &mut self.white,
        }
    }
}
