//! What is settled when a table is opened.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};
use tengen_arbiter::{Game, GameConfig, LatePolicy, Policies, TimeControl};
use tengen_players::GameVariant;
use tengen_rules::{BySeat, OpeningSettings, Procedure, Rule, Seat, Size};

use crate::text::plain;

/// The most signs of a title.
pub(crate) const MOST_TITLE: usize = 60;
/// The most seconds of margin.
const MOST_MARGIN: f64 = 10.0;
/// The spans of absence, in seconds, that may end a game.
const ABSENCE: std::ops::RangeInclusive<u32> = 10..=86_400;
const MOST_MOVES: u32 = 1024;

/// What a late answer costs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Late {
    /// The game.
    #[default]
    Loss,
    /// The choice: the server answers, and the game goes on.
    Substitute,
}

/// What is settled when a table is opened. Every key has a default; a client passes over those of a
/// later server, and a server refuses those that it does not know.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct TableSettings {
    /// What wins.
    pub rule: String,
    /// The board: `15`, or `20x15`.
    pub size: String,
    /// The opening procedure.
    pub opening: String,
    /// The time control of both.
    pub time: String,
    /// How late an answer may be, in seconds.
    pub margin: f64,
    /// What a late answer costs.
    pub late: Late,
    /// The number of stones at which the game is drawn.
    pub move_limit: Option<u32>,
    /// Whether players may pass.
    pub passing: bool,
    /// Whether a draw may be asked for.
    pub draws: bool,
    /// Whether a move may be taken back.
    pub undo: bool,
    /// Whether the game may be paused.
    pub pause: bool,
    /// Whether a seat may be handed to an engine of the server.
    pub engines: bool,
    /// Whether there is chat.
    pub chat: bool,
    /// Whether seats are exchanged for the next game.
    pub swap: bool,
    /// After how many seconds a player who is away loses.
    pub absence: Option<u32>,
    /// Whether the table is in the list.
    pub public: bool,
    /// What it is called.
    pub title: String,
}

impl Default for TableSettings {
    fn default() -> TableSettings {
        TableSettings {
            rule: "freestyle".to_owned(),
            size: "15".to_owned(),
            opening: "none".to_owned(),
            time: "300+5".to_owned(),
            margin: 0.0,
            late: Late::Loss,
            move_limit: None,
            passing: false,
            draws: true,
            undo: true,
            pause: true,
            engines: true,
            chat: true,
            swap: true,
            absence: None,
            public: true,
            title: String::new(),
        }
    }
}

/// Reads settings of which every key is known.
pub(crate) fn known_settings<'de, D: Deserializer<'de>>(
    from: D,
) -> Result<TableSettings, D::Error> {
    let object = Map::<String, Value>::deserialize(from)?;
    let known = match serde_json::to_value(TableSettings::default()) {
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

/// Settings that have been checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct CheckedTable {
    pub config: GameConfig,
    pub variant: GameVariant,
}

impl TableSettings {
    /// The settings written as they are understood, with text as it may be shown, and the game that
    /// they mean.
    ///
    /// # Errors
    /// Which setting is wrong, and why.
    pub(crate) fn checked(self) -> Result<(TableSettings, CheckedTable), String> {
        let rule: Rule = self.rule.parse().map_err(|error| format!("rule: {error}"))?;
        let size: Size = self.size.parse().map_err(|error| format!("size: {error}"))?;
        let procedure: Procedure =
            self.opening.parse().map_err(|error| format!("opening: {error}"))?;
        let time: TimeControl = self.time.parse().map_err(|error| format!("time: {error}"))?;
        if !(0.0..=MOST_MARGIN).contains(&self.margin) {
            return Err(format!("margin: {} is not from 0 to {MOST_MARGIN} s", self.margin));
        }
        if self.absence.is_some_and(|seconds| !ABSENCE.contains(&seconds)) {
            let (least, most) = (ABSENCE.start(), ABSENCE.end());
            return Err(format!("absence: expected {least} to {most} seconds, or null"));
        }
        if self.move_limit.is_some_and(|limit| !(1..=MOST_MOVES).contains(&limit)) {
            return Err(format!("move_limit: expected 1 to {MOST_MOVES}, or null"));
        }
        let margin = (self.margin * 1e9) as u64;
        let policies = Policies {
            late: match self.late {
                Late::Loss => LatePolicy::Loss,
                Late::Substitute => LatePolicy::Substitute,
            },
            draw_offers: self.draws,
            passing: self.passing,
            move_limit: self.move_limit,
            ..Policies::default()
        };
        let config = GameConfig {
            rule,
            size,
            opening: OpeningSettings::new(procedure),
            time: BySeat { first: time, second: time },
            margin: BySeat::from_fn(|_: Seat| margin),
            policies,
        };
        Game::new(config.clone()).map_err(|error| format!("opening: {error}"))?;
        let settings = TableSettings {
            rule: rule.name().to_owned(),
            size: size.to_string(),
            opening: procedure.name().to_owned(),
            time: time.to_string(),
            title: plain(self.title.trim(), MOST_TITLE),
            ..self
        };
        let variant = GameVariant { rule, size, opening: procedure };
        Ok((settings, CheckedTable { config, variant }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_is_named() {
        let read = |text: &str| serde_json::from_str::<TableSettings>(text).unwrap().checked();
        assert_eq!(read("{}").unwrap().0, TableSettings::default());
        for (text, word) in [
            (r#"{"rule":"chess"}"#, "rule:"),
            (r#"{"size":"99"}"#, "size:"),
            (r#"{"opening":"sicilian"}"#, "opening:"),
            (r#"{"time":"soon"}"#, "time:"),
            (r#"{"margin":11}"#, "margin:"),
            (r#"{"absence":5}"#, "absence:"),
            (r#"{"move_limit":0}"#, "move_limit:"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.starts_with(word), "{text}: {error}");
        }
        let unknown = serde_json::from_str::<Value>(r#"{"komi":7}"#).unwrap();
        let error = known_settings(unknown).unwrap_err().to_string();
        assert!(error.starts_with("unknown field `komi`, expected one of `absence`"), "{error}");
        let named = read(r#"{"title":" a\u202eb\nc "}"#).unwrap().0;
        assert_eq!(named.title, "abc");
    }
}
