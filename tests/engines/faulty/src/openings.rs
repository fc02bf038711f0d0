//! How the engine answers opening questions: by the first answer that is allowed.

use tengen_abi::{MoveCode, Question, Verdict, ask, question};
use tengen_rules::{Alike, Point};

use crate::faults::has;
use crate::player::Player;

pub(crate) fn decide(player: &Player, asked: &Question) -> Verdict {
    match asked.kind {
        ask::PLACE => place(player, asked),
        ask::COUNT => Verdict { choice: asked.min, ..Verdict::default() },
        ask::OFFER => offer(player, asked.max as usize),
        ask::PICK if has("picks_outside") => Verdict { choice: 99, ..Verdict::default() },
        ask::SWAP if has("swaps_wrongly") => Verdict { choice: 2, ..Verdict::default() },
        _ => Verdict::default(),
    }
}

fn verdict(points: &[Point]) -> Verdict {
    let mut verdict = Verdict { count: points.len() as u32, ..Verdict::default() };
    for (to, point) in verdict.moves.iter_mut().zip(points) {
        *to = MoveCode::xy(point.x(), point.y());
    }
    verdict
}

fn place(player: &Player, asked: &Question) -> Verdict {
    let (size, center) = (player.position.size(), player.position.size().center());
    let distance = |p: Point| u32::from(p.x().abs_diff(center.x()).max(p.y().abs_diff(center.y())));
    let has_flag = |flag| asked.flags & flag != 0;
    if has_flag(question::CANONICAL) {
        let up = |rows| Point::new(center.x(), center.y() + rows);
        return verdict(&[0, 1, 2].map(up));
    }
    let is_inside = |point: &Point| match () {
        () if has("places_anywhere") => true,
        () if has_flag(question::CENTRE) => *point == center,
        () if has_flag(question::BEYOND) => distance(*point) > asked.radius,
        () => asked.radius == 0 || distance(*point) <= asked.radius,
    };
    let free = size.points().filter(|point| player.position.check(*point).is_ok());
    let points: Vec<Point> = free.filter(is_inside).take(asked.max as usize).collect();
    verdict(&points)
}

fn offer(player: &Player, count: usize) -> Verdict {
    let position = &player.position;
    let stones: Vec<Point> = position.moves().iter().filter_map(|mv| mv.point()).collect();
    let Ok(stones) = <[Point; 4]>::try_from(stones) else { return Verdict::default() };
    let mut offered: Vec<Point> = Vec::new();
    for point in position.size().points() {
        let is_allowed = position.check(point).is_ok() && position.foul_at(point).is_none();
        let is_alike = |known: &Point| Alike::Shape.holds(position.size(), &stones, *known, point);
        let is_new = !offered.iter().any(is_alike);
        if offered.len() < count && is_allowed && (is_new || has("offers_alike")) {
            offered.push(point);
        }
    }
    if has("offers_alike") {
        offered = alike(player, &stones, count);
    }
    verdict(&offered)
}

/// Fifth moves of which two are alike, where the stones allow it.
fn alike(player: &Player, stones: &[Point; 4], count: usize) -> Vec<Point> {
    let position = &player.position;
    let free: Vec<Point> =
        position.size().points().filter(|point| position.check(*point).is_ok()).collect();
    for (index, &one) in free.iter().enumerate() {
        let other = free[index + 1..]
            .iter()
            .find(|other| Alike::Shape.holds(position.size(), stones, one, **other));
        if let Some(&other) = other {
            let rest = free.iter().filter(|point| **point != one && **point != other);
            return [one, other].into_iter().chain(rest.copied()).take(count).collect();
        }
    }
    free.into_iter().take(count).collect()
}
