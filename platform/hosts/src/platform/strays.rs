//! Processes that an engine started and that left its process group, as they can where no wall
//! keeps them from it. They are found by their parents, and by a mark in their environment those
//! that no longer have any.

use std::fs;
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::process::{Pid, Signal, kill_process};

use super::proc;

/// The variable that marks every process of an engine.
const MARK: &str = "TENGEN_ENGINE";
/// How often processes are looked for that may start others while they are.
const ROUNDS: u32 = 16;

/// The mark of the processes of one child.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Mark(Vec<u8>);

impl Mark {
    /// Marks the process that the command starts, and all that it starts itself.
    pub(crate) fn put(command: &mut Command) -> Mark {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let mark = format!("{}-{number}", std::process::id());
        command.env(MARK, &mark);
        Mark(format!("{MARK}={mark}").into_bytes())
    }

    /// Kills whoever has the mark, wherever it is.
    pub(crate) fn kill_all(&self) {
        kill_found(|| proc::all().into_iter().filter(|&pid| self.is_on(pid)).collect());
    }

    fn is_on(&self, pid: u32) -> bool {
        let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        environment.split(|&byte| byte == 0).any(|variable| variable == self.0)
    }
}

/// Kills all that a process has started and that it has not reaped.
pub(crate) fn kill_descendants(pid: u32) {
    kill_found(|| proc::descendants(pid));
}

/// Kills what is found, and what that started before it was stopped.
fn kill_found(find: impl Fn() -> Vec<u32>) {
    let mut known = Vec::new();
    for _ in 0..ROUNDS {
        let mut news = find();
        news.retain(|pid| !known.contains(pid));
        if news.is_empty() {
            break;
        }
        // What is stopped starts no more.
        news.iter().for_each(|&pid| signal(pid, Signal::STOP));
        known.extend(news);
    }
    known.into_iter().for_each(|pid| signal(pid, Signal::KILL));
}

fn signal(pid: u32, signal: Signal) {
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw);
    // One that has ended takes none.
    let _ = pid.map(|pid| kill_process(pid, signal));
}
