//! What differs between operating systems: process groups, the pipes of a child process, what a
//! process uses, and which users may write in a folder.

#[cfg(unix)]
use std::sync::OnceLock;

#[cfg(target_os = "linux")]
mod affinity;
#[cfg(target_os = "linux")]
mod crash_handler;
mod crash_report;
#[cfg(target_os = "linux")]
pub(crate) mod descriptors;
#[cfg(target_os = "linux")]
mod escaped;
#[cfg(target_os = "linux")]
mod group_mounts;
#[cfg(target_os = "linux")]
mod groups;
#[cfg(target_os = "linux")]
mod held;
mod job;
#[cfg(not(target_os = "linux"))]
mod other;
#[cfg(target_os = "linux")]
mod pressure;
#[cfg(target_os = "linux")]
mod proc;
#[cfg(target_os = "linux")]
mod process_title;
#[cfg(target_os = "linux")]
mod quota;
#[cfg(target_os = "linux")]
mod reaper;
#[cfg(target_os = "linux")]
mod sched;
mod sched_stats;
#[cfg(target_os = "linux")]
mod sibling;
#[cfg(target_os = "linux")]
mod threads;
#[cfg(unix)]
mod tree;
#[cfg(unix)]
mod unix;
#[cfg(target_os = "linux")]
mod users;
#[cfg(windows)]
mod windows;
#[cfg(target_os = "linux")]
mod zygote;

#[cfg(unix)]
use unix as system;
#[cfg(windows)]
use windows as system;

pub(crate) use system::{
    REPLACES_PROGRAMS, StartedProcess, adopt_orphans, allow_debuggers, answers, close_others,
    default_signals, describe_exit, duplicate, give_group, has_input, hide_memory, inode,
    is_parent, is_private, limit_oneself, link, make_private, signal_of, spawn, take_pipes,
    wait_for_byte, wait_for_input,
};
use system::{continue_group, has_ended, kill_group, reap, stop_group, terminate_group};
#[cfg(unix)]
pub(crate) use unix::{become_program, die_with_parent};

pub(crate) use crash_report::{CrashCall, CrashReport};
pub(crate) use job::{Inside, Job};
#[cfg(test)]
pub(crate) use sched_stats::ProcessStats;
pub(crate) use sched_stats::{SchedStats, ThreadStats};

#[cfg(target_os = "linux")]
pub(crate) use crash_handler::report_crashes;
#[cfg(target_os = "linux")]
pub(crate) use held::held;
#[cfg(target_os = "linux")]
pub(crate) use proc::{
    command, job, memory_folder, name_process, prefer_to_die, renew_cpu_time, slept, this_program,
    usage,
};

#[cfg(target_os = "linux")]
pub(crate) use quota::memory;
#[cfg(target_os = "linux")]
pub(crate) use sched::{
    find_halted, is_runnable, is_thread_runnable, last_sched_stats, own_cpu_time, own_thread,
    sched_stats, sched_stats_of_group, stolen_in_all, thread_cpu_time, thread_stats, thread_wait,
};

#[cfg(not(target_os = "linux"))]
pub(crate) use other::{
    is_runnable, is_thread_runnable, own_thread, thread_cpu_time, thread_stats, thread_wait,
};

#[cfg(target_os = "linux")]
use escaped::kill_descendants;
#[cfg(target_os = "linux")]
pub(crate) use escaped::{EnvTag, continue_job, kill_group_members, stop_job};
#[cfg(not(target_os = "linux"))]
use other::kill_descendants;
#[cfg(not(any(target_os = "linux", windows)))]
pub(crate) use other::{Cpus, current_cpu, job_cpu, memory, own_cpu_time, usage};
#[cfg(not(target_os = "linux"))]
pub(crate) use other::{
    EnvTag, GROUP_LAYERS, Group, NET_NS, REAPER, Reaper, UserNumber, Watched, ZYGOTE, Zygote,
    activity, command, continue_job, find_groups, find_halted, has_several_threads, held, job,
    job_threads, join_group, kill_group_members, last_sched_stats, make_group, memory_folder,
    name_process, net_ns, prefer_to_die, renew_cpu_time, report_crashes, run_reaper, run_zygote,
    sched_stats, sched_stats_of_group, slept, stolen_in_all, stop_job, this_program,
};

#[cfg(target_os = "linux")]
pub(crate) use groups::{Group, LAYERS as GROUP_LAYERS, find_groups, join_group, make_group};
#[cfg(target_os = "linux")]
pub(crate) use reaper::{REAPER, Reaper, Watched, run_reaper};

#[cfg(target_os = "linux")]
pub(crate) use affinity::{Cpus, current_cpu};
#[cfg(target_os = "linux")]
pub(crate) use sibling::clone_sibling;
#[cfg(target_os = "linux")]
pub(crate) use threads::{activity, has_several_threads, job_cpu, job_threads};
#[cfg(target_os = "linux")]
pub(crate) use users::UserNumber;
#[cfg(target_os = "linux")]
pub(crate) use zygote::{NET_NS, ZYGOTE, Zygote, enter_net_ns, net_ns, run_zygote};

#[cfg(unix)]
pub(crate) use tree::{remove_tree, tree_size};
#[cfg(windows)]
pub(crate) use windows::{
    Cpus, LAYERS, current_cpu, lower_integrity, memory, open_scratch, own_cpu_time, own_layers,
    remove_tree, tree_size,
};

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
    Reading,
    /// All wait, one for input in a call that a stop would break off.
    Polling,
    /// All wait, one for a time to go by: it may have something to finish then.
    Napping,
    /// One runs, or waits for a CPU or the disk.
    Working,
}

impl Activity {
    #[cfg(target_os = "linux")]
    pub(crate) fn and(self, other: Activity) -> Activity {
        self.max(other)
    }

    /// Whether all of them wait for input.
    pub(crate) fn is_settled(self) -> bool {
        matches!(self, Activity::Reading | Activity::Polling)
    }
}

/// A process that was started, with its standard input, output and error output.
pub(crate) type Started = (
    StartedProcess,
    std::process::ChildStdin,
    std::process::ChildStdout,
    std::process::ChildStderr,
);

/// The two pipes between a child process and the arbiter, seen from the child.
pub(crate) struct HostPipes {
    /// Requests come here.
    pub requests: std::fs::File,
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

/// That the kernel killed a process of a group because there was no memory for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(not(target_os = "linux"), allow(dead_code))]
pub(crate) enum MemoryKill {
    /// The group was at its own limit. The most bytes that it had in use, where that is known.
    OwnLimit(Option<u64>),
    /// The machine, or a group around this one, had none left.
    Host,
}

/// What processes hold that no folder shows and no account of their memory.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Held {
    /// The bytes of files without a name.
    pub files: u64,
    /// The bytes of shared memory that are claimed.
    pub shared: u64,
    /// The bytes that the kernel may keep for what is on its way in pipes and sockets.
    pub buffers: u64,
    /// Whether a process lives that cannot be looked into.
    pub is_hidden: bool,
    /// Whether they map more than is read.
    pub is_endless: bool,
}

/// What a folder holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TreeSize {
    Bytes(u64),
    /// More files and folders than are counted, or some that cannot be.
    Uncountable,
    /// This process has no descriptor to look with.
    #[cfg_attr(windows, allow(dead_code))]
    Unknown,
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

/// The CPU time, in seconds, up to which a process that has used `used` nanoseconds may run: a day
/// of the whole machine more. It is for an engine that runs on because the arbiter itself is
/// stopped; otherwise there are deadlines.
#[cfg(unix)]
pub(crate) fn cpu_allowance(used: u64) -> u64 {
    const DAY: u64 = 24 * 60 * 60;
    // To ask takes reading several files.
    static CPUS: OnceLock<u64> = OnceLock::new();
    let ask = || std::thread::available_parallelism().map_or(1, |cpus| cpus.get() as u64);
    let cpus = CPUS.get_or_init(ask);
    used / 1_000_000_000 + DAY * cpus
}
