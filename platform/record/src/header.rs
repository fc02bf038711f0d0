//! What a record says of a game before its first action.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use tengen_arbiter::{GameConfig, Nanos, Policies, TimeControl};
use tengen_rules::{BySeat, OpeningSettings, Rule, Seat, Size};

/// All that a record says of a game before its first action.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// The event it was played in, if in one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    /// The round of the event, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round: Option<u32>,
    /// The game's number in the event, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<u64>,
    pub rule: Rule,
    pub size: Size,
    /// The opening procedure, with the book position if it is one.
    pub opening: OpeningSettings,
    pub seats: BySeat<PlayerHeader>,
    /// What the event decided.
    #[serde(default)]
    pub policies: Policies,
    /// The seed the players were given.
    #[serde(default)]
    pub seed: u64,
}

/// The player of a seat, with its time and its sandbox.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayerHeader {
    /// What the event calls the player: an engine's id.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// Its version, if it gave one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The SHA-256 of the engine's file in hexadecimal; none for a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash: Option<String>,
    /// The options that were set for it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, String>,
    /// Its time control, as on the command line: `60+1`.
    pub time: TimeControl,
    /// Its margin, in nanoseconds.
    #[serde(default)]
    pub margin: Nanos,
    /// The layers of containment that held around it.
    #[serde(default)]
    pub layers: Vec<String>,
    /// Whether the arbiter answered the opening questions in its place; its moves are its own.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub opening_by_arbiter: bool,
    /// The engine that assisted the arbiter in that, where one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opening_engine: Option<String>,
}

impl Header {
    /// The game that the arbiter would be asked to run.
    pub fn config(&self) -> GameConfig {
        GameConfig {
            rule: self.rule,
            size: self.size,
            opening: self.opening.clone(),
            time: BySeat::from_fn(|seat: Seat| self.seats[seat].time),
            margin: BySeat::from_fn(|seat: Seat| self.seats[seat].margin),
            policies: self.policies,
        }
    }
}
