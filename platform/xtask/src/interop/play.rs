//! Events under this program and under c-gomoku-cli.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::path::{self, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::Value;
use xshell::{Cmd, Shell, cmd};

use super::{Encounter, InteropArgs};
use crate::process;

/// The opponent that is part of this program. Elsewhere it plays as a brain.
const ALPHABETA: &str = "builtin:alphabeta";

/// The openings of all encounters, from which a hundred games can be played: scattered stones near
/// the centre, in Gomocup's offsets.
const SUITE: &str = "platform/xtask/src/interop/openings.txt";

/// The ways to lose that are part of the game; every other one is a forfeit.
const PLAYED_OUT: &str = "five board_full overline double_four double_three resignation agreement \
    adjudication";

/// What c-gomoku-cli says of a forfeit, and what that is called here.
const FORFEITS: [(&str, &str); 3] = [
    ("time forfeit", "timeout"),
    ("opponent crash", "crash"),
    ("opponent illegal move", "illegal_answer"),
];

/// How long a game may take elsewhere. c-gomoku-cli waits for ever for some engines.
const LONGEST_GAME: Duration = Duration::from_secs(120);

/// What all runs share.
pub(super) struct Interop<'a> {
    pub sh: &'a Shell,
    pub program: PathBuf,
    /// Where files of the task go.
    pub folder: PathBuf,
    pub arguments: &'a InteropArgs,
}

impl Interop<'_> {
    /// The ids and paths of the text engines. Files that cannot be started are printed.
    pub(super) fn engines(&self) -> Result<Vec<(String, String)>> {
        let (program, brains) = (&self.program, &self.arguments.brains);
        let list = cmd!(self.sh, "{program} engines list --json --dir {brains}").read()?;
        let list: Value = serde_json::from_str(&list)?;
        for file in rows(&list["refused"]) {
            println!("not tried: {}: {}", text(&file["path"]), text(&file["reason"]));
        }
        let engines = rows(&list["engines"]).filter(|engine| engine["kind"] == "gomocup");
        Ok(engines.map(|engine| (text(&engine["id"]), text(&engine["path"]))).collect())
    }

    /// Checks an engine several times. Returns whether each run gave the same verdicts, and what
    /// they were. The times in details differ, so they are not compared.
    pub(super) fn check(&self, id: &str) -> Result<(bool, String)> {
        let (program, InteropArgs { brains, checks, .. }) = (&self.program, self.arguments);
        let mut verdicts: Vec<Vec<(String, bool)>> = Vec::new();
        for _ in 0..*checks {
            let checked =
                json(cmd!(self.sh, "{program} engines check --json --dir {brains} {id}"))?;
            let verdict = |step: &Value| (text(&step["name"]), step["ok"] == true);
            verdicts.push(rows(&checked["steps"]).map(verdict).collect());
        }
        let failed = verdicts.first().into_iter().flatten().filter(|(_, ok)| !ok);
        let failed: Vec<&str> = failed.map(|(name, _)| name.as_str()).collect();
        let is_same = verdicts.windows(2).all(|two| two[0] == two[1]);
        let told = match (is_same, &failed[..]) {
            (false, _) => format!("not the same in {checks} runs"),
            (true, []) => format!("passed, {checks} runs"),
            (true, failed) => format!("failed {}, {checks} runs", failed.join(", ")),
        };
        Ok((is_same, told))
    }

    /// Plays an encounter. The score is the engine's; against itself, that of the first seat's
    /// name, with the forfeits of both.
    pub(super) fn play(&self, id: &str, encounter: &Encounter) -> Result<InteropScore> {
        let Encounter { rule: (rule, _), size, time: (time, _), is_with_itself } = *encounter;
        let opponent = if is_with_itself { id } else { ALPHABETA };
        let board = format!("--rule {rule} --size {size} --tc {time}");
        let flags = format!("{board} --opening book --openings {SUITE}");
        self.event([id, opponent], self.arguments.games, &flags)
    }

    /// Plays a pair of games with an opening procedure of renju.
    pub(super) fn open(&self, id: &str, opening: &str) -> Result<InteropScore> {
        let opening = format!("--opening {opening} --opening-policy arbiter");
        self.event([id, ALPHABETA], 2, &format!("--rule renju --tc move=0.3 {opening}"))
    }

    fn event(&self, engines: [&str; 2], games: u32, flags: &str) -> Result<InteropScore> {
        let (program, brains) = (&self.program, &self.arguments.brains);
        let (out, number) = (self.folder.join("event"), games.to_string());
        self.sh.remove_path(&out)?;
        // Quiet engines have the machine for themselves, as they do elsewhere.
        let event = cmd!(
            self.sh,
            "{program} match --dir {brains} {engines...} --games {number} --concurrency 1 --json
             --out {out}"
        );
        Ok(json(event.args(flags.split(' '))).map_or_else(
            |error| InteropScore {
                trouble: error.to_string().lines().next().map(str::to_owned),
                ..InteropScore::default()
            },
            |summary| InteropScore::of_summary(&summary, games),
        ))
    }

    /// Plays an encounter under c-gomoku-cli, where that is given.
    pub(super) fn play_elsewhere(
        &self,
        path: &str,
        encounter: &Encounter,
    ) -> Result<Option<InteropScore>> {
        let InteropArgs { gomoku_cli: Some(program), games, .. } = self.arguments else {
            return Ok(None);
        };
        let Encounter { rule: (_, rule), size, time: (_, time), is_with_itself } = *encounter;
        let alphabeta = format!("{} brain {ALPHABETA}", self.program.display());
        let (other, number) = (if is_with_itself { path } else { &alphabeta }, games.to_string());
        let suite = path::absolute(SUITE)?;
        let mut event = Command::from(cmd!(
            self.sh,
            "{program} -engine name=tried cmd={path} -engine name=other cmd={other} -each tc={time}
             -rule {rule} -boardsize {size} -games {number} -repeat -openings file={suite}"
        ));
        let told = self.folder.join("c-gomoku-cli.txt");
        let out = File::create(&told)?;
        event.current_dir(&self.folder).stdout(out.try_clone()?).stderr(out);
        let ended = process::run_within(event, LONGEST_GAME * *games);
        let lines = self.sh.read_file(told)?;
        let mut score = InteropScore::of_lines(&lines, is_with_itself);
        if score.games() < *games {
            let last = lines.lines().last().unwrap_or("it said nothing").trim();
            let why = if ended.is_ok() { "it ended" } else { last };
            score.trouble = Some(format!("{} of {games} games: {why}", score.games()));
        }
        Ok(Some(score))
    }
}

/// The object that a command prints, whatever its exit code.
fn json(command: Cmd<'_>) -> Result<Value> {
    let words = command.to_string();
    let output = command.ignore_status().output()?;
    if output.stdout.is_empty() {
        let told = String::from_utf8_lossy(&output.stderr);
        bail!("{}", told.lines().last().unwrap_or("it said nothing").trim());
    }
    serde_json::from_slice(&output.stdout).context(words)
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn rows(list: &Value) -> impl Iterator<Item = &Value> {
    list.as_array().into_iter().flatten()
}

/// The score of an engine, and the games that it lost in another way than by the rules of the game.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct InteropScore {
    pub wins: u32,
    pub losses: u32,
    pub draws: u32,
    /// By cause.
    pub forfeits: BTreeMap<String, u32>,
    /// Why there are no more games, where there are too few.
    pub trouble: Option<String>,
}

impl InteropScore {
    /// The score of the first engine of a summary.
    fn of_summary(summary: &Value, games: u32) -> InteropScore {
        let number = |value: &Value| value.as_u64().unwrap_or(0) as u32;
        let mut score = InteropScore::default();
        for row in rows(&summary["standings"]).filter(|row| row["engine"] != ALPHABETA) {
            // Against itself the engine that is tried is the one that is named first.
            if !text(&row["engine"]).ends_with("#2") {
                [score.wins, score.losses, score.draws] =
                    ["wins", "losses", "draws"].map(|key| number(&row[key]));
            }
            for (cause, count) in row["terminations"].as_object().into_iter().flatten() {
                if !PLAYED_OUT.split(' ').any(|played_out| played_out == cause) {
                    score.forfeit(cause, number(count));
                }
            }
        }
        if score.games() < games {
            score.trouble = Some(format!("{} of {games} games", score.games()));
        }
        score
    }

    /// The score that c-gomoku-cli's lines tell: `[1] Finished game 3 (BLACK vs WHITE): 1-0 {why}`.
    fn of_lines(lines: &str, is_with_itself: bool) -> InteropScore {
        let mut score = InteropScore::default();
        let games = lines.lines().filter(|line| line.contains("Finished game "));
        for (players, end) in games.filter_map(|line| line.split_once("): ")) {
            let Some((result, why)) = end.split_once(' ') else { continue };
            let is_black = players.contains("(tried vs ");
            let has_lost = match result {
                "1-0" => Some(!is_black),
                "0-1" => Some(is_black),
                _ => None,
            };
            match has_lost {
                Some(true) => score.losses += 1,
                Some(false) => score.wins += 1,
                None => score.draws += 1,
            }
            let is_counted = has_lost == Some(true) || is_with_itself;
            for (_, cause) in FORFEITS.iter().filter(|(words, _)| is_counted && why.contains(words))
            {
                score.forfeit(cause, 1);
            }
        }
        score
    }

    pub(super) fn forfeit(&mut self, cause: &str, count: u32) {
        *self.forfeits.entry(cause.to_owned()).or_default() += count;
    }

    pub(super) fn forfeits(&self) -> u32 {
        self.forfeits.values().sum()
    }

    fn games(&self) -> u32 {
        self.wins + self.losses + self.draws
    }

    /// Whether two scores differ by no more than their errors at 95 %, by the interval of Agresti
    /// and Caffo (2000): each score with a win and a loss more. A draw is half a win.
    pub(super) fn agrees(&self, other: &InteropScore) -> bool {
        let [(one, one_variance), (two, two_variance)] = [self, other].map(|score| {
            let games = f64::from(score.games()) + 2.0;
            let rate = (f64::from(score.wins) + f64::from(score.draws) / 2.0 + 1.0) / games;
            (rate, rate * (1.0 - rate) / games)
        });
        (one - two).abs() <= 1.96 * (one_variance + two_variance).sqrt()
    }
}

impl fmt::Display for InteropScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}-{}", self.wins, self.losses, self.draws)?;
        for (cause, count) in &self.forfeits {
            write!(f, " {cause} {count}")?;
        }
        self.trouble.iter().try_for_each(|trouble| write!(f, " ({trouble})"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn score(wins: u32, losses: u32) -> InteropScore {
        InteropScore { wins, losses, ..InteropScore::default() }
    }

    #[test]
    fn scores_agree_within_their_errors() {
        assert!(score(11, 1).agrees(&score(9, 3)));
        assert!(!score(1, 11).agrees(&score(11, 1)));
        assert!(score(100, 0).agrees(&score(97, 3)));
        assert!(!score(100, 0).agrees(&score(80, 20)));
        assert!(score(0, 0).agrees(&score(4, 0)), "nothing says nothing");
    }

    #[test]
    fn a_score_tells_what_was_lost_by_forfeit() {
        let mut score = score(3, 2);
        score.forfeit("timeout", 1);
        score.forfeit("crash", 0);
        score.forfeit("timeout", 1);
        assert_eq!((score.forfeits(), score.to_string().as_str()), (2, "3-2-0 crash 0 timeout 2"));
    }

    #[test]
    fn the_score_is_that_of_the_engine_that_is_tried() {
        let row = |engine: &str, wins: u32, losses: u32, lost: Value| {
            json!({ "engine": engine, "wins": wins, "losses": losses, "draws": 0,
                    "terminations": lost })
        };
        let lost = json!({ "five": 2, "timeout": 1 });
        let standings = [row(ALPHABETA, 3, 1, json!({ "crash": 1 })), row("x", 1, 3, lost)];
        let score = InteropScore::of_summary(&json!({ "standings": standings }), 4);
        assert_eq!(score.to_string(), "1-3-0 timeout 1");

        let itself = [
            row("x#2", 2, 2, json!({ "five": 1, "crash": 1 })),
            row("x", 2, 2, json!({ "five": 1, "illegal_answer": 1 })),
        ];
        let score = InteropScore::of_summary(&json!({ "standings": itself }), 6);
        assert_eq!(score.to_string(), "2-2-0 crash 1 illegal_answer 1 (4 of 6 games)");
    }

    const LINES: &str = "\
[1] Started game 1 of 4 (tried vs other)
[1] Finished game 1 (tried vs other): 1-0 {Black win by five connection}
Score of tried vs other: 1 - 0 - 0  [1.000] 1
[1] Finished game 2 (other vs tried): 1-0 {Black win by time forfeit}
[1] Finished game 3 (tried vs other): 1-0 {Black win by opponent crash}
[1] Finished game 4 (other vs tried): 1/2-1/2 {Draw by fullfilled board}
";

    #[test]
    fn the_lines_of_c_gomoku_cli_tell_who_lost_and_why() {
        let score = |is_with_itself| InteropScore::of_lines(LINES, is_with_itself).to_string();
        assert_eq!(score(false), "2-1-1 timeout 1");
        assert_eq!(score(true), "2-1-1 crash 1 timeout 1");
    }

    #[test]
    fn every_opening_has_its_stones_near_the_centre() {
        let suite = include_str!("openings.txt");
        assert_eq!(suite.lines().count(), 50);
        for line in suite.lines() {
            let numbers: Vec<i32> =
                line.split([',', ' ']).filter_map(|word| word.parse().ok()).collect();
            assert_eq!(numbers.len(), 2 * 4, "{line}");
            assert!(numbers.iter().all(|number| number.abs() <= 3), "{line}");
        }
    }
}
