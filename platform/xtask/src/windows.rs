//! Builds for Windows and runs it under Wine.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use xshell::{Cmd, Shell};

use crate::cross_system::{CrossSystem, HOME};
use crate::engines::{self, NativeTools};
use crate::process;
use crate::relay;
use crate::smoke;
use crate::steps::{Steps, all_of};

pub(crate) const TARGET: &str = "x86_64-pc-windows-gnu";
/// The C compiler for it.
pub(crate) const COMPILER: &str = "x86_64-w64-mingw32-gcc";
/// Where Wine has its drives for tests, in the home: a server of Wine that serves others sees other
/// folders.
pub(crate) const WINE_FOLDER: &str = ".wine-tests";
/// The folder of builds within cargo's.
const FOLDER: &str = "windows";

/// How long one program of tests may take.
const PATIENCE: Duration = Duration::from_secs(45 * 60);

/// Tests that fail for what Wine is, and would hold on Windows: the program of tests, the test, and
/// why.
const NOT_UNDER_WINE: [(&str, &str, &str); 6] = [
    (
        "tengen-hosts",
        "an_open_file_stays_what_it_was",
        "Wine gives a file that was deleted while it is open, and made again, to both",
    ),
    (
        "tengen/museum",
        "is_a_thread_bomb",
        "4,000 threads use up the descriptors of Wine's server, and no file can be opened any more",
    ),
    (
        "tengen/museum",
        "native::floods_with_progress",
        "too little comes through Wine's pipes within the time of a move to be a flood",
    ),
    (
        "tengen/time",
        "whoever_answers_when_the_time_is_up_loses_no_game_by_time",
        "threads wait for tens of milliseconds there, and Windows does not tell that they did",
    ),
    ("tengen/reasons", "a_silent_engine_is_told_of_flushing", "there is no Python"),
    ("tengen/reasons", "engines_of_any_name_have_a_folder_that_can_be_read", "there is no Python"),
];

/// A program of tests that was built.
struct TestProgram {
    /// Its package, and itself where that is another name.
    name: String,
    /// The folder of its package, in which cargo would run it.
    folder: PathBuf,
    file: PathBuf,
}

/// What a program of tests came to.
struct TestOutcome {
    /// The line that sums up.
    line: String,
    has_passed: bool,
}

/// The task `windows`, for all programs of tests and the window, or for those tests alone whose
/// names hold a word; with the word `window` the window, too.
pub(crate) fn run(sh: &Shell, steps: &mut Steps, only: Option<&str>) -> Result<()> {
    let system = steps.step("compilers", |_| CrossSystem::provide(sh))?;
    let engines = process::target(sh, FOLDER)?.join("engines");
    let system = system.show(sh.create_dir(&engines)?, sh.current_dir().join("engines"));
    let mut programs = steps.step("program and tests", |_| build_tests(sh, &system))?;
    programs.retain(|program| only.is_none_or(|word| program.name.contains(word)));
    steps.step("engines", |notes| {
        // Their modules are those of any system.
        engines::build_examples(sh, notes)?;
        engines::build_test_engines(sh, notes)?;
        build_engines(sh, &system, &engines)
    })?;
    let compiler = relay::listen(system.clone(), COMPILER)?.to_string();
    let wine = Wine { sh, system: &system, compiler: &compiler };
    steps.step("tests under Wine", |notes| wine.run_tests(&programs, notes))?;
    match only {
        Some(word) if word != "window" => Ok(()),
        _ => steps.step("window under Wine", |_| all_of(wine.try_window(&engines)?)),
    }
}

/// Checks that the program and its tests compile for Windows, where the compilers have been set
/// up. Returns why it was left out.
pub(crate) fn try_check(sh: &Shell) -> Result<Option<String>> {
    let Some(system) = CrossSystem::find(sh)? else {
        return Ok(Some(
            "nothing was compiled for Windows: `cargo xtask windows` sets up the \
             compilers"
                .to_owned(),
        ));
    };
    cargo(
        sh,
        &system,
        "check --workspace --exclude tengen-fuzz --exclude xtask --all-targets --config \
         build.warnings=\"deny\"",
    )?
    .run()?;
    Ok(None)
}

/// What else would take longer than an engine has to be loaded.
const OPTIMISED: [&str; 4] =
    ["cranelift-codegen", "regalloc2", "wasmtime-internal-cranelift", "wasmparser"];

/// A command of cargo that builds for Windows.
fn cargo<'a>(sh: &'a Shell, system: &CrossSystem, words: &str) -> Result<Cmd<'a>> {
    let mut words = format!(
        "{words} -Zbuild-std=std,panic_unwind --target {TARGET} --config profile.dev.debug=false \
         --config profile.dev.strip=true --config profile.dev.package.\"*\".opt-level=0"
    );
    for package in OPTIMISED {
        words = format!("{words} --config profile.dev.package.{package}.opt-level=1");
    }
    system.cargo(sh, FOLDER, &[], &words)
}

/// Builds the program, with window and server, and all tests.
fn build_tests(sh: &Shell, system: &CrossSystem) -> Result<Vec<TestProgram>> {
    let words =
        "test --no-run --workspace --exclude tengen-fuzz --exclude xtask --lib --bins --tests";
    let messages = process::messages(cargo(sh, system, words)?)?;
    let tests = messages.iter().filter(|message| message["profile"]["test"] == true);
    // Those of a crate that the compiler itself loads are programs of this system.
    let is_theirs = |message: &&Value| message["target"]["kind"][0] != "proc-macro";
    tests
        .filter(is_theirs)
        .map(|message| TestProgram::read(message).context("cargo names no test"))
        .collect()
}

impl TestProgram {
    fn read(message: &Value) -> Option<TestProgram> {
        let folder = Path::new(message["manifest_path"].as_str()?).parent()?.to_owned();
        // The number of a package ends in its name and version; the name may go without saying.
        let (_, package) = message["package_id"].as_str()?.rsplit_once('#')?;
        let package = match package.split_once('@') {
            Some((name, _)) => name,
            None => folder.file_name()?.to_str()?,
        };
        let target = message["target"]["name"].as_str()?;
        let kind = message["target"]["kind"][0].as_str()?;
        let name = if kind == "lib" { package.to_owned() } else { format!("{package}/{target}") };
        Some(TestProgram { name, file: message["executable"].as_str()?.into(), folder })
    }
}

/// What programs for Windows run in.
struct Wine<'a> {
    sh: &'a Shell,
    system: &'a CrossSystem,
    /// The address where C is compiled.
    compiler: &'a str,
}

impl<'a> Wine<'a> {
    /// A command that runs a program for Windows.
    fn command<'w>(&self, folder: &Path, words: impl IntoIterator<Item = &'w str>) -> Cmd<'a> {
        let own = [
            format!("TENGEN_COMPILER={}", self.compiler),
            format!("WINEPREFIX={HOME}/{WINE_FOLDER}"),
        ];
        // Its debugger would hold what crashes, and write on the error output of an engine.
        let start = "WINEDLLOVERRIDES=winedbg.exe=d WINEDEBUG=-all XDG_RUNTIME_DIR=/tmp \
            RUST_BACKTRACE=1 wine";
        let words = start.split_whitespace().chain(words).map(str::to_owned);
        self.system.command(self.sh, folder, own.into_iter().chain(words))
    }

    /// Clicks through the window, as on Linux.
    fn try_window(&self, engines: &Path) -> Result<Option<String>> {
        let folder = process::target(self.sh, FOLDER)?;
        let built = folder.join(TARGET).join("debug/tengen.exe");
        let engine = engines.join("greedy.dll");
        smoke::try_program(self.sh, "windows/smoke", &engine, |display| {
            // Wine that has begun without a display shows none later.
            let prefix = format!("WINEPREFIX={HOME}/.wine-window");
            let words = [&*prefix, &format!("DISPLAY={display}"), "WINEDEBUG=-all", "wine"];
            let words = words.into_iter().chain(built.to_str());
            let command = Command::from(self.system.command(self.sh, &folder, words));
            let script = folder.join("tengen-under-wine");
            let words = [command.get_program()].into_iter().chain(command.get_args());
            let words: Vec<String> = words.map(quoted).collect();
            self.sh.write_file(&script, format!("#!/bin/sh\nexec {} \"$@\"\n", words.join(" ")))?;
            xshell::cmd!(self.sh, "chmod 755 {script}").quiet().run()?;
            Ok(script)
        })
    }

    /// Runs all tests, and says how each program of them ended.
    fn run_tests(&self, programs: &[TestProgram], notes: &mut Vec<String>) -> Result<()> {
        let logs = self.sh.create_dir(process::target(self.sh, FOLDER)?.join("logs"))?;
        let mut failed = Vec::new();
        for program in programs {
            let log = logs.join(program.name.replace('/', "-") + ".log");
            let outcome = self.run(program, &log)?;
            println!("   {}: {}", program.name, outcome.line);
            if !outcome.has_passed {
                failed.push(format!("{}: see {}", program.name, log.display()));
            }
        }
        notes.extend(
            NOT_UNDER_WINE.iter().map(|(program, test, reason)| {
                format!("not under Wine: {program} {test}: {reason}")
            }),
        );
        ensure!(failed.is_empty(), "tests failed under Wine:\n{}", failed.join("\n"));
        Ok(())
    }

    /// Runs a program of tests; what it prints goes into a file.
    fn run(&self, program: &TestProgram, log: &Path) -> Result<TestOutcome> {
        let skipped = NOT_UNDER_WINE.iter().filter(|(name, ..)| *name == program.name);
        let skipped = skipped.flat_map(|(_, test, _)| ["--skip", test]);
        let words = [program.file.to_str().context("a path is UTF-8")?, "--test-threads=2"];
        let run = self.command(&program.folder, words.into_iter().chain(skipped));
        let output = File::create(log)?;
        let mut run = Command::from(run);
        run.stdout(output.try_clone()?).stderr(output).stdin(Stdio::null());
        let ended = process::run_within(run, PATIENCE);
        let printed = String::from_utf8_lossy(&fs::read(log)?).into_owned();
        let line = printed.lines().rfind(|line| line.starts_with("test result: "));
        let line = line.map_or_else(|| "ended in the middle".to_owned(), str::to_owned);
        Ok(TestOutcome { has_passed: ended.is_ok(), line })
    }
}

/// A word as the shell reads it.
fn quoted(word: &OsStr) -> String {
    format!("'{}'", word.to_string_lossy().replace('\'', r"'\''"))
}

fn build_engines(sh: &Shell, system: &CrossSystem, folder: &Path) -> Result<()> {
    let compiler = [COMPILER, "-shared", "-static-libgcc"];
    let tools = || {
        anyhow::Ok(NativeTools {
            cargo: cargo(sh, system, "build")?,
            compiler: system.command(sh, &sh.current_dir(), compiler),
            prefix: "",
            extension: "dll",
        })
    };
    tools()?.build_examples(sh, folder)?;
    engines::copy_modules(sh, Path::new("engines"), folder)?;
    // Beside what is built for Windows, where its tests look for them.
    let name = "test-engines";
    let tests = sh.create_dir(process::target(sh, FOLDER)?.join(TARGET).join(name))?;
    tools()?.build_test_engines(&tests)?;
    engines::copy_modules(sh, &sh.create_dir(process::target(sh, name)?)?, &tests)
}
