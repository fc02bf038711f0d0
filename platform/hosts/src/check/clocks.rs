//! Clocks: the deadlines that a game would set, at several speeds.

use tengen_arbiter::{Limits as Clock, Nanos, TimeControl};
use tengen_rules::Position;

use super::limits::{begin, legal};
use super::observer::Observer;
use super::suite::Suite;
use super::tested_engine::{TestedEngine, TimedAnswer};
use super::{ATTEMPTS, StepResult, TimingVerdict, judge_timing, not_checked};
use crate::translate;

const TIME: &str = "left_us does not count the way of the answer, so answer while some of it is \
                    left (tengen.h says how much), poll it often, and start nothing that cannot be \
                    stopped; use soft_us as the goal where there is a game clock";

const MS: Nanos = 1_000_000;
/// The clock of a whole game.
const GAME: Nanos = 1500 * MS;
/// How many moves are made on it.
const MOVES: usize = 25;
/// How often such a game is begun anew where the machine spoils it.
const GAMES: usize = 3;

/// A clock as it stands when a question is asked.
struct Speed {
    name: &'static str,
    /// What is left of the game's time; none is a cap on the move alone.
    own: Option<Nanos>,
    hard: Nanos,
}

const SPEEDS: [Speed; 4] = [
    Speed { name: "100 ms for a move", own: None, hard: 100 * MS },
    Speed { name: "50 ms for a move", own: None, hard: 50 * MS },
    Speed { name: "300 ms for a move", own: None, hard: 300 * MS },
    Speed { name: "60 ms left of a game's time", own: Some(60 * MS), hard: 60 * MS },
];

/// Every speed; a quick check takes the first two.
pub(super) fn all(suite: &mut Suite<TestedEngine>) {
    let is_quick = suite.tested.is_quick();
    let most = if is_quick { 2 } else { SPEEDS.len() };
    for speed in &SPEEDS[..most] {
        suite.step(speed.name, TIME, |tested| one_question(tested, speed));
    }
    if !is_quick {
        suite.step("a game on 1.5 s", TIME, a_game);
    }
}

fn clock(own: Option<Nanos>, hard: Nanos) -> (Clock, TimeControl) {
    let per_move = own.is_none().then_some(hard);
    let time = TimeControl { main: own.map(|_| GAME), per_move, ..TimeControl::default() };
    (Clock { own, opponent: own, hard: Some(hard), ..Clock::default() }, time)
}

/// Asks within that time, and tells what the clock says to the answer.
fn asked(
    tested: &mut TestedEngine,
    position: &Position,
    (clock, time): &(Clock, TimeControl),
) -> Result<(TimingVerdict, Nanos), String> {
    let allowed = clock.hard.unwrap_or(Nanos::MAX);
    let limits = translate::to_limits(clock, time, 1);
    let TimedAnswer { answer, spent } = tested.choose(position, &limits)?;
    legal(position, &answer)?;
    Ok((judge_timing(allowed, spent, || tested.backend.process.sample_late()), spent))
}

fn in_ms(span: Nanos) -> String {
    format!("{:.1} ms", span as f64 / 1e6)
}

/// The answer must be read before its deadline, as in a game. An engine that is late every time is
/// at fault, however busy the machine is: an engine that keeps a reserve is in time now and then.
fn one_question(tested: &mut TestedEngine, speed: &Speed) -> StepResult {
    let clock = clock(speed.own, speed.hard);
    let (rule, size) = tested.board()?;
    tested.new_game_as(rule, size, |setup| setup.time = clock.1)?;
    let position = super::positions::position(rule, size, 8);
    let mut seen = String::new();
    for _ in 0..ATTEMPTS {
        let (verdict, spent) = asked(tested, &position, &clock)?;
        seen = format!("{} of {}", in_ms(spent), in_ms(speed.hard));
        match verdict {
            TimingVerdict::InTime => return Ok(seen),
            TimingVerdict::Late => break,
            TimingVerdict::Inconclusive => {}
        }
    }
    Err(format!("{seen}, too late").into())
}

/// Many moves on one clock.
fn a_game(tested: &mut TestedEngine) -> StepResult {
    for _ in 0..GAMES {
        if let Some(seen) = game_on_a_clock(tested)? {
            return Ok(seen);
        }
    }
    not_checked("this machine was too busy for it")
}

/// What was seen, or nothing where the machine spoiled it.
fn game_on_a_clock(tested: &mut TestedEngine) -> Result<Option<String>, String> {
    let mut random = tengen_random::Random::new(3);
    let mut position = begin(tested, 0)?;
    let (rule, size) = (position.rule(), position.size());
    let mut left = GAME;
    tested.new_game_as(rule, size, |setup| setup.time = clock(Some(left), left).1)?;
    for number in 1..=MOVES {
        let clock = clock(Some(left), left);
        let limits = translate::to_limits(&clock.0, &clock.1, 1);
        let TimedAnswer { answer, spent } = tested.choose(&position, &limits)?;
        let point = legal(&position, &answer)?;
        match judge_timing(left, spent, || tested.backend.process.sample_late()) {
            TimingVerdict::InTime => left -= spent,
            TimingVerdict::Inconclusive => return Ok(None),
            TimingVerdict::Late => {
                return Err(format!(
                    "lost on time at its move {number}: {} with {} left",
                    in_ms(spent),
                    in_ms(left)
                ));
            }
        }
        let is_over = position.play(point).map_err(|illegal| illegal.to_string())?.is_some();
        let reply = Observer::Wanders.choose(&position, &mut random);
        let Some(reply) = reply.filter(|_| !is_over) else {
            position = begin(tested, 0)?;
            tested.new_game_as(rule, size, |setup| setup.time = clock.1)?;
            continue;
        };
        position.play(reply).map_err(|illegal| illegal.to_string())?;
    }
    Ok(Some(format!("{MOVES} moves, {} left", in_ms(left))))
}
