//! `cargo xtask demo`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::artifacts;
use crate::engines;
use crate::process;
use crate::steps::Steps;
use crate::workspace;

/// The task `demo`.
pub(crate) fn run() -> Result<()> {
    let mut steps = Steps::default();
    let mut program = PathBuf::new();
    steps.step("engines", engines::build_examples)?;
    steps.step("program", |_| {
        program = artifacts::program()?;
        Ok(())
    })?;
    steps.step("tournament", |_| play(&program))?;
    steps.summarise();
    let folder = std::env::current_dir()?;
    let program = program.strip_prefix(folder).unwrap_or(&program).display();
    println!(
        "\nThe program is {program}. To save time it was built without the window.\n\
         To add the window:  cargo build --release\n\
         To open it:         {program} gui"
    );
    Ok(())
}

fn play(program: &Path) -> Result<()> {
    let out = workspace::target()?.join("demo");
    if out.exists() {
        fs::remove_dir_all(&out).with_context(|| out.display().to_string())?;
    }
    let mut tournament = Command::new(program);
    tournament.args(["tournament", "run", "--engines"]).args(players());
    tournament.args(["--rule", "renju", "--opening", "swap2", "--tc", "move=0.02"]);
    tournament.args(["--games", "4", "--seed", "1", "--out"]).arg(&out);
    println!("   {}", process::words(&tournament));
    process::run(&mut tournament)
}

/// The examples that were built: native engines always, modules where there was a toolchain.
fn players() -> Vec<&'static str> {
    let modules = [("alphabeta-wasm", "alphabeta.wasm"), ("greedy-wasm", "greedy.wasm")];
    let built = modules.into_iter().filter(|(_, file)| Path::new("engines").join(file).exists());
    ["alphabeta", "greedy", "minimal-c"].into_iter().chain(built.map(|(id, _)| id)).collect()
}
