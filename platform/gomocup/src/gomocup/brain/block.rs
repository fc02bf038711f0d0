//! Blocks of lines up to DONE.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use tengen_rules::{Point, Size};

use super::stones::{Owner, Stones};
use crate::{Coords, StoneField};

/// The block of lines that is being read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BlockKind {
    Board,
    YxBoard,
    Swap2,
}

/// A block of lines up to DONE.
#[derive(Clone, Debug)]
pub(super) struct Block {
    pub(super) kind: BlockKind,
    pub(super) stones: Stones,
    /// The stones of SWAP2BOARD, in order.
    pub(super) points: Vec<Point>,
    /// What is wrong with the first line that cannot be.
    pub(super) fault: Option<String>,
}

impl Block {
    pub(super) fn new(kind: BlockKind) -> Block {
        Block { kind, stones: Stones::default(), points: Vec::new(), fault: None }
    }

    /// Takes a line `x,y,f` of BOARD, or `x,y` of SWAP2BOARD.
    pub(super) fn take(&mut self, coords: Coords, field: Option<StoneField>, size: Size) {
        match self.point(coords, size) {
            Err(what) => self.fail(what),
            Ok(point) => match (self.kind, field) {
                // Some managers send the field there as well.
                (BlockKind::Swap2, _) => self.points.push(point),
                (_, Some(StoneField::Own)) => self.stones.push(point, Owner::Own),
                (_, Some(StoneField::Opponent)) => self.stones.push(point, Owner::Opponent),
                (_, Some(StoneField::Barred)) => self.stones.bar(point),
                (_, None) => self.fail("the owner of the stone is missing".to_string()),
            },
        }
    }

    fn point(&self, coords: Coords, size: Size) -> Result<Point, String> {
        let point =
            coords.on(size).ok_or_else(|| alloc::format!("{coords} is not on the board"))?;
        if self.stones.has(point) || self.points.contains(&point) {
            return Err(alloc::format!("{coords} was told twice"));
        }
        Ok(point)
    }

    /// Something is wrong. The rest of the block is read all the same.
    pub(super) fn fail(&mut self, what: String) {
        self.fault.get_or_insert(what);
    }
}
