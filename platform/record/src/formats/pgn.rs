//! PGN for rating tools: BayesElo, Ordo and similar tools read the winner, not the moves.
//!
//! Tags and a result, with two meaningless chess moves, since some readers want moves. In chess
//! White begins, so here `White` is the player of the black stones, as in Gomocup's files, and a
//! tool's advantage of White is that of the first stone. `Stones` says it in words. The games of an
//! event name players by their ids there, which are different for each.
//!
//! ```
//! use tengen_record::formats::{SheetOutcome, ScoreSheet, pgn};
//! use tengen_rules::{ByColor, Color, Size};
//! let mut sheet = ScoreSheet::new(Size::STANDARD);
//! sheet.players = ByColor { black: "hoshi".into(), white: "keima".into() };
//! sheet.outcome = Some(SheetOutcome { winner: Some(Color::Black), termination: None });
//! let text = pgn::write(&sheet);
//! assert!(text.contains("[White \"hoshi\"]\n[Black \"keima\"]\n[Result \"1-0\"]\n"));
//! ```

use tengen_rules::{Color, Rule};

use super::{ScoreSheet, SheetOutcome};

/// Writes a game, with an empty line behind it.
pub fn write(sheet: &ScoreSheet) -> String {
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        let value = if value.is_empty() { "?" } else { value };
        text.push_str(&format!("[{name} \"{}\"]\n", escape(value)));
    };
    let (black, white) = (&sheet.players.black, &sheet.players.white);
    let result = result(sheet.outcome);
    tag("Event", &sheet.event);
    if let Some(place) = sheet.property("PC") {
        tag("Site", place);
    }
    tag("Date", &sheet.date.replace('-', "."));
    tag("Round", &sheet.round);
    tag("White", black);
    tag("Black", white);
    tag("Result", result);
    if let Some(termination) = sheet.outcome.and_then(|outcome| outcome.termination) {
        tag("Termination", termination.name());
    }
    tag("Variant", sheet.rule.map_or("", Rule::name));
    if let Some(opening) = sheet.opening {
        tag("Opening", opening.name());
    }
    if let Some(control) = sheet.time {
        tag("TimeControl", &control.to_string());
    }
    tag("Stones", &format!("black {}, white {}", named(black), named(white)));
    tag("PlyCount", &sheet.moves().count().to_string());
    text.push_str(&format!("\n1. d4 d5 {result}\n\n"));
    text
}

fn named(name: &str) -> &str {
    if name.is_empty() { "?" } else { name }
}

/// `*` is a game without a result, which rating tools leave out.
fn result(outcome: Option<SheetOutcome>) -> &'static str {
    match outcome.filter(SheetOutcome::counts).map(|outcome| outcome.winner) {
        None => "*",
        Some(None) => "1/2-1/2",
        Some(Some(Color::Black)) => "1-0",
        Some(Some(Color::White)) => "0-1",
    }
}

fn escape(text: &str) -> String {
    let line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    line.replace('\\', "\\\\").replace('"', "\\\"")
}

#[cfg(test)]
mod tests {
    use tengen_arbiter::Termination;
    use tengen_rules::{Procedure, Size};

    use super::*;

    #[test]
    fn tags_are_what_rating_tools_read() {
        let mut sheet = ScoreSheet::new(Size::STANDARD);
        sheet.players.black = "X \"2\"\n\\".to_string();
        sheet.rule = Some(Rule::Renju);
        let winner = Some(Color::White);
        sheet.outcome = Some(SheetOutcome { winner, termination: Some(Termination::Crash) });
        sheet.date = "2026-11-22".to_owned();
        sheet.opening = Some(Procedure::Swap2);
        sheet.time = "60+1".parse().ok();
        assert_eq!(
            write(&sheet),
            "[Event \"?\"]\n[Date \"2026.11.22\"]\n\
             [Round \"?\"]\n[White \"X \\\"2\\\" \\\\\"]\n[Black \"?\"]\n\
             [Result \"0-1\"]\n[Termination \"crash\"]\n[Variant \"renju\"]\n\
             [Opening \"swap2\"]\n[TimeControl \"60+1\"]\n\
             [Stones \"black X \\\"2\\\" \\\\, white ?\"]\n[PlyCount \"0\"]\n\n1. d4 d5 0-1\n\n"
        );
    }

    #[test]
    fn a_game_that_does_not_count_has_no_result() {
        let void = SheetOutcome { winner: None, termination: Some(Termination::Aborted) };
        assert_eq!(result(Some(void)), "*");
        assert_eq!(result(None), "*");
        assert_eq!(result(Some(SheetOutcome { termination: None, ..void })), "1/2-1/2");
    }
}
