//! What differs between operating systems: process groups, the pipes of a child process, what a
//! process uses, and who may write in a folder.

#[cfg(target_os = "linux")]
mod affinity;
#[cfg(target_os = "linux")]
mod escaped;
#[cfg(target_os = "linux")]
mod group_mounts;
#[cfg(target_os = "linux")]
mod groups;
#[cfg(target_os = "linux")]
mod held;
mod job;
#[cfg(target_os = "linux")]
mod proc;
#[cfg(target_os = "linux")]
mod reaper;
#[cfg(target_os = "linux")]
mod sched;
mod sched_stats;
#[cfg(target_os = "linux")]
mod threads;
#[cfg(unix)]
mod tree;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
use unix as system;
#[cfg(windows)]
use windows as system;

pub(crate) use system::{
    adopt_orphans, allow_debuggers, answers, become_program, close_others, default_signals,
    describe_exit, die_with_parent, duplicate, give_group, has_input, hide_memory, inode,
    is_parent, is_private, link, make_private, take_pipes, wait_for_byte, wait_for_input,
};
use system::{continue_group, has_ended, kill_group, reap, stop_group, terminate_group};

pub(crate) use job::{Inside, Job};
pub(crate) use sched_stats::SchedStats;
#[cfg(test)]
pub(crate) use sched_stats::{ProcessStats, ThreadStats};

#[cfg(target_os = "linux")]
pub(crate) use held::{Held, held};
#[cfg(target_os = "linux")]
pub(crate) use proc::{job, memory_folder, renew_cpu_time, slept, usage};

#[cfg(target_os = "linux")]
pub(crate) use sched::{last_sched_stats, own_wait, sched_stats, sched_stats_of_group};

#[cfg(target_os = "linux")]
use escaped::kill_descendants;
#[cfg(target_os = "linux")]
pub(crate) use escaped::{EnvTag, continue_descendants, stop_descendants};

#[cfg(target_os = "linux")]
pub(crate) use groups::{Group, LAYERS as GROUP_LAYERS, find_groups, join_group, make_group};
#[cfg(target_os = "linux")]
pub(crate) use reaper::{REAPER, Reaper, run_reaper};

#[cfg(target_os = "linux")]
pub(crate) use affinity::{Cpus, current_cpu};
#[cfg(target_os = "linux")]
pub(crate) use threads::{activity, has_several_threads, job_cpu};

#[cfg(unix)]
pub(crate) use tree::{TreeSize, remove_tree, tree_size};
#[cfg(windows)]
pub(crate) use windows::{TreeSize, remove_tree, tree_size};

/// The word that starts a child: `PROGRAM host-engine …`.
pub const HOST_COMMAND: &str = "host-engine";

/// What the threads of a process are doing together; the greatest is what the busiest of them does,
/// or else what is known of the others.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[cfg_attr(not(target_os = "linux"), allow(dead_code))]
pub(crate) enum Activity {
    /// Nothing any more.
    Ended,
    /// All wait for something; nothing shows that it is the input.
    Asleep,
    /// All wait, one for input.
    CpuSample,
    /// All wait, one for input in a call that a stop would break off.
    Polling,
    /// All wait, one for a time to go by: it may have something to finish then.
    Napping,
    /// One runs, or waits for a CPU or the disk.
    Working,
}

impl Activity {
    pub(crate) fn and(self, other: Activity) -> Activity {
        self.max(other)
    }

    /// Whether all of them wait for input.
    pub(crate) fn is_settled(self) -> bool {
        matches!(self, Activity::CpuSample | Activity::Polling)
    }
}

/// The two pipes between a child process and the arbiter, seen from the child.
pub(crate) struct HostPipes {
    /// Requests come here.
    pub requests: std::fs::File,
    /// Answers go there.
    pub answers: std::fs::File,
}

/// What the processes of one engine may use together, where the kernel counts that.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(target_os = "linux"), allow(dead_code))]
pub(crate) struct GroupLimits {
    /// Bytes of memory of every kind.
    pub memory: Option<u64>,
    /// Processes and their threads.
    pub tasks: u64,
}

/// Where a control group is that a process is to join.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct GroupPlace {
    /// The layers of the sandbox that hold when it has joined.
    pub layers: Vec<String>,
    pub path: std::path::PathBuf,
}

/// What a process and all its descendants use.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[cfg_attr(not(target_os = "linux"), allow(dead_code))]
pub(crate) struct Usage {
    /// Bytes of memory of their own, in use or swapped out, and of the tables of their pages.
    pub memory: u64,
    /// Those of them that are shared memory.
    pub shared: u64,
    pub threads: u64,
    pub processes: u64,
}

/// The CPU time of the processes of an engine, in nanoseconds.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
#[cfg_attr(not(target_os = "linux"), allow(dead_code))]
pub(crate) struct JobCpu {
    /// The number of each process, and what it has used.
    pub processes: Vec<(u32, u64)>,
    /// What those have used that the others have reaped.
    pub reaped: u64,
}

impl JobCpu {
    /// What all of them have used.
    pub(crate) fn total(&self) -> u64 {
        self.processes.iter().fold(self.reaped, |sum, (_, cpu)| sum.saturating_add(*cpu))
    }
}

/// The CPU time, in seconds, up to which a process may run that has used `used` nanoseconds: a day
/// of the whole machine more. It is for an engine that nobody stops because the arbiter itself is
/// stopped; otherwise there are deadlines.
pub(crate) fn cpu_allowance(used: u64) -> u64 {
    const DAY: u64 = 24 * 60 * 60;
    let cpus = std::thread::available_parallelism().map_or(1, |cpus| cpus.get() as u64);
    used / 1_000_000_000 + DAY * cpus
}

/// Nothing shows here which process started which.
#[cfg(not(target_os = "linux"))]
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct EnvTag;

#[cfg(not(target_os = "linux"))]
impl EnvTag {
    pub(crate) fn set(_: &mut std::process::Command) -> EnvTag {
        EnvTag
    }

    pub(crate) fn kill_all(&self) {}
}

/// No processes are counted together here.
#[cfg(not(target_os = "linux"))]
pub(crate) enum Group {}

#[cfg(not(target_os = "linux"))]
impl Group {
    pub(crate) fn places(&self) -> Vec<GroupPlace> {
        match *self {}
    }

    pub(crate) fn cpu_time(&self) -> Option<u64> {
        match *self {}
    }

    pub(crate) fn killed_at(&self) -> Option<u64> {
        match *self {}
    }
}

/// The layers of control groups.
#[cfg(not(target_os = "linux"))]
pub(crate) const GROUP_LAYERS: [&str; 1] = ["cgroup"];

#[cfg(not(target_os = "linux"))]
pub(crate) fn find_groups() {}

/// Only Linux has them.
#[cfg(not(target_os = "linux"))]
pub(crate) fn make_group(_: GroupLimits) -> (Option<Group>, Vec<(&'static str, String)>) {
    (None, GROUP_LAYERS.map(|layer| (layer, "only Linux has it".to_owned())).into())
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn join_group(_: &std::path::Path) -> std::io::Result<()> {
    Err(std::io::ErrorKind::Unsupported.into())
}

/// Nothing could find here what an engine has started.
#[cfg(not(target_os = "linux"))]
pub(crate) enum Reaper {}

#[cfg(not(target_os = "linux"))]
impl Reaper {
    pub(crate) fn share(_: &std::path::Path) -> Option<std::sync::Arc<Reaper>> {
        None
    }
}

/// The word that makes a child a reaper.
#[cfg(not(target_os = "linux"))]
pub(crate) const REAPER: &str = "--reaper";

/// None is started here.
#[cfg(not(target_os = "linux"))]
pub(crate) fn run_reaper(_: &std::ffi::OsStr) -> std::io::Result<()> {
    Ok(())
}

/// Only those of its group are known here.
#[cfg(not(target_os = "linux"))]
fn kill_descendants(_: u32) {}

/// Only those of its group are known here.
#[cfg(not(target_os = "linux"))]
pub(crate) fn stop_descendants(_: u32) {}

/// Only those of its group are known here.
#[cfg(not(target_os = "linux"))]
pub(crate) fn continue_descendants(_: u32) {}

/// Nothing shows here which process started which.
#[cfg(not(target_os = "linux"))]
pub(crate) fn job(pid: u32) -> Vec<u32> {
    vec![pid]
}

/// No process here limits another.
#[cfg(not(target_os = "linux"))]
pub(crate) fn renew_cpu_time(_: u32) {}

/// Not known here.
#[cfg(not(target_os = "linux"))]
pub(crate) fn usage(_: u32, _: Usage) -> Option<Usage> {
    None
}

/// What processes hold that no folder shows; not known here.
#[cfg(not(target_os = "linux"))]
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Held {
    pub files: u64,
    pub shared: u64,
    pub is_hidden: bool,
    pub is_endless: bool,
}

/// Not known here.
#[cfg(not(target_os = "linux"))]
pub(crate) fn held(_: &[u32], _: Option<(&std::path::Path, u64)>) -> Held {
    Held::default()
}

/// Not known here.
#[cfg(not(target_os = "linux"))]
pub(crate) fn memory_folder(_: u32, _: &std::path::Path) -> Option<(u64, u64)> {
    None
}

/// Not known here.
#[cfg(not(target_os = "linux"))]
pub(crate) fn sched_stats(_: u32) -> Option<SchedStats> {
    None
}

/// Not known here.
#[cfg(not(target_os = "linux"))]
pub(crate) fn sched_stats_of_group(_: u32) -> Option<SchedStats> {
    None
}

/// Not known here.
#[cfg(not(target_os = "linux"))]
pub(crate) fn last_sched_stats(_: u32) -> Option<SchedStats> {
    None
}

/// Not known here.
#[cfg(not(target_os = "linux"))]
pub(crate) fn own_wait() -> Option<u64> {
    None
}

/// Not known here.
#[cfg(not(target_os = "linux"))]
pub(crate) fn slept() -> u64 {
    0
}

/// Not known here.
#[cfg(not(target_os = "linux"))]
pub(crate) fn activity(_: u32, _: Option<u64>, _: bool) -> Option<Activity> {
    None
}

/// Not known here.
#[cfg(not(target_os = "linux"))]
pub(crate) fn job_cpu(_: u32, _: bool) -> Option<JobCpu> {
    None
}

/// Not known here.
#[cfg(not(target_os = "linux"))]
pub(crate) fn has_several_threads(_: u32, _: bool) -> bool {
    false
}

/// Nothing shows here which CPUs there are.
#[cfg(not(target_os = "linux"))]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Cpus {}

#[cfg(not(target_os = "linux"))]
impl Cpus {
    pub(crate) fn of_this_thread() -> Option<Cpus> {
        None
    }

    pub(crate) fn one(_: usize) -> Option<Cpus> {
        None
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> {
        std::iter::empty()
    }

    pub(crate) fn apply_here(&self) -> bool {
        false
    }

    pub(crate) fn apply_to(&self, _: u32, _: bool) {}
}

/// Not known here.
#[cfg(not(target_os = "linux"))]
pub(crate) fn current_cpu() -> usize {
    0
}
