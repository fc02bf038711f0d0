//! Opening questions and results, as an engine sees them.

use tengen_rules::{Point, Zone};

/// Stones to lay in an opening.
///
/// ```
/// use tengen_sdk::{Placement, Position, Rule, Size, Zone, opening};
/// let placement = Placement { min: 3, max: 3, zone: Zone::Anywhere, canonical: false };
/// let position = Position::new(Rule::Freestyle, Size::STANDARD);
/// let stones = opening::balance(&position, placement.min, placement.zone, 1);
/// assert_eq!(stones.len(), 3);
/// ```
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
///
/// ```
/// use tengen_sdk::{Position, Rule, Size, Swap2, opening};
/// let mut position = Position::new(Rule::Freestyle, Size::STANDARD);
/// for point in ["h8", "a1", "h9"] {
///     position.play(point.parse().unwrap()).unwrap();
/// }
/// assert_eq!(opening::swap2(&position), Swap2::TakeBlack);
/// ```
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
///
/// ```
/// use tengen_sdk::{Point, Taraguchi};
/// let offer = Taraguchi::Offer((0..10).map(|x| Point::new(x, 0)).collect());
/// assert_ne!(offer, Taraguchi::Move(Point::new(7, 7)));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Taraguchi {
    /// One fifth move; the other seat may swap then.
    Move(Point),
    /// Fifth moves to choose from, as many as asked.
    Offer(Vec<Point>),
}

/// How a game ended for the engine that is told.
///
/// ```
/// use tengen_sdk::{Choice, Engine, Outcome, Position, Thinking, end};
/// /// Counts the games that it lost on time.
/// #[derive(Default)]
/// struct Late(u32);
///
/// impl Engine for Late {
///     fn choose(&mut self, position: &Position, _: &Thinking<'_>) -> Choice {
///         position.size().center().into()
///     }
///
///     fn end_game(&mut self, outcome: Outcome, reason: u32) {
///         self.0 += u32::from(outcome == Outcome::Loss && reason == end::TIMEOUT);
///     }
/// }
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// It won.
    Win,
    /// Neither won.
    Draw,
    /// It lost.
    Loss,
    /// The game does not count.
    Aborted,
}
