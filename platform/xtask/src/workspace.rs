//! The workspace: its root, its metadata, cargo itself.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::process;

/// The root of the workspace that holds the current folder.
pub(crate) fn root() -> Result<PathBuf> {
    let mut locate = Command::new(cargo());
    locate.args(["locate-project", "--workspace", "--message-format", "plain"]);
    let manifest = PathBuf::from(process::output(&mut locate)?.trim());
    Ok(manifest.parent().context("a manifest is in a folder")?.to_owned())
}

/// The cargo that runs this task.
pub(crate) fn cargo() -> std::ffi::OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

/// The rustc that cargo uses.
pub(crate) fn rustc() -> std::ffi::OsString {
    std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into())
}

/// What cargo knows of the workspace's own packages.
pub(crate) fn metadata() -> Result<Value> {
    let mut metadata = Command::new(cargo());
    metadata.args(["metadata", "--no-deps", "--format-version", "1"]);
    serde_json::from_str(&process::output(&mut metadata)?).context("reading `cargo metadata`")
}

/// Where cargo builds.
pub(crate) fn target() -> Result<PathBuf> {
    let metadata = metadata()?;
    let target = metadata["target_directory"].as_str().context("cargo names no target folder")?;
    Ok(PathBuf::from(target))
}
