//! The root properties of an SGF game.

use tengen_arbiter::{Termination, TimeControl};
use tengen_rules::{Color, Point, Size};

use super::node::{RawNode, RawProperty};
use super::scan::Scanner;
use super::{ScoreSheet, value, words};
use crate::ReadError;
use crate::formats::{SheetOutcome, seconds};

/// Reads what the first node says of the game, and notes what is uncertain.
pub(super) fn sheet(
    raw: &mut RawNode<'_>,
    takes_any_game: bool,
    scanner: &Scanner<'_>,
    notes: &mut Vec<ReadError>,
) -> Result<ScoreSheet, ReadError> {
    if let Some((at, game)) = other_game(raw) {
        let wrong = |hint| scanner.wrong_in("GM", at, &format!("{game}, {hint}"));
        if !takes_any_game {
            return Err(wrong("and five in a row is GM[4]; if it is that, name its rule (--rule)"));
        }
        notes.push(wrong("and is read as five in a row"));
    }
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
    sheet.date = raw.take_text("DT", value::simple_text);
    sheet.round = raw.take_text("RO", value::simple_text);
    sheet.name = raw.take_text("GN", value::simple_text);
    sheet.time = time(raw);
    sheet.outcome = outcome(raw, scanner, notes);
    Ok(sheet)
}

/// What it says if it says that it is another game than five in a row. Many files do not say what
/// game they are of, and programs for other games write the number of theirs.
fn other_game(raw: &mut RawNode<'_>) -> Option<(usize, String)> {
    let game = raw.take("GM")?;
    let number = value::simple_text(game.first());
    let number = number.trim();
    let is_named = number.parse::<u32>().is_err() && words::rule(number).is_some();
    if matches!(number, "" | "4") || is_named {
        return None;
    }
    let name = match number {
        "1" => " (Go)",
        "2" => " (Othello)",
        "5" => " (Nine Men's Morris)",
        "11" => " (Hex)",
        _ => "",
    };
    Some((game.at, format!("{} is another game{name}", number.escape_debug())))
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

/// A result that is not understood is none, and stays among the properties.
fn outcome(
    raw: &mut RawNode<'_>,
    scanner: &Scanner<'_>,
    notes: &mut Vec<ReadError>,
) -> Option<SheetOutcome> {
    let told = raw.take("RE")?;
    let text = value::simple_text(told.first());
    let Some(outcome) = words::outcome(&text) else {
        if !matches!(text.trim(), "" | "?" | "？") {
            let short: String = text.chars().take(40).collect();
            let message = format!("`{}` is no result that is known", short.escape_debug());
            notes.push(scanner.wrong_in("RE", told.at, &message));
        }
        raw.keep(told);
        return None;
    };
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
