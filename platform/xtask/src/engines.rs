//! `cargo xtask engines`: builds every example engine.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use crate::artifacts;
use crate::c_engines;
use crate::rust_engines;
use crate::steps::Steps;
use crate::workspace;

/// The example engines in Rust: packages of the workspace.
const EXAMPLES: [&str; 3] = ["alphabeta", "greedy", "nnue"];

/// What lies beside them: files of the repository, and what they are called.
const PACKAGE_FILES: [(&str, &str); 1] = [("examples/nnue/nnue.weights", "nnue.weights")];

/// Engines that only tests and benchmarks load.
const TEST_ENGINES: [&str; 2] = ["instant", "spinner"];

/// The task `engines`.
pub(crate) fn run() -> Result<()> {
    let mut steps = Steps::default();
    steps.step("engines", build_examples)?;
    steps.summarise();
    Ok(())
}

/// Builds the example engines into `engines/`. What could not be built is noted.
pub(crate) fn build_examples(notes: &mut Vec<String>) -> Result<()> {
    let folder = Path::new("engines");
    rust_engines::native(&EXAMPLES, folder)?;
    c_engines::native("minimal-c", folder)?;
    for (file, name) in PACKAGE_FILES {
        artifacts::install(Path::new(file), &folder.join(name))?;
    }
    let modules = [
        rust_engines::wasm(&EXAMPLES, folder).context("WASM engines in Rust were not built"),
        c_engines::wasm("minimal-c", folder).context("the WASM engine in C was not built"),
    ];
    go_on_without(modules, notes);
    Ok(())
}

/// Builds the engines of tests and benchmarks into `target/test-engines/`.
pub(crate) fn build_test_engines(notes: &mut Vec<String>) -> Result<()> {
    let folder = workspace::target()?.join("test-engines");
    fs::create_dir_all(&folder)?;
    rust_engines::native(&TEST_ENGINES, &folder)?;
    let modules = rust_engines::wasm(&TEST_ENGINES, &folder);
    go_on_without([modules.context("WASM engines for tests were not built")], notes);
    Ok(())
}

/// Native engines alone make a whole program, so a missing WASM toolchain stops nothing.
fn go_on_without<const N: usize>(modules: [Result<()>; N], notes: &mut Vec<String>) {
    for error in modules.into_iter().filter_map(Result::err) {
        let note = format!("{error:#}");
        eprintln!("warning: {note}");
        notes.push(note);
    }
}
