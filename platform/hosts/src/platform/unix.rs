//! What differs between operating systems, for Unix.

use std::fs::{DirBuilder, File, Metadata};
use std::io;
#[cfg(target_os = "linux")]
use std::os::fd::OwnedFd;
use std::os::fd::{AsFd, AsRawFd};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

use rustix::io::{Errno, fcntl_dupfd_cloexec};
use rustix::process::{
    Pid, Resource, Rlimit, Signal, WaitId, WaitIdOptions, geteuid, getppid, kill_process,
    kill_process_group, setpgid, setrlimit, waitid,
};
use rustix::stdio::{dup2_stdin, dup2_stdout, stderr, stdin, stdout};

use super::{GroupLimits, HostPipes, Started};

/// The wires lie beyond the descriptors that an engine may guess.
const FIRST_WIRE: i32 = 3;
/// How long killed processes may take to end. A process that waits for a disk or a network that
/// does not answer does not end at all.
const DEATH: Duration = Duration::from_secs(5);
/// Most ends come at once, so the looks are close together at first, and further apart the longer
/// it takes.
const SHORTEST_NAP: Duration = Duration::from_micros(50);
const LONGEST_NAP: Duration = Duration::from_millis(10);

/// The number of a process, as the system's calls take it.
pub(super) fn pid_of(number: u32) -> Option<Pid> {
    i32::try_from(number).ok().and_then(Pid::from_raw)
}

/// Sends a signal to a process. One that has ended takes none.
pub(super) fn signal(pid: u32, signal: Signal) {
    let _ = pid_of(pid).map(|pid| kill_process(pid, signal));
}

/// A child of this process, until it is reaped.
#[derive(Debug)]
pub(crate) struct StartedProcess(u32);

impl StartedProcess {
    /// A child of that number, which nothing else reaps.
    #[cfg(target_os = "linux")]
    pub(super) fn of_child(pid: u32) -> StartedProcess {
        StartedProcess(pid)
    }

    pub(crate) fn id(&self) -> u32 {
        self.0
    }

    pub(super) fn kill(&mut self) {
        signal(self.0, Signal::KILL);
    }

    /// Reaps it if it has ended. Gives whether it has.
    pub(super) fn is_reaped(&mut self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG;
        pid_of(self.0).is_none_or(|pid| !matches!(waitid(WaitId::Pid(pid), options), Ok(None)))
    }
}

impl From<Child> for StartedProcess {
    fn from(child: Child) -> StartedProcess {
        StartedProcess(child.id())
    }
}

/// Makes the child the head of a process group of its own, so that it is killed with its own
/// children, and Ctrl-C at the terminal does not reach it. Where this program is itself an engine
/// in whatever sandbox it builds, the child stays in the group that it is killed with.
pub(crate) fn give_group(command: &mut Command) {
    static MAY: OnceLock<bool> = OnceLock::new();
    // A process that is gone has no group, but a sandbox reports that in its own way.
    let unused = Pid::from_raw(i32::MAX);
    if *MAY.get_or_init(|| setpgid(unused, unused) != Err(Errno::PERM)) {
        command.process_group(0);
    }
}

/// Kills a child that is not reaped yet, and its whole group.
pub(crate) fn kill_group(child: &mut StartedProcess) {
    signal_group(child, Signal::KILL);
    // Where the sandbox lacks a layer, it may have left its group.
    child.kill();
}

/// Stops a child that is not reaped yet, and its whole group, until it is continued.
pub(crate) fn stop_group(child: &StartedProcess) {
    signal_group(child, Signal::STOP);
}

/// Asks a child that is not reaped yet, and its whole group, to end.
pub(crate) fn terminate_group(child: &StartedProcess) {
    signal_group(child, Signal::TERM);
}

/// Whether a child has ended; it is not reaped by that.
pub(crate) fn has_ended(child: &mut StartedProcess) -> bool {
    child_has_ended(child.id())
}

/// Lets a child and its group go on.
pub(crate) fn continue_group(child: &StartedProcess) {
    signal_group(child, Signal::CONT);
}

fn signal_group(child: &StartedProcess, signal: Signal) {
    // One that has ended takes no signals.
    let _ = pid_of(child.id()).map(|pid| kill_process_group(pid, signal));
}

/// Waits until a killed child has ended, and reaps it. Gives how it ended, and the most bytes of
/// memory that it had in use, where that is known.
pub(crate) fn reap(child: StartedProcess) -> io::Result<(ExitStatus, Option<u64>)> {
    reap_child(child.id())
}

/// The same of a child by its number, which it has until it is reaped.
pub(super) fn reap_child(pid: u32) -> io::Result<(ExitStatus, Option<u64>)> {
    let number = i32::try_from(pid).map_err(io::Error::other)?;
    let mut status = 0;
    // SAFETY: a struct of integers may be zero.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    let is_reaped = wait_patiently(DEATH, || {
        // SAFETY: both places are valid for the call, and the child is ours and not reaped yet:
        // its handle is given up here.
        match unsafe { libc::wait4(number, &mut status, libc::WNOHANG, &mut usage) } {
            0 => Ok(false),
            reaped if reaped == number => Ok(true),
            _ => match io::Error::last_os_error() {
                error if error.kind() == io::ErrorKind::Interrupted => Ok(false),
                error => Err(error),
            },
        }
    })?;
    if !is_reaped {
        reap_later(Pid::from_raw(number).ok_or(io::ErrorKind::InvalidInput)?);
        let told = format!("process {pid} was killed {DEATH:?} ago, but the kernel keeps it alive");
        return Err(io::Error::new(io::ErrorKind::TimedOut, told));
    }
    // Before it became the host of an engine, the child shared the memory of this process, which
    // counts in its peak.
    let most = own_peak().zip(peak(&usage)).filter(|(own, its)| its > own).map(|(_, its)| its);
    Ok((ExitStatus::from_raw(status), most))
}

/// Waits until something is so, or for as long as `patience`. Gives whether it is.
pub(super) fn wait_patiently(
    patience: Duration,
    mut is_so: impl FnMut() -> io::Result<bool>,
) -> io::Result<bool> {
    let since = Instant::now();
    loop {
        if is_so()? {
            return Ok(true);
        }
        let waited = since.elapsed();
        if waited >= patience {
            return Ok(false);
        }
        thread::sleep((waited / 4).clamp(SHORTEST_NAP, LONGEST_NAP));
    }
}

/// Reaps, in a thread of its own, what the kernel has not released yet.
fn reap_later(pid: Pid) {
    let ends = move || !matches!(waitid(WaitId::Pid(pid), WaitIdOptions::EXITED), Err(Errno::INTR));
    let reap = move || while !ends() {};
    if let Err(error) = thread::Builder::new().name("reaper".to_owned()).spawn(reap) {
        log::warn!("a process is not waited for: {error}");
    }
}

/// Reaps the remaining children in the group of a child that was killed with its group.
#[cfg(target_os = "linux")]
pub(super) fn reap_group(group: u32) {
    let Some(group) = pid_of(group) else { return };
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG;
    let are_gone = wait_patiently(DEATH, || {
        loop {
            match waitid(WaitId::Pgid(Some(group)), options) {
                Ok(Some(_)) | Err(Errno::INTR) => {}
                Ok(None) => return Ok(false),
                Err(_) => return Ok(true),
            }
        }
    });
    if !are_gone.unwrap_or(true) {
        log::warn!("processes of group {group:?} were killed, but the kernel keeps them alive");
    }
}

/// Whether a process is a child of this one that is not reaped yet.
#[cfg(target_os = "linux")]
pub(super) fn is_child(pid: u32) -> bool {
    look_at(pid).is_some_and(|looked| looked.is_ok())
}

/// Whether a child of that number has ended; it is not reaped by that.
pub(super) fn child_has_ended(pid: u32) -> bool {
    look_at(pid).is_some_and(|looked| !matches!(looked, Ok(None)))
}

/// Whether a child of that number has ended otherwise than with the code for success.
#[cfg(target_os = "linux")]
pub(super) fn child_has_failed(pid: u32) -> bool {
    match look_at(pid) {
        Some(Ok(Some(status))) => status.exit_status() != Some(0),
        looked => matches!(looked, Some(Err(_))),
    }
}

fn look_at(pid: u32) -> Option<rustix::io::Result<Option<rustix::process::WaitIdStatus>>> {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
    Some(waitid(WaitId::Pid(pid_of(pid)?), options))
}

/// Kills a child that is not reaped yet.
#[cfg(target_os = "linux")]
pub(super) fn kill_child(pid: u32) {
    signal(pid, Signal::KILL);
}

/// The most bytes of memory that this process has had in use.
fn own_peak() -> Option<u64> {
    // SAFETY: a struct of integers may be zero.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: the place is valid for the call.
    let code = unsafe { libc::getrusage(libc::RUSAGE_SELF, &mut usage) };
    (code == 0).then(|| peak(&usage)).flatten()
}

/// The peak of an account, in bytes; macOS counts bytes and the others KiB.
fn peak(usage: &libc::rusage) -> Option<u64> {
    let unit = if cfg!(target_vendor = "apple") { 1 } else { 1024 };
    u64::try_from(usage.ru_maxrss).ok()?.checked_mul(unit)
}

/// Moves the pipes away from descriptors 0 and 1, which engines read and print to: 0 becomes
/// /dev/null, 1 the same as stderr.
pub(crate) fn take_pipes() -> io::Result<HostPipes> {
    let requests = File::from(fcntl_dupfd_cloexec(stdin(), FIRST_WIRE)?);
    let answers = File::from(fcntl_dupfd_cloexec(stdout(), FIRST_WIRE)?);
    dup2_stdin(File::open("/dev/null")?)?;
    dup2_stdout(stderr())?;
    Ok(HostPipes { requests, answers })
}

/// Waits until the arbiter lets this process go on.
pub(crate) fn wait_for_byte() -> io::Result<()> {
    match rustix::io::read(stdin(), &mut [0; 1])? {
        0 => Err(io::ErrorKind::UnexpectedEof.into()),
        _ => Ok(()),
    }
}

/// Lets other processes of this user debug this one where the system lets only its parents.
#[cfg(target_os = "linux")]
pub(crate) fn allow_debuggers() {
    // SAFETY: the call takes numbers alone. Where the system does not know it, it forbids nothing.
    let _unknown = unsafe { libc::prctl(libc::PR_SET_PTRACER, libc::PR_SET_PTRACER_ANY, 0, 0, 0) };
}

/// Only Linux lets none but parents.
#[cfg(not(target_os = "linux"))]
pub(crate) fn allow_debuggers() {}

/// Another handle of the same pipe.
pub(crate) fn duplicate(pipe: &ChildStdin) -> io::Result<ChildStdin> {
    Ok(pipe.as_fd().try_clone_to_owned()?.into())
}

/// The number of a pipe, which both its ends have.
pub(crate) fn inode(pipe: &ChildStdin) -> Option<u64> {
    rustix::fs::fstat(pipe).ok().map(|file| file.st_ino)
}

/// Where the answers of a child go if its standard output is not the pipe.
pub(crate) fn answers() -> io::Result<File> {
    Ok(File::from(fcntl_dupfd_cloexec(stdout(), FIRST_WIRE)?))
}

/// Whether a program can take the place of this one.
pub(crate) const REPLACES_PROGRAMS: bool = true;

/// Runs a program in place of this one. Comes back with the reason if that cannot be.
pub(crate) fn become_program(mut command: Command) -> io::Error {
    command.exec()
}

/// Starts what the command says. Its limits are set when it runs.
pub(crate) fn spawn(command: &mut Command, _: GroupLimits, _: bool) -> io::Result<Started> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn()?;
    match (child.stdin.take(), child.stdout.take(), child.stderr.take()) {
        (Some(input), Some(output), Some(errors)) => Ok((child.into(), input, output, errors)),
        _ => Err(io::Error::other("a pipe of the process is missing")),
    }
}

/// Waits until something can be read from a pipe, or it has ended; at most so many milliseconds.
pub(crate) fn wait_for_input(pipe: &impl AsRawFd, millis: i32) -> bool {
    let mut poll = libc::pollfd { fd: pipe.as_raw_fd(), events: libc::POLLIN, revents: 0 };
    // SAFETY: one struct that is valid for the call.
    unsafe { libc::poll(&mut poll, 1, millis) > 0 }
}

/// Whether something can be read from a pipe, or it has ended.
pub(crate) fn has_input(pipe: &File) -> bool {
    wait_for_input(pipe, 0)
}

/// Closes the descriptors that the arbiter inherited without asking: an engine must not have them.
/// What was given to this process stays open.
#[cfg(target_os = "linux")]
pub(crate) fn close_others(given: Option<i32>) {
    let close = |first: i32, last: u32| {
        // SAFETY: this comes first thing in the program, which has opened nothing yet but what is
        // given. A kernel that does not have the call leaves the descriptors as they were.
        unsafe { libc::syscall(libc::SYS_close_range, first, last, 0) };
    };
    match given.filter(|given| *given >= FIRST_WIRE) {
        Some(given) => {
            if given > FIRST_WIRE {
                close(FIRST_WIRE, given.unsigned_abs() - 1);
            }
            close(given + 1, u32::MAX);
        }
        None => close(FIRST_WIRE, u32::MAX),
    }
}

/// There is no call for it here.
#[cfg(not(target_os = "linux"))]
pub(crate) fn close_others(_: Option<i32>) {}

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

/// Makes this process die with the thread that started it.
#[cfg(target_os = "linux")]
pub(crate) fn die_with_parent() -> Result<(), String> {
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL))
        .map_err(|error| error.to_string())
}

/// A child here ends when its pipe does.
#[cfg(not(target_os = "linux"))]
pub(crate) fn die_with_parent() -> Result<(), String> {
    Err("only Linux has it".to_owned())
}

/// Makes this process the parent of all its descendants that lose their own parent, so that they
/// are found. The program that runs in its place later has them too.
#[cfg(target_os = "linux")]
pub(crate) fn adopt_orphans() {
    // Every kernel that has the sandbox has this.
    let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
}

/// They are not found here.
#[cfg(not(target_os = "linux"))]
pub(crate) fn adopt_orphans() {}

/// Keeps processes of the same user from the memory of this one, which they could otherwise write
/// where the system does not forbid that by itself. The program that runs in its place later is
/// not kept so.
#[cfg(target_os = "linux")]
pub(crate) fn hide_memory() -> Result<(), String> {
    use rustix::process::{DumpableBehavior, set_dumpable_behavior};
    set_dumpable_behavior(DumpableBehavior::NotDumpable).map_err(|error| error.to_string())
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn hide_memory() -> Result<(), String> {
    Err("only Linux has it".to_owned())
}

pub(crate) fn is_parent(pid: u32) -> bool {
    getppid().is_some_and(|now| now.as_raw_pid().unsigned_abs() == pid)
}

/// The signal that ended a process, if one did.
pub(crate) fn signal_of(status: ExitStatus) -> Option<i32> {
    status.signal()
}

/// Bounds what this process may take: bytes of addresses, and CPU time.
pub(crate) fn limit_oneself(bytes: u64, time: Duration) {
    let limits = [(Resource::As, bytes), (Resource::Cpu, time.as_secs())];
    for (resource, most) in limits {
        let limit = Rlimit { current: Some(most), maximum: Some(most) };
        // Where it cannot be bounded, its parent ends it.
        let _unbounded = setrlimit(resource, limit);
    }
}

/// Another way to standard error, which stays where an engine closes or moves that.
#[cfg(target_os = "linux")]
pub(super) fn duplicate_errors() -> io::Result<OwnedFd> {
    Ok(fcntl_dupfd_cloexec(stderr(), FIRST_WIRE)?)
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

/// Makes a name under which a file elsewhere is found.
pub(crate) fn link(file: &Path, name: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(file, name)
}

/// Whether only this user can write there.
pub(crate) fn is_private(metadata: &Metadata) -> bool {
    metadata.uid() == geteuid().as_raw() && metadata.mode() & 0o022 == 0
}

#[cfg(test)]
mod tests;
