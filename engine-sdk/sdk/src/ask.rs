//! Opening questions and results, as an engine sees them.

use tengen_rules::{Point, Zone};

/// Stones to lay in an opening.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Placement {
    /// The fewest stones.
    pub min: usize,
    /// The most stones.
    pub max: usize,
    /// Where each may lie.
    pub zone: Zone,
    /// Whether the board's first three stones must make one of the 26 canonical openings.
    pub canonical: bool,
}

/// The choice of the second seat in swap2.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Swap2 {
    /// Stay White.
    KeepWhite,
    /// Take Black.
    TakeBlack,
    /// Lay a white and a black stone and let the other seat take a colour.
    Place([Point; 2]),
}

/// The choice of Black in Taraguchi-10 after the fourth move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Taraguchi {
    /// One fifth move; the other seat may swap then.
    Move(Point),
    /// Fifth moves to choose from, as many as asked.
    Offer(Vec<Point>),
}

/// How a game ended for the engine that is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// It won.
    Win,
    /// Nobody won.
    Draw,
    /// It lost.
    Loss,
    /// The game does not count.
    Aborted,
}
