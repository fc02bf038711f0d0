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

/// Reads a result as FF\[4\] has it, as other programs write it, and in the words of Chinese,
/// Japanese and Korean ones: none if it is unknown.
pub(in crate::formats) fn outcome(text: &str) -> Option<SheetOutcome> {
    let text: String = text.trim().chars().map(narrow).collect::<String>().to_lowercase();
    let of = |winner, termination| Some(SheetOutcome { winner, termination });
    if DRAWS.contains(&text.as_str()) {
        return of(None, None);
    }
    if VOID.contains(&text.as_str()) {
        return of(None, Some(Termination::Aborted));
    }
    if let Some((first, second)) = text.split_once(['-', ':']) {
        return match (first.trim(), second.trim()) {
            ("1", "0") => of(Some(Color::Black), None),
            ("0", "1") => of(Some(Color::White), None),
            ("1/2" | "0.5" | ".5" | "½", "1/2" | "0.5" | ".5" | "½") => of(None, None),
            _ => None,
        };
    }
    let (color, rest) = color(&text)?;
    let how = termination(rest);
    // Black resigns, or its time is over: that is all that some say.
    let verb = || {
        let place = |words: &[&str]| words.iter().filter_map(|word| rest.find(word)).min();
        match (place(&WINS), place(&LOSES)) {
            (None, None) => how.is_none().then_some(true).filter(|_| rest.is_empty()),
            (won, lost) => Some(lost.is_none_or(|lost| won.is_some_and(|won| won < lost))),
        }
    };
    let won = match rest.strip_prefix('+') {
        Some(_) => true,
        None => verb().or(how.is_some().then_some(false))?,
    };
    of(Some(if won { color } else { !color }), how)
}

const DRAWS: [&str; 24] = [
    "0",
    "d",
    "draw",
    "drawn",
    "jigo",
    "tie",
    "=",
    "1/2",
    "½",
    "remis",
    "remíza",
    "viik",
    "ничья",
    "和",
    "和棋",
    "和局",
    "平",
    "平局",
    "平手",
    "引分",
    "引き分け",
    "引分け",
    "持碁",
    "무승부",
];
const VOID: [&str; 5] = ["void", "v", "无效", "無效", "無効"];
const WINS: [&str; 8] = ["win", "won", "胜", "勝", "赢", "贏", "승", "かち"];
const LOSES: [&str; 14] = [
    "los", "resign", "forfeit", "负", "負", "败", "敗", "输", "輸", "投", "认输", "認輸", "패",
    "まけ",
];

/// The colour that a result begins with, and what it says of it.
fn color(text: &str) -> Option<(Color, &str)> {
    const WORDS: [(&str, Color); 12] = [
        ("black", Color::Black),
        ("white", Color::White),
        ("黑", Color::Black),
        ("黒", Color::Black),
        ("흑", Color::Black),
        ("先手", Color::Black),
        ("白", Color::White),
        ("백", Color::White),
        ("后手", Color::White),
        ("後手", Color::White),
        ("b", Color::Black),
        ("w", Color::White),
    ];
    let (color, rest) =
        WORDS.into_iter().find_map(|(word, color)| Some((color, text.strip_prefix(word)?)))?;
    // A letter that goes on is another word.
    let is_word = !rest.starts_with(|next: char| next.is_ascii_alphanumeric());
    is_word.then(|| (color, rest.trim_start()))
}

fn termination(how: &str) -> Option<Termination> {
    const RESIGNED: [&str; 8] = ["resign", "认输", "認輸", "投", "中盘", "中押", "불계", "기권"];
    const LATE: [&str; 8] = ["time", "超时", "超時", "逾时", "时间", "時間", "시간", "flag"];
    let word = how.trim_start_matches('+').trim();
    let holds = |words: &[&str]| words.iter().any(|word| how.contains(word));
    if matches!(word, "r" | "res") || holds(&RESIGNED) {
        Some(Termination::Resignation)
    } else if matches!(word, "t" | "to") || holds(&LATE) {
        Some(Termination::Timeout)
    } else {
        None
    }
}

/// The ASCII form of what East Asian programs write in full width, and of dashes.
fn narrow(letter: char) -> char {
    match letter {
        '\u{3000}' => ' ',
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        '\u{ff01}'..='\u{ff5e}' => {
            char::from_u32(letter as u32 - 0xfee0).expect("these map to printable ASCII")
        }
        letter => letter,
    }
}

/// Writes a result as in FF\[4\], which cannot express how a forfeit came about.
pub(super) fn write_outcome(outcome: SheetOutcome) -> String {
    let Some(winner) = outcome.winner else {
        let void = outcome.termination == Some(Termination::Aborted);
        return if void { "Void" } else { "0" }.to_string();
    };
    let how = match outcome.termination {
        None
        | Some(
            Termination::Five
            | Termination::Adjudication
            | Termination::Proof
            | Termination::Ruling,
        ) => "",
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
        use Termination::{Aborted, Resignation, Timeout};
        let (black, white) = (Some(Color::Black), Some(Color::White));
        let known = [
            (
                black,
                None,
                "B+ b+5 B Black 1-0 1:0 １－０ 黑 黑胜 黑方胜 先手胜 黒勝ち 黒勝 흑승 黑棋勝",
            ),
            (white, None, "W+1 White+ 0-1 0:1 0–1 白胜 后手胜 後手勝 白番勝ち 백승 黑负 흑패 W+F"),
            (black, None, "白负 白败 白方输 B+Forfeit 黑胜白负 Black+ Ｂ＋"),
            (white, Some(Resignation), "W+R w+resign W+Res 黑认输 白中盘胜 白中押し勝ち 백불계승"),
            (black, Some(Timeout), "b+t B+Time B+T 白超时负 白超时 黑超时胜 黒時間勝ち 흑시간승"),
            (None, None, "0 Draw draw = 1/2-1/2 ½-½ 0.5-0.5 1/2 和棋 平局 和 引き分け 무승부"),
            (None, Some(Aborted), "Void V 无效"),
        ];
        for (winner, termination, texts) in known {
            for text in texts.split(' ') {
                assert_eq!(outcome(text), Some(SheetOutcome { winner, termination }), "{text}");
            }
        }
        let said = |text| outcome(text).map(|outcome| (outcome.winner, outcome.termination));
        assert_eq!(said(" Black wins by resignation "), Some((black, Some(Resignation))));
        assert_eq!(said("white won on time"), Some((white, Some(Timeout))));
        assert_eq!(said("Black resigns"), Some((white, Some(Resignation))));
        assert_eq!(said("black ran out of time"), Some((white, Some(Timeout))));
        assert_eq!(said("White loses"), Some((black, None)));
        assert_eq!(said("1 - 0"), Some((black, None)));
    }

    #[test]
    fn an_unknown_result_is_no_draw() {
        for text in [
            "",
            "?",
            "1",
            "0-0",
            "2-1",
            "did not finish",
            "Desconhecido",
            "both lost",
            "bye",
            "0x1",
            "W/O",
            "won",
            "vs",
            "黑白",
            "和平饭店",
            "-",
            "+",
            "B-",
            "未完",
            "0 points?",
            "白龙",
        ] {
            assert_eq!(outcome(text), None, "{text}");
        }
    }
}
