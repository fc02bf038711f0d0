//! Forbidden points kept up to date while stones are placed and removed.

use core::fmt;

use crate::forbidden::{Facts, renju_foul};
use crate::line::{Direction, Line, bits};
use crate::pattern::Pattern;
use crate::traits::Traits;
use crate::word::Four;
use crate::{Board, Color, Foul, Point, Size};

/// A board that knows at every moment what is forbidden to Black (renju), for engines that lay and
/// take back stones in their search.
///
/// [`place`](Fouls::place) and [`remove`](Fouls::remove) read the four lines through their point
/// anew, whatever else lies on the board and in whatever order stones come and go; a query is then
/// a look at the four lines through its point. Every answer is [`Board::foul`]'s. Nothing
/// allocates, and a copy is a plain copy of about 8 kB.
///
/// ```
/// use tengen_rules::{Color, Foul, Fouls, Size};
/// let mut fouls = Fouls::new(Size::STANDARD);
/// for point in ["g8", "i8", "h7", "h9"] {
///     fouls.place(point.parse()?, Color::Black);
/// }
/// assert_eq!(fouls.foul("h8".parse()?), Some(Foul::DoubleThree));
/// fouls.place("f8".parse()?, Color::White);
/// assert_eq!(fouls.foul("h8".parse()?), None);
/// fouls.remove("f8".parse()?);
/// assert_eq!(fouls.foul("h8".parse()?), Some(Foul::DoubleThree));
/// # Ok::<(), tengen_rules::ParsePointError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Fouls {
    board: Board,
    lines: [LineCache; Line::COUNT],
}

/// What is kept of a line.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct LineCache {
    pattern: Pattern,
    /// The points that make a three or a four in the lower half, those that make an overline or two
    /// fours in the upper half: one of the latter or two of the former need a closer look.
    hints: u64,
}

impl LineCache {
    const NOTHING: LineCache = LineCache { pattern: Pattern::NONE, hints: 0 };

    #[inline]
    const fn of(pattern: Pattern) -> LineCache {
        let upper = (pattern.overline | pattern.two_fours) as u64;
        let lower = (pattern.three | pattern.four) as u64;
        LineCache { pattern, hints: upper << 32 | lower }
    }
}

impl Fouls {
    /// An empty board.
    pub const fn new(size: Size) -> Fouls {
        Fouls { board: Board::new(size), lines: [LineCache::NOTHING; Line::COUNT] }
    }

    /// A board with stones.
    pub fn of(board: &Board) -> Fouls {
        let mut fouls = Fouls { board: board.clone(), lines: [LineCache::NOTHING; Line::COUNT] };
        for direction in Direction::ALL {
            for lines in direction.lines_by_four(board.size()) {
                if !lines.iter().all(|line| Pattern::is_void(board.on(*line).black)) {
                    fouls.read(lines);
                }
            }
        }
        fouls
    }

    /// The stones.
    #[inline]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// Puts a stone on an empty point.
    ///
    /// # Panics
    /// When the point is off the board or not empty.
    #[inline]
    pub fn place(&mut self, point: Point, color: Color) {
        self.board.place(point, color);
        self.read(Line::all_through(point));
    }

    /// Takes the stone off the point and tells its colour.
    ///
    /// # Panics
    /// When the point has no stone.
    #[inline]
    pub fn remove(&mut self, point: Point) -> Color {
        let color = self.board.remove(point);
        self.read(Line::all_through(point));
        color
    }

    /// Why a black stone on the empty point is forbidden, if it is. None for a point that has a
    /// stone or is off the board.
    #[inline]
    pub fn foul(&self, point: Point) -> Option<Foul> {
        if !self.board.size().contains(point) {
            return None;
        }
        let hints = Direction::ALL.into_iter().fold(0, |hints, direction| {
            let line = &self.lines[direction.through(point).index()];
            hints + (line.hints >> direction.bit(point) & (1 << 32 | 1))
        });
        if hints < 2 { None } else { renju_foul(self, point) }
    }

    /// Whether a black stone on the empty point makes exactly five, which wins and is never a foul.
    /// False for a point that has a stone or is off the board.
    #[inline]
    pub fn makes_five(&self, point: Point) -> bool {
        self.board.size().contains(point)
            && Direction::ALL.into_iter().any(|direction| {
                let line = &self.lines[direction.through(point).index()];
                line.pattern.five >> direction.bit(point) & 1 == 1
            })
    }

    /// Lays a black stone for a moment and hands out what [`lift`](Fouls::lift) needs.
    #[inline]
    pub(crate) fn lay(&mut self, point: Point) -> [LineCache; 4] {
        let before = Line::all_through(point).map(|line| self.lines[line.index()]);
        self.place(point, Color::Black);
        before
    }

    /// Takes back the stone laid last.
    #[inline]
    pub(crate) fn lift(&mut self, point: Point, before: [LineCache; 4]) {
        self.board.remove(point);
        for (line, kept) in Line::all_through(point).into_iter().zip(before) {
            self.lines[line.index()] = kept;
        }
    }

    /// For each column the rows of the points that may be forbidden.
    pub(crate) fn suspects(&self) -> [u32; 32] {
        let (mut once, mut suspects) = ([0; 32], [0; 32]);
        for line in Direction::ALL.into_iter().flat_map(|it| it.lines(self.board.size())) {
            let hints = self.lines[line.index()].hints;
            let (lower, upper) = (hints as u32, (hints >> 32) as u32);
            for bit in bits(lower | upper) {
                let point = line.point(bit);
                let (column, row) = (usize::from(point.x()), 1 << point.y());
                suspects[column] |= if upper >> bit & 1 == 1 { row } else { once[column] & row };
                once[column] |= row;
            }
        }
        suspects
    }

    /// Reads four lines anew.
    #[inline]
    fn read(&mut self, lines: [Line; 4]) {
        let words = lines.map(|line| self.board.black_and_empty(line));
        let (blacks, empties) = (words.map(|it| it.0), words.map(|it| it.1));
        let patterns = Pattern::of(Four(blacks), Four(empties));
        for (lane, line) in lines.into_iter().enumerate() {
            self.lines[line.index()] = LineCache::of(patterns.lane(lane));
        }
    }
}

impl Facts for Fouls {
    #[inline]
    fn traits(&self, point: Point) -> Traits {
        Direction::ALL.into_iter().fold(Traits::default(), |traits, direction| {
            let pattern = &self.lines[direction.through(point).index()].pattern;
            traits.and(Traits::on(pattern, direction.bit(point), direction))
        })
    }

    #[inline]
    fn straight_and_empty(&self, line: Line) -> (u32, u32) {
        let (_, empty) = self.board.black_and_empty(line);
        (self.lines[line.index()].pattern.straight, empty)
    }

    fn fouls(&self) -> Fouls {
        self.clone()
    }
}

impl fmt::Debug for Fouls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.board, f)
    }
}
