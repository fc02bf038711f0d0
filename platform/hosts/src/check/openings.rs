//! Checks the opening procedures that an engine answers.

use tengen_rules::{
    Answer, Ask, Move, Opening, OpeningSettings, Point, Position, Procedure, Rule, Seat, Size,
};

use super::tested_engine::TestedEngine;
use super::{CheckReport, StepResult};
use crate::{Export, translate};

/// Every opening procedure that the engine says it answers for, both seats played by it.
pub(super) fn all(tested: &mut TestedEngine, report: &mut CheckReport) {
    if !tested.exports().has(Export::Decide) {
        let seen = "it has no tengen_decide: it plays no opening that asks more than moves";
        report.add("openings", Ok(seen.to_owned()));
        return;
    }
    for procedure in Procedure::ALL {
        let Some((rule, size)) = board_for(tested, procedure) else { continue };
        let settings = OpeningSettings::new(procedure);
        let Ok(opening) = Opening::new(&settings, rule, size) else { continue };
        if opening.asked().is_some() && tested.description().opens(procedure.name()) {
            let result = walk(tested, procedure, opening, rule, size);
            report.add(format!("opening {procedure}"), result);
        }
    }
}

/// A rule and board of the engine's that the procedure is played under.
fn board_for(tested: &TestedEngine, procedure: Procedure) -> Option<(Rule, Size)> {
    let fits = |&(rule, size): &(Rule, Size)| {
        Opening::new(&OpeningSettings::new(procedure), rule, size).is_ok()
    };
    // The renju procedures are asked under renju where the engine plays it: with its fouls.
    let mut boards = tested.rules();
    boards.sort_by_key(|&(rule, _)| rule != Rule::Renju);
    boards.into_iter().find(fits)
}

fn walk(
    tested: &mut TestedEngine,
    procedure: Procedure,
    mut opening: Opening,
    rule: Rule,
    size: Size,
) -> StepResult {
    tested.new_game(rule, size, procedure)?;
    let mut seen = Vec::new();
    while let Some((seat, ask)) = opening.asked() {
        let answer = answer(tested, &opening, (seat, ask), rule, size)
            .map_err(|wrong| format!("asked to {}: {wrong}", ask.name()))?;
        opening
            .answer(seat, &answer)
            .map_err(|illegal| format!("asked to {}: {illegal}", ask.name()))?;
        seen.push(in_words(&answer));
    }
    Ok(seen.join(", "))
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
            let reply = tested.choose(&position, &TestedEngine::limits())?.answer;
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
