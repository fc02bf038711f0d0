//! What differs between operating systems, for Windows.

use std::fs::{File, Metadata};
use std::io;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus};
use std::time::Duration;

use super::{HostPipes, TreeSize};

/// Not every user may make links here.
pub(crate) fn link(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// The most files and folders that are counted in one tree. A tree with this many has too many.
const MOST_ENTRIES: u64 = 10_000;

/// The bytes of the files in a folder and in all that are in it.
pub(crate) fn tree_size(folder: &Path) -> TreeSize {
    let (mut bytes, mut entries) = (0_u64, 0);
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        // What is gone by now holds nothing.
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            entries += 1;
            if entries > MOST_ENTRIES {
                return TreeSize::Uncountable;
            }
            match entry.metadata() {
                Ok(metadata) if metadata.is_dir() => folders.push(entry.path()),
                Ok(metadata) => bytes = bytes.saturating_add(metadata.len()),
                Err(_) => {}
            }
        }
    }
    TreeSize::Bytes(bytes)
}

pub(crate) fn remove_tree(folder: &Path) -> io::Result<()> {
    std::fs::remove_dir_all(folder)
}

/// Processes without a parent are not found here.
pub(crate) fn adopt_orphans() {}

/// There are none here.
pub(crate) fn signal_of(_: ExitStatus) -> Option<i32> {
    None
}

/// The parent ends it after its time.
pub(crate) fn limit_oneself(_: u64, _: Duration) {}

/// Another process needs rights here that engines do not have.
pub(crate) fn hide_memory() -> Result<(), String> {
    Err("only Linux has it".to_owned())
}

/// A child of this process, until it is reaped.
#[derive(Debug)]
pub(crate) struct StartedProcess(Child);

impl StartedProcess {
    pub(crate) fn id(&self) -> u32 {
        self.0.id()
    }

    /// Kills it. One that is gone is as good as killed.
    pub(super) fn kill(&mut self) {
        let _ = self.0.kill();
    }

    /// Reaps it if it has ended. Gives whether it has.
    pub(super) fn is_reaped(&mut self) -> bool {
        !matches!(self.0.try_wait(), Ok(None))
    }
}

impl From<Child> for StartedProcess {
    fn from(child: Child) -> StartedProcess {
        StartedProcess(child)
    }
}

/// There are no process groups here.
pub(crate) fn give_group(_: &mut Command) {}

/// Kills a child that is not reaped yet.
pub(crate) fn kill_group(child: &mut StartedProcess) {
    child.kill();
}

/// No process here can be stopped and continued from outside by documented means.
pub(crate) fn stop_group(_: &StartedProcess) {}

pub(crate) fn has_ended(child: &mut StartedProcess) -> bool {
    child.is_reaped()
}

pub(crate) fn terminate_group(_: &StartedProcess) {}

pub(crate) fn continue_group(_: &StartedProcess) {}

/// Waits until a child has ended. Gives how it ended; the memory it used is not known.
pub(crate) fn reap(mut child: StartedProcess) -> io::Result<(ExitStatus, Option<u64>)> {
    Ok((child.0.wait()?, None))
}

/// The standard handles serve as wires: what an engine prints there is a protocol error.
pub(crate) fn take_pipes() -> io::Result<HostPipes> {
    use std::os::windows::io::AsHandle;
    let requests = File::from(io::stdin().as_handle().try_clone_to_owned()?);
    let answers = File::from(io::stdout().as_handle().try_clone_to_owned()?);
    Ok(HostPipes { requests, answers })
}

/// Waits until the arbiter lets this process go on.
pub(crate) fn wait_for_byte() -> io::Result<()> {
    use std::io::Read;
    use std::os::windows::io::AsHandle;
    File::from(io::stdin().as_handle().try_clone_to_owned()?).read_exact(&mut [0])
}

/// Nothing keeps a user's debuggers from this process.
pub(crate) fn allow_debuggers() {}

/// Pipes have no numbers here.
pub(crate) fn inode(_: &ChildStdin) -> Option<u64> {
    None
}

/// Where the answers of a child go if its standard output is not the pipe.
pub(crate) fn answers() -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    Ok(File::from(io::stdout().as_handle().try_clone_to_owned()?))
}

/// Runs a program and ends with it: here none takes another's place. Comes back with the reason if
/// that cannot be.
pub(crate) fn become_program(mut command: Command) -> io::Error {
    match command.status() {
        Ok(status) => std::process::exit(status.code().unwrap_or(1)),
        Err(error) => error,
    }
}

/// Handles are not inherited here unless that is asked for.
pub(crate) fn close_others(_: Option<i32>) {}

/// No pipe here can be waited for without reading it.
pub(crate) fn wait_for_input<P>(_: &P, _: i32) -> bool {
    true
}

/// Another handle of the same pipe.
pub(crate) fn duplicate(pipe: &ChildStdin) -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    Ok(File::from(pipe.as_handle().try_clone_to_owned()?))
}

/// The standard library cannot look into a pipe here without reading it.
pub(crate) fn has_input(_: &File) -> bool {
    false
}

/// Faults end the process by themselves here.
pub(crate) fn default_signals() {}

/// A child here ends when its pipe does.
pub(crate) fn die_with_parent() -> Result<(), String> {
    Err("only Linux has it".to_owned())
}

/// No other process knows the pipes of a child.
pub(crate) fn is_parent(_: u32) -> bool {
    true
}

/// How a process ended, for people.
pub(crate) fn describe_exit(status: ExitStatus) -> String {
    status.to_string()
}

/// Makes a folder, and those above it.
pub(crate) fn make_private(folder: &Path) -> io::Result<()> {
    std::fs::create_dir_all(folder)
}

/// A user's own folders are private here by inheritance.
pub(crate) fn is_private(_: &Metadata) -> bool {
    true
}
