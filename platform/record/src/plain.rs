//! A fast reader of game lines in their plainest form.
//!
//! A million games are a gigabyte of JSON. All but a few lines have no escapes, no settings but
//! names, and no mistakes. Those are read here. All others are left to [`ReplayLine::read`], which
//! decides what is right and says what is wrong.

use serde::de::DeserializeOwned;
use serde::de::value::{Error, StrDeserializer};
use tengen_arbiter::Action;
use tengen_rules::{Answer, Move, OpeningSettings, Point, Rule, Seat, Size};

use crate::replay_line::ReplayLine;

/// Reads a plain line. None is a line that is not plain. `actions` lends its memory.
pub(crate) fn read_plain(text: &str, mut actions: Vec<(Seat, Action)>) -> Option<ReplayLine> {
    actions.clear();
    let mut line = ReplayLine { actions, ..ReplayLine::new(Rule::Freestyle) };
    let (mut rule, mut opening, mut size, mut listed) = (false, false, false, false);
    let mut from = PlainReader { rest: text.as_bytes() };
    from.each(b'{', b'}', |from| {
        let seen = match from.key()? {
            b"rule" => {
                line.rule = from.named()?;
                &mut rule
            }
            b"opening" => {
                line.opening = OpeningSettings::new(from.named()?);
                &mut opening
            }
            b"size" => {
                let side = from.number()?;
                line.size = Size::new(side, side).ok()?;
                &mut size
            }
            b"actions" => {
                from.each(b'[', b']', |from| {
                    line.actions.push(from.action()?);
                    Some(())
                })?;
                &mut listed
            }
            _ => return None,
        };
        (!std::mem::replace(seen, true)).then_some(())
    })?;
    from.skip_space();
    (rule && listed && from.rest.is_empty()).then_some(line)
}

/// What a JSON string with this text would be read as.
pub(crate) fn read_word<T: DeserializeOwned>(text: &str) -> Option<T> {
    T::deserialize(StrDeserializer::<Error>::new(text)).ok()
}

/// What is left of a line. Every method is none where the text is not plain.
struct PlainReader<'a> {
    rest: &'a [u8],
}

impl<'a> PlainReader<'a> {
    fn skip_space(&mut self) {
        while let [b' ' | b'\t' | b'\r' | b'\n', rest @ ..] = self.rest {
            self.rest = rest;
        }
    }

    /// Takes this byte, if it comes next.
    #[inline]
    fn take(&mut self, byte: u8) -> Option<()> {
        self.skip_space();
        self.rest = self.rest.strip_prefix(&[byte])?;
        Some(())
    }

    /// Reads what stands between the brackets, separated by commas.
    fn each(
        &mut self,
        open: u8,
        close: u8,
        mut one: impl FnMut(&mut Self) -> Option<()>,
    ) -> Option<()> {
        self.take(open)?;
        if self.take(close).is_some() {
            return Some(());
        }
        loop {
            one(self)?;
            if self.take(b',').is_none() {
                return self.take(close);
            }
        }
    }

    /// A string without escapes.
    #[inline]
    fn word(&mut self) -> Option<&'a [u8]> {
        self.take(b'"')?;
        for (end, &byte) in self.rest.iter().enumerate() {
            match byte {
                b'"' => {
                    let word = &self.rest[..end];
                    self.rest = &self.rest[end + 1..];
                    return Some(word);
                }
                b'\\' | ..b' ' => return None,
                _ => {}
            }
        }
        None
    }

    fn key(&mut self) -> Option<&'a [u8]> {
        let key = self.word()?;
        self.take(b':')?;
        Some(key)
    }

    /// A value that is written as one of a few words.
    fn named<T: DeserializeOwned>(&mut self) -> Option<T> {
        read_word(str::from_utf8(self.word()?).ok()?)
    }

    #[inline]
    fn point(&mut self) -> Option<Point> {
        Point::from_ascii(self.word()?)
    }

    fn points(&mut self) -> Option<Vec<Point>> {
        let mut points = Vec::new();
        self.each(b'[', b']', |from| {
            points.push(from.point()?);
            Some(())
        })?;
        Some(points)
    }

    /// A number below 256, as an integer.
    fn number(&mut self) -> Option<u8> {
        self.skip_space();
        let end = self.rest.iter().position(|byte| !byte.is_ascii_digit())?;
        let (digits, rest) = self.rest.split_at(end);
        let plain = matches!(rest[0], b',' | b'}' | b' ')
            && (digits == b"0" || digits.first() != Some(&b'0'));
        self.rest = rest;
        str::from_utf8(digits).ok().filter(|_| plain)?.parse().ok()
    }

    /// `true` or `false`.
    fn truth(&mut self) -> Option<bool> {
        self.skip_space();
        let (truth, rest) = match self.rest {
            [b't', b'r', b'u', b'e', rest @ ..] => (true, rest),
            [b'f', b'a', b'l', b's', b'e', rest @ ..] => (false, rest),
            _ => return None,
        };
        self.rest = rest;
        Some(truth)
    }

    fn action(&mut self) -> Option<(Seat, Action)> {
        if let Some((seat, point)) = self.stone() {
            return Some((seat, Action::Answer(Answer::Move(Move::Stone(point)))));
        }
        let (mut seat, mut done) = (None, None);
        self.each(b'{', b'}', |from| {
            let key = from.key()?;
            if key == b"seat" {
                let again = seat.replace(match from.word()? {
                    b"first" => Seat::First,
                    b"second" => Seat::Second,
                    _ => return None,
                });
                return again.is_none().then_some(());
            }
            let again = done.replace(from.done(key)?);
            again.is_none().then_some(())
        })?;
        Some((seat?, done?))
    }

    /// A move without a space in it, which is what most of most games is. Nothing is read where
    /// there is another action, or the same written otherwise.
    #[inline]
    fn stone(&mut self) -> Option<(Seat, Point)> {
        let (seat, rest) = match self.rest.strip_prefix(br#"{"seat":"first","move":""#) {
            Some(rest) => (Seat::First, rest),
            None => (Seat::Second, self.rest.strip_prefix(br#"{"seat":"second","move":""#)?),
        };
        let end = rest.iter().take(6).position(|&byte| byte == b'"')?;
        let point = Point::from_ascii(&rest[..end])?;
        self.rest = rest[end + 1..].strip_prefix(b"}")?;
        Some((seat, point))
    }

    fn done(&mut self, key: &[u8]) -> Option<Action> {
        let other = match key {
            b"move" => return Some(Action::Answer(Answer::Move(Move::Stone(self.point()?)))),
            b"pick" => return Some(Action::Answer(Answer::Pick(self.point()?))),
            b"place" => return Some(Action::Answer(Answer::Place(self.points()?))),
            b"offer" => return Some(Action::Answer(Answer::Offer(self.points()?))),
            b"declare" => return Some(Action::Answer(Answer::Declare(self.number()?))),
            b"swap" => return Some(Action::Answer(Answer::Swap(self.truth()?))),
            b"choose" => return Some(Action::Answer(Answer::Choose(self.named()?))),
            b"pass" => Action::Answer(Answer::Move(Move::Pass)),
            b"resign" => Action::Resign,
            b"claim" => Action::Claim,
            b"offer_draw" => Action::OfferDraw,
            b"accept_draw" => Action::AcceptDraw,
            _ => return None,
        };
        self.truth()?.then_some(other)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const PLAIN: [&str; 4] = [
        r#"{"rule":"renju","opening":"contest","size":15,"actions":[{"seat":"first","place":["h8","h9","i9"]},{"seat":"first","declare":2},{"seat":"second","swap":true},{"seat":"first","move":"aa32"}]}"#,
        r#" { "rule" : "caro" , "actions" : [ { "resign" : true , "seat" : "second" } ] , "size" : 20 } "#,
        r#"{"rule": "freestyle", "opening": "swap2", "actions": [{"seat": "second", "choose": "black"}, {"pass": true, "seat": "first"}]}"#,
        r#"{"actions":[],"rule":"standard"}"#,
    ];

    const OTHER: [&str; 5] = [
        r#"{"rule":"renju","actions":[],"rule":"renju"}"#,
        r#"{"rule":"renju","actions":[{"seat":"first","swap":true,"move":"h8"}]}"#,
        r#"{"rule":"renju","actions":[{"seat":"first","move":"h\u0038"}]}"#,
        r#"{"rule":"renju","size":"15","actions":[],}"#,
        r#"{"format":1,"rule":"renju","actions":[]}"#,
    ];

    #[test]
    fn plain_lines_are_read_at_once_and_others_left() {
        for text in PLAIN {
            assert_eq!(read_plain(text, Vec::new()), ReplayLine::read(text).ok(), "{text}");
            assert!(ReplayLine::read(text).is_ok(), "{text}");
        }
        for text in OTHER {
            assert_eq!(read_plain(text, Vec::new()), None, "{text}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            cases: 4000, failure_persistence: None, ..Default::default()
        })]

        #[test]
        fn what_is_read_at_once_is_what_would_be_read(
            base in prop::sample::select(&PLAIN[..]),
            cuts in prop::collection::vec((any::<prop::sample::Index>(), 0..3usize), 0..3),
            piece in prop::sample::select(&[
                "\"", ",", "{", "}", "[", "]", ":", " ", "\\", "0", "1", "9", "300", "-1", "1.0",
                "h8", "i", "true", "null", "\"seat\":\"first\"", "\"move\":\"h8\"", "\u{e9}",
                "\u{0}", "\u{c}", "\"size\":15,", "\"rule\":\"renju\",",
            ][..]),
        ) {
            let mut text: Vec<char> = base.chars().collect();
            for (at, gone) in cuts {
                let at = at.index(text.len());
                let end = (at + gone).min(text.len());
                text.splice(at..end, piece.chars());
            }
            let text: String = text.into_iter().collect();
            if let Some(line) = read_plain(&text, Vec::new()) {
                prop_assert_eq!(Ok(line), ReplayLine::read(&text));
            }
            // Every line gets an answer.
            let _ = crate::replay_line(&text);
        }
    }
}
