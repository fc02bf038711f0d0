//! `cargo xtask test`.

use std::process::Command;

use anyhow::Result;

use crate::engines;
use crate::fuzz;
use crate::page;
use crate::process;
use crate::smoke;
use crate::soak;
use crate::steps::Steps;
use crate::tidy;
use crate::workspace;

/// The task `test`: cheap checks first, so that a slip shows within seconds.
pub(crate) fn run() -> Result<()> {
    let mut steps = Steps::default();
    steps.step("tidy", |_| tidy::run())?;
    steps.step("format", |_| cargo(&["fmt", "--all", "--check"]))?;
    steps.step("lints", |_| {
        cargo(&["clippy", "--workspace", "--all-targets", "--", "--deny", "warnings"])?;
        // As the demo builds it. `tidy` sees to it that this compiles next to nothing again.
        cargo(&["clippy", "--bin", "tengen", "--no-default-features", "--", "--deny", "warnings"])
    })?;
    // Tests of the program play with these, so they come first. Engines are small: a release build
    // takes seconds, and makes the games of the tests fast.
    steps.step("engines", |notes| {
        engines::build_examples(notes)?;
        engines::build_test_engines(notes)
    })?;
    steps.step("tests", |_| run_tests())?;
    steps.step("soak", |_| soak::run_short())?;
    steps.step("doctests", |_| cargo(&["test", "--workspace", "--doc"]))?;
    steps.step("fuzzing", fuzz::run_short)?;
    steps.step("documentation", |_| {
        let mut doc = Command::new(workspace::cargo());
        doc.args(["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "--deny warnings");
        process::run(&mut doc)
    })?;
    steps.step("window", smoke::step)?;
    steps.step("page", page::step)?;
    steps.summarise();
    Ok(())
}

fn run_tests() -> Result<()> {
    if process::succeeds(Command::new(workspace::cargo()).args(["nextest", "--version"])) {
        cargo(&["nextest", "run", "--workspace", "--no-fail-fast"])
    } else {
        cargo(&["test", "--workspace", "--lib", "--bins", "--tests", "--no-fail-fast"])
    }
}

fn cargo(arguments: &[&str]) -> Result<()> {
    process::run(Command::new(workspace::cargo()).args(arguments))
}
