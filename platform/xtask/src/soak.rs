//! A long event whose engines are killed all along: what the program uses must not grow.

mod event;
mod usage;

use std::fs;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, ensure};

use crate::artifacts;
use crate::engines;
use crate::process;
use crate::steps::Steps;
use crate::workspace;
use event::{ProcessReuse, SoakEvent};
use usage::UsageSamples;

/// The games of a whole soak, and of the one in every run of the tests.
pub(crate) const GAMES: u32 = 10_000;
const SHORT: u32 = 400;

/// The task `soak`.
pub(crate) fn task(games: u32) -> Result<()> {
    let mut steps = Steps::default();
    steps.step("engines", engines::build_test_engines)?;
    steps.step("soak", |_| run(games))?;
    steps.summarise();
    Ok(())
}

/// The task `soak --tables`: the load test of the server's tables.
pub(crate) fn tables() -> Result<()> {
    let mut load = Command::new(workspace::cargo());
    load.args(["run", "--release", "--package", "tengen-web", "--features", "server"]);
    process::run(load.args(["--example", "table_load"]))
}

/// A few games, for the task `test`; the engines have been built.
pub(crate) fn run_short() -> Result<()> {
    run(SHORT)
}

fn run(games: u32) -> Result<()> {
    if !cfg!(target_os = "linux") {
        println!("   left out: what a program uses is looked up in /proc, which only Linux has");
        return Ok(());
    }
    let program = artifacts::test_program()?;
    let folder = workspace::target()?.join("soak");
    let found = workspace::target()?.join("test-engines");
    let mut verdicts = Vec::new();
    println!("{}", UsageSamples::HEAD);
    for style in [ProcessReuse::Kept, ProcessReuse::Restarted] {
        if folder.exists() {
            fs::remove_dir_all(&folder).with_context(|| folder.display().to_string())?;
        }
        let event = SoakEvent::prepare(&folder, &found, style, games / 2)?;
        let began = Instant::now();
        let run = event.play(&program)?;
        let spent = began.elapsed().as_secs_f64();
        println!("{}", run.looks.table(style.name()));
        println!(
            "{:<12}{} games in {spent:.1} s, {} processes killed, {} games lost by a crash\n",
            "", run.games, run.kills, run.crashes
        );
        verdicts.extend(run.looks.growth().into_iter().map(|what| (style, what)));
        verdicts.extend(run.complaints().into_iter().map(|what| (style, what)));
    }
    let told: Vec<String> =
        verdicts.iter().map(|(style, what)| format!("{}: {what}", style.name())).collect();
    ensure!(told.is_empty(), "{}", told.join("; "));
    Ok(())
}
