//! A rough judgement of positions of a few stones, for opening questions.

use tengen_rules::{Color, Point, Position, Size};

/// The worth of a row of five points to the only colour with stones there, by their number.
const WORTH: [i32; 6] = [0, 1, 6, 30, 150, 10_000];

/// What the next move is worth when the stones are even.
const TEMPO: i32 = 12;

/// Points off the board on each side, so that a row through any point can be read.
const EDGE: usize = 4;

/// A rough judgement of positions of a few stones: enough for opening questions, and quick.
pub(crate) struct Judge {
    size: Size,
    /// Row by row with an edge around: how many stones a cell counts as, see [`cell`].
    cells: Vec<u16>,
    /// What Black's rows are worth less what White's are.
    lead: i32,
}

/// A cell's part in the sum over a row of five: black stones in the lowest bits, white ones above
/// them, points off the board on top.
mod cell {
    pub(super) const BLACK: u16 = 1;
    pub(super) const WHITE: u16 = 1 << 3;
    pub(super) const OFF: u16 = 1 << 6;
}

impl Judge {
    pub(crate) fn new(position: &Position) -> Judge {
        let size = position.size();
        let stride = usize::from(size.width()) + 2 * EDGE;
        let cells = vec![cell::OFF; stride * (usize::from(size.height()) + 2 * EDGE)];
        let mut judge = Judge { size, cells, lead: 0 };
        for point in size.points() {
            let at = judge.index(point);
            judge.cells[at] = 0;
        }
        for (point, color) in position.board().stones() {
            judge.place(point, color);
        }
        judge
    }

    fn stride(&self) -> usize {
        usize::from(self.size.width()) + 2 * EDGE
    }

    fn index(&self, point: Point) -> usize {
        (usize::from(point.y()) + EDGE) * self.stride() + usize::from(point.x()) + EDGE
    }

    /// Puts a stone on an empty point.
    pub(crate) fn place(&mut self, point: Point, color: Color) {
        self.lead += self.gain(point, color) * sign(color);
        let at = self.index(point);
        self.cells[at] = match color {
            Color::Black => cell::BLACK,
            Color::White => cell::WHITE,
        };
    }

    /// What a stone of the colour on the empty point adds to the colour's lead.
    pub(crate) fn gain(&self, point: Point, color: Color) -> i32 {
        let (at, stride) = (self.index(point), self.stride());
        let mut gain = 0;
        for step in [1, stride, stride + 1, stride - 1] {
            let start = at - EDGE * step;
            let cell = |i: usize| self.cells[start + i * step];
            let mut row = (0..5).map(cell).sum::<u16>();
            gain += worth(row, color);
            for i in 5..9 {
                row = row + cell(i) - cell(i - 5);
                gain += worth(row, color);
            }
        }
        gain
    }

    /// How far Black is ahead once the side to move has played its best point.
    pub(crate) fn balance(&self, to_move: Color) -> i32 {
        let empty = self.size.points().filter(|&point| self.cells[self.index(point)] == 0);
        let best = empty.map(|point| self.gain(point, to_move)).max().unwrap_or(0);
        self.lead + (best - TEMPO) * sign(to_move)
    }

    /// The balance with one more stone on an empty point, and the other colour to move.
    pub(crate) fn balance_with(&mut self, point: Point, color: Color) -> i32 {
        let lead = self.lead;
        self.place(point, color);
        let balance = self.balance(!color);
        let at = self.index(point);
        self.cells[at] = 0;
        self.lead = lead;
        balance
    }
}

/// What one more stone of the colour changes about a row with such a sum.
fn worth(row: u16, color: Color) -> i32 {
    if row >= cell::OFF {
        return 0;
    }
    let (black, white) = (usize::from(row % cell::WHITE), usize::from(row / cell::WHITE));
    let (own, other) = if color == Color::Black { (black, white) } else { (white, black) };
    match (own, other) {
        (own, 0) => WORTH[own + 1] - WORTH[own],
        (0, other) => WORTH[other],
        _ => 0,
    }
}

const fn sign(color: Color) -> i32 {
    match color {
        Color::Black => 1,
        Color::White => -1,
    }
}

#[cfg(test)]
mod tests {
    use tengen_rules::Rule;

    use super::*;

    fn position(size: Size, points: &str) -> Position {
        let mut position = Position::new(Rule::Renju, size);
        for point in points.split(' ') {
            position.play(point.parse().unwrap()).unwrap();
        }
        position
    }

    /// The lead counted row by row from the board.
    fn naive_lead(position: &Position) -> i32 {
        let (size, mut lead) = (position.size(), 0);
        for start in size.points() {
            for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                let row: Vec<Point> = (0..5)
                    .map(|i| (start.x() as i8 + i * dx, start.y() as i8 + i * dy))
                    .filter(|&(_, y)| y >= 0)
                    .map(|(x, y)| Point::new(x as u8, y as u8))
                    .filter(|&point| size.contains(point))
                    .collect();
                let of = |color| {
                    row.iter().filter(|&&point| position.board().get(point) == Some(color)).count()
                };
                match (row.len(), of(Color::Black), of(Color::White)) {
                    (5, black, 0) => lead += WORTH[black],
                    (5, 0, white) => lead -= WORTH[white],
                    _ => {}
                }
            }
        }
        lead
    }

    #[test]
    fn the_lead_is_kept_as_it_would_be_counted() {
        for size in ["15", "5x32", "20x6"] {
            let mut position = position(size.parse().unwrap(), "c3 a1 d4 b5 e5 e4 a5 e1 b2");
            let mut judge = Judge::new(&position);
            assert_eq!(judge.lead, naive_lead(&position));
            for point in position.size().points() {
                if position.check(point).is_ok() {
                    let color = position.to_move();
                    position.play(point).unwrap();
                    judge.place(point, color);
                    assert_eq!(judge.lead, naive_lead(&position), "{point}");
                }
            }
        }
    }

    #[test]
    fn a_stone_in_the_corner_does_not_make_up_for_two_in_the_middle() {
        let judged = |points: &str| {
            let position = position(Size::STANDARD, points);
            Judge::new(&position).balance(position.to_move())
        };
        assert!(judged("h8 a1 h9") > 0);
        assert!(judged("a1 h8 o15 i9") < 0);
    }
}
