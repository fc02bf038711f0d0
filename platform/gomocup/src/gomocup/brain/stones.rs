//! The board that a brain keeps.

use alloc::vec::Vec;

use tengen_rules::{Board, Color, Point, Size};

/// The owner of a stone, seen by the brain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Owner {
    Own,
    Opponent,
}

/// The brain's own board. The colours follow from how many stones each side has, because the brain
/// is asked when it is to move.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Stones {
    stones: Vec<(Point, Owner)>,
    barred: Vec<Point>,
}

/// Stones that make no position in which the brain is to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct UnevenStones;

impl Stones {
    pub(super) fn has(&self, point: Point) -> bool {
        self.stones.iter().any(|(stone, _)| *stone == point)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.stones.is_empty()
    }

    pub(super) fn push(&mut self, point: Point, owner: Owner) {
        self.stones.push((point, owner));
    }

    pub(super) fn bar(&mut self, point: Point) {
        self.barred.push(point);
    }

    pub(super) fn barred(&self) -> &[Point] {
        &self.barred
    }

    /// Takes a stone back; false if there is none.
    pub(super) fn remove(&mut self, point: Point) -> bool {
        let before = self.stones.len();
        self.stones.retain(|(stone, _)| *stone != point);
        self.stones.len() < before
    }

    /// These stones, alternating from Black, of which the brain has this colour.
    pub(super) fn take_color(&mut self, moves: &[Point], own: Color) {
        let owned = moves.iter().enumerate().map(|(ply, point)| {
            let is_own = Color::of_ply(ply) == own;
            (*point, if is_own { Owner::Own } else { Owner::Opponent })
        });
        self.stones = owned.collect();
    }

    /// The stones in playing order, the brain to move after them.
    pub(super) fn moves(&self) -> Result<Vec<Point>, UnevenStones> {
        let of = |owner| {
            self.stones.iter().filter(move |(_, whose)| *whose == owner).map(|(point, _)| *point)
        };
        let (own, opponent) = (of(Owner::Own).count(), of(Owner::Opponent).count());
        let (black, white) = if own == opponent {
            (Owner::Own, Owner::Opponent)
        } else if opponent == own + 1 {
            (Owner::Opponent, Owner::Own)
        } else {
            return Err(UnevenStones);
        };
        let (mut black, mut white) = (of(black), of(white));
        let mut moves = Vec::with_capacity(own + opponent);
        while moves.len() < own + opponent {
            let next = if moves.len() % 2 == 0 { black.next() } else { white.next() };
            moves.extend(next);
        }
        Ok(moves)
    }

    /// The points forbidden to Black. The side that has more stones is Black, and the brain where
    /// both have as many.
    pub(super) fn forbidden(&self, size: Size) -> Vec<Point> {
        let own = self.stones.iter().filter(|(_, owner)| *owner == Owner::Own).count();
        let black = if 2 * own >= self.stones.len() { Owner::Own } else { Owner::Opponent };
        let mut board = Board::new(size);
        for (point, owner) in &self.stones {
            board.place(*point, if *owner == black { Color::Black } else { Color::White });
        }
        board.forbidden().iter().map(|(point, _)| point).collect()
    }
}
