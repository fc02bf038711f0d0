use tengen_sdk::analysis::{Analysis, PointSet};
use tengen_sdk::search::Budget;
use tengen_sdk::{Color, Point, Thinking};

use crate::AlphaBeta;
use crate::seeded_eval::SeededEval;

/// The nodes that an opening question gets where no limit says less.
const NODES: u64 = 60_000;

/// Short searches for one opening question, which share its limits.
pub(crate) struct OpeningSearch<'a> {
    engine: &'a mut AlphaBeta,
    thinking: &'a Thinking<'a>,
    budget: Budget,
    /// The nodes not yet spent.
    left: u64,
}

impl<'a> OpeningSearch<'a> {
    pub(crate) fn new(engine: &'a mut AlphaBeta, thinking: &'a Thinking<'a>) -> OpeningSearch<'a> {
        let budget = engine.budget(thinking);
        let left = budget.nodes.unwrap_or(NODES).min(NODES);
        OpeningSearch { engine, thinking, budget, left }
    }

    /// How the engine evaluates.
    pub(crate) fn taste(&self) -> &SeededEval {
        self.engine.search.evaluator()
    }

    /// The value of the position for the side to move and its best move, by a search that leaves
    /// as much to `others` more questions each.
    pub(crate) fn value(
        &mut self,
        analysis: &mut Analysis,
        to_move: Color,
        others: usize,
    ) -> (i32, Option<Point>) {
        self.search(analysis, to_move, others, None)
    }

    /// The best of some moves.
    pub(crate) fn best_of(
        &mut self,
        analysis: &mut Analysis,
        to_move: Color,
        only: PointSet,
    ) -> Option<Point> {
        self.search(analysis, to_move, 0, Some(only)).1
    }

    /// The value for its player of each of the stones laid alone.
    pub(crate) fn values(
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

    fn search(
        &mut self,
        analysis: &mut Analysis,
        to_move: Color,
        others: usize,
        only: Option<PointSet>,
    ) -> (i32, Option<Point>) {
        let nodes = self.left / (others as u64 + 1);
        let budget = Budget { nodes: Some(nodes), only, ..self.budget.clone() };
        let mut watch = self.thinking.part(others as u32 + 1);
        let report = self.engine.search.run(analysis, to_move, &budget, &mut watch);
        self.left -= report.nodes;
        (report.value, report.best)
    }
}
