//! The order in which moves are tried, and what a search learns for it.

use tengen_rules::{ByColor, Color, Point};

use super::value::MAX_PLY;
use crate::analysis::Analysis;

/// A move at a place of the search.
///
/// ```
/// use tengen_sdk::search::TriedMove;
/// use tengen_sdk::{Color, Point};
/// let tried = TriedMove { point: Point::new(7, 7), color: Color::Black, ply: 0 };
/// assert_eq!(tried.ply, 0);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TriedMove {
    /// Where.
    pub point: Point,
    /// The side to move.
    pub color: Color,
    /// How many plies below the root it is tried, 0 at the root.
    pub ply: usize,
}

/// Puts the moves of a position in order, the ones to try first in front, and learns from the
/// search what is good. The move that the table remembers comes before all.
///
/// [`MoveHistory`] is the framework's. Another one takes its place in [`Search::with_order`] or as
/// the second part of a [`SearchEngine`](crate::SearchEngine). `()` goes by the promise alone.
///
/// ```
/// use tengen_rules::{Color, Rule, Size};
/// use tengen_sdk::analysis::{Analysis, Threat};
/// use tengen_sdk::eval::ThreatEval;
/// use tengen_sdk::search::{Budget, MoveOrder, Search, TriedMove};
///
/// /// Attack first.
/// #[derive(Clone, Default)]
/// struct Attack;
///
/// impl MoveOrder for Attack {
///     fn rank(&self, analysis: &Analysis, tried: TriedMove, promise: i32) -> i32 {
///         let is_attack = analysis.threat(tried.point, tried.color) >= Threat::Three;
///         promise + if is_attack { 1000 } else { 0 }
///     }
/// }
///
/// let mut search = Search::with_order(ThreatEval::default(), Attack, 1);
/// let mut analysis = Analysis::new(Rule::Freestyle, Size::STANDARD);
/// let budget = Budget { nodes: Some(500), ..Budget::default() };
/// let report = search.run(&mut analysis, Color::Black, &budget, &mut ());
/// assert_eq!(report.best, Some(Size::STANDARD.center()));
/// ```
///
/// [`Search::with_order`]: super::Search::with_order
pub trait MoveOrder {
    /// A search begins.
    fn begin(&mut self) {}

    /// A game begins: everything is forgotten.
    fn clear(&mut self) {}

    /// How early to try a move on an empty point: the greater, the earlier. `promise` is what
    /// [`Evaluate::promise`](crate::eval::Evaluate::promise) says of it.
    fn rank(&self, _analysis: &Analysis, _tried: TriedMove, promise: i32) -> i32 {
        promise
    }

    /// A move that neither threatens nor takes a threat was too good for the opponent to allow, in
    /// a search of so many plies.
    fn reward(&mut self, _tried: TriedMove, _depth: i32) {}
}

/// By the promise alone.
impl MoveOrder for () {}

/// What the search has learnt of moves: those that refuted a sister line (killers), and those that
/// often turned out best (the history).
///
/// ```
/// use tengen_rules::{Color, Point, Rule, Size};
/// use tengen_sdk::analysis::Analysis;
/// use tengen_sdk::search::{MoveHistory, MoveOrder, TriedMove};
///
/// let analysis = Analysis::new(Rule::Freestyle, Size::STANDARD);
/// let tried = TriedMove { point: Point::new(7, 7), color: Color::Black, ply: 3 };
/// let mut order = MoveHistory::new();
/// assert_eq!(order.rank(&analysis, tried, 10), 10);
/// order.reward(tried, 4);
/// assert!(order.rank(&analysis, tried, 10) > 10);
/// ```
#[derive(Clone, Debug)]
pub struct MoveHistory {
    killers: Vec<[Option<Point>; 2]>,
    history: ByColor<Vec<i32>>,
}

/// Columns and rows of the largest board.
const SIDE: usize = 32;
/// Beyond this the history is scaled down.
const HISTORY_LIMIT: i32 = 1 << 14;

impl MoveHistory {
    /// One that has learnt nothing.
    pub fn new() -> MoveHistory {
        let empty = vec![0; SIDE * SIDE];
        MoveHistory {
            killers: vec![[None; 2]; MAX_PLY + 1],
            history: ByColor { black: empty.clone(), white: empty },
        }
    }

    fn fade(&mut self, color: Color) {
        for entry in &mut self.history[color] {
            *entry /= 2;
        }
    }
}

impl Default for MoveHistory {
    fn default() -> MoveHistory {
        MoveHistory::new()
    }
}

impl MoveOrder for MoveHistory {
    /// Killers belong to plies of the last search.
    fn begin(&mut self) {
        self.killers.fill([None; 2]);
        for color in Color::ALL {
            self.fade(color);
        }
    }

    fn clear(&mut self) {
        self.killers.fill([None; 2]);
        for color in Color::ALL {
            self.history[color].fill(0);
        }
    }

    #[inline]
    fn rank(&self, _: &Analysis, tried: TriedMove, promise: i32) -> i32 {
        let TriedMove { point, color, ply } = tried;
        // At the root the last iteration tells more than sister lines.
        if ply == 0 {
            return promise;
        }
        let killer = match self.killers.get(ply) {
            Some([Some(first), _]) if *first == point => 160,
            Some([_, Some(second)]) if *second == point => 120,
            _ => 0,
        };
        promise.saturating_add(killer + self.history[color][number(point)] / 64)
    }

    fn reward(&mut self, tried: TriedMove, depth: i32) {
        let TriedMove { point, color, ply } = tried;
        if let Some(killers) = self.killers.get_mut(ply)
            && killers[0] != Some(point)
        {
            *killers = [Some(point), killers[0]];
        }
        let entry = &mut self.history[color][number(point)];
        *entry = entry.saturating_add(depth.saturating_mul(depth));
        if *entry > HISTORY_LIMIT {
            self.fade(color);
        }
    }
}

fn number(point: Point) -> usize {
    usize::from(point.y()) * SIDE + usize::from(point.x())
}
