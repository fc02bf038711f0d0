//! Long runs that must not wear the program out.

use anyhow::Result;
use xshell::Shell;

use crate::engines;
use crate::process::cargo;
use crate::steps::Steps;

/// The games of a whole soak, and of the one in every run of the tests.
pub(crate) const GAMES: u32 = 10_000;
pub(crate) const SHORT: u32 = 400;

/// The task `soak`.
pub(crate) fn run(sh: &Shell, steps: &mut Steps, games: u32) -> Result<()> {
    steps.step("engines", |notes| engines::build_test_engines(sh, notes))?;
    steps.step("soak", |_| play(sh, games))
}

/// Plays events whose engines are killed; the engines have been built.
pub(crate) fn play(sh: &Shell, games: u32) -> Result<()> {
    let test = cargo(sh, "test --workspace --test soak -- --ignored --nocapture");
    Ok(test.env("TENGEN_SOAK_GAMES", games.to_string()).run()?)
}

/// The task `soak --tables`: the load test of the server's tables.
pub(crate) fn tables(sh: &Shell) -> Result<()> {
    let load = "run --release --package tengen-web --features server --example table_load";
    Ok(cargo(sh, load).run()?)
}
