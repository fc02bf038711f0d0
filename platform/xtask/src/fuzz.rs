//! Fuzzing with the stable compiler: flags that have it count what runs, and libFuzzer linked in as
//! a crate. Everything it makes is in `target/fuzz`.

use std::fs;
use std::path::{self, Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};

use crate::process;
use crate::workspace;

/// What has every edge of the program counted, and every comparison seen by libFuzzer.
const COVERAGE: [&str; 6] = [
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "-Cdebug-assertions",
];

/// Where seeds and reproducers are kept, one folder a target.
const SEEDS: &str = "tests/fuzz/seeds";

/// Words of the formats, one list for all of them.
const WORDS: &str = "tests/fuzz/words.dict";

/// How long each target runs by default, and within the task `test`.
const SECONDS: u32 = 5;
const SECONDS_IN_TEST: u32 = 2;

/// What was typed behind `fuzz`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct FuzzArgs {
    /// One target; none is all of them.
    target: Option<String>,
    /// An input to run once instead of making up others.
    input: Option<PathBuf>,
    seconds: u32,
}

impl FuzzArgs {
    /// Reads `[TARGET [FILE]] [--seconds N]`.
    pub(crate) fn read(words: &[&str]) -> Option<FuzzArgs> {
        let mut read = FuzzArgs { target: None, input: None, seconds: SECONDS };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match *word {
                "--seconds" => read.seconds = words.next()?.parse().ok().filter(|n| *n > 0)?,
                flag if flag.starts_with('-') => return None,
                name if read.target.is_none() => read.target = Some(name.to_owned()),
                // Chores run in the workspace's root, which need not be where the name was typed.
                file if read.input.is_none() => read.input = Some(path::absolute(file).ok()?),
                _ => return None,
            }
        }
        Some(read)
    }
}

/// The task `fuzz`.
pub(crate) fn run(arguments: &FuzzArgs) -> Result<()> {
    let targets = targets()?;
    if let Some(name) = &arguments.target {
        ensure!(targets.contains(name), "`{name}` is no target: {}", targets.join(" "));
    }
    let fuzzer = Fuzzer::build()?;
    match (&arguments.target, &arguments.input) {
        (Some(target), Some(input)) => fuzzer.run_once(target, input),
        (Some(target), None) => fuzzer.fuzz(std::slice::from_ref(target), arguments.seconds),
        _ => fuzzer.fuzz(&targets, arguments.seconds),
    }
}

/// A short run of every target, for the task `test`.
pub(crate) fn run_short(notes: &mut Vec<String>) -> Result<()> {
    if !cfg!(unix) {
        notes.push("no fuzzing: it is set up for Linux and macOS".to_owned());
        return Ok(());
    }
    Fuzzer::build()?.fuzz(&targets()?, SECONDS_IN_TEST)
}

/// The names of the targets, each of which has seeds.
fn targets() -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(SEEDS).context(SEEDS)? {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}

struct Fuzzer {
    program: PathBuf,
    folder: PathBuf,
}

impl Fuzzer {
    fn build() -> Result<Fuzzer> {
        let folder = workspace::target()?.join("fuzz");
        let host = host()?;
        let mut build = Command::new(workspace::cargo());
        build.args(["build", "--package", "tengen-fuzz", "--features", "libfuzzer"]);
        // With the target named, build scripts and macros are spared the flags.
        build.args(["--profile", "fuzz", "--target", &host, "--target-dir"]).arg(&folder);
        build.env("RUSTFLAGS", COVERAGE.join(" ")).env_remove("CARGO_ENCODED_RUSTFLAGS");
        process::run(&mut build)?;
        Ok(Fuzzer { program: folder.join(host).join("fuzz/fuzz"), folder })
    }

    /// Runs the targets one after another and prints a line for each.
    fn fuzz(&self, targets: &[String], seconds: u32) -> Result<()> {
        println!("   {:<16}{:>12}{:>12}{:>10}", "", "executions", "a second", "edges");
        for target in targets {
            let run = self.fuzz_one(target, seconds)?;
            let rate = run.executions / u64::from(seconds);
            println!("   {target:<16}{:>12}{rate:>12}{:>10}", run.executions, run.edges);
        }
        Ok(())
    }

    fn fuzz_one(&self, target: &str, seconds: u32) -> Result<FuzzRun> {
        let corpus = self.folder.join("corpus").join(target);
        let found = self.folder.join("found").join(target);
        for folder in [&corpus, &found] {
            fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        }
        let mut command = self.command(target);
        command.arg(format!("-max_total_time={seconds}"));
        command.arg(format!("-artifact_prefix={}/", found.display()));
        command.arg(format!("-dict={WORDS}"));
        command.args(["-max_len=4096", "-timeout=20", "-rss_limit_mb=1024"]);
        command.args(["-print_final_stats=1", "-reload=0"]);
        // What is new goes into the first folder.
        command.arg(&corpus).arg(Path::new(SEEDS).join(target));
        let output = command.output().with_context(|| process::words(&command))?;
        let log = String::from_utf8_lossy(&output.stderr);
        if output.status.success() {
            return FuzzRun::read(&log).with_context(|| format!("{target}: libFuzzer said\n{log}"));
        }
        let path = self.folder.join(format!("{target}.log"));
        fs::write(&path, &*log).with_context(|| path.display().to_string())?;
        eprintln!("{}", complaint(&log));
        match log.lines().find_map(|line| line.split_once("Test unit written to ")) {
            Some((_, input)) => bail!(
                "{target} fails on {input}\n  again: cargo xtask fuzz {target} {input}\n  \
                 whole log: {}",
                path.display()
            ),
            None => bail!("{target} ended ({}); whole log: {}", output.status, path.display()),
        }
    }

    fn run_once(&self, target: &str, input: &Path) -> Result<()> {
        ensure!(input.is_file(), "{}: no such file", input.display());
        process::run(self.command(target).arg(input))
    }

    fn command(&self, target: &str) -> Command {
        let mut command = Command::new(&self.program);
        command.env("TENGEN_FUZZ_TARGET", target).stdin(Stdio::null());
        command
    }
}

/// What libFuzzer counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct FuzzRun {
    executions: u64,
    edges: u64,
}

impl FuzzRun {
    fn read(log: &str) -> Option<FuzzRun> {
        let executions = log
            .lines()
            .find_map(|line| line.strip_prefix("stat::number_of_executed_units:"))?
            .trim()
            .parse()
            .ok()?;
        let edges = log.lines().rev().find_map(|line| {
            line.split_once(" cov: ")?.1.split_whitespace().next()?.parse().ok()
        })?;
        Some(FuzzRun { executions, edges })
    }
}

/// The part of a log that says what went wrong: the panic or libFuzzer's own error, and no frames.
fn complaint(log: &str) -> String {
    let begins = |line: &str| line.contains(" panicked at ") || line.contains("ERROR: libFuzzer");
    let ends = |line: &str| line.starts_with("stack backtrace:") || line.starts_with("NOTE:");
    let lines = log.lines().skip_while(|line| !begins(line)).take_while(|line| !ends(line));
    lines.take(40).collect::<Vec<_>>().join("\n")
}

/// The triple that this machine is to rustc.
fn host() -> Result<String> {
    let version = process::output(Command::new(workspace::rustc()).arg("-vV"))?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("rustc names no host")?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments(target: Option<&str>, input: Option<&str>, seconds: u32) -> Option<FuzzArgs> {
        let input = input.map(|file| path::absolute(file).unwrap());
        Some(FuzzArgs { target: target.map(str::to_owned), input, seconds })
    }

    #[test]
    fn arguments_come_in_any_order() {
        assert_eq!(FuzzArgs::read(&[]), arguments(None, None, SECONDS));
        assert_eq!(FuzzArgs::read(&["--seconds", "9"]), arguments(None, None, 9));
        let both = arguments(Some("point"), None, 9);
        assert_eq!(FuzzArgs::read(&["--seconds", "9", "point"]), both);
        assert_eq!(FuzzArgs::read(&["point", "--seconds", "9"]), both);
        assert_eq!(FuzzArgs::read(&["point", "x"]), arguments(Some("point"), Some("x"), SECONDS));
        for wrong in [&["--seconds"][..], &["--seconds", "0"], &["-x"], &["a", "b", "c"]] {
            assert_eq!(FuzzArgs::read(wrong), None, "{wrong:?}");
        }
    }

    #[test]
    fn the_log_of_a_run_is_counted() {
        let log = "#2\tINITED cov: 25 ft: 26 corp: 1/1b\n#99\tDONE   cov: 31 ft: 40 corp: 3/9b\n\
                   stat::number_of_executed_units: 99\nstat::average_exec_per_sec:     0\n";
        assert_eq!(FuzzRun::read(log), Some(FuzzRun { executions: 99, edges: 31 }));
        assert_eq!(FuzzRun::read("nothing"), None);
    }

    #[test]
    fn the_log_of_a_crash_is_cut_to_its_cause() {
        let log = "#2\tINITED\nthread 'x' panicked at a.rs:1:\nleft: 1\nright: 2\n\
                   stack backtrace:\n0: frame\nArtifact\n";
        assert_eq!(complaint(log), "thread 'x' panicked at a.rs:1:\nleft: 1\nright: 2");
    }
}
