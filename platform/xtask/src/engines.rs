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

/// What builds native engines for a system.
pub(crate) struct NativeTools<'a> {
    /// `cargo build` for it.
    pub cargo: Cmd<'a>,
    /// A C compiler that makes libraries.
    pub compiler: Cmd<'a>,
    /// How the files of libraries begin and end.
    pub prefix: &'a str,
    pub extension: &'a str,
}

impl<'a> NativeTools<'a> {
    /// Those of this machine.
    fn here(sh: &'a Shell) -> NativeTools<'a> {
        let compiler = env::var_os("CC").unwrap_or_else(|| "cc".into());
        NativeTools {
            cargo: process::cargo(sh, "build"),
            compiler: cmd!(sh, "{compiler} -shared -fPIC -fvisibility=hidden"),
            prefix: DLL_PREFIX,
            extension: DLL_EXTENSION,
        }
    }

    /// Builds the native example engines into a folder.
    pub(crate) fn build_examples(self, sh: &Shell, folder: &Path) -> Result<()> {
        let NativeTools { cargo, compiler, prefix, extension } = self;
        install_rust(cargo, &EXAMPLES, prefix, extension, folder)?;
        process::install(Path::new("examples/nnue/nnue.weights"), &folder.join("nnue.weights"))?;
        build_c(sh, compiler, extension, folder)
            .context("a C compiler is needed: install gcc or clang, or name one by the variable CC")
    }

    /// Builds the native engines of tests and benchmarks into a folder.
    pub(crate) fn build_test_engines(self, folder: &Path) -> Result<()> {
        install_rust(self.cargo, &TEST_ENGINES, self.prefix, self.extension, folder)
    }
}

/// Builds the example engines into `engines/`. What could not be built is noted.
pub(crate) fn build_examples(sh: &Shell, notes: &mut Vec<String>) -> Result<()> {
    let folder = Path::new("engines");
    NativeTools::here(sh).build_examples(sh, folder)?;
    build_modules(sh, &EXAMPLES, folder, notes)?;
    let module = provision::clang_for_wasm(sh).and_then(|clang| {
        let flags = ["-msimd128", "-mbulk-memory", "-ffreestanding", "-Wl,--no-entry,--strip-all"];
        build_c(sh, clang.args(flags), "wasm", folder)
    });
    note_failure(module.context("the WASM engine in C was not built"), notes);
    Ok(())
}

/// Copies the modules of a folder, which are the same for every system.
pub(crate) fn copy_modules(sh: &Shell, from: &Path, to: &Path) -> Result<()> {
    for file in sh.read_dir(from)? {
        if file.extension().is_some_and(|extension| extension == "wasm") {
            sh.copy_file(file, to)?;
        }
    }
    Ok(())
}

/// Builds the engines of tests and benchmarks into `target/test-engines/`.
pub(crate) fn build_test_engines(sh: &Shell, notes: &mut Vec<String>) -> Result<()> {
    let folder = sh.create_dir(process::target(sh, "test-engines")?)?;
    NativeTools::here(sh).build_test_engines(&folder)?;
    build_modules(sh, &TEST_ENGINES, &folder, notes)
}

/// Native engines are enough to play, so a missing WASM toolchain is no error.
fn note_failure(built: Result<()>, notes: &mut Vec<String>) {
    if let Err(error) = built {
        let note = format!("{error:#}");
        eprintln!("warning: {note}");
        notes.push(note);
    }
}

/// Builds packages into a folder as modules.
fn build_modules(
    sh: &Shell,
    packages: &[&str],
    folder: &Path,
    notes: &mut Vec<String>,
) -> Result<()> {
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

/// Builds the example in C into a folder.
fn build_c(sh: &Shell, compiler: Cmd<'_>, extension: &str, folder: &Path) -> Result<()> {
    let name = format!("minimal-c.{extension}");
    let made = sh.create_dir(process::target(sh, "c")?)?.join(&name);
    let compile = compiler.args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-O2", "-o"]);
    let compile = compile.arg(&made).args(["-I", "engine-sdk/include"]);
    compile.arg("examples/minimal-c/minimal.c").quiet().run()?;
    process::install(&made, &folder.join(name))
}
