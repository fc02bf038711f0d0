//! Whether the same question has the same answer, however the position came to be.

use tengen_abi::Reply;
use tengen_random::Random;
use tengen_rules::{Move, Point, Position};

use super::limits::{begin, legal};
use super::positions::{extend, position};
use super::tested_engine::TestedEngine;
use super::{StepResult, not_checked};
use crate::Export;

pub(super) const REPEAT: &str = "with the same seed, one thread and a node limit, play the same: \
                                 use the game's seed, no clock, and clear your tables in \
                                 tengen_new_game";
pub(super) const PLAY: &str =
    "after tengen_play the engine holds the same position as after tengen_set_position";
pub(super) const UNDO: &str = "tengen_undo takes back as many plies as it is told: stones, and \
                               whose turn it is";

/// How many stones lie when an engine is asked the same again.
const PLIES: [usize; 4] = [2, 5, 10, 17];

/// The same games in the same process, after other games, and in a new one.
pub(super) fn repeated(tested: &mut TestedEngine) -> StepResult {
    tested.is_reproducible()?;
    let first = answers(tested)?;
    let again = answers(tested)?;
    compare(&first, &again, "asked again in another game")?;
    let (rule, size) = tested.board()?;
    tested.new_game_as(rule, size, |setup| setup.seed = 7)?;
    for plies in [1, 30] {
        let position = position(rule, size, plies);
        tested.choose(&position, &tested.limits())?;
    }
    let later = answers(tested)?;
    compare(&first, &later, "asked again after a game with another seed")?;
    tested.restart()?;
    let anew = answers(tested)?;
    compare(&first, &anew, "asked again in a new process")?;
    Ok(format!("{} questions, four times each", first.len()))
}

fn answers(tested: &mut TestedEngine) -> Result<Vec<(usize, Reply)>, String> {
    let mut answers = Vec::new();
    let start = begin(tested, 0)?;
    for plies in [0, 1, 2, 4, 7, 9, 14, 21] {
        let position = position(start.rule(), start.size(), plies);
        let chosen = tested.choose(&position, &tested.limits())?;
        answers.push((plies, chosen.answer));
    }
    Ok(answers)
}

fn compare(first: &[(usize, Reply)], second: &[(usize, Reply)], when: &str) -> Result<(), String> {
    for ((plies, one), (_, other)) in first.iter().zip(second) {
        if (one.mv, one.flags) != (other.mv, other.flags) {
            let (one, other) = (name(one), name(other));
            return Err(format!("after {plies} plies it chose {one}, and {other} when {when}"));
        }
    }
    Ok(())
}

fn name(reply: &Reply) -> String {
    reply.mv.stone().map_or("no move".to_owned(), |(x, y)| Point::new(x, y).to_string())
}

/// A position, the engine's move there, an answer to it, and the engine's move after that.
struct PlayedLine {
    before: Position,
    own: Point,
    reply: Point,
    after: Position,
    next: Point,
}

/// What the engine chooses in positions that are sent as a whole.
fn line(tested: &mut TestedEngine, plies: usize) -> Result<Option<PlayedLine>, String> {
    let before = begin(tested, plies)?;
    let chosen = tested.choose(&before, &tested.limits())?;
    let own = legal(&before, &chosen.answer)?;
    let mut after = before.clone();
    after.play(own).map_err(|illegal| illegal.to_string())?;
    if !extend(&mut after, &mut Random::new(plies as u64)) {
        return Ok(None);
    }
    let Some(Move::Stone(reply)) = after.last() else { return Ok(None) };
    begin(tested, 0)?;
    let chosen = tested.choose(&after, &tested.limits())?;
    let next = legal(&after, &chosen.answer)?;
    Ok(Some(PlayedLine { before, own, reply, after, next }))
}

/// Plays the engine's own move and an answer to it on the engine's board.
pub(super) fn play(tested: &mut TestedEngine) -> StepResult {
    tested.is_reproducible()?;
    if !tested.supports(Export::Play)? {
        return not_checked("it has no tengen_play; the host tells it whole positions");
    }
    let mut count = 0;
    for plies in PLIES {
        let Some(PlayedLine { before, own, reply, after, next }) = line(tested, plies)? else {
            continue;
        };
        begin(tested, 0)?;
        tested.set_position(&before)?;
        tested.play(own)?;
        tested.play(reply)?;
        let chosen = tested.choose_here(after.ply())?;
        let seen = legal(&after, &chosen.answer)?;
        if seen != next {
            let ply = after.ply();
            return Err(format!(
                "after {ply} plies it chose {next}; when the last two of them came by tengen_play, \
                 {seen}"
            )
            .into());
        }
        count += 1;
    }
    Ok(format!("{count} positions, the same by tengen_play"))
}

/// Takes back to a position, where the engine must choose as if it had just been sent.
pub(super) fn undo(tested: &mut TestedEngine) -> StepResult {
    tested.is_reproducible()?;
    if !tested.supports(Export::Undo)? {
        return not_checked("it has no tengen_undo; the host tells it whole positions");
    }
    let mut count = 0;
    for plies in PLIES {
        let Some(PlayedLine { before, own, after, .. }) = line(tested, plies)? else { continue };
        // One at a time, and further back than to the moves that were asked about.
        let mut deep = after;
        let mut random = Random::new(99);
        while deep.ply() < plies + 9 && extend(&mut deep, &mut random) {}
        let back = deep.ply() - plies;
        for pieces in [vec![back], vec![1, back - 1]] {
            begin(tested, 0)?;
            tested.set_position(&deep)?;
            for &piece in &pieces {
                tested.undo(piece)?;
            }
            let chosen = tested.choose_here(plies)?;
            let told = |seen: &str| {
                format!(
                    "after {plies} plies it chose {own}; when {back} more had been taken back, \
                     {seen}"
                )
            };
            let seen = legal(&before, &chosen.answer).map_err(|wrong| told(&wrong))?;
            if seen != own {
                return Err(told(&seen.to_string()).into());
            }
        }
        count += 1;
    }
    Ok(format!("{count} positions, the same by tengen_undo"))
}
