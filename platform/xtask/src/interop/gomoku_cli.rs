//! The same events under c-gomoku-cli.

use std::fs::{self, File};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};

use super::encounter::{Match, Opponent};
use super::score::InteropScore;
use super::tengen::{FoundEngine, TengenProgram};
use crate::process;

/// The names of the two, by which its lines are distinguished.
const TRIED: &str = "tried";
const OTHER: &str = "other";
/// How long a game may take. It waits for ever for some engines.
const LONGEST_GAME: Duration = Duration::from_secs(120);

/// Plays an encounter there.
pub(super) fn play(
    program: &Path,
    tengen: &TengenProgram,
    engine: &FoundEngine,
    what: &Match,
    games: u32,
) -> Result<InteropScore> {
    let opponent = match what.opponent {
        Opponent::Alphabeta => tengen.alphabeta_as_brain(),
        Opponent::Itself => engine.path.display().to_string(),
    };
    let told = tengen.folder.join("c-gomoku-cli.txt");
    let out = File::create(&told).with_context(|| told.display().to_string())?;
    let mut event = Command::new(program);
    event.current_dir(&tengen.folder);
    event.args(["-engine", &format!("name={TRIED}"), &format!("cmd={}", engine.path.display())]);
    event.args(["-engine", &format!("name={OTHER}"), &format!("cmd={opponent}")]);
    event.args(["-each", &format!("tc={}", what.time.gomoku_cli())]);
    event.args(["-rule", what.rule.number(), "-boardsize", &what.size.to_string()]);
    event.args(["-games", &games.to_string(), "-repeat", "-openings"]);
    event.arg(format!("file={}", tengen.suite.display()));
    event.stdout(out.try_clone()?).stderr(out);
    let ended = process::run_within(&mut event, LONGEST_GAME * games);
    let lines = fs::read_to_string(&told).with_context(|| told.display().to_string())?;
    let mut score = read(&lines, what.opponent);
    if score.games() < games {
        let last = lines.lines().last().unwrap_or("it said nothing").trim();
        let why = if ended.is_ok() { "it ended" } else { last };
        score.trouble = Some(format!("{} of {games} games: {why}", score.games()));
    }
    Ok(score)
}

/// Reads its lines `[1] Finished game 3 (BLACK vs WHITE): 1-0 {why}`.
fn read(lines: &str, opponent: Opponent) -> InteropScore {
    let mut score = InteropScore::default();
    for line in lines.lines() {
        let Some((_, game)) = line.split_once("Finished game ") else { continue };
        let Some((players, end)) = game.split_once("): ") else { continue };
        let Some((_, players)) = players.split_once('(') else { continue };
        let Some((black, _)) = players.split_once(" vs ") else { continue };
        let Some((result, why)) = end.split_once(' ') else { continue };
        let is_black = black == TRIED;
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
        if has_lost == Some(true) || opponent == Opponent::Itself {
            let causes = [
                ("time forfeit", "timeout"),
                ("opponent crash", "crash"),
                ("opponent illegal move", "illegal_answer"),
            ];
            let cause = causes.into_iter().find(|(words, _)| why.contains(words));
            cause.inspect(|(_, cause)| score.forfeit(cause, 1));
        }
    }
    score
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINES: &str = "\
[1] Started game 1 of 4 (tried vs other)
[1] Finished game 1 (tried vs other): 1-0 {Black win by five connection}
Score of tried vs other: 1 - 0 - 0  [1.000] 1
[1] Finished game 2 (other vs tried): 1-0 {Black win by time forfeit}
[1] Finished game 3 (tried vs other): 1-0 {Black win by opponent crash}
[1] Finished game 4 (other vs tried): 1/2-1/2 {Draw by fullfilled board}
";

    #[test]
    fn its_lines_tell_who_lost_and_why() {
        let score = read(LINES, Opponent::Alphabeta);
        assert_eq!(score.to_string(), "2-1-1 timeout 1");
        assert_eq!(read(LINES, Opponent::Itself).to_string(), "2-1-1 crash 1 timeout 1");
    }
}
