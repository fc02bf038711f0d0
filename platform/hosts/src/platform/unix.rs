use std::fs::{DirBuilder, File, Metadata};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, ExitStatus};

use rustix::io::fcntl_dupfd_cloexec;
use rustix::process::{
    Pid, Resource, Rlimit, Signal, geteuid, getppid, getrlimit, kill_process_group, setrlimit,
};
use rustix::stdio::{dup2_stdin, dup2_stdout, stderr, stdin, stdout};

use super::Wires;

/// The most files an engine may have open.
const OPEN_FILES: u64 = 256;
/// The wires lie beyond the descriptors that an engine may guess.
const FIRST_WIRE: i32 = 3;
const MIB: u64 = 1 << 20;

/// Makes the child the head of a process group of its own, so that it is killed with its own
/// children, and Ctrl-C at the terminal does not reach it.
pub(crate) fn give_group(command: &mut Command) {
    command.process_group(0);
}

/// Kills a child that is not reaped yet, and its whole group.
pub(crate) fn kill_group(child: &mut Child) {
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    // Nobody to kill is as good as killed.
    let _ = pid.map(|pid| kill_process_group(pid, Signal::KILL));
}

/// Moves the pipes away from descriptors 0 and 1, which engines read and print to: 0 becomes
/// /dev/null, 1 the same as stderr.
pub(crate) fn take_wires() -> io::Result<Wires> {
    let requests = File::from(fcntl_dupfd_cloexec(stdin(), FIRST_WIRE)?);
    let answers = File::from(fcntl_dupfd_cloexec(stdout(), FIRST_WIRE)?);
    dup2_stdin(File::open("/dev/null")?)?;
    dup2_stdout(stderr())?;
    Ok(Wires { requests, answers })
}

/// Lets a fault of the engine kill the process, so that the parent sees which signal it was. Must
/// come before any runtime that handles these signals itself.
pub(crate) fn default_signals() {
    for signal in [libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGILL] {
        // SAFETY: the default disposition runs no code of ours.
        unsafe { libc::signal(signal, libc::SIG_DFL) };
    }
    // A write beyond the file size limit then fails with EFBIG instead of killing.
    // SAFETY: ignoring a signal runs no code of ours.
    unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
}

/// Makes the child die with the thread that started it. Gives whether the parent is still there.
pub(crate) fn tie_to_parent(parent: u32, layers: &mut Vec<&'static str>) -> bool {
    #[cfg(target_os = "linux")]
    if rustix::process::set_parent_process_death_signal(Some(Signal::KILL)).is_ok() {
        layers.push("parent_death");
    }
    // The parent may have died before that was asked for.
    let _ = &layers;
    getppid().is_some_and(|now| now.as_raw_pid().unsigned_abs() == parent)
}

/// Puts up what walls there are without root. `memory_mib` limits the address space to that much
/// beyond what the host itself takes.
pub(crate) fn confine(memory_mib: Option<u32>, layers: &mut Vec<&'static str>) {
    #[cfg(target_os = "linux")]
    if rustix::thread::set_no_new_privs(true).is_ok() {
        layers.push("no_new_privs");
    }
    limit(Resource::Core, 0, "no_core", layers);
    limit(Resource::Nofile, OPEN_FILES, "open_files", layers);
    if let Some(mib) = memory_mib {
        let space = address_space().saturating_add(u64::from(mib) * MIB);
        limit(Resource::As, space, "address_space", layers);
    }
}

/// Lets no file grow any more.
pub(crate) fn forbid_files(layers: &mut Vec<&'static str>) {
    limit(Resource::Fsize, 0, "no_files", layers);
}

fn limit(resource: Resource, most: u64, layer: &'static str, layers: &mut Vec<&'static str>) {
    let most = getrlimit(resource).maximum.map_or(most, |maximum| maximum.min(most));
    let limit = Rlimit { current: Some(most), maximum: Some(most) };
    if setrlimit(resource, limit).is_ok() {
        layers.push(layer);
    }
}

/// The address space this process takes already, in bytes; 0 where the system does not tell.
fn address_space() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let size = status.lines().find_map(|line| line.strip_prefix("VmSize:"));
    let kib = size.and_then(|size| size.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    kib.unwrap_or(0) * 1024
}

/// How a process ended, for people.
pub(crate) fn describe_exit(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("exited with code {code}"),
        (None, Some(signal)) => format!("was killed by {}", signal_name(signal)),
        (None, None) => "ended".to_owned(),
    }
}

fn signal_name(signal: i32) -> String {
    let name = match signal {
        libc::SIGABRT => "SIGABRT (it aborted)",
        libc::SIGBUS => "SIGBUS (bad memory access)",
        libc::SIGFPE => "SIGFPE (division by zero or the like)",
        libc::SIGILL => "SIGILL (illegal instruction)",
        libc::SIGKILL => "SIGKILL (from outside, or after it hung up its pipes)",
        libc::SIGSEGV => "SIGSEGV (bad memory access)",
        libc::SIGSYS => "SIGSYS (forbidden system call)",
        libc::SIGTERM => "SIGTERM",
        libc::SIGTRAP => "SIGTRAP",
        other => return format!("signal {other}"),
    };
    name.to_owned()
}

/// Makes a folder, and those above it, that only this user may enter.
pub(crate) fn make_private(folder: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

/// Whether only this user can write there.
pub(crate) fn is_private(metadata: &Metadata) -> bool {
    metadata.uid() == geteuid().as_raw() && metadata.mode() & 0o022 == 0
}
