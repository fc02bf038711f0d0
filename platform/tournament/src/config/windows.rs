//! The arbiter's windows as tables of a file. The arbiter itself reads no text.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use tengen_arbiter::{DrawWindow, ResignBy, ResignWindow};

pub(crate) mod draw {
    use super::*;

    #[derive(Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct DrawTable {
        #[serde(default)]
        stones: u32,
        moves: u32,
        score: u32,
    }

    pub(crate) fn serialize<S: Serializer>(
        window: &Option<DrawWindow>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        let table = |DrawWindow { stones, moves, score }| DrawTable { stones, moves, score };
        window.map(table).serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<DrawWindow>, D::Error> {
        let window = |DrawTable { stones, moves, score }| DrawWindow { stones, moves, score };
        Ok(Option::deserialize(from)?.map(window))
    }
}

pub(crate) mod resign {
    use super::*;

    #[derive(Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct ResignTable {
        moves: u32,
        score: u32,
        #[serde(default, skip_serializing_if = "By::is_usual")]
        by: By,
    }

    #[derive(Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    enum By {
        #[default]
        Both,
        Loser,
    }

    impl By {
        fn is_usual(&self) -> bool {
            *self == By::Both
        }
    }

    pub(crate) fn serialize<S: Serializer>(
        window: &Option<ResignWindow>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        let table = |ResignWindow { moves, score, by }| {
            let by = if by == ResignBy::Both { By::Both } else { By::Loser };
            ResignTable { moves, score, by }
        };
        window.map(table).serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<ResignWindow>, D::Error> {
        let window = |ResignTable { moves, score, by }| {
            let by = if by == By::Both { ResignBy::Both } else { ResignBy::Loser };
            ResignWindow { moves, score, by }
        };
        Ok(Option::deserialize(from)?.map(window))
    }
}
