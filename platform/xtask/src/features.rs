//! Whether adding the window and the server to a build without them leaves alone what is compiled
//! already.

use std::collections::BTreeSet;
use std::process::Command;

use anyhow::Result;

use crate::process;
use crate::workspace;

/// The crate that has a part of its own in a build with the server; nothing but the program depends
/// on it.
const OWN_PART: &str = "tengen-web ";

/// Names the crates that get more features in a build with the window and the server than in one
/// without. They, and everything that depends on them, are compiled a second time when these are
/// added.
pub(crate) fn check() -> Result<Vec<String>> {
    // The window's dependencies differ from system to system; this is about Linux.
    if !cfg!(target_os = "linux") {
        return Ok(Vec::new());
    }
    let (with_window, without) = (crates(&[])?, crates(&["--no-default-features"])?);
    let fault = |line| format!("Cargo.toml: `{line}` gets more features from the window; add them");
    let twice = without.difference(&with_window).filter(|line| !line.starts_with(OWN_PART));
    Ok(twice.map(fault).collect())
}

/// What the program depends on: each crate with its version and features.
fn crates(flags: &[&str]) -> Result<BTreeSet<String>> {
    let mut tree = Command::new(workspace::cargo());
    tree.args(["tree", "--edges", "normal,build", "--prefix", "none", "--format", "{p} {f}"]);
    let lines = process::output(tree.args(flags))?;
    let lines = lines.lines().skip(1).map(|line| line.trim_end_matches(" (*)").to_owned());
    Ok(lines.collect())
}
