//! A position: what wins and what is forbidden is what the oracle finds on the board before, taking
//! back leads where playing came from, and the same set up at once is the same position.

use tengen_rules::{Color, Ending, IllegalMove, Move, Position, Rule, Setup, SetupError};

use crate::bytes::ByteChoices;
use crate::oracle::Oracle;

pub(crate) fn check(bytes: &[u8]) {
    let mut bytes = ByteChoices(bytes);
    let mut setup = Setup::new(bytes.one_of(&Rule::ALL), bytes.size());
    let set_up = bytes.byte() % 32;
    for index in 0..set_up {
        let stones = if index % 2 == 0 { &mut setup.black } else { &mut setup.white };
        stones.push(bytes.point());
    }
    let mut position = match Position::try_from(setup.clone()) {
        Ok(position) => position,
        Err(error) => return check_error(&setup, error),
    };
    let start = position.clone();
    while !bytes.is_empty() && setup.moves.len() < 64 {
        if bytes.byte().is_multiple_of(16) {
            position.pass();
            setup.moves.push(Move::Pass);
        } else if play(&mut position, &mut bytes) {
            setup.moves.extend(position.last());
        }
    }
    assert_eq!(Position::try_from(setup).as_ref(), Ok(&position));
    while position.undo().is_some() {}
    assert_eq!(position, start);
}

/// Plays a point, if that can be done, and asks the oracle about it.
fn play(position: &mut Position, bytes: &mut ByteChoices<'_>) -> bool {
    let (point, color, before) = (bytes.point(), position.to_move(), position.clone());
    let mut oracle = Oracle::of(position.board());
    match position.play(point) {
        Err(IllegalMove::OffBoard(at)) => assert!(at == point && !before.size().contains(point)),
        Err(IllegalMove::Occupied(at)) => {
            assert!(at == point && before.board().get(point).is_some());
        }
        Ok(ending) => {
            let judged = before.rule() == Rule::Renju && color == Color::Black;
            let foul = if judged { oracle.foul(point) } else { None };
            let five = oracle.wins(before.rule(), point, color).then_some(Ending::Five(color));
            let full = position.board().count() == before.size().area();
            let full = full.then_some(Ending::BoardFull);
            let expected = five.or(foul.map(Ending::Foul)).or(full);
            assert_eq!(ending, expected, "{color} on {point}\n{}", before.board());
            return true;
        }
    }
    assert_eq!(*position, before, "a refused stone changed something");
    false
}

fn check_error(setup: &Setup, error: SetupError) {
    let stones = || setup.black.iter().chain(&setup.white);
    match error {
        SetupError::Stone(IllegalMove::OffBoard(point)) => {
            assert!(!setup.size.contains(point) && stones().any(|stone| *stone == point));
        }
        SetupError::Stone(IllegalMove::Occupied(point)) => {
            assert!(stones().filter(|stone| **stone == point).count() > 1);
        }
        error => panic!("{error} of colours that alternate and no moves"),
    }
}
