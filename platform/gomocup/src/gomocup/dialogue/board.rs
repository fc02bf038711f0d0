//! What is known about a brain's own board, and the cheapest lines that bring it to a position.

use alloc::vec::Vec;

use tengen_rules::{Color, Move, Point};

/// How the brain's board is brought to the position before it is asked for a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BoardUpdate {
    /// BEGIN: the board is empty and known to be.
    Begin,
    /// TURN with this point: the opponent's last stone is all that is missing.
    Turn(Point),
    /// START, then BEGIN: the board ought to be empty and is not known to be.
    Clear,
    /// BOARD with every stone.
    Board,
}

/// What is known of the board in the brain.
#[derive(Clone, Debug, Default)]
pub(super) struct BrainBoard {
    /// Its stones in order, if they are known.
    stones: Option<Vec<Point>>,
    /// The colour it plays, if that was sent.
    own: Option<Color>,
}

impl BrainBoard {
    /// The brain's board is empty, and it does not know its colour.
    pub(super) fn clear(&mut self) {
        self.own = None;
        let stones = self.stones.get_or_insert_default();
        stones.clear();
    }

    /// It is not known what is on it.
    pub(super) fn forget(&mut self) {
        self.stones = None;
    }

    /// The cheapest way to these moves, for a brain that is to play this colour now.
    pub(super) fn update_to(&self, moves: &[Move], own: Color) -> BoardUpdate {
        if moves.is_empty() {
            let is_empty = self.stones.as_ref().is_some_and(Vec::is_empty);
            return if is_empty { BoardUpdate::Begin } else { BoardUpdate::Clear };
        }
        let Some(stones) = &self.stones else { return BoardUpdate::Board };
        let plays_on = self.own.is_none_or(|told| told == own);
        let Some((Move::Stone(last), before)) = moves.split_last() else {
            return BoardUpdate::Board;
        };
        if plays_on && is_same(stones, before) {
            BoardUpdate::Turn(*last)
        } else {
            BoardUpdate::Board
        }
    }

    /// The brain has been brought to these moves, as this colour.
    pub(super) fn set(&mut self, moves: &[Move], own: Color) {
        self.own = Some(own);
        let stones = self.stones.get_or_insert_default();
        let known = stones.len();
        // After TURN and BEGIN only the last stone is new.
        if moves.len() == known + 1 && is_same(stones, &moves[..known]) {
            stones.extend(moves.last().and_then(|mv| mv.point()));
        } else {
            stones.clear();
            stones.extend(moves.iter().filter_map(|mv| mv.point()));
        }
    }

    /// Whether a stone is known to lie there.
    pub(super) fn holds(&self, point: Point) -> bool {
        self.stones.as_ref().is_some_and(|stones| stones.contains(&point))
    }

    /// The brain has played a stone of its own.
    pub(super) fn push(&mut self, point: Point) {
        if let Some(stones) = &mut self.stones {
            stones.push(point);
        }
    }
}

/// Whether the moves are these stones; a pass is none.
fn is_same(stones: &[Point], moves: &[Move]) -> bool {
    stones.len() == moves.len()
        && stones.iter().zip(moves).all(|(stone, mv)| *mv == Move::Stone(*stone))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(text: &str) -> Vec<Move> {
        let mv = |word: &str| match word {
            "pass" => Move::Pass,
            point => Move::Stone(point.parse().unwrap()),
        };
        text.split_whitespace().map(mv).collect()
    }

    #[test]
    fn one_stone_behind_is_a_turn_and_anything_else_a_board() {
        let mut board = BrainBoard::default();
        assert_eq!(board.update_to(&moves("h8"), Color::White), BoardUpdate::Board);
        board.clear();
        assert_eq!(board.update_to(&[], Color::Black), BoardUpdate::Begin);
        let h8 = "h8".parse().unwrap();
        assert_eq!(board.update_to(&moves("h8"), Color::White), BoardUpdate::Turn(h8));
        board.set(&moves("h8"), Color::White);
        board.push("j9".parse().unwrap());
        let a1 = "a1".parse().unwrap();
        assert_eq!(board.update_to(&moves("h8 j9 a1"), Color::White), BoardUpdate::Turn(a1));
        // Another stone was played in its place, colours were swapped.
        assert_eq!(board.update_to(&moves("h8 i9 a1"), Color::White), BoardUpdate::Board);
        assert_eq!(board.update_to(&moves("h8 j9 a1"), Color::Black), BoardUpdate::Board);
        assert_eq!(board.update_to(&moves("h8 j9 pass"), Color::White), BoardUpdate::Board);
        assert_eq!(board.update_to(&[], Color::Black), BoardUpdate::Clear);
        board.forget();
        assert_eq!(board.update_to(&[], Color::Black), BoardUpdate::Clear);
        assert_eq!(board.update_to(&moves("h8"), Color::White), BoardUpdate::Board);
    }
}
