//! Clocks: the deadlines that a game would set, at several speeds.

use tengen_arbiter::{ByoYomi, Clock, Limits, MarginPolicy, Nanos, TimeControl};
use tengen_rules::Position;

use super::observer::Observer;
use super::suite::{Driver, Suite};
use super::tested_engine::{TestedEngine, TimedAnswer};
use super::{ATTEMPTS, StepResult, TimingVerdict, judge_timing, not_checked};

pub(super) const TIME: &str = "left_us does not count the way of the answer, so answer while some \
                               of it is left (tengen.h says how much), poll it often, and start \
                               nothing that cannot be stopped; use soft_us as the goal where there \
                               is a game clock";

const MS: Nanos = 1_000_000;
/// The time of a whole game.
const GAME_TIME: Nanos = 1500 * MS;
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
        let time = TimeControl { main: Some(GAME_TIME), ..TimeControl::default() };
        suite.step("a game on 1.5 s", TIME, |tested| a_game(tested, time, MOVES));
    }
}

fn in_ms(span: Nanos) -> String {
    format!("{:.1} ms", span as f64 / 1e6)
}

/// The answer must be read before its deadline, as in a game. An engine that is late every time is
/// at fault, however busy the machine is: an engine that keeps a reserve is in time now and then.
fn one_question(tested: &mut TestedEngine, speed: &Speed) -> StepResult {
    let Speed { own, hard, .. } = *speed;
    let per_move = own.is_none().then_some(hard);
    let time = TimeControl { main: own.map(|_| GAME_TIME), per_move, ..TimeControl::default() };
    let limits = Limits { own, opponent: own, hard: Some(hard), ..Limits::default() };
    let (rule, size) = tested.board()?;
    tested.begin_on_clock(rule, size, time)?;
    let position = super::positions::position(rule, size, 8);
    let mut seen = String::new();
    for _ in 0..ATTEMPTS {
        let TimedAnswer { spent, .. } = tested.move_on_clock(&position, &limits, &time)?;
        seen = format!("{} of {}", in_ms(spent), in_ms(hard));
        match judge_timing(hard, spent, || tested.sample_late()) {
            TimingVerdict::InTime => return Ok(seen),
            TimingVerdict::Late => break,
            TimingVerdict::Inconclusive | TimingVerdict::Untold => {}
        }
    }
    Err(format!("{seen}, too late").into())
}

/// What became of a game on a clock.
enum ClockedGame {
    /// It was played to its end, and this was seen.
    Played(String),
    /// It was lost on time, and the machine may be to blame.
    Spoiled,
    /// It was lost on time so, and the system does not tell whether the machine is to blame.
    Lost(String),
}

/// So many moves on one clock. Where the system does not tell whether the machine was busy, an
/// engine is at fault that loses every game.
pub(super) fn a_game<D: Driver>(tested: &mut D, time: TimeControl, moves: usize) -> StepResult {
    let mut lost = None;
    for _ in 0..GAMES {
        match game_on_a_clock(tested, time, moves)? {
            ClockedGame::Played(seen) => return Ok(seen),
            ClockedGame::Spoiled => lost = None,
            ClockedGame::Lost(how) => lost = Some(how),
        }
    }
    match lost {
        Some(how) => Err(how.into()),
        None => not_checked("this machine was too busy for it"),
    }
}

fn game_on_a_clock<D: Driver>(
    tested: &mut D,
    time: TimeControl,
    moves: usize,
) -> Result<ClockedGame, String> {
    let (rule, size) = *tested.game_boards().first().ok_or("it plays no rule on any board")?;
    let mut random = tengen_random::Random::new(3);
    let mut clock = Clock::new(time, D::MARGIN, MarginPolicy::Move);
    let mut position = Position::new(rule, size);
    tested.begin_on_clock(rule, size, time)?;
    for number in 1..=moves {
        let (own, hard) = (clock.plan(0), clock.hard());
        let limits = Limits { own, opponent: own, hard, ..Limits::default() };
        let TimedAnswer { answer, spent } = tested.move_on_clock(&position, &limits, &time)?;
        let allowed = clock.deadline().unwrap_or(Nanos::MAX);
        let lost = || {
            let (spent, left) = (in_ms(spent), in_ms(hard.unwrap_or(0)));
            format!("lost on time at its move {number}: {spent} with {left} left")
        };
        match judge_timing(allowed, spent, || tested.sample_late()) {
            TimingVerdict::InTime => clock.charge(spent),
            TimingVerdict::Inconclusive => return Ok(ClockedGame::Spoiled),
            TimingVerdict::Untold => return Ok(ClockedGame::Lost(lost())),
            TimingVerdict::Late => return Err(lost()),
        }
        let is_over = position.play(answer).map_err(|illegal| illegal.to_string())?.is_some();
        let reply = Observer::Wanders.choose(&position, &mut random);
        let Some(reply) = reply.filter(|_| !is_over) else {
            position = Position::new(rule, size);
            tested.begin_on_clock(rule, size, time)?;
            continue;
        };
        position.play(reply).map_err(|illegal| illegal.to_string())?;
    }
    let left = match time.byo_yomi {
        Some(ByoYomi { periods, .. }) => format!("{} of {periods} periods", clock.periods()),
        None => in_ms(clock.hard().unwrap_or(0)),
    };
    Ok(ClockedGame::Played(format!("{moves} moves, {left} left")))
}
