//! The game that a table's settings mean.

use std::ops::RangeInclusive;

use tengen_arbiter::{Game, GameConfig, LatePolicy, Policies, TimeControl};
use tengen_players::GameVariant;
use tengen_rules::{BySeat, OpeningSettings, Procedure, Rule, Seat, Size};

use super::settings::{Late, MOST_TITLE, TableSettings};
use crate::text::plain;

/// The most seconds of margin.
const MOST_MARGIN: f64 = 10.0;
/// The spans of absence, in seconds, that may end a game.
const ABSENCE: RangeInclusive<u32> = 10..=86_400;
const MOST_MOVES: u32 = 1024;

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
        let named = read(r#"{"title":" a\u202eb\nc "}"#).unwrap().0;
        assert_eq!(named.title, "abc");
    }
}
