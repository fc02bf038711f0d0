//! Whether a brain begins another game on an empty board after a START in the same process.

use std::time::Duration;

use tengen_arbiter::Limits;
use tengen_gomocup::{AskResult, GameTerms};
use tengen_rules::{Answer, Ask, Move, Point, Size, Zone};

use super::old_stones::plays_on_old_stones;
use super::{EXTRA_TIME, MOVE_TIME, start_fresh_game, starts_over};
use crate::process::{EngineLoss, TextProcess};
use crate::protocol::TextEvent;

/// Whether another START in the same process gives it an empty board, as its moves show. This need
/// only be right about those that clear their board: any other gets a new process for each game.
pub(super) fn clears_board(
    process: &mut TextProcess,
    terms: &GameTerms,
) -> Result<bool, EngineLoss> {
    match ignores_old_four(process, terms)? {
        Some(clears) => Ok(clears),
        None => Ok(repeats_itself(process, terms)? || plays_on_old_stones(process, terms)?),
    }
}

/// Whether after START it overlooks a four with three stones that it saw before. This only counts
/// for an engine that blocks this four when it is all on the board; none if it does not.
fn ignores_old_four(
    process: &mut TextProcess,
    terms: &GameTerms,
) -> Result<Option<bool>, EngineLoss> {
    let Some(mut moves) = two_threes(terms.size) else { return Ok(None) };
    if !start_fresh_game(process, terms)? {
        return Ok(None);
    }
    let Some((reply, _)) = next_move(process, &moves)? else { return Ok(None) };
    // Its reply can stop one of the rows alone.
    let ends = |row| (Point::new(4, row), Point::new(0, row));
    let (fourth, block) = match ends(ROWS[0]) {
        (fourth, block) if fourth != reply && block != reply => (fourth, block),
        _ => ends(ROWS[1]),
    };
    let fourth = Move::Stone(fourth);
    let Some((alone, _)) = move_after_start(process, terms, &[fourth])? else { return Ok(None) };
    moves.extend([Move::Stone(reply), fourth]);
    let seen = move_after_start(process, terms, &moves)?;
    Ok(seen.filter(|(point, _)| *point == block).map(|_| alone != block))
}

/// Whether it begins on the same point again; makes five there, or else answers one board twice
/// alike; and replies to one stone where stones lay before. A brain that keeps its stones takes
/// these points for occupied, unless it looks at no board when it begins, or clears its own at
/// BOARD.
fn repeats_itself(process: &mut TextProcess, terms: &GameTerms) -> Result<bool, EngineLoss> {
    if !start_fresh_game(process, terms)? {
        return Ok(false);
    }
    let Some((first, _)) = next_move(process, &[])? else { return Ok(false) };
    match move_after_start(process, terms, &[])? {
        Some((again, _)) if again == first => {}
        _ => return Ok(false),
    }
    let Some(four) = four_beside(first, terms.size) else { return Ok(false) };
    let Some((point, complaints)) = move_after_start(process, terms, &four)? else {
        return Ok(false);
    };
    if point != first {
        match move_after_start(process, terms, &four)? {
            Some((again, more)) if again == point && more <= complaints => {}
            _ => return Ok(false),
        }
    }
    let stone = [Move::Stone(first)];
    let Some((reply, complaints)) = move_after_start(process, terms, &stone)? else {
        return Ok(false);
    };
    if four.contains(&Move::Stone(reply)) {
        return Ok(true);
    }
    let again = move_after_start(process, terms, &stone)?;
    Ok(again.is_some_and(|(again, more)| again == reply && more <= complaints))
}

/// Its move in another game, begun by START in the same process, and how much it complained about;
/// none if it has none.
pub(super) fn move_after_start(
    process: &mut TextProcess,
    terms: &GameTerms,
    moves: &[Move],
) -> Result<Option<(Point, usize)>, EngineLoss> {
    if starts_over(process, terms)? { next_move(process, moves) } else { Ok(None) }
}

/// Its next move in the game that has begun, and how much it complained about.
pub(super) fn next_move(
    process: &mut TextProcess,
    moves: &[Move],
) -> Result<Option<(Point, usize)>, EngineLoss> {
    process.protocol.record_lines.new_game();
    let ask = Ask::Move { zone: Zone::Anywhere };
    if process.protocol.ask(moves, ask, Limits::default()) != AskResult::Sent {
        return Ok(None);
    }
    let patience = Duration::from_nanos(MOVE_TIME) + EXTRA_TIME;
    let answer = process
        .send(Some(process.settings().startup.max(2 * EXTRA_TIME)))
        .and_then(|()| process.wait_while_working(patience));
    match answer {
        Ok(Some(TextEvent::Answer(Answer::Move(Move::Stone(point))))) => {
            Ok(Some((point, process.protocol.record_lines.take().len())))
        }
        Err(EngineLoss::Interrupted) => Err(EngineLoss::Interrupted),
        _ => Ok(None),
    }
}

/// A position in which the side to move makes five at that point, and nowhere else; none on a board
/// too narrow for it.
fn four_beside(point: Point, size: Size) -> Option<Vec<Move>> {
    let (x, y) = (i16::from(point.x()), i16::from(point.y()));
    let (width, height) = (i16::from(size.width()), i16::from(size.height()));
    let side = if 2 * x < width { 1 } else { -1 };
    let on_board = |(x, y): &(i16, i16)| (0..width).contains(x) && (0..height).contains(y);
    let four: Vec<_> = (1..=4).map(|step| (x + side * step, y)).filter(on_board).collect();
    // The far end is closed; the others lie apart, in other rows.
    let (right, top) = (width - 1, height - 1);
    let others = [(0, 0), (right, 0), (0, top), (right, top), (width / 2, 0), (width / 2, top)];
    let far = others.into_iter().filter(|(_, row)| (row - y).abs() > 1);
    let closed: Vec<_> =
        std::iter::once((x + side * 5, y)).filter(on_board).chain(far).take(4).collect();
    if four.len() < 4 || closed.len() < 4 {
        return None;
    }
    let stone = |&(x, y): &(i16, i16)| Some(Point::new(x.try_into().ok()?, y.try_into().ok()?));
    let stones = four.iter().zip(&closed).flat_map(|(own, other)| [stone(own), stone(other)]);
    stones.map(|point| point.map(Move::Stone)).collect()
}

/// The rows of [`two_threes`] in which the opponent has three.
const ROWS: [u8; 2] = [2, 6];

/// A position in which the opponent of the side to move has two rows of three from the second
/// column on, stopped at the sixth, and that side nothing; none on a small board. A four there can
/// be made five in the first column alone, where no engine answers a stone that is on the board by
/// itself.
fn two_threes(size: Size) -> Option<Vec<Move>> {
    let (width, height) = (size.width(), size.height());
    if width < 12 || height < 9 {
        return None;
    }
    let stops = ROWS.map(|row| (5, row));
    let apart = [(2, 0), (1, 3), (4, 4), (2, 6)].map(|(right, y)| (width - right, y));
    let own = stops.into_iter().chain(apart).map(|(x, y)| Point::new(x, y));
    let others = ROWS.into_iter().flat_map(|y| (1..=3).map(move |x| Point::new(x, y)));
    Some(
        own.into_iter()
            .zip(others)
            .flat_map(|(own, other)| [own, other])
            .map(Move::Stone)
            .collect(),
    )
}
