//! Fuzzing with the stable compiler: flags make it count what runs, and libFuzzer is linked in as a
//! crate. All output is in `target/fuzz`.

use std::path::{self, Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use pico_args::Arguments;
use xshell::{Shell, cmd};

use crate::process;

/// The flags that count every edge of the program and show every comparison to libFuzzer.
const COVERAGE: &str = "tests/fuzz/coverage.toml";

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
    pub(crate) fn read(words: &mut Arguments) -> Result<FuzzArgs> {
        let seconds = words.opt_value_from_str("--seconds")?.unwrap_or(SECONDS);
        ensure!(seconds > 0, "--seconds takes a number above 0");
        let target = words.subcommand()?;
        // Tasks run in the root of the repository, which need not be where the name was typed.
        let input = words.subcommand()?.map(path::absolute).transpose()?;
        Ok(FuzzArgs { target, input, seconds })
    }
}

pub(crate) fn run(sh: &Shell, arguments: &FuzzArgs) -> Result<()> {
    let mut targets = targets(sh)?;
    if let Some(name) = &arguments.target {
        ensure!(targets.contains(name), "`{name}` is no target: {}", targets.join(" "));
        targets = vec![name.clone()];
    }
    let fuzzer = build(sh)?;
    if let Some(input) = &arguments.input {
        ensure!(input.is_file(), "{}: no such file", input.display());
        let once = cmd!(sh, "{fuzzer} {input}").env("TENGEN_FUZZ_TARGET", &targets[0]);
        return Ok(once.quiet().run()?);
    }
    fuzz(sh, &fuzzer, &targets, arguments.seconds)
}

/// A short run of every target, for the task `test`.
pub(crate) fn run_short(sh: &Shell, notes: &mut Vec<String>) -> Result<()> {
    if cfg!(unix) {
        return fuzz(sh, &build(sh)?, &targets(sh)?, SECONDS_IN_TEST);
    }
    notes.push("no fuzzing: it is set up for Linux and macOS".to_owned());
    Ok(())
}

/// The names of the targets, each of which has seeds.
fn targets(sh: &Shell) -> Result<Vec<String>> {
    let folders = sh.read_dir(SEEDS)?;
    let names = folders.iter().filter_map(|folder| folder.file_name()?.to_str());
    Ok(names.map(str::to_owned).collect())
}

fn build(sh: &Shell) -> Result<PathBuf> {
    let words = "build --package tengen-fuzz --features libfuzzer --profile fuzz --config";
    let build = process::cargo(sh, words).arg(COVERAGE);
    let build = build.arg("--target-dir").arg(process::target(sh, "fuzz")?);
    // These would stand in for the flags of the file.
    let build = build.env_remove("RUSTFLAGS").env_remove("CARGO_ENCODED_RUSTFLAGS");
    let mut files = process::build(build)?.into_iter();
    files.find(|file| file.ends_with("fuzz")).context("cargo made no program `fuzz`")
}

/// Runs the targets one after another and prints a line for each.
fn fuzz(sh: &Shell, fuzzer: &Path, targets: &[String], seconds: u32) -> Result<()> {
    let folder = process::target(sh, "fuzz")?;
    println!("   {:<16}{:>12}{:>12}{:>10}", "", "executions", "a second", "edges");
    for target in targets {
        let made = |name: &str| sh.create_dir(folder.join(name).join(target));
        // What is new goes into the first folder.
        let (corpus, found, time) = (made("corpus")?, made("found")?, seconds.to_string());
        let run = cmd!(
            sh,
            "{fuzzer} -max_total_time={time} -timeout=20 -rss_limit_mb=1024 -max_len=4096 -reload=0
             -print_final_stats=1 -artifact_prefix={found}/ -dict={WORDS} {corpus} {SEEDS}/{target}"
        );
        let output = run.env("TENGEN_FUZZ_TARGET", target).ignore_status().output()?;
        let log = String::from_utf8_lossy(&output.stderr);
        if !output.status.success() {
            let path = folder.join(format!("{target}.log"));
            sh.write_file(&path, &*log)?;
            eprintln!("{}", complaint(&log));
            let (status, log) = (output.status, path.display());
            bail!(
                "{target} ended ({status})\n  again: cargo xtask fuzz {target} FILE\n  \
                 whole log: {log}"
            );
        }
        let counted = count(&log).with_context(|| format!("{target}: libFuzzer said\n{log}"));
        let (executions, edges) = counted?;
        let rate = executions / u64::from(seconds);
        println!("   {target:<16}{executions:>12}{rate:>12}{edges:>10}");
    }
    Ok(())
}

/// How many executions and edges a log of libFuzzer tells.
fn count(log: &str) -> Option<(u64, u64)> {
    let last = |key: &str| {
        let (_, rest) = log.rsplit_once(key)?;
        rest.split_whitespace().next()?.parse().ok()
    };
    Some((last("stat::number_of_executed_units:")?, last(" cov: ")?))
}

/// The part of a log that says what went wrong: the panic or libFuzzer's own error, and no frames.
fn complaint(log: &str) -> String {
    let begins = |line: &str| line.contains(" panicked at ") || line.contains("ERROR: libFuzzer");
    let ends = |line: &str| line.starts_with("stack backtrace:") || line.starts_with("NOTE:");
    let lines = log.lines().skip_while(|line| !begins(line)).take_while(|line| !ends(line));
    let written = log.lines().filter(|line| line.contains("Test unit written to "));
    lines.take(40).chain(written).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &[&str]) -> Option<FuzzArgs> {
        let mut words = Arguments::from_vec(words.iter().map(Into::into).collect());
        let read = FuzzArgs::read(&mut words).ok()?;
        words.finish().is_empty().then_some(read)
    }

    fn arguments(target: Option<&str>, input: Option<&str>, seconds: u32) -> Option<FuzzArgs> {
        let input = input.map(|file| path::absolute(file).unwrap());
        Some(FuzzArgs { target: target.map(str::to_owned), input, seconds })
    }

    #[test]
    fn arguments_come_in_any_order() {
        assert_eq!(read(&[]), arguments(None, None, SECONDS));
        assert_eq!(read(&["--seconds", "9"]), arguments(None, None, 9));
        let both = arguments(Some("point"), None, 9);
        assert_eq!(read(&["--seconds", "9", "point"]), both);
        assert_eq!(read(&["point", "--seconds", "9"]), both);
        assert_eq!(read(&["point", "x"]), arguments(Some("point"), Some("x"), SECONDS));
        for wrong in [&["--seconds"][..], &["--seconds", "0"], &["-x"], &["a", "b", "c"]] {
            assert_eq!(read(wrong), None, "{wrong:?}");
        }
    }

    #[test]
    fn the_log_of_a_run_is_counted() {
        let log = "#2\tINITED cov: 25 ft: 26 corp: 1/1b\n#99\tDONE   cov: 31 ft: 40 corp: 3/9b\n\
                   stat::number_of_executed_units: 99\nstat::average_exec_per_sec:     0\n";
        assert_eq!(count(log), Some((99, 31)));
        assert_eq!(count("nothing"), None);
    }

    #[test]
    fn the_log_of_a_crash_is_cut_to_its_cause() {
        let log = "#2\tINITED\nthread 'x' panicked at a.rs:1:\nleft: 1\nright: 2\n\
                   stack backtrace:\n0: frame\nArtifact\n";
        assert_eq!(complaint(log), "thread 'x' panicked at a.rs:1:\nleft: 1\nright: 2");
    }
}
