//! What only Linux has, for other systems: functions that find nothing and do nothing.

use super::{Activity, GroupLimits, GroupPlace, Held, MemoryKill, SchedStats};
#[cfg(not(windows))]
use super::{JobCpu, Usage};

/// Nothing shows here which process started which.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct EnvTag;

impl EnvTag {
    pub(crate) fn set(_: &mut std::process::Command) -> EnvTag {
        EnvTag
    }

    pub(crate) fn kill_all(&self) {}
}

/// No processes are counted together here.
pub(crate) enum Group {}

impl Group {
    pub(crate) fn places(&self) -> Vec<GroupPlace> {
        match *self {}
    }

    pub(crate) fn cpu_time(&self) -> Option<u64> {
        match *self {}
    }

    pub(crate) fn keep_joined(&mut self, _: impl Fn(&str) -> bool) {}

    pub(crate) fn counts_memory(&self) -> bool {
        match *self {}
    }

    pub(crate) fn stalled(&self) -> Option<u64> {
        match *self {}
    }

    pub(crate) fn memory_kill(&self) -> Option<MemoryKill> {
        match *self {}
    }

    pub(crate) fn freeze(&self) -> bool {
        match *self {}
    }

    pub(crate) fn thaw(&self) {
        match *self {}
    }
}

/// Windows has its own in their place.
pub(crate) const GROUP_LAYERS: [&str; !cfg!(windows) as usize] =
    ["cgroup"; !cfg!(windows) as usize];

pub(crate) fn find_groups() {}

/// The parent is told the signal alone.
pub(crate) fn report_crashes(_: &std::path::Path) {}

/// Only Linux has them.
pub(crate) fn make_group(_: GroupLimits) -> (Option<Group>, Vec<(&'static str, String)>) {
    (None, GROUP_LAYERS.map(|layer| (layer, "only Linux has it".to_owned())).into())
}

pub(crate) fn join_group(_: &std::path::Path) -> std::io::Result<()> {
    Err(std::io::ErrorKind::Unsupported.into())
}

/// Nothing could find here what an engine has started.
pub(crate) enum Reaper {}

impl Reaper {
    pub(crate) fn share(_: &std::path::Path) -> Option<std::sync::Arc<Reaper>> {
        None
    }

    pub(crate) fn watch(self: &std::sync::Arc<Reaper>, _: u32) -> Watched {
        match **self {}
    }
}

/// Every process is started directly here.
pub(crate) enum Zygote {}

impl Zygote {
    pub(crate) fn share(_: &std::path::Path) -> Option<std::sync::Arc<Zygote>> {
        None
    }

    pub(crate) fn spawn(
        &self,
        _: &std::process::Command,
        _: Option<&std::fs::File>,
    ) -> std::io::Result<super::Started> {
        match *self {}
    }
}

/// There are no namespaces here.
pub(crate) const NET_NS: &str = "--net-ns";

/// None is entered a second time here.
pub(crate) fn net_ns(_: u32) -> Option<std::fs::File> {
    None
}

/// The word that makes a child a zygote.
pub(crate) const ZYGOTE: &str = "--zygote";

/// None is started here.
pub(crate) fn run_zygote(
    _: impl Iterator<Item = std::ffi::OsString>,
) -> std::io::Result<Option<Vec<std::ffi::OsString>>> {
    Ok(None)
}

/// No process group is watched here.
pub(crate) enum Watched {}

/// The word that makes a child a reaper.
pub(crate) const REAPER: &str = "--reaper";

/// None is started here.
pub(crate) fn run_reaper(_: impl Iterator<Item = std::ffi::OsString>) -> std::io::Result<()> {
    Ok(())
}

/// Only those of its group are known here.
pub(super) fn kill_descendants(_: u32) {}

/// Only those of its process group are known here.
pub(crate) fn kill_group_members(_: &Group) {}

/// Only those of its group are known here.
pub(crate) fn stop_job(_: u32) {}

/// Only those of its group are known here.
pub(crate) fn continue_job(_: u32) {}

/// Nothing shows here which process started which.
pub(crate) fn job(pid: u32) -> Vec<u32> {
    vec![pid]
}

/// No process here limits another.
pub(crate) fn renew_cpu_time(_: u32) {}

#[cfg(not(windows))]
pub(crate) fn usage(_: u32, _: Usage) -> Option<Usage> {
    None
}

pub(crate) fn held(_: &[u32], _: Option<(&std::path::Path, u64)>) -> Held {
    Held::default()
}

pub(crate) fn memory_folder(_: u32, _: &std::path::Path) -> Option<(u64, u64)> {
    None
}

pub(crate) fn sched_stats(_: u32) -> Option<SchedStats> {
    None
}

pub(crate) fn sched_stats_of_group(_: u32) -> Option<SchedStats> {
    None
}

pub(crate) fn last_sched_stats(_: u32) -> Option<SchedStats> {
    None
}

pub(crate) fn own_thread() -> Option<u32> {
    None
}

#[cfg(not(windows))]
pub(crate) fn own_cpu_time() -> Option<u64> {
    None
}

pub(crate) fn thread_wait(_: u32) -> Option<u64> {
    None
}

pub(crate) fn thread_stats(_: u32) -> Option<SchedStats> {
    None
}

pub(crate) fn thread_cpu_time(_: u32) -> Option<u64> {
    None
}

pub(crate) fn is_thread_runnable(_: u32) -> bool {
    false
}

pub(crate) fn is_runnable(_: u32) -> bool {
    false
}

pub(crate) fn slept() -> u64 {
    0
}

pub(crate) fn activity(_: u32, _: Option<u64>, _: bool) -> Option<Activity> {
    None
}

#[cfg(not(windows))]
pub(crate) fn job_cpu(_: u32, _: bool) -> Option<JobCpu> {
    None
}

pub(crate) fn job_threads(_: u32, _: bool) -> u64 {
    1
}

pub(crate) fn stolen_in_all() -> u64 {
    0
}

pub(crate) fn has_several_threads(_: u32, _: bool) -> bool {
    false
}

/// Nothing shows here which CPUs there are.
#[cfg(not(windows))]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Cpus {}

#[cfg(not(windows))]
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

    pub(super) fn apply_to(&self, _: u32, _: bool) {}
}

#[cfg(not(windows))]
pub(crate) fn current_cpu() -> usize {
    0
}

/// No engine is another user here.
pub(crate) struct UserNumber;

impl UserNumber {
    pub(crate) fn take() -> UserNumber {
        UserNumber
    }

    pub(crate) fn get(&self) -> u32 {
        0
    }
}

pub(crate) fn this_program() -> std::io::Result<std::path::PathBuf> {
    std::env::current_exe()
}

pub(crate) fn command(program: &std::path::Path) -> std::process::Command {
    std::process::Command::new(program)
}

pub(crate) fn name_process() {}

#[cfg(not(windows))]
pub(crate) fn memory() -> Option<u64> {
    None
}

/// Nothing chooses here.
pub(crate) fn prefer_to_die() {}

pub(crate) fn find_halted(_: &mut SchedStats) {}
