//! Asserts that no process of an engine is left.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

/// Longer than anything takes to end that has been killed.
const PATIENCE: Duration = Duration::from_secs(60);

/// Asserts that nothing is left of a run of the program that was given this folder for temporary
/// files, compiled modules and everything else.
pub(crate) fn assert_none(folder: &Path) {
    assert!(within(|| processes(folder).is_empty()), "left: {:?}", processes(folder));
    let temporary = names(&folder.join("tmp"));
    assert!(temporary.is_empty(), "left: {temporary:?}");
    for name in names(&folder.join("cache/tengen")) {
        let is_folder = ["brains", "engines"].contains(&name.as_str());
        assert!(name.ends_with(".cwasm") || is_folder, "left: {name}");
    }
    // What brains have shown that they play, by the hash of each.
    for name in names(&folder.join("cache/tengen/brains")) {
        assert!(is_hex(&name, 64), "left: {name}");
    }
    assert_whole_copies(&folder.join("cache/tengen/engines"));
}

/// Asserts that nothing is there but whole copies of engines, by the hashes of what is in each and
/// of its names, and what is noted of where the files lay that they are of.
fn assert_whole_copies(folder: &Path) {
    for name in names(folder) {
        if name == "seen" {
            for name in names(&folder.join(name)) {
                assert!(is_hex(&name, 64), "left: {name}");
            }
            continue;
        }
        let hashes = name.split_once('-');
        assert!(
            hashes.is_some_and(|(one, two)| is_hex(one, 64) && is_hex(two, 16)),
            "left: {name}"
        );
        // The file by which it is held as long as it is used, and each root in a numbered folder.
        let mut parts = names(&folder.join(&name));
        parts.sort();
        assert_eq!(parts.pop().as_deref(), Some("lock"), "left: a part of {name}");
        let numbers: Vec<_> = (0..parts.len()).map(|number| number.to_string()).collect();
        assert!(!parts.is_empty() && parts == numbers, "left: {parts:?} in {name}");
    }
}

fn is_hex(name: &str, digits: usize) -> bool {
    name.len() == digits && name.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// What a Linux machine has that is of no folder: mounts, and control groups of the program.
pub(crate) struct Machine {
    mounts: String,
}

impl Machine {
    pub(crate) fn now() -> Machine {
        Machine { mounts: fs::read_to_string("/proc/self/mountinfo").expect("Linux has mounts") }
    }

    /// Asserts that a run of the program, which had that number, has left nothing.
    pub(crate) fn assert_same(&self, pid: u32) {
        assert_eq!(Machine::now().mounts, self.mounts, "a mount is left");
        let groups = tengen_testkit::control_groups(&format!("tengen-{pid}-"));
        assert!(groups.is_empty(), "left: {groups:?}");
        let queues = names(Path::new("/dev/mqueue"));
        assert!(!queues.iter().any(|name| name == "tengen-attack"), "left: {queues:?}");
    }
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

/// The processes that were told of the folder by word or by environment, as every child of the
/// program and every child of theirs is.
#[cfg(target_os = "linux")]
pub(crate) fn processes(folder: &Path) -> Vec<u32> {
    let name = folder.to_str().expect("a temporary folder has a plain name");
    let is_told = |pid: &u32| {
        ["cmdline", "environ"].iter().any(|file| {
            let text = fs::read(format!("/proc/{pid}/{file}")).unwrap_or_default();
            String::from_utf8_lossy(&text).contains(name)
        })
    };
    all().filter(is_told).collect()
}

/// The programs and libraries of the folder that a process runs: Windows lets no other write them.
#[cfg(windows)]
pub(crate) fn processes(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut running = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            running.extend(processes(&path));
        } else if path.extension().is_some_and(|end| end == "exe" || end == "dll")
            && fs::OpenOptions::new().write(true).open(&path).is_err()
        {
            running.push(path);
        }
    }
    running
}

/// How many processes run that program as it is.
#[cfg(target_os = "linux")]
pub(crate) fn running(program: &Path) -> usize {
    let name = program.to_str().expect("a temporary folder has a plain name").as_bytes();
    let runs = |pid: &u32| {
        let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        line.split(|&byte| byte == 0).next() == Some(name)
    };
    all().filter(runs).count()
}

#[cfg(target_os = "linux")]
fn all() -> impl Iterator<Item = u32> {
    let entries = fs::read_dir("/proc").expect("Linux has /proc").flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

/// Whether something comes true before patience ends.
pub(crate) fn within(mut is_true: impl FnMut() -> bool) -> bool {
    let since = Instant::now();
    while !is_true() {
        if since.elapsed() > PATIENCE {
            return false;
        }
        thread::yield_now();
    }
    true
}
