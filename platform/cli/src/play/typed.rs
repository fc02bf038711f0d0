//! What a person types: answers in every opening procedure, and commands.

use tengen_arbiter::Action;
use tengen_lineup::joined;
use tengen_players::Request;
use tengen_rules::{Answer, Ask, Color, Move, Point, Position, Zone};

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Typed {
    Action(Action),
    OfferDraw,
    Undo,
    Quit,
    Help,
    Nothing,
}

pub(super) const HELP: &str = "\
h8          lay a stone there; several points where several are asked for: h8 i9 h10
undo        take back your last answer and what followed it
draw        offer a draw with your next move, or accept the one that is offered
resign      give up
quit        leave
In openings: black, white, swap, keep, or the number that is asked for.
";

/// What is asked, as a prompt.
pub(super) fn question(request: &Request<'_>) -> String {
    match request.ask {
        Ask::Place { count, zone, canonical } => {
            let canonical = if canonical { ", one of the 26 canonical openings" } else { "" };
            format!("lay {count} {}{}{canonical}", stones(count), within(zone))
        }
        Ask::Choose => "take a colour: black or white".to_owned(),
        Ask::ChooseOrPlace { count } => {
            format!("black, white, or lay {count} {} and let the engine choose", stones(count))
        }
        Ask::Swap => "swap the colours, or keep them: swap or keep".to_owned(),
        Ask::Declare { min, max } => format!("how many fifth moves, {min} to {max}"),
        Ask::Offer { count } => format!("offer {count} fifth {}", moves(count)),
        Ask::Pick => format!("keep one of {}", joined(request.offered, " ")),
        Ask::Move { zone } => format!("your move{}", within(zone)),
        Ask::MoveOrOffer { zone, count } => {
            format!("your move{}, or offer {count} fifth {}", within(zone), moves(count))
        }
    }
}

fn stones(count: u8) -> &'static str {
    if count == 1 { "stone" } else { "stones" }
}

fn moves(count: u8) -> &'static str {
    if count == 1 { "move" } else { "moves" }
}

fn within(zone: Zone) -> String {
    match zone {
        Zone::Anywhere => String::new(),
        Zone::Within(0) => " in the centre".to_owned(),
        Zone::Within(radius) => format!(" in the central {0}×{0}", 2 * u32::from(radius) + 1),
        Zone::Beyond(radius) => format!(" outside the central {0}×{0}", 2 * u32::from(radius) + 1),
    }
}

/// An answer as it would be typed.
pub(super) fn words(answer: &Answer) -> String {
    match answer {
        Answer::Place(stones) | Answer::Offer(stones) => joined(stones, " "),
        Answer::Declare(number) => number.to_string(),
        Answer::Swap(true) => "swap".to_owned(),
        Answer::Swap(false) => "keep".to_owned(),
        Answer::Choose(color) => color.to_string(),
        Answer::Pick(point) => point.to_string(),
        Answer::Move(mv) => mv.to_string(),
    }
}

/// Reads a line in a position.
///
/// # Errors
/// When it means nothing here, with the reason.
pub(super) fn read(
    line: &str,
    request: &Request<'_>,
    position: &Position,
) -> Result<Typed, String> {
    let line = line.trim().to_lowercase();
    Ok(match &*line {
        "" => Typed::Nothing,
        "help" | "?" => Typed::Help,
        "undo" | "u" => Typed::Undo,
        "quit" | "exit" | "q" => Typed::Quit,
        "resign" => Typed::Action(Action::Resign),
        "claim" => Typed::Action(Action::Claim),
        "draw" if request.limits.draw_offered => Typed::Action(Action::AcceptDraw),
        "draw" => Typed::OfferDraw,
        line => Typed::Action(Action::Answer(answer(line, request, position)?)),
    })
}

fn answer(line: &str, request: &Request<'_>, position: &Position) -> Result<Answer, String> {
    let color = Color::ALL.into_iter().find(|color| color.name() == line);
    let places = || read_points(line, position);
    match (request.ask, color) {
        (Ask::Choose | Ask::ChooseOrPlace { .. }, Some(color)) => Ok(Answer::Choose(color)),
        (Ask::Choose, None) => Err("type black or white".to_owned()),
        (Ask::ChooseOrPlace { count } | Ask::Place { count, .. }, _) => {
            Ok(Answer::Place(counted(places()?, count)?))
        }
        (Ask::Swap, _) => match line {
            "swap" | "yes" => Ok(Answer::Swap(true)),
            "keep" | "no" => Ok(Answer::Swap(false)),
            _ => Err("type swap or keep".to_owned()),
        },
        (Ask::Declare { min, max }, _) => match line.parse() {
            Ok(number) if (min..=max).contains(&number) => Ok(Answer::Declare(number)),
            _ => Err(format!("type a number, {min} to {max}")),
        },
        (Ask::Offer { count }, _) => Ok(Answer::Offer(counted(places()?, count)?)),
        (Ask::Pick, _) => match places()?[..] {
            [point] if request.offered.contains(&point) => Ok(Answer::Pick(point)),
            _ => Err(format!("type one of {}", joined(request.offered, " "))),
        },
        (Ask::MoveOrOffer { count, .. }, _) => match &places()?[..] {
            [point] => Ok(Answer::Move(Move::Stone(*point))),
            several => Ok(Answer::Offer(counted(several.to_vec(), count)?)),
        },
        (Ask::Move { .. }, _) => match counted(places()?, 1)?[..] {
            [point] => Ok(Answer::Move(Move::Stone(point))),
            _ => Err("type one move".to_owned()),
        },
    }
}

fn counted(points: Vec<Point>, count: u8) -> Result<Vec<Point>, String> {
    if points.len() == usize::from(count) {
        return Ok(points);
    }
    Err(format!("type {count} {} and not {}", moves(count), points.len()))
}

/// Points on which stones can be laid.
fn read_points(line: &str, position: &Position) -> Result<Vec<Point>, String> {
    let words = line.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
    let point = |word: &str| -> Result<Point, String> {
        let unknown =
            || format!("`{word}` is neither a move such as h8 nor a command; type `help`");
        let point: Point = word.parse().map_err(|_| unknown())?;
        position.check(point).map_err(|illegal| illegal.to_string())?;
        Ok(point)
    };
    words.map(point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_rules::{Rule, Size};

    fn typed(line: &str, ask: Ask) -> Result<Typed, String> {
        let mut position = Position::new(Rule::Freestyle, Size::STANDARD);
        position.play(Point::new(7, 7)).unwrap();
        let moves = [Move::Stone(Point::new(7, 7))];
        read(line, &Request::new(&moves, ask), &position)
    }

    fn answered(line: &str, ask: Ask) -> Result<Answer, String> {
        match typed(line, ask)? {
            Typed::Action(Action::Answer(answer)) => Ok(answer),
            other => Err(format!("{other:?}")),
        }
    }

    #[test]
    fn every_question_has_its_answers() {
        let zone = Zone::Anywhere;
        let (h9, i9) = (Point::new(7, 8), Point::new(8, 8));
        let stone = Answer::Move(Move::Stone(h9));
        for (line, ask, expected) in [
            (" H9 ", Ask::Move { zone }, stone.clone()),
            (
                "h9, i9",
                Ask::Place { count: 2, zone, canonical: false },
                Answer::Place(vec![h9, i9]),
            ),
            ("white", Ask::Choose, Answer::Choose(Color::White)),
            ("black", Ask::ChooseOrPlace { count: 2 }, Answer::Choose(Color::Black)),
            ("i9 h9", Ask::ChooseOrPlace { count: 2 }, Answer::Place(vec![i9, h9])),
            ("keep", Ask::Swap, Answer::Swap(false)),
            ("3", Ask::Declare { min: 1, max: 4 }, Answer::Declare(3)),
            ("h9 i9", Ask::Offer { count: 2 }, Answer::Offer(vec![h9, i9])),
            ("h9", Ask::MoveOrOffer { zone, count: 2 }, stone),
            ("h9 i9", Ask::MoveOrOffer { zone, count: 2 }, Answer::Offer(vec![h9, i9])),
        ] {
            assert_eq!(answered(line, ask), Ok(expected), "{line}");
        }
    }

    #[test]
    fn what_means_nothing_is_told() {
        let ask = Ask::Move { zone: Zone::Anywhere };
        for (line, ask, word) in [
            ("h8", ask, "occupied"),
            ("p16", ask, "not on the board"),
            ("hello", ask, "type `help`"),
            ("h9 i9", ask, "1 move"),
            ("red", Ask::Choose, "black or white"),
            ("9", Ask::Declare { min: 1, max: 4 }, "1 to 4"),
        ] {
            let problem = typed(line, ask).unwrap_err();
            assert!(problem.contains(word), "{line}: {problem}");
        }
        assert_eq!(typed("undo", ask), Ok(Typed::Undo));
        assert_eq!(typed("draw", ask), Ok(Typed::OfferDraw));
        assert_eq!(typed("resign", ask), Ok(Typed::Action(Action::Resign)));
    }
}
