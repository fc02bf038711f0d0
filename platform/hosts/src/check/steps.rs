//! The steps of a check, one for each thing that an engine must do.

use tengen_abi::{Limits, MoveCode, Reply, limit, names, outcome, reply, status};
use tengen_random::Random;
use tengen_rules::{Move, Point, Position, Procedure, Rule, Size};

use super::positions::{extend, positions};
use super::tested_engine::{TestedEngine, TimedAnswer};
use super::{ATTEMPTS, CheckReport, StepResult, TimingVerdict, judge_timing};
use crate::protocol::wire::{put_u32, request};
use crate::{Export, OptionKind, translate};

/// The most plies of the game that the engine plays against itself.
const GAME: usize = 60;

/// Every step but the openings and the end.
pub(super) fn all(tested: &mut TestedEngine, report: &mut CheckReport) {
    report.add("description", description(tested));
    report.add("options", options(tested));
    report.add("an unknown option", unknown_option(tested));
    for (rule, size) in tested.rules() {
        report.add(format!("moves under {rule} on {size}"), moves(tested, rule, size));
    }
    report.add("a limit on time", time_limit(tested));
    report.add("a limit on nodes", node_limit(tested));
    report.add("a limit on depth", depth_limit(tested));
    report.add("another try", retry(tested));
    report.add("a draw offer", draw_offer(tested));
    report.add("playing on", play(tested));
    report.add("taking back", undo(tested));
}

/// The end of a game, the next one, and the end of the engine.
pub(super) fn last(tested: &mut TestedEngine, report: &mut CheckReport) {
    report.add("a game against itself", whole_game(tested));
    report.add("the end of a game", end_game(tested));
    report.add("the next game", next_game(tested));
    report.add("the end of the engine", destroy(tested));
}

fn description(tested: &mut TestedEngine) -> StepResult {
    let description = tested.description();
    let name = description.name.as_deref().ok_or("it names nobody; add a line `name …`")?;
    let rules: Vec<_> = description.rules.iter().map(|support| support.rule.name()).collect();
    for word in &description.openings {
        if word.parse::<Procedure>().is_err() {
            return Err(format!("`opening {word}`: there is no such opening procedure"));
        }
    }
    if description.rules.iter().any(|support| support.sizes.is_empty()) {
        return Err("a line `rule` has an empty range of sizes".to_owned());
    }
    let version = description.version.as_deref().unwrap_or("without a version");
    let rules = if rules.is_empty() { "every rule".to_owned() } else { rules.join(" ") };
    Ok(format!("{name} {version}, plays {rules}"))
}

fn set_option(tested: &mut TestedEngine, name: &str, value: &str) -> Result<i32, String> {
    tested.call(request::SET_OPTION, names::SET_OPTION, |out| {
        out.extend_from_slice(format!("{name}\0{value}").as_bytes());
    })
}

/// Sets every option to its own default.
fn options(tested: &mut TestedEngine) -> StepResult {
    let options = tested.description().options.clone();
    for option in &options {
        let default = match &option.value {
            OptionKind::Int { default, range, .. } if !range.contains(default) => {
                return Err(format!("option {}: its default lies out of its range", option.name));
            }
            OptionKind::Int { default, .. } => default.to_string(),
            OptionKind::Bool { default } => default.to_string(),
            OptionKind::Choice { default, words } if !words.contains(default) => {
                return Err(format!("option {}: its default is no choice", option.name));
            }
            OptionKind::Choice { default, .. } | OptionKind::Text { default } => default.clone(),
        };
        let code = set_option(tested, &option.name, &default)?;
        if code != status::OK {
            let name = &option.name;
            return Err(format!("option {name} refuses its own default, {default:?}: {code}"));
        }
    }
    Ok(match options.len() {
        0 => "it describes none".to_owned(),
        count => format!("{count} take their defaults"),
    })
}

fn unknown_option(tested: &mut TestedEngine) -> StepResult {
    match set_option(tested, "NoSuchOptionOfAnyEngine", "1")? {
        status::UNSUPPORTED => Ok("refused".to_owned()),
        code => Err(format!("answered with {code}; TENGEN_E_UNSUPPORTED (-1) is due")),
    }
}

/// The board of the first rule it plays, with a game begun.
fn begin(tested: &mut TestedEngine) -> Result<Position, String> {
    let (rule, size) = *tested.rules().first().ok_or("it plays no rule on any board")?;
    tested.new_game(rule, size, Procedure::None)?;
    Ok(Position::new(rule, size))
}

/// As [`begin`], with some stones.
fn begin_with(tested: &mut TestedEngine, plies: usize) -> Result<Position, String> {
    let mut position = begin(tested)?;
    let mut random = Random::new(plies as u64);
    while position.ply() < plies && extend(&mut position, &mut random) {}
    Ok(position)
}

/// The move of a reply, if it may be played.
fn legal(position: &Position, answer: &Reply) -> Result<Move, String> {
    let MoveCode(code) = answer.mv;
    let plies = position.ply();
    let (x, y) = answer.mv.stone().ok_or_else(|| format!("after {plies} plies: no move"))?;
    let point = Point::new(x, y);
    position
        .check(point)
        .map_err(|illegal| format!("after {plies} plies: {illegal} (move {code:#06x})"))?;
    match position.foul_at(point) {
        Some(foul) => Err(format!("after {plies} plies: {point} is forbidden, {foul}")),
        None => Ok(Move::Stone(point)),
    }
}

fn moves(tested: &mut TestedEngine, rule: Rule, size: Size) -> StepResult {
    tested.new_game(rule, size, Procedure::None)?;
    let mut count = 0;
    for position in positions(rule, size) {
        let chosen = tested.choose(&position, &TestedEngine::limits())?;
        legal(&position, &chosen.answer)?;
        count += 1;
    }
    Ok(format!("{count} positions, each answered legally"))
}

/// The answer must be read before its deadline, as in a game. An engine that is late every time is
/// at fault, however busy the machine is: who keeps a reserve is in time now and then.
fn time_limit(tested: &mut TestedEngine) -> StepResult {
    const HARD_US: i64 = 300_000;
    let position = begin_with(tested, 8)?;
    // A cap on the move and no game clock: nothing is to be saved for later.
    let soft_us = HARD_US / 10 * 9;
    let limits = Limits { soft_us, hard_us: HARD_US, multipv: 1, ..Limits::default() };
    let mut seen = String::new();
    for _ in 0..ATTEMPTS {
        let TimedAnswer { answer, spent } = tested.choose(&position, &limits)?;
        legal(&position, &answer)?;
        seen = format!("{:.1} ms of {}", spent as f64 / 1e6, HARD_US / 1000);
        match judge_timing(HARD_US.unsigned_abs() * 1000, spent, || tested.sample_late()) {
            TimingVerdict::InTime => return Ok(seen),
            TimingVerdict::Late => break,
            TimingVerdict::Inconclusive => {}
        }
    }
    let way = "left_us does not count the way of the answer, so answer while some of it is left";
    Err(format!("{seen}, too late: {way} (tengen.h says how much), and poll it often"))
}

fn node_limit(tested: &mut TestedEngine) -> StepResult {
    const NODES: u64 = 5000;
    let position = begin_with(tested, 8)?;
    let limits = Limits { nodes: NODES, multipv: 1, ..Limits::default() };
    let chosen = tested.choose(&position, &limits)?;
    legal(&position, &chosen.answer)?;
    match chosen.answer.nodes {
        0 => Ok("it reports no nodes".to_owned()),
        nodes if nodes > NODES + NODES / 10 => Err(format!(
            "{nodes} nodes of {NODES}: compare them with the limit as they are visited"
        )),
        nodes => Ok(format!("{nodes} nodes of {NODES}")),
    }
}

fn depth_limit(tested: &mut TestedEngine) -> StepResult {
    const DEPTH: u32 = 2;
    let position = begin_with(tested, 8)?;
    let limits = Limits { depth: DEPTH, multipv: 1, ..Limits::default() };
    let chosen = tested.choose(&position, &limits)?;
    legal(&position, &chosen.answer)?;
    match chosen.answer.depth {
        0 => Ok("it reports no depth".to_owned()),
        depth if depth > DEPTH => Err(format!("searched to depth {depth} of {DEPTH}")),
        depth => Ok(format!("depth {depth} of {DEPTH}")),
    }
}

fn retry(tested: &mut TestedEngine) -> StepResult {
    let position = begin_with(tested, 5)?;
    let limits = Limits { flags: limit::RETRY, ..TestedEngine::limits() };
    let again = tested.choose(&position, &limits)?;
    legal(&position, &again.answer).map(|mv| mv.to_string())
}

fn draw_offer(tested: &mut TestedEngine) -> StepResult {
    let position = begin_with(tested, 8)?;
    let limits = Limits { flags: limit::DRAW_OFFERED, ..TestedEngine::limits() };
    let answer = tested.choose(&position, &limits)?.answer;
    if answer.flags & reply::ACCEPT_DRAW != 0 {
        return Ok("accepted".to_owned());
    }
    legal(&position, &answer).map(|mv| format!("declined by {mv}"))
}

/// Plays the engine's own move and an answer to it on the engine's board. An engine that ignored
/// them would choose the same point again.
fn play(tested: &mut TestedEngine) -> StepResult {
    if !tested.exports().has(Export::Play) {
        return Ok("it has no tengen_play; the host tells it whole positions".to_owned());
    }
    let mut position = begin_with(tested, 6)?;
    let first = tested.choose(&position, &TestedEngine::limits())?;
    let own = legal(&position, &first.answer)?.point().ok_or("it passed")?;
    play_here(tested, &mut position, own)?;
    let mut after = position.clone();
    if !extend(&mut after, &mut Random::new(6)) {
        return Ok("no room to play on".to_owned());
    }
    let reply = after.last().and_then(Move::point).ok_or("no reply was found")?;
    play_here(tested, &mut position, reply)?;
    let second = tested.choose_here(position.ply())?;
    legal(&position, &second.answer).map(|mv| format!("{own} {reply}, then {mv}"))
}

fn play_here(
    tested: &mut TestedEngine,
    position: &mut Position,
    point: Point,
) -> Result<(), String> {
    let MoveCode(code) = translate::to_code(Move::Stone(point));
    let played = tested.call(request::PLAY, names::PLAY, |out| {
        out.extend_from_slice(&code.to_le_bytes());
    })?;
    if played != status::OK {
        return Err(format!("{} of {point} answered with {played}", names::PLAY));
    }
    position.play(point).map(|_| ()).map_err(|illegal| illegal.to_string())
}

/// Takes back to a shorter position, where the engine must choose as if it had just been sent.
fn undo(tested: &mut TestedEngine) -> StepResult {
    if !tested.exports().has(Export::Undo) {
        return Ok("it has no tengen_undo; the host tells it whole positions".to_owned());
    }
    let longer = begin_with(tested, 24)?;
    let chosen = tested.choose(&longer, &TestedEngine::limits())?;
    legal(&longer, &chosen.answer)?;
    let mut shorter = longer.clone();
    let count = 17;
    for _ in 0..count {
        shorter.undo();
    }
    let undone = tested.call(request::UNDO, names::UNDO, |out| put_u32(out, count))?;
    if undone != status::OK {
        return Err(format!("{} of {count} plies answered with {undone}", names::UNDO));
    }
    let chosen = tested.choose_here(shorter.ply())?;
    legal(&shorter, &chosen.answer).map(|mv| format!("{count} plies back, then {mv}"))
}

fn whole_game(tested: &mut TestedEngine) -> StepResult {
    let mut position = begin(tested)?;
    while position.ply() < GAME.min(position.size().area()) {
        let answer = tested.choose(&position, &TestedEngine::limits())?.answer;
        if answer.flags & reply::RESIGN != 0 {
            return Ok(format!("{} plies, then it resigned", position.ply()));
        }
        let mv = legal(&position, &answer)?;
        let point = mv.point().ok_or("it passed")?;
        if let Ok(Some(_)) = position.play(point) {
            return Ok(format!("over after {} plies", position.ply()));
        }
    }
    Ok(format!("{} plies", position.ply()))
}

fn end_game(tested: &mut TestedEngine) -> StepResult {
    begin(tested)?;
    let code = tested.call(request::END_GAME, names::END_GAME, |out| {
        out.extend_from_slice(&outcome::DRAW.to_le_bytes());
        put_u32(out, tengen_abi::end::AGREEMENT);
        put_u32(out, 1);
    })?;
    match code {
        status::OK => Ok("heard".to_owned()),
        status::UNSUPPORTED => Ok("it does without".to_owned()),
        code => Err(format!("{} answered with {code}", names::END_GAME)),
    }
}

/// A second game must begin from the empty board.
fn next_game(tested: &mut TestedEngine) -> StepResult {
    let position = begin(tested)?;
    let chosen = tested.choose(&position, &TestedEngine::limits())?;
    legal(&position, &chosen.answer).map(|mv| format!("opens with {mv}"))
}

fn destroy(tested: &mut TestedEngine) -> StepResult {
    match tested.call(request::DESTROY, names::DESTROY, |_| {})? {
        status::UNSUPPORTED => Ok("it has no tengen_destroy; its process ends".to_owned()),
        _ => Ok("it returned".to_owned()),
    }
}
