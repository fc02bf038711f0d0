//! Positions in which one move of a text engine matters, and what it uses of the machine.

use std::thread;
use std::time::Duration;

use tengen_rules::Rule;

use super::positions::{Tactic, fives, forbidden};
use super::tactics::judge_side;
use super::tested_engine::Pace;
use super::text::{QUICK_MOVE, chosen, quick};
use super::text_engine::{MOVE, TestedTextEngine, within};
use super::{StepResult, not_checked};

/// The longest that positions may take.
const POSITIONS: Duration = Duration::from_secs(3);
/// The fewest positions that show for which side an engine plays.
const FEWEST: usize = 6;

/// Where both sides can make five, an engine that always takes the other's point thinks that it is
/// the other.
pub(super) fn side_to_move(tested: &mut TestedTextEngine) -> StepResult {
    let (pace, rule, size) = (Pace::new(POSITIONS), Rule::Freestyle, tested.size());
    let (mut own, mut theirs, mut count) = (0, 0, 0);
    for tactic in fives(rule, size).into_iter().filter(|tactic| tactic.theirs.is_some()) {
        // Even on a busy machine, at least enough positions are asked to show something.
        if pace.is_over() && count >= FEWEST {
            break;
        }
        tested.begin_on(rule, size, quick())?;
        let point = chosen(tested, &tactic.position)?;
        count += 1;
        own += usize::from(point == tactic.point);
        theirs += usize::from(Some(point) == tactic.theirs);
    }
    if count < FEWEST {
        return not_checked("this board has too few such positions");
    }
    judge_side(count, own, theirs)
}

/// Points that look best to an engine that does not know that they are forbidden. The protocol lets
/// an engine ignore a rule, unless that is what it is checked on.
pub(super) fn forbidden_points(tested: &mut TestedTextEngine, is_asked_for: bool) -> StepResult {
    let (pace, size) = (Pace::new(POSITIONS), tested.size());
    let (mut count, mut played) = (0, 0);
    for Tactic { position, .. } in forbidden(size) {
        if pace.is_over() && count >= FEWEST {
            break;
        }
        tested.begin_on(Rule::Renju, size, quick())?;
        count += 1;
        let point = chosen(tested, &position)?;
        if let Some(foul) = position.foul_at(point) {
            if is_asked_for {
                let plies = position.ply();
                return Err(format!("after {plies} plies: {point} is forbidden, {foul}").into());
            }
            // An engine that knows no forbidden points plays some by chance: no reason for another
            // verdict.
            played += 1;
        }
    }
    if count == 0 {
        return not_checked("this board has no such positions");
    }
    Ok(match played {
        0 => format!("{count} positions with a tempting one, none of them played"),
        _ => format!(
            "{played} of {count} tempting ones played; an engine need not know renju: --rule renju \
             checks one that does"
        ),
    })
}

/// How long it is watched after an answer, and how much of that it may work.
const WATCHED: Duration = Duration::from_millis(300);
const IDLE_WORK: Duration = Duration::from_millis(60);
/// How often at most it is looked at: on a busy machine an engine that works on gets little CPU
/// time. An engine that used less than this rests.
const LOOKS: u128 = 5;
const RESTING_WORK: Duration = Duration::from_millis(5);
/// What a text engine may still do after its answer.
const SETTLING: Duration = Duration::from_millis(100);

/// The engine is let run on after its answer, which a game does not, and its CPU time is read.
pub(super) fn work(tested: &mut TestedTextEngine) -> StepResult {
    tested.begin_again(quick())?;
    let stones = tested.stones(8);
    tested.ask_within(&stones, MOVE, within(QUICK_MOVE))?;
    thread::sleep(SETTLING);
    let Some(before) = tested.cpu_time() else {
        return not_checked("this system does not tell the CPU time of a process");
    };
    for looks in 1..=LOOKS {
        thread::sleep(WATCHED);
        let now = tested.cpu_time().unwrap_or(before);
        let worked = Duration::from_nanos(now.saturating_sub(before));
        if worked > IDLE_WORK {
            let (worked, watched) = (worked.as_millis(), looks * WATCHED.as_millis());
            return Err(format!("it worked {worked} ms in {watched} ms after its answer").into());
        }
        if worked < RESTING_WORK {
            break;
        }
    }
    Ok("none".to_owned())
}

/// What a game may leave behind, in MiB.
const LEAK: u64 = 4;

/// Games of three moves, one after another in one process where it plays more than one.
pub(super) fn memory(tested: &mut TestedTextEngine, games: usize) -> StepResult {
    let mut taken = Vec::new();
    for _ in 0..games {
        let was_running = tested.begin_again(quick())?;
        if !was_running && !taken.is_empty() {
            return not_checked("it plays one game and is started anew for the next");
        }
        for count in [2, 4, 6] {
            let stones = tested.stones(count);
            tested.ask_within(&stones, MOVE, within(QUICK_MOVE / 3))?;
        }
        match tested.memory_mib() {
            Some(mib) => taken.push(mib),
            None => return not_checked("this system does not tell what a process takes"),
        }
    }
    let (middle, last) = (taken[taken.len() / 2], taken[taken.len() - 1]);
    let rate = last.saturating_sub(middle) / (taken.len() / 2).max(1) as u64;
    if rate >= LEAK {
        let first = taken[0];
        return Err(format!(
            "its memory grew by {rate} MiB a game, from {first} to {last} MiB in {games} games"
        )
        .into());
    }
    Ok(format!("{} MiB after the first, {last} MiB after {games}", taken[0]))
}
