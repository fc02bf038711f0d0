//! Whole games against a text engine, and what it takes of the machine.

use std::thread;
use std::time::Duration;

use tengen_arbiter::TimeControl;
use tengen_random::Random;
use tengen_rules::{Answer, Color, Ending, Move, Point, Position, Rule, Size};

use super::observer::Observer;
use super::positions::{Tactic, fives, forbidden};
use super::tested_engine::Pace;
use super::text_engine::{MOVE, TestedTextEngine};
use super::{NotPassed, StepResult, not_checked};

/// The time for each move of the games here.
const QUICK_MOVE: Duration = Duration::from_millis(60);
/// A game is broken off after so long, once the engine has made enough moves that a busy machine
/// shows the same faults; of a slow engine in any case after the longest time.
const GAME: Duration = Duration::from_millis(2500);
const ENOUGH: usize = 12;
const LONGEST: Duration = Duration::from_secs(12);
/// The longest that positions may take.
const POSITIONS: Duration = Duration::from_secs(3);
/// The fewest positions that show for which side an engine plays.
const FEWEST: usize = 6;

/// A game with each colour.
pub(super) fn games(tested: &mut TestedTextEngine<'_>, rule: Rule, size: Size) -> StepResult {
    let mut seen = Vec::new();
    for (own, observer) in [(Color::Black, Observer::Wanders), (Color::White, Observer::Fights)] {
        let played = game(tested, rule, size, own, observer);
        seen.push(played.map_err(|wrong| format!("as {own}: {wrong}"))?);
    }
    Ok(seen.join(", "))
}

fn game(
    tested: &mut TestedTextEngine<'_>,
    rule: Rule,
    size: Size,
    own: Color,
    observer: Observer,
) -> Result<String, String> {
    tested.begin_on(rule, size, quick())?;
    let (mut random, pace, longest) = (Random::new(5), Pace::new(GAME), Pace::new(LONGEST));
    let mut position = Position::new(rule, size);
    while !(pace.is_over() && position.ply() >= 2 * ENOUGH || longest.is_over()) {
        let point = match position.to_move() == own {
            true => own_move(tested, &position)?,
            false => match observer.choose(&position, &mut random) {
                Some(point) => point,
                None => break,
            },
        };
        let ending = position.play(point).map_err(|illegal| illegal.to_string())?;
        let plies = position.ply();
        match ending {
            Some(Ending::Five(color)) if color == own => return Ok(format!("{plies} plies, won")),
            Some(Ending::Five(_)) => return Ok(format!("{plies} plies, lost")),
            Some(_) => return Ok(format!("{plies} plies, drawn")),
            None => {}
        }
    }
    Ok(format!("{} plies, broken off", position.ply()))
}

fn quick() -> TimeControl {
    let per_move = u64::try_from(QUICK_MOVE.as_nanos()).ok();
    TimeControl { per_move, ..TimeControl::default() }
}

/// The point that it plays in a position, which has to be legal.
fn own_move(tested: &mut TestedTextEngine<'_>, position: &Position) -> Result<Point, String> {
    let (answer, _) = tested.ask_within(position.moves(), MOVE, QUICK_MOVE)?;
    let Answer::Move(Move::Stone(point)) = answer else {
        return Err(format!("answered with {answer:?}"));
    };
    let plies = position.ply();
    position.check(point).map_err(|illegal| format!("after {plies} plies: {illegal}"))?;
    Ok(point)
}

/// Where both sides can make five, an engine that always takes the other's point thinks that it is
/// the other.
pub(super) fn side_to_move(tested: &mut TestedTextEngine<'_>, size: Size) -> StepResult {
    let (pace, rule) = (Pace::new(POSITIONS), Rule::Freestyle);
    let (mut own, mut theirs, mut count) = (0, 0, 0);
    for tactic in fives(rule, size).into_iter().filter(|tactic| tactic.theirs.is_some()) {
        // On a busy machine too so many are asked that they tell something.
        if pace.is_over() && count >= FEWEST {
            break;
        }
        tested.begin_on(rule, size, quick())?;
        let point = own_move(tested, &tactic.position)?;
        count += 1;
        own += usize::from(point == tactic.point);
        theirs += usize::from(Some(point) == tactic.theirs);
    }
    if count < FEWEST {
        return not_checked("this board has too few such positions");
    }
    if theirs * 4 >= count * 3 && own * 8 <= count {
        return Err(NotPassed::Failed(format!(
            "in {theirs} of {count} positions in which both can make five, it took the point of \
             the side that is not to move, and its own in {own}"
        )));
    }
    Ok(format!("it made its own five in {own} of {count} positions, hindered theirs in {theirs}"))
}

/// Points that look best to who does not know that they are forbidden. The protocol lets an engine
/// ignore a rule, unless that is what it is checked on.
pub(super) fn forbidden_points(
    tested: &mut TestedTextEngine<'_>,
    size: Size,
    is_asked_for: bool,
) -> StepResult {
    let pace = Pace::new(POSITIONS);
    let (mut count, mut played) = (0, 0);
    for Tactic { position, .. } in forbidden(size) {
        if pace.is_over() && count >= FEWEST {
            break;
        }
        tested.begin_on(Rule::Renju, size, quick())?;
        count += 1;
        let point = own_move(tested, &position)?;
        if let Some(foul) = position.foul_at(point) {
            if is_asked_for {
                let plies = position.ply();
                return Err(format!("after {plies} plies: {point} is forbidden, {foul}").into());
            }
            // One that knows nothing of them plays some by chance: no reason for another verdict.
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
/// How often at most it is looked at: on a busy machine one that works on gets little CPU time. One
/// that took less than this rests.
const LOOKS: u128 = 5;
const RESTING_WORK: Duration = Duration::from_millis(5);
/// What a text engine may still do after its answer.
const SETTLING: Duration = Duration::from_millis(100);

/// The engine is let run on after its answer, which a game does not, and its CPU time is read.
pub(super) fn work(tested: &mut TestedTextEngine<'_>) -> StepResult {
    tested.begin_again(quick())?;
    let stones = tested.stones(8);
    tested.ask_within(&stones, MOVE, QUICK_MOVE)?;
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
pub(super) fn memory(tested: &mut TestedTextEngine<'_>, games: usize) -> StepResult {
    let mut taken = Vec::new();
    for _ in 0..games {
        let was_running = tested.begin_again(quick())?;
        if !was_running && !taken.is_empty() {
            return not_checked("it plays one game and is started anew for the next");
        }
        for count in [2, 4, 6] {
            let stones = tested.stones(count);
            tested.ask_within(&stones, MOVE, QUICK_MOVE / 3)?;
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
