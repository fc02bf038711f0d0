//! Checks the opening procedures that an engine answers.

use tengen_rules::{
    Answer, Ask, Move, Opening, OpeningSettings, Point, Position, Procedure, Rule, Seat, Size,
};

use super::StepResult;
use super::tested_engine::TestedEngine;
use crate::{Export, translate};

pub(super) const OPENING: &str = "answer what the question's kind, min, max, radius, choices and \
     flags allow (see ABI.md); name in a line `opening` only the procedures that you answer for";

/// The opening procedures that ask more than moves and that the engine says it answers for.
pub(super) fn claimed(tested: &TestedEngine) -> Result<Vec<(Procedure, Rule, Size)>, String> {
    if !tested.exports().has(Export::Decide) {
        return Err("it has no tengen_decide: it plays no opening that asks more than moves".into());
    }
    let mut claimed = Vec::new();
    for procedure in Procedure::ALL {
        let Some((rule, size)) = board_for(tested, procedure) else { continue };
        let opening = Opening::new(&OpeningSettings::new(procedure), rule, size);
        let asks = opening.is_ok_and(|opening| opening.asked().is_some());
        if asks && tested.description().opens(procedure.name()) {
            claimed.push((procedure, rule, size));
        }
    }
    Ok(claimed)
}

/// A rule and board of the engine's that the procedure is played under.
fn board_for(tested: &TestedEngine, procedure: Procedure) -> Option<(Rule, Size)> {
    let fits = |&(rule, size): &(Rule, Size)| {
        Opening::new(&OpeningSettings::new(procedure), rule, size).is_ok()
    };
    // The renju procedures are asked under renju where the engine plays it: with its fouls.
    let mut boards = tested.boards();
    boards.sort_by_key(|&(rule, _)| rule != Rule::Renju);
    boards.into_iter().find(fits)
}

/// The procedure with both seats played by the engine, then against an observer that lays stones
/// that are their own image, so that fifth moves have an image too.
pub(super) fn walks(
    tested: &mut TestedEngine,
    procedure: Procedure,
    rule: Rule,
    size: Size,
) -> StepResult {
    let settings = OpeningSettings::new(procedure);
    let seen = walk(tested, &settings, rule, size, None)?;
    for seat in [Seat::First, Seat::Second] {
        walk(tested, &settings, rule, size, Some(seat))
            .map_err(|wrong| format!("after symmetric stones: {wrong}"))?;
    }
    Ok(seen)
}

/// One opening; the observer answers for this seat where it can.
pub(super) fn walk(
    tested: &mut TestedEngine,
    settings: &OpeningSettings,
    rule: Rule,
    size: Size,
    observer: Option<Seat>,
) -> Result<String, String> {
    let mut opening = Opening::new(settings, rule, size).map_err(|error| error.to_string())?;
    let number = settings.procedure.number();
    tested.new_game_as(rule, size, |setup| setup.opening = number)?;
    let mut seen = Vec::new();
    while let Some((seat, ask)) = opening.asked() {
        if observer == Some(seat)
            && let Some(answer) = symmetric_answer(&opening, ask, size)
            && opening.answer(seat, &answer).is_ok()
        {
            continue;
        }
        let answer = answer(tested, &opening, (seat, ask), rule, size)
            .map_err(|wrong| format!("asked to {}: {wrong}", ask.name()))?;
        opening
            .answer(seat, &answer)
            .map_err(|illegal| format!("asked to {}: {illegal}", ask.name()))?;
        seen.push(in_words(&answer));
    }
    Ok(seen.join(", "))
}

/// Stones on the column through the centre, and as many fifth moves as may be asked for.
fn symmetric_answer(opening: &Opening, ask: Ask, size: Size) -> Option<Answer> {
    let center = size.center();
    let free = |count: usize| -> Vec<Point> {
        let steps = [0, 1, 2, -1, -2, 3, -3, 4];
        let points = steps
            .into_iter()
            .filter_map(|step| Some(Point::new(center.x(), center.y().checked_add_signed(step)?)));
        points.filter(|point| !opening.stones().contains(point)).take(count).collect()
    };
    match ask {
        Ask::Place { count, .. } => Some(Answer::Place(free(count.into()))),
        Ask::Move { .. } if opening.stones().len() < 4 => {
            free(1).first().map(|&point| Answer::Move(Move::Stone(point)))
        }
        Ask::Swap => Some(Answer::Swap(false)),
        Ask::Declare { max, .. } => Some(Answer::Declare(max.min(4))),
        _ => None,
    }
}

fn answer(
    tested: &mut TestedEngine,
    opening: &Opening,
    (seat, ask): (Seat, Ask),
    rule: Rule,
    size: Size,
) -> Result<Answer, String> {
    let moves: Vec<Move> = opening.stones().iter().map(|&point| Move::Stone(point)).collect();
    match translate::to_question(ask, opening.offered().len(), opening.fifth_moves()) {
        Some(question) => {
            let verdict = tested.decide(&moves, &question, opening.offered())?.answer;
            Ok(translate::to_answer(ask, seat, opening.offered(), &verdict))
        }
        None => {
            let position = position(opening.stones(), rule, size)?;
            let reply = tested.choose(&position, &tested.limits())?.answer;
            let (x, y) = reply.mv.stone().ok_or("it gave no move")?;
            Ok(Answer::Move(Move::Stone(Point::new(x, y))))
        }
    }
}

fn position(stones: &[Point], rule: Rule, size: Size) -> Result<Position, String> {
    let mut position = Position::new(rule, size);
    for &stone in stones {
        position.play(stone).map_err(|illegal| illegal.to_string())?;
    }
    Ok(position)
}

fn in_words(answer: &Answer) -> String {
    let list = |points: &[Point]| points.iter().map(Point::to_string).collect::<Vec<_>>().join(" ");
    match answer {
        Answer::Place(points) => format!("places {}", list(points)),
        Answer::Declare(number) => format!("declares {number}"),
        Answer::Swap(true) => "swaps".to_owned(),
        Answer::Swap(false) => "keeps".to_owned(),
        Answer::Choose(color) => format!("takes {color}"),
        Answer::Offer(points) => format!("offers {}", list(points)),
        Answer::Pick(point) => format!("keeps {point}"),
        Answer::Move(mv) => format!("plays {mv}"),
    }
}
