use tengen_abi::{MoveCode, status};

use crate::lists::lists;

/// A game: which points have stones, and how it came to that.
pub(crate) struct State {
    size: (u8, u8),
    lists: [Vec<MoveCode>; 2],
    /// How much of each list is surely occupied.
    skip: [usize; 2],
    /// One bit a point, one word a row.
    rows: [u32; 32],
    moves: Vec<MoveCode>,
}

impl State {
    pub(crate) fn new() -> State {
        let lists = [Vec::new(), Vec::new()];
        State { size: (0, 0), lists, skip: [0; 2], rows: [0; 32], moves: Vec::with_capacity(1024) }
    }

    pub(crate) fn new_game(&mut self, width: u8, height: u8) -> i32 {
        if self.size != (width, height) {
            self.size = (width, height);
            self.lists = lists(width, height);
        }
        self.undo(self.moves.len())
    }

    pub(crate) fn set_position(&mut self, moves: &[MoveCode]) -> i32 {
        let known = self.moves.len();
        if moves.len() < known || moves[..known] != self.moves {
            self.undo(known);
        }
        for &code in &moves[self.moves.len()..] {
            if self.play(code) != status::OK {
                return status::ARGUMENT;
            }
        }
        status::OK
    }

    pub(crate) fn play(&mut self, code: MoveCode) -> i32 {
        if let Some((x, y)) = code.stone() {
            if x >= self.size.0 || y >= self.size.1 || self.has_stone(x, y) {
                return status::ARGUMENT;
            }
            self.rows[usize::from(y)] |= 1 << x;
        } else if code == MoveCode::NONE {
            return status::ARGUMENT;
        }
        self.moves.push(code);
        status::OK
    }

    pub(crate) fn undo(&mut self, count: usize) -> i32 {
        let Some(left) = self.moves.len().checked_sub(count) else { return status::ARGUMENT };
        for code in self.moves.drain(left..) {
            if let Some((x, y)) = code.stone() {
                self.rows[usize::from(y)] &= !(1 << x);
            }
        }
        if count > 0 {
            self.skip = [0; 2];
        }
        status::OK
    }

    /// The first empty point of the list of the colour to move; none on a full board.
    pub(crate) fn choose(&mut self) -> Option<MoveCode> {
        let color = self.moves.len() % 2;
        let list = &self.lists[color][self.skip[color]..];
        let empty = |code: &MoveCode| code.stone().is_some_and(|(x, y)| !self.has_stone(x, y));
        let at = list.iter().position(empty)?;
        let code = list[at];
        self.skip[color] += at;
        Some(code)
    }

    fn has_stone(&self, x: u8, y: u8) -> bool {
        self.rows[usize::from(y)] >> x & 1 == 1
    }
}
