//! The rules once more, as slowly and as literally as the written rules put them: a grid of cells,
//! one stone laid at a time, every definition read off the grid. Shares no code with the crate but
//! the names of its types.

#![allow(dead_code, reason = "each test uses its own part")]

use std::collections::BTreeSet;

use tengen_rules::{Board, Color, Foul, Point, Rule};

type Offset = (i32, i32);

const DIRECTIONS: [Offset; 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// How often an extension of a three was refused, by reason.
#[derive(Clone, Copy, Default, Debug)]
pub struct RefusalCounts {
    pub five: u32,
    pub overline: u32,
    pub double_four: u32,
    pub double_three: u32,
    /// How deep double-threes were judged inside one another.
    pub deepest: u32,
}

/// What lies on a point.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OracleCell {
    Empty,
    StoneOffset(Color),
    OffBoard,
}

const BLACK: OracleCell = OracleCell::StoneOffset(Color::Black);

/// How many columns and rows lie round the board, so that a walk along a line needs no checks.
const MARGIN: i32 = 6;
const SIDE: i32 = 32 + 2 * MARGIN;

/// Written with plain loops: it runs unoptimised, many million times.
#[derive(Clone)]
pub struct Oracle {
    /// Indexed by column, then row, margin included.
    cells: Vec<OracleCell>,
    pub refused: RefusalCounts,
}

/// Neighbouring stones of one colour.
struct StoneRow {
    first: Offset,
    step: Offset,
    length: i32,
}

impl StoneRow {
    /// The point that many steps on.
    fn at(from: Offset, step: Offset, n: i32) -> Offset {
        (from.0 + n * step.0, from.1 + n * step.1)
    }

    fn stones(&self) -> impl Iterator<Item = Offset> {
        (0..self.length).map(|n| StoneRow::at(self.first, self.step, n))
    }

    fn contains(&self, point: Offset) -> bool {
        self.stones().any(|stone| stone == point)
    }

    /// The points before the first stone and after the last one.
    fn beyond(&self) -> [Offset; 2] {
        [-1, self.length].map(|n| StoneRow::at(self.first, self.step, n))
    }
}

impl Oracle {
    pub fn of(board: &Board) -> Oracle {
        let cells = vec![OracleCell::OffBoard; (SIDE * SIDE) as usize];
        let mut oracle = Oracle { cells, refused: RefusalCounts::default() };
        for point in board.size().points() {
            let cell = board.get(point).map_or(OracleCell::Empty, OracleCell::StoneOffset);
            oracle.set((point.x().into(), point.y().into()), cell);
        }
        oracle
    }

    fn cell(&self, (x, y): Offset) -> OracleCell {
        self.cells[((x + MARGIN) * SIDE + y + MARGIN) as usize]
    }

    fn set(&mut self, (x, y): Offset, cell: OracleCell) {
        self.cells[((x + MARGIN) * SIDE + y + MARGIN) as usize] = cell;
    }

    /// The unbroken row of the colour through the stone.
    fn row(&self, stone: Offset, step: Offset, color: OracleCell) -> StoneRow {
        let mut first = stone;
        while self.cell((first.0 - step.0, first.1 - step.1)) == color {
            first = (first.0 - step.0, first.1 - step.1);
        }
        let mut length = 1;
        while self.cell((first.0 + length * step.0, first.1 + length * step.1)) == color {
            length += 1;
        }
        StoneRow { first, step, length }
    }

    /// Whether a stone of the colour laid on the point makes a row that wins.
    pub fn wins(&mut self, rule: Rule, point: Point, color: Color) -> bool {
        let at = (i32::from(point.x()), i32::from(point.y()));
        let before = self.cell(at);
        self.set(at, OracleCell::StoneOffset(color));
        let won = DIRECTIONS.into_iter().any(|step| {
            let row = self.row(at, step, OracleCell::StoneOffset(color));
            let [first, second] = row.beyond().map(|end| self.cell(end));
            match (rule, color) {
                (Rule::Freestyle, _) | (Rule::Renju, Color::White) => row.length >= 5,
                (Rule::Standard, _) | (Rule::Renju, Color::Black) => row.length == 5,
                (Rule::Caro, _) => {
                    let opponent = OracleCell::StoneOffset(!color);
                    let blocked = first == opponent && second == opponent;
                    row.length > 5 || row.length == 5 && !blocked
                }
            }
        });
        self.set(at, before);
        won
    }

    /// Black on an empty point.
    pub fn foul(&mut self, point: Point) -> Option<Foul> {
        let at = (i32::from(point.x()), i32::from(point.y()));
        if self.cell(at) == OracleCell::Empty { self.judge(at, 1) } else { None }
    }

    fn judge(&mut self, at: Offset, depth: u32) -> Option<Foul> {
        self.set(at, BLACK);
        let foul = self.judge_stone(at, depth);
        self.set(at, OracleCell::Empty);
        foul
    }

    fn judge_stone(&mut self, at: Offset, depth: u32) -> Option<Foul> {
        let lengths = DIRECTIONS.map(|step| self.row(at, step, BLACK).length);
        if lengths.contains(&5) {
            return None;
        }
        if lengths.into_iter().any(|length| length > 5) {
            return Some(Foul::Overline);
        }
        if self.fours(at).len() >= 2 {
            return Some(Foul::DoubleFour);
        }
        let threes = DIRECTIONS.into_iter().filter(|step| self.is_three(at, *step, depth));
        if threes.count() >= 2 { Some(Foul::DoubleThree) } else { None }
    }

    /// The fours that the stone belongs to, each by its four stones.
    fn fours(&mut self, at: Offset) -> BTreeSet<Vec<Offset>> {
        let mut fours = BTreeSet::new();
        for step in DIRECTIONS {
            let mut n = -5;
            while n < 5 {
                n += 1;
                let completion = StoneRow::at(at, step, n);
                if self.cell(completion) != OracleCell::Empty {
                    continue;
                }
                self.set(completion, BLACK);
                let row = self.row(completion, step, BLACK);
                if row.length == 5 && row.contains(at) {
                    fours.insert(row.stones().filter(|stone| *stone != completion).collect());
                }
                self.set(completion, OracleCell::Empty);
            }
        }
        fours
    }

    fn is_three(&mut self, at: Offset, step: Offset, depth: u32) -> bool {
        let mut real = false;
        let mut n = -5;
        while n < 5 {
            n += 1;
            let extension = StoneRow::at(at, step, n);
            if self.cell(extension) != OracleCell::Empty {
                continue;
            }
            self.set(extension, BLACK);
            let straight = self.is_straight_four(at, extension, step);
            let five = straight && self.has_five(extension);
            self.set(extension, OracleCell::Empty);
            if five {
                self.refused.five += 1;
            } else if straight {
                real |= self.may_extend(extension, depth + 1);
            }
        }
        real
    }

    fn has_five(&self, stone: Offset) -> bool {
        DIRECTIONS.into_iter().any(|step| self.row(stone, step, BLACK).length == 5)
    }

    /// Whether the extension is not itself forbidden, judged the same way.
    fn may_extend(&mut self, extension: Offset, depth: u32) -> bool {
        self.refused.deepest = self.refused.deepest.max(depth);
        match self.judge(extension, depth) {
            None => return true,
            Some(Foul::Overline) => self.refused.overline += 1,
            Some(Foul::DoubleFour) => self.refused.double_four += 1,
            Some(Foul::DoubleThree) => self.refused.double_three += 1,
        }
        false
    }

    /// Whether the row through both stones is four with two points that complete it to five.
    fn is_straight_four(&mut self, at: Offset, extension: Offset, step: Offset) -> bool {
        let row = self.row(extension, step, BLACK);
        if row.length != 4 || !row.contains(at) {
            return false;
        }
        row.beyond().into_iter().all(|end| {
            if self.cell(end) != OracleCell::Empty {
                return false;
            }
            self.set(end, BLACK);
            let five = self.row(end, step, BLACK).length == 5;
            self.set(end, OracleCell::Empty);
            five
        })
    }
}
