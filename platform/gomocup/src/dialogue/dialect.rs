//! How one brain writes what the protocol leaves open.

use crate::LineEnd;

/// What is known of how one brain writes the protocol. It holds however often its process is
/// started.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, Debug)]
pub struct Dialect {
    /// The line end that it takes; none until it has understood a line.
    pub line_end: Option<LineEnd>,
    /// How it wants the stones of SWAP2BOARD; none until it has answered to some.
    pub swap2: Option<Swap2Lines>,
    /// Whether it begins another game, on an empty board, at another START; none as long as that
    /// has not been seen. Where it is not so, its process is started again for each game.
    pub starts_again: Option<bool>,
}

/// The form of the lines between SWAP2BOARD and DONE. No form suits all: some brains take points
/// alone, as the protocol has it, and Rapfi drops a stone without an owner.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Swap2Lines {
    /// `x,y`: the protocol's word, and what Gomocup's judge sends.
    Points,
    /// `x,y,f` as in BOARD, own for the side to move.
    Owners,
}
