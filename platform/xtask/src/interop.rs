//! Runs real engines through a fixed set of events: under this program and, if it is given, under
//! c-gomoku-cli as well, with the same opponent, openings and times. The two results of each engine
//! are printed side by side.

mod play;

use std::ffi::OsStr;
use std::iter;
use std::path::{self, PathBuf};

use anyhow::{Result, ensure};
use pico_args::Arguments;
use xshell::Shell;

use crate::process::{self, RELEASE};
use play::{Interop, InteropScore};

/// How many games each encounter has, and how often each engine is checked, unless it is said
/// otherwise.
const GAMES: u32 = 4;
const CHECKS: u32 = 2;

/// What this program and c-gomoku-cli call the same.
type Names = (&'static str, &'static str);

const FREESTYLE: Names = ("freestyle", "0");
const STANDARD: Names = ("standard", "1");
const RENJU: Names = ("renju", "4");
/// 0.3 s a move.
const MOVE: Names = ("move=0.3", "0/0.3");
/// 5 s a game and 0.1 s more with each move.
const GAME: Names = ("5+0.1", "5/5+0.1");

/// The rules and sizes under which an engine meets the one that is part of this program.
const BOARDS: [(Names, &str); 4] =
    [(FREESTYLE, "15"), (FREESTYLE, "20"), (STANDARD, "15"), (RENJU, "15")];

/// The opening procedures, each played under renju against the opponent of this program. Others
/// have none of them.
const OPENINGS: [&str; 9] =
    ["pro", "long-pro", "swap", "swap2", "rif", "contest", "yamaguchi", "soosorv8", "taraguchi10"];

/// The verdict on an engine that forfeited here what it did not elsewhere, or came off worse.
const WORSE: &str = "WORSE HERE";

/// Games of an engine in pairs with the sides changed.
struct Encounter {
    rule: Names,
    size: &'static str,
    time: Names,
    /// Whether the opponent is the same engine once more.
    is_with_itself: bool,
}

/// What was typed behind `interop`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct InteropArgs {
    /// A folder of engines, as `tengen engines list` takes it.
    brains: PathBuf,
    /// c-gomoku-cli's program.
    gomoku_cli: Option<PathBuf>,
    /// The engines to try; none is all in the folder.
    only: Vec<String>,
    games: u32,
    checks: u32,
}

impl InteropArgs {
    /// Reads `--brains DIR [--gomoku-cli PROGRAM] [--only ID]… [--games N] [--checks N]`.
    pub(crate) fn read(words: &mut Arguments) -> Result<InteropArgs> {
        let games = words.opt_value_from_str("--games")?.unwrap_or(GAMES);
        ensure!(games > 0 && games.is_multiple_of(2), "--games takes an even number above 0");
        // Tasks run in the root of the repository, which need not be where a name was typed.
        let absolute = |path: &OsStr| path::absolute(path);
        Ok(InteropArgs {
            brains: words.value_from_os_str("--brains", absolute)?,
            gomoku_cli: words.opt_value_from_os_str("--gomoku-cli", absolute)?,
            only: words.values_from_str("--only")?,
            games,
            checks: words.opt_value_from_str("--checks")?.unwrap_or(CHECKS),
        })
    }
}

/// The task `interop`. It fails where an engine came off worse here than under c-gomoku-cli.
pub(crate) fn run(sh: &Shell, arguments: &InteropArgs) -> Result<()> {
    let folder = sh.create_dir(process::clear_target(sh, "interop")?)?;
    let interop = Interop { sh, program: process::build_program(sh, RELEASE)?, folder, arguments };
    let mut engines = interop.engines()?;
    engines.retain(|(id, _)| arguments.only.is_empty() || arguments.only.contains(id));
    let folder = arguments.brains.display();
    ensure!(!engines.is_empty(), "no text engine that can be started was found in {folder}");

    println!("| engine | what | here | c-gomoku-cli | verdict |\n|---|---|---|---|---|");
    let mut worse = Vec::new();
    for (id, path) in &engines {
        try_engine(&interop, id, path, |what, here, there, verdict| {
            println!("| {id} | {what} | {here} | {there} | {verdict} |");
            worse.extend((verdict == WORSE).then(|| format!("{id}, {what}")));
        })?;
    }
    ensure!(worse.is_empty(), "worse here than elsewhere: {}", worse.join("; "));
    Ok(())
}

/// Tries an engine and prints for each trial the results here and elsewhere, and the verdict.
fn try_engine(
    interop: &Interop<'_>,
    id: &str,
    path: &str,
    mut tell: impl FnMut(&str, &str, &str, &str),
) -> Result<()> {
    let (is_same, checked) = interop.check(id)?;
    tell("check", &checked, "", if is_same { "" } else { WORSE });
    let itself = Encounter { rule: FREESTYLE, size: "15", time: MOVE, is_with_itself: true };
    let others = BOARDS.into_iter().flat_map(|(rule, size)| {
        [MOVE, GAME].map(|time| Encounter { rule, size, time, is_with_itself: false })
    });
    for encounter in iter::once(itself).chain(others) {
        let here = interop.play(id, &encounter)?;
        let there = interop.play_elsewhere(path, &encounter)?;
        let Encounter { rule, size, time, is_with_itself } = encounter;
        let opponent = if is_with_itself { "itself" } else { "alphabeta" };
        let what = format!("{} {size}, {}, {opponent}", rule.0, time.0);
        let verdict = judge(&here, there.as_ref());
        let there = there.as_ref().map(InteropScore::to_string).unwrap_or_default();
        tell(&what, &here.to_string(), &there, verdict);
    }
    for opening in OPENINGS {
        let here = interop.open(id, opening)?;
        let what = format!("renju 15, opening {opening}");
        tell(&what, &here.to_string(), "", judge(&here, None));
    }
    Ok(())
}

/// The verdict on an engine's games here, compared with those elsewhere. Forfeits that it also had
/// elsewhere, or that cannot be compared, are not worse.
fn judge(here: &InteropScore, there: Option<&InteropScore>) -> &'static str {
    let has_forfeits = match there {
        Some(there) if here.forfeits() > there.forfeits() => return WORSE,
        Some(there) if here.trouble.is_some() && there.trouble.is_none() => return WORSE,
        Some(there) if !here.agrees(there) => return "another score",
        Some(_) => here.forfeits() > 0,
        None => here.forfeits() > 0 || here.trouble.is_some(),
    };
    if has_forfeits { "forfeits" } else { "" }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &[&str]) -> Option<InteropArgs> {
        let mut words = Arguments::from_vec(words.iter().map(Into::into).collect());
        let read = InteropArgs::read(&mut words).ok()?;
        words.finish().is_empty().then_some(read)
    }

    #[test]
    fn the_arguments_are_pairs_and_name_a_folder() {
        let given = read(&["--brains", "/a", "--games", "10", "--only", "x"]).unwrap();
        assert_eq!((given.brains, given.games, given.checks), ("/a".into(), 10, CHECKS));
        assert_eq!(given.only, ["x"]);
        for wrong in [
            &[][..],
            &["--games", "10"],
            &["--brains"],
            &["--brains", "/a", "--games", "3"],
            &["--brains", "/a", "--fast", "1"],
        ] {
            assert_eq!(read(wrong), None, "{wrong:?}");
        }
    }

    fn score(wins: u32, losses: u32, forfeits: u32) -> InteropScore {
        let mut score = InteropScore { wins, losses, ..InteropScore::default() };
        if forfeits > 0 {
            score.forfeit("protocol_error", forfeits);
        }
        score
    }

    #[test]
    fn a_forfeit_that_others_do_not_give_is_worse() {
        let judged = |here: InteropScore, there: Option<InteropScore>| judge(&here, there.as_ref());
        assert_eq!(judged(score(11, 1, 0), Some(score(10, 2, 0))), "");
        assert_eq!(judged(score(1, 11, 11), Some(score(11, 1, 0))), WORSE);
        assert_eq!(judged(score(11, 1, 1), Some(score(11, 1, 0))), WORSE);
        assert_eq!(judged(score(3, 1, 1), Some(score(3, 1, 1))), "forfeits");
        assert_eq!(judged(score(1, 11, 0), Some(score(11, 1, 0))), "another score");
        assert_eq!(judged(score(3, 1, 1), None), "forfeits");
        assert_eq!(judged(score(3, 1, 0), None), "");
        let stuck =
            InteropScore { trouble: Some("no games".to_owned()), ..InteropScore::default() };
        assert_eq!(judged(stuck.clone(), Some(score(3, 1, 0))), WORSE);
        assert_eq!(judged(stuck.clone(), Some(stuck)), "");
    }
}
