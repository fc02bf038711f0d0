//! How brains differ in writing the protocol.

use crate::LineEnd;

/// What is known of how one brain writes the protocol. It holds however often its process is
/// started.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Dialect {
    /// The line end that it takes; none until it has understood a line.
    pub line_end: Option<LineEnd>,
    /// How it wants the stones of SWAP2BOARD; none until it has answered to some.
    pub swap2: Option<Swap2Lines>,
    /// Whether it begins another game at another START, as far as is known; otherwise its process
    /// is started again.
    pub starts_again: bool,
}

impl Default for Dialect {
    fn default() -> Dialect {
        Dialect { line_end: None, swap2: None, starts_again: true }
    }
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
