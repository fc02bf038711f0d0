//! What Linux reports of other processes.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::str::FromStr;

use rustix::process::{Resource, Rlimit, getrlimit, prlimit};

use super::Usage;
use super::unix::pid_of;

/// The CPU time of all threads of a process, in nanoseconds.
pub(crate) fn cpu_time(pid: u32) -> Option<u64> {
    read_clock(clock_of(pid)?)
}

/// The CPU time of a thread of this process, in nanoseconds.
pub(super) fn cpu_time_of_thread(thread: u32) -> Option<u64> {
    const PER_THREAD: libc::clockid_t = 4;
    read_clock(clock_of(thread)? | PER_THREAD)
}

/// The clock of the CPU time of a process, or, with a flag, of a thread.
fn clock_of(pid: u32) -> Option<libc::clockid_t> {
    // The number of a process's clock is a part of the system's interface
    // (MAKE_PROCESS_CPUCLOCK in include/linux/posix-timers.h). Where the C library makes it, it
    // asks the system for the resolution of the clock, each time, to see whether it is there.
    const SCHEDULER: libc::clockid_t = 2;
    let pid = libc::clockid_t::try_from(pid).ok().filter(|&pid| pid > 0 && pid < 1 << 28)?;
    Some((!pid << 3) | SCHEDULER)
}

/// The time of one of the system's clocks, in nanoseconds.
fn read_clock(clock: libc::clockid_t) -> Option<u64> {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the place is valid for the call; a clock that is not there is an error.
    if unsafe { libc::clock_gettime(clock, &mut time) } != 0 {
        return None;
    }
    let seconds = u64::try_from(time.tv_sec).ok()?;
    Some(seconds * 1_000_000_000 + u64::try_from(time.tv_nsec).ok()?)
}

/// For how long the machine has slept since it was started, in nanoseconds: what its two clocks
/// differ by. One of them stands still while it sleeps.
pub(crate) fn slept() -> u64 {
    let (awake, always) = (read_clock(libc::CLOCK_MONOTONIC), read_clock(libc::CLOCK_BOOTTIME));
    always.zip(awake).map_or(0, |(always, awake)| always.saturating_sub(awake))
}

/// Allows a process, which is ours, as much CPU time as at its start once more.
pub(crate) fn renew_cpu_time(pid: u32) {
    let Some(used) = cpu_time(pid) else { return };
    let Some(pid) = pid_of(pid) else { return };
    let hard = getrlimit(Resource::Cpu).maximum;
    let current = Some(super::cpu_allowance(used).min(hard.unwrap_or(u64::MAX)));
    // One that has ended needs none.
    let _ = prlimit(Some(pid), Resource::Cpu, Rlimit { current, maximum: hard });
}

/// What a process and its descendants use; None when it is gone. Where that is more threads or
/// processes than `most`, the rest is not counted.
///
/// Pages that several of them share are counted for each; where that is too much, they are counted
/// by their shares, which takes the kernel longer.
pub(crate) fn usage(pid: u32, most: Usage) -> Option<Usage> {
    let mut total = Usage::default();
    let mut pids = vec![pid];
    let (mut seen, mut tables) = (0, 0);
    while let Some(&pid) = pids.get(seen) {
        seen += 1;
        let Some(status) = Status::read(pid) else { continue };
        total.memory += status.memory;
        total.shared += status.shared;
        tables += status.tables;
        total.threads += status.threads;
        // One that has ended takes no more than its number.
        total.processes += u64::from(!status.has_ended);
        if total.threads > most.threads || total.processes > most.processes {
            return Some(total);
        }
        children(pid, status.threads, &mut pids);
    }
    if seen > 1 && total.memory > most.memory {
        let shares = pids.iter().filter_map(|&pid| share(pid));
        let (memory, shared) =
            shares.fold((tables, 0), |sum, share| (sum.0 + share.0 + share.1, sum.1 + share.1));
        (total.memory, total.shared) = (memory, shared);
    }
    (total.threads > 0).then_some(total)
}

/// What Linux says of a process.
struct Status {
    /// Its memory in bytes, the tables of its pages included. Pages of files are the system's: it
    /// can take them back at any time.
    memory: u64,
    /// Those of them that are shared memory, and those that are tables.
    shared: u64,
    tables: u64,
    threads: u64,
    /// Whether it only waits to be reaped.
    has_ended: bool,
}

impl Status {
    fn read(pid: u32) -> Option<Status> {
        let text = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
        let (mut private, mut shared, mut tables) = (0, 0, 0);
        let (mut threads, mut has_ended) = (1, false);
        for line in text.lines() {
            let Some((key, value)) = line.split_once(':') else { continue };
            let value = value.trim_start();
            let number = || value.split(' ').next().and_then(|number| number.parse::<u64>().ok());
            match key {
                "RssAnon" | "VmSwap" => private += number().unwrap_or(0) * 1024,
                "RssShmem" => shared = number().unwrap_or(0) * 1024,
                "VmPTE" => tables = number().unwrap_or(0) * 1024,
                "Threads" => threads = number().unwrap_or(1),
                "State" => has_ended = value.starts_with(['Z', 'X']),
                _ => {}
            }
        }
        Some(Status { memory: private + shared + tables, shared, tables, threads, has_ended })
    }
}

/// The bytes of a process that are its own and those of shared memory, with pages that it shares
/// counted by its share.
fn share(pid: u32) -> Option<(u64, u64)> {
    let rollup = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).ok()?;
    let bytes = |key: &str| {
        let line = rollup.lines().find(|line| line.starts_with(key));
        let kib = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok());
        kib.unwrap_or(0) * 1024
    };
    Some((bytes("Pss_Anon:") + bytes("SwapPss:"), bytes("Pss_Shmem:")))
}

/// A process, and all that it has started and that it, or what it has started, has not reaped. What
/// loses its parent is the first one's child: see [`adopt_orphans`](super::adopt_orphans).
pub(crate) fn job(pid: u32) -> Vec<u32> {
    let mut pids = vec![pid];
    let mut seen = 0;
    while let Some(&pid) = pids.get(seen) {
        seen += 1;
        children(pid, threads(pid), &mut pids);
    }
    pids
}

/// The same without the process itself.
pub(crate) fn descendants(pid: u32) -> Vec<u32> {
    job(pid).split_off(1)
}

/// How many threads a process has. A folder has a link from each folder in it, from itself and from
/// the one above.
pub(super) fn threads(pid: u32) -> u64 {
    fs::metadata(format!("/proc/{pid}/task")).map_or(0, |tasks| tasks.nlink().saturating_sub(2))
}

/// All processes in these process groups that have not ended, but this one.
pub(super) fn all_in_groups(groups: &BTreeSet<u32>) -> Vec<u32> {
    let is_in = |pid: &u32| {
        let Some(stat) = Stat::of(*pid).filter(|_| *pid != std::process::id()) else {
            return false;
        };
        stat.state() != Some('Z') && stat.group().is_some_and(|group| groups.contains(&group))
    };
    all().into_iter().filter(is_in).collect()
}

/// Every process there is.
pub(crate) fn all() -> Vec<u32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
}

/// Has the kernel kill this process, and all that it starts, before any other where the machine has
/// no memory left.
pub(crate) fn prefer_to_die() {
    let _ = fs::write("/proc/self/oom_score_adj", "1000");
}

/// Whether a process is there that can still do something.
pub(crate) fn is_alive(pid: u32) -> bool {
    state(pid).is_some_and(|state| !matches!(state, 'Z' | 'X'))
}

/// Whether a process stands stopped, by a signal or a debugger.
pub(crate) fn is_halted(pid: u32) -> bool {
    state(pid).is_some_and(|state| matches!(state, 'T' | 't'))
}

fn state(pid: u32) -> Option<char> {
    Stat::of(pid)?.state()
}

/// What `/proc` says of a process or a thread in its file `stat`, see proc_pid_stat(5).
pub(super) struct Stat(String);

impl Stat {
    pub(super) fn of(pid: u32) -> Option<Stat> {
        Stat::read(&format!("/proc/{pid}/stat"))
    }

    pub(super) fn read(path: &str) -> Option<Stat> {
        read(path).map(Stat)
    }

    /// The field of that number, by which the manual page calls it; none before the state.
    pub(super) fn field<T: FromStr>(&self, number: usize) -> Option<T> {
        // The second is the name in brackets, which may hold anything.
        let mut fields = self.0.rsplit(')').next()?.split_whitespace();
        fields.nth(number.checked_sub(3)?)?.parse().ok()
    }

    pub(super) fn state(&self) -> Option<char> {
        self.field(3)
    }

    pub(super) fn group(&self) -> Option<u32> {
        self.field(5)
    }
}

/// A small file of the kernel's, in one read: it has no size that one could ask for.
pub(super) fn read(path: &str) -> Option<String> {
    let mut bytes = [0; 4096];
    let count = File::open(path).ok()?.read(&mut bytes).ok()?;
    str::from_utf8(&bytes[..count]).ok().map(str::to_owned)
}

pub(super) fn thread_numbers(pid: u32) -> io::Result<impl Iterator<Item = u32>> {
    let tasks = fs::read_dir(format!("/proc/{pid}/task"))?.flatten();
    Ok(tasks.filter_map(|task| task.file_name().to_str()?.parse().ok()))
}

/// Appends the children of a process that has so many threads.
fn children(pid: u32, threads: u64, to: &mut Vec<u32>) {
    if threads == 1 {
        return children_of_thread(pid, pid, to);
    }
    let numbers = thread_numbers(pid).into_iter().flatten();
    numbers.for_each(|thread| children_of_thread(pid, thread, to));
}

/// Appends the children that a thread of a process has.
pub(super) fn children_of_thread(pid: u32, thread: u32, to: &mut Vec<u32>) {
    let children = fs::read_to_string(format!("/proc/{pid}/task/{thread}/children"));
    to.extend(children.iter().flat_map(|text| text.split_whitespace()).flat_map(str::parse::<u32>));
}

/// The bytes and the files in a folder in memory that a process sees at that path, with those that
/// have no name any more; None where it is no such folder, or this process may not look.
pub(crate) fn memory_folder(pid: u32, path: &Path) -> Option<(u64, u64)> {
    const TMPFS: i64 = 0x0102_1994;
    let path = path.strip_prefix("/").ok()?;
    let system = rustix::fs::statfs(Path::new(&format!("/proc/{pid}/root")).join(path)).ok()?;
    #[allow(clippy::useless_conversion, reason = "its type differs between C libraries")]
    let kind = i64::try_from(system.f_type);
    if kind != Ok(TMPFS) {
        return None;
    }
    let blocks = system.f_blocks.saturating_sub(system.f_bfree);
    let bytes = blocks.saturating_mul(u64::try_from(system.f_bsize).ok()?);
    Some((bytes, system.f_files.saturating_sub(system.f_ffree)))
}

/// What runs in a process, whatever lies at its path by now.
const RUNNING: &str = "/proc/self/exe";

/// This program as it runs.
pub(crate) fn this_program() -> io::Result<PathBuf> {
    let running = PathBuf::from(RUNNING);
    if running.exists() { Ok(running) } else { std::env::current_exe() }
}

/// A command of that program, which lists of processes show by the name of its file.
pub(crate) fn command(program: &Path) -> Command {
    let mut command = Command::new(program);
    if program == Path::new(RUNNING)
        && let Ok(file) = std::env::current_exe()
    {
        command.arg0(file);
    }
    command
}

/// Is called after the program in lists of processes, also where that was started by another path.
pub(crate) fn name_process() {
    let _unnamed = rustix::thread::set_name(c"tengen");
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Stdio;

    use std::hint::black_box;

    const ALL: Usage =
        Usage { memory: u64::MAX, shared: 0, threads: u64::MAX, processes: u64::MAX };

    #[test]
    fn a_process_knows_its_own_usage() {
        let own = std::process::id();
        let before = usage(own, ALL).unwrap();
        let room = black_box(vec![1_u8; 64 << 20]);
        let after = usage(own, ALL).unwrap();
        drop(room);
        assert!(after.memory >= before.memory + (32 << 20), "{before:?} {after:?}");
        assert!(after.processes >= 1 && after.threads >= 1);
    }

    #[test]
    fn memory_beyond_the_ceiling_is_counted_by_its_share() {
        let own = std::process::id();
        let (whole, share) = (Status::read(own).unwrap().memory, share(own).unwrap());
        assert!(share.0 + share.1 <= 2 * whole, "{share:?} of {whole}");
    }

    #[test]
    fn cpu_time_grows_with_work() {
        let own = std::process::id();
        let before = cpu_time(own).unwrap();
        while cpu_time(own).unwrap() <= before + 1_000_000 {
            black_box(before);
        }
    }

    #[test]
    fn the_clock_of_a_process_is_the_systems_own() {
        let own = std::process::id();
        let mut clock = 0;
        // SAFETY: the place is valid for the call.
        let code = unsafe { libc::clock_getcpuclockid(own as libc::pid_t, &mut clock) };
        assert_eq!(code, 0);
        let before = read_clock(clock).unwrap();
        let between = cpu_time(own).unwrap();
        assert!((before..=read_clock(clock).unwrap()).contains(&between));
    }

    #[test]
    fn a_machine_that_is_awake_does_not_sleep() {
        let slept = slept();
        assert!(self::slept().abs_diff(slept) < 60_000_000_000, "the test was not suspended");
    }

    #[test]
    fn cpu_time_is_renewed_from_what_was_used() {
        let mut child = std::process::Command::new("cat").stdin(Stdio::piped()).spawn().unwrap();
        let allowed = || fs::read_to_string(format!("/proc/{}/limits", child.id())).unwrap();
        renew_cpu_time(child.id());
        let limits = allowed();
        let line = limits.lines().find(|line| line.starts_with("Max cpu time")).unwrap();
        let soft: u64 = line.split_whitespace().nth(3).unwrap().parse().unwrap();
        assert!((super::super::cpu_allowance(0)..).contains(&soft), "{line}");
        drop(child.stdin.take());
        child.wait().unwrap();
    }

    #[test]
    fn nothing_is_told_of_a_number_without_a_process() {
        // The number is beyond the most that the kernel gives out.
        let unused = (1 << 22) + 1;
        assert_eq!((usage(unused, ALL), cpu_time(unused)), (None, None));
    }
}
