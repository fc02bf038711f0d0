//! The Debian package: what `cargo deb` needs besides the program, and `cargo deb` itself. What is
//! installed where is said by `[package.metadata.deb]` in `Cargo.toml`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::artifacts;
use crate::engines;
use crate::process;
use crate::steps::Steps;
use crate::workspace;

/// The completion scripts: the shell, and the file.
const COMPLETIONS: [(&str, &str); 3] =
    [("bash", "tengen.bash"), ("zsh", "_tengen"), ("fish", "tengen.fish")];

/// The task `deb`.
pub(crate) fn run() -> Result<()> {
    ensure!(
        process::succeeds(Command::new(workspace::cargo()).args(["deb", "--version"])),
        "cargo-deb is missing; install it by `cargo install cargo-deb`"
    );
    let mut steps = Steps::default();
    let mut program = PathBuf::new();
    steps.step("engines", engines::build_examples)?;
    steps.step("program", |_| {
        program = artifacts::dist_program()?;
        Ok(())
    })?;
    steps.step("pages", |_| write_pages(&program))?;
    steps.step("package", |_| {
        // Engines are Cargo's as well, and would be built and stripped again.
        process::run(Command::new(workspace::cargo()).args(["deb", "--no-build", "--no-strip"]))
    })?;
    steps.summarise();
    Ok(())
}

/// Writes the manual pages and completions beside the program, where `Cargo.toml` names them.
fn write_pages(program: &Path) -> Result<()> {
    let folder = program.with_file_name("pages");
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| folder.display().to_string())?;
    }
    process::run(Command::new(program).args(["man", "--out"]).arg(folder.join("man")))?;
    for (shell, file) in COMPLETIONS {
        let script = process::output(Command::new(program).args(["completions", shell]))?;
        let path = folder.join(file);
        fs::write(&path, script).with_context(|| path.display().to_string())?;
    }
    println!("   {}", folder.display());
    Ok(())
}
