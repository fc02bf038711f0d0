//! How many CPUs and how much memory the control group of this process allows it, as in a
//! container.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// How many CPUs this process and its engines may fill at once, rounded down: threads that use up
/// the time of their group keep each other waiting, and nothing else does.
pub(super) fn cpus() -> u32 {
    static CPUS: OnceLock<u32> = OnceLock::new();
    *CPUS.get_or_init(|| {
        let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
        places(&groups, "cpu").iter().filter_map(|group| limit(group)).min().unwrap_or(u32::MAX)
    })
}

/// The bytes of memory that this process and its engines may use at once: those of the machine, or
/// fewer.
pub(crate) fn memory() -> Option<u64> {
    static MEMORY: OnceLock<Option<u64>> = OnceLock::new();
    *MEMORY.get_or_init(|| {
        let read = |file: &str| fs::read_to_string(file).unwrap_or_default();
        let limits = places(&read("/proc/self/cgroup"), "memory");
        let limits = limits.iter().filter_map(|group| memory_limit(group));
        limits.chain(machine_memory(&read("/proc/meminfo"))).min()
    })
}

fn memory_limit(group: &Path) -> Option<u64> {
    let read = |file: &&str| fs::read_to_string(group.join(file)).ok();
    // A `max` that is no number is no limit.
    ["memory.max", "memory.limit_in_bytes"].iter().find_map(read)?.trim().parse().ok()
}

/// What `/proc/meminfo` says that there is, see proc_meminfo(5).
fn machine_memory(meminfo: &str) -> Option<u64> {
    let total = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    Some(total.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? << 10)
}

/// The folders of the groups of a process that limit this for it, with all above them: `groups` is
/// its `/proc/PID/cgroup`, see cgroups(7).
fn places(groups: &str, controller: &str) -> Vec<PathBuf> {
    let of_line = |line: &str| {
        let mut parts = line.splitn(3, ':').skip(1);
        let (controllers, path) = (parts.next()?, parts.next()?);
        let all = Path::new("/sys/fs/cgroup");
        let root = match controllers {
            "" => all.to_owned(),
            some if some.split(',').any(|name| name == controller) => all.join(controller),
            _ => return None,
        };
        let place = root.join(path.trim_start_matches('/'));
        let above = place.ancestors().take_while(|place| place.starts_with(&root));
        Some(above.map(Path::to_owned).collect::<Vec<_>>())
    };
    groups.lines().filter_map(of_line).flatten().collect()
}

fn limit(group: &Path) -> Option<u32> {
    let read = |file: &str| fs::read_to_string(group.join(file)).ok();
    let (quota, period) = match read("cpu.max") {
        Some(both) => {
            let (quota, period) = both.trim().split_once(' ')?;
            (quota.to_owned(), period.to_owned())
        }
        None => (read("cpu.cfs_quota_us")?, read("cpu.cfs_period_us")?),
    };
    // `max` and -1 are no limit.
    let (quota, period) = (quota.trim().parse::<u64>().ok()?, period.trim().parse::<u64>().ok()?);
    u32::try_from(quota.checked_div(period)?.max(1)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_memory_is_that_of_the_machine_or_of_a_limit() {
        assert_eq!(
            machine_memory("MemTotal:       24689764 kB\nMemFree: 1 kB\n"),
            Some(24689764 << 10)
        );
        assert_eq!(machine_memory("MemFree: 1 kB\n"), None);
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(memory_limit(folder.path()), None);
        for (file, text, limit) in [
            ("memory.limit_in_bytes", "524288000\n", Some(524_288_000)),
            ("memory.max", "max\n", None),
            ("memory.max", "1048576\n", Some(1 << 20)),
        ] {
            fs::write(folder.path().join(file), text).unwrap();
            assert_eq!(memory_limit(folder.path()), limit, "{file}: {text}");
        }
    }

    #[test]
    fn a_limit_is_read_from_either_version_and_from_all_groups_above() {
        let found = places("12:cpuset:/a\n4:cpu,cpuacct:/a/b\n0::/c\n", "cpu");
        let expected = ["cpu/a/b", "cpu/a", "cpu", "c", ""];
        let expected = expected.map(|place| Path::new("/sys/fs/cgroup").join(place));
        assert_eq!(found, expected);
        let folder = tempfile::tempdir().unwrap();
        let write = |file: &str, text: &str| fs::write(folder.path().join(file), text).unwrap();
        assert_eq!(limit(folder.path()), None);
        write("cpu.cfs_period_us", "100000\n");
        for (quota, cpus) in [("-1\n", None), ("250000\n", Some(2)), ("50000\n", Some(1))] {
            write("cpu.cfs_quota_us", quota);
            assert_eq!(limit(folder.path()), cpus, "{quota}");
        }
        for (both, cpus) in [("max 100000\n", None), ("400000 100000\n", Some(4))] {
            write("cpu.max", both);
            assert_eq!(limit(folder.path()), cpus, "{both}");
        }
        assert!(super::cpus() >= 1);
    }
}
