//! Builds programs and copies them to where they are used.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::process;
use crate::workspace;

/// Runs a `cargo build` and returns the files it made, whatever the target folder and platform.
pub(crate) fn build(cargo_build: &mut Command) -> Result<Vec<PathBuf>> {
    cargo_build.arg("--message-format=json-render-diagnostics");
    let messages = process::output(cargo_build)?;
    let mut files = Vec::new();
    for line in messages.lines().filter(|line| line.starts_with('{')) {
        let message: Value = serde_json::from_str(line).context("reading cargo's messages")?;
        if message["reason"] == "compiler-artifact" {
            let names = message["filenames"].as_array().into_iter().flatten();
            files.extend(names.filter_map(Value::as_str).map(PathBuf::from));
        }
    }
    Ok(files)
}

/// Builds the program for release and returns its path. It is built without the window, which no
/// task opens and which takes half of the time of a whole build.
pub(crate) fn program() -> Result<PathBuf> {
    build_program(&["build", "--bin", "tengen", "--release", "--no-default-features"])
}

/// Builds the program as it is distributed, with the window, and returns its path.
pub(crate) fn dist_program() -> Result<PathBuf> {
    build_program(&["build", "--bin", "tengen", "--profile", "dist"])
}

/// Builds the program as the tests have it, which have usually built it already. Built by itself,
/// it would have its libraries without what tests ask of them, and most would be compiled again.
pub(crate) fn test_program() -> Result<PathBuf> {
    build_program(&["test", "--workspace", "--no-run", "--test", "page"])
}

fn build_program(arguments: &[&str]) -> Result<PathBuf> {
    let mut build = Command::new(workspace::cargo());
    build.args(arguments);
    let name = format!("tengen{}", std::env::consts::EXE_SUFFIX);
    let files = self::build(&mut build)?;
    let is_program = |file: &PathBuf| file.file_name().is_some_and(|found| *found == *name);
    files.into_iter().find(is_program).context("cargo made no program `tengen`")
}

/// Copies a file so that nobody ever sees half of it, and a program that has the old one loaded
/// keeps it.
pub(crate) fn install(from: &Path, to: &Path) -> Result<()> {
    let name = to.file_name().context("a file has a name")?.to_string_lossy();
    let part = to.with_file_name(format!(".{name}.part"));
    fs::copy(from, &part)
        .and_then(|_| fs::rename(&part, to))
        .with_context(|| format!("copying {} to {}", from.display(), to.display()))
}
