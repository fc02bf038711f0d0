//! Calls in every order that the ABI allows.

use tengen_abi::{end, names, outcome, status};
use tengen_random::Random;
use tengen_rules::{Point, Position};

use super::limits::{begin, legal};
use super::options::usual_value;
use super::positions::{extend, position};
use super::tested_engine::TestedEngine;
use super::{StepResult, not_checked};
use crate::Export;
use crate::protocol::wire::request;

pub(super) const DESTROY: &str =
    "tengen_destroy must end by itself, at any time after tengen_create";
pub(super) const ORDERS: &str = "a host may call in any order that tengen.h allows: keep no state \
                                 beyond the game and the position that were last told";
pub(super) const END_GAME: &str =
    "tengen_end_game may come at any time in a game; answer TENGEN_OK";
pub(super) const NEXT_GAME: &str = "tengen_new_game begins from an empty board";

/// In a process of its own, so that a crash or a hang there is recognised as such.
pub(super) fn destroy(tested: &mut TestedEngine) -> StepResult {
    if !tested.exports().has(Export::Destroy) {
        return not_checked("it has no tengen_destroy; its process ends");
    }
    let mut other = tested.another(tested.settings().clone());
    let gone = |tested: &mut TestedEngine| -> Result<(), String> {
        tested.restart()?;
        tested.call(request::DESTROY, names::DESTROY, |_| {})?;
        tested.restart()?;
        let position = begin(tested, 4)?;
        let chosen = tested.choose(&position, &tested.limits())?;
        legal(&position, &chosen.answer)?;
        tested.call(request::DESTROY, names::DESTROY, |_| {}).map(drop)
    };
    let ended = gone(&mut other);
    tested.hung_as(&other);
    ended?;
    Ok("it returned, before a game and in one".to_owned())
}

pub(super) fn end_game(tested: &mut TestedEngine) -> StepResult {
    let mut seen = "heard";
    for (how, reason) in [(outcome::DRAW, end::AGREEMENT), (outcome::ABORTED, end::ABORTED)] {
        let position = begin(tested, 3)?;
        if how == outcome::DRAW {
            tested.choose(&position, &tested.limits())?;
        }
        match tested.tell_end(how, reason)? {
            status::OK => {}
            status::UNSUPPORTED => seen = "it does without",
            code => return Err(format!("{} answered with {code}", names::END_GAME).into()),
        }
    }
    Ok(seen.to_owned())
}

/// A second game must begin from the empty board, whatever was on it.
pub(super) fn next_game(tested: &mut TestedEngine) -> StepResult {
    let full = begin(tested, 40)?;
    tested.choose(&full, &tested.limits())?;
    let (rule, size) = tested.board()?;
    tested.new_game(rule, size)?;
    let empty = Position::new(rule, size);
    let chosen = tested.choose_here(0)?;
    let first = legal(&empty, &chosen.answer)?;
    Ok(format!("opens with {first}"))
}

/// A sequence of calls and what it must lead to.
type OddOrder = (&'static str, fn(&mut TestedEngine) -> Result<(), String>);

/// Each of them begins a game of its own.
const ALL_ORDERS: [OddOrder; 9] = [
    ("two games begun, then a question", two_games),
    ("the same question twice", twice),
    ("a position, then a shorter one", shorter),
    ("a position, then quite another", another_position),
    ("a move other than the one chosen", another_move),
    ("everything taken back", all_back),
    ("nothing taken back", none_back),
    ("an option between two games", option_between),
    ("a game on another board", another_board),
];

pub(super) fn odd_orders(tested: &mut TestedEngine) -> StepResult {
    let (rule, size) = tested.board()?;
    tested.calibrate(&position(rule, size, 8))?;
    for (name, order) in ALL_ORDERS {
        order(tested).map_err(|wrong| format!("{name}: {wrong}"))?;
    }
    Ok(format!("{} orders", ALL_ORDERS.len()))
}

fn asked(tested: &mut TestedEngine, position: &Position) -> Result<(), String> {
    let chosen = tested.choose(position, &tested.limits())?;
    legal(position, &chosen.answer).map(drop)
}

fn two_games(tested: &mut TestedEngine) -> Result<(), String> {
    begin(tested, 0)?;
    let position = begin(tested, 3)?;
    asked(tested, &position)
}

/// Sends a whole position and asks there: otherwise only what is new would be sent.
fn asked_whole(tested: &mut TestedEngine, position: &Position) -> Result<Point, String> {
    tested.set_position(position)?;
    let chosen = tested.choose_here(position.ply())?;
    legal(position, &chosen.answer)
}

fn twice(tested: &mut TestedEngine) -> Result<(), String> {
    let position = begin(tested, 9)?;
    asked(tested, &position)?;
    asked_whole(tested, &position)?;
    asked(tested, &position)
}

fn shorter(tested: &mut TestedEngine) -> Result<(), String> {
    let mut position = begin(tested, 14)?;
    tested.set_position(&position)?;
    for _ in 0..5 {
        position.undo();
    }
    asked_whole(tested, &position).map(drop)
}

/// No question comes between the two: what was searched before may change what is found.
fn another_position(tested: &mut TestedEngine) -> Result<(), String> {
    let first = begin(tested, 12)?;
    tested.set_position(&first)?;
    let other = position(first.rule(), first.size(), 13);
    let point = asked_whole(tested, &other)?;
    begin(tested, 0)?;
    let alone = asked_whole(tested, &other)?;
    match point == alone || tested.is_reproducible().is_err() {
        true => Ok(()),
        false => Err(format!("it chose {point}, and {alone} where that is the first position")),
    }
}

fn another_move(tested: &mut TestedEngine) -> Result<(), String> {
    let mut position = begin(tested, 6)?;
    let chosen = tested.choose(&position, &tested.limits())?;
    let own = legal(&position, &chosen.answer)?;
    let keep = position.ply();
    let mut random = Random::new(1);
    while position.ply() == keep && extend(&mut position, &mut random) {
        if position.board().get(own).is_some() {
            position.undo();
        }
    }
    let chosen = tested.choose_on(&position, keep)?;
    legal(&position, &chosen.answer).map(drop)
}

fn all_back(tested: &mut TestedEngine) -> Result<(), String> {
    if !tested.supports(Export::Undo)? {
        return Ok(());
    }
    let position = begin(tested, 20)?;
    tested.set_position(&position)?;
    tested.undo(position.ply())?;
    let chosen = tested.choose_here(0)?;
    legal(&Position::new(position.rule(), position.size()), &chosen.answer).map(drop)
}

fn none_back(tested: &mut TestedEngine) -> Result<(), String> {
    if !tested.supports(Export::Undo)? {
        return Ok(());
    }
    let position = begin(tested, 7)?;
    tested.set_position(&position)?;
    tested.undo(0)?;
    let chosen = tested.choose_here(position.ply())?;
    legal(&position, &chosen.answer).map(drop)
}

/// The value that an option has in any case, once more.
fn option_between(tested: &mut TestedEngine) -> Result<(), String> {
    let position = begin(tested, 4)?;
    asked(tested, &position)?;
    for option in tested.description().options {
        let value = usual_value(tested, &option);
        let code = tested.set_option(&option.name, &value)?;
        if code != status::OK {
            let name = &option.name;
            return Err(format!("option {name} refuses the value it has, {value:?}: {code}"));
        }
    }
    let position = begin(tested, 5)?;
    asked(tested, &position)
}

fn another_board(tested: &mut TestedEngine) -> Result<(), String> {
    for (rule, size) in tested.boards().into_iter().take(3) {
        tested.new_game(rule, size).map_err(|wrong| format!("{rule} on {size}: {wrong}"))?;
        let position = position(rule, size, 6);
        asked(tested, &position).map_err(|wrong| format!("{rule} on {size}: {wrong}"))?;
    }
    Ok(())
}
