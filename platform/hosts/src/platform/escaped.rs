//! Processes that an engine started and that left its process group. They can do so if the sandbox
//! lacks a layer. They are found through their parents, or, once the parent is gone, by a tag in
//! their environment.

use std::ffi::OsStr;
use std::fs;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::os::unix::ffi::OsStrExt;
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::Signal;

use super::unix::signal;
use super::{Group, proc};

/// The environment variable that tags every process of an engine.
const ENV_TAG: &str = "TENGEN_ENGINE";
/// How often to search for processes that may start others meanwhile.
const ROUNDS: u32 = 16;
/// How many searches in a row must find no more of them. One search misses a process that ends
/// meanwhile, and the one that it has just started.
const QUIET_ROUNDS: u32 = 3;
/// How long killed processes may take to die, and how often that is checked.
const DEATH: Duration = Duration::from_secs(1);
const POLL_INTERVAL: Duration = Duration::from_micros(100);

/// The prefix of the tags of this process, which no other process on any machine has.
pub(super) fn session() -> &'static str {
    static SESSION: OnceLock<String> = OnceLock::new();
    SESSION.get_or_init(|| {
        let unheard_of = RandomState::new().build_hasher().finish();
        format!("{}.{unheard_of:016x}", std::process::id())
    })
}

/// The tag of the processes of one engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct EnvTag(Vec<u8>);

impl EnvTag {
    /// Tags the process that the command starts, and all that it starts itself.
    pub(crate) fn set(command: &mut Command) -> EnvTag {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let env_tag = format!("{}-{number}", session());
        command.env(ENV_TAG, &env_tag);
        EnvTag(format!("{ENV_TAG}={env_tag}").into_bytes())
    }

    /// Removes the tag of this process itself, if it has one, from what the command starts.
    pub(super) fn remove(command: &mut Command) {
        command.env_remove(ENV_TAG);
    }

    /// Kills all processes that have the tag.
    pub(crate) fn kill_all(&self) {
        kill_where(|variable| variable == self.0);
    }

    /// Kills all processes that have a tag of that session.
    pub(super) fn kill_session(session: &OsStr) {
        let start = [ENV_TAG.as_bytes(), b"=", session.as_bytes(), b"-"].concat();
        kill_where(|variable| variable.starts_with(&start));
    }
}

/// Kills the processes that have a variable of that kind in their environment.
fn kill_where(is_meant: impl Fn(&[u8]) -> bool) {
    let has_it = |&pid: &u32| {
        let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        environment.split(|&byte| byte == 0).any(&is_meant)
    };
    kill_found(|| proc::all().into_iter().filter(has_it).collect());
}

/// Kills all that a process has started and that it has not reaped.
pub(crate) fn kill_descendants(pid: u32) {
    kill_found(|| proc::descendants(pid));
}

pub(crate) fn kill_group_members(group: &Group) {
    kill_found(|| group.processes());
}

/// Stops a process and all that it has started and not reaped, wherever they went: any of them may
/// have left its group, the first too.
pub(crate) fn stop_job(pid: u32) {
    stop_found(|| proc::job(pid), &[]);
}

/// Lets a process go on, and all that it has started.
pub(crate) fn continue_job(pid: u32) {
    proc::job(pid).into_iter().for_each(|pid| signal(pid, Signal::CONT));
}

/// Kills what is found, and what that started before it was dead: it may have been starting a
/// process during the search.
pub(super) fn kill_found(find: impl Fn() -> Vec<u32>) {
    let mut known = Vec::new();
    for _ in 0..ROUNDS {
        let mut news = stop_found(&find, &known);
        if news.is_empty() {
            break;
        }
        news.iter().for_each(|&pid| signal(pid, Signal::KILL));
        let since = Instant::now();
        while news.iter().any(|&pid| proc::is_alive(pid)) && since.elapsed() < DEATH {
            thread::sleep(POLL_INTERVAL);
        }
        known.append(&mut news);
    }
}

/// Stops what is found beside those that are known, and gives it.
fn stop_found(find: impl Fn() -> Vec<u32>, known: &[u32]) -> Vec<u32> {
    let (mut found, mut quiet) = (Vec::new(), 0);
    for _ in 0..ROUNDS {
        let mut news = find();
        news.retain(|pid| !known.contains(pid) && !found.contains(pid));
        quiet = if news.is_empty() { quiet + 1 } else { 0 };
        if quiet == QUIET_ROUNDS {
            break;
        }
        // What is stopped starts no more.
        news.iter().for_each(|&pid| signal(pid, Signal::STOP));
        found.extend(news);
    }
    found
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::os::unix::process::ExitStatusExt;
    use std::process::Stdio;

    use super::*;

    #[test]
    fn a_process_missed_once_is_found_by_the_next_look() {
        let mut child = Command::new("cat").stdin(Stdio::piped()).spawn().unwrap();
        let looks = Cell::new(0);
        kill_found(|| {
            looks.set(looks.get() + 1);
            if looks.get() == 2 { vec![child.id()] } else { Vec::new() }
        });
        assert_eq!(child.wait().unwrap().signal(), Some(9));
        // And nothing is found once it is dead.
        assert_eq!(looks.get(), 2 + 2 * QUIET_ROUNDS);
    }
}
