//! The positions on which engines are checked.

use tengen_random::Random;
use tengen_rules::{Point, Position, Rule, Size};

/// How many stones lie on the positions that an engine is asked about.
const PLIES: [usize; 6] = [0, 1, 2, 7, 24, 61];

/// Positions that a game may reach, the same every time: nobody has won or fouled.
pub(super) fn positions(rule: Rule, size: Size) -> impl Iterator<Item = Position> {
    PLIES.into_iter().filter(move |&plies| plies < size.area() / 2).map(move |plies| {
        let mut random = Random::new(plies as u64);
        let mut position = Position::new(rule, size);
        while position.ply() < plies && extend(&mut position, &mut random) {}
        position
    })
}

/// Plays on one ply that ends nothing, near the centre while there is room.
pub(crate) fn extend(position: &mut Position, random: &mut Random) -> bool {
    let center = position.size().center();
    let far = |point: &Point| {
        let distance = point.x().abs_diff(center.x()).max(point.y().abs_diff(center.y()));
        (u64::from(distance / 3), random.bits())
    };
    let mut points: Vec<Point> = position.size().points().collect();
    points.sort_by_cached_key(far);
    points.into_iter().any(|point| is_quiet(position, point) && position.play(point).is_ok())
}

/// Whether a stone of the side to move may be laid there and ends nothing.
pub(super) fn is_quiet(position: &Position, point: Point) -> bool {
    position.check(point).is_ok()
        && position.foul_at(point).is_none()
        && !position.board().wins(position.rule(), point, position.to_move())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_positions_are_as_long_as_they_should_be() {
        for rule in Rule::ALL {
            let plies: Vec<_> = positions(rule, Size::STANDARD).map(|p| p.ply()).collect();
            assert_eq!(plies, PLIES);
        }
    }
}
