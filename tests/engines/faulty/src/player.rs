//! How the engine plays: it makes five, hinders five, and else lays a stone beside others.

use std::sync::atomic::{AtomicU64, Ordering};

use tengen_abi::{Host, MoveCode, Reply, Score, have};
use tengen_rules::{Color, Point, Position, Rule, Size};

use crate::faults::has;

/// The engine and its game.
pub(crate) struct Player {
    host: *const Host,
    pub(crate) speed: u32,
    pub(crate) seed: u64,
    pub(crate) is_reproducible: bool,
    pub(crate) games: u32,
    /// Whether no question was asked in this game.
    pub(crate) is_unasked: bool,
    /// Whether it takes itself to be the other side.
    pub(crate) is_turned: bool,
    pub(crate) position: Position,
}

/// What differs from one answer to the next.
static COUNTER: AtomicU64 = AtomicU64::new(0);

impl Player {
    pub(crate) fn new(host: *const Host) -> Player {
        let position = Position::new(Rule::Freestyle, Size::STANDARD);
        Player {
            host,
            speed: 5,
            seed: 0,
            is_reproducible: false,
            games: 0,
            is_unasked: false,
            is_turned: false,
            position,
        }
    }

    /// The time left, by the host.
    pub(crate) fn left_us(&self) -> i64 {
        // SAFETY: the host lives as long as the engine, by the ABI.
        let host = unsafe { &*self.host };
        // SAFETY: the context is the host's own.
        host.left_us.map_or(0, |left_us| unsafe { left_us(host.context) })
    }

    /// Adds a ply.
    pub(crate) fn play(&mut self, code: MoveCode) -> i32 {
        let Some((x, y)) = code.stone() else {
            self.position.pass();
            return tengen_abi::status::OK;
        };
        let is_outside = !self.position.size().contains(Point::new(x, y));
        if has("only_15") && is_outside {
            self.position.pass();
            return tengen_abi::status::OK;
        }
        match self.position.play(Point::new(x, y)) {
            Ok(_) => tengen_abi::status::OK,
            Err(_) => tengen_abi::status::ARGUMENT,
        }
    }

    /// The move it would make.
    pub(crate) fn answer(&self) -> Option<Reply> {
        let own = self.own_color();
        let mut points = self.near();
        let nodes = points.len() as u64;
        points.sort_by_cached_key(|&point| self.liking(point, own));
        if has("seeks_forbidden")
            && let Some(point) =
                points.iter().find(|&&point| self.position.foul_at(point).is_some())
        {
            return Some(self.reply(*point, 0, nodes));
        }
        points.retain(|&point| self.position.foul_at(point).is_none());
        let five = points.iter().find(|&&point| self.makes_five(point, own));
        let hinders = points.iter().find(|&&point| self.makes_five(point, !own));
        if let Some(point) = five {
            let eval = if has("score_of_the_other") { -1000 } else { 1000 };
            return Some(self.reply(*point, eval, nodes));
        }
        let first = hinders.or(points.first()).copied();
        let any = || self.position.size().points().find(|&p| self.position.check(p).is_ok());
        first.or_else(any).map(|point| self.reply(point, 0, nodes))
    }

    fn reply(&self, point: Point, eval: i32, nodes: u64) -> Reply {
        let nodes = if has("ignores_nodes") { 20_000 } else { nodes };
        let depth = if has("ignores_depth") { 9 } else { 1 };
        let score = Score { eval, have: have::EVAL, ..Score::default() };
        let mv = MoveCode::xy(point.x(), point.y());
        Reply { mv, depth, nodes, score, ..Reply::default() }
    }

    /// The empty points within two steps of stones; all of them where there are none.
    fn near(&self) -> Vec<Point> {
        let size = self.position.size();
        let is_empty = |point: &Point| self.position.check(*point).is_ok();
        let beside = |point: &Point| {
            self.position.board().stones().any(|(stone, _)| {
                stone.x().abs_diff(point.x()).max(stone.y().abs_diff(point.y())) <= 2
            })
        };
        let near: Vec<Point> = size.points().filter(is_empty).filter(beside).collect();
        if near.iter().any(|&point| self.position.foul_at(point).is_none()) {
            return near;
        }
        size.points().filter(is_empty).collect()
    }

    /// An order of points that the seed gives.
    fn liking(&self, point: Point, own: Color) -> u64 {
        let place = u64::from(point.x()) << 8 | u64::from(point.y());
        let mut mixed = self.seed ^ place << 20 ^ self.position.ply() as u64 ^ (own as u64) << 60;
        if has("not_deterministic") {
            mixed ^= COUNTER.fetch_add(1, Ordering::Relaxed) << 30;
        }
        if has("remembers_games") {
            mixed ^= u64::from(self.games) << 30;
        }
        mixed = (mixed ^ mixed >> 31).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed ^ mixed >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 7
    }

    fn makes_five(&self, point: Point, color: Color) -> bool {
        if has("misses_a_diagonal") && self.row(point, color, (1, -1)) >= 5 {
            return false;
        }
        self.position.board().wins(self.position.rule(), point, color)
    }

    /// The length of the row through an empty point, if it had that colour.
    fn row(&self, point: Point, color: Color, (dx, dy): (i8, i8)) -> usize {
        let along = |sign: i8| {
            let step = |steps: i8| {
                let x = point.x().checked_add_signed(sign * dx * steps)?;
                let y = point.y().checked_add_signed(sign * dy * steps)?;
                self.position.board().get(Point::new(x, y)).filter(|stone| *stone == color)
            };
            (1..6).take_while(|&steps| step(steps).is_some()).count()
        };
        1 + along(1) + along(-1)
    }
}
