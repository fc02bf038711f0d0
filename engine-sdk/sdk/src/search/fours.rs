use tengen_rules::{Color, Point};

use super::node::{SearchRun, Stopped};
use super::order::MoveOrder;
use super::replies::unstoppable;
use super::table::Bound;
use super::value::{MAX_PLY, win_at};
use crate::analysis::{PointSet, Threat};
use crate::eval::Evaluate;
use crate::random::mix;

/// How many fours in a row are tried.
const MOST_FOURS: i32 = 12;

/// Sets the positions of this search apart in the transposition table.
const SALT: u64 = mix(0x4F75);

impl<E: Evaluate, O: MoveOrder> SearchRun<'_, E, O> {
    /// Whether the side to move wins by fours alone, every one answered: the ply at which it makes
    /// its five, if so. There is no five to make and none to stop.
    pub(super) fn wins_by_fours(
        &mut self,
        us: Color,
        ply: usize,
    ) -> Result<Option<usize>, Stopped> {
        self.fours(us, MOST_FOURS, ply)
    }

    fn fours(&mut self, us: Color, left: i32, ply: usize) -> Result<Option<usize>, Stopped> {
        if !self.analysis.points(us, Threat::Five).is_empty() {
            return Ok(Some(ply + 1));
        }
        let only = match self.analysis.points(!us, Threat::Five).len() {
            0 => None,
            1 => self.analysis.points(!us, Threat::Five).first(),
            _ => return Ok(None),
        };
        if only.is_none() && unstoppable(self.analysis, us).is_some() {
            return Ok(Some(ply + 3));
        }
        if left == 0 || ply + 2 >= MAX_PLY {
            return Ok(None);
        }
        let key = self.key(us) ^ SALT;
        if let Some(entry) = self.table.get(key)
            && i32::from(entry.depth) >= left
        {
            let won = entry.bound == Bound::Exact;
            return Ok(won.then(|| (win_at(0) - entry.value(ply)) as usize));
        }
        let mut won = None;
        for point in self.four_points(us, only) {
            won = self.after_four(us, point, left, ply)?;
            if won.is_some() {
                break;
            }
        }
        let (value, bound) = won.map_or((0, Bound::Upper), |at| (win_at(at), Bound::Exact));
        let depth = if won.is_some() { MOST_FOURS } else { left };
        self.table.put(key, None, value, (depth, bound), ply);
        Ok(won)
    }

    /// The points on which the side makes a four it may make, those with a three besides first.
    fn four_points(&self, us: Color, only: Option<Point>) -> Vec<Point> {
        Threat::FOURS
            .into_iter()
            .flat_map(|threat| self.analysis.points(us, threat).iter())
            .filter(|&point| only.is_none_or(|only| only == point))
            .filter(|&point| self.analysis.is_legal(point, us))
            .collect()
    }

    /// The ply of the five if this four wins against every reply.
    fn after_four(
        &mut self,
        us: Color,
        point: Point,
        left: i32,
        ply: usize,
    ) -> Result<Option<usize>, Stopped> {
        self.visit(ply + 1)?;
        self.analysis.place(point, us);
        let result = self.after_replies(us, left, ply);
        self.analysis.remove(point);
        result
    }

    fn after_replies(
        &mut self,
        us: Color,
        left: i32,
        ply: usize,
    ) -> Result<Option<usize>, Stopped> {
        let fives = self.analysis.points(us, Threat::Five);
        if !self.analysis.points(!us, Threat::Five).is_empty() {
            return Ok(None);
        }
        let Some(five) = fives.first() else { return Ok(None) };
        if fives.len() > 1 && !self.analysis.rule().blocks_fives() {
            return Ok(Some(ply + 3));
        }
        let replies: PointSet = self.analysis.defences(five, us);
        let mut latest = ply + 3;
        for reply in replies.iter() {
            if !self.analysis.is_legal(reply, !us) {
                continue;
            }
            self.analysis.place(reply, !us);
            let result = self.fours(us, left - 1, ply + 2);
            self.analysis.remove(reply);
            match result? {
                Some(at) => latest = latest.max(at),
                None => return Ok(None),
            }
        }
        Ok(Some(latest))
    }
}
