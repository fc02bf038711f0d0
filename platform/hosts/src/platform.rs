//! What differs between operating systems: process groups, the pipes of a child, what a process
//! uses, and who may write in a folder.

#[cfg(target_os = "linux")]
mod proc;
#[cfg(target_os = "linux")]
mod strays;
#[cfg(target_os = "linux")]
mod supervisor;
#[cfg(unix)]
mod unix;
#[cfg(target_os = "linux")]
mod warden;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
use unix as system;
#[cfg(windows)]
use windows as system;

pub(crate) use system::{
    answers, become_program, close_others, continue_group, default_signals, describe_exit,
    die_with_parent, duplicate, give_group, has_ended, has_input, is_parent, is_private,
    kill_group, link, make_private, reap, stop_group, take_wires, terminate_group, wait_for_input,
};

#[cfg(target_os = "linux")]
pub(crate) use proc::{
    cpu_time, last_load, load, own_wait, renew_cpu_time, slept, unlinked_bytes, usage,
};

#[cfg(target_os = "linux")]
pub(crate) use strays::{Mark, kill_descendants};

#[cfg(target_os = "linux")]
pub(crate) use supervisor::{Grants, Supervisor, Target};

#[cfg(target_os = "linux")]
pub(crate) use warden::{WARDEN, Warden, keep_watch};

/// The two ends of a child's conversation with the arbiter.
pub(crate) struct Wires {
    /// Requests come here.
    pub requests: std::fs::File,
    /// Answers go there.
    pub answers: std::fs::File,
}

/// What a process and all its descendants use.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[cfg_attr(not(target_os = "linux"), allow(dead_code))]
pub(crate) struct Usage {
    /// Bytes of memory of their own, in use or swapped out.
    pub memory: u64,
    pub threads: u64,
    pub processes: u64,
}

/// What the scheduler has done with a process since it began, in nanoseconds.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Load {
    /// The CPU time of all its threads.
    pub cpu: u64,
    /// That of its first one.
    pub ran: u64,
    /// For how long its first thread could have run, and something else did.
    pub waited: u64,
}

/// The CPU time, in seconds, up to which a process may run that has used `used` nanoseconds: a day
/// of the whole machine more. It is for an engine that nobody stops because the arbiter itself is
/// stopped; otherwise there are deadlines.
pub(crate) fn cpu_allowance(used: u64) -> u64 {
    const DAY: u64 = 24 * 60 * 60;
    let cpus = std::thread::available_parallelism().map_or(1, |cpus| cpus.get() as u64);
    used / 1_000_000_000 + DAY * cpus
}

/// Nothing tells here which process started which.
#[cfg(not(target_os = "linux"))]
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Mark;

#[cfg(not(target_os = "linux"))]
impl Mark {
    pub(crate) fn put(_: &mut std::process::Command) -> Mark {
        Mark
    }

    pub(crate) fn kill_all(&self) {}
}

/// Nobody could find here what an engine has started.
#[cfg(not(target_os = "linux"))]
pub(crate) enum Warden {}

#[cfg(not(target_os = "linux"))]
impl Warden {
    pub(crate) fn share(_: &std::path::Path) -> Option<std::sync::Arc<Warden>> {
        None
    }
}

/// No wall denies anything here.
#[cfg(not(target_os = "linux"))]
pub(crate) enum Supervisor {}

#[cfg(not(target_os = "linux"))]
impl Supervisor {
    pub(crate) fn share() -> Option<std::sync::Arc<Supervisor>> {
        None
    }

    pub(crate) fn invite(&self, _: crate::denials::Watch) -> crate::denials::Invitation {
        match *self {}
    }
}

/// The word that makes a child a warden.
#[cfg(not(target_os = "linux"))]
pub(crate) const WARDEN: &str = "--warden";

/// Nobody starts one here.
#[cfg(not(target_os = "linux"))]
pub(crate) fn keep_watch(_: &std::ffi::OsStr) -> std::io::Result<()> {
    Ok(())
}

/// Only those of its group are known here.
#[cfg(not(target_os = "linux"))]
pub(crate) fn kill_descendants(_: u32) {}

/// No process here limits another.
#[cfg(not(target_os = "linux"))]
pub(crate) fn renew_cpu_time(_: u32) {}

/// Not known here.
#[cfg(not(target_os = "linux"))]
pub(crate) fn usage(_: u32, _: Usage) -> Option<Usage> {
    None
}

/// Not known here.
#[cfg(not(target_os = "linux"))]
pub(crate) fn cpu_time(_: u32) -> Option<u64> {
    None
}

/// Not known here.
#[cfg(not(target_os = "linux"))]
pub(crate) fn unlinked_bytes(_: u32) -> u64 {
    0
}

/// Not known here.
#[cfg(not(target_os = "linux"))]
pub(crate) fn load(_: u32) -> Option<Load> {
    None
}

/// Not known here.
#[cfg(not(target_os = "linux"))]
pub(crate) fn last_load(_: u32) -> Option<Load> {
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
