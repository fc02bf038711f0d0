//! Where the control groups of this process are.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::groups::{self, CPU, MEMORY, PROCESSES};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Version {
    One,
    Two,
}

impl Version {
    /// The file that says how much CPU time a group has used.
    pub(super) fn cpu_file(self) -> &'static str {
        match self {
            Version::One => "cpuacct.usage",
            Version::Two => "cpu.stat",
        }
    }
}

/// A tree of groups.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Hierarchy {
    pub version: Version,
    /// What this hierarchy counts.
    controllers: Vec<String>,
    /// The group of this process.
    pub own: PathBuf,
}

/// The trees that this process has a group in. The one of version 2 comes last: to move a process
/// there takes longer, and what the others count it does not.
pub(super) fn hierarchies() -> Vec<Hierarchy> {
    let read = |path| fs::read_to_string(path).unwrap_or_default();
    parse(&read("/proc/self/mountinfo"), &read("/proc/self/cgroup"))
}

fn parse(mounts: &str, groups: &str) -> Vec<Hierarchy> {
    let mut found: Vec<_> = mounts.lines().filter_map(|line| mounted(line, groups)).collect();
    found.sort_by_key(|hierarchy| hierarchy.version == Version::Two);
    found
}

/// The tree that is mounted there, if one is.
fn mounted(line: &str, groups: &str) -> Option<Hierarchy> {
    let (place, kind) = line.split_once(" - ")?;
    let mut place = place.split(' ').skip(3);
    let (root, point) = (place.next()?, place.next()?);
    let mut kind = kind.split(' ');
    let version = match kind.next()? {
        "cgroup" => Version::One,
        "cgroup2" => Version::Two,
        _ => return None,
    };
    let options: Vec<_> = kind.nth(1)?.split(',').map(str::to_owned).collect();
    let is_there = |of: &str| match version {
        Version::Two => of.is_empty(),
        Version::One => of.split(',').any(|of| options.iter().any(|option| option == of)),
    };
    let path = groups.lines().find_map(|line| {
        let (of, path) = line.split_once(':')?.1.split_once(':')?;
        is_there(of).then_some(path)
    })?;
    let below = Path::new(path).strip_prefix(root).ok()?;
    let own = Path::new(point).join(below);
    let controllers = match version {
        Version::One => options,
        Version::Two => fs::read_to_string(own.join("cgroup.controllers"))
            .unwrap_or_default()
            .split_whitespace()
            .map(str::to_owned)
            .collect(),
    };
    Some(Hierarchy { version, controllers, own })
}

impl Hierarchy {
    /// Whether that layer could come from here.
    pub(super) fn gives(&self, layer: &str) -> bool {
        self.controller(layer).is_none_or(|needed| self.controllers.iter().any(|own| own == needed))
    }

    /// What has to be given to a group for that layer.
    fn controller(&self, layer: &str) -> Option<&'static str> {
        match (layer, self.version) {
            (MEMORY, _) => Some("memory"),
            (PROCESSES, _) => Some("pids"),
            (CPU, Version::One) => Some("cpuacct"),
            // Every group of version 2 has that.
            _ => None,
        }
    }

    /// Makes a group as an engine's is made, and removes it.
    pub(super) fn try_out(&self, layer: &'static str) -> Result<(), String> {
        let outer = self.own.join(groups::own_name());
        let inner = outer.join("trial");
        let tried = fs::create_dir(&outer)
            .and_then(|()| self.pass_on(&outer, &[layer]))
            .and_then(|()| fs::create_dir(&inner))
            .and_then(|()| fs::metadata(inner.join(self.witness(layer))).map(drop));
        for folder in [&inner, &outer] {
            if folder.exists() {
                groups::remove(folder);
            }
        }
        tried.map_err(|error| format!("{}: {error}", self.own.display()))
    }

    /// A file that a group has where it can be counted or limited so.
    fn witness(&self, layer: &str) -> &'static str {
        match (layer, self.version) {
            (MEMORY, Version::One) => "memory.limit_in_bytes",
            (MEMORY, Version::Two) => "memory.max",
            (PROCESSES, _) => "pids.max",
            _ => self.version.cpu_file(),
        }
    }

    /// Lets the groups in one of this process's have what the layers need. In version 2 the groups
    /// above must give it, and a group that gives must have no process of its own.
    pub(super) fn pass_on(&self, folder: &Path, layers: &[&'static str]) -> io::Result<()> {
        let needed = layers.iter().filter_map(|layer| self.controller(layer));
        let needed: Vec<_> = needed.map(|needed| format!("+{needed}")).collect();
        if self.version == Version::One || needed.is_empty() {
            return Ok(());
        }
        let needed = needed.join(" ");
        give(&self.own, &needed).or_else(|error| {
            if error.kind() != io::ErrorKind::ResourceBusy || !self.is_ours_alone() {
                return Err(error);
            }
            // This process goes out of the way, for good.
            let aside = self.own.join(format!("{}-self", groups::own_name()));
            fs::create_dir(&aside)?;
            fs::write(aside.join("cgroup.procs"), "0")?;
            give(&self.own, &needed)
        })?;
        give(folder, &needed)
    }

    fn is_ours_alone(&self) -> bool {
        let all = fs::read_to_string(self.own.join("cgroup.procs")).unwrap_or_default();
        all.trim() == std::process::id().to_string()
    }
}

fn give(folder: &Path, needed: &str) -> io::Result<()> {
    fs::write(folder.join("cgroup.subtree_control"), needed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_found_where_they_are_mounted() {
        let mounts = "23 1 254:0 / / rw - ext4 /dev/vda rw\n\
            35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n\
            32 31 0:29 /box /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n\
            41 31 0:38 / /nowhere/unified rw shared:3 - cgroup2 cgroup2 rw\n";
        let groups = "4:memory:/a/b\n1:cpu,cpuacct:/box/c\n0::/user.slice/x.scope\n";
        let found = parse(mounts, groups);
        let own: Vec<_> = found.iter().map(|one| one.own.to_str().unwrap()).collect();
        let wanted = [
            "/sys/fs/cgroup/memory/a/b",
            "/sys/fs/cgroup/cpu,cpuacct/c",
            "/nowhere/unified/user.slice/x.scope",
        ];
        assert_eq!(own, wanted);
        let gives = |layer| found.iter().map(|one| one.gives(layer)).collect::<Vec<_>>();
        assert_eq!(gives(MEMORY), [true, false, false]);
        assert_eq!(gives(CPU), [false, true, true]);
        assert_eq!(gives(PROCESSES), [false; 3]);
    }
}
