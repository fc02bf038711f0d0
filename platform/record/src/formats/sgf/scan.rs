//! The tokens of SGF ([FF4](https://www.red-bean.com/sgf/sgf4.html), EBNF).

use std::cell::Cell;

use crate::ReadError;
use crate::formats::charset::is_space;

/// A piece of SGF, and where it begins (in bytes from 0).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token<'a> {
    /// `(`
    Open,
    /// `)`
    Close,
    /// `;`
    Node,
    /// A property's name, small letters and all.
    Name(&'a str),
    /// What stands between `[` and `]`, with its escapes.
    Value(&'a str),
    /// The beginning of a value that the end of the text, or another game, cuts off.
    Cut,
}

/// Takes SGF apart (FF\[4\], EBNF).
#[derive(Clone, Debug)]
pub(super) struct Scanner<'a> {
    text: &'a str,
    at: usize,
    lines: Cell<LineStart>,
}

/// A line of the text: its number from 1, where it begins, and up to where it is known to go on.
#[derive(Clone, Copy, Debug)]
struct LineStart {
    number: u64,
    begin: usize,
    seen: usize,
}

impl LineStart {
    const FIRST: LineStart = LineStart { number: 1, begin: 0, seen: 0 };
}

/// Properties of a whole game that stand in its first node and nowhere else. Behind `(;` one of
/// them is a new game, even where the one before was not closed.
pub(super) const ROOT_ALONE: [&str; 6] = ["FF", "GM", "CA", "AP", "SZ", "ST"];

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a str) -> Scanner<'a> {
        Scanner { text, at: 0, lines: Cell::new(LineStart::FIRST) }
    }

    /// Goes on to the next game, if there is one: to the first `(` that a `;` follows. Returns
    /// where a text begins that stands before it; what ends a file or fills it up is none.
    pub(super) fn seek_game(&mut self) -> (Option<usize>, bool) {
        let rest = &self.text[self.at..];
        let opening = |(at, _): &(usize, &str)| trim(&rest[at + 1..]).starts_with(';');
        let found = rest.match_indices('(').find(opening).map(|(at, _)| at);
        let before = &rest[..found.unwrap_or(rest.len())];
        let skipped = trim(before);
        let begin = self.at + before.len() - skipped.len();
        self.at += before.len();
        ((!skipped.is_empty()).then_some(begin), found.is_some())
    }

    /// The next piece; none at the end. Reading goes on behind an error.
    pub(super) fn next(&mut self) -> Result<Option<(usize, Token<'a>)>, ReadError> {
        let rest = trim(&self.text[self.at..]);
        let at = self.text.len() - rest.len();
        let Some(first) = rest.chars().next() else {
            self.at = at;
            return Ok(None);
        };
        let (length, token) = match first {
            '(' => (1, Token::Open),
            ')' => (1, Token::Close),
            ';' => (1, Token::Node),
            '[' => {
                let length = value_length(&rest[1..]);
                let value = &rest[1..1 + length.unwrap_or(rest.len() - 1)];
                match (game_in(value), length) {
                    (Some(game), _) => (1 + game, Token::Cut),
                    (None, None) => (rest.len(), Token::Cut),
                    (None, Some(length)) => (length + 2, Token::Value(value)),
                }
            }
            ']' => {
                self.at = at + 1;
                return Err(self.wrong(at, "this ] ends no value: within one it is written \\]"));
            }
            _ => {
                let ends = |c: char| is_space(c) || matches!(c, '(' | ')' | ';' | '[' | ']');
                let end = rest.find(ends).unwrap_or(rest.len());
                (end, Token::Name(&rest[..end]))
            }
        };
        self.at = at + length;
        Ok(Some((at, token)))
    }

    /// The piece that comes next, without taking it.
    pub(super) fn peek(&self) -> Option<Token<'a>> {
        self.clone().next().ok()?.map(|(_, token)| token)
    }

    /// Goes back to this place.
    pub(super) fn go_back(&mut self, at: usize) {
        self.at = at;
    }

    /// Whether a new game goes on here, behind its `(`.
    pub(super) fn is_in_new_game(&self) -> bool {
        begins_root(&self.text[self.at..])
    }

    pub(super) fn wrong(&self, at: usize, message: &str) -> ReadError {
        let at = at.min(self.text.len());
        let LineStart { number, begin, .. } = self.line(at);
        ReadError::of_column(at - begin + 1, message).in_line(number)
    }

    /// What is wrong there, in that property.
    pub(super) fn wrong_in(&self, property: &str, at: usize, message: &str) -> ReadError {
        ReadError { field: Some(property.to_owned()), ..self.wrong(at, message) }
    }

    /// The line that this place is in. The search begins at the last place that was asked for: a
    /// text may have as many mistakes as games. Lines end with LF, CR LF or CR.
    fn line(&self, at: usize) -> LineStart {
        let known = Some(self.lines.get()).filter(|line| line.begin <= at);
        let mut line = known.unwrap_or(LineStart::FIRST);
        let bytes = self.text.as_bytes();
        for (place, byte) in bytes.iter().enumerate().take(at).skip(line.seen) {
            if *byte == b'\n' || *byte == b'\r' && bytes.get(place + 1) != Some(&b'\n') {
                line = LineStart { number: line.number + 1, begin: place + 1, ..line };
            }
        }
        line.seen = line.seen.max(at);
        self.lines.set(line);
        line
    }
}

fn trim(text: &str) -> &str {
    text.trim_start_matches(is_space)
}

/// Whether `;` and a property of a first node stand there.
fn begins_root(text: &str) -> bool {
    let Some(text) = trim(text).strip_prefix(';') else { return false };
    let text = trim(text);
    let name = text.find(|c: char| !c.is_ascii_uppercase()).map(|end| text.split_at(end));
    name.is_some_and(|(name, rest)| ROOT_ALONE.contains(&name) && trim(rest).starts_with('['))
}

/// Where a game begins within a value that was not closed: its first property has the first `]`.
pub(super) fn game_in(value: &str) -> Option<usize> {
    let last = value.rfind('[').filter(|last| !value[*last..].contains(']'))?;
    let open = value[..last].rfind('(')?;
    begins_root(&value[open + 1..=last]).then_some(open)
}

/// The length of a value up to its `]`.
fn value_length(text: &str) -> Option<usize> {
    let mut escaped = false;
    text.bytes().position(|byte| {
        let ends = byte == b']' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Result<Vec<Token<'_>>, String> {
        let mut scanner = Scanner::new(text);
        let mut tokens = Vec::new();
        while let Some((_, token)) = scanner.next().map_err(|error| error.to_string())? {
            tokens.push(token);
        }
        Ok(tokens)
    }

    #[test]
    fn sgf_comes_apart() {
        use Token::*;
        let text = "a letter (to you)\n( ;FF[4]\n C[a\\]b\\\\] ; ) ";
        let tokens =
            [Open, Node, Name("FF"), Value("4"), Name("C"), Value("a\\]b\\\\"), Node, Close];
        let mut scanner = Scanner::new(text);
        assert_eq!((scanner.seek_game(), scanner.at), ((Some(0), true), 18));
        assert_eq!(all(&text[18..]).unwrap(), tokens);
        let odd = "5A[6,i7]_x [1]评论[好],";
        let names = [
            Name("5A"),
            Value("6,i7"),
            Name("_x"),
            Value("1"),
            Name("评论"),
            Value("好"),
            Name(","),
        ];
        assert_eq!(all(odd).unwrap(), names);
    }

    #[test]
    fn what_fills_up_a_file_is_nothing() {
        let seek = |text| Scanner::new(text).seek_game();
        assert_eq!(seek("\u{feff}\0\u{1a}\r\n"), (None, false));
        assert_eq!(seek("no game (see above)"), (Some(0), false));
        assert_eq!(seek("\n)\n(\u{1a};"), (Some(1), true));
    }

    #[test]
    fn a_value_is_cut_by_the_end_or_by_a_game() {
        use Token::*;
        assert_eq!(all("C[\n(;\\]").unwrap(), [Name("C"), Cut]);
        let start = [Name("C"), Cut, Open, Node, Name("GM"), Value("4")];
        assert_eq!(all("C[one )\n( ; GM[4]").unwrap(), start);
        assert_eq!(all(r"C[(;GM[4\]]").unwrap(), [Name("C"), Value(r"(;GM[4\]")]);
        assert_eq!(all("C[(;XX[4]").unwrap(), [Name("C"), Value("(;XX[4")]);
    }

    #[test]
    fn mistakes_are_told_with_their_place() {
        let expected = "this ] ends no value: within one it is written \\]";
        assert_eq!(all("(;\n ]").unwrap_err(), format!("line 2, column 2: {expected}"));
        assert_eq!(all("(;\r\r ]").unwrap_err(), format!("line 3, column 2: {expected}"));
    }

    #[test]
    fn places_are_told_in_any_order() {
        let text = "(;C[a]\n\nB[zz]\r\n;\r\r)\n";
        let scanner = Scanner::new(text);
        let naive = |at: usize| {
            let before = &text[..at];
            let ends = |(at, c): &(usize, char)| *c == '\n' || !text[at + 1..].starts_with('\n');
            let ends = before.char_indices().filter(|(_, c)| matches!(c, '\r' | '\n')).filter(ends);
            let begin = ends.clone().next_back().map_or(0, |(end, _)| end + 1);
            (1 + ends.count() as u64, at - begin + 1)
        };
        for step in 1..text.len() {
            for at in (0..3 * text.len()).map(|turn| turn * step % (text.len() + 1)) {
                let error = scanner.wrong(at, "");
                assert_eq!((error.line.unwrap(), error.column.unwrap()), naive(at), "at {at}");
            }
        }
    }
}
