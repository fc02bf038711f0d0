//! Values that a file has in the same form as the command line.

use std::fmt::{self, Display};
use std::marker::PhantomData;
use std::str::FromStr;

use serde::de::{Error, Visitor};
use serde::{Deserializer, Serializer};

pub(crate) fn serialize<T: Display, S: Serializer>(value: &T, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(value)
}

/// Reads a text; a bare number stands for its digits, so that `size = 15` and `size = "20x15"`
/// both read.
pub(crate) fn deserialize<'de, T, D>(from: D) -> Result<T, D::Error>
where
    T: FromStr<Err: Display>,
    D: Deserializer<'de>,
{
    from.deserialize_any(FromStrVisitor(PhantomData))
}

struct FromStrVisitor<T>(PhantomData<T>);

impl<T: FromStr<Err: Display>> Visitor<'_> for FromStrVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text or a number")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<T, E> {
        self.visit_str(&number.to_string())
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<T, E> {
        self.visit_str(&number.to_string())
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<T, E> {
        self.visit_str(&number.to_string())
    }
}

/// The same for values that may be left out.
pub(crate) mod option {
    use super::*;
    use serde::Deserialize;

    pub(crate) fn serialize<T: Display, S: Serializer>(
        value: &Option<T>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        match value {
            Some(value) => to.collect_str(value),
            None => to.serialize_none(),
        }
    }

    pub(crate) fn deserialize<'de, T, D>(from: D) -> Result<Option<T>, D::Error>
    where
        T: FromStr<Err: Display>,
        D: Deserializer<'de>,
    {
        struct Parsed<T>(T);
        impl<'de, T: FromStr<Err: Display>> Deserialize<'de> for Parsed<T> {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Parsed<T>, D::Error> {
                super::deserialize(from).map(Parsed)
            }
        }
        Ok(Option::<Parsed<T>>::deserialize(from)?.map(|read| read.0))
    }
}
