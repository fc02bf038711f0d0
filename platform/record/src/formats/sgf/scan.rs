//! The tokens of SGF ([FF4](https://www.red-bean.com/sgf/sgf4.html), EBNF).

use std::cell::Cell;

use crate::ReadError;

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

impl<'a> Scanner<'a> {
    /// Begins at the first game: anything may stand before it.
    pub(super) fn new(text: &'a str) -> Scanner<'a> {
        let at = first_game(text).unwrap_or(text.len());
        Scanner { text, at, lines: Cell::new(LineStart::FIRST) }
    }

    /// The next piece; none at the end.
    pub(super) fn next(&mut self) -> Result<Option<(usize, Token<'a>)>, ReadError> {
        let rest = self.text[self.at..].trim_start();
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
                let length = value_length(&rest[1..])
                    .ok_or_else(|| self.wrong(at, "a value is not closed: expected ] behind it"))?;
                (length + 2, Token::Value(&rest[1..=length]))
            }
            letter if letter.is_ascii_alphabetic() => {
                let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
                (end, Token::Name(&rest[..end]))
            }
            other => {
                let message = format!("`{}` means nothing here", other.escape_debug());
                return Err(self.wrong(at, &message));
            }
        };
        self.at = at + length;
        Ok(Some((at, token)))
    }

    /// The piece that comes next, without taking it.
    pub(super) fn peek(&self) -> Result<Option<Token<'a>>, ReadError> {
        Ok(self.clone().next()?.map(|(_, token)| token))
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
    /// text may have as many mistakes as games.
    fn line(&self, at: usize) -> LineStart {
        let known = Some(self.lines.get()).filter(|line| line.begin <= at);
        let mut line = known.unwrap_or(LineStart::FIRST);
        for (place, byte) in self.text.bytes().enumerate().take(at).skip(line.seen) {
            if byte == b'\n' {
                line = LineStart { number: line.number + 1, begin: place + 1, ..line };
            }
        }
        line.seen = line.seen.max(at);
        self.lines.set(line);
        line
    }
}

/// Where the first `(` stands that a `;` follows.
fn first_game(text: &str) -> Option<usize> {
    let opening = |(at, _): &(usize, &str)| text[at + 1..].trim_start().starts_with(';');
    text.match_indices('(').find(opening).map(|(at, _)| at)
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
        assert_eq!(all(text).unwrap(), tokens);
        assert_eq!(all("no game").unwrap(), []);
    }

    #[test]
    fn mistakes_are_told_with_their_place() {
        assert_eq!(
            all("(;C[\n(;\\]").unwrap_err(),
            "line 1, column 4: a value is not closed: expected ] behind it"
        );
        assert_eq!(all("(;\n =").unwrap_err(), "line 2, column 2: `=` means nothing here");
    }

    #[test]
    fn places_are_told_in_any_order() {
        let text = "(;C[a]\n\nB[zz]\r\n;)\n";
        let scanner = Scanner::new(text);
        let naive = |at: usize| {
            let before = &text[..at];
            let begin = before.rfind('\n').map_or(0, |end| end + 1);
            (1 + before.matches('\n').count() as u64, at - begin + 1)
        };
        for step in 1..text.len() {
            for at in (0..3 * text.len()).map(|turn| turn * step % (text.len() + 1)) {
                let error = scanner.wrong(at, "");
                assert_eq!((error.line.unwrap(), error.column.unwrap()), naive(at), "at {at}");
            }
        }
    }
}
