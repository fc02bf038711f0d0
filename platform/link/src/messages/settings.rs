//! What is settled when a table is opened.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};
use tengen_arbiter::{LatePolicy, TimeControl};
use tengen_rules::{Procedure, Rule, Size};

use crate::text::plain;

pub const MOST_TITLE: usize = 60;
/// How much of the way there and back is given back where nothing is said of it, in seconds.
const USUAL_LAG: f64 = 0.5;

/// What is settled when a table is opened. Every key has a default; a client passes over those of a
/// later server, and a server refuses those that it does not know.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct TableSettings {
    pub rule: Rule,
    pub size: Size,
    pub opening: Procedure,
    pub time: TimeControl,
    /// How late an answer may be, in seconds.
    pub margin: f64,
    /// How much of the way there and back is given back to a person with an answer, in seconds.
    #[serde(skip_serializing_if = "is_usual_lag")]
    pub lag: f64,
    /// What a late answer costs.
    pub late: LatePolicy,
    /// The number of stones at which the game is drawn.
    pub move_limit: Option<u32>,
    /// Whether players may pass.
    pub passing: bool,
    /// Whether a draw may be asked for.
    pub draws: bool,
    /// Whether a move may be taken back.
    pub undo: bool,
    /// How many times a player's moves are taken back in a game at that player's wish; none is any
    /// number of times.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undo_limit: Option<u32>,
    /// Whether the game may be paused.
    pub pause: bool,
    /// Whether a seat may be handed to an engine of the server.
    pub engines: bool,
    /// Whether there is chat.
    pub chat: bool,
    /// Whether seats are exchanged for the next game.
    pub swap: bool,
    /// Whether the first game of two waits until both have said that they are ready.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub ready: bool,
    /// After how many seconds a player that is away loses.
    pub absence: Option<u32>,
    /// Whether the table is in the list.
    pub public: bool,
    /// What it is called.
    pub title: String,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde wants it")]
fn is_usual_lag(lag: &f64) -> bool {
    *lag == USUAL_LAG
}

impl Default for TableSettings {
    fn default() -> TableSettings {
        TableSettings {
            rule: Rule::Freestyle,
            size: Size::STANDARD,
            opening: Procedure::None,
            time: TimeControl {
                main: Some(300_000_000_000),
                increment: 5_000_000_000,
                ..TimeControl::default()
            },
            margin: 0.0,
            lag: USUAL_LAG,
            late: LatePolicy::Loss,
            move_limit: None,
            passing: false,
            draws: true,
            undo: true,
            undo_limit: None,
            pause: true,
            engines: true,
            chat: true,
            swap: true,
            ready: false,
            absence: None,
            public: true,
            title: String::new(),
        }
    }
}

/// Reads settings of which every key is known.
pub fn known_settings<'de, D: Deserializer<'de>>(from: D) -> Result<TableSettings, D::Error> {
    let object = Map::<String, Value>::deserialize(from)?;
    // A key that is left out where it is as usual is known, too.
    let all =
        TableSettings { undo_limit: Some(1), lag: 0.0, ready: true, ..TableSettings::default() };
    let known = match serde_json::to_value(all) {
        Ok(Value::Object(known)) => known,
        other => return Err(D::Error::custom(format!("no object: {other:?}"))),
    };
    if let Some(key) = object.keys().find(|key| !known.contains_key(*key)) {
        let known: Vec<_> = known.keys().map(|key| format!("`{key}`")).collect();
        let (key, known) = (plain(key, MOST_TITLE), known.join(", "));
        return Err(D::Error::custom(format!("unknown field `{key}`, expected one of {known}")));
    }
    serde_json::from_value(Value::Object(object)).map_err(D::Error::custom)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_left_out_where_there_is_none() {
        let read = |text: &str| known_settings(serde_json::from_str::<Value>(text).unwrap());
        assert_eq!(read(r#"{"undo_limit":3}"#).unwrap().undo_limit, Some(3));
        assert_eq!(read(r#"{"undo_limit":null}"#).unwrap(), TableSettings::default());
        let text = serde_json::to_string(&TableSettings::default()).unwrap();
        assert!(!text.contains("undo_limit"), "{text}");
    }

    #[test]
    fn an_unknown_key_is_named() {
        let unknown = serde_json::from_str::<Value>(r#"{"komi":7}"#).unwrap();
        let error = known_settings(unknown).unwrap_err().to_string();
        assert!(error.starts_with("unknown field `komi`, expected one of `absence`"), "{error}");
    }
}
