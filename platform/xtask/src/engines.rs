//! Builds the example engines, and those that only tests and benchmarks load.

use std::env;
use std::env::consts::{DLL_EXTENSION, DLL_PREFIX};
use std::path::Path;

use anyhow::{Context, Result};
use xshell::{Cmd, Shell, cmd};

use crate::process;
use crate::provision;
use crate::steps::Steps;

/// The example engines in Rust: packages of the workspace.
const EXAMPLES: [&str; 3] = ["alphabeta", "greedy", "nnue"];

/// Engines that only tests and benchmarks load.
const TEST_ENGINES: [&str; 2] = ["instant", "spinner"];

pub(crate) fn run(sh: &Shell, steps: &mut Steps) -> Result<()> {
    steps.step("engines", |notes| build_examples(sh, notes))
}

/// Builds the example engines into `engines/`. What could not be built is noted.
pub(crate) fn build_examples(sh: &Shell, notes: &mut Vec<String>) -> Result<()> {
    let folder = Path::new("engines");
    build_rust(sh, &EXAMPLES, folder, notes)?;
    process::install(Path::new("examples/nnue/nnue.weights"), &folder.join("nnue.weights"))?;
    let compiler = env::var_os("CC").unwrap_or_else(|| "cc".into());
    build_c(sh, cmd!(sh, "{compiler} -shared -fPIC -fvisibility=hidden"), DLL_EXTENSION)
        .context("a C compiler is needed: install gcc or clang, or name one by the variable CC")?;
    let module = provision::clang_for_wasm(sh).and_then(|clang| {
        let flags = ["-msimd128", "-mbulk-memory", "-ffreestanding", "-Wl,--no-entry,--strip-all"];
        build_c(sh, clang.args(flags), "wasm")
    });
    note_failure(module.context("the WASM engine in C was not built"), notes);
    Ok(())
}

/// Builds the engines of tests and benchmarks into `target/test-engines/`.
pub(crate) fn build_test_engines(sh: &Shell, notes: &mut Vec<String>) -> Result<()> {
    let folder = sh.create_dir(process::target(sh, "test-engines")?)?;
    build_rust(sh, &TEST_ENGINES, &folder, notes)
}

/// Native engines are enough to play, so a missing WASM toolchain is no error.
fn note_failure(built: Result<()>, notes: &mut Vec<String>) {
    if let Err(error) = built {
        let note = format!("{error:#}");
        eprintln!("warning: {note}");
        notes.push(note);
    }
}

/// Builds packages into a folder, native and as modules.
fn build_rust(sh: &Shell, packages: &[&str], folder: &Path, notes: &mut Vec<String>) -> Result<()> {
    let native = process::cargo(sh, "build");
    install_rust(native, packages, DLL_PREFIX, DLL_EXTENSION, folder)?;
    let modules = provision::rust_wasm(sh).and_then(|cargo| {
        // The native build has just settled Cargo.lock; another version of cargo must not touch it.
        let build = cargo.args(["build", "--locked", "--target", provision::WASM]);
        // A folder of its own: another compiler would throw away what the usual one built.
        let build = build.arg("--target-dir").arg(process::target(sh, "wasm")?);
        install_rust(build, packages, "", "wasm", folder)
    });
    note_failure(modules.context("WASM engines in Rust were not built"), notes);
    Ok(())
}

/// Builds packages into a folder, each under its own name: cargo names libraries after the crate.
fn install_rust(
    build: Cmd<'_>,
    packages: &[&str],
    prefix: &str,
    extension: &str,
    folder: &Path,
) -> Result<()> {
    let flags = packages.iter().flat_map(|package| ["--package", package]);
    let files = process::build(build.args(["--release", "--lib"]).args(flags))?;
    for package in packages {
        let made = format!("{prefix}{}.{extension}", package.replace('-', "_"));
        let file = files.iter().find(|file| file.ends_with(&made));
        let file = file.with_context(|| format!("package {package} makes no {made}"))?;
        process::install(file, &folder.join(format!("{prefix}{package}.{extension}")))?;
    }
    Ok(())
}

/// Builds the example in C into `engines/`.
fn build_c(sh: &Shell, compiler: Cmd<'_>, extension: &str) -> Result<()> {
    let name = format!("minimal-c.{extension}");
    let made = sh.create_dir(process::target(sh, "c")?)?.join(&name);
    let compile = compiler.args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-O2", "-o"]);
    let compile = compile.arg(&made).args(["-I", "engine-sdk/include"]);
    compile.arg("examples/minimal-c/minimal.c").quiet().run()?;
    process::install(&made, &Path::new("engines").join(name))
}
