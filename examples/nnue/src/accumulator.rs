//! What lies on every line of seven points, kept up to date stone by stone.

use tengen_sdk::analysis::Analysis;
use tengen_sdk::{Color, Point, Size};

/// How many points a line has.
pub(crate) const LENGTH: usize = 7;
/// How many patterns of stones a line can have, seen from one side: empty, own, or the opponent's,
/// which the edge of the board counts as.
pub const PATTERNS: usize = 3_usize.pow(LENGTH as u32);
/// How far a stone is seen.
const REACH: usize = LENGTH / 2;
/// A row of the board with its edges.
const STRIDE: usize = 32 + 2 * REACH;
const CELLS: usize = STRIDE * STRIDE;
/// East, north, north-east, north-west.
const STEPS: [usize; 4] = [1, STRIDE, STRIDE + 1, STRIDE - 1];
/// What a point of a line counts as, by its place on it.
const POWERS: [u16; LENGTH] = [1, 3, 9, 27, 81, 243, 729];
const OWN: u16 = 1;
const OTHER: u16 = 2;

/// The pattern of each line of seven points, as Black sees it and as White does. A line is known by
/// the point in its middle, and each point is the middle of four.
///
/// [`Accumulator::place`] and [`Accumulator::remove`] say which patterns gave way to which: that is
/// all that a sum over the lines has to know.
#[derive(Clone)]
pub struct Accumulator {
    size: Size,
    /// By direction and cell, then by side.
    lines: Vec<[u16; 2]>,
}

/// The pattern of one line before and after a stone, for both sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineChange {
    /// What Black and White saw.
    pub before: [u16; 2],
    /// What they see now.
    pub after: [u16; 2],
}

impl Accumulator {
    /// The lines of an empty board.
    pub fn new(size: Size) -> Accumulator {
        let mut accumulator = Accumulator { size, lines: vec![[0; 2]; STEPS.len() * CELLS] };
        let (width, height) = (usize::from(size.width()), usize::from(size.height()));
        for y in 0..height + 2 * REACH {
            for x in 0..width + 2 * REACH {
                let is_inside = (REACH..REACH + width).contains(&x);
                if !is_inside || !(REACH..REACH + height).contains(&y) {
                    accumulator.lay(y * STRIDE + x, [OTHER, OTHER], &mut |_| {});
                }
            }
        }
        accumulator
    }

    /// The lines of a board.
    pub fn of(analysis: &Analysis) -> Accumulator {
        let mut accumulator = Accumulator::new(analysis.size());
        for (point, color) in analysis.board().stones() {
            accumulator.place(point, color, |_| {});
        }
        accumulator
    }

    /// A stone has been laid.
    #[inline]
    pub fn place(&mut self, point: Point, color: Color, mut changed: impl FnMut(LineChange)) {
        self.lay(cell(point), marks(color), &mut changed);
    }

    /// The stone has been taken away.
    #[inline]
    pub fn remove(&mut self, point: Point, color: Color, mut changed: impl FnMut(LineChange)) {
        // The same numbers, taken off.
        let marks = marks(color).map(u16::wrapping_neg);
        self.lay(cell(point), marks, &mut changed);
    }

    #[inline]
    fn lay(&mut self, cell: usize, marks: [u16; 2], changed: &mut impl FnMut(LineChange)) {
        for (direction, step) in STEPS.into_iter().enumerate() {
            for (place, power) in POWERS.into_iter().enumerate() {
                // The line in which the cell has this place.
                let middle = (cell + REACH * step).wrapping_sub(place * step);
                if middle >= CELLS {
                    continue;
                }
                let line = &mut self.lines[direction * CELLS + middle];
                let before = *line;
                for side in 0..2 {
                    line[side] = line[side].wrapping_add(marks[side].wrapping_mul(power));
                }
                if is_on(self.size, middle) {
                    changed(LineChange { before, after: *line });
                }
            }
        }
    }

    /// The patterns of all lines, for Black and White.
    pub fn patterns(&self) -> impl Iterator<Item = [u16; 2]> + '_ {
        let cells = self.size.points().map(cell);
        cells.flat_map(move |cell| (0..STEPS.len()).map(move |d| self.lines[d * CELLS + cell]))
    }
}

#[inline]
fn cell(point: Point) -> usize {
    (usize::from(point.y()) + REACH) * STRIDE + usize::from(point.x()) + REACH
}

/// Whether the cell is a point of the board.
#[inline]
fn is_on(size: Size, cell: usize) -> bool {
    let (x, y) = ((cell % STRIDE).wrapping_sub(REACH), (cell / STRIDE).wrapping_sub(REACH));
    x < usize::from(size.width()) && y < usize::from(size.height())
}

/// What a stone is to Black and to White.
#[inline]
fn marks(color: Color) -> [u16; 2] {
    match color {
        Color::Black => [OWN, OTHER],
        Color::White => [OTHER, OWN],
    }
}

/// The number of a pattern that is the same read from either end: the smaller of the two.
pub(crate) fn canonical(pattern: usize) -> usize {
    let mirrored =
        (0..LENGTH).fold((pattern, 0), |(rest, mirrored), _| (rest / 3, 3 * mirrored + rest % 3));
    pattern.min(mirrored.1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_sdk::Rule;
    use tengen_sdk::random::Random;

    /// The pattern of a line, point by point.
    fn read(analysis: &Analysis, middle: Point, (dx, dy): (i32, i32), us: Color) -> u16 {
        let size = analysis.size();
        (0..LENGTH)
            .map(|place| {
                let away = place as i32 - REACH as i32;
                let (x, y) = (i32::from(middle.x()) + away * dx, i32::from(middle.y()) + away * dy);
                let is_on =
                    x >= 0 && y >= 0 && x < i32::from(size.width()) && y < i32::from(size.height());
                let stone = is_on.then(|| analysis.get(Point::new(x as u8, y as u8)));
                let mark = match stone {
                    None => OTHER,
                    Some(None) => 0,
                    Some(Some(color)) if color == us => OWN,
                    Some(Some(_)) => OTHER,
                };
                mark * POWERS[place]
            })
            .sum()
    }

    #[test]
    fn lines_are_those_of_the_board_after_stones_come_and_go() {
        let sizes = [Size::STANDARD, Size::new(5, 9).unwrap(), Size::new(32, 32).unwrap()];
        for (size, seed) in sizes.into_iter().zip(1..) {
            let (mut random, mut analysis) =
                (Random::new(seed), Analysis::new(Rule::Freestyle, size));
            let mut lines = Accumulator::new(size);
            let points: Vec<Point> = size.points().collect();
            for ply in 0..60 {
                let point = points[random.below(points.len())];
                match analysis.get(point) {
                    Some(color) => {
                        analysis.remove(point);
                        lines.remove(point, color, |_| {});
                    }
                    None => {
                        analysis.place(point, Color::of_ply(ply));
                        lines.place(point, Color::of_ply(ply), |_| {});
                    }
                }
            }
            let steps = [(1, 0), (0, 1), (1, 1), (-1, 1)];
            let expected = size.points().flat_map(|point| {
                let read = |step, us| read(&analysis, point, step, us);
                steps.map(|step| [read(step, Color::Black), read(step, Color::White)])
            });
            assert!(lines.patterns().eq(expected), "{size}");
            assert!(Accumulator::of(&analysis).patterns().eq(lines.patterns()));
        }
    }

    #[test]
    fn a_pattern_and_its_mirror_image_are_one() {
        // Own stones on the first and second point, and on the last and last but one.
        assert_eq!(canonical(1 + 3), canonical(729 + 243));
        assert_eq!(canonical(canonical(2000)), canonical(2000));
        let kinds = (0..PATTERNS).filter(|&pattern| canonical(pattern) == pattern).count();
        assert_eq!(kinds, (PATTERNS + 81) / 2);
    }
}
