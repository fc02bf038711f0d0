//! What an engine says of itself, and single questions within limits.

use tengen_abi::{Limits, MoveCode, Reply, limit, reply};
use tengen_rules::{Move, Point, Position};

use super::StepResult;
use super::positions::position;
use super::tested_engine::TestedEngine;

pub(super) const DESCRIBE: &str = "write each line of tengen_describe as ABI.md says";
pub(super) const NODES: &str =
    "count nodes as they are visited, and stop when they are as many as the limit's `nodes`";
pub(super) const DEPTH: &str = "do not deepen beyond the limit's `depth`";
pub(super) const RETRY: &str = "with TENGEN_LIMIT_RETRY answer with another move, a legal one";
pub(super) const DRAW: &str = "accept an offer by TENGEN_REPLY_ACCEPT_DRAW, or answer with a move";

pub(super) fn description(tested: &TestedEngine) -> StepResult {
    let description = tested.parsed().as_ref().map_err(ToString::to_string)?;
    let name = description.name.as_deref().ok_or("it has no name; add a line `name …`")?;
    let rules: Vec<_> = description.rules.iter().map(|support| support.rule.name()).collect();
    let version = description.version.as_deref().unwrap_or("without a version");
    let rules = if rules.is_empty() { "every rule".to_owned() } else { rules.join(" ") };
    Ok(format!("{name} {version}, plays {rules}"))
}

/// A position of so many plies on the first board, in a game that has begun.
pub(super) fn begin(tested: &mut TestedEngine, plies: usize) -> Result<Position, String> {
    let (rule, size) = tested.board()?;
    tested.new_game(rule, size)?;
    Ok(position(rule, size, plies))
}

/// The move of a reply, if it may be played.
pub(super) fn legal(position: &Position, answer: &Reply) -> Result<Point, String> {
    let plies = position.ply();
    let MoveCode(code) = answer.mv;
    let (x, y) = answer.mv.stone().ok_or_else(|| format!("after {plies} plies: no move"))?;
    let point = Point::new(x, y);
    position
        .check(point)
        .map_err(|illegal| format!("after {plies} plies: {illegal} (move {code:#06x})"))?;
    match position.foul_at(point) {
        Some(foul) => Err(format!("after {plies} plies: {point} is forbidden, {foul}")),
        None => Ok(point),
    }
}

fn answer_within(tested: &mut TestedEngine, limits: &Limits) -> Result<Reply, String> {
    let position = begin(tested, 8)?;
    let answer = tested.choose(&position, limits)?.answer;
    legal(&position, &answer)?;
    Ok(answer)
}

pub(super) fn nodes(tested: &mut TestedEngine) -> StepResult {
    const NODES: u64 = 5000;
    let limits = Limits { nodes: NODES, multipv: 1, ..Limits::default() };
    match answer_within(tested, &limits)?.nodes {
        0 => Ok("it reports no nodes".to_owned()),
        nodes if nodes > NODES + NODES / 10 => Err(format!("{nodes} nodes of {NODES}").into()),
        nodes => Ok(format!("{nodes} nodes of {NODES}")),
    }
}

pub(super) fn depth(tested: &mut TestedEngine) -> StepResult {
    const DEPTH: u32 = 2;
    let limits = Limits { depth: DEPTH, multipv: 1, ..Limits::default() };
    match answer_within(tested, &limits)?.depth {
        0 => Ok("it reports no depth".to_owned()),
        depth if depth > DEPTH => Err(format!("searched to depth {depth} of {DEPTH}").into()),
        depth => Ok(format!("depth {depth} of {DEPTH}")),
    }
}

pub(super) fn retry(tested: &mut TestedEngine) -> StepResult {
    let position = begin(tested, 5)?;
    let limits = Limits { flags: limit::RETRY, ..tested.limits() };
    let again = tested.choose(&position, &limits)?;
    Ok(Move::Stone(legal(&position, &again.answer)?).to_string())
}

pub(super) fn draw_offer(tested: &mut TestedEngine) -> StepResult {
    let position = begin(tested, 8)?;
    let limits = Limits { flags: limit::DRAW_OFFERED, ..tested.limits() };
    let answer = tested.choose(&position, &limits)?.answer;
    if answer.flags & reply::ACCEPT_DRAW != 0 {
        return Ok("accepted".to_owned());
    }
    Ok(format!("declined by {}", legal(&position, &answer)?))
}
