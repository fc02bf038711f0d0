//! What a Linux machine has that a test must leave as it was.

use std::fs;
use std::path::{Path, PathBuf};

/// The control groups whose names begin so, wherever they are.
pub fn control_groups(name: &str) -> Vec<PathBuf> {
    groups_below(Path::new("/sys/fs/cgroup"), 4, name)
}

fn groups_below(folder: &Path, depth: u32, name: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            continue;
        }
        if entry.file_name().to_string_lossy().starts_with(name) {
            found.push(entry.path());
        } else if depth > 0 {
            found.extend(groups_below(&entry.path(), depth - 1, name));
        }
    }
    found
}

/// Of which kind the machine has shared memory, semaphores or a queue with this key.
pub fn shared_objects(key: u32) -> Vec<&'static str> {
    let key = key.to_string();
    let has = |kind: &&str| {
        let text = fs::read_to_string(format!("/proc/sysvipc/{kind}")).unwrap_or_default();
        text.lines().any(|line| line.split_whitespace().next() == Some(&*key))
    };
    ["shm", "sem", "msg"].into_iter().filter(has).collect()
}

/// What this process has open, in order. Pipes and sockets have numbers, which differ, and are left
/// out.
pub fn descriptors() -> Vec<String> {
    let open = fs::read_dir("/proc/self/fd").expect("Linux has /proc").flatten();
    let mut targets: Vec<_> = open
        .filter_map(|entry| {
            let target = fs::read_link(entry.path()).ok()?.to_string_lossy().into_owned();
            Some(target.split_once(":[").map_or(target.clone(), |(kind, _)| kind.to_owned()))
        })
        .collect();
    targets.sort();
    targets
}
