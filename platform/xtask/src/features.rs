//! Whether adding the window to a build without it leaves alone what is compiled already.

use std::collections::BTreeSet;
use std::process::Command;

use anyhow::Result;

use crate::process;
use crate::workspace;

/// Names the crates that get more features in a build with the window than in one without it.
/// They, and everything that depends on them, are compiled a second time when the window is added.
pub(crate) fn check() -> Result<Vec<String>> {
    // The window's dependencies differ from system to system; this is about Linux.
    if !cfg!(target_os = "linux") {
        return Ok(Vec::new());
    }
    let (with_window, without) = (crates(&[])?, crates(&["--no-default-features"])?);
    let fault = |line| format!("Cargo.toml: `{line}` gets more features from the window; add them");
    Ok(without.difference(&with_window).map(fault).collect())
}

/// What the program depends on: each crate with its version and features.
fn crates(flags: &[&str]) -> Result<BTreeSet<String>> {
    let mut tree = Command::new(workspace::cargo());
    tree.args(["tree", "--edges", "normal,build", "--prefix", "none", "--format", "{p} {f}"]);
    let lines = process::output(tree.args(flags))?;
    let lines = lines.lines().skip(1).map(|line| line.trim_end_matches(" (*)").to_owned());
    Ok(lines.collect())
}
