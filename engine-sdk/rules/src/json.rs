//! The types in JSON, the same in records, messages and the page: a point is `"h8"`, a rule
//! `"renju"`, a question `{"ask":"move","zone":{"within":2}}`.

use alloc::format;
use alloc::string::String;
use core::fmt;
use core::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{self, Deserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize, Serializer};

use crate::{Alike, Color, Foul, Move, OpeningSettings, Point, Procedure, Rule, Seat, Size};

/// Reads one of a few words; `what` says in an error what they are.
///
/// ```
/// let read = |text| serde_json::from_str::<tengen_rules::Rule>(text);
/// assert_eq!(read(r#""renju""#).unwrap(), tengen_rules::Rule::Renju);
/// assert!(read(r#""chess""#).unwrap_err().to_string().starts_with("`chess` is not a rule"));
/// ```
///
/// # Errors
/// When it is another, with the right ones.
pub fn read_word<'de, T: Copy, D: Deserializer<'de>>(
    from: D,
    what: &'static str,
    all: &[T],
    name: fn(T) -> &'static str,
) -> Result<T, D::Error> {
    read_text(from, what, |text| {
        all.iter().copied().find(|value| name(*value) == text).ok_or_else(|| {
            let names: alloc::vec::Vec<_> = all.iter().map(|value| name(*value)).collect();
            format!("`{text}` is not {what}: expected {}", names.join(", "))
        })
    })
}

/// Reads a string; `what` says in an error what was expected.
fn read_text<'de, T, D: Deserializer<'de>>(
    from: D,
    what: &'static str,
    read: impl FnOnce(&str) -> Result<T, String>,
) -> Result<T, D::Error> {
    struct TextVisitor<T, F>(&'static str, F, PhantomData<T>);

    impl<T, F: FnOnce(&str) -> Result<T, String>> Visitor<'_> for TextVisitor<T, F> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "{} as a string", self.0)
        }

        fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
            self.1(text).map_err(E::custom)
        }
    }

    from.deserialize_str(TextVisitor(what, read, PhantomData))
}

/// Types that are named by one word out of a few, in `ALL`.
#[doc(hidden)]
#[macro_export]
macro_rules! serde_words {
    ($($type:ty: $what:literal;)*) => {$(
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.serialize_str(self.name())
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<$type, D::Error> {
                $crate::read_word(from, $what, &<$type>::ALL, <$type>::name)
            }
        }
    )*};
}

serde_words! {
    Rule: "a rule";
    Foul: "a foul";
    Seat: "a seat";
    Color: "a colour";
    Procedure: "an opening procedure";
    Alike: "a reading of alike fifth moves";
}

const A_POINT: &str = "a point such as h8";

impl Serialize for Point {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let (buffer, length) = self.ascii();
        to.serialize_str(core::str::from_utf8(&buffer[..length]).expect("ASCII"))
    }
}

impl<'de> Deserialize<'de> for Point {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Point, D::Error> {
        read_text(from, A_POINT, |text| {
            Point::from_ascii(text.as_bytes()).ok_or_else(|| format!("`{text}` is not {A_POINT}"))
        })
    }
}

impl Serialize for Move {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Move::Stone(point) => point.serialize(to),
            Move::Pass => to.serialize_str("pass"),
        }
    }
}

impl<'de> Deserialize<'de> for Move {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Move, D::Error> {
        const WHAT: &str = "a move such as h8, or pass";
        read_text(from, WHAT, |text| match text {
            "pass" => Ok(Move::Pass),
            _ => Point::from_ascii(text.as_bytes())
                .map(Move::Stone)
                .ok_or_else(|| format!("`{text}` is not {WHAT}")),
        })
    }
}

/// A square board is the number of its sides, any other as in `"20x15"`.
impl Serialize for Size {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self.width() == self.height() {
            true => to.serialize_u8(self.width()),
            false => to.collect_str(self),
        }
    }
}

impl<'de> Deserialize<'de> for Size {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Size, D::Error> {
        struct SizeVisitor;

        impl Visitor<'_> for SizeVisitor {
            type Value = Size;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a board size as in 15 or \"20x15\"")
            }

            fn visit_u64<E: de::Error>(self, side: u64) -> Result<Size, E> {
                let side = u8::try_from(side).unwrap_or(u8::MAX);
                Size::new(side, side).map_err(E::custom)
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Size, E> {
                text.parse().map_err(E::custom)
            }
        }

        from.deserialize_any(SizeVisitor)
    }
}

impl Serialize for OpeningSettings {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        OpeningSettings::serialize(self, to)
    }
}

/// The procedure's name alone, or an object.
impl<'de> Deserialize<'de> for OpeningSettings {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<OpeningSettings, D::Error> {
        struct OpeningVisitor;

        impl<'de> Visitor<'de> for OpeningVisitor {
            type Value = OpeningSettings;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an opening procedure's name, or an object with `procedure`")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<OpeningSettings, E> {
                let name = de::value::StrDeserializer::new(text);
                Procedure::deserialize(name).map(OpeningSettings::new)
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<OpeningSettings, A::Error> {
                // What is derived for it: an object.
                OpeningSettings::deserialize(MapAccessDeserializer::new(map))
            }
        }

        from.deserialize_any(OpeningVisitor)
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;
    use alloc::vec;

    use serde::de::DeserializeOwned;

    use super::*;
    use crate::{Ask, Zone};

    fn read<T: DeserializeOwned>(text: &str) -> Result<T, String> {
        serde_json::from_str(text).map_err(|error| error.to_string())
    }

    #[test]
    fn a_word_that_is_wrong_is_answered_with_the_right_ones() {
        let wrong = read::<Rule>(r#""gomoku""#).unwrap_err();
        let expected = "`gomoku` is not a rule: expected freestyle, standard, renju, caro";
        assert!(wrong.starts_with(expected), "{wrong}");
        assert_eq!(read(r#""second""#), Ok(Seat::Second));
        assert!(read::<Point>(r#""ja1""#).unwrap_err().starts_with("`ja1` is not a point"));
        assert!(read::<Seat>("0").unwrap_err().contains("a seat as a string"));
    }

    #[test]
    fn every_question_reads_as_it_was_written() {
        let zone = Zone::Within(2);
        for (ask, text) in [
            (
                Ask::Place { count: 3, zone, canonical: true },
                r#"{"ask":"place","count":3,"zone":{"within":2},"canonical":true}"#,
            ),
            (
                Ask::Place { count: 3, zone: Zone::Anywhere, canonical: false },
                r#"{"ask":"place","count":3}"#,
            ),
            (Ask::Choose, r#"{"ask":"choose"}"#),
            (Ask::ChooseOrPlace { count: 2 }, r#"{"ask":"choose_or_place","count":2}"#),
            (Ask::Swap, r#"{"ask":"swap"}"#),
            (Ask::Declare { min: 1, max: 12 }, r#"{"ask":"declare","min":1,"max":12}"#),
            (Ask::Offer { count: 5 }, r#"{"ask":"offer","count":5}"#),
            (Ask::Pick, r#"{"ask":"pick"}"#),
            (Ask::Move { zone: Zone::Beyond(3) }, r#"{"ask":"move","zone":{"beyond":3}}"#),
            (
                Ask::MoveOrOffer { zone: Zone::Anywhere, count: 10 },
                r#"{"ask":"move_or_offer","count":10}"#,
            ),
        ] {
            assert_eq!(serde_json::to_string(&ask).unwrap(), text);
            assert_eq!(read(text), Ok(ask));
        }
    }

    #[test]
    fn an_opening_is_a_name_or_an_object() {
        let named = OpeningSettings::new(Procedure::Swap2);
        assert_eq!(read(r#""swap2""#), Ok(named.clone()));
        assert_eq!(serde_json::to_string(&named).unwrap(), r#"{"procedure":"swap2"}"#);
        let book = vec![Point::new(7, 7)];
        let settings = OpeningSettings { book, ..OpeningSettings::new(Procedure::Book) };
        let text = r#"{"procedure":"book","book":["h8"]}"#;
        assert_eq!(serde_json::to_string(&settings).unwrap(), text);
        assert_eq!(read(text), Ok(settings));
    }
}
