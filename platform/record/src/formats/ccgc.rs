//! The records of the Chinese university contests (CCGC, 中国大学生计算机博弈大赛).
//!
//! `{[C5][first B][second W][先手胜][2017.07.29 14:00 place][event];B(J,10);W(L,10)}`: the game
//! (`C5` is five in a row on a board of 15), the players, who won (先手胜 the first, 后手胜 the
//! second, 平局 or 和棋 neither), when and where, the contest; then the stones, columns A to O and
//! rows from below. `MARK[1]` behind a stone is what its player thought of it. A file has one game,
//! in GB2312, and is named as [`file_name`] says.
//!
//! That is how the contestants' own programs write it (found in some twenty public ones that write
//! `[C5]`, and in two that read it). They differ in what is read here all the same: `{{C5}[…`, no
//! braces, quotes around each stone, `;` before the first stone or none, small letters, spaces,
//! line ends, several games in one file, UTF-8; a result that is empty, or stands without
//! brackets, and 未结束 or 未完 for none; dates with `-` or `_`. The contests play renju, and some
//! programs write games of other rules so: no rule is read from it.
//!
//! ```
//! use tengen_record::formats::ccgc;
//! let text = "{[C5][Hoshi B][Keima W][先手胜][2017.07.29 14:00 重庆][2017 CCGC];B(H,8);W(I,9)}";
//! let sheet = ccgc::read(text.as_bytes()).next().unwrap()?;
//! assert_eq!((&*sheet.players.black, &*sheet.date), ("Hoshi", "2017-07-29"));
//! assert_eq!(sheet.moves().count(), 2);
//! let bytes = ccgc::write(&sheet)?;
//! assert_eq!(ccgc::read(&bytes).next().unwrap()?, sheet);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::borrow::Cow;

use encoding_rs::GB18030;
use tengen_rules::{ByColor, Color, Move, Point, Size};

use super::sgf::{value, words};
use super::{Node, Property, ScoreSheet, SheetOutcome, Tree, WriteError, charset};
use crate::{ReadError, Unread};

/// What stands for a player whose name was not filled in.
const UNNAMED: ByColor<&str> = ByColor { black: "先手参赛队", white: "后手参赛队" };

/// Whether a text is a record of these contests, of whatever game.
pub(super) fn begins(text: &str) -> bool {
    let rest = text.trim_start_matches(|c: char| c == '{' || c == '(' || c.is_whitespace());
    let code = rest.strip_prefix('[').unwrap_or(rest);
    let is_code = |code: &str| code.len() == 2 && code.bytes().all(|b| b.is_ascii_alphanumeric());
    code.get(..2).is_some_and(is_code)
        && matches!(code.as_bytes().get(2), Some(b']' | b'}' | b';'))
        && (rest.len() < text.len() || code.len() < rest.len())
}

/// The games of a file, one after the other. One that cannot have been played is an error with its
/// place, and reading goes on behind it.
pub fn read(bytes: &[u8]) -> CcgcGames<'_> {
    let text = charset::utf8(bytes)
        .map_or_else(|_| GB18030.decode_without_bom_handling(bytes).0, Cow::Borrowed);
    CcgcGames { text, at: 0 }
}

/// What [`read`] gives.
#[derive(Clone, Debug)]
pub struct CcgcGames<'a> {
    text: Cow<'a, str>,
    at: usize,
}

impl Iterator for CcgcGames<'_> {
    type Item = Result<ScoreSheet, Unread>;

    fn next(&mut self) -> Option<Self::Item> {
        let begin = match code(&self.text, self.at) {
            Some(begin) => begin,
            None if self.at > 0 => return None,
            None => {
                self.at = self.text.len();
                if self.at == 0 {
                    return None;
                }
                let message = "no game of five in a row: expected [C5] and what follows it";
                return Some(Err(Unread::game(ReadError::of_text(message))));
            }
        };
        let end = code(&self.text, begin + 2).unwrap_or(self.text.len());
        self.at = end;
        Some(CcgcScanner { text: &self.text[..end], at: begin + 2 }.game().map_err(Unread::game))
    }
}

/// Where the next `C5` stands that a bracket encloses, or a brace, and that is not one of a game's
/// texts.
fn code(text: &str, from: usize) -> Option<usize> {
    let mut places = text[from..].match_indices("C5").map(|(at, _)| from + at);
    places.find(|&at| {
        let before = text[..at].strip_suffix(['[', '{']).map(|it| it.trim_end_matches(' '));
        before.is_some_and(|it| !it.ends_with(']') && !it.ends_with("MARK"))
            && text[at + 2..].starts_with([']', '}', ';'])
    })
}

struct CcgcScanner<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> CcgcScanner<'a> {
    fn game(mut self) -> Result<ScoreSheet, ReadError> {
        let mut sheet = ScoreSheet::new(Size::STANDARD);
        self.skip(&[']', '}']);
        self.header(&mut sheet);
        let (mut last, mut places) = (sheet.tree.root(), Vec::new());
        while let Some(at) = self.stone_at() {
            if sheet.tree.len() == Tree::MOST_NODES {
                return Err(self.wrong(at, "more stones than a game can have"));
            }
            let node = self.stone(at)?;
            last = sheet.tree.add(last, node);
            places.push(at);
        }
        sheet.check().map_err(|error| {
            let place = error.node().and_then(|node| places.get(node.index().checked_sub(1)?));
            self.wrong(place.copied().unwrap_or(0), &error.to_string())
        })?;
        Ok(sheet)
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn skip(&mut self, letters: &[char]) {
        let rest =
            self.rest().trim_start_matches(|c: char| c.is_whitespace() || letters.contains(&c));
        self.at = self.text.len() - rest.len();
    }

    /// Reads what stands in brackets, and the result where it stands without them.
    fn header(&mut self, sheet: &mut ScoreSheet) {
        let mut fields = Vec::new();
        loop {
            self.skip(&[']']);
            let rest = self.rest();
            if let Some(inner) = rest.strip_prefix('[') {
                let Some(end) = inner.find(']') else { break };
                fields.push(without_controls(&inner[..end]).trim().to_owned());
                self.at += end + 2;
            } else if let Some(word) =
                ["平局", "和棋", "和局"].into_iter().find(|w| rest.starts_with(w))
            {
                fields.push(word.to_owned());
                self.at += word.len();
            } else {
                break;
            }
        }
        let mut fields = fields.into_iter();
        for color in Color::ALL {
            sheet.players[color] = name(&fields.next().unwrap_or_default(), color);
        }
        sheet.outcome = fields.next().as_deref().and_then(outcome);
        when_and_where(&fields.next().unwrap_or_default(), sheet);
        sheet.event = fields.next().unwrap_or_default();
    }

    /// Where the next stone stands: `B` or `W`, and `(` behind it.
    fn stone_at(&mut self) -> Option<usize> {
        loop {
            let at = self.at + self.rest().find(['B', 'W', 'b', 'w', '{'])?;
            self.at = at + 1;
            if self.text[at..].starts_with('{') {
                return None;
            }
            if self.rest().trim_start().starts_with('(') {
                return Some(at);
            }
        }
    }

    fn stone(&mut self, at: usize) -> Result<Node, ReadError> {
        let black = self.text[at..].starts_with(['B', 'b']);
        self.skip(&['(']);
        let rest = self.rest();
        let inner = rest.find(')').map(|end| &rest[..end]).filter(|inner| inner.len() <= 24);
        let point = inner.and_then(|inner| {
            let (column, row) = inner.split_once([',', '，'])?;
            let point: Point =
                format!("{}{}", column.trim().to_ascii_lowercase(), row.trim()).parse().ok()?;
            Size::STANDARD.contains(point).then_some(point)
        });
        let (Some(inner), Some(point)) = (inner, point) else {
            let message = "no point of the board: expected a column A to O and a row 1 to 15, \
                           as in B(H,8)";
            return Err(self.wrong(at, message));
        };
        self.at += inner.len() + 1;
        let mut node = Node::stone(point, if black { Color::Black } else { Color::White });
        let after = self.rest().trim_start();
        if let Some((mark, rest)) = after.strip_prefix("MARK[").and_then(|it| it.split_once(']')) {
            node.properties.push(property("MARK", without_controls(mark).trim()));
            // What looks like a stone in it is none.
            self.at = self.text.len() - rest.len();
        }
        Ok(node)
    }

    fn wrong(&self, at: usize, message: &str) -> ReadError {
        let before = &self.text[..at];
        let line = 1 + before.matches('\n').count() as u64;
        let begin = before.rfind('\n').map_or(0, |end| end + 1);
        ReadError::of_column(at - begin + 1, message).in_line(line)
    }
}

fn property(name: &str, text: &str) -> Property {
    Property { name: name.to_owned(), values: vec![value::escape(text)] }
}

/// A player's name without the letter of its colour.
fn name(field: &str, color: Color) -> String {
    let letter = match color {
        Color::Black => 'B',
        Color::White => 'W',
    };
    let bare = field
        .strip_suffix(letter)
        .filter(|bare| bare.ends_with(char::is_whitespace) || bare.trim_end() == UNNAMED[color]);
    let bare = bare.unwrap_or(field).trim();
    if bare == UNNAMED[color] { String::new() } else { bare.to_owned() }
}

fn outcome(field: &str) -> Option<SheetOutcome> {
    let told = |winner| Some(SheetOutcome { winner, termination: None });
    match field.trim_start_matches('[') {
        field if field.starts_with("先手") => told(Some(Color::Black)),
        field if field.starts_with("后手") => told(Some(Color::White)),
        field => words::outcome(field),
    }
}

/// Reads `2017.07.29 14:00 place`.
fn when_and_where(field: &str, sheet: &mut ScoreSheet) {
    let mut words = field.splitn(2, char::is_whitespace);
    let first = words.next().unwrap_or_default();
    let numbers: Option<Vec<u16>> =
        first.split(['.', '-', '/']).map(|number| number.parse().ok()).collect();
    let mut rest = field;
    if let Some([year @ 1000..=9999, month @ 1..=12, day @ 1..=31]) = numbers.as_deref() {
        sheet.date = format!("{year}-{month:02}-{day:02}");
        rest = words.next().unwrap_or_default().trim();
    }
    let (clock, place) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    if is_clock(clock) {
        sheet.properties.push(property("BEGAN", clock));
        rest = place.trim();
    }
    if !rest.is_empty() {
        sheet.properties.push(property("PC", rest));
    }
}

/// Whether it is a time of the day, as in `14:00`.
fn is_clock(word: &str) -> bool {
    let mut parts = word.split([':', '_']);
    let is_number = |part: &str| matches!(part.len(), 1 | 2) && part.parse::<u8>().is_ok();
    parts.clone().count() > 1 && parts.all(is_number)
}

/// Writes a game in GB18030, of which GB2312 is a part.
///
/// # Errors
/// When stones are set up in it, a player passes, or the board is not one of 15.
pub fn write(sheet: &ScoreSheet) -> Result<Vec<u8>, WriteError> {
    text(sheet).map(|text| GB18030.encode(&text).0.into_owned())
}

/// What [`write()`] writes, before it is bytes.
///
/// # Errors
/// As that has them.
pub fn text(sheet: &ScoreSheet) -> Result<String, WriteError> {
    if sheet.size != Size::STANDARD {
        return Err(WriteError::Size { size: sheet.size });
    }
    let mut text = "{[C5]".to_owned();
    for (color, letter) in [(Color::Black, 'B'), (Color::White, 'W')] {
        text.push_str(&format!("[{} {letter}]", named(sheet, color)));
    }
    let fields = [result(sheet).to_owned(), place_and_time(sheet), field(&sheet.event)];
    for field in fields {
        text.push_str(&format!("[{field}]"));
    }
    sheet.stones()?;
    let line = sheet.tree.main_line().map(|id| sheet.tree.node(id));
    for node in line {
        let Some((color, Move::Stone(point))) = node.played else { continue };
        let letter = if color == Color::Black { 'B' } else { 'W' };
        let column = char::from(b'A' + point.x());
        text.push_str(&format!(";{letter}({column},{})", point.y() + 1));
        if let Some(mark) = first(&node.properties, "MARK") {
            text.push_str(&format!("MARK[{}]", field(&mark)));
        }
    }
    text.push('}');
    Ok(text)
}

/// The name of a game's file as the contests want it, without what no file may be called:
/// `C5-first vs second-先手胜-2017.07.29 14_00 place-event.txt`.
pub fn file_name(sheet: &ScoreSheet) -> String {
    let (black, white) = (named(sheet, Color::Black), named(sheet, Color::White));
    let parts = [result(sheet).to_owned(), place_and_time(sheet), field(&sheet.event)];
    let mut name = format!("C5-{black} vs {white}");
    for part in parts.iter().filter(|part| !part.is_empty()) {
        name.push_str(&format!("-{part}"));
    }
    let safe = |c: char| {
        if matches!(c, '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|') { '_' } else { c }
    };
    // A name may have 255 bytes, and something may be put behind it.
    let mut cut = name.len().min(200);
    while !name.is_char_boundary(cut) {
        cut -= 1;
    }
    format!("{}.txt", name[..cut].trim().chars().map(safe).collect::<String>())
}

fn named(sheet: &ScoreSheet, color: Color) -> String {
    let name = field(&sheet.players[color]);
    if name.is_empty() { UNNAMED[color].to_owned() } else { name }
}

fn result(sheet: &ScoreSheet) -> &'static str {
    match sheet.outcome.filter(SheetOutcome::counts).map(|outcome| outcome.winner) {
        None => "未结束",
        Some(None) => "平局",
        Some(Some(Color::Black)) => "先手胜",
        Some(Some(Color::White)) => "后手胜",
    }
}

fn place_and_time(sheet: &ScoreSheet) -> String {
    let date = field(&sheet.date.replace('-', "."));
    let more = ["BEGAN", "PC"].map(|name| first(&sheet.properties, name).unwrap_or_default());
    let parts = [date, field(&more[0]), field(&more[1])];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

fn first(properties: &[Property], name: &str) -> Option<String> {
    let property = properties.iter().find(|property| property.name == name)?;
    property.values.first().map(|value| value::text(value))
}

/// A text as it may stand in brackets.
fn field(text: &str) -> String {
    let letter = |c: char| match c {
        '[' | '{' => '(',
        ']' | '}' => ')',
        ';' => ',',
        c => c,
    };
    without_controls(text).chars().map(letter).collect::<String>().trim().to_owned()
}

/// A text with a space for each control. They are none where it is read either, so that one which
/// stands behind a date is not a part of it.
fn without_controls(text: &str) -> String {
    text.replace(char::is_control, " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str) -> ScoreSheet {
        let mut games = read(text.as_bytes());
        let sheet = games.next().unwrap().unwrap();
        assert!(games.next().is_none(), "{text}");
        sheet
    }

    fn winner(text: &str) -> Option<Option<Color>> {
        one(&format!("{{[C5][a B][b W]{text}[][];B(H,8)}}")).outcome.map(|outcome| outcome.winner)
    }

    #[test]
    fn every_way_in_which_contestants_write_it_is_one_game() {
        let head = "[C5][黑队 B][白队 W][后手胜][2017.07.29 14:00 重庆][2017 CCGC]";
        let stones = "B(J,10);W(L,10)";
        let expected = one(&format!("{{{head};{stones}}}"));
        assert_eq!(expected.players, ByColor { black: "黑队".into(), white: "白队".into() });
        assert_eq!(expected.outcome.unwrap().winner, Some(Color::White));
        assert_eq!((&*expected.date, &*expected.event), ("2017-07-29", "2017 CCGC"));
        let names: Vec<_> = expected.properties.iter().map(|one| &*one.name).collect();
        assert_eq!(names, ["BEGAN", "PC"]);
        let points: Vec<_> = expected.moves().map(|(_, mv)| mv.to_string()).collect();
        assert_eq!(points, ["j10", "l10"]);
        for text in [
            format!("{{{head}{stones};}}\r\n"),
            format!("{{{head};\n b( j , 10 );\nw(l,10) }}"),
            format!("{head};['B(J,10)', 'W(L,10)']"),
            format!("{{{}{stones}}}", head.replacen("[C5]", "{C5}", 1)),
            format!("{{{};{stones}}}", head.replace('.', "-")),
            format!("{{{head};B(J，10);W(L,10)}}"),
        ] {
            assert_eq!(one(&text), expected, "{text}");
            assert!(begins(&text), "{text}");
        }
        let (bytes, ..) = GB18030.encode("{[C5][黑队 B][白队 W][先手胜];B(A,1)}");
        let sheet = read(&bytes).next().unwrap().unwrap();
        assert_eq!(sheet.players.black, "黑队");
    }

    #[test]
    fn who_won_is_told_in_many_words() {
        let (black, white) = (Some(Some(Color::Black)), Some(Some(Color::White)));
        assert_eq!((winner("[先手胜]"), winner("[后手 胜]")), (black, white));
        assert_eq!((winner("[黑胜]"), winner("[白胜]")), (black, white));
        assert_eq!((winner("平局"), winner("[和棋]")), (Some(None), Some(None)));
        for unknown in ["[]", "[未结束]", "[未完]", "[未知结果]", "[胜负关系]"] {
            assert_eq!(winner(unknown), None, "{unknown}");
        }
    }

    #[test]
    fn a_name_that_was_not_filled_in_is_none() {
        let sheet = one("{[C5][先手参赛队B][后手参赛队 W][平局];B(H,8)}");
        assert_eq!(sheet.players, ByColor::default());
        assert_eq!(one("{[C5][BOB][W]}").players.black, "BOB");
        let written = String::from_utf8(write(&ScoreSheet::new(Size::STANDARD)).unwrap());
        assert!(written.is_err(), "it is not UTF-8");
    }

    #[test]
    fn a_wrong_game_costs_itself_alone() {
        let text = "{[C5][a][b][先手胜];B(H,8);W(H,8)}\n{[C5][c][d][先手胜];B(H,8);W(P,1)}\n\
                    {[C5][e][f][先手胜];B(H,8)}";
        let games: Vec<_> = read(text.as_bytes()).collect();
        let wrong = |place: usize| games[place].as_ref().unwrap_err().to_string();
        assert_eq!(wrong(0), "line 1, column 31: move 2: h8 is occupied");
        assert!(wrong(1).starts_with("line 2, column 31: no point of the board"), "{}", wrong(1));
        assert_eq!(games[2].as_ref().unwrap().players.black, "e");
        let other = read("{[C6][a][b][先手胜];B(J,10)}".as_bytes()).next().unwrap();
        assert!(other.unwrap_err().to_string().starts_with("no game of five in a row"));
    }

    #[test]
    fn a_game_is_written_as_it_is_read() {
        let mut sheet =
            one("{[C5][a][b][先手胜][2017.7.9 14:00 重庆 东][x];B(H,8)MARK[-2];W(H,9);B(A,15)}");
        assert_eq!(read(&write(&sheet).unwrap()).next().unwrap().unwrap(), sheet);
        assert_eq!(file_name(&sheet), "C5-a vs b-先手胜-2017.07.09 14_00 重庆 东-x.txt");
        sheet.players.black = "[x];{y}\n".to_owned();
        let again = read(&write(&sheet).unwrap()).next().unwrap().unwrap();
        assert_eq!(again.players.black, "(x),(y)");
        sheet.size = Size::new(20, 20).unwrap();
        assert!(write(&sheet).unwrap_err().to_string().contains("a board of 20"));
    }
}
