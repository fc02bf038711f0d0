//! Half a line: the five points on one side of a point, as one colour sees them.
//!
//! Only the stretch up to the first point that the colour cannot use matters, so a half is that
//! stretch and what ends it, and there are few enough of them to tabulate every pair.

use tengen_rules::Color;

/// How far along a line a stone is seen: a five reaches four points, and its end one more.
pub(super) const REACH: usize = 5;

/// The number of halves: every stretch shorter than [`REACH`] with either end, and every full one.
pub(super) const HALVES: usize = 2 * ((1 << REACH) - 1) + (1 << REACH);

/// What ends a stretch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum HalfEnd {
    /// The opponent's stone.
    Opponent,
    /// The edge of the board.
    Edge,
    /// Nothing within reach.
    Open,
}

/// The points from the nearest on that are empty or the colour's own, and what ends them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Half {
    /// How many points, 0 to [`REACH`].
    pub(super) length: usize,
    /// Bit `k` is set when the point at distance `k + 1` holds an own stone.
    pub(super) own: u32,
    pub(super) end: HalfEnd,
}

impl Half {
    /// The half's number, below [`HALVES`].
    pub(super) const fn index(self) -> usize {
        let end = match self.end {
            HalfEnd::Opponent => 0,
            HalfEnd::Edge => 1,
            HalfEnd::Open => return 2 * ((1 << REACH) - 1) + self.own as usize,
        };
        2 * ((1 << self.length) - 1) + 2 * self.own as usize + end
    }

    /// The half with this number.
    pub(super) const fn from_index(index: usize) -> Half {
        let full = 2 * ((1 << REACH) - 1);
        if index >= full {
            return Half { length: REACH, own: (index - full) as u32, end: HalfEnd::Open };
        }
        let length = (index / 2 + 1).ilog2() as usize;
        let own = (index / 2 + 1 - (1 << length)) as u32;
        let end = if index.is_multiple_of(2) { HalfEnd::Opponent } else { HalfEnd::Edge };
        Half { length, own, end }
    }

    /// Reads a key of five points, nearest first, two bits each as in `code`.
    const fn read(key: usize, own_code: usize) -> Half {
        let mut own = 0;
        let mut length = 0;
        while length < REACH {
            let point = key >> (2 * length) & 3;
            if point == own_code {
                own |= 1 << length;
            } else if point == EDGE {
                return Half { length, own, end: HalfEnd::Edge };
            } else if point != EMPTY {
                return Half { length, own, end: HalfEnd::Opponent };
            }
            length += 1;
        }
        Half { length, own, end: HalfEnd::Open }
    }
}

/// A point of a key that is empty.
pub(super) const EMPTY: usize = 0;
/// A point of a key that is off the board.
pub(super) const EDGE: usize = 3;

/// A point of a key with a stone on it.
pub(super) const fn code(color: Color) -> usize {
    match color {
        Color::Black => 1,
        Color::White => 2,
    }
}

/// The half's number for every key, as one colour sees it.
pub(super) const fn views(color: Color) -> [u8; 1 << (2 * REACH)] {
    let mut views = [0; 1 << (2 * REACH)];
    let mut key = 0;
    while key < views.len() {
        views[key] = Half::read(key, code(color)).index() as u8;
        key += 1;
    }
    views
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_halves_are_one_to_one() {
        for index in 0..HALVES {
            assert_eq!(Half::from_index(index).index(), index);
        }
        assert_eq!(HALVES, 94);
    }
}
