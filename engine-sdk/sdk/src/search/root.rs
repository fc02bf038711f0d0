use tengen_rules::{Color, Point};

use super::Report;
use super::node::{SearchRun, Stopped};
use super::order::{MoveOrder, TriedMove};
use super::replies::Stakes;
use super::value::{MAX_PLY, WIN, is_proven, win_at};
use crate::analysis::Threat;
use crate::eval::Evaluate;

impl<E: Evaluate, O: MoveOrder> SearchRun<'_, E, O> {
    /// Searches deeper and deeper until a limit, the watch or a proven result ends it.
    pub(super) fn deepen(mut self, to_move: Color) -> Report {
        self.evaluator.begin(self.analysis);
        let mut moves = self.root_moves(to_move);
        let mut report = Report { best: moves.first().copied(), ..Report::default() };
        report.line.extend(report.best);
        if moves.is_empty() {
            return report;
        }
        report.value = self.evaluator.evaluate(self.analysis, to_move);
        for depth in 1..=self.budget.depth.min(MAX_PLY as u32) {
            let result = self.iterate(&mut moves, to_move, depth as i32, &mut report);
            self.count(&mut report);
            if result.is_err() {
                break;
            }
            report.depth = depth;
            let others = self.others(&mut moves, to_move, depth as i32);
            self.count(&mut report);
            let Ok(others) = others else { break };
            let others = rank(&mut moves, &mut report, others);
            report.depth = depth;
            self.count(&mut report);
            let decided = is_proven(report.value) || moves.len() == 1;
            let goes_on = self.watch.goes_on(&report);
            for (index, mut other) in others.into_iter().enumerate() {
                self.count(&mut other);
                other.depth = depth;
                self.watch.also(index + 2, &other);
            }
            if !goes_on || decided {
                break;
            }
        }
        report
    }

    fn count(&self, report: &mut Report) {
        report.nodes = self.nodes;
        report.seldepth = self.seldepth as u32;
        report.hash_permille = self.table.permille();
    }

    /// The lines wanted beside the best: each goes off from a root move that no line before has.
    fn others(
        &mut self,
        moves: &mut [Point],
        to_move: Color,
        depth: i32,
    ) -> Result<Vec<Report>, Stopped> {
        let lines = self.budget.lines.min(moves.len());
        let mut others = Vec::new();
        for index in 1..lines {
            let mut report = Report::default();
            self.iterate(&mut moves[index..], to_move, depth, &mut report)?;
            others.push(report);
        }
        Ok(others)
    }

    /// One iteration over the root moves. A move that turns out best goes to the front, and into
    /// the report at once, so that an iteration broken off still counts.
    fn iterate(
        &mut self,
        moves: &mut [Point],
        to_move: Color,
        depth: i32,
        report: &mut Report,
    ) -> Result<(), Stopped> {
        let mut best = -WIN;
        for index in 0..moves.len() {
            let point = moves[index];
            let value = self.root_value(point, to_move, depth, best, index == 0)?;
            if value > best || index == 0 {
                best = value;
                moves[..=index].rotate_right(1);
                report.best = Some(point);
                report.value = value;
                report.line.clear();
                report.line.push(point);
                report.line.extend_from_slice(&self.lines[1]);
            }
            if best >= win_at(3) {
                break;
            }
        }
        Ok(())
    }

    fn root_value(
        &mut self,
        point: Point,
        to_move: Color,
        depth: i32,
        best: i32,
        first: bool,
    ) -> Result<i32, Stopped> {
        self.lines[1].clear();
        if self.analysis.board().wins(self.analysis.rule(), point, to_move) {
            return Ok(win_at(1));
        }
        self.place(point, to_move);
        let result = self.reply_value(to_move, depth, best, first);
        self.remove(point, to_move);
        result
    }

    /// The value of the position after a root move, for its player.
    fn reply_value(
        &mut self,
        to_move: Color,
        depth: i32,
        best: i32,
        first: bool,
    ) -> Result<i32, Stopped> {
        if !first {
            let value = -self.node(!to_move, depth - 1, (-best - 1, -best), 1)?;
            if value <= best {
                return Ok(value);
            }
        }
        Ok(-self.node(!to_move, depth - 1, (-WIN, -best), 1)?)
    }

    /// The moves to consider at the root, the most promising first: those that the threats on the
    /// board leave, else any legal one, else, for Black with nothing but forbidden points, any.
    fn root_moves(&mut self, to_move: Color) -> Vec<Point> {
        let allowed =
            |point: &Point| self.budget.only.as_ref().is_none_or(|only| only.contains(*point));
        let wins = self.analysis.points(to_move, Threat::Five);
        if let Some(point) = wins.iter().find(allowed) {
            return vec![point];
        }
        let candidates: Vec<Point> = match self.stakes(to_move) {
            Stakes::Lost(points) | Stakes::Forced(points) | Stakes::Menaced(points) => {
                points.iter().collect()
            }
            Stakes::Quiet | Stakes::Won => self.analysis.near().iter().collect(),
        };
        let legal = |point: &Point| allowed(point) && self.analysis.is_legal(*point, to_move);
        let mut moves: Vec<Point> = candidates.into_iter().filter(legal).collect();
        if moves.is_empty() {
            moves = self.anywhere(legal);
            if self.analysis.stones() == 0 {
                // The centre, where it is allowed: no other point is worth a search.
                moves.truncate(1);
            }
        }
        if moves.is_empty() {
            moves = self.anywhere(allowed);
        }
        let mut ranked: Vec<_> = moves
            .into_iter()
            .map(|point| {
                let promise = self.evaluator.promise(self.analysis, point, to_move);
                let tried = TriedMove { point, color: to_move, ply: 0 };
                (self.order.rank(self.analysis, tried, promise).saturating_neg(), point)
            })
            .collect();
        ranked.sort_unstable();
        let width = if self.budget.only.is_some() { usize::MAX } else { 2 * self.budget.width };
        ranked.into_iter().take(width).map(|(_, point)| point).collect()
    }

    /// Every empty point that passes, the nearest to the centre first.
    fn anywhere(&self, passes: impl Fn(&Point) -> bool) -> Vec<Point> {
        let size = self.analysis.size();
        let center = size.center();
        let distance =
            |point: &Point| point.x().abs_diff(center.x()).max(point.y().abs_diff(center.y()));
        let empty = |point: &Point| self.analysis.is_empty(*point);
        let mut points: Vec<Point> = size.points().filter(empty).filter(passes).collect();
        points.sort_by_key(distance);
        points
    }
}

/// Puts the lines in order, the root moves with them: a later line may turn out better than one
/// before, as it finds more in the table. Returns those that are not the best.
fn rank(moves: &mut [Point], best: &mut Report, others: Vec<Report>) -> Vec<Report> {
    if others.is_empty() {
        return others;
    }
    let mut lines = others;
    lines.insert(0, std::mem::take(best));
    lines.sort_by_key(|line| -line.value);
    for line in lines.iter().rev() {
        if let Some(index) = moves.iter().position(|point| Some(*point) == line.best) {
            moves[..=index].rotate_right(1);
        }
    }
    *best = lines.remove(0);
    lines
}
