//! Events under this program.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::encounter::{Match, Opponent};
use super::score::InteropScore;
use crate::process;

/// The opponent that is part of this program.
const ALPHABETA: &str = "builtin:alphabeta";

/// The ways to lose that are part of the game; every other one is a forfeit.
const PLAYED_OUT: [&str; 8] = [
    "five",
    "board_full",
    "overline",
    "double_four",
    "double_three",
    "resignation",
    "agreement",
    "adjudication",
];

/// This program, and what its runs share.
pub(super) struct TengenProgram {
    pub program: PathBuf,
    /// Where files of the task go.
    pub folder: PathBuf,
    /// The openings.
    pub suite: PathBuf,
}

/// An engine as it was found.
pub(super) struct FoundEngine {
    pub id: String,
    pub path: PathBuf,
    folder: PathBuf,
}

/// The contents of a folder.
pub(super) struct FoundEngines {
    pub engines: Vec<FoundEngine>,
    /// Files that are no engines that can be started, and why.
    pub refused: Vec<(String, String)>,
}

/// What several checks of one engine said.
pub(super) struct CheckResults {
    pub runs: u32,
    /// Whether each gave the same verdicts.
    pub is_same: bool,
    /// The steps that failed in the first.
    pub failed: Vec<String>,
}

impl TengenProgram {
    /// The text engines in a folder.
    pub(super) fn engines(&self, folder: &Path) -> Result<FoundEngines> {
        let mut list = Command::new(&self.program);
        list.args(["engines", "list", "--json", "--dir"]).arg(folder);
        let list: Value = serde_json::from_str(&process::output(&mut list)?)?;
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let all = |key: &str| list[key].as_array().cloned().unwrap_or_default();
        let engines = all("engines").into_iter().filter(|engine| engine["kind"] == "gomocup");
        let engines = engines.map(|engine| FoundEngine {
            id: text(&engine["id"]),
            path: PathBuf::from(text(&engine["path"])),
            folder: folder.to_owned(),
        });
        let refused = all("refused");
        let refused = refused.iter().map(|file| (text(&file["path"]), text(&file["reason"])));
        Ok(FoundEngines { engines: engines.collect(), refused: refused.collect() })
    }

    /// Checks an engine so many times. Only verdicts are compared: the times in details differ.
    pub(super) fn check(&self, engine: &FoundEngine, runs: u32) -> Result<CheckResults> {
        let mut verdicts: Vec<Vec<(String, bool)>> = Vec::new();
        for _ in 0..runs {
            let mut check = Command::new(&self.program);
            check.args(["engines", "check", "--json", "--dir"]).arg(&engine.folder).arg(&engine.id);
            let told = self.json(&mut check)?;
            let steps = told["steps"].as_array().cloned().unwrap_or_default();
            let verdict = |step: &Value| {
                let name = step["name"].as_str().unwrap_or_default();
                (name.to_owned(), step["ok"] == true)
            };
            verdicts.push(steps.iter().map(verdict).collect());
        }
        let is_same = verdicts.windows(2).all(|two| two[0] == two[1]);
        let first = verdicts.into_iter().next().unwrap_or_default();
        let failed = first.into_iter().filter(|(_, ok)| !ok).map(|(name, _)| name).collect();
        Ok(CheckResults { runs, is_same, failed })
    }

    /// Plays an encounter. The score is the engine's; against itself, that of the first seat's
    /// name, with the forfeits of both.
    pub(super) fn play(
        &self,
        engine: &FoundEngine,
        what: &Match,
        games: u32,
    ) -> Result<InteropScore> {
        let mut event = self.event(engine, what.opponent);
        event.args(["--rule", what.rule.name(), "--size", &what.size.to_string()]);
        event.args(["--tc", what.time.name(), "--games", &games.to_string()]);
        event.args(["--opening", "book", "--openings"]).arg(&self.suite);
        self.score(&mut event, games)
    }

    /// Plays a pair of games with an opening procedure of renju.
    pub(super) fn open(&self, engine: &FoundEngine, opening: &str) -> Result<InteropScore> {
        let mut event = self.event(engine, Opponent::Alphabeta);
        event.args(["--rule", "renju", "--opening", opening, "--opening-policy", "arbiter"]);
        event.args(["--tc", "move=0.3", "--games", "2"]);
        self.score(&mut event, 2)
    }

    /// A brain's command line for the opponent of this program.
    pub(super) fn alphabeta_as_brain(&self) -> String {
        format!("{} brain {ALPHABETA}", self.program.display())
    }

    fn event(&self, engine: &FoundEngine, opponent: Opponent) -> Command {
        let mut event = Command::new(&self.program);
        event.arg("match").arg("--dir").arg(&engine.folder).arg(&engine.id);
        event.arg(match opponent {
            Opponent::Alphabeta => ALPHABETA,
            Opponent::Itself => &engine.id,
        });
        // Quiet engines have the machine for themselves, as they do elsewhere.
        event.args(["--concurrency", "1", "--json", "--out"]).arg(self.folder.join("event"));
        event
    }

    fn score(&self, event: &mut Command, games: u32) -> Result<InteropScore> {
        let out = self.folder.join("event");
        if out.exists() {
            std::fs::remove_dir_all(&out).with_context(|| out.display().to_string())?;
        }
        match self.json(event) {
            Ok(summary) => Ok(read(&summary, games)),
            Err(error) => {
                let trouble = error.to_string().lines().next().map(str::to_owned);
                Ok(InteropScore { trouble, ..InteropScore::default() })
            }
        }
    }

    /// The object that a command prints, whatever its exit code.
    fn json(&self, command: &mut Command) -> Result<Value> {
        let output = command.stdin(Stdio::null()).output()?;
        if output.stdout.is_empty() {
            let told = String::from_utf8_lossy(&output.stderr);
            bail!("{}", told.lines().last().unwrap_or("it said nothing").trim());
        }
        serde_json::from_slice(&output.stdout).with_context(|| process::words(command))
    }
}

/// The score of the first engine of a summary.
fn read(summary: &Value, games: u32) -> InteropScore {
    let number = |value: &Value| value.as_u64().and_then(|n| u32::try_from(n).ok()).unwrap_or(0);
    // Standings come in the order of the points; the engine that is tried is named first.
    let standings = summary["standings"].as_array().cloned().unwrap_or_default();
    let is_tried = |row: &&Value| {
        let name = row["engine"].as_str().unwrap_or_default();
        name != ALPHABETA && !name.ends_with("#2")
    };
    let mut score = InteropScore::default();
    if let Some(row) = standings.iter().find(is_tried) {
        score.wins = number(&row["wins"]);
        score.losses = number(&row["losses"]);
        score.draws = number(&row["draws"]);
    }
    for row in standings.iter().filter(|row| row["engine"] != ALPHABETA) {
        let lost = row["terminations"].as_object().into_iter().flatten();
        for (cause, count) in lost.filter(|(cause, _)| !PLAYED_OUT.contains(&cause.as_str())) {
            score.forfeit(cause, number(count));
        }
    }
    if score.games() < games {
        score.trouble = Some(format!("{} of {games} games", score.games()));
    }
    score
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_score_is_that_of_the_engine_that_is_tried() {
        let row = |engine: &str, wins: u32, losses: u32, lost: Value| {
            json!({ "engine": engine, "wins": wins, "losses": losses, "draws": 0,
                    "terminations": lost })
        };
        let lost = json!({ "five": 2, "timeout": 1 });
        let standings = [row(ALPHABETA, 3, 1, json!({ "crash": 1 })), row("x", 1, 3, lost)];
        let score = read(&json!({ "standings": standings }), 4);
        assert_eq!(score.to_string(), "1-3-0 timeout 1");

        let itself = [
            row("x#2", 2, 2, json!({ "five": 1, "crash": 1 })),
            row("x", 2, 2, json!({ "five": 1, "illegal_answer": 1 })),
        ];
        let score = read(&json!({ "standings": itself }), 6);
        assert_eq!(score.to_string(), "2-2-0 crash 1 illegal_answer 1 (4 of 6 games)");
    }
}
