//! The root properties of an SGF game.

use tengen_arbiter::{Termination, TimeControl};
use tengen_rules::{Color, Point, Size};

use super::node::{RawNode, RawProperty};
use super::scan::Scanner;
use super::{ScoreSheet, value, words};
use crate::ReadError;
use crate::formats::{SheetOutcome, seconds};

/// Reads what the first node says of the game.
pub(super) fn sheet(raw: &mut RawNode<'_>, scanner: &Scanner<'_>) -> Result<ScoreSheet, ReadError> {
    check_game(raw, scanner)?;
    let mut sheet = ScoreSheet::new(size(raw, scanner)?);
    // They are written anew.
    for name in ["FF", "CA", "AP"] {
        raw.take(name);
    }
    if let Some(rules) = raw.take("RU") {
        let text = value::simple_text(rules.first());
        sheet.rule = words::rule(&text);
        sheet.opening = words::opening(&text);
        if words::write_rules(sheet.rule, sheet.opening).is_none() {
            raw.keep(rules);
        }
    }
    sheet.players.black = raw.take_text("PB", value::simple_text);
    sheet.players.white = raw.take_text("PW", value::simple_text);
    sheet.event = raw.take_text("EV", value::simple_text);
    sheet.round = raw.take_text("RO", value::simple_text);
    sheet.name = raw.take_text("GN", value::simple_text);
    sheet.time = time(raw);
    sheet.outcome = outcome(raw);
    Ok(sheet)
}

/// Whether it is a game of five in a row. Many of them do not say what game they are.
fn check_game(raw: &mut RawNode<'_>, scanner: &Scanner<'_>) -> Result<(), ReadError> {
    match raw.take("GM") {
        Some(game) if game.first().trim() != "4" => {
            let number = value::simple_text(game.first());
            let name = if number.trim() == "1" { " (Go)" } else { "" };
            let message =
                format!("{} is another game{name}: five in a row is GM[4]", number.escape_debug());
            Err(scanner.wrong_in("GM", game.at, &message))
        }
        _ => Ok(()),
    }
}

fn size(raw: &mut RawNode<'_>, scanner: &Scanner<'_>) -> Result<Size, ReadError> {
    let Some(property) = raw.take("SZ") else {
        return Ok(Size::STANDARD);
    };
    value::size(property.first()).ok_or_else(|| {
        let message = "not a board size: expected 5 to 32, as in 15, or two of them, as in 20:15";
        scanner.wrong_in("SZ", property.at, message)
    })
}

/// `OT` has our own text of a time control, if it has more than the seconds of a game in `TM`.
fn time(raw: &mut RawNode<'_>) -> Option<TimeControl> {
    let overtime = raw.take_if("OT", |text| text.parse::<TimeControl>().ok());
    let main = raw.take_if("TM", |text| seconds::read(text).filter(|main| *main > 0));
    let whole = main.map(|main| TimeControl { main: Some(main), ..TimeControl::default() });
    if overtime.is_some() {
        raw.take("TM");
    }
    overtime.or(whole)
}

fn outcome(raw: &mut RawNode<'_>) -> Option<SheetOutcome> {
    let outcome = raw.take_if("RE", |text| words::outcome(&value::simple_text(text)))?;
    let named = raw.take("END").and_then(|end| Termination::from_name(end.first().trim()));
    Some(SheetOutcome { termination: named.or(outcome.termination), ..outcome })
}

/// Reads the stones that a node sets up.
pub(super) fn set_up(
    sheet: &mut ScoreSheet,
    raw: &mut RawNode<'_>,
    scanner: &Scanner<'_>,
) -> Result<(), ReadError> {
    for (name, color) in [("AB", Some(Color::Black)), ("AW", Some(Color::White)), ("AE", None)] {
        let Some(property) = raw.take(name) else { continue };
        for point in points(&property, sheet.size, scanner)? {
            for of in Color::ALL {
                sheet.set_up[of].retain(|other| *other != point);
            }
            if let Some(color) = color {
                sheet.set_up[color].push(point);
            }
        }
    }
    Ok(())
}

/// Reads a list of points, no more of them than the board has.
fn points(
    property: &RawProperty<'_>,
    size: Size,
    scanner: &Scanner<'_>,
) -> Result<Vec<Point>, ReadError> {
    let wrong = |message: String| scanner.wrong_in(&property.name, property.at, &message);
    let mut points = Vec::new();
    for value in &property.values {
        points.extend(value::points(value, size).ok_or_else(|| {
            let value = value.escape_debug();
            wrong(format!("`{value}` is not a point of a board of {size}: expected two letters"))
        })?);
        if points.len() > size.area() {
            return Err(wrong(format!("more points than a board of {size} has")));
        }
    }
    Ok(points)
}
