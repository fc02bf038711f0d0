//! The flags `-engine` and `-each` of c-gomoku-cli.

use std::collections::BTreeMap;

use anyhow::{anyhow, bail, ensure};

/// What `-engine` or `-each` says.
#[derive(Clone, Default)]
pub(super) struct EngineFlags {
    /// By the names that they have there.
    values: BTreeMap<String, String>,
    options: Vec<String>,
}

/// The tolerance, in seconds, of an engine without one of its own.
const TOLERANCE: f64 = 3.0;

impl EngineFlags {
    pub(super) fn read(flag: &str, words: &[&str]) -> anyhow::Result<EngineFlags> {
        let mut engine = EngineFlags::default();
        for word in words {
            let known = word.split_once('=');
            let (key, value) = known.ok_or_else(|| anyhow!("{flag} {word}: expected KEY=VALUE"))?;
            let number = value.parse::<f64>().ok();
            let (is_right, expected) = match key {
                "tc" => (time(value).is_some(), "GAME/MOVE+INCREMENT, in seconds"),
                "maxmemory" => (number.is_some_and(|bytes| bytes > 0.0), "a number of bytes"),
                "tolerance" => (number.is_some_and(|span| (0.0..1e9).contains(&span)), "seconds"),
                "cmd" | "name" | "nodes" | "depth" | "thread" | "restart" => (true, ""),
                _ if key.starts_with("option.") => {
                    engine.options.push((*word).to_owned());
                    continue;
                }
                _ => bail!("{flag} {word}: unknown setting of c-gomoku-cli"),
            };
            ensure!(is_right, "{flag} {word}: expected {expected}");
            engine.values.insert(key.to_owned(), value.to_owned());
        }
        Ok(engine)
    }

    /// The same, where what is said of each engine goes before its own words.
    pub(super) fn under(mut self, each: &EngineFlags) -> EngineFlags {
        // A tolerance of 0 says nothing there.
        let is_said = |(key, _): &(&String, &String)| *key != "tolerance" || each.tolerance() > 0.0;
        let said = each.values.iter().filter(is_said);
        self.values.extend(said.map(|(key, value)| (key.clone(), value.clone())));
        self.options.extend(each.options.iter().cloned());
        self
    }

    fn number(&self, key: &str) -> Option<f64> {
        self.values.get(key)?.parse().ok()
    }

    /// For how many seconds too much it is waited for; half of it is forgiven in each move.
    pub(super) fn tolerance(&self) -> f64 {
        self.number("tolerance").unwrap_or(TOLERANCE)
    }

    /// As `--engine` has them.
    pub(super) fn settings(self) -> Vec<String> {
        let text = |key: &str| self.values.get(key).cloned();
        let mebibytes = |bytes: f64| format!("{}MiB", (bytes / f64::from(1 << 20)).ceil());
        let settings = [
            ("cmd", text("cmd").map(|text| command(&text))),
            ("name", text("name")),
            ("tc", self.time_control()),
            ("memory", self.number("maxmemory").map(mebibytes)),
            ("threads", text("thread")),
            ("restart", text("restart")),
            ("margin", Some((self.tolerance() / 2.0).to_string())),
        ];
        let said = settings.into_iter().filter_map(|(key, value)| Some((key, value?)));
        said.map(|(key, value)| format!("{key}={value}")).chain(self.options.clone()).collect()
    }

    fn time_control(&self) -> Option<String> {
        let mut parts = Vec::new();
        if let Some((game, each_move, increment)) = self.values.get("tc").and_then(|tc| time(tc)) {
            let increment = if increment > 0.0 { format!("+{increment}") } else { String::new() };
            if game > 0.0 {
                parts.push(format!("{game}{increment}"));
            }
            if each_move > 0.0 && each_move != game {
                parts.push(format!("move={each_move}"));
            }
        }
        let limits = ["nodes", "depth"].into_iter();
        parts.extend(limits.filter_map(|key| Some(format!("{key}={}", self.values.get(key)?))));
        (!parts.is_empty()).then(|| parts.join(","))
    }
}

/// Seconds of a game, a move, and added for each move: `GAME/MOVE+INCREMENT`, where all but GAME
/// may be left out; a game's 0 is no limit.
fn time(text: &str) -> Option<(f64, f64, f64)> {
    let seconds = |text: &str| text.parse().ok().filter(|seconds| (0.0..1e9).contains(seconds));
    let (times, increment) = text.split_once('+').unwrap_or((text, "0"));
    let (game, each_move) = times.split_once('/').unwrap_or((times, times));
    let time = (seconds(game)?, seconds(each_move)?, seconds(increment)?);
    (time.0 > 0.0 || time.1 > 0.0).then_some(time)
}

/// A path names a file; what has arguments, or is to be found by PATH, is a command.
fn command(text: &str) -> String {
    let is_ours = ["builtin:", "cmd:", "sau:"].iter().any(|prefix| text.starts_with(prefix));
    let is_path = text.contains(std::path::is_separator) && !text.contains(char::is_whitespace);
    if is_ours || is_path { text.to_owned() } else { format!("cmd:{text}") }
}
