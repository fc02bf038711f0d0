//! Whole games against an observer, and positions on full boards.

use std::time::Duration;

use tengen_abi::{end, outcome};
use tengen_random::Random;
use tengen_rules::{Color, Ending, Point, Position, Rule, Size};

use super::StepResult;
use super::limits::legal;
use super::observer::Observer;
use super::positions::{full_boards, positions};
use super::suite::Driver;
use super::tested_engine::{Pace, TestedEngine};

pub(super) const MOVES: &str = "answer with an empty point of this board, which is `width` columns \
                                by `height` rows, and claim only what you play in tengen_describe";

/// The longest that one game may take, and the longest of a quick check.
pub(super) const GAME: Duration = Duration::from_millis(1200);
pub(super) const QUICK_GAME: Duration = Duration::from_millis(300);
/// The longest that the positions of one board may take.
const POSITIONS: Duration = Duration::from_secs(2);

/// How long a game may last: it is broken off after `usual`, once it has so many plies, and in any
/// case after `longest`.
pub(super) struct GamePace {
    pub usual: Pace,
    pub fewest: usize,
    pub longest: Pace,
}

impl GamePace {
    /// For so long, whatever comes.
    pub(super) fn of(span: Duration) -> GamePace {
        GamePace { usual: Pace::new(span), fewest: 0, longest: Pace::new(span) }
    }

    fn is_over(&self, plies: usize) -> bool {
        self.usual.is_over() && plies >= self.fewest || self.longest.is_over()
    }
}

/// What an engine does in its turn.
pub(super) enum OwnMove {
    Point(Point),
    Resigned,
}

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
pub(super) fn games<D: Driver>(tested: &mut D, rule: Rule, size: Size) -> StepResult {
    let mut seen = Vec::new();
    for (own, observer) in [(Color::Black, Observer::Wanders), (Color::White, Observer::Fights)] {
        let game = game(tested, rule, size, own, observer);
        seen.push(game.map_err(|wrong| format!("as {own}{}: {wrong}", D::against(observer)))?);
    }
    Ok(seen.join(", "))
}

fn game<D: Driver>(
    tested: &mut D,
    rule: Rule,
    size: Size,
    own: Color,
    observer: Observer,
) -> Result<String, String> {
    let pace = tested.begin_game(rule, size, own)?;
    let mut random = Random::new(D::seed(size));
    let mut position = Position::new(rule, size);
    let ended = loop {
        let plies = position.ply();
        if pace.is_over(plies) {
            break None;
        }
        let point = if position.to_move() == own {
            match tested.own_move(&position)? {
                OwnMove::Point(point) => point,
                OwnMove::Resigned => return Ok(format!("{plies} plies, then it resigned")),
            }
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
    tested.end_game(how, reason, plies)?;
    Ok(format!("{plies} plies, {seen}"))
}
