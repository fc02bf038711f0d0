//! Makes the balanced opening suites that events play from by default.
//!
//! Scattered positions are drawn by lot, and the built-in engine plays from each against itself,
//! with different numbers of nodes for the two, so that no game is another one again. A position
//! stays where each colour wins as often as the other in every match; and games with other numbers
//! of nodes, which chose none, say how balanced what stayed is.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use tengen_random::output;

use crate::artifacts;
use crate::process;
use crate::workspace;

/// The suites: rule and board. Those of the contests, and the usual board for each rule.
const SUITES: [(&str, u8); 7] = [
    ("freestyle", 15),
    ("freestyle", 20),
    ("standard", 15),
    ("standard", 20),
    ("renju", 15),
    ("caro", 15),
    ("caro", 20),
];
/// Where the suites lie.
const FOLDER: &str = "platform/tournament/suites";
/// Positions drawn for one suite, and the most that it keeps.
const DRAWN: usize = 1200;
const KEPT: usize = 60;
/// How far from the centre a stone may lie.
const REACH: u64 = 4;
/// The nodes of the two engines in each match that positions are chosen by, and in the one that
/// checks what was chosen.
const CHOICES: [(u32, u32); 3] = [(150, 220), (500, 750), (1200, 1700)];
const CHECK: (u32, u32) = (900, 1300);

/// What `suites` was asked for.
pub(crate) struct SuitesArgs {
    program: Option<PathBuf>,
    only: Option<String>,
}

impl SuitesArgs {
    /// Reads the words after `suites`; none if they make no sense.
    pub(crate) fn read(words: &[&str]) -> Option<SuitesArgs> {
        let mut arguments = SuitesArgs { program: None, only: None };
        for pair in words.chunks(2) {
            match *pair {
                ["--program", path] => arguments.program = Some(path.into()),
                ["--only", name] => arguments.only = Some(name.to_owned()),
                _ => return None,
            }
        }
        Some(arguments)
    }
}

/// The stones of a position as offsets from the centre, in the order in which they are laid.
type StoneOffsets = Vec<(i64, i64)>;

/// The chore `suites`.
pub(crate) fn run(arguments: &SuitesArgs) -> Result<()> {
    let program = match &arguments.program {
        Some(program) => program.clone(),
        None => artifacts::program()?,
    };
    let scratch = workspace::target()?.join("suites");
    fs::create_dir_all(FOLDER)?;
    for (seed, (rule, size)) in (2026..).zip(SUITES) {
        let name = format!("{rule}-{size}");
        if arguments.only.as_ref().is_some_and(|only| *only != name) {
            continue;
        }
        let chore = Chore { program: &program, scratch: scratch.join(&name), rule, size };
        let mut positions = draw(seed);
        let mut games = 0;
        for nodes in CHOICES {
            games += 2 * positions.len();
            let points = chore.play(&positions, nodes)?;
            let is_even = points.into_iter().map(|points| points == 2);
            positions = positions.into_iter().zip(is_even).filter(|p| p.1).map(|p| p.0).collect();
            println!("{name}: {} positions stay", positions.len());
        }
        positions.truncate(KEPT);
        let points: u32 = chore.play(&positions, CHECK)?.into_iter().sum();
        let share = 100.0 * f64::from(points) / (4 * positions.len()) as f64;
        let mut text = format!(
            "# Balanced positions for {rule} on {size}x{size}, made by `cargo xtask suites`.\n\
             # Of {DRAWN} drawn by lot those are left from which, in {games} games of alphabeta\n\
             # against itself with {CHOICES:?} nodes a move,\n\
             # Black and White made as many points. In {} other games from them, with\n\
             # {CHECK:?} nodes, Black made {share:.1} % of the points.\n",
            2 * positions.len(),
        );
        for position in &positions {
            let stones: Vec<_> = position.iter().map(|(x, y)| format!("{x},{y}")).collect();
            writeln!(text, "{}", stones.join(", "))?;
        }
        fs::write(Path::new(FOLDER).join(format!("{name}.pos")), text)?;
        println!("{name}: {} positions, Black makes {share:.1} %", positions.len());
    }
    Ok(())
}

/// Positions of four to seven stones about the centre, none of which is another one turned.
fn draw(seed: u64) -> Vec<StoneOffsets> {
    let (mut lot, mut seen) = (0, BTreeSet::new());
    let mut next = |below: u64| {
        lot += 1;
        output(seed, lot) % below
    };
    let mut positions = Vec::new();
    while positions.len() < DRAWN {
        let count = 4 + next(4) as usize;
        let mut position = StoneOffsets::new();
        while position.len() < count {
            let mut offset = || next(2 * REACH + 1) as i64 - REACH as i64;
            let stone = (offset(), offset());
            if !position.contains(&stone) {
                position.push(stone);
            }
        }
        if seen.insert(canonical(&position)) {
            positions.push(position);
        }
    }
    positions
}

/// The least of the eight ways to turn and mirror a position, whatever the order of its stones.
fn canonical(position: &StoneOffsets) -> Vec<(i64, i64, usize)> {
    let turned = |turn: u8| {
        let mut stones: Vec<_> = (0..)
            .zip(position)
            .map(|(place, &(x, y))| {
                let (x, y) = if turn & 1 == 0 { (x, y) } else { (y, x) };
                let x = if turn & 2 == 0 { x } else { -x };
                (x, if turn & 4 == 0 { y } else { -y }, place % 2)
            })
            .collect();
        stones.sort_unstable();
        stones
    };
    (0..8).map(turned).min().unwrap_or_default()
}

/// How one suite is played.
struct Chore<'a> {
    program: &'a Path,
    scratch: PathBuf,
    rule: &'a str,
    size: u8,
}

impl Chore<'_> {
    /// Plays two games from each position between engines of so many nodes, each with each colour,
    /// and gives for each position the half points of Black.
    fn play(&self, positions: &[StoneOffsets], nodes: (u32, u32)) -> Result<Vec<u32>> {
        ensure!(!positions.is_empty(), "{} {}: no position stays", self.rule, self.size);
        if self.scratch.exists() {
            fs::remove_dir_all(&self.scratch)?;
        }
        fs::create_dir_all(&self.scratch)?;
        let suite = self.scratch.join("candidates.pos");
        let line = |position: &StoneOffsets| {
            let stones: Vec<_> = position.iter().map(|(x, y)| format!("{x},{y}")).collect();
            stones.join(", ") + "\n"
        };
        fs::write(&suite, positions.iter().map(line).collect::<String>())?;
        let out = self.scratch.join("event");
        let mut command = Command::new(self.program);
        command.arg("match");
        for (name, nodes) in [("few", nodes.0), ("many", nodes.1)] {
            command.args(["--engine", "cmd=builtin:alphabeta", &format!("name={name}")]);
            command.arg(format!("tc=nodes={nodes}"));
        }
        command.args(["--rule", self.rule, "--size", &self.size.to_string()]);
        command.args(["--opening", "book", "--openings"]).arg(&suite);
        command.args(["--games", &(2 * positions.len()).to_string(), "--json", "--out"]).arg(&out);
        process::output(&mut command)?;
        let mut points = vec![0; positions.len()];
        let records = fs::read_to_string(out.join("games.jsonl"))?;
        for record in records.lines() {
            let record: Value = serde_json::from_str(record)?;
            let number = record["game"].as_u64().context("a record without its number")?;
            let place = (number as usize - 1) / 2;
            // Who sits first in a game from a book holds the black stones.
            points[place] += match record["result"]["winner"].as_str() {
                None => 1,
                Some("first") => 2,
                Some(_) => 0,
            };
        }
        Ok(points)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_drawn_alike_and_none_twice() {
        let positions = draw(7);
        assert_eq!(positions, draw(7));
        assert!(positions.iter().all(|position| (4..=7).contains(&position.len())));
        let images: BTreeSet<_> = positions.iter().map(canonical).collect();
        assert_eq!(images.len(), DRAWN);
    }

    #[test]
    fn turned_positions_are_one() {
        let position = vec![(0, 1), (2, -3), (4, 4)];
        let turned = vec![(-1, 0), (3, 2), (-4, 4)];
        assert_eq!(canonical(&position), canonical(&turned));
        let swapped = vec![(2, -3), (0, 1), (4, 4)];
        assert_ne!(canonical(&position), canonical(&swapped), "the colours are others");
    }
}
