//! Illegal answers of every kind.

use tengen_players::Request;
use tengen_rules::{Answer, Ask, Color, Move, Point, Position, Zone};

use super::stones;
use crate::Dice;

/// An answer that breaks the rules in one of the ways there are for this question.
pub(super) fn answer(position: &Position, request: &Request<'_>, dice: &mut Dice) -> Answer {
    let bad = bad_point(position, dice);
    if dice.chance(200) {
        return of_wrong_kind(request.ask, bad, dice);
    }
    match request.ask {
        Ask::Choose | Ask::Swap => of_wrong_kind(request.ask, bad, dice),
        Ask::ChooseOrPlace { count } | Ask::Place { count, .. } | Ask::Offer { count } => {
            let points = points(position, request, count, bad, dice);
            if matches!(request.ask, Ask::Offer { .. }) {
                Answer::Offer(points)
            } else {
                Answer::Place(points)
            }
        }
        Ask::Declare { min, max } => {
            let below = min.checked_sub(1);
            Answer::Declare(below.filter(|_| dice.chance(500)).unwrap_or(max + 1))
        }
        Ask::Pick => {
            let offered = |point: &Point| request.offered.contains(point);
            let other = position.size().points().find(|point| !offered(point));
            Answer::Pick(other.filter(|_| dice.chance(500)).unwrap_or(bad))
        }
        Ask::Move { zone } | Ask::MoveOrOffer { zone, .. } => {
            let outside = |point: &Point| !zone.contains(*point, position.size());
            let outside = position.size().points().find(outside);
            Answer::Move(Move::Stone(outside.filter(|_| dice.chance(500)).unwrap_or(bad)))
        }
    }
}

/// A point with a stone on it, or off the board.
fn bad_point(position: &Position, dice: &mut Dice) -> Point {
    let stones: Vec<Point> = position.moves().iter().filter_map(|mv| mv.point()).collect();
    let size = position.size();
    match dice.below(4) {
        0 if !stones.is_empty() => dice.pick(&stones),
        1 if !stones.is_empty() => stones[stones.len() - 1],
        2 => Point::new(size.width(), dice.below(size.height().into()) as u8),
        _ => Point::new(dice.below(size.width().into()) as u8, 255),
    }
}

fn of_wrong_kind(ask: Ask, bad: Point, dice: &mut Dice) -> Answer {
    let any = |number| match number {
        0 => Answer::Place(Vec::new()),
        1 => Answer::Declare(1),
        2 => Answer::Swap(true),
        3 => Answer::Choose(Color::Black),
        4 => Answer::Offer(Vec::new()),
        5 => Answer::Pick(bad),
        _ => Answer::Move(Move::Stone(bad)),
    };
    let fits = |answer: &Answer| {
        matches!(
            (ask, answer),
            (Ask::Choose | Ask::ChooseOrPlace { .. }, Answer::Choose(_))
                | (Ask::Swap, Answer::Swap(_))
                | (Ask::Declare { .. }, Answer::Declare(_))
        )
    };
    let mut number = dice.below(7);
    while fits(&any(number)) {
        number = (number + 1) % 7;
    }
    any(number)
}

/// Points of which one is wrong, or too few, too many, one twice, or no canonical opening.
fn points(
    position: &Position,
    request: &Request<'_>,
    count: u8,
    bad: Point,
    dice: &mut Dice,
) -> Vec<Point> {
    let place = Ask::Place { count, zone: Zone::Anywhere, canonical: false };
    let ask = if matches!(request.ask, Ask::ChooseOrPlace { .. }) { place } else { request.ask };
    let legal = stones::answer(position, &Request { ask, ..*request }, dice);
    let Some(Answer::Place(mut points) | Answer::Offer(mut points)) = legal else {
        return vec![bad; usize::from(count)];
    };
    match dice.below(5) {
        0 => drop(points.pop()),
        1 => points.push(bad),
        2 if points.len() > 1 => points[0] = points[1],
        // Its first stone is not in the centre.
        3 if matches!(request.ask, Ask::Place { canonical: true, .. }) => points.swap(0, 1),
        _ => {
            let at = dice.index(points.len());
            points[at] = bad;
        }
    }
    points
}
