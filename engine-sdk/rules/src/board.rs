//! The board: stones in any arrangement, kept as one word of bits for each line and colour.

use alloc::vec::Vec;
use core::fmt::{self, Write};

use crate::line::{Direction, Line, bits};
use crate::{ByColor, Color, Point, Rule, Size};

/// Stones on a board, in any arrangement.
///
/// Every line of the board (rows, columns, both diagonals) is a word of bits for each colour, kept
/// up to date by [`place`](Board::place) and [`remove`](Board::remove). No operation allocates.
///
/// ```
/// use tengen_rules::{Board, Color, Point, Rule, Size};
/// let mut board = Board::new(Size::STANDARD);
/// for x in 3..7 {
///     board.place(Point::new(x, 7), Color::Black);
/// }
/// assert!(board.wins(Rule::Standard, "h8".parse().unwrap(), Color::Black));
/// assert!(!board.wins(Rule::Standard, "i8".parse().unwrap(), Color::Black));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Board {
    size: Size,
    count: u16,
    lines: ByColor<[u32; Line::COUNT]>,
}

impl Board {
    /// An empty board.
    pub const fn new(size: Size) -> Board {
        let empty = [0; Line::COUNT];
        Board { size, count: 0, lines: ByColor { black: empty, white: empty } }
    }

    /// The size.
    pub const fn size(&self) -> Size {
        self.size
    }

    /// The stone on the point; none where it is empty or off the board.
    #[inline]
    pub fn get(&self, point: Point) -> Option<Color> {
        if !self.size.contains(point) {
            return None;
        }
        let line = Direction::Row.through(point).index();
        let bit = 1 << point.x();
        if self.lines.black[line] & bit != 0 {
            Some(Color::Black)
        } else if self.lines.white[line] & bit != 0 {
            Some(Color::White)
        } else {
            None
        }
    }

    /// Whether the point is on the board and has no stone.
    #[inline]
    pub fn is_empty(&self, point: Point) -> bool {
        self.size.contains(point) && self.get(point).is_none()
    }

    /// Puts a stone on an empty point.
    ///
    /// # Panics
    /// When the point is off the board or not empty.
    #[inline]
    pub fn place(&mut self, point: Point, color: Color) {
        assert!(self.is_empty(point), "no empty point");
        let lines = &mut self.lines[color];
        for direction in Direction::ALL {
            lines[direction.through(point).index()] |= 1 << direction.bit(point);
        }
        self.count += 1;
    }

    /// Takes the stone off the point and tells its colour.
    ///
    /// # Panics
    /// When the point has no stone.
    #[inline]
    pub fn remove(&mut self, point: Point) -> Color {
        let color = self.get(point).expect("a stone to remove");
        let lines = &mut self.lines[color];
        for direction in Direction::ALL {
            lines[direction.through(point).index()] &= !(1 << direction.bit(point));
        }
        self.count -= 1;
        color
    }

    /// How many stones there are.
    pub const fn count(&self) -> usize {
        self.count as usize
    }

    /// Whether every point has a stone.
    pub const fn is_full(&self) -> bool {
        self.count() == self.size.area()
    }

    /// Every stone, in the order of [`Point`].
    pub fn stones(&self) -> impl Iterator<Item = (Point, Color)> {
        Direction::Column.lines(self.size).flat_map(|line| {
            let ByColor { black, white } = self.on(line);
            bits(black | white).map(move |bit| {
                let color = if black >> bit & 1 == 1 { Color::Black } else { Color::White };
                (line.point(bit), color)
            })
        })
    }

    /// Whether a stone of the colour on the point makes a row that wins under the rule. The stone
    /// may lie there already or be imagined on an empty point.
    ///
    /// # Panics
    /// When the point is off the board.
    pub fn wins(&self, rule: Rule, point: Point, color: Color) -> bool {
        assert!(self.size.contains(point), "no point of the board");
        let wins = |direction| self.winning_bits(rule, direction, point, color).is_some();
        Direction::ALL.into_iter().any(wins)
    }

    /// The stones of every row through the point that wins under the rule, in the order of
    /// [`Point`]; none where the stone on the point wins nothing or the point has none.
    ///
    /// ```
    /// use tengen_rules::{Board, Color, Point, Rule, Size};
    /// let mut board = Board::new(Size::STANDARD);
    /// let five = ["d8", "e8", "f8", "g8", "h8"].map(|text| text.parse::<Point>().unwrap());
    /// for point in five {
    ///     board.place(point, Color::Black);
    /// }
    /// assert_eq!(board.winning_row(Rule::Renju, five[2]), five);
    /// ```
    pub fn winning_row(&self, rule: Rule, point: Point) -> Vec<Point> {
        let Some(color) = self.get(point) else { return Vec::new() };
        let mut stones = Vec::new();
        for direction in Direction::ALL {
            if let Some(row) = self.winning_bits(rule, direction, point, color) {
                let line = direction.through(point);
                stones.extend(bits(row).map(|bit| line.point(bit)));
            }
        }
        stones.sort_unstable();
        // The rows share the point.
        stones.dedup();
        stones
    }

    /// The bits of the row that a stone of the colour on the point makes in the direction, if that
    /// row wins under the rule.
    #[inline]
    fn winning_bits(
        &self,
        rule: Rule,
        direction: Direction,
        point: Point,
        color: Color,
    ) -> Option<u32> {
        let stones = self.on(direction.through(point));
        let row = row_through(stones[color], direction.bit(point));
        let wins = match rule {
            Rule::Freestyle => row.count_ones() >= 5,
            Rule::Standard => row.count_ones() == 5,
            Rule::Renju => match color {
                Color::Black => row.count_ones() == 5,
                Color::White => row.count_ones() >= 5,
            },
            Rule::Caro => {
                let ends = (row << 1 | row >> 1) & !row;
                let blocked = (ends & u64::from(stones[!color]) << 1).count_ones() == 2;
                row.count_ones() > 5 || row.count_ones() == 5 && !blocked
            }
        };
        wins.then_some((row >> 1) as u32)
    }

    /// Both colours' stones on the line.
    #[inline]
    pub(crate) fn on(&self, line: Line) -> ByColor<u32> {
        let index = line.index();
        ByColor { black: self.lines.black[index], white: self.lines.white[index] }
    }

    /// The line's black stones and its empty points.
    #[inline]
    pub(crate) fn black_and_empty(&self, line: Line) -> (u32, u32) {
        let ByColor { black, white } = self.on(line);
        (black, line.on_board(self.size) & !(black | white))
    }
}

/// The unbroken row through the bit, as if it were set, one bit up so that both its ends have room.
#[inline]
pub(crate) fn row_through(stones: u32, bit: u32) -> u64 {
    let stones = (u64::from(stones) | 1 << bit) << 1;
    let bit = bit + 1;
    let upwards = (!(stones >> bit)).trailing_zeros();
    let downwards = (!(stones << (63 - bit))).leading_zeros();
    let length = upwards + downwards - 1;
    ((1 << length) - 1) << (bit + 1 - downwards)
}

impl fmt::Display for Board {
    /// A diagram with the highest row first: `X` black, `O` white, `.` empty.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for y in (0..self.size.height()).rev() {
            for x in 0..self.size.width() {
                f.write_char(match self.get(Point::new(x, y)) {
                    Some(Color::Black) => 'X',
                    Some(Color::White) => 'O',
                    None => '.',
                })?;
            }
            f.write_char('\n')?;
        }
        Ok(())
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.size)?;
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::{String, ToString};

    use super::*;

    /// A row of the board from a text; its first letter is column a.
    fn row(text: &str) -> Board {
        let mut board = Board::new(Size::new(text.len() as u8, 5).unwrap());
        for (x, letter) in (0..).zip(text.chars()) {
            match letter {
                'X' => board.place(Point::new(x, 2), Color::Black),
                'O' => board.place(Point::new(x, 2), Color::White),
                _ => {}
            }
        }
        board
    }

    /// The rules under which a stone of the colour in the given column wins.
    fn winning(text: &str, x: u8, color: Color) -> Vec<&'static str> {
        let board = row(text);
        let wins = |rule: &Rule| board.wins(*rule, Point::new(x, 2), color);
        Rule::ALL.into_iter().filter(wins).map(Rule::name).collect()
    }

    #[test]
    fn five_win_under_every_rule() {
        assert_eq!(winning("XXXX....", 4, Color::Black).len(), 4);
        assert_eq!(winning("OO.OO...", 2, Color::White).len(), 4);
        assert_eq!(winning("...XXXXX", 5, Color::Black).len(), 4);
    }

    #[test]
    fn six_win_only_where_a_longer_row_does() {
        assert_eq!(winning("XXX.XX..", 3, Color::Black), ["freestyle", "caro"]);
        assert_eq!(winning("OOO.OO..", 3, Color::White), ["freestyle", "renju", "caro"]);
    }

    #[test]
    fn caro_is_blocked_by_two_opponents_and_by_no_edge() {
        assert!(!winning("OXXX.XO.", 4, Color::Black).contains(&"caro"));
        assert!(winning("XXX.XO..", 3, Color::Black).contains(&"caro"));
        assert!(winning("OXXX.X..", 4, Color::Black).contains(&"caro"));
        assert!(winning("OXXX.XXO", 4, Color::Black).contains(&"caro"));
    }

    /// The winning row through a point of a diagram, whose highest row comes first; marked `#`.
    fn marked(rule: Rule, point: &str, diagram: [&str; 7]) -> String {
        let mut board = Board::new(Size::new(8, 7).unwrap());
        for (y, row) in (0..).zip(diagram.iter().rev()) {
            for (x, letter) in (0..).zip(row.chars()) {
                match letter {
                    'X' => board.place(Point::new(x, y), Color::Black),
                    'O' => board.place(Point::new(x, y), Color::White),
                    _ => {}
                }
            }
        }
        let row = board.winning_row(rule, point.parse().unwrap());
        assert!(row.is_sorted());
        let mut text = String::new();
        for (y, line) in (0..7).rev().zip(diagram) {
            let mark = |(x, letter)| if row.contains(&Point::new(x, y)) { '#' } else { letter };
            text.extend((0..).zip(line.chars()).map(mark));
            text.push('\n');
        }
        text
    }

    #[test]
    fn two_rows_that_win_at_once_are_both_marked() {
        let diagram = [
            "X...O...", //
            "XX......", "X.X..O..", "X..X....", "XXXXX.X.", "....OX..", "X.O.....",
        ];
        let both = [
            "#...O...", //
            "##......", "#.#..O..", "#..#....", "#XXX#.X.", "....O#..", "X.O.....",
        ];
        assert_eq!(marked(Rule::Freestyle, "a7", diagram), both.join("\n") + "\n");
        let across = marked(Rule::Freestyle, "d3", diagram);
        assert_eq!(across.matches('#').count(), 5, "{across}");
        assert!(across.contains("#####.X."), "{across}");
    }

    #[test]
    fn a_blocked_five_of_caro_is_not_marked_beside_one_that_wins() {
        let diagram = [
            "X.......", //
            "X.......", "X.......", "X.......", "XXXXXO..", ".......O", "........",
        ];
        let up = marked(Rule::Caro, "a3", diagram);
        assert_eq!(up.matches('#').count(), 9, "the edge does not block: {up}");
        let diagram = [
            "..X.....", //
            "..X.....", "..X.....", "..X.....", "OXXXXXO.", "........", "........",
        ];
        let only = [
            "..#.....", //
            "..#.....", "..#.....", "..#.....", "OX#XXXO.", "........", "........",
        ];
        assert_eq!(marked(Rule::Caro, "c3", diagram), only.join("\n") + "\n");
        assert!(!marked(Rule::Caro, "b3", diagram).contains('#'), "a blocked five wins nothing");
        assert!(marked(Rule::Freestyle, "b3", diagram).contains("O#####O."));
    }

    #[test]
    fn an_overline_is_marked_where_it_wins() {
        let diagram = [
            "X......O", //
            "X......O", "X......O", "X......O", "XXXXXX.O", "..OOOOOO", "........",
        ];
        for (rule, black, white) in [
            (Rule::Freestyle, 10, 11),
            (Rule::Standard, 5, 0),
            (Rule::Renju, 5, 11),
            (Rule::Caro, 10, 11),
        ] {
            let count = |point| marked(rule, point, diagram).matches('#').count();
            assert_eq!((count("a3"), count("h2")), (black, white), "{rule}");
        }
        assert!(!marked(Rule::Freestyle, "a1", diagram).contains('#'), "no stone, no row");
    }

    #[test]
    fn a_row_may_fill_the_largest_board() {
        let mut board = Board::new(Size::new(32, 32).unwrap());
        for x in 0..32 {
            board.place(Point::new(x, x), Color::White);
        }
        assert!(board.wins(Rule::Freestyle, Point::new(31, 31), Color::White));
        assert!(board.wins(Rule::Caro, Point::new(0, 0), Color::White));
        assert!(!board.wins(Rule::Standard, Point::new(16, 16), Color::White));
    }

    #[test]
    fn stones_come_in_the_order_of_points() {
        let board = row("X.O.XO..");
        let stones: Vec<_> = board.stones().collect();
        assert!(stones.is_sorted_by_key(|(point, _)| *point));
        assert_eq!(stones.len(), board.count());
        assert!(board.to_string().contains("X.O.XO..\n"));
    }
}
