//! Real engines, each through a fixed set of events: under this program, and, where that is given,
//! under c-gomoku-cli as well, with the same opponent, openings and times. What the two say of an
//! engine is held side by side.

mod encounter;
mod gomoku_cli;
mod openings;
mod score;
mod table;
mod tengen;

use std::fs;
use std::path::{self, PathBuf};

use anyhow::{Context, Result, ensure};

use crate::artifacts;
use crate::workspace;
use encounter::{ENCOUNTERS, OPENINGS};
use table::InteropRow;
use tengen::TengenProgram;

/// How many games each encounter has, and how often each engine is checked, unless it is said
/// otherwise.
const GAMES: u32 = 4;
const CHECKS: u32 = 2;

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
    pub(crate) fn read(words: &[&str]) -> Option<InteropArgs> {
        let mut brains = None;
        let (mut gomoku_cli, mut only) = (None, Vec::new());
        let (mut games, mut checks) = (GAMES, CHECKS);
        for pair in words.chunks(2) {
            let &[flag, value] = pair else { return None };
            // Chores run in the workspace's root, which need not be where the name was typed.
            match flag {
                "--brains" => brains = Some(path::absolute(value).ok()?),
                "--gomoku-cli" => gomoku_cli = Some(path::absolute(value).ok()?),
                "--only" => only.push(value.to_owned()),
                "--games" => {
                    games = value.parse().ok().filter(|n: &u32| n.is_multiple_of(2) && *n > 0)?
                }
                "--checks" => checks = value.parse().ok()?,
                _ => return None,
            }
        }
        Some(InteropArgs { brains: brains?, gomoku_cli, only, games, checks })
    }
}

/// The task `interop`. It fails where an engine came off worse here than under c-gomoku-cli.
pub(crate) fn run(arguments: &InteropArgs) -> Result<()> {
    let folder = workspace::target()?.join("interop");
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| folder.display().to_string())?;
    }
    fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let suite = folder.join("openings.txt");
    fs::write(&suite, openings::suite()).with_context(|| suite.display().to_string())?;
    let tengen = TengenProgram { program: artifacts::program()?, folder, suite };

    let found = tengen.engines(&arguments.brains)?;
    for (path, reason) in &found.refused {
        println!("not tried: {path}: {reason}");
    }
    let wanted = |id: &String| arguments.only.is_empty() || arguments.only.contains(id);
    let engines: Vec<_> = found.engines.into_iter().filter(|engine| wanted(&engine.id)).collect();
    let folder = arguments.brains.display();
    ensure!(!engines.is_empty(), "no text engine that can be started was found in {folder}");

    println!("{}", table::HEAD);
    let mut worse = Vec::new();
    let mut tell = |row: InteropRow| {
        println!("{row}");
        if row.is_worse() {
            worse.push(format!("{}, {}", row.engine, row.what));
        }
    };
    for engine in &engines {
        tell(InteropRow::check(&engine.id, &tengen.check(engine, arguments.checks)?));
        for encounter in ENCOUNTERS {
            let here = tengen.play(engine, &encounter, arguments.games)?;
            let there = match &arguments.gomoku_cli {
                Some(program) => {
                    Some(gomoku_cli::play(program, &tengen, engine, &encounter, arguments.games)?)
                }
                None => None,
            };
            tell(InteropRow::encounter(&engine.id, &encounter, &here, there.as_ref()));
        }
        for opening in OPENINGS {
            tell(InteropRow::opening(&engine.id, opening, &tengen.open(engine, opening)?));
        }
    }
    ensure!(worse.is_empty(), "worse here than elsewhere: {}", worse.join("; "));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_are_pairs_and_name_a_folder() {
        let read = InteropArgs::read(&["--brains", "/a", "--games", "10", "--only", "x"]).unwrap();
        assert_eq!((read.brains, read.games, read.checks), ("/a".into(), 10, CHECKS));
        assert_eq!(read.only, ["x"]);
        for wrong in [
            &[][..],
            &["--games", "10"],
            &["--brains"],
            &["--brains", "/a", "--games", "3"],
            &["--brains", "/a", "--fast", "1"],
        ] {
            assert_eq!(InteropArgs::read(wrong), None, "{wrong:?}");
        }
    }
}
