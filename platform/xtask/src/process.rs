//! Starts programs and waits for them.

use std::ffi::OsStr;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

/// Runs a command with its output in view; an exit other than 0 is an error that repeats the
/// command.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let status = command.stdin(Stdio::null()).status().with_context(|| starting(command))?;
    if !status.success() {
        bail!("`{}` failed ({status})", words(command));
    }
    Ok(())
}

/// Runs a command and returns what it wrote to standard output; the rest stays in view.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let output = command
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| starting(command))?;
    if !output.status.success() {
        bail!("`{}` failed ({})", words(command), output.status);
    }
    String::from_utf8(output.stdout).with_context(|| format!("output of `{}`", words(command)))
}

/// Runs a command and ends it when the time is up.
pub(crate) fn run_within(command: &mut Command, limit: Duration) -> Result<()> {
    let mut child = command.stdin(Stdio::null()).spawn().with_context(|| starting(command))?;
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            if status.success() {
                return Ok(());
            }
            bail!("`{}` failed ({status})", words(command));
        }
        if start.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            bail!("`{}` took more than {} s", words(command), limit.as_secs());
        }
        thread::sleep(Duration::from_millis(50));
    }
}

/// Whether a command can be started and ends well, its output unseen.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// The command as it would be typed.
pub(crate) fn words(command: &Command) -> String {
    let quoted = |word: &OsStr| {
        let word = word.to_string_lossy();
        if word.contains(' ') { format!("'{word}'") } else { word.into_owned() }
    };
    std::iter::once(command.get_program())
        .chain(command.get_args())
        .map(quoted)
        .collect::<Vec<_>>()
        .join(" ")
}

fn starting(command: &Command) -> String {
    format!("starting `{}`", words(command))
}
