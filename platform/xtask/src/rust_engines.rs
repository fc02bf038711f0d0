//! Builds the example engines in Rust.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::artifacts;
use crate::provision::{self, WasmToolchain};
use crate::workspace;

const TARGET: &str = "wasm32-unknown-unknown";

/// Builds packages as native libraries into a folder.
pub(crate) fn native(packages: &[&str], folder: &Path) -> Result<()> {
    let mut build = Command::new(workspace::cargo());
    build.args(["build", "--release", "--lib"]);
    install(build, packages, std::env::consts::DLL_EXTENSION, folder)
}

/// Builds packages as WebAssembly modules into a folder, providing the toolchain if need be.
pub(crate) fn wasm(packages: &[&str], folder: &Path) -> Result<()> {
    let mut build = match provision::rust_wasm()? {
        WasmToolchain::Installed => Command::new(workspace::cargo()),
        WasmToolchain::Debian { linker } => debian_cargo(&linker),
    };
    // The native build has just settled Cargo.lock; another version of cargo must not touch it.
    build.args(["build", "--locked", "--release", "--lib", "--target", TARGET]);
    // A folder of its own: another compiler would throw away what the usual one built.
    build.arg("--target-dir").arg(workspace::target()?.join("wasm"));
    // Names and debug data are most of a module's bytes, and nobody reads them.
    // As the modules in C: every machine that compiles modules has SIMD.
    build.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", "-C target-feature=+simd128");
    build.env("CARGO_PROFILE_RELEASE_STRIP", "true").env("CARGO_PROFILE_RELEASE_DEBUG", "false");
    install(build, packages, "wasm", folder)
}

/// Debian's compiler has no ready standard library for the target, but its source.
fn debian_cargo(linker: &Path) -> Command {
    let mut build = Command::new("/usr/bin/cargo");
    // Without the features of std, of which backtraces are the costly one: a module has none.
    build.args(["-Zbuild-std=std,panic_abort", "-Zbuild-std-features="]);
    build.env("RUSTC", "/usr/bin/rustc").env("RUSTC_BOOTSTRAP", "1");
    build.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker);
    // What the usual toolchain set for its own children would lead this one astray.
    for name in ["CARGO", "RUSTDOC", "RUSTUP_TOOLCHAIN", "LD_LIBRARY_PATH"] {
        build.env_remove(name);
    }
    build
}

fn install(mut build: Command, packages: &[&str], extension: &str, folder: &Path) -> Result<()> {
    for package in packages {
        build.args(["--package", package]);
    }
    let files = artifacts::build(&mut build)?;
    for package in packages {
        let stem = package.replace('-', "_");
        let file = library(&files, &stem, extension)
            .with_context(|| format!("package {package} makes no .{extension} file"))?;
        let name = file.file_name().context("a library has a name")?.to_string_lossy();
        // Cargo names modules after the crate; an engine is known by its package.
        let to = folder.join(name.replace(&stem, package));
        artifacts::install(file, &to)?;
        println!("   {}", to.display());
    }
    Ok(())
}

fn library<'a>(files: &'a [PathBuf], stem: &str, extension: &str) -> Option<&'a PathBuf> {
    files.iter().find(|file| {
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        file.extension().is_some_and(|found| found == extension)
            && name.strip_prefix("lib").unwrap_or(&name) == stem
    })
}
