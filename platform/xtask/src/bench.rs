//! Benchmarks and long runs.

use anyhow::Result;
use xshell::Shell;

use crate::engines;
use crate::process::cargo;
use crate::steps::Steps;

/// Every measurement: its name, and the words for cargo.
const BENCHES: [(&str, &str); 11] = [
    ("forbidden map", "bench --package tengen-rules --bench forbidden"),
    ("arbiter", "bench --package tengen-arbiter --bench arbiter"),
    ("record", "bench --package tengen-record --bench record"),
    ("table and store", "bench --package tengen-tournament --bench throughput"),
    ("ratings and tests", "bench --package tengen-stats --bench figures"),
    ("overhead a move", "bench --package tengen-hosts --bench overhead"),
    ("words of brains", "bench --package tengen-gomocup --bench dialogue"),
    ("ten thousand games in a report", "bench --package tengen-web"),
    ("alphabeta", "bench --package alphabeta"),
    // Without optimisation, for an optimised window takes long to build.
    ("games in the window", "test --workspace --test gui -- lists::frames --ignored --nocapture"),
    THROUGHPUT,
];

/// With the program as the demo builds it.
const THROUGHPUT: (&str, &str) =
    ("games a second", "bench --profile release --no-default-features --bench throughput");

/// The games of a whole soak, and of the one in every run of the tests.
pub(crate) const SOAK_GAMES: u32 = 10_000;
pub(crate) const SHORT_SOAK: u32 = 400;

pub(crate) fn run(sh: &Shell, steps: &mut Steps) -> Result<()> {
    steps.step("engines", |notes| {
        engines::build_examples(sh, notes)?;
        engines::build_test_engines(sh, notes)
    })?;
    BENCHES.iter().try_for_each(|(name, words)| steps.step(name, |_| Ok(cargo(sh, words).run()?)))
}

pub(crate) fn throughput(sh: &Shell, steps: &mut Steps) -> Result<()> {
    steps.step("engines", |notes| engines::build_test_engines(sh, notes))?;
    steps.step(THROUGHPUT.0, |_| Ok(cargo(sh, THROUGHPUT.1).run()?))
}

pub(crate) fn soak(sh: &Shell, steps: &mut Steps, games: u32) -> Result<()> {
    steps.step("engines", |notes| engines::build_test_engines(sh, notes))?;
    steps.step("soak", |_| play_soak(sh, games))
}

/// Plays events and kills their engines again and again; the engines have been built.
pub(crate) fn play_soak(sh: &Shell, games: u32) -> Result<()> {
    let test = cargo(sh, "test --workspace --test soak -- --ignored --nocapture");
    Ok(test.env("TENGEN_SOAK_GAMES", games.to_string()).run()?)
}

/// The task `soak --tables`: the load test of the server's tables.
pub(crate) fn soak_tables(sh: &Shell) -> Result<()> {
    let load = "run --release --package tengen-web --features server --example table_load";
    Ok(cargo(sh, load).run()?)
}
