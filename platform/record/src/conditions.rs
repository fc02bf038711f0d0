//! What the host did to a game: where lost time went, stops, replays.

use serde::{Deserialize, Serialize};
use tengen_arbiter::{Cause, CpuStats, ForfeitCause, Nanos};

/// What the host did to a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Conditions {
    /// Where the loser's time went, if time lost the game and that is known; or that the machine
    /// had nothing left for it.
    pub forfeit: Option<ForfeitCause>,
    /// How often the game had been played before without counting, because the host spoiled it or
    /// the other game of its pair.
    pub replays: u32,
    /// For how long the arbiter itself stood still during the game's questions, in nanoseconds; 0
    /// if that was too short to matter.
    pub stopped: Nanos,
    /// Whether it counts for neither player: the host spoiled it, or the other game of its pair,
    /// too often.
    pub is_void: bool,
    /// When it began, in seconds since the beginning of 1970, if that is known.
    pub began: Option<u64>,
}

impl Conditions {
    /// Whether the host, not the loser, used up the time that lost the game, or used a part of
    /// either player's time that matters.
    pub fn is_spoiled(&self) -> bool {
        self.stopped > 0 || self.forfeit.is_some_and(|forfeit| forfeit.cause.is_host())
    }
}

/// The end of a record in JSON: what does not apply is left out. `spoiled` follows from the cause.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ForfeitObject {
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
    #[serde(skip_serializing_if = "is_zero")]
    stopped: Nanos,
    #[serde(skip_serializing_if = "is_zero")]
    replays: u32,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    void: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    date: Option<String>,
}

fn is_zero<T: Default + PartialEq>(number: &T) -> bool {
    *number == T::default()
}

/// A moment as records have it: `2026-11-22T10:28:32Z`.
pub(crate) fn date_text(seconds: u64) -> Option<String> {
    let seconds = i64::try_from(seconds).ok()?;
    jiff::Timestamp::from_second(seconds).ok().map(|moment| moment.to_string())
}

impl From<&Conditions> for ConditionsObject {
    fn from(conditions: &Conditions) -> ConditionsObject {
        let object = |ForfeitCause { cause, cpu_stats }| {
            let CpuStats { cpu, waited, suspended, .. } = cpu_stats;
            ForfeitObject { cause, cpu, waited, suspended }
        };
        ConditionsObject {
            forfeit: conditions.forfeit.map(object),
            spoiled: conditions.is_spoiled(),
            stopped: conditions.stopped,
            replays: conditions.replays,
            void: conditions.is_void,
            date: conditions.began.and_then(date_text),
        }
    }
}

/// For `#[serde(default, deserialize_with = "conditions::forfeit")]`.
pub(crate) fn forfeit<'de, D: serde::Deserializer<'de>>(
    from: D,
) -> Result<Option<ForfeitCause>, D::Error> {
    let forfeit = |ForfeitObject { cause, cpu, waited, suspended }| ForfeitCause {
        cause,
        cpu_stats: CpuStats {
            cpu,
            waited,
            suspended,
            halted: cause == Cause::Halted,
            short: cause == Cause::Shortage,
            ..CpuStats::default()
        },
    };
    Ok(Option::<ForfeitObject>::deserialize(from)?.map(forfeit))
}

/// For `#[serde(default, deserialize_with = "conditions::date")]`.
pub(crate) fn date<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<u64>, D::Error> {
    let Some(text) = Option::<String>::deserialize(from)? else { return Ok(None) };
    let moment: jiff::Timestamp = text.parse().map_err(|_| {
        let problem = format!("`{text}`: expected a date as in 2026-11-22T10:28:32Z");
        serde::de::Error::custom(problem)
    })?;
    Ok(u64::try_from(moment.as_second()).ok())
}
