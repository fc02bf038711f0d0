//! Whole games against an observer, and positions on full boards.

use std::time::Duration;

use tengen_abi::{end, names, outcome, reply, status};
use tengen_random::Random;
use tengen_rules::{Color, Ending, Position, Rule, Seat, Size};

use super::StepResult;
use super::limits::legal;
use super::observer::Observer;
use super::positions::{full_boards, positions};
use super::tested_engine::{Pace, TestedEngine};

pub(super) const MOVES: &str = "answer with an empty point of this board, which is `width` columns \
                                by `height` rows, and claim only what you play in tengen_describe";
pub(super) const GAMES: &str =
    "replay the game's moves in a debugger: the first one that is not legal is named";

/// The longest that one game may take, and the longest of a quick check.
const GAME: Duration = Duration::from_millis(1200);
const QUICK_GAME: Duration = Duration::from_millis(300);
/// The longest that the positions of one board may take.
const POSITIONS: Duration = Duration::from_secs(2);
/// Before so many plies nobody has a reason to resign.
const EARLY: usize = 12;

/// Positions of all lengths, and boards that are almost full.
pub(super) fn moves(tested: &mut TestedEngine, rule: Rule, size: Size) -> StepResult {
    tested.new_game(rule, size)?;
    let (mut count, mut full, pace) = (0, 0, Pace::new(POSITIONS));
    for position in positions(rule, size) {
        let chosen = tested.choose(&position, &tested.limits())?;
        legal(&position, &chosen.answer)?;
        count += 1;
    }
    for position in full_boards(rule, size) {
        if pace.is_over() {
            break;
        }
        let chosen = tested.choose(&position, &tested.limits())?;
        let left = size.area() - position.board().count();
        legal(&position, &chosen.answer)
            .map_err(|wrong| format!("with {left} points left: {wrong}"))?;
        full += 1;
    }
    Ok(format!("{count} positions and {full} almost full boards"))
}

/// A game with each colour.
pub(super) fn games(tested: &mut TestedEngine, rule: Rule, size: Size) -> StepResult {
    let mut seen = Vec::new();
    for (own, observer) in [(Color::Black, Observer::Wanders), (Color::White, Observer::Fights)] {
        let game = game(tested, rule, size, own, observer);
        seen.push(game.map_err(|wrong| format!("as {own} against one who {observer:?}: {wrong}"))?);
    }
    Ok(seen.join(", "))
}

fn game(
    tested: &mut TestedEngine,
    rule: Rule,
    size: Size,
    own: Color,
    observer: Observer,
) -> Result<String, String> {
    let seat = if own == Color::Black { Seat::First } else { Seat::Second };
    tested.new_game_as(rule, size, |setup| setup.seat = seat)?;
    let pace = Pace::new(if tested.is_quick() { QUICK_GAME } else { GAME });
    let mut random = Random::new(size.area() as u64);
    let (mut position, mut told) = (Position::new(rule, size), 0);
    let ended = loop {
        if pace.is_over() {
            break None;
        }
        let point = if position.to_move() == own {
            let answer = tested.choose_on(&position, told)?.answer;
            told = position.ply();
            if answer.flags & reply::RESIGN != 0 {
                let early = position.ply() < EARLY;
                return match early {
                    true => Err(format!("it resigned after {} plies", position.ply())),
                    false => Ok(format!("{} plies, then it resigned", position.ply())),
                };
            }
            if answer.flags & reply::ACCEPT_DRAW != 0 {
                return Err("it accepted a draw that nobody had offered".to_owned());
            }
            legal(&position, &answer)?
        } else {
            match observer.choose(&position, &mut random) {
                Some(point) => point,
                None => break None,
            }
        };
        let ending = position.play(point).map_err(|illegal| illegal.to_string())?;
        if ending.is_some() {
            break ending;
        }
    };
    let plies = position.ply();
    let (seen, how, reason) = match ended {
        Some(Ending::Five(color)) if color == own => ("won", outcome::WIN, end::FIVE),
        Some(Ending::Five(_)) => ("lost", outcome::LOSS, end::FIVE),
        Some(_) => ("drawn", outcome::DRAW, end::BOARD_FULL),
        None => ("broken off", outcome::ABORTED, end::ABORTED),
    };
    match tested.end_game(how, reason)? {
        status::OK | status::UNSUPPORTED => Ok(format!("{plies} plies, {seen}")),
        code => Err(format!("{} after {plies} plies answered with {code}", names::END_GAME)),
    }
}
