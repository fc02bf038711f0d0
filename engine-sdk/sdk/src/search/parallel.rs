//! Several threads for one search: the helper that any search can use, and the framework's own
//! search on it.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use tengen_rules::Color;

use super::node::SearchRun;
use super::order::MoveOrder;
use super::{Budget, Report, Search, Watch};
use crate::analysis::Analysis;
use crate::eval::Evaluate;

/// Tells helpers that the search is over.
///
/// It is a [`Watch`], so that a helper may run a [`Search`] under it. [`with_helpers`] shows it.
///
/// ```
/// use tengen_sdk::search::{HelperStop, with_helpers};
/// // A helper that does nothing until it is over.
/// let helper = |stop: HelperStop<'_>| while !stop.is_up() {};
/// let (answer, _) = with_helpers(vec![helper], || 42);
/// assert_eq!(answer, 42);
/// ```
pub struct HelperStop<'a>(&'a AtomicBool);

impl HelperStop<'_> {
    /// Whether to end. Ask as often as [`Thinking::is_up`](crate::Thinking::is_up).
    pub fn is_up(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl Watch for HelperStop<'_> {
    fn is_up(&mut self) -> bool {
        HelperStop::is_up(self)
    }
}

/// Ends the helpers, also where the search panicked.
struct Over<'a>(&'a AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Runs `main` on this thread and each helper on one of its own, until `main` returns: helpers are
/// told by [`HelperStop`], and none lives on after that, as the ABI asks. Gives what `main` found,
/// and what those helpers did that could be started: none in WebAssembly, which has no threads.
///
/// # Panics
/// When a helper panicked.
///
/// ```
/// use std::sync::atomic::{AtomicU64, Ordering};
/// use tengen_sdk::search::{HelperStop, with_helpers};
///
/// let found = AtomicU64::new(0);
/// let helper = |stop: HelperStop<'_>| {
///     let mut looked_at = 0;
///     while !stop.is_up() {
///         looked_at += 1;
///         found.fetch_max(looked_at, Ordering::Relaxed);
///     }
///     looked_at
/// };
/// let (best, nodes) = with_helpers(vec![helper, helper], || {
///     while found.load(Ordering::Relaxed) < 10 {}
///     "h8"
/// });
/// assert_eq!(best, "h8");
/// assert!(nodes.iter().sum::<u64>() >= 10);
/// ```
pub fn with_helpers<H, N, R>(helpers: Vec<H>, main: impl FnOnce() -> R) -> (R, Vec<N>)
where
    H: FnOnce(HelperStop<'_>) -> N + Send,
    N: Send,
{
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        let over = Over(&is_over);
        let start = |helper: H| {
            let stop = HelperStop(&is_over);
            thread::Builder::new().spawn_scoped(scope, move || helper(stop)).ok()
        };
        let running: Vec<_> = helpers.into_iter().filter_map(start).collect();
        let found = main();
        drop(over);
        let join = |helper: thread::ScopedJoinHandle<'_, N>| {
            helper.join().unwrap_or_else(|panic| resume_unwind(panic))
        };
        (found, running.into_iter().map(join).collect())
    })
}

impl<E: Evaluate + Clone + Send, O: MoveOrder + Clone + Send> Search<E, O> {
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
        self.order.begin();
        let Search { evaluator, table, order } = self;
        let table = &*table;
        let helper = || {
            let (mut analysis, mut evaluator) = (analysis.clone(), evaluator.clone());
            let (mut order, budget) = (order.clone(), Budget { lines: 1, ..budget.clone() });
            move |mut stop: HelperStop<'_>| {
                let (analysis, evaluator) = (&mut analysis, &mut evaluator);
                SearchRun::new(analysis, evaluator, table, &mut order, &budget, &mut stop)
                    .deepen(to_move)
                    .nodes
            }
        };
        let helpers: Vec<_> = (1..threads).map(|_| helper()).collect();
        let (mut report, nodes) = with_helpers(helpers, || {
            SearchRun::new(analysis, evaluator, table, order, budget, watch).deepen(to_move)
        });
        report.nodes += nodes.iter().sum::<u64>();
        report
    }
}
