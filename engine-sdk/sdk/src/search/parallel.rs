//! One search by several threads, which share the table.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use tengen_rules::Color;

use super::node::SearchRun;
use super::order::MoveHistory;
use super::{Budget, Report, Search, Watch};
use crate::analysis::Analysis;
use crate::eval::Evaluate;

/// Tells the helpers that the search is over, also where it panicked.
struct Over<'a>(&'a AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Stops a helper.
struct HelperWatch<'a>(&'a AtomicBool);

impl Watch for HelperWatch<'_> {
    fn is_up(&mut self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl<E: Evaluate + Clone + Send> Search<E> {
    /// As [`Search::run`], with so many threads. All search the same position and share the table,
    /// so that each finds there what the others know; the report is that of the calling thread,
    /// with the nodes of all of them at the end.
    ///
    /// What it finds depends on how the threads were scheduled. A node limit asks for what can be
    /// repeated, so with one, one thread searches. So it is where no thread can be had, as in
    /// WebAssembly.
    ///
    /// ```
    /// use tengen_rules::{Color, Point, Rule, Size};
    /// use tengen_sdk::search::{Budget, Search, plies_to_end};
    /// use tengen_sdk::{analysis::Analysis, eval::ThreatEval};
    /// let mut analysis = Analysis::new(Rule::Freestyle, Size::STANDARD);
    /// for x in 6..9 {
    ///     analysis.place(Point::new(x, 7), Color::Black);
    /// }
    /// let mut search = Search::new(ThreatEval::default(), 1);
    /// let budget = Budget { depth: 4, ..Budget::default() };
    /// let report = search.run_on(2, &mut analysis, Color::Black, &budget, &mut ());
    /// assert_eq!(plies_to_end(report.value), Some(3));
    /// ```
    pub fn run_on(
        &mut self,
        threads: usize,
        analysis: &mut Analysis,
        to_move: Color,
        budget: &Budget,
        watch: &mut dyn Watch,
    ) -> Report {
        if threads <= 1 || budget.nodes.is_some() {
            return self.run(analysis, to_move, budget, watch);
        }
        self.table.begin();
        self.memory.begin();
        let Search { evaluator, table, memory } = self;
        let (table, is_over) = (&*table, AtomicBool::new(false));
        thread::scope(|scope| {
            let over = Over(&is_over);
            let mut helpers = Vec::new();
            for _ in 1..threads {
                let (mut analysis, mut evaluator) = (analysis.clone(), evaluator.clone());
                let (is_over, budget) = (&is_over, Budget { lines: 1, ..budget.clone() });
                let helps = move || {
                    let (mut memory, mut watch) = (MoveHistory::new(), HelperWatch(is_over));
                    let (analysis, evaluator) = (&mut analysis, &mut evaluator);
                    let run = SearchRun::new(
                        analysis,
                        evaluator,
                        table,
                        &mut memory,
                        &budget,
                        &mut watch,
                    );
                    run.deepen(to_move).nodes
                };
                helpers.extend(thread::Builder::new().spawn_scoped(scope, helps));
            }
            let run = SearchRun::new(analysis, evaluator, table, memory, budget, watch);
            let mut report = run.deepen(to_move);
            drop(over);
            for helper in helpers {
                match helper.join() {
                    Ok(nodes) => report.nodes += nodes,
                    Err(panic) => resume_unwind(panic),
                }
            }
            report
        })
    }
}
