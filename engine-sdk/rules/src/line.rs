//! The lines of a board: rows, columns and both diagonals.

use core::ops::Range;

use crate::{Point, Size};

/// The four ways a row can run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Direction {
    /// Along a row of the board.
    Row,
    /// Along a column.
    Column,
    /// Up to the right.
    Rising,
    /// Down to the right.
    Falling,
}

impl Direction {
    pub(crate) const ALL: [Direction; 4] =
        [Direction::Row, Direction::Column, Direction::Rising, Direction::Falling];

    /// Where this direction's lines begin among all lines.
    const fn offset(self) -> usize {
        match self {
            Direction::Row => 0,
            Direction::Column => 32,
            Direction::Rising => 64,
            Direction::Falling => 127,
        }
    }

    /// The line of this direction that runs through the point.
    #[inline]
    pub(crate) const fn through(self, point: Point) -> Line {
        let (x, y) = (point.x() as usize, point.y() as usize);
        let number = match self {
            Direction::Row => y,
            Direction::Column => x,
            Direction::Rising => x + 31 - y,
            Direction::Falling => x + y,
        };
        Line { direction: self, number: number as u8 }
    }

    /// The point's bit in its line's word: its row in a column, else its column.
    #[inline]
    pub(crate) const fn bit(self, point: Point) -> u32 {
        match self {
            Direction::Column => point.y() as u32,
            _ => point.x() as u32,
        }
    }

    /// The lines of this direction that have a point on the board.
    pub(crate) fn lines(self, size: Size) -> impl Iterator<Item = Line> {
        self.numbers(size).map(move |number| Line { direction: self, number })
    }

    /// The same lines, four neighbours at a time; the last four may repeat some.
    pub(crate) fn lines_by_four(self, size: Size) -> impl Iterator<Item = [Line; 4]> {
        let Range { start, end } = self.numbers(size);
        (start..end).step_by(4).map(move |number| {
            let first = number.min(end - 4);
            [0, 1, 2, 3].map(|next| Line { direction: self, number: first + next })
        })
    }

    const fn numbers(self, size: Size) -> Range<u8> {
        let (width, height) = (size.width(), size.height());
        match self {
            Direction::Row => 0..height,
            Direction::Column => 0..width,
            Direction::Rising => 32 - height..31 + width,
            Direction::Falling => 0..width + height - 1,
        }
    }
}

/// One line of the largest board; a smaller board lies in its lower left corner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Line {
    pub(crate) direction: Direction,
    /// Rows count upwards and columns to the right; rising lines from the upper left corner of
    /// the largest board, falling lines from the lower left one.
    number: u8,
}

impl Line {
    /// How many lines the largest board has: 32 rows, 32 columns, 63 diagonals each way.
    pub(crate) const COUNT: usize = 190;

    /// The lines through the point, in the order of [`Direction::ALL`].
    #[inline]
    pub(crate) fn all_through(point: Point) -> [Line; 4] {
        Direction::ALL.map(|direction| direction.through(point))
    }

    /// The line's place among all lines.
    #[inline]
    pub(crate) const fn index(self) -> usize {
        self.direction.offset() + self.number as usize
    }

    /// The bits of the line that lie on the board.
    #[inline]
    pub(crate) const fn on_board(self, size: Size) -> u32 {
        let (width, height) = (size.width() as u32, size.height() as u32);
        let number = self.number as u32;
        match self.direction {
            Direction::Row => below(width),
            Direction::Column => below(height),
            Direction::Rising => {
                let top = number + height - 31;
                let end = if top < width { top } else { width };
                below(end) & !below(number.saturating_sub(31))
            }
            Direction::Falling => {
                let end = if number < width { number + 1 } else { width };
                below(end) & !below((number + 1).saturating_sub(height))
            }
        }
    }

    /// The point at a bit of the line.
    #[inline]
    pub(crate) const fn point(self, bit: u32) -> Point {
        let (bit, number) = (bit as u8, self.number);
        match self.direction {
            Direction::Row => Point::new(bit, number),
            Direction::Column => Point::new(number, bit),
            Direction::Rising => Point::new(bit, bit + 31 - number),
            Direction::Falling => Point::new(bit, number - bit),
        }
    }
}

/// The lowest `count` bits, up to 32.
const fn below(count: u32) -> u32 {
    ((1u64 << count) - 1) as u32
}

/// The numbers of the set bits, lowest first.
pub(crate) fn bits(mut word: u32) -> impl Iterator<Item = u32> {
    core::iter::from_fn(move || {
        if word == 0 {
            return None;
        }
        let bit = word.trailing_zeros();
        word &= word - 1;
        Some(bit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_each_direction_cover_every_point_once() {
        for (width, height) in [(5, 5), (15, 15), (7, 32), (32, 6), (32, 32)] {
            let size = Size::new(width, height).unwrap();
            for direction in Direction::ALL {
                let mut covered = 0;
                for line in direction.lines(size) {
                    for bit in bits(line.on_board(size)) {
                        let point = line.point(bit);
                        assert!(size.contains(point), "{direction:?} {point}");
                        assert_eq!(direction.through(point), line);
                        assert_eq!(direction.bit(point), bit);
                        covered += 1;
                    }
                }
                assert_eq!(covered, size.area());
            }
        }
    }

    #[test]
    fn by_four_every_line_comes_and_none_besides() {
        for (width, height) in [(5, 5), (5, 8), (15, 15), (9, 32), (32, 32)] {
            let size = Size::new(width, height).unwrap();
            for direction in Direction::ALL {
                let index = |line: Line| usize::from(line.number);
                let (mut all, mut by_four) = ([false; 63], [false; 63]);
                direction.lines(size).for_each(|line| all[index(line)] = true);
                direction.lines_by_four(size).flatten().for_each(|it| by_four[index(it)] = true);
                assert_eq!(all, by_four, "{direction:?} {size}");
            }
        }
    }

    #[test]
    fn no_two_lines_share_a_place() {
        let size = Size::new(32, 32).unwrap();
        let mut seen = [false; Line::COUNT];
        for line in Direction::ALL.into_iter().flat_map(|direction| direction.lines(size)) {
            assert!(!core::mem::replace(&mut seen[line.index()], true), "{line:?}");
        }
        assert!(seen.into_iter().all(|seen| seen));
    }
}
