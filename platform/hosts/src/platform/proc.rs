//! What Linux reports of other processes.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use rustix::process::{Pid, Resource, Rlimit, getrlimit, prlimit};

use super::Usage;

/// The CPU time of all threads of a process, in nanoseconds.
pub(crate) fn cpu_time(pid: u32) -> Option<u64> {
    // The number of a process's clock is a part of the system's interface
    // (MAKE_PROCESS_CPUCLOCK in include/linux/posix-timers.h). Where the C library makes it, it
    // asks the system for the resolution of the clock, each time, to see whether it is there.
    const SCHEDULER: libc::clockid_t = 2;
    let pid = libc::clockid_t::try_from(pid).ok().filter(|&pid| pid > 0 && pid < 1 << 28)?;
    read_clock((!pid << 3) | SCHEDULER)
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
    let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw) else { return };
    let hard = getrlimit(Resource::Cpu).maximum;
    let current = Some(super::cpu_allowance(used).min(hard.unwrap_or(u64::MAX)));
    // One that has ended needs none.
    let _ = prlimit(Some(pid), Resource::Cpu, Rlimit { current, maximum: hard });
}

/// What a process and its descendants use, with those that `init` has taken on; None when it is
/// gone. Where that is more threads or processes than `most`, the rest is not counted.
///
/// Pages that several of them share are counted for each; where that is too much, they are counted
/// by their shares, which takes the kernel longer.
pub(crate) fn usage(pid: u32, init: Option<u32>, most: Usage) -> Option<Usage> {
    let mut total = Usage::default();
    let mut pids = vec![pid];
    init.inspect(|&init| children(init, 1, &mut pids));
    let mut seen = 0;
    while let Some(&pid) = pids.get(seen) {
        seen += 1;
        let Some((memory, threads)) = status(pid) else { continue };
        total.memory += memory;
        total.threads += threads;
        total.processes += 1;
        if total.threads > most.threads || total.processes > most.processes {
            return Some(total);
        }
        children(pid, threads, &mut pids);
    }
    if total.processes > 1 && total.memory > most.memory {
        total.memory = pids.iter().filter_map(|&pid| share(pid)).sum();
    }
    (total.processes > 0).then_some(total)
}

/// A process's memory in bytes, and its threads. Pages of files are the system's: it can take them
/// back at any time.
fn status(pid: u32) -> Option<(u64, u64)> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let (mut kib, mut threads) = (0, 1);
    for line in status.lines() {
        let Some((key, value)) = line.split_once(':') else { continue };
        let number = || value.split_whitespace().next().and_then(|number| number.parse().ok());
        match key {
            "RssAnon" | "RssShmem" | "VmSwap" => kib += number().unwrap_or(0),
            "Threads" => threads = number().unwrap_or(1),
            _ => {}
        }
    }
    Some((kib * 1024, threads))
}

/// The bytes of a process, with pages that it shares counted by its share.
fn share(pid: u32) -> Option<u64> {
    let rollup = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).ok()?;
    let kib = |line: &str| line.split_whitespace().nth(1)?.parse::<u64>().ok();
    let wanted = ["Pss_Anon:", "Pss_Shmem:", "SwapPss:"];
    let lines = rollup.lines().filter(|line| wanted.iter().any(|key| line.starts_with(key)));
    Some(lines.filter_map(kib).sum::<u64>() * 1024)
}

/// All that a process has started and that it, or what it has started, has not reaped.
pub(crate) fn descendants(pid: u32) -> Vec<u32> {
    let mut pids = vec![pid];
    let mut seen = 0;
    while let Some(&pid) = pids.get(seen) {
        seen += 1;
        if let Some((_, threads)) = status(pid) {
            children(pid, threads, &mut pids);
        }
    }
    pids.split_off(1)
}

/// Every process there is.
pub(crate) fn all() -> Vec<u32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
}

/// Whether a process is there that can still do something.
pub(crate) fn is_alive(pid: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    // The state follows the name, which is in brackets.
    let state = stat.rsplit(')').next().and_then(|rest| rest.trim_start().chars().next());
    state.is_some_and(|state| !matches!(state, 'Z' | 'X'))
}

/// Appends the children of a process that has so many threads.
fn children(pid: u32, threads: u64, to: &mut Vec<u32>) {
    let mut read = |thread: u32| {
        let children = fs::read_to_string(format!("/proc/{pid}/task/{thread}/children"));
        to.extend(
            children.iter().flat_map(|text| text.split_whitespace()).flat_map(str::parse::<u32>),
        );
    };
    if threads == 1 {
        return read(pid);
    }
    let tasks = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    tasks.filter_map(|task| task.file_name().to_str()?.parse().ok()).for_each(read);
}

/// The bytes of the files that a process holds open but that have no name any more.
pub(crate) fn unlinked_bytes(pid: u32) -> u64 {
    let descriptors = fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten().flatten();
    let metadata = descriptors.filter_map(|descriptor| fs::metadata(descriptor.path()).ok());
    metadata.filter(|file| file.is_file() && file.nlink() == 0).map(|file| file.len()).sum()
}

/// The bytes and the files in a folder in memory that a process sees at that path, with those that
/// have no name any more; None where it is no such folder, or this process may not look.
pub(crate) fn memory_folder(pid: u32, path: &Path) -> Option<(u64, u64)> {
    const TMPFS: i64 = 0x0102_1994;
    let path = path.strip_prefix("/").ok()?;
    let system = rustix::fs::statfs(Path::new(&format!("/proc/{pid}/root")).join(path)).ok()?;
    if i64::try_from(system.f_type) != Ok(TMPFS) {
        return None;
    }
    let blocks = system.f_blocks.saturating_sub(system.f_bfree);
    let bytes = blocks.saturating_mul(u64::try_from(system.f_bsize).ok()?);
    Some((bytes, system.f_files.saturating_sub(system.f_ffree)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Stdio;

    use std::hint::black_box;

    const ALL: Usage = Usage { memory: u64::MAX, threads: u64::MAX, processes: u64::MAX };

    #[test]
    fn a_process_knows_its_own_usage() {
        let own = std::process::id();
        let before = usage(own, None, ALL).unwrap();
        let room = black_box(vec![1_u8; 64 << 20]);
        let after = usage(own, None, ALL).unwrap();
        drop(room);
        assert!(after.memory >= before.memory + (32 << 20), "{before:?} {after:?}");
        assert!(after.processes >= 1 && after.threads >= 1);
    }

    #[test]
    fn memory_beyond_the_ceiling_is_counted_by_its_share() {
        let (whole, share) = (status(std::process::id()).unwrap().0, share(std::process::id()));
        assert!(share.is_some_and(|share| share <= 2 * whole), "{share:?} of {whole}");
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
    fn nothing_is_told_of_nobody() {
        // The number is beyond the most that the kernel gives out.
        let nobody = (1 << 22) + 1;
        assert_eq!((usage(nobody, None, ALL), cpu_time(nobody)), (None, None));
    }

    #[test]
    fn a_file_without_a_name_counts_while_it_is_open() {
        let file = tempfile::tempfile().unwrap();
        file.set_len(12_345).unwrap();
        assert!(unlinked_bytes(std::process::id()) >= 12_345);
    }
}
