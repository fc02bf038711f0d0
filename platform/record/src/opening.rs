//! Opening settings in JSON: an object, or the procedure's name alone.

use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{self, Deserializer, MapAccess, Visitor};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};
use tengen_rules::{Alike, OpeningSettings, Point, Procedure};

use crate::text::{self, AsText};

#[derive(Serialize, Deserialize)]
#[serde(remote = "OpeningSettings", deny_unknown_fields)]
struct OpeningObject {
    #[serde(with = "text")]
    procedure: Procedure,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fifth_moves: Option<(u8, u8)>,
    #[serde(default, with = "text", skip_serializing_if = "is_default")]
    alike: Alike,
    #[serde(default, with = "text::list", skip_serializing_if = "Vec::is_empty")]
    book: Vec<Point>,
}

fn is_default(alike: &Alike) -> bool {
    *alike == Alike::default()
}

pub(crate) fn serialize<S: Serializer>(value: &OpeningSettings, to: S) -> Result<S::Ok, S::Error> {
    OpeningObject::serialize(value, to)
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<OpeningSettings, D::Error> {
    struct OpeningVisitor;

    impl<'de> Visitor<'de> for OpeningVisitor {
        type Value = OpeningSettings;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an opening procedure's name, or an object with `procedure`")
        }

        fn visit_str<E: de::Error>(self, text: &str) -> Result<OpeningSettings, E> {
            Procedure::read(text).map(OpeningSettings::new).map_err(E::custom)
        }

        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<OpeningSettings, A::Error> {
            OpeningObject::deserialize(MapAccessDeserializer::new(map))
        }
    }

    from.deserialize_any(OpeningVisitor)
}
