//! Positions with one move that matters: which side is to move, all eight images of a position, the
//! sign of a score, forbidden points.

use std::time::Duration;

use tengen_abi::{Reply, have};
use tengen_rules::{Point, Rule};

use super::limits::legal;
use super::positions::{Tactic, fives, forbidden as forbidden_tactics};
use super::suite::Suite;
use super::tested_engine::{Pace, TestedEngine};
use super::{NotPassed, StepResult, not_checked};

const SIDE: &str = "Black makes the first ply, and colours alternate: an odd number of \
                               plies in tengen_set_position leaves White to move";
const SYMMETRY: &str = "look along all four directions, to the very edges of the board";
const SCORE: &str = "a score is for the side to move: good is positive for it";
const FORBIDDEN: &str = "under renju a black stone on a forbidden point loses: leave \
                                    out double threes, double fours and rows of six or more";

/// The longest that these positions may take.
const LONGEST: Duration = Duration::from_secs(2);

/// What an engine chose where it could make five.
struct Chosen {
    tactic: Tactic,
    point: Point,
    reply: Reply,
}

impl Chosen {
    fn is_five(&self) -> bool {
        self.point == self.tactic.point
    }
}

/// Its choices wherever it can make five; none where its boards are too small.
fn choose_all(tested: &mut TestedEngine) -> Result<Vec<Chosen>, String> {
    let mut chosen = Vec::new();
    let Some((rule, size)) =
        tested.boards().into_iter().find(|&(rule, size)| fives(rule, size).len() >= 12)
    else {
        return Ok(chosen);
    };
    tested.new_game(rule, size)?;
    let pace = Pace::new(LONGEST);
    for tactic in fives(rule, size) {
        if pace.is_over() && !chosen.is_empty() {
            break;
        }
        let reply = tested.choose(&tactic.position, &tested.limits())?.answer;
        let point = legal(&tactic.position, &reply)?;
        chosen.push(Chosen { tactic, point, reply });
    }
    Ok(chosen)
}

/// All checks that need these positions, which are asked once.
pub(super) fn all(suite: &mut Suite<TestedEngine>) {
    let mut chosen = Err(String::new());
    suite.step("the side to move", SIDE, |tested| {
        chosen = choose_all(tested);
        side_to_move(chosen.as_ref().map_err(Clone::clone)?)
    });
    let later = |check: fn(&[Chosen]) -> StepResult| match &chosen {
        Ok(chosen) => check(chosen),
        Err(_) => not_checked("the same questions failed before"),
    };
    suite.step("symmetric positions", SYMMETRY, |_| later(symmetric));
    suite.step("the sign of a score", SCORE, |_| later(score_sign));
    suite.step("forbidden points", FORBIDDEN, forbidden);
}

const TOO_SMALL: &str = "no board that it plays on is large enough";

/// Where both sides can make five, an engine that always takes the other's point thinks that it is
/// the other.
fn side_to_move(chosen: &[Chosen]) -> StepResult {
    let both: Vec<_> = chosen.iter().filter(|chosen| chosen.tactic.theirs.is_some()).collect();
    if both.is_empty() {
        return not_checked(TOO_SMALL);
    }
    let count = both.len();
    let own = both.iter().filter(|chosen| chosen.is_five()).count();
    let theirs = both.iter().filter(|chosen| Some(chosen.point) == chosen.tactic.theirs).count();
    judge_side(count, own, theirs)
}

/// The verdict on an engine that took its own point so often, and the other side's so often, in
/// positions in which both can make five.
pub(super) fn judge_side(count: usize, own: usize, theirs: usize) -> StepResult {
    if theirs * 4 >= count * 3 && own * 8 <= count {
        return Err(NotPassed::Failed(format!(
            "in {theirs} of {count} positions in which both can make five, it took the point of \
             the side that is not to move, and its own in {own}"
        )));
    }
    Ok(format!("it made its own five in {own} of {count} positions, hindered theirs in {theirs}"))
}

/// An engine that finds a row in one image of a position finds it in all.
fn symmetric(chosen: &[Chosen]) -> StepResult {
    if chosen.is_empty() {
        return not_checked(TOO_SMALL);
    }
    let (found, count) = (chosen.iter().filter(|one| one.is_five()).count(), chosen.len());
    if found * 2 < count {
        return Ok(format!("{count} answered legally; it makes five in {found} of them"));
    }
    match chosen.iter().find(|chosen| !chosen.is_five()) {
        None => Ok(format!("it makes five in all {count} images")),
        Some(missed) => {
            let (point, instead) = (missed.tactic.point, missed.point);
            let moves = missed.tactic.position.moves();
            let moves = moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
            Err(format!(
                "it makes five in {found} of {count} images of a position, but not at {point} \
                 after {moves}, where it played {instead}"
            )
            .into())
        }
    }
}

/// With its own five on the board a score cannot be a bad one.
fn score_sign(chosen: &[Chosen]) -> StepResult {
    let won: Vec<_> = chosen.iter().filter(|chosen| chosen.is_five()).collect();
    let scored = won.iter().filter(|chosen| chosen.reply.score.have != 0).count();
    if scored == 0 {
        return not_checked("it gives no score where it makes five");
    }
    let is_bad = |reply: &Reply| {
        let (score, has) = (&reply.score, |bit| reply.score.have & bit != 0);
        has(have::WIN_IN) && score.win_in < 0
            || has(have::WIN_DRAW_LOSS) && score.loss > score.win
            || has(have::EVAL) && score.eval < 0
    };
    let bad = won.iter().filter(|chosen| is_bad(&chosen.reply)).count();
    if bad * 2 >= scored {
        return Err(format!(
            "in {bad} of {scored} positions in which it makes five, its score says that it loses"
        )
        .into());
    }
    Ok(format!("good where it makes five, in {} of {scored}", scored - bad))
}

/// Points that look best to an engine that does not know that they are forbidden.
fn forbidden(tested: &mut TestedEngine) -> StepResult {
    let Some(size) = tested.board_of(Rule::Renju) else {
        return not_checked("it is not asked to play renju");
    };
    let tactics = forbidden_tactics(size);
    if tactics.is_empty() {
        return not_checked(TOO_SMALL);
    }
    tested.new_game(Rule::Renju, size)?;
    let (mut count, pace) = (0, Pace::new(LONGEST));
    for Tactic { position, .. } in tactics {
        if pace.is_over() && count > 0 {
            break;
        }
        let chosen = tested.choose(&position, &tested.limits())?;
        let moves = position.moves().iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        legal(&position, &chosen.answer).map_err(|wrong| format!("{wrong} ({moves})"))?;
        count += 1;
    }
    Ok(format!("{count} positions with a tempting one, none of them played"))
}
