//! An engine's answer to a move question, with its score and search info.

use tengen_rules::{Move, Point};

/// What an engine thinks of a position, for the side to move.
///
/// ```
/// use tengen_sdk::{Choice, Point, Score};
/// let score = Score { eval: Some(35), ..Score::default() };
/// let choice = Choice { score, depth: 8, ..Choice::from(Point::new(7, 7)) };
/// assert_eq!(choice.score.eval, Some(35));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Score {
    /// Evaluation in the engine's own unit.
    pub eval: Option<i32>,
    /// Plies to a proved win, negative to a proved loss.
    pub win_in: Option<i32>,
    /// Chances of a win, a draw and a loss, in permille.
    pub win_draw_loss: Option<(u16, u16, u16)>,
}

/// The answer to [`crate::Engine::choose`]. A point is a choice: `point.into()`.
///
/// ```
/// use tengen_sdk::{Choice, Point};
/// let choice = Choice { depth: 6, nodes: 12_000, ..Choice::from(Point::new(7, 7)) };
/// assert!(!choice.resign);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The move. Passing is legal only where the event allows it.
    pub mv: Move,
    /// Give up instead.
    pub resign: bool,
    /// Offer a draw with the move.
    pub offer_draw: bool,
    /// Accept the opponent's standing draw offer instead of moving.
    pub accept_draw: bool,
    /// Claim that Black's last stone was forbidden; the move counts if the claim is refused.
    pub claim_foul: bool,
    /// The answer expected from the opponent.
    pub ponder: Option<Point>,
    /// The score of the move.
    pub score: Score,
    /// Depth searched, in plies.
    pub depth: u32,
    /// Greatest depth reached.
    pub seldepth: u32,
    /// Nodes visited.
    pub nodes: u64,
}

impl From<Move> for Choice {
    fn from(mv: Move) -> Choice {
        Choice {
            mv,
            resign: false,
            offer_draw: false,
            accept_draw: false,
            claim_foul: false,
            ponder: None,
            score: Score::default(),
            depth: 0,
            seldepth: 0,
            nodes: 0,
        }
    }
}

impl From<Point> for Choice {
    fn from(point: Point) -> Choice {
        Choice::from(Move::Stone(point))
    }
}

/// Search progress, for the log and the viewers: see [`crate::Thinking::info`].
///
/// ```
/// use tengen_sdk::{Point, Score, SearchInfo, Thinking};
/// let score = Score { eval: Some(35), ..Score::default() };
/// let pv = [Point::new(7, 7), Point::new(8, 8)];
/// let info = SearchInfo { depth: 8, score, nodes: 12_000, pv: &pv, ..SearchInfo::default() };
/// // It goes nowhere without a host.
/// Thinking::free().info(&info);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SearchInfo<'a> {
    /// Which variation, from 1; 0 when there is only one.
    pub multipv: u32,
    /// Depth searched, in plies.
    pub depth: u32,
    /// Greatest depth reached.
    pub seldepth: u32,
    /// The score of the variation.
    pub score: Score,
    /// Nodes visited.
    pub nodes: u64,
    /// How full the table is, in permille.
    pub hash_permille: u32,
    /// The variation, from the side to move.
    pub pv: &'a [Point],
}
