//! Starts programs, cargo and Tengen among them.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use xshell::{Cmd, Shell};

/// How often something that takes a while is looked at.
const LOOK: Duration = Duration::from_millis(50);

/// How Tengen is built for a task that plays: without the window, which takes half of the time of a
/// whole build.
pub(crate) const RELEASE: &str = "build --bin tengen --release --no-default-features";
/// How it is built for tests, which have usually built it already. Built by itself, it would have
/// its libraries without what tests ask of them, and most would be compiled again.
pub(crate) const WITH_TESTS: &str = "test --workspace --no-run --test page";

/// A command of the cargo that runs this task.
pub(crate) fn cargo<'a>(sh: &'a Shell, words: &str) -> Cmd<'a> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    sh.cmd(cargo).args(words.split_whitespace()).quiet()
}

/// What cargo knows about the packages of the workspace.
pub(crate) fn metadata(sh: &Shell) -> Result<Value> {
    let metadata = cargo(sh, "metadata --no-deps --format-version 1").read()?;
    serde_json::from_str(&metadata).context("reading `cargo metadata`")
}

/// A place in the folder where cargo builds.
pub(crate) fn target(sh: &Shell, name: &str) -> Result<PathBuf> {
    let metadata = metadata(sh)?;
    let target = metadata["target_directory"].as_str().context("cargo names no target folder")?;
    Ok(Path::new(target).join(name))
}

/// A place in the folder where cargo builds, with nothing left from an earlier run.
pub(crate) fn clear_target(sh: &Shell, name: &str) -> Result<PathBuf> {
    let path = target(sh, name)?;
    sh.remove_path(&path)?;
    Ok(path)
}

/// Runs a `cargo build` and returns the files it made, whatever the target folder and platform.
pub(crate) fn build(cargo_build: Cmd<'_>) -> Result<Vec<PathBuf>> {
    let messages = messages(cargo_build)?;
    let files = messages.iter().flat_map(|message| message["filenames"].as_array());
    Ok(files.flatten().filter_map(Value::as_str).map(PathBuf::from).collect())
}

/// Runs a command of cargo that builds and returns what it says of each thing that it made.
pub(crate) fn messages(cargo_build: Cmd<'_>) -> Result<Vec<Value>> {
    let messages = cargo_build.arg("--message-format=json-render-diagnostics").read()?;
    let lines = messages.lines().filter(|line| line.starts_with('{'));
    lines.map(|line| serde_json::from_str(line).context("reading cargo's messages")).collect()
}

/// Builds Tengen by a command of cargo and returns the path of the program.
pub(crate) fn build_program(sh: &Shell, words: &str) -> Result<PathBuf> {
    let name = format!("tengen{}", env::consts::EXE_SUFFIX);
    let mut files = build(cargo(sh, words))?.into_iter();
    files.find(|file| file.ends_with(&name)).context("cargo made no program `tengen`")
}

/// Copies a file so that no half of it is ever seen, and a program that has the old one loaded
/// keeps it.
pub(crate) fn install(from: &Path, to: &Path) -> Result<()> {
    let name = to.file_name().context("a file has a name")?.to_string_lossy();
    let part = to.with_file_name(format!(".{name}.part"));
    fs::copy(from, &part)
        .and_then(|_| fs::rename(&part, to))
        .with_context(|| format!("copying {} to {}", from.display(), to.display()))?;
    println!("   {}", to.display());
    Ok(())
}

/// Whether a command can be started and ends well, its output unseen.
pub(crate) fn succeeds(command: Cmd<'_>) -> bool {
    command.quiet().ignore_stdout().ignore_stderr().run().is_ok()
}

/// A process that is ended when this is dropped.
pub(crate) struct ChildGuard(pub Child);

impl ChildGuard {
    pub(crate) fn start(command: &mut Command) -> Result<ChildGuard> {
        let child = command.stdin(Stdio::null()).spawn();
        child.map(ChildGuard).with_context(|| format!("starting {command:?}"))
    }
}

impl Drop for ChildGuard {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ended = self.0.kill();
        let _reaped = self.0.wait();
    }
}

/// Runs a command and ends it when the time is up.
pub(crate) fn run_within(command: impl Into<Command>, limit: Duration) -> Result<()> {
    let mut command = command.into();
    let mut child = ChildGuard::start(&mut command)?;
    let ended = wait_for(limit, || Ok(child.0.try_wait()?))?;
    let status = ended.with_context(|| format!("{command:?} took more than {limit:?}"))?;
    ensure!(status.success(), "{command:?} failed ({status})");
    Ok(())
}

/// Looks again and again until something is there; none where that takes too long.
pub(crate) fn wait_for<T>(
    limit: Duration,
    mut look: impl FnMut() -> Result<Option<T>>,
) -> Result<Option<T>> {
    let start = Instant::now();
    loop {
        match look()? {
            None if start.elapsed() < limit => thread::sleep(LOOK),
            found => return Ok(found),
        }
    }
}
