//! A board's size in JSON: the number of a square board's sides, or `"20x15"`.

use std::fmt;

use serde::de::{self, Deserializer, Visitor};
use serde::ser::Serializer;
use tengen_rules::Size;

pub(crate) fn serialize<S: Serializer>(size: &Size, to: S) -> Result<S::Ok, S::Error> {
    if size.width() == size.height() { to.serialize_u8(size.width()) } else { to.collect_str(size) }
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Size, D::Error> {
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
