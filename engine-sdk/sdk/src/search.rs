//! Iterative deepening alpha-beta search with threats, for any evaluation.
//!
//! [`Search::run`] deepens one ply at a time with principal variation search, a transposition
//! table, ordered candidates within two points of a stone, and continuous fours at the leaves. It
//! sees fours, straight fours and forbidden points for what they are under all four rules. With
//! the same position, memory and node limit it finds the same move, natively and in WebAssembly;
//! time enters only through the [`Watch`].
//!
//! ```
//! use tengen_rules::{Color, Point, Rule, Size};
//! use tengen_sdk::{analysis::Analysis, eval::ThreatEval, search::{Budget, Search, plies_to_end}};
//!
//! let mut analysis = Analysis::new(Rule::Freestyle, Size::STANDARD);
//! for x in 6..9 {
//!     analysis.place(Point::new(x, 7), Color::Black);
//! }
//! let mut search = Search::new(ThreatEval::default(), 1);
//! let budget = Budget { nodes: Some(1000), ..Budget::default() };
//! let report = search.run(&mut analysis, Color::Black, &budget, &mut ());
//! assert_eq!(plies_to_end(report.value), Some(3));
//! ```

mod fours;
mod node;
mod order;
mod parallel;
mod replies;
mod root;
mod table;
mod threats;
mod value;

use tengen_rules::{Color, Point};

use crate::analysis::{Analysis, PointSet};
use crate::eval::Evaluate;
use node::SearchRun;

pub use order::{MoveHistory, MoveOrder, TriedMove};
pub use parallel::{HelperStop, with_helpers};
pub use replies::{Stakes, stakes, unstoppable};
pub use table::{Bound, TableEntry, TranspositionTable};
pub use threats::{ThreatBudget, ThreatKind, ThreatSearch, ThreatVerdict, ThreatWin};
pub use value::{MAX_PLY, WIN, is_proven, plies_to_end, win_at};

/// Where a search must end.
///
/// ```
/// use tengen_sdk::search::Budget;
/// let budget = Budget { nodes: Some(50_000), lines: 3, ..Budget::default() };
/// assert_eq!(budget.depth, 64);
/// ```
#[derive(Clone, Debug)]
pub struct Budget {
    /// The number of nodes, never exceeded; none: as many as the [`Watch`] allows.
    pub nodes: Option<u64>,
    /// The number of plies to deepen to.
    pub depth: u32,
    /// The only moves to consider at the root; none: every legal one.
    pub only: Option<PointSet>,
    /// How many candidates a quiet position has at most, the most promising first; twice as many at
    /// the root, and fewer near the leaves.
    pub width: usize,
    /// How many lines to follow, each from a root move of its own, at least 1. More than one is for
    /// analysis: the time is shared among them.
    pub lines: usize,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { nodes: None, depth: 64, only: None, width: 28, lines: 1 }
    }
}

/// Watches a search while it runs, and may stop it.
///
/// ```
/// use tengen_sdk::search::{Report, Watch};
///
/// /// Two iterations, and no more.
/// struct Twice(u32);
///
/// impl Watch for Twice {
///     fn goes_on(&mut self, _: &Report) -> bool {
///         self.0 += 1;
///         self.0 < 2
///     }
/// }
/// assert!(Twice(0).goes_on(&Report::default()));
/// ```
pub trait Watch {
    /// Asked about every [`POLL`] nodes: whether to break the search off.
    fn is_up(&mut self) -> bool {
        false
    }

    /// Told of each finished iteration, of the best line when there are several: whether to begin
    /// another.
    fn goes_on(&mut self, report: &Report) -> bool {
        let _ = report;
        true
    }

    /// Told of each line but the best after an iteration over several: which it is, from 2.
    fn also(&mut self, line: usize, report: &Report) {
        let _ = (line, report);
    }
}

/// Never stops a search.
impl Watch for () {}

/// How many nodes pass between two questions to the [`Watch`].
pub const POLL: u64 = 200;

/// What a search has found.
///
/// ```
/// use tengen_sdk::analysis::Analysis;
/// use tengen_sdk::eval::ThreatEval;
/// use tengen_sdk::search::{Budget, Report, Search};
/// use tengen_sdk::{Color, Rule, Size};
/// let mut analysis = Analysis::new(Rule::Freestyle, Size::STANDARD);
/// analysis.place("h8".parse()?, Color::Black);
/// let mut search = Search::new(ThreatEval::default(), 1);
/// let budget = Budget { nodes: Some(2000), ..Budget::default() };
/// let Report { best, nodes, line, .. } =
///     search.run(&mut analysis, Color::White, &budget, &mut ());
/// assert!(best.is_some() && nodes <= 2000 && line.first() == best.as_ref());
/// # Ok::<(), tengen_sdk::rules::ParsePointError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// The best move; none when the side to move has no legal one among those to consider.
    pub best: Option<Point>,
    /// Its value for the side to move, in the evaluator's unit or as [`win_at`] gives it.
    pub value: i32,
    /// The plies of the last finished iteration.
    pub depth: u32,
    /// The plies of the longest line looked at.
    pub seldepth: u32,
    /// The nodes visited.
    pub nodes: u64,
    /// The moves expected, the best one first.
    pub line: Vec<Point>,
    /// How full the transposition table is, in permille.
    pub hash_permille: u32,
}

/// A search and what it remembers between moves of one game: `E` judges positions, `O` puts moves
/// in order.
///
/// ```
/// use tengen_sdk::analysis::Analysis;
/// use tengen_sdk::eval::ThreatEval;
/// use tengen_sdk::search::{Budget, Search};
/// use tengen_sdk::{Color, Rule, Size};
/// let mut search = Search::new(ThreatEval::default(), 1);
/// let mut analysis = Analysis::new(Rule::Freestyle, Size::STANDARD);
/// let budget = Budget { depth: 2, ..Budget::default() };
/// let report = search.run(&mut analysis, Color::Black, &budget, &mut ());
/// assert_eq!(report.best, Some(Size::STANDARD.center()));
/// // For the next game:
/// search.clear(ThreatEval::default());
/// ```
pub struct Search<E, O = MoveHistory> {
    evaluator: E,
    table: TranspositionTable,
    order: O,
}

impl<E: Evaluate> Search<E> {
    /// A search with a transposition table of at most this many MiB, at least 1, and the
    /// framework's order of moves.
    pub fn new(evaluator: E, hash_mib: usize) -> Search<E> {
        Search::with_order(evaluator, MoveHistory::new(), hash_mib)
    }
}

impl<E: Evaluate, O: MoveOrder> Search<E, O> {
    /// The same with another order of moves.
    pub fn with_order(evaluator: E, order: O, hash_mib: usize) -> Search<E, O> {
        Search { evaluator, table: TranspositionTable::new(hash_mib), order }
    }

    /// What judges the positions.
    pub fn evaluator(&self) -> &E {
        &self.evaluator
    }

    /// Forgets everything; for a new game.
    pub fn clear(&mut self, evaluator: E) {
        self.evaluator = evaluator;
        self.table.clear();
        self.order.clear();
    }

    /// Searches the position with this side to move. The analysis comes back as it was.
    ///
    /// There is always a best move if any is legal, be the budget ever so small.
    pub fn run(
        &mut self,
        analysis: &mut Analysis,
        to_move: Color,
        budget: &Budget,
        watch: &mut dyn Watch,
    ) -> Report {
        self.table.begin();
        self.order.begin();
        let Search { evaluator, table, order } = self;
        SearchRun::new(analysis, evaluator, table, order, budget, watch).deepen(to_move)
    }
}
