//! The rules once more, as slowly and as literally as the written rules put them: a grid of cells,
//! one stone laid at a time, every definition read off the grid. Shares no code with the crate but
//! the names of its types.

#![allow(dead_code, reason = "each test uses its own part")]

use std::collections::BTreeSet;

use tengen_rules::{Board, Color, Foul, Point, Rule, Size};

type Step = (i32, i32);

const DIRECTIONS: [Step; 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// How often an extension of a three was refused, by reason.
#[derive(Clone, Copy, Default, Debug)]
pub struct Refused {
    pub five: u32,
    pub overline: u32,
    pub double_four: u32,
    pub double_three: u32,
    /// How deep double-threes were judged inside one another.
    pub deepest: u32,
}

#[derive(Clone)]
pub struct Oracle {
    width: i32,
    height: i32,
    /// Indexed by column, then row.
    cells: Vec<Vec<Option<Color>>>,
    pub refused: Refused,
}

impl Oracle {
    pub fn new(size: Size) -> Oracle {
        let (width, height) = (i32::from(size.width()), i32::from(size.height()));
        let cells = vec![vec![None; height as usize]; width as usize];
        Oracle { width, height, cells, refused: Refused::default() }
    }

    pub fn of(board: &Board) -> Oracle {
        let mut oracle = Oracle::new(board.size());
        for point in board.size().points() {
            oracle.set((point.x().into(), point.y().into()), board.get(point));
        }
        oracle
    }

    /// None off the board; `Some(None)` on an empty point.
    fn cell(&self, (x, y): Step) -> Option<Option<Color>> {
        let on_board = x >= 0 && y >= 0 && x < self.width && y < self.height;
        on_board.then(|| self.cells[x as usize][y as usize])
    }

    fn is(&self, at: Step, color: Color) -> bool {
        self.cell(at) == Some(Some(color))
    }

    fn is_empty(&self, at: Step) -> bool {
        self.cell(at) == Some(None)
    }

    fn set(&mut self, (x, y): Step, cell: Option<Color>) {
        self.cells[x as usize][y as usize] = cell;
    }

    /// The unbroken row of the colour through the point, from one end to the other.
    fn row(&self, at: Step, step: Step, color: Color) -> Vec<Step> {
        let mut first = at;
        while self.is((first.0 - step.0, first.1 - step.1), color) {
            first = (first.0 - step.0, first.1 - step.1);
        }
        let mut row = Vec::new();
        let mut next = first;
        while self.is(next, color) {
            row.push(next);
            next = (next.0 + step.0, next.1 + step.1);
        }
        row
    }

    /// The empty points on the line within five points.
    fn near(&self, at: Step, step: Step) -> Vec<Step> {
        let points = (-5..=5).map(|n| (at.0 + n * step.0, at.1 + n * step.1));
        points.filter(|point| self.is_empty(*point)).collect()
    }

    /// Whether a stone of the colour laid on the point makes a row that wins.
    pub fn wins(&mut self, rule: Rule, point: Point, color: Color) -> bool {
        let at = (i32::from(point.x()), i32::from(point.y()));
        let before = self.cell(at).expect("a point of the board");
        self.set(at, Some(color));
        let won = DIRECTIONS.into_iter().any(|step| {
            let row = self.row(at, step, color);
            let (first, last) = (row[0], row[row.len() - 1]);
            let before = (first.0 - step.0, first.1 - step.1);
            let after = (last.0 + step.0, last.1 + step.1);
            match (rule, color) {
                (Rule::Freestyle, _) | (Rule::Renju, Color::White) => row.len() >= 5,
                (Rule::Standard, _) | (Rule::Renju, Color::Black) => row.len() == 5,
                (Rule::Caro, _) => {
                    let blocked = self.is(before, !color) && self.is(after, !color);
                    row.len() > 5 || row.len() == 5 && !blocked
                }
            }
        });
        self.set(at, before);
        won
    }

    /// Black on an empty point.
    pub fn foul(&mut self, point: Point) -> Option<Foul> {
        let at = (i32::from(point.x()), i32::from(point.y()));
        if self.is_empty(at) { self.judge(at, 1) } else { None }
    }

    fn judge(&mut self, at: Step, depth: u32) -> Option<Foul> {
        self.set(at, Some(Color::Black));
        let foul = self.judge_stone(at, depth);
        self.set(at, None);
        foul
    }

    fn judge_stone(&mut self, at: Step, depth: u32) -> Option<Foul> {
        let longest =
            |oracle: &Oracle| DIRECTIONS.map(|step| oracle.row(at, step, Color::Black).len());
        if longest(self).contains(&5) {
            return None;
        }
        if longest(self).into_iter().any(|length| length > 5) {
            return Some(Foul::Overline);
        }
        if self.fours(at).len() >= 2 {
            return Some(Foul::DoubleFour);
        }
        let threes = DIRECTIONS.into_iter().filter(|step| self.is_three(at, *step, depth));
        if threes.count() >= 2 { Some(Foul::DoubleThree) } else { None }
    }

    /// The fours that the stone belongs to, each by its four stones.
    fn fours(&mut self, at: Step) -> BTreeSet<Vec<Step>> {
        let mut fours = BTreeSet::new();
        for step in DIRECTIONS {
            for completion in self.near(at, step) {
                self.set(completion, Some(Color::Black));
                let mut row = self.row(completion, step, Color::Black);
                if row.len() == 5 && row.contains(&at) {
                    row.retain(|stone| *stone != completion);
                    fours.insert(row);
                }
                self.set(completion, None);
            }
        }
        fours
    }

    fn is_three(&mut self, at: Step, step: Step, depth: u32) -> bool {
        let mut real = false;
        for extension in self.near(at, step) {
            self.set(extension, Some(Color::Black));
            let straight = self.is_straight_four(at, extension, step);
            let five = DIRECTIONS
                .into_iter()
                .any(|step| self.row(extension, step, Color::Black).len() == 5);
            self.set(extension, None);
            if !straight {
                continue;
            }
            if five {
                self.refused.five += 1;
                continue;
            }
            self.refused.deepest = self.refused.deepest.max(depth + 1);
            match self.judge(extension, depth + 1) {
                None => real = true,
                Some(Foul::Overline) => self.refused.overline += 1,
                Some(Foul::DoubleFour) => self.refused.double_four += 1,
                Some(Foul::DoubleThree) => self.refused.double_three += 1,
            }
        }
        real
    }

    /// Whether the row through both stones is four with two points that complete it to five.
    fn is_straight_four(&mut self, at: Step, extension: Step, step: Step) -> bool {
        let row = self.row(extension, step, Color::Black);
        if row.len() != 4 || !row.contains(&at) {
            return false;
        }
        let ends = [(row[0].0 - step.0, row[0].1 - step.1), (row[3].0 + step.0, row[3].1 + step.1)];
        ends.into_iter().all(|end| {
            if !self.is_empty(end) {
                return false;
            }
            self.set(end, Some(Color::Black));
            let five = self.row(end, step, Color::Black).len() == 5;
            self.set(end, None);
            five
        })
    }
}
