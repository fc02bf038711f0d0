//! Builds the example engines in C.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::artifacts;
use crate::process;
use crate::provision;
use crate::workspace;

/// Builds an example in C as a native library into a folder.
pub(crate) fn native(example: &str, folder: &Path) -> Result<()> {
    let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
    let mut command = Command::new(compiler);
    command.args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-O2", "-shared", "-fPIC"]);
    command.arg("-fvisibility=hidden");
    compile(command, example, std::env::consts::DLL_EXTENSION, folder)
        .context("a C compiler is needed: install gcc or clang, or name one by the variable CC")
}

/// Builds an example in C as a WebAssembly module into a folder, providing clang if need be.
pub(crate) fn wasm(example: &str, folder: &Path) -> Result<()> {
    let mut command = provision::clang_for_wasm()?;
    command.args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-O2", "-msimd128", "-mbulk-memory"]);
    command.args(["-ffreestanding", "-Wl,--no-entry,--strip-all"]);
    compile(command, example, "wasm", folder)
}

fn compile(mut command: Command, example: &str, extension: &str, folder: &Path) -> Result<()> {
    let name = format!("{example}.{extension}");
    let made = workspace::target()?.join("c").join(&name);
    fs::create_dir_all(made.parent().context("a file is in a folder")?)?;
    command.args(["-I", "engine-sdk/include", "-o"]).arg(&made);
    command.args(sources(example)?);
    process::run(&mut command)?;
    let to = folder.join(name);
    artifacts::install(&made, &to)?;
    println!("   {}", to.display());
    Ok(())
}

fn sources(example: &str) -> Result<Vec<PathBuf>> {
    let folder = Path::new("examples").join(example);
    let mut sources = Vec::new();
    for entry in fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "c") {
            sources.push(path);
        }
    }
    if sources.is_empty() {
        bail!("{} holds no .c file", folder.display());
    }
    sources.sort();
    Ok(sources)
}
