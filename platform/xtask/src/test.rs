//! `cargo xtask test`.

use anyhow::Result;
use xshell::Shell;

use crate::bench;
use crate::engines;
use crate::fuzz;
use crate::nats;
use crate::page;
use crate::process::{self, cargo};
use crate::smoke;
use crate::steps::Steps;
use crate::tidy;
use crate::windows;

/// The task `test`: cheap checks first, so that a slip shows within seconds.
pub(crate) fn run(sh: &Shell, steps: &mut Steps) -> Result<()> {
    let cargo = |words: &str| cargo(sh, words);
    steps.step("tidy", |_| tidy::run(sh))?;
    steps.step("format", |_| Ok(cargo("fmt --all --check").run()?))?;
    steps.step("lints", |_| {
        cargo("clippy --workspace --all-targets -- --deny warnings").run()?;
        // As the demo builds it. `tidy` sees to it that this compiles next to nothing again.
        Ok(cargo("clippy --bin tengen --no-default-features -- --deny warnings").run()?)
    })?;
    // Tests of the program play with these, so they come first. Engines are small: a release build
    // takes seconds, and makes the games of the tests fast.
    steps.step("engines", |notes| {
        engines::build_examples(sh, notes)?;
        engines::build_test_engines(sh, notes)
    })?;
    // Tests of workers look for it where this puts it.
    steps.step("NATS server", |_| nats::provide(sh).map(drop))?;
    let nextest = process::succeeds(cargo("nextest --version"));
    let tests = if nextest { "nextest run" } else { "test --lib --bins --tests" };
    let tests = cargo(tests).args(["--workspace", "--no-fail-fast"]);
    steps.step("tests", |_| Ok(tests.run()?))?;
    steps.step("soak", |_| bench::play_soak(sh, bench::SHORT_SOAK))?;
    steps.step("doctests", |_| Ok(cargo("test --workspace --doc").run()?))?;
    steps.step("fuzzing", |notes| fuzz::run_short(sh, notes))?;
    let doc = cargo("doc --workspace --no-deps").env("RUSTDOCFLAGS", "--deny warnings");
    steps.step("documentation", |_| Ok(doc.run()?))?;
    // What this machine cannot be given is left out, and that is said.
    let window = steps.step("window", |_| smoke::try_window(sh))?;
    let page = steps.step("page", |_| page::try_page(sh))?;
    let windows = steps.step("Windows", |_| windows::try_check(sh))?;
    steps.notes.extend([window, page, windows].into_iter().flatten());
    Ok(())
}
