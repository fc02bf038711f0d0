//! The types of rules and arbiter as JSON texts.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{self, Deserializer, Visitor};
use serde::ser::{SerializeSeq, Serializer};
use serde::{Deserialize, Serialize};
use tengen_arbiter::{Cause, Termination, TimeControl};
use tengen_rules::{Alike, Color, Move, Point, Procedure, Rule, Seat};

/// A type of another crate that is written as one JSON string. For fields: `#[serde(with =
/// "text")]`, or [`Text`] inside of lists and options.
pub(crate) trait AsText: Sized {
    /// What such a text is, for errors.
    const WHAT: &'static str;

    fn write<R>(&self, to: impl FnOnce(&str) -> R) -> R;

    /// The value, or what is wrong with the text and what was expected.
    fn read(text: &str) -> Result<Self, String>;
}

pub(crate) fn serialize<T: AsText, S: Serializer>(value: &T, to: S) -> Result<S::Ok, S::Error> {
    value.write(|text| to.serialize_str(text))
}

pub(crate) fn deserialize<'de, T: AsText, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
    struct TextVisitor<T>(PhantomData<T>);

    impl<T: AsText> Visitor<'_> for TextVisitor<T> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "{} as a string", T::WHAT)
        }

        fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
            T::read(text).map_err(E::custom)
        }
    }

    from.deserialize_str(TextVisitor(PhantomData))
}

/// An [`AsText`] value where no field attribute reaches.
#[derive(Debug)]
pub(crate) struct TextValue<T>(pub T);

impl<T: AsText> Serialize for TextValue<T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        serialize(&self.0, to)
    }
}

impl<'de, T: AsText> Deserialize<'de> for TextValue<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<TextValue<T>, D::Error> {
        deserialize(from).map(TextValue)
    }
}

/// Lists of [`AsText`] values, for `#[serde(with = "text::list")]`.
pub(crate) mod list {
    use super::*;

    pub(crate) fn serialize<T, S>(values: &[T], to: S) -> Result<S::Ok, S::Error>
    where
        T: AsText + Copy,
        S: Serializer,
    {
        let mut list = to.serialize_seq(Some(values.len()))?;
        for &value in values {
            list.serialize_element(&TextValue(value))?;
        }
        list.end()
    }

    pub(crate) fn deserialize<'de, T, D>(from: D) -> Result<Vec<T>, D::Error>
    where
        T: AsText,
        D: Deserializer<'de>,
    {
        let list = Vec::<TextValue<T>>::deserialize(from)?;
        Ok(list.into_iter().map(|TextValue(value)| value).collect())
    }
}

/// Types that are named by one word out of a few.
macro_rules! words {
    ($($type:ty: $what:literal, $all:expr;)*) => {$(
        impl AsText for $type {
            const WHAT: &'static str = $what;

            fn write<R>(&self, to: impl FnOnce(&str) -> R) -> R {
                to(self.name())
            }

            fn read(text: &str) -> Result<$type, String> {
                let all = $all;
                all.iter().copied().find(|value| value.name() == text).ok_or_else(|| {
                    let names: Vec<_> = all.iter().map(|value| value.name()).collect();
                    format!("`{text}` is not {}: expected {}", $what, names.join(", "))
                })
            }
        }
    )*};
}

words! {
    Rule: "a rule", Rule::ALL;
    Seat: "a seat", Seat::ALL;
    Color: "a colour", Color::ALL;
    Termination: "a termination", Termination::ALL;
    Cause: "a cause", Cause::ALL;
    Procedure: "an opening procedure", Procedure::ALL;
}

impl AsText for Alike {
    const WHAT: &'static str = "a reading of alike fifth moves";

    fn write<R>(&self, to: impl FnOnce(&str) -> R) -> R {
        to(match self {
            Alike::Shape => "shape",
            Alike::Board => "board",
        })
    }

    fn read(text: &str) -> Result<Alike, String> {
        match text {
            "shape" => Ok(Alike::Shape),
            "board" => Ok(Alike::Board),
            _ => Err(format!("`{text}` is not {}: expected shape, board", Self::WHAT)),
        }
    }
}

impl AsText for TimeControl {
    const WHAT: &'static str = "a time control";

    fn write<R>(&self, to: impl FnOnce(&str) -> R) -> R {
        to(&self.to_string())
    }

    fn read(text: &str) -> Result<TimeControl, String> {
        text.parse().map_err(|error: tengen_arbiter::ParseTimeControlError| error.to_string())
    }
}

impl AsText for Point {
    const WHAT: &'static str = "a point such as h8";

    fn write<R>(&self, to: impl FnOnce(&str) -> R) -> R {
        let mut buffer = [0; 5];
        let length = point_text(*self, &mut buffer);
        to(std::str::from_utf8(&buffer[..length]).expect("points are written in ASCII"))
    }

    fn read(text: &str) -> Result<Point, String> {
        read_point(text.as_bytes()).ok_or_else(|| format!("`{text}` is not {}", Self::WHAT))
    }
}

impl AsText for Move {
    const WHAT: &'static str = "a move such as h8, or pass";

    fn write<R>(&self, to: impl FnOnce(&str) -> R) -> R {
        match self {
            Move::Stone(point) => point.write(to),
            Move::Pass => to("pass"),
        }
    }

    fn read(text: &str) -> Result<Move, String> {
        let stone = || read_point(text.as_bytes()).map(Move::Stone);
        let mv = if text == "pass" { Some(Move::Pass) } else { stone() };
        mv.ok_or_else(|| format!("`{text}` is not {}", Self::WHAT))
    }
}

/// Writes what `Display` prints, and returns its length.
pub(crate) fn point_text(point: Point, buffer: &mut [u8; 5]) -> usize {
    let mut length = 0;
    let mut push = |byte| {
        buffer[length] = byte;
        length += 1;
    };
    if point.x() >= 26 {
        push(b'a' + point.x() / 26 - 1);
    }
    push(b'a' + point.x() % 26);
    let row = u16::from(point.y()) + 1;
    for (place, least) in [(100, 100), (10, 10), (1, 1)] {
        if row >= least {
            push(b'0' + (row / place % 10) as u8);
        }
    }
    length
}

/// Reads whatever `Display` prints. That goes beyond the largest board, since a record must hold
/// every answer that an engine gave, points off the board included.
#[inline]
pub(crate) fn read_point(text: &[u8]) -> Option<Point> {
    let (x, row) = match *text {
        [low @ b'a'..=b'z', ref row @ ..] if row.first()?.is_ascii_digit() => (low - b'a', row),
        [high @ b'a'..=b'i', low @ b'a'..=b'z', ref row @ ..] => {
            (u8::try_from(26 * u16::from(high - b'a' + 1) + u16::from(low - b'a')).ok()?, row)
        }
        _ => return None,
    };
    if !matches!(row, [b'1'..=b'9'] | [b'1'..=b'9', _] | [b'1'..=b'9', _, _]) {
        return None;
    }
    if !row.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let number = row.iter().fold(0, |number, digit| 10 * number + u16::from(digit - b'0'));
    Some(Point::new(x, u8::try_from(number - 1).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_reads_as_it_prints_and_prints_as_rules_print_it() {
        for x in 0..=255 {
            for y in 0..=255 {
                let point = Point::new(x, y);
                let text = point.write(str::to_string);
                assert_eq!(text, point.to_string());
                assert_eq!(Point::read(&text), Ok(point));
            }
        }
    }

    #[test]
    fn text_that_is_no_point_is_refused() {
        for text in
            ["", "h", "8", "8h", "h0", "h08", "H8", "h8 ", "h257", "iw1", "ja1", "h+1", "é1"]
        {
            assert!(Point::read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_word_that_is_wrong_is_answered_with_the_right_ones() {
        assert_eq!(
            Rule::read("gomoku").unwrap_err(),
            "`gomoku` is not a rule: expected freestyle, standard, renju, caro"
        );
        assert_eq!(Seat::read("second"), Ok(Seat::Second));
        assert!(TimeControl::read("60s").unwrap_err().contains("60s"));
    }
}
