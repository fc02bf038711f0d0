//! The killer moves and the history that order moves.

use tengen_rules::{ByColor, Color, Point};

use super::value::MAX_PLY;

/// What the search has learnt of moves: those that refuted a sister line, and those that often
/// turned out best.
pub(super) struct MoveHistory {
    killers: Vec<[Option<Point>; 2]>,
    history: ByColor<Vec<i32>>,
}

/// Columns and rows of the largest board.
const SIDE: usize = 32;
/// Beyond this the history is scaled down.
const HISTORY_LIMIT: i32 = 1 << 14;

impl MoveHistory {
    pub(super) fn new() -> MoveHistory {
        let empty = vec![0; SIDE * SIDE];
        MoveHistory {
            killers: vec![[None; 2]; MAX_PLY + 1],
            history: ByColor { black: empty.clone(), white: empty },
        }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.killers.fill([None; 2]);
        for color in Color::ALL {
            self.history[color].fill(0);
        }
    }

    /// Begins a new search: killers belong to plies of the last one.
    pub(super) fn begin(&mut self) {
        self.killers.fill([None; 2]);
        for color in Color::ALL {
            self.fade(color);
        }
    }

    /// Notes a quiet move that was too good for the opponent to allow.
    pub(super) fn reward(&mut self, ply: usize, color: Color, point: Point, depth: i32) {
        let killers = &mut self.killers[ply];
        if killers[0] != Some(point) {
            *killers = [Some(point), killers[0]];
        }
        let entry = &mut self.history[color][number(point)];
        *entry += depth * depth;
        if *entry > HISTORY_LIMIT {
            self.fade(color);
        }
    }

    /// What the memory adds to the promise of a move.
    #[inline]
    pub(super) fn bonus(&self, ply: usize, color: Color, point: Point) -> i32 {
        let killer = match self.killers[ply] {
            [Some(first), _] if first == point => 160,
            [_, Some(second)] if second == point => 120,
            _ => 0,
        };
        killer + self.history[color][number(point)] / 64
    }

    fn fade(&mut self, color: Color) {
        for entry in &mut self.history[color] {
            *entry /= 2;
        }
    }
}

fn number(point: Point) -> usize {
    usize::from(point.y()) * SIDE + usize::from(point.x())
}
