//! The flags `-engine` and `-each` of c-gomoku-cli.

use anyhow::{anyhow, bail};

/// What `-engine` or `-each` says.
#[derive(Clone, Default)]
pub(super) struct EngineFlags {
    command: Option<String>,
    name: Option<String>,
    /// Seconds of a game, a move, and added for each move.
    time: Option<(f64, f64, f64)>,
    nodes: Option<String>,
    depth: Option<String>,
    bytes: Option<f64>,
    threads: Option<String>,
    restart: Option<String>,
    /// Seconds.
    tolerance: Option<f64>,
    options: Vec<String>,
}

/// The tolerance of an engine of which nothing is said.
const TOLERANCE: f64 = 3.0;

impl EngineFlags {
    pub(super) fn read(flag: &str, words: &[&str]) -> anyhow::Result<EngineFlags> {
        let mut engine = EngineFlags::default();
        for word in words {
            let known = word.split_once('=');
            let (key, value) = known.ok_or_else(|| anyhow!("{flag} {word}: expected KEY=VALUE"))?;
            let wrong = |expected: &str| anyhow!("{flag} {word}: expected {expected}");
            let text = Some(value.to_owned());
            match key {
                "cmd" => engine.command = text,
                "name" => engine.name = text,
                "tc" => {
                    let time = time(value);
                    engine.time =
                        Some(time.ok_or_else(|| wrong("GAME/MOVE+INCREMENT, in seconds"))?);
                }
                "nodes" => engine.nodes = text,
                "depth" => engine.depth = text,
                "maxmemory" => {
                    let bytes = value.parse().ok().filter(|bytes| *bytes > 0.0);
                    engine.bytes = Some(bytes.ok_or_else(|| wrong("a number of bytes"))?);
                }
                "thread" => engine.threads = text,
                "tolerance" => {
                    let seconds = value.parse().ok().filter(|seconds| (0.0..1e9).contains(seconds));
                    engine.tolerance = Some(seconds.ok_or_else(|| wrong("seconds"))?);
                }
                "restart" => engine.restart = text,
                _ if key.starts_with("option.") => engine.options.push((*word).to_owned()),
                _ => bail!("{flag} {word}: unknown setting of c-gomoku-cli"),
            }
        }
        Ok(engine)
    }

    /// The same, where what is said of each engine goes before its own words.
    pub(super) fn under(self, each: &EngineFlags) -> EngineFlags {
        let each = each.clone();
        EngineFlags {
            command: each.command.or(self.command),
            name: each.name.or(self.name),
            time: each.time.or(self.time),
            nodes: each.nodes.or(self.nodes),
            depth: each.depth.or(self.depth),
            bytes: each.bytes.or(self.bytes),
            threads: each.threads.or(self.threads),
            restart: each.restart.or(self.restart),
            // One of 0 says nothing there.
            tolerance: each.tolerance.filter(|each| *each > 0.0).or(self.tolerance),
            options: [self.options, each.options].concat(),
        }
    }

    /// For how many seconds too much it is waited for; half of it is forgiven in each move.
    pub(super) fn tolerance(&self) -> f64 {
        self.tolerance.unwrap_or(TOLERANCE)
    }

    /// As `--engine` has them.
    pub(super) fn settings(self) -> Vec<String> {
        let (tc, margin) = (self.time_control(), self.tolerance() / 2.0);
        let mebibytes = |bytes: f64| format!("{}MiB", (bytes / f64::from(1 << 20)).ceil());
        let settings = [
            ("cmd", self.command.map(|text| command(&text))),
            ("name", self.name),
            ("tc", tc),
            ("memory", self.bytes.map(mebibytes)),
            ("threads", self.threads),
            ("restart", self.restart),
            ("margin", Some(margin.to_string())),
        ];
        let said = settings.into_iter().filter_map(|(key, value)| Some((key, value?)));
        said.map(|(key, value)| format!("{key}={value}")).chain(self.options).collect()
    }

    fn time_control(&self) -> Option<String> {
        let mut parts = Vec::new();
        if let Some((game, each_move, increment)) = self.time {
            let increment = if increment > 0.0 { format!("+{increment}") } else { String::new() };
            if game > 0.0 {
                parts.push(format!("{game}{increment}"));
            }
            if each_move > 0.0 && each_move != game {
                parts.push(format!("move={each_move}"));
            }
        }
        parts.extend(self.nodes.as_ref().map(|nodes| format!("nodes={nodes}")));
        parts.extend(self.depth.as_ref().map(|depth| format!("depth={depth}")));
        (!parts.is_empty()).then(|| parts.join(","))
    }
}

/// `GAME/MOVE+INCREMENT`, where all but GAME may be left out; a game's 0 is no limit.
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
