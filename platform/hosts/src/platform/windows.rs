use std::fs::{File, Metadata};
use std::io;
use std::path::Path;
use std::process::{Child, Command, ExitStatus};

use super::Wires;

/// There are no process groups here.
pub(crate) fn give_group(_: &mut Command) {}

/// Kills a child that is not reaped yet.
pub(crate) fn kill_group(child: &mut Child) {
    // Nobody to kill is as good as killed.
    let _ = child.kill();
}

/// The standard handles serve as wires: what an engine prints there is a protocol error.
pub(crate) fn take_wires() -> io::Result<Wires> {
    use std::os::windows::io::AsHandle;
    let requests = File::from(io::stdin().as_handle().try_clone_to_owned()?);
    let answers = File::from(io::stdout().as_handle().try_clone_to_owned()?);
    Ok(Wires { requests, answers })
}

/// Faults end the process by themselves here.
pub(crate) fn default_signals() {}

/// A child here ends when its pipe does.
pub(crate) fn tie_to_parent(_: u32, _: &mut Vec<&'static str>) -> bool {
    true
}

/// No wall that needs no rights is known here.
pub(crate) fn confine(_: Option<u32>, _: &mut Vec<&'static str>) {}

/// As [`confine`].
pub(crate) fn forbid_files(_: &mut Vec<&'static str>) {}

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
