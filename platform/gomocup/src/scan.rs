//! Reads a line from its front.

use alloc::borrow::Cow;
use alloc::string::String;

use crate::Coords;

/// How much of a line is quoted in an excerpt, in characters.
const EXCERPT: usize = 80;

/// A line read from its front. Every byte up to the space counts as a space: brains send tabs,
/// carriage returns and even zeros.
#[derive(Clone, Copy)]
pub(crate) struct Scan<'a> {
    rest: &'a [u8],
}

impl<'a> Scan<'a> {
    pub(crate) const fn new(line: &'a [u8]) -> Scan<'a> {
        Scan { rest: line }
    }

    fn skip_spaces(&mut self) {
        self.take_while(|byte| byte <= b' ');
    }

    fn take_while(&mut self, belongs: impl Fn(u8) -> bool) -> &'a [u8] {
        let end = self.rest.iter().position(|byte| !belongs(*byte)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        taken
    }

    /// The next word of letters and digits, which may begin with neither.
    pub(crate) fn word(&mut self) -> &'a [u8] {
        self.skip_spaces();
        self.take_while(|byte| byte.is_ascii_alphanumeric())
    }

    /// The next bytes up to a space.
    pub(crate) fn token(&mut self) -> &'a [u8] {
        self.skip_spaces();
        self.take_while(|byte| byte > b' ')
    }

    /// The next whole number; one that is too large is the largest there is.
    pub(crate) fn int(&mut self) -> Option<i64> {
        self.skip_spaces();
        let mut ahead = *self;
        let sign = ahead.take_while(|byte| byte == b'-' || byte == b'+');
        let digits = ahead.take_while(|byte| byte.is_ascii_digit());
        if digits.is_empty() || sign.len() > 1 {
            return None;
        }
        let value = digits.iter().fold(0_i64, |value, digit| {
            value.saturating_mul(10).saturating_add(i64::from(digit - b'0'))
        });
        *self = ahead;
        Some(if sign == b"-" { -value } else { value })
    }

    fn comma(&mut self) -> Option<()> {
        self.skip_spaces();
        let rest = self.rest.strip_prefix(b",")?;
        self.rest = rest;
        Some(())
    }

    /// A number after a comma.
    pub(crate) fn field(&mut self) -> Option<i64> {
        self.comma()?;
        self.int()
    }

    /// The next point, `X,Y`, with spaces where they do no harm.
    pub(crate) fn coords(&mut self) -> Option<Coords> {
        let mut ahead = *self;
        let x = saturate(ahead.int()?);
        let y = saturate(ahead.field()?);
        *self = ahead;
        Some(Coords { x, y })
    }

    /// Whether nothing but spaces is left.
    pub(crate) fn is_done(&mut self) -> bool {
        self.skip_spaces();
        self.rest.is_empty()
    }

    /// All that is left, spaces around it off.
    pub(crate) fn text(self) -> Cow<'a, str> {
        String::from_utf8_lossy(trim(self.rest))
    }
}

fn saturate(value: i64) -> i32 {
    let least_or_most = if value < 0 { i32::MIN } else { i32::MAX };
    value.try_into().unwrap_or(least_or_most)
}

/// The bytes without the spaces around them.
pub(crate) fn trim(bytes: &[u8]) -> &[u8] {
    let is_text = |byte: &u8| *byte > b' ';
    let Some(start) = bytes.iter().position(is_text) else { return &[] };
    let end = bytes.iter().rposition(is_text).map_or(start, |last| last + 1);
    &bytes[start..end]
}

/// The beginning of a line as it may be shown: one line, no control characters, not long.
pub(crate) fn excerpt(line: &[u8]) -> String {
    // Four bytes a character are enough, and a flood is not decoded to be thrown away.
    let seen = &line[..line.len().min(4 * EXCERPT + 4)];
    let text = String::from_utf8_lossy(trim(seen));
    let shown = |c: char| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c };
    let mut excerpt: String = text.chars().take(EXCERPT).map(shown).collect();
    if seen.len() < line.len() || text.chars().nth(EXCERPT).is_some() {
        excerpt.push('…');
    }
    excerpt
}

/// Whether two words are the same but for the case of their letters.
pub(crate) fn is(word: &[u8], name: &str) -> bool {
    word.eq_ignore_ascii_case(name.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_read_with_spaces_and_without() {
        for line in [&b"7,8"[..], b" 7 , 8 ", b"7,8\t", b"+7,8\0", b"007,08"] {
            let mut scan = Scan::new(line);
            assert_eq!(scan.coords(), Some(Coords { x: 7, y: 8 }));
            assert!(scan.is_done());
        }
        for line in [&b"7"[..], b"7,", b",8", b"a,8", b"7;8", b"--7,8", b"7 8", b""] {
            assert_eq!(Scan::new(line).coords(), None, "{line:?}");
        }
    }

    #[test]
    fn numbers_too_large_are_the_largest() {
        let coords = Scan::new(b"99999999999999999999,-99999999999").coords();
        assert_eq!(coords, Some(Coords { x: i32::MAX, y: i32::MIN }));
    }

    #[test]
    fn an_excerpt_is_short_and_printable() {
        assert_eq!(excerpt(b"  hello\x1b[0m\xff  "), "hello\u{fffd}[0m\u{fffd}");
        assert_eq!(excerpt(&[b'x'; 80]), "x".repeat(80));
        assert_eq!(excerpt(&[b'x'; 1_000_000]), "x".repeat(80) + "…");
        assert_eq!(excerpt("天".repeat(81).as_bytes()), "天".repeat(80) + "…");
    }
}
