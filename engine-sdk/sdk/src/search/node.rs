//! One search while it runs: alpha-beta from a node down.

use tengen_rules::{Color, Point};

use super::order::{MoveOrder, TriedMove};
use super::replies::Stakes;
use super::table::{Bound, TranspositionTable};
use super::value::{MAX_PLY, win_at};
use super::{Budget, POLL, Watch};
use crate::analysis::{Analysis, PointSet, Threat};
use crate::eval::{Evaluate, MAX_VALUE};
use crate::random::mix;

/// The search was broken off; what it was computing is void.
pub(super) struct Stopped;

/// One search while it runs.
pub(super) struct SearchRun<'a, E, O> {
    pub(super) analysis: &'a mut Analysis,
    pub(super) evaluator: &'a mut E,
    pub(super) table: &'a TranspositionTable,
    pub(super) order: &'a mut O,
    pub(super) budget: &'a Budget,
    pub(super) watch: &'a mut dyn Watch,
    pub(super) nodes: u64,
    pub(super) seldepth: usize,
    /// Per ply the best line from there on.
    pub(super) lines: Vec<Vec<Point>>,
    /// Per ply the ranked moves, kept for their memory.
    ranked: Vec<Vec<(i32, Point)>>,
}

/// Sets the positions with White to move apart.
const WHITE_TO_MOVE: u64 = mix(0x5749);

impl<'a, E: Evaluate, O: MoveOrder> SearchRun<'a, E, O> {
    pub(super) fn new(
        analysis: &'a mut Analysis,
        evaluator: &'a mut E,
        table: &'a TranspositionTable,
        order: &'a mut O,
        budget: &'a Budget,
        watch: &'a mut dyn Watch,
    ) -> SearchRun<'a, E, O> {
        let lines = vec![Vec::new(); MAX_PLY + 2];
        let ranked = vec![Vec::new(); MAX_PLY + 2];
        let (nodes, seldepth) = (0, 0);
        SearchRun {
            analysis,
            evaluator,
            table,
            order,
            budget,
            watch,
            nodes,
            seldepth,
            lines,
            ranked,
        }
    }

    /// The key of the position with this side to move.
    pub(super) fn key(&self, to_move: Color) -> u64 {
        match to_move {
            Color::Black => self.analysis.hash(),
            Color::White => self.analysis.hash() ^ WHITE_TO_MOVE,
        }
    }

    /// Counts a node, unless the search must end before it.
    pub(super) fn visit(&mut self, ply: usize) -> Result<(), Stopped> {
        if self.budget.nodes.is_some_and(|limit| self.nodes >= limit) {
            return Err(Stopped);
        }
        if self.nodes.is_multiple_of(POLL) && self.watch.is_up() {
            return Err(Stopped);
        }
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        Ok(())
    }

    /// Lays a stone, and tells the evaluator.
    #[inline]
    pub(super) fn place(&mut self, point: Point, color: Color) {
        self.analysis.place(point, color);
        self.evaluator.place(self.analysis, point, color);
    }

    /// Takes the stone away again.
    #[inline]
    pub(super) fn remove(&mut self, point: Point, color: Color) {
        self.analysis.remove(point);
        self.evaluator.remove(self.analysis, point, color);
    }

    /// The value of the position for the side to move, exact within the window and else a bound.
    pub(super) fn node(
        &mut self,
        us: Color,
        depth: i32,
        (alpha, beta): (i32, i32),
        ply: usize,
    ) -> Result<i32, Stopped> {
        self.visit(ply)?;
        self.lines[ply].clear();
        if let Some(five) = self.analysis.points(us, Threat::Five).first() {
            self.lines[ply].push(five);
            return Ok(win_at(ply + 1));
        }
        if self.analysis.is_full() {
            return Ok(0);
        }
        if ply >= MAX_PLY {
            return Ok(self.evaluate(us));
        }
        let (moves, depth) = match self.stakes(us) {
            Stakes::Lost(_) => return Ok(-win_at(ply + 2)),
            Stakes::Won => return Ok(win_at(ply + 3)),
            // Forced moves cost no depth, so that it counts the moves that are free.
            Stakes::Forced(points) => (Some(points), depth.max(0) + 1),
            Stakes::Menaced(points) if depth > 0 => (Some(points), depth + 1),
            Stakes::Menaced(_) => return self.leaf(us, ply),
            Stakes::Quiet => (None, depth),
        };
        // Nearer than these no win can be.
        let (alpha, beta) = (alpha.max(-win_at(ply + 2)), beta.min(win_at(ply + 3)));
        if alpha >= beta {
            return Ok(alpha);
        }
        if depth <= 0 {
            return self.leaf(us, ply);
        }
        self.branch(us, depth, (alpha, beta), ply, moves)
    }

    /// The value where no more is tried than winning by fours.
    fn leaf(&mut self, us: Color, ply: usize) -> Result<i32, Stopped> {
        Ok(match self.wins_by_fours(us, ply)? {
            Some(at) => win_at(at),
            None => self.evaluate(us),
        })
    }

    fn evaluate(&self, us: Color) -> i32 {
        self.evaluator.evaluate(self.analysis, us).clamp(-MAX_VALUE, MAX_VALUE)
    }

    fn branch(
        &mut self,
        us: Color,
        depth: i32,
        (alpha, beta): (i32, i32),
        ply: usize,
        moves: Option<PointSet>,
    ) -> Result<i32, Stopped> {
        let key = self.key(us);
        let mut first = None;
        if let Some(entry) = self.table.get(key) {
            first = entry.best();
            let value = entry.value(ply);
            let cut = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => value >= beta,
                Bound::Upper => value <= alpha,
            };
            if cut && i32::from(entry.depth) >= depth {
                return Ok(value);
            }
        }
        let width = match moves {
            Some(_) => usize::MAX,
            None => self.budget.width.min(4 + 4 * depth as usize),
        };
        let mut ranked = std::mem::take(&mut self.ranked[ply]);
        self.rank(us, ply, (first, moves), &mut ranked);
        ranked.truncate(width);
        let result = self.best_of(us, depth, (alpha, beta), ply, &ranked);
        self.ranked[ply] = ranked;
        let (best, value) = result?;
        let bound = match value {
            _ if value >= beta => Bound::Lower,
            _ if value <= alpha => Bound::Upper,
            _ => Bound::Exact,
        };
        self.table.put(key, best, value, (depth, bound), ply);
        Ok(value)
    }

    /// Puts the moves in order, the most promising first.
    fn rank(
        &self,
        us: Color,
        ply: usize,
        (first, moves): (Option<Point>, Option<PointSet>),
        ranked: &mut Vec<(i32, Point)>,
    ) {
        ranked.clear();
        let promise = |point: Point| {
            if first == Some(point) {
                return i32::MAX;
            }
            let promise = self.evaluator.promise(self.analysis, point, us);
            self.order.rank(self.analysis, TriedMove { point, color: us, ply }, promise)
        };
        let ranked_move = |point: Point| (promise(point).saturating_neg(), point);
        match &moves {
            Some(moves) => ranked.extend(moves.iter().map(ranked_move)),
            None => ranked.extend(self.analysis.near().iter().map(ranked_move)),
        }
        ranked.sort_unstable();
    }

    /// The best of the ranked moves and its value.
    fn best_of(
        &mut self,
        us: Color,
        depth: i32,
        (mut alpha, beta): (i32, i32),
        ply: usize,
        ranked: &[(i32, Point)],
    ) -> Result<(Option<Point>, i32), Stopped> {
        let mut best = None;
        let mut value = i32::MIN;
        let mut tried = 0;
        for &(_, point) in ranked {
            if !self.analysis.is_legal(point, us) {
                continue;
            }
            let quiet = self.is_quiet(us, point);
            let reduction = if quiet { reduction(depth, tried) } else { 0 };
            self.place(point, us);
            let result = self.child(us, depth, (alpha, beta), ply, (tried == 0, reduction));
            self.remove(point, us);
            let found = result?;
            tried += 1;
            if found <= value {
                continue;
            }
            value = found;
            if value > alpha {
                alpha = value;
                best = Some(point);
                self.extend_line(ply, point);
            }
            if alpha >= beta {
                if quiet {
                    self.order.reward(TriedMove { point, color: us, ply }, depth);
                }
                break;
            }
        }
        // Black without a legal candidate, or a lone side with none at all.
        Ok((best, if tried == 0 { self.evaluate(us) } else { value }))
    }

    /// The value, for the mover, of the position after its move.
    fn child(
        &mut self,
        us: Color,
        depth: i32,
        (alpha, beta): (i32, i32),
        ply: usize,
        (first, reduction): (bool, i32),
    ) -> Result<i32, Stopped> {
        if !first {
            let window = (-alpha - 1, -alpha);
            let mut value = -self.node(!us, depth - 1 - reduction, window, ply + 1)?;
            if value > alpha && reduction > 0 {
                value = -self.node(!us, depth - 1, window, ply + 1)?;
            }
            if value <= alpha || value >= beta {
                return Ok(value);
            }
        }
        Ok(-self.node(!us, depth - 1, (-beta, -alpha), ply + 1)?)
    }

    /// Whether the move neither threatens nor takes a threat away.
    fn is_quiet(&self, us: Color, point: Point) -> bool {
        self.analysis.threat(point, us) <= Threat::Quiet
            && self.analysis.threat(point, !us) < Threat::DoubleThree
    }

    fn extend_line(&mut self, ply: usize, point: Point) {
        let (line, rest) = self.lines.split_at_mut(ply + 1);
        line[ply].clear();
        line[ply].push(point);
        line[ply].extend_from_slice(&rest[0]);
    }
}

/// By how many plies a quiet move that was ranked late is searched less.
fn reduction(depth: i32, tried: usize) -> i32 {
    match tried {
        _ if depth < 2 => 0,
        0..=2 => 0,
        3..=9 => 1,
        _ => 2,
    }
}
