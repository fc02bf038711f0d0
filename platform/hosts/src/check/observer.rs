//! The opponent of an engine that is checked.

use tengen_random::Random;
use tengen_rules::{Point, Position};

use super::positions::is_quiet;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Observer {
    /// Lays quiet stones here and there, at the edges too, and never wins.
    Wanders,
    /// Makes five where it can and hinders one, and lays stones beside others.
    Fights,
}

impl Observer {
    /// Its move; none where it has no move that ends nothing.
    pub(super) fn choose(self, position: &Position, random: &mut Random) -> Option<Point> {
        let mut points: Vec<Point> =
            position.size().points().filter(|&point| position.check(point).is_ok()).collect();
        random.shuffle(&mut points);
        let wins = |point: &Point, color| position.board().wins(position.rule(), *point, color);
        if self == Observer::Fights {
            let five = points.iter().find(|point| wins(point, position.to_move()));
            let four = points.iter().find(|point| {
                wins(point, !position.to_move()) && position.foul_at(**point).is_none()
            });
            if let Some(point) = five.or(four) {
                return Some(*point);
            }
            points.sort_by_key(|point| !has_neighbour(position, *point));
        }
        points.into_iter().find(|&point| is_quiet(position, point))
    }
}

fn has_neighbour(position: &Position, point: Point) -> bool {
    position
        .board()
        .stones()
        .any(|(stone, _)| stone.x().abs_diff(point.x()).max(stone.y().abs_diff(point.y())) == 1)
}
