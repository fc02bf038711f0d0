//! Legal answers, drawn from a seed.

use tengen_arbiter::legal_answer;
use tengen_players::Request;
use tengen_rules::{Answer, Ask, Color, Move, Point, Position, Zone};

use crate::Dice;

/// A random legal answer; none when the board has no room for one.
pub(super) fn answer(
    position: &Position,
    request: &Request<'_>,
    dice: &mut Dice,
) -> Option<Answer> {
    let ask = match request.ask {
        Ask::Choose => return Some(color(dice)),
        Ask::ChooseOrPlace { .. } if dice.chance(500) => return Some(color(dice)),
        Ask::ChooseOrPlace { count } => {
            Ask::Place { count, zone: Zone::Anywhere, canonical: false }
        }
        Ask::Swap => return Some(Answer::Swap(dice.chance(500))),
        Ask::Declare { min, max } => {
            return Some(Answer::Declare(min + dice.below(u64::from(max - min) + 1) as u8));
        }
        Ask::MoveOrOffer { count, .. } if dice.chance(500) => Ask::Offer { count },
        Ask::Move { zone: Zone::Anywhere } => {
            return stone(position, dice).map(|point| Answer::Move(Move::Stone(point)));
        }
        ask => ask,
    };
    let mut points: Vec<Point> = position.size().points().collect();
    dice.shuffle(&mut points);
    legal_answer(position, ask, request.offered, &points)
}

fn color(dice: &mut Dice) -> Answer {
    Answer::Choose(dice.pick(&[Color::Black, Color::White]))
}

/// An empty point, rather beside an own stone, so that rows come about.
fn stone(position: &Position, dice: &mut Dice) -> Option<Point> {
    const STEPS: [(i32, i32); 8] =
        [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1)];
    let own = || position.moves().iter().rev().skip(1).step_by(2).filter_map(|mv| mv.point());
    if dice.chance(850) {
        let direction = dice.pick(&STEPS);
        for stone in own().take(6) {
            let x = i32::from(stone.x()) + direction.0;
            let y = i32::from(stone.y()) + direction.1;
            if let (Ok(x), Ok(y)) = (u8::try_from(x), u8::try_from(y))
                && position.check(Point::new(x, y)).is_ok()
            {
                return Some(Point::new(x, y));
            }
        }
    }
    let size = position.size();
    let from = dice.index(size.area());
    let width = usize::from(size.width());
    (from..size.area())
        .chain(0..from)
        .map(|cell| Point::new((cell % width) as u8, (cell / width) as u8))
        .find(|point| position.check(*point).is_ok())
}
