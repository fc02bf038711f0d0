//! Rules, opening procedures and results in the words that programs use for them.

use tengen_arbiter::Termination;
use tengen_rules::{Color, Procedure, Rule};

use crate::formats::SheetOutcome;

/// Reads a rule out of a text: its name, or its number in the Gomocup protocol, which
/// c-gomoku-cli writes. `gomoku` without more is the game that an overline wins.
pub(in crate::formats) fn rule(text: &str) -> Option<Rule> {
    let numbered = Rule::ALL.into_iter().find(|rule| gomocup_number(*rule) == text.trim());
    numbered.or_else(|| {
        let text = text.to_lowercase();
        let named = Rule::ALL.into_iter().find(|rule| text.contains(rule.name()));
        named.or_else(|| text.contains("gomoku").then_some(Rule::Freestyle))
    })
}

/// As in `INFO rule` of the Gomocup protocol. It is here again because files are read without
/// the crate that speaks that protocol.
const fn gomocup_number(rule: Rule) -> &'static str {
    match rule {
        Rule::Freestyle => "0",
        Rule::Standard => "1",
        Rule::Renju => "4",
        Rule::Caro => "8",
    }
}

/// Finds an opening procedure by its name among the words of a text.
pub(super) fn opening(text: &str) -> Option<Procedure> {
    let text = text.to_lowercase();
    let mut words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
    words.find_map(|word| {
        let known = |procedure: &Procedure| *procedure != Procedure::None;
        Procedure::ALL.into_iter().filter(known).find(|procedure| procedure.name() == word)
    })
}

/// Writes what [`rule`] and [`opening`] read.
pub(super) fn write_rules(rule: Option<Rule>, opening: Option<Procedure>) -> Option<String> {
    let opening = opening.filter(|procedure| *procedure != Procedure::None);
    match (rule.map(Rule::name), opening.map(Procedure::name)) {
        (Some(rule), Some(opening)) => Some(format!("{rule}, opening {opening}")),
        (Some(rule), None) => Some(rule.to_string()),
        (None, Some(opening)) => Some(format!("opening {opening}")),
        (None, None) => None,
    }
}

/// Reads a result as FF\[4\] has it, or as Chinese programs do: none if it is unknown.
pub(super) fn outcome(text: &str) -> Option<SheetOutcome> {
    let text = text.trim();
    let of = |winner, termination| Some(SheetOutcome { winner, termination });
    let mut letters = text.chars();
    let winner = match letters.next()? {
        '0' | 'D' | 'd' | '和' | '平' => return of(None, None),
        'V' | 'v' => return of(None, Some(Termination::Aborted)),
        'B' | 'b' | '黑' => Color::Black,
        'W' | 'w' | '白' => Color::White,
        _ => return None,
    };
    let how = text.split_once('+').map(|(_, how)| how.trim().to_ascii_lowercase());
    let termination = match how.as_deref() {
        Some("r" | "resign") => Some(Termination::Resignation),
        Some("t" | "time") => Some(Termination::Timeout),
        _ => None,
    };
    of(Some(winner), termination)
}

/// Writes a result as in FF\[4\], which cannot express how a forfeit came about.
pub(super) fn write_outcome(outcome: SheetOutcome) -> String {
    let Some(winner) = outcome.winner else {
        let void = outcome.termination == Some(Termination::Aborted);
        return if void { "Void" } else { "0" }.to_string();
    };
    let how = match outcome.termination {
        None | Some(Termination::Five | Termination::Adjudication | Termination::Proof) => "",
        Some(Termination::Resignation) => "R",
        Some(Termination::Timeout) => "T",
        Some(_) => "F",
    };
    let winner = match winner {
        Color::Black => 'B',
        Color::White => 'W',
    };
    format!("{winner}+{how}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_and_openings_read_as_they_are_written() {
        for one in Rule::ALL {
            for procedure in Procedure::ALL {
                let text = write_rules(Some(one), Some(procedure)).unwrap();
                assert_eq!(rule(&text), Some(one), "{text}");
                let told = (procedure != Procedure::None).then_some(procedure);
                assert_eq!(opening(&text), told, "{text}");
            }
        }
        assert_eq!(rule("Renju (RIF)"), Some(Rule::Renju));
        assert_eq!(rule("Gomoku"), Some(Rule::Freestyle));
        let numbered = ["0", "1", " 4 ", "8"].map(|number| rule(number).unwrap());
        assert_eq!(numbered, Rule::ALL);
        assert_eq!(rule("Japanese"), None);
    }

    #[test]
    fn results_read_in_the_words_programs_use() {
        let told = |text| outcome(text).map(|outcome| (outcome.winner, outcome.termination));
        assert_eq!(told("B+"), Some((Some(Color::Black), None)));
        assert_eq!(told("W+1"), Some((Some(Color::White), None)));
        assert_eq!(told("W+Resign"), Some((Some(Color::White), Some(Termination::Resignation))));
        assert_eq!(told("b+t"), Some((Some(Color::Black), Some(Termination::Timeout))));
        assert_eq!(told("黑胜"), Some((Some(Color::Black), None)));
        assert_eq!(told("Draw"), Some((None, None)));
        assert_eq!(told("0"), Some((None, None)));
        assert_eq!(told("Void"), Some((None, Some(Termination::Aborted))));
        assert_eq!((told("?"), told("")), (None, None));
    }
}
