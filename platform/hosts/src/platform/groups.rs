//! Control groups: one for each engine, with all of its processes. The kernel counts and limits
//! there what they use together. Each resource is counted in the version 1 hierarchy for it, if
//! there is one, and otherwise in that of version 2.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

use super::group_mounts::{Hierarchy, Version, hierarchies};
use super::proc::Stat;
use super::{GroupLimits, GroupPlace, MemoryKill, pressure};
use crate::shared_instance::SharedInstance;

/// What is counted and limited, with the layer of the sandbox that it is.
pub(super) const MEMORY: &str = "cgroup_memory";
pub(super) const PROCESSES: &str = "cgroup_pids";
pub(super) const CPU: &str = "cgroup_cpu";
pub(crate) const LAYERS: [&str; 3] = [MEMORY, PROCESSES, CPU];

/// What the folders of this program begin with. Its number and the time of its start follow.
const PREFIX: &str = "tengen-";
/// How often the removal of a group is tried: its last process may not be quite gone.
const REMOVALS: u32 = 20;
const PAUSE: Duration = Duration::from_millis(1);
/// The most folders of killed programs that are looked at.
const MOST_ABANDONED: usize = 1000;

/// A group of one engine's processes, in each hierarchy that it takes; removed when dropped.
pub(crate) struct Group {
    folders: Vec<(PathBuf, Version, Vec<&'static str>)>,
    cpu: Option<(File, Version)>,
    /// What its processes have waited for a CPU.
    pressure: Option<File>,
    /// The folders around it go with the last.
    _root: Arc<Root>,
}

/// Which hierarchy gives what, and why what is missing is missing.
struct Available {
    own: Vec<(Hierarchy, Vec<&'static str>)>,
    gaps: Vec<(&'static str, String)>,
}

/// The folders around the groups of this program.
struct Root {
    folders: Vec<(PathBuf, Version, Vec<&'static str>)>,
    count: AtomicU64,
}

/// The layers that control groups do not give here, with the reasons.
fn gaps() -> &'static [(&'static str, String)] {
    &available().gaps
}

/// Tried once: what this process may do with groups does not change while it runs.
fn available() -> &'static Available {
    static AVAILABLE: OnceLock<Available> = OnceLock::new();
    AVAILABLE.get_or_init(|| {
        let hierarchies = hierarchies();
        let (mut own, mut gaps) = (Vec::<(Hierarchy, Vec<_>)>::new(), Vec::new());
        for layer in LAYERS {
            let mut reason = "this system has no control groups".to_owned();
            let found = hierarchies.iter().filter(|one| one.gives(layer)).find(|one| {
                one.try_out(layer).inspect_err(|error| reason.clone_from(error)).is_ok()
            });
            match found {
                None => gaps.push((layer, reason)),
                Some(found) => match own.iter_mut().find(|(other, _)| other == found) {
                    Some((_, layers)) => layers.push(layer),
                    None => own.push((found.clone(), vec![layer])),
                },
            }
        }
        for (hierarchy, _) in &own {
            remove_abandoned(&hierarchy.own);
        }
        Available { own, gaps }
    })
}

impl Root {
    fn share() -> io::Result<Arc<Root>> {
        static ROOT: SharedInstance<Root> = SharedInstance::new();
        ROOT.get(Root::new)
    }

    fn new() -> io::Result<Root> {
        let mut root = Root { folders: Vec::new(), count: AtomicU64::new(0) };
        for (hierarchy, layers) in &available().own {
            // No other root has the name: one may just be going.
            static COUNT: AtomicU64 = AtomicU64::new(0);
            let count = COUNT.fetch_add(1, Ordering::Relaxed);
            let path = hierarchy.own.join(format!("{}-{count}", own_name()));
            fs::create_dir(&path)?;
            root.folders.push((path.clone(), hierarchy.version, layers.clone()));
            hierarchy.pass_on(&path, layers)?;
        }
        Ok(root)
    }
}

impl Drop for Root {
    fn drop(&mut self) {
        self.folders.iter().for_each(|(path, ..)| remove(path));
    }
}

impl Group {
    /// Makes an empty group with these limits. None where there are no control groups.
    ///
    /// # Errors
    /// When a group that could be made before cannot be made now.
    pub(crate) fn new(limits: GroupLimits) -> io::Result<Option<Group>> {
        if available().own.is_empty() {
            return Ok(None);
        }
        let root = Root::share()?;
        let number = root.count.fetch_add(1, Ordering::Relaxed);
        let mut group =
            Group { folders: Vec::new(), cpu: None, pressure: None, _root: Arc::clone(&root) };
        for (folder, version, layers) in &root.folders {
            let path = folder.join(number.to_string());
            fs::create_dir(&path)?;
            group.folders.push((path.clone(), *version, layers.clone()));
            for layer in layers {
                limit(&path, *version, layer, limits)?;
            }
            if layers.contains(&CPU) {
                group.cpu = Some((File::open(path.join(version.cpu_file()))?, *version));
                // Only version 2 has it, and not on every kernel.
                group.pressure = File::open(path.join(pressure::FILE)).ok();
            }
        }
        Ok(Some(group))
    }

    /// All processes that are in it now.
    pub(crate) fn processes(&self) -> Vec<u32> {
        self.folders.iter().flat_map(|(path, ..)| processes_in(path)).collect()
    }

    /// Where the engine's process is to join it.
    pub(crate) fn places(&self) -> Vec<GroupPlace> {
        let place = |(path, _, layers): &(PathBuf, Version, Vec<&'static str>)| {
            let layers = layers.iter().map(|&layer| layer.to_owned()).collect();
            GroupPlace { layers, path: path.clone() }
        };
        self.folders.iter().map(place).collect()
    }

    /// The engine has joined it for the layers that are held, and not for others: what it says of
    /// those is not looked at.
    pub(crate) fn keep_joined(&mut self, is_held: impl Fn(&str) -> bool) {
        for (_, _, layers) in &mut self.folders {
            layers.retain(|layer| is_held(layer));
        }
        if !is_held(CPU) {
            (self.cpu, self.pressure) = (None, None);
        }
    }

    /// Whether all kinds of memory are counted, those of the kernel too.
    pub(crate) fn counts_memory(&self) -> bool {
        self.folders.iter().any(|(_, _, layers)| layers.contains(&MEMORY))
    }

    /// For how long no process of it has run though one wanted to, in nanoseconds, where that is
    /// counted.
    pub(crate) fn stalled(&self) -> Option<u64> {
        pressure::stalled(self.pressure.as_ref()?)
    }

    /// The CPU time of all its processes so far, in nanoseconds, with that of those that ended.
    pub(crate) fn cpu_time(&self) -> Option<u64> {
        let (file, version) = self.cpu.as_ref()?;
        let mut room = [0; 256];
        let count = file.read_at(&mut room, 0).ok()?;
        let text = std::str::from_utf8(room.get(..count)?).ok()?;
        match version {
            Version::One => text.trim().parse().ok(),
            Version::Two => Some(number_after(text, "usage_usec")? * 1000),
        }
    }

    /// Keeps its processes from running, whatever signals they get but the one that kills. Gives
    /// whether that can be done: only version 2 can, and lets them be killed then.
    pub(crate) fn freeze(&self) -> bool {
        self.set_frozen("1")
    }

    /// Lets them run again.
    pub(crate) fn thaw(&self) {
        if !self.set_frozen("0") {
            log::error!("the processes of a control group cannot be thawed");
        }
    }

    fn set_frozen(&self, value: &str) -> bool {
        let folder = self.folders.iter().find(|(_, version, _)| *version == Version::Two);
        folder.is_some_and(|(path, ..)| fs::write(path.join("cgroup.freeze"), value).is_ok())
    }

    /// Whether the kernel has killed one of its processes for lack of memory, and whether this
    /// group's own limit was the reason.
    pub(crate) fn memory_kill(&self) -> Option<MemoryKill> {
        let (path, version, _) =
            self.folders.iter().find(|(_, _, layers)| layers.contains(&MEMORY))?;
        memory_kill(path, *version)
    }
}

/// The most memory that the kernel charges to a group at once, in bytes: a huge page.
const CHARGED_AT_ONCE: u64 = 2 << 20;

/// What the files of a group say of it.
fn memory_kill(group: &Path, version: Version) -> Option<MemoryKill> {
    let read = |file: &str| fs::read_to_string(group.join(file)).ok();
    let number = |file: &str| read(file)?.trim().parse::<u64>().ok();
    let (events, peak, limit) = match version {
        Version::One => {
            ("memory.oom_control", "memory.max_usage_in_bytes", "memory.limit_in_bytes")
        }
        Version::Two => ("memory.events", "memory.peak", "memory.max"),
    };
    let events = read(events)?;
    if number_after(&events, "oom_kill")? == 0 {
        return None;
    }
    let peak = number(peak);
    // A kill is counted whichever group had no memory left; these count for this group's limit
    // alone. Version 1 also counts where pages of files gave way: against the engine.
    let tries = match version {
        Version::One => ["memory.failcnt", "memory.memsw.failcnt"]
            .into_iter()
            .filter_map(number)
            .reduce(u64::saturating_add),
        Version::Two => number_after(&events, "oom"),
    };
    // As far as the group's limit, but for less than what is charged at once.
    let is_full = || {
        let figures = peak.zip(number(limit));
        figures.is_none_or(|(peak, limit)| peak.saturating_add(CHARGED_AT_ONCE) >= limit)
    };
    let is_own = match (version, tries) {
        (Version::Two, Some(tries)) => tries > 0,
        // Newer kernels do not count them in every group.
        (_, tries) => tries.is_some_and(|tries| tries > 0) || is_full(),
    };
    Some(if is_own { MemoryKill::OwnLimit(peak) } else { MemoryKill::Host })
}

impl Drop for Group {
    fn drop(&mut self) {
        self.folders.iter().for_each(|(path, ..)| remove(path));
    }
}

/// Finds the groups of this machine, once, and whether they can be used.
pub(crate) fn find_groups() {
    available();
}

/// A new group, if there can be one, and the layers that control groups do not give it, with the
/// reasons.
pub(crate) fn make_group(limits: GroupLimits) -> (Option<Group>, Vec<(&'static str, String)>) {
    let mut missing = gaps().to_vec();
    let group = Group::new(limits).unwrap_or_else(|error| {
        missing = LAYERS.map(|layer| (layer, error.to_string())).into();
        None
    });
    (group, missing)
}

/// Adds this process, which has one thread, to a group.
pub(crate) fn join_group(place: &Path) -> io::Result<()> {
    // When a thread moves itself, the kernel does not have to wait for all others.
    let tasks = place.join("tasks");
    fs::write(if tasks.exists() { tasks } else { place.join("cgroup.procs") }, "0")
}

fn limit(path: &Path, version: Version, layer: &str, limits: GroupLimits) -> io::Result<()> {
    let set = |file: &str, value: u64| fs::write(path.join(file), value.to_string());
    match (layer, version, limits.memory) {
        (MEMORY, Version::One, Some(bytes)) => {
            set("memory.limit_in_bytes", bytes)?;
            optional(set("memory.memsw.limit_in_bytes", bytes))
        }
        (MEMORY, Version::Two, Some(bytes)) => {
            set("memory.max", bytes)?;
            optional(set("memory.swap.max", 0))?;
            optional(set("memory.oom.group", 1))
        }
        (PROCESSES, ..) => set("pids.max", limits.tasks),
        _ => Ok(()),
    }
}

/// A system without swap has no limit for it.
fn optional(outcome: io::Result<()>) -> io::Result<()> {
    match outcome {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        outcome => outcome,
    }
}

/// The number that follows a word at the beginning of a line.
fn number_after(text: &str, word: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(word)?.strip_prefix(' '));
    line?.trim().parse().ok()
}

/// The name of this program's folders. No other process gets the same, now or later.
pub(super) fn own_name() -> String {
    let own = std::process::id();
    format!("{PREFIX}{own}-{}", begun(own).unwrap_or(0))
}

/// When a process began, in ticks since the machine did.
fn begun(pid: u32) -> Option<u64> {
    Stat::of(pid)?.field(22)
}

/// Removes a group. Its last process may be going still.
pub(super) fn remove(path: &Path) {
    for _ in 0..REMOVALS {
        match fs::remove_dir(path) {
            Err(error) if error.kind() == io::ErrorKind::ResourceBusy => thread::sleep(PAUSE),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return,
            Err(error) => return log::warn!("{}: not removed: {error}", path.display()),
            Ok(()) => return,
        }
    }
    log::debug!("{}: still in use", path.display());
}

/// The folders in which this program makes its groups, and in which another process finds them.
pub(super) fn own_folders() -> Vec<PathBuf> {
    available().own.iter().map(|(hierarchy, _)| hierarchy.own.clone()).collect()
}

/// The processes of all engines of the program with this prefix in its folders' names.
pub(super) fn processes_of(name: &str, folders: &[PathBuf]) -> Vec<u32> {
    let own = std::process::id();
    let groups = groups_of(name, folders).into_iter();
    groups
        .flat_map(|(_, groups)| groups)
        .flat_map(|one| processes_in(&one))
        .filter(|pid| *pid != own)
        .collect()
}

/// Removes the groups of all engines of the program with this prefix in its folders' names.
pub(super) fn remove_all_of(name: &str, folders: &[PathBuf]) {
    for (root, groups) in groups_of(name, folders) {
        groups.iter().for_each(|one| remove(one));
        remove(&root);
    }
}

/// The folders of a program with that name, each with the groups in it.
fn groups_of(name: &str, folders: &[PathBuf]) -> Vec<(PathBuf, Vec<PathBuf>)> {
    let inner = |folder: &Path| {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let folders = entries.filter(|one| one.file_type().is_ok_and(|kind| kind.is_dir()));
        folders.map(|one| one.path()).collect::<Vec<_>>()
    };
    // The one where the program itself has gone out of the way has no number.
    let is_root = |path: &PathBuf| {
        let number =
            path.file_name().and_then(|file| file.to_str()?.strip_prefix(name)?.strip_prefix('-'));
        number.is_some_and(|number| number.parse::<u64>().is_ok())
    };
    let roots = folders.iter().flat_map(|folder| inner(folder)).filter(is_root);
    roots.map(|root| (root.clone(), inner(&root))).collect()
}

fn processes_in(group: &Path) -> Vec<u32> {
    let text = fs::read_to_string(group.join("cgroup.procs")).unwrap_or_default();
    text.lines().filter_map(|line| line.trim().parse().ok()).collect()
}

/// Removes what killed programs left behind.
fn remove_abandoned(own: &Path) {
    let is_abandoned = |name: &str| {
        // What comes after tells the folders of one program apart.
        let mut words = name.strip_prefix(PREFIX)?.split('-');
        let (pid, since) = (words.next()?, words.next()?);
        let (pid, since): (u32, u64) = (pid.parse().ok()?, since.parse().ok()?);
        (begun(pid) != Some(since)).then_some(())
    };
    let entries = fs::read_dir(own).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| entry.file_name().to_str().and_then(is_abandoned).is_some())
    {
        let inner = fs::read_dir(entry.path()).into_iter().flatten().flatten();
        let folders = inner.filter(|one| one.file_type().is_ok_and(|kind| kind.is_dir()));
        // What is in use still is not removed by that.
        folders.take(MOST_ABANDONED).for_each(|one| drop(fs::remove_dir(one.path())));
        let _ = fs::remove_dir(entry.path());
    }
}

#[cfg(test)]
mod tests;
