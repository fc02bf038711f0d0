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
pub(super) fn all(suite: &mut Suite<'_>) {
    let most = if suite.is_quick() { 2 } else { SPEEDS.len() };
    for speed in &SPEEDS[..most] {
        suite.step(speed.name, TIME, |tested| one_question(tested, speed));
    }
    if !suite.is_quick() {
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
    Ok((judge_timing(allowed, spent, || tested.sample_late()), spent))
}

fn in_ms(span: Nanos) -> String {
    format!("{:.1} ms", span as f64 / 1e6)
}

/// The answer must be read before its deadline, as in a game. An engine that is late every time is
/// at fault, however busy the machine is: who keeps a reserve is in time now and then. So is one
/// that is late twice by its own doing. Once may be a delay that no system tells of.
fn one_question(tested: &mut TestedEngine, speed: &Speed) -> StepResult {
    let clock = clock(speed.own, speed.hard);
    let (rule, size) = tested.board()?;
    tested.new_game_as(rule, size, |setup| setup.time = clock.1)?;
    let position = super::positions::position(rule, size, 8);
    let (mut seen, mut has_been_late) = (String::new(), false);
    for _ in 0..ATTEMPTS {
        let (verdict, spent) = asked(tested, &position, &clock)?;
        seen = format!("{} of {}", in_ms(spent), in_ms(speed.hard));
        match verdict {
            TimingVerdict::InTime => return Ok(seen),
            TimingVerdict::Late if has_been_late => break,
            TimingVerdict::Late => has_been_late = true,
            TimingVerdict::Inconclusive => {}
        }
    }
    Err(format!("{seen}, too late").into())
}

/// How a game on one clock went.
enum ClockedGame {
    /// To its end, and what was seen.
    Played(String),
    /// It was lost on time, by the engine's own doing, and how.
    Lost(String),
    /// The machine was too busy.
    Spoiled,
}

/// Many moves on one clock. As with a single question, it is lost if it is lost twice.
fn a_game(tested: &mut TestedEngine) -> StepResult {
    let mut has_lost = false;
    for _ in 0..GAMES {
        match game_on_a_clock(tested)? {
            ClockedGame::Played(seen) => return Ok(seen),
            ClockedGame::Lost(how) if has_lost => return Err(how.into()),
            ClockedGame::Lost(_) => has_lost = true,
            ClockedGame::Spoiled => {}
        }
    }
    not_checked("this machine was too busy for it")
}

fn game_on_a_clock(tested: &mut TestedEngine) -> Result<ClockedGame, String> {
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
        match judge_timing(left, spent, || tested.sample_late()) {
            TimingVerdict::InTime => left -= spent,
            TimingVerdict::Inconclusive => return Ok(ClockedGame::Spoiled),
            TimingVerdict::Late => {
                let (spent, left) = (in_ms(spent), in_ms(left));
                let how = format!("lost on time at its move {number}: {spent} with {left} left");
                return Ok(ClockedGame::Lost(how));
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
    Ok(ClockedGame::Played(format!("{MOVES} moves, {} left", in_ms(left))))
}
