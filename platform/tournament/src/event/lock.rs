//! Which process plays an event.

use std::fs::{self, File, TryLockError};
use std::io::Write;
use std::path::Path;
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use super::{EventError, LOCK, LOCK_OWNER};

/// How often a lock is tried.
const TICK: Duration = Duration::from_millis(10);
/// How long the lock of a killed process may stay: a process that it was just starting holds it
/// too, until that has become the host of an engine.
const LINGER: Duration = Duration::from_millis(500);
/// What stands before the name of a run.
const RUN: &str = "run ";
/// The most bytes that a process writes about itself.
const MOST_BYTES: u64 = 512;

/// Whether a process plays the event at the moment. Nothing is written.
pub(super) fn is_locked(dir: &Path) -> bool {
    let file = File::open(dir.join(LOCK));
    file.is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
}

/// Keeps other processes from playing the same event; until the file is dropped, or this process
/// ends in whatever way. A process that has just ended may still have it for a moment.
pub(super) fn lock(dir: &Path) -> Result<File, EventError> {
    let begun = Instant::now();
    loop {
        match try_lock(dir) {
            Err(EventError::Running { .. }) if begun.elapsed() < LINGER => thread::sleep(TICK),
            done => return done,
        }
    }
}

/// The same, at once or not at all. The process that has the lock is named in a file beside it.
pub(super) fn try_lock(dir: &Path) -> Result<File, EventError> {
    let path = dir.join(LOCK);
    let file = tengen_files::open_own(&path, File::options().read(true).create(true).append(true));
    let file = file.map_err(EventError::file(&path, "written"))?;
    match file.try_lock() {
        Ok(()) => {
            // It is information for people; nothing depends on it.
            let text = format!("{}{RUN}{}\n", this_process(), this_run());
            let mut options = File::options();
            options.write(true).create(true).truncate(true);
            let _unsaid = tengen_files::open_own(&dir.join(LOCK_OWNER), &options)
                .and_then(|mut file| file.write_all(text.as_bytes()));
            Ok(file)
        }
        Err(TryLockError::WouldBlock) => {
            Err(EventError::Running { dir: dir.to_owned(), by: owner(dir) })
        }
        Err(TryLockError::Error(error)) => Err(EventError::file(&path, "locked")(error)),
    }
}

/// The run that has the lock, as a file names it. None where that cannot be read.
pub(super) fn run_of(dir: &Path) -> Option<String> {
    let text = fs::read_to_string(dir.join(LOCK_OWNER)).ok()?;
    text.lines().find_map(|line| line.strip_prefix(RUN)).map(str::to_owned)
}

/// Tells runs apart, those of this process and of others.
fn this_run() -> String {
    static RUNS: AtomicU64 = AtomicU64::new(0);
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    format!("{}-{}", since.as_nanos(), RUNS.fetch_add(1, Ordering::Relaxed))
}

/// Whether a file may be what a lock left.
pub(super) fn is_left_over(path: &Path) -> bool {
    let is_short =
        fs::symlink_metadata(path).is_ok_and(|file| file.is_file() && file.len() < MOST_BYTES);
    is_short && fs::read_to_string(path).is_ok_and(|text| text.is_empty() || is_of_ours(&text))
}

fn is_of_ours(text: &str) -> bool {
    text.starts_with("process ")
}

fn this_process() -> String {
    let host = fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let host = host.or_else(|| std::env::var("COMPUTERNAME").ok());
    let host = host.map(|name| format!(" on {}", name.trim())).unwrap_or_default();
    format!("process {}{host}\n", process::id())
}

/// What has the lock, in words that follow "another tengen"; empty if it cannot be read.
fn owner(dir: &Path) -> String {
    let text = fs::read_to_string(dir.join(LOCK_OWNER)).unwrap_or_default();
    let line = text.lines().next().filter(|line| is_of_ours(line) && line.len() < 200);
    line.map(|line| format!(" ({line})")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where no other process may read a locked file, too.
    #[test]
    fn a_process_that_waits_is_told_which_one_has_the_lock() {
        let folder = tempfile::tempdir().unwrap();
        let held = try_lock(folder.path()).unwrap();
        let Err(EventError::Running { by, .. }) = try_lock(folder.path()) else {
            panic!("it is locked");
        };
        assert!(by.starts_with(&format!(" (process {}", process::id())), "{by}");
        assert!(run_of(folder.path()).is_some());
        assert!(is_locked(folder.path()));
        drop(held);
        assert!(!is_locked(folder.path()));
        for name in [LOCK, LOCK_OWNER] {
            assert!(is_left_over(&folder.path().join(name)), "{name}");
        }
    }
}
