//! What the host had to do with a game.

use serde::{Deserialize, Serialize};
use tengen_arbiter::{Cause, CpuStats, ForfeitCause, Nanos};

use crate::text;

/// What the host had to do with how a game went.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Conditions {
    /// Where the loser's time went, if time lost the game and that is known.
    pub forfeit: Option<ForfeitCause>,
    /// How often the game had been played before without counting, because the host spoiled it or
    /// the other game of its pair.
    pub replays: u32,
}

impl Conditions {
    /// Whether the host, and not the loser, took the time that lost the game.
    pub fn is_spoiled(&self) -> bool {
        self.forfeit.is_some_and(|forfeit| forfeit.cause.is_host())
    }
}

/// The end of a record in JSON: what does not apply is left out. `spoiled` follows from the cause.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ForfeitObject {
    #[serde(with = "text")]
    cause: Cause,
    cpu: Nanos,
    waited: Nanos,
    suspended: Nanos,
}

/// As the keys of a record, for `#[serde(flatten)]` where it is written.
#[derive(Serialize)]
pub(crate) struct ConditionsObject {
    #[serde(rename = "lapse", skip_serializing_if = "Option::is_none")]
    forfeit: Option<ForfeitObject>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    spoiled: bool,
    #[serde(skip_serializing_if = "is_none")]
    replays: u32,
}

fn is_none(replays: &u32) -> bool {
    *replays == 0
}

impl From<&Conditions> for ConditionsObject {
    fn from(conditions: &Conditions) -> ConditionsObject {
        let object = |ForfeitCause { cause, cpu_stats: CpuStats { cpu, waited, suspended } }| {
            ForfeitObject { cause, cpu, waited, suspended }
        };
        let forfeit = conditions.forfeit.map(object);
        ConditionsObject { forfeit, spoiled: conditions.is_spoiled(), replays: conditions.replays }
    }
}

/// For `#[serde(default, deserialize_with = "conditions::forfeit")]`.
pub(crate) fn forfeit<'de, D: serde::Deserializer<'de>>(
    from: D,
) -> Result<Option<ForfeitCause>, D::Error> {
    let forfeit = |ForfeitObject { cause, cpu, waited, suspended }| ForfeitCause {
        cause,
        cpu_stats: CpuStats { cpu, waited, suspended },
    };
    Ok(Option::<ForfeitObject>::deserialize(from)?.map(forfeit))
}
