//! A command that builds an engine, in the sandbox of a text engine. It may write in one folder.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tengen_packages::{EngineKind, EngineSpec, Launch};

use super::{Running, TextProcess, engine_loss};
use crate::sandbox::{MOUNT_NS, NET_NS, PID_NS, SECCOMP};
use crate::watchdog::StopTarget;
use crate::{HostError, HostSettings};

/// The size of the folder in memory for what compilers put aside, in MiB.
const TEMPORARY_MIB: u32 = 1024;
/// The layers without which a build is refused where the sandbox is required: they keep it from the
/// network, from all files but its own, and from other processes.
const LAYERS: [&str; 4] = [MOUNT_NS, NET_NS, PID_NS, SECCOMP];
/// How long it may take to end after it has closed its output.
const LAST: Duration = Duration::from_secs(5);

/// Why a build made no engine.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// It could not be started, as where the sandbox lacks a layer that is required.
    #[error(transparent)]
    Host(#[from] HostError),
    #[error("it was still at work after {} s", .0.as_secs())]
    Late(Duration),
    #[error("it was interrupted")]
    Interrupted,
    /// How it ended, or what it used too much of.
    #[error("it {0}")]
    Failed(String),
    /// What it printed could not be written.
    #[error("its output cannot be kept: {0}")]
    Output(io::Error),
}

/// Runs a command of the shell in a folder, to build the engine whose source is there, and writes
/// what it prints to `output`. It has no network, sees the programs of the system and that folder,
/// and may write there alone. It and all that it started have ended then.
///
/// # Errors
/// When it did not end well within that time.
pub fn build(
    command: &str,
    folder: &Path,
    settings: HostSettings,
    patience: Duration,
    output: &mut dyn Write,
) -> Result<(), BuildError> {
    let shell = PathBuf::from("/bin/sh");
    let launch = Launch {
        programs: vec![shell.clone()],
        arguments: vec!["-c".to_owned(), format!("exec 2>&1; {command}")],
        ..Launch::default()
    };
    let spec = EngineSpec {
        id: "the build".to_owned(),
        launch: Some(launch),
        folder: Some(folder.to_owned()),
        ..EngineSpec::bare(shell, EngineKind::Gomocup)
    };
    let builds_in = Some(folder.to_owned());
    let folder_mib = Some(TEMPORARY_MIB);
    let require_layers = match settings.require_sandbox {
        true => LAYERS.map(str::to_owned).to_vec(),
        false => Vec::new(),
    };
    let settings =
        HostSettings { builds_in, folder_mib, require_layers, engines_at_once: 1, ..settings };
    let mut process = TextProcess::of_text(spec, settings);
    process.start()?;
    process.run_to_end(patience, output)
}

impl TextProcess {
    fn run_to_end(&mut self, patience: Duration, output: &mut dyn Write) -> Result<(), BuildError> {
        let begun = Instant::now();
        self.watchdog.arm(Some(patience));
        let written = self.pass_on(output);
        let is_late = self.watchdog.disarm();
        self.running = None;
        let target = self.watchdog.replace(StopTarget::Nothing);
        let StopTarget::Child(mut supervisor) = target else { return Err(BuildError::Interrupted) };
        if !is_late && written.is_ok() {
            supervisor.wait_for_exit(patience.saturating_sub(begun.elapsed()).min(LAST));
        }
        let exit = supervisor.kill_and_reap();
        if self.watchdog.is_interrupted() {
            return Err(BuildError::Interrupted);
        }
        if is_late {
            return Err(BuildError::Late(patience));
        }
        written.map_err(BuildError::Output)?;
        match (exit.exceeded, exit.status) {
            (Some(excess), _) => Err(BuildError::Failed(excess.what)),
            (None, Some(status)) if status.success() => Ok(()),
            (None, Some(status)) => {
                Err(BuildError::Failed(engine_loss::describe_exit(status, &self.spec.path)))
            }
            (None, None) => Err(BuildError::Failed("is gone".to_owned())),
        }
    }

    /// Writes what it prints, until it prints no more or was killed.
    fn pass_on(&mut self, output: &mut dyn Write) -> io::Result<()> {
        let Some(Running { pipes, .. }) = self.running.as_mut() else { return Ok(()) };
        pipes.close_input();
        let mut buffer = [0; 8192];
        while pipes.wait_until_readable(self.watchdog.slot()) {
            match pipes.read(&mut buffer) {
                0 => break,
                count => output.write_all(&buffer[..count])?,
            }
        }
        Ok(())
    }
}
