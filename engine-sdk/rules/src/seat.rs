//! The two seats of a game, and one value for each.

use core::fmt;
use core::ops::{Index, IndexMut, Not};

/// A player's place at the table. Clocks and results belong to seats; a swap moves the colours
/// between them and leaves the stones where they are.
///
/// ```
/// use tengen_rules::Seat;
/// assert_eq!(!Seat::First, Seat::Second);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Seat {
    /// The tentative Black, which acts first (A in the opening procedures).
    First,
    /// The tentative White (B in the opening procedures).
    Second,
}

impl Seat {
    /// Both seats, the first one first.
    pub const ALL: [Seat; 2] = [Seat::First, Seat::Second];

    /// `first` or `second`.
    pub const fn name(self) -> &'static str {
        match self {
            Seat::First => "first",
            Seat::Second => "second",
        }
    }
}

impl Not for Seat {
    type Output = Seat;

    fn not(self) -> Seat {
        match self {
            Seat::First => Seat::Second,
            Seat::Second => Seat::First,
        }
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One value for each seat.
///
/// ```
/// use tengen_rules::{BySeat, Seat};
/// let points = BySeat::from_fn(|seat| if seat == Seat::First { 1.0 } else { 0.5 });
/// assert_eq!(points[Seat::Second], 0.5);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct BySeat<T> {
    /// The first seat's.
    pub first: T,
    /// The second seat's.
    pub second: T,
}

impl<T> BySeat<T> {
    /// Makes a value for each seat.
    pub fn from_fn(mut make: impl FnMut(Seat) -> T) -> BySeat<T> {
        BySeat { first: make(Seat::First), second: make(Seat::Second) }
    }

    /// Turns each seat's value into another.
    pub fn map<U>(self, mut f: impl FnMut(T) -> U) -> BySeat<U> {
        BySeat { first: f(self.first), second: f(self.second) }
    }

    /// Borrows each seat's value.
    pub fn as_ref(&self) -> BySeat<&T> {
        BySeat { first: &self.first, second: &self.second }
    }

    /// Borrows each seat's value to change it.
    pub fn as_mut(&mut self) -> BySeat<&mut T> {
        BySeat { first: &mut self.first, second: &mut self.second }
    }
}

impl<T> Index<Seat> for BySeat<T> {
    type Output = T;

    fn index(&self, seat: Seat) -> &T {
        match seat {
            Seat::First => &self.first,
            Seat::Second => &self.second,
        }
    }
}

impl<T> IndexMut<Seat> for BySeat<T> {
    fn index_mut(&mut self, seat: Seat) -> &mut T {
        match seat {
            Seat::First => &mut self.first,
            Seat::Second => &mut self.second,
        }
    }
}
