//! Short searches for one opening question.

use tengen_rules::{Color, Point};

use crate::Thinking;
use crate::analysis::{Analysis, PointSet};
use crate::eval::Evaluate;
use crate::search::{Budget, MoveHistory, MoveOrder, Search};

/// The nodes for an opening question, unless a limit is lower.
const NODES: u64 = 60_000;

/// Short searches for one opening question, which share its limits.
///
/// ```
/// use tengen_sdk::analysis::Analysis;
/// use tengen_sdk::eval::ThreatEval;
/// use tengen_sdk::opening::OpeningSearch;
/// use tengen_sdk::search::{Budget, Search};
/// use tengen_sdk::{Color, Rule, Size, Thinking};
///
/// let (mut search, thinking) = (Search::new(ThreatEval::default(), 1), Thinking::free());
/// let budget = Budget { nodes: Some(1000), ..Budget::default() };
/// let mut opening = OpeningSearch::new(&mut search, &thinking, budget);
/// let mut analysis = Analysis::new(Rule::Freestyle, Size::STANDARD);
/// analysis.place("h8".parse()?, Color::Black);
/// // Two more questions are to have as much each.
/// let (value, best) = opening.value(&mut analysis, Color::White, 2);
/// assert!(value < 100 && best.is_some());
/// # Ok::<(), tengen_sdk::rules::ParsePointError>(())
/// ```
pub struct OpeningSearch<'a, E, O = MoveHistory> {
    search: &'a mut Search<E, O>,
    thinking: &'a Thinking<'a>,
    budget: Budget,
    /// The nodes not yet spent.
    left: u64,
}

impl<'a, E: Evaluate, O: MoveOrder> OpeningSearch<'a, E, O> {
    /// Uses `search` for one question: with `budget`, but at most the nodes that an opening
    /// question is worth.
    pub fn new(
        search: &'a mut Search<E, O>,
        thinking: &'a Thinking<'a>,
        budget: Budget,
    ) -> OpeningSearch<'a, E, O> {
        let left = budget.nodes.unwrap_or(NODES).min(NODES);
        OpeningSearch { search, thinking, budget, left }
    }

    /// What may be spent on the question, and the game.
    pub fn thinking(&self) -> &'a Thinking<'a> {
        self.thinking
    }

    /// What judges the positions.
    pub fn evaluator(&self) -> &E {
        self.search.evaluator()
    }

    /// The value of the position for the side to move and its best move, by a search that leaves
    /// as much to `others` more questions each.
    pub fn value(
        &mut self,
        analysis: &mut Analysis,
        to_move: Color,
        others: usize,
    ) -> (i32, Option<Point>) {
        self.run(analysis, to_move, others, None)
    }

    /// The best of some moves.
    pub fn best_of(
        &mut self,
        analysis: &mut Analysis,
        to_move: Color,
        only: PointSet,
    ) -> Option<Point> {
        self.run(analysis, to_move, 0, Some(only)).1
    }

    /// The value for its player of each of the stones laid alone.
    pub fn values(
        &mut self,
        analysis: &mut Analysis,
        player: Color,
        points: &[Point],
        others: usize,
    ) -> Vec<i32> {
        let mut values = Vec::with_capacity(points.len());
        for (index, &point) in points.iter().enumerate() {
            analysis.place(point, player);
            let others = others + points.len() - index - 1;
            values.push(-self.value(analysis, !player, others).0);
            analysis.remove(point);
        }
        values
    }

    fn run(
        &mut self,
        analysis: &mut Analysis,
        to_move: Color,
        others: usize,
        only: Option<PointSet>,
    ) -> (i32, Option<Point>) {
        let nodes = self.left / (others as u64 + 1);
        let budget = Budget { nodes: Some(nodes), only, ..self.budget.clone() };
        let mut watch = self.thinking.part(others as u32 + 1);
        let report = self.search.run(analysis, to_move, &budget, &mut watch);
        self.left -= report.nodes;
        (report.value, report.best)
    }
}
