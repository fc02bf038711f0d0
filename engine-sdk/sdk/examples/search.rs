//! An engine with only a search of its own: plain alpha-beta with the framework's analysis,
//! evaluation, replies to threats, threat search and table.

use tengen_sdk::analysis::{Analysis, Threat};
use tengen_sdk::eval::{Evaluate, ThreatEval};
use tengen_sdk::search::{
    Bound, Stakes, ThreatBudget, ThreatKind, ThreatSearch, TranspositionTable, stakes, win_at,
};
use tengen_sdk::{Choice, Color, Engine, Point, Position, Score, Thinking, export_engine};

pub(crate) struct Plain(TranspositionTable, ThreatSearch);

impl Default for Plain {
    fn default() -> Plain {
        Plain(TranspositionTable::new(16), ThreatSearch::new(1))
    }
}

struct Searcher<'a>(&'a mut Analysis, &'a TranspositionTable, &'a Thinking<'a>, u64);

/// A value and its move; none when the time is up.
type Found = Option<(i32, Option<Point>)>;

impl Searcher<'_> {
    fn node(&mut self, us: Color, depth: i32, window: (i32, i32), ply: usize) -> Found {
        let (Searcher(analysis, table, thinking, nodes), (mut alpha, beta)) = (&mut *self, window);
        *nodes += 1;
        let is_over = thinking.limits().nodes.is_some_and(|most| *nodes >= most);
        if is_over || nodes.is_multiple_of(500) && thinking.is_up() {
            return None;
        }
        if let Some(five) = analysis.points(us, Threat::Five).first() {
            return Some((win_at(ply + 1), Some(five)));
        }
        let key = analysis.hash() ^ us as u64;
        let known = table.get(key);
        let moves: Vec<Point> = match stakes(analysis, us) {
            Stakes::Lost(points) | Stakes::Forced(points) => points.iter().collect(),
            _ if depth <= 0 => return Some((ThreatEval::USUAL.evaluate(analysis, us), None)),
            Stakes::Menaced(points) => points.iter().collect(),
            Stakes::Won | Stakes::Quiet => analysis.near().iter().collect(),
        };
        let promise = |point: Point| match known.and_then(|entry| entry.best()) == Some(point) {
            true => i32::MIN,
            false => -ThreatEval::USUAL.promise(analysis, point, us),
        };
        let mut moves: Vec<Point> =
            moves.into_iter().filter(|p| analysis.is_legal(*p, us)).collect();
        moves.sort_by_key(|point| promise(*point));
        let mut best = (-win_at(ply), None);
        for point in moves.into_iter().take(16) {
            self.0.place(point, us);
            let found = self.node(!us, depth - 1, (-beta, -alpha), ply + 1);
            self.0.remove(point);
            let value = -found?.0;
            if best.1.is_none() || value > best.0 {
                best = (value, Some(point));
            }
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        // Only its move is used: the value may be no more than a bound.
        self.1.put(key, best.1, best.0, (depth, Bound::Exact), ply);
        Some(best)
    }
}

impl Engine for Plain {
    fn choose(&mut self, position: &Position, thinking: &Thinking<'_>) -> Choice {
        let (mut analysis, us) = (Analysis::of(position), position.to_move());
        let fours = ThreatBudget { nodes: 2000, moves: 12 };
        if let Some(win) = self.1.find(&mut analysis, us, ThreatKind::Fours, &fours).win() {
            return win.first.into();
        }
        let legal = |p: &Point| position.check(*p).is_ok() && position.foul_at(*p).is_none();
        let mut best = (0, position.size().points().find(legal).expect("an empty point"));
        let mut run = Searcher(&mut analysis, &self.0, thinking, self.1.nodes());
        for depth in 1..=thinking.limits().depth.unwrap_or(32) as i32 {
            let Some((value, found)) = run.node(us, depth, (-30_000, 30_000), 0) else { break };
            best = (value, found.unwrap_or(best.1));
            if !thinking.goes_on() {
                break;
            }
        }
        let (score, nodes) = (Score { eval: Some(best.0), ..Score::default() }, run.3);
        Choice { score, nodes, ..Choice::from(best.1) }
    }
}

export_engine!(Plain);
