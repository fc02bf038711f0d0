//! A five-in-a-row engine for Tengen. Change `choose` to make it yours.

use std::iter::successors;

use tengen_sdk::{Choice, Color, Engine, Point, Position, Thinking, export_engine};

/// The engine. One value plays many games, one after another.
#[derive(Default)]
pub struct @TYPE@;

impl Engine for @TYPE@ {
    /// Chooses a move. In a long search ask `thinking.is_up()` often, and answer when it is true.
    fn choose(&mut self, position: &Position, _thinking: &Thinking<'_>) -> Choice {
        let size = position.size();
        let is_allowed = |point: &Point| position.check(*point).is_ok();
        let best = size.points().filter(is_allowed).max_by_key(|&point| value(position, point));
        best.unwrap_or(size.center()).into()
    }
}

/// How good a point looks: the longer the row it makes or stops, the better; then the nearer to
/// the centre. A forbidden point of renju is the last choice.
fn value(position: &Position, point: Point) -> i64 {
    let (own, center) = (position.to_move(), position.size().center());
    let mut sum = 0;
    for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
        for (color, weight) in [(own, 12), (!own, 10)] {
            let row = count(position, point, (dx, dy), color)
                + count(position, point, (-dx, -dy), color);
            sum += weight * 100_i64.pow(row.min(4) as u32);
        }
    }
    let away = point.x().abs_diff(center.x()).max(point.y().abs_diff(center.y()));
    let forbidden = if position.foul_at(point).is_some() { i64::MAX / 2 } else { 0 };
    100 * sum - i64::from(away) - forbidden
}

/// How many stones of a colour follow the point without a gap in a direction.
fn count(position: &Position, point: Point, (dx, dy): (i8, i8), color: Color) -> usize {
    let size = position.size();
    let next = |from: &Point| {
        let point = Point::new(from.x().checked_add_signed(dx)?, from.y().checked_add_signed(dy)?);
        let is_own = size.contains(point) && position.board().get(point) == Some(color);
        is_own.then_some(point)
    };
    successors(next(&point), next).count()
}

export_engine!(@TYPE@);

#[cfg(test)]
mod tests {
    use tengen_sdk::{Engine, Position, Rule, Size, Thinking};

    use super::@TYPE@;

    #[test]
    fn it_completes_a_row_of_five() {
        let mut position = Position::new(Rule::Freestyle, Size::STANDARD);
        for point in ["h8", "a1", "i8", "a2", "j8", "b1", "k8", "b2"] {
            position.play(point.parse().unwrap()).unwrap();
        }
        let point = @TYPE@.choose(&position, &Thinking::free()).mv.point().unwrap().to_string();
        assert!(["g8", "l8"].contains(&point.as_str()), "it played {point}");
    }
}
