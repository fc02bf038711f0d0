//! The game that a table's settings mean.

use std::ops::RangeInclusive;

use tengen_arbiter::{Game, GameConfig, Policies};
use tengen_players::GameVariant;
use tengen_rules::{BySeat, OpeningSettings, Seat};

use tengen_link::messages::{MOST_TITLE, TableSettings};
use tengen_link::plain;

/// The most seconds of margin.
const MOST_MARGIN: f64 = 10.0;
/// The most seconds of the way there and back that are given back.
const MOST_LAG: f64 = 2.0;
/// The spans of absence, in seconds, that may end a game.
const ABSENCE: RangeInclusive<u32> = 10..=86_400;
/// The points of the largest board, 32×32.
const MOST_MOVES: u32 = 1024;

/// Settings that have been checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct CheckedTable {
    pub config: GameConfig,
    pub variant: GameVariant,
}

impl CheckedTable {
    /// The settings with text as it may be shown, and the game that they mean.
    ///
    /// # Errors
    /// Which setting is wrong, and why.
    pub(crate) fn new(settings: TableSettings) -> Result<(TableSettings, CheckedTable), String> {
        let TableSettings { rule, size, opening, time, .. } = settings;
        if !(0.0..=MOST_MARGIN).contains(&settings.margin) {
            return Err(format!("margin: {} is not from 0 to {MOST_MARGIN} s", settings.margin));
        }
        if !(0.0..=MOST_LAG).contains(&settings.lag) {
            return Err(format!("lag: {} is not from 0 to {MOST_LAG} s", settings.lag));
        }
        if settings.absence.is_some_and(|seconds| !ABSENCE.contains(&seconds)) {
            let (least, most) = (ABSENCE.start(), ABSENCE.end());
            return Err(format!("absence: expected {least} to {most} seconds, or null"));
        }
        if settings.move_limit.is_some_and(|limit| !(1..=MOST_MOVES).contains(&limit)) {
            return Err(format!("move_limit: expected 1 to {MOST_MOVES}, or null"));
        }
        if settings.undo_limit.is_some_and(|limit| !(1..=MOST_MOVES).contains(&limit)) {
            return Err(format!("undo_limit: expected 1 to {MOST_MOVES}, or null"));
        }
        let margin = (settings.margin * 1e9) as u64;
        let policies = Policies {
            late: settings.late,
            draw_offers: settings.draws,
            passing: settings.passing,
            move_limit: settings.move_limit,
            ..Policies::default()
        };
        let config = GameConfig {
            rule,
            size,
            opening: OpeningSettings::new(opening),
            time: BySeat { first: time, second: time },
            margin: BySeat::from_fn(|_: Seat| margin),
            policies,
        };
        Game::new(config.clone()).map_err(|error| format!("opening: {error}"))?;
        let title = plain(settings.title.trim(), MOST_TITLE);
        let settings = TableSettings { title, ..settings };
        let variant = GameVariant { rule, size, opening };
        Ok((settings, CheckedTable { config, variant }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_is_named() {
        let read = |text: &str| CheckedTable::new(serde_json::from_str(text).unwrap());
        assert_eq!(read("{}").unwrap().0, TableSettings::default());
        for (text, word) in [
            (r#"{"opening":"rif","size":19}"#, "opening:"),
            (r#"{"margin":11}"#, "margin:"),
            (r#"{"absence":5}"#, "absence:"),
            (r#"{"move_limit":0}"#, "move_limit:"),
            (r#"{"undo_limit":0}"#, "undo_limit:"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.starts_with(word), "{text}: {error}");
        }
        let named = read(r#"{"title":" a\u202eb\nc "}"#).unwrap().0;
        assert_eq!(named.title, "abc");
    }
}
