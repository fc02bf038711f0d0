//! What an engine uses of the machine: CPU after its answer, memory, threads.

use std::thread;
use std::time::Duration;

use tengen_abi::{Limits, end, outcome};
use tengen_arbiter::{Nanos, TimeControl};

use super::limits::{begin, legal};
use super::positions::position;
use super::tested_engine::{Pace, TestedEngine};
use super::{StepResult, not_checked};
use crate::HostSettings;
use crate::platform::Usage;
use crate::watchdog::Supervisor;

pub(super) const WORK: &str = "end or stop every thread before an export returns";
pub(super) const MEMORY: &str = "free in tengen_new_game or tengen_end_game what the game before \
                                 took, and end its threads; keep what is kept within a bound";

pub(super) const THREADS: &str = "tengen_game.threads is the ceiling for all threads that work at \
                                  one time, that of the call included";

/// The longest question by which threads are counted, and the shortest that shows any.
const THINKS: i64 = 250_000;
const SHORTEST: u64 = 20_000_000;

/// No more threads may work on a question than the engine was allowed.
pub(super) fn threads(tested: &mut TestedEngine) -> StepResult {
    let allowed = tested.most_threads();
    let position = begin(tested, 8)?;
    let (rule, size) = (position.rule(), position.size());
    let time = TimeControl { per_move: Some(THINKS as Nanos * 1000), ..TimeControl::default() };
    // An ordinary game: one that must be the same again may well be played with a single thread.
    tested.new_game_as(rule, size, |setup| {
        setup.time = time;
        setup.reproducible = false;
    })?;
    let limits = Limits { hard_us: THINKS, multipv: 1, ..Limits::default() };
    let before = tested.cpu_time();
    let chosen = tested.choose(&position, &limits)?;
    // Where threads do not tell, those are counted that their CPU time is enough for.
    let filled = || {
        let used = tested.cpu_time()?.saturating_sub(before?).as_nanos() as Nanos;
        Some(((used + chosen.spent / 2) / chosen.spent.max(1)) as usize)
    };
    let filled = filled();
    let Some(working) = tested.backend.process.working_threads().or(filled) else {
        return not_checked("this system does not tell what threads do");
    };
    legal(&position, &chosen.answer)?;
    if chosen.spent < SHORTEST {
        return not_checked("it answers too soon for its threads to be counted");
    }
    if working > allowed {
        return Err(format!("{working} threads worked; {allowed} allowed").into());
    }
    Ok(format!("{working} worked, {allowed} allowed"))
}

/// How long it is watched after an answer, and how much of that it may work. Windows counts the
/// time of a thread in steps of its clock, of which a thread that hardly works may get a few.
const WATCHED: Duration = Duration::from_millis(200);
const IDLE_WORK: Duration = Duration::from_millis(if cfg!(windows) { 60 } else { 25 });

/// The engine is let run on after its answers, which a game does not, and its CPU time is read.
pub(super) fn work(tested: &mut TestedEngine) -> StepResult {
    let settings = HostSettings { ponder: true, ..tested.settings().clone() };
    let mut other = tested.another(settings);
    let result = watch(&mut other);
    tested.hung_as(&other);
    result
}

fn watch(tested: &mut TestedEngine) -> StepResult {
    let position = begin(tested, 8)?;
    let limits = [
        ("an answer within a node limit", tested.limits()),
        ("an answer within 100 ms", Limits { hard_us: 100_000, multipv: 1, ..Limits::default() }),
    ];
    for (when, limits) in limits {
        let chosen = tested.choose(&position, &limits)?;
        legal(&position, &chosen.answer)?;
        let Some(before) = tested.cpu_time() else {
            return not_checked("this system does not tell the CPU time of a process");
        };
        thread::sleep(WATCHED);
        let after = tested.cpu_time().unwrap_or(before);
        let worked = after.saturating_sub(before);
        if worked > IDLE_WORK {
            let (worked, watched) = (worked.as_millis(), WATCHED.as_millis());
            let wrong = format!("it worked {worked} ms in the {watched} ms after {when}");
            return Err(wrong.into());
        }
    }
    Ok("none".to_owned())
}

/// Growth below this in a game is none.
const SMALL: f64 = 0.25;
/// So much more in all is a leak, however it goes on.
const VERY_MUCH: f64 = 1024.0;
/// The longest that games are played for it.
const LONGEST: Duration = Duration::from_secs(4);
const MIB: f64 = (1 << 20) as f64;

/// What was taken after each game.
struct Growth {
    memory: Vec<f64>,
    threads: Vec<u64>,
}

impl Growth {
    /// How many MiB a game took more from one game to another.
    fn rate(&self, from: usize, to: usize) -> f64 {
        (self.memory[to] - self.memory[from]) / (to - from).max(1) as f64
    }

    /// Whether it grows as much in its last games as before: a table that fills does not.
    fn is_steady(&self) -> bool {
        let last = self.memory.len() - 1;
        let (early, late) = (self.rate(last / 4, last / 2), self.rate(last / 2, last));
        late > SMALL && late > 0.6 * early
    }
}

/// Many short games. If memory keeps growing, more of them are played to see whether it stops.
pub(super) fn memory(tested: &mut TestedEngine, games: usize) -> StepResult {
    tested.restart()?;
    let mut growth = Growth { memory: Vec::new(), threads: Vec::new() };
    let pace = Pace::new(LONGEST);
    let mut most = games;
    while growth.memory.len() < most && !(pace.is_over() && growth.memory.len() >= 12) {
        short_game(tested, growth.memory.len() as u64)?;
        let Some(Usage { memory, threads, .. }) =
            tested.backend.process.watchdog.read(Supervisor::usage)
        else {
            return not_checked("this system does not tell what a process takes");
        };
        growth.memory.push(memory as f64 / MIB);
        growth.threads.push(threads);
        let all = growth.memory[growth.memory.len() - 1] - growth.memory[0];
        if all > VERY_MUCH && growth.is_steady() {
            break;
        }
        if growth.memory.len() == most && most == games && growth.is_steady() {
            most = 4 * games;
        }
    }
    let played = growth.memory.len();
    let (first, last) = (growth.memory[0], growth.memory[played - 1]);
    let (few, many) = (growth.threads[played / 4], growth.threads[played - 1]);
    if many >= few + (played / 4) as u64 {
        return Err(format!("{few} threads grew to {many} in {played} games").into());
    }
    if growth.is_steady() {
        let rate = growth.rate(played / 2, played - 1);
        return Err(format!(
            "its memory grew by {rate:.1} MiB a game, from {first:.0} to {last:.0} MiB in {played} \
             games, and did not stop"
        )
        .into());
    }
    Ok(format!("{first:.0} MiB after the first, {last:.0} MiB after {played}, {many} threads"))
}

fn short_game(tested: &mut TestedEngine, seed: u64) -> Result<(), String> {
    let (rule, size) = tested.board()?;
    tested.new_game_as(rule, size, |setup| setup.seed = seed)?;
    for plies in [0, 3, 8, 15] {
        let position = position(rule, size, plies);
        let chosen = tested.choose(&position, &tested.limits())?;
        legal(&position, &chosen.answer)?;
    }
    tested.tell_end(outcome::DRAW, end::AGREEMENT).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn growth(of_game: impl Fn(usize) -> f64) -> Growth {
        Growth { memory: (0..50).map(of_game).collect(), threads: Vec::new() }
    }

    #[test]
    fn a_leak_is_told_from_a_table_that_fills() {
        assert!(growth(|game| 16.0 * game as f64).is_steady());
        assert!(growth(|game| 10.0 + game as f64).is_steady());
        assert!(!growth(|_| 300.0).is_steady());
        assert!(!growth(|game| 0.1 * game as f64).is_steady());
        let fills = |game: usize| 256.0 * (1.0 - 0.9_f64.powi(game as i32));
        assert!(!growth(fills).is_steady());
        assert!(!growth(|game| 8.0 * game.min(20) as f64).is_steady());
    }
}
