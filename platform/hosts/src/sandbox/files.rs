//! The layer of files: Landlock.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, LandlockStatus, RestrictionStatus, Ruleset,
    RulesetAttr, RulesetCreatedAttr, RulesetError, RulesetStatus, Scope, make_bitflags,
    path_beneath_rules,
};
use tengen_packages::LIBRARY_FOLDERS;

use super::denials::{AccessMode, Grants};
use super::trail::Trail;
use super::{LANDLOCK, LEFT_OUT, OWN_PROC, Sandbox, SandboxPolicy};

/// The newest rights that are known here; an older kernel is asked for those it has.
const KNOWN: ABI = ABI::V9;
/// No connections by TCP.
const LANDLOCK_TCP: &str = "landlock_tcp";
/// No signals to other processes, and no sockets of the abstract kind.
const LANDLOCK_SIGNALS: &str = "landlock_signals";

/// What the dynamic loader and the C library read beside the libraries: what a process may know of
/// itself and of the CPUs.
const READABLE: [&str; 6] = [
    "/etc/ld.so.cache",
    "/proc/self",
    "/sys/devices/system/cpu",
    "/dev/zero",
    "/dev/random",
    "/dev/urandom",
];

/// What a program of its own reads and runs beside that: interpreters and their libraries, what
/// they read to find out the user's home and the time zone, and what a library asks the system to
/// find out how many threads to use.
const PROGRAMS: [&str; 20] = [
    "/bin",
    "/sbin",
    "/usr",
    "/etc/alternatives",
    "/etc/default/locale",
    "/etc/group",
    "/etc/locale.alias",
    "/etc/locale.conf",
    "/etc/localtime",
    "/etc/nsswitch.conf",
    "/etc/passwd",
    "/etc/ssl/certs",
    "/etc/ssl/openssl.cnf",
    "/etc/timezone",
    "/proc/cgroups",
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/proc/stat",
    "/sys/kernel/mm/hugepages",
    "/sys/kernel/mm/transparent_hugepage",
];

/// What many interpreters look for to find their limits, and do without. It shows what others use,
/// and so they have none of it; to look for it is nothing to tell.
const UNTOLD: &str = "/sys/fs/cgroup";

/// Where systems keep the settings of interpreters, in folders that are named for them and often
/// for a version.
const SETTINGS: &str = "/etc";
const INTERPRETERS: [&str; 10] =
    ["dotnet", "guile", "java", "lua", "mono", "nodejs", "perl", "php", "python", "ruby"];

/// What a file, or what is in a folder, may be used for.
#[derive(Clone, Copy)]
enum FileUse {
    Read,
    Run,
    Write,
    /// Also to make sockets, and to connect to them.
    Meet,
    /// To write, with links, and to run what was written.
    Build,
    /// What is written is gone.
    Discard,
}

impl FileUse {
    fn rights(self) -> BitFlags<AccessFs> {
        match self {
            FileUse::Read => make_bitflags!(AccessFs::{ReadFile | ReadDir}),
            FileUse::Run => make_bitflags!(AccessFs::{ReadFile | ReadDir | Execute}),
            FileUse::Write => make_bitflags!(AccessFs::{
                ReadFile | ReadDir | WriteFile | Truncate | MakeReg | MakeDir | RemoveFile
                    | RemoveDir | Refer
            }),
            FileUse::Meet => {
                FileUse::Write.rights() | make_bitflags!(AccessFs::{MakeSock | ResolveUnix})
            }
            FileUse::Build => {
                FileUse::Write.rights() | make_bitflags!(AccessFs::{Execute | MakeSym | MakeFifo})
            }
            FileUse::Discard => {
                make_bitflags!(AccessFs::{ReadFile | WriteFile | Truncate | IoctlDev})
            }
        }
    }

    fn modes(self) -> &'static [AccessMode] {
        match self {
            FileUse::Read => &[AccessMode::Read],
            FileUse::Run => &[AccessMode::Read, AccessMode::Run],
            FileUse::Write | FileUse::Meet | FileUse::Discard => {
                &[AccessMode::Read, AccessMode::Write]
            }
            FileUse::Build => &[AccessMode::Read, AccessMode::Write, AccessMode::Run],
        }
    }
}

/// What the layer of files gives.
pub(super) struct FileSandbox {
    /// Whether the process cannot send signals to others.
    pub guards_signals: bool,
    /// Whether it can neither create files nor truncate them where it must not write.
    pub guards_creation: bool,
    /// What it may use.
    pub grants: Grants,
}

/// Restricts this thread, and those it starts, to the files within reach.
pub(super) fn close(sandbox: &mut Sandbox, policy: SandboxPolicy<'_>) -> FileSandbox {
    let mut uses = uses(policy);
    if sandbox.has_temporary {
        uses.push((PathBuf::from("/tmp"), own_files(policy)));
    }
    // It is in that of its own processes, where a program's own programs look for themselves.
    if policy.runs.is_some() && sandbox.held.contains(&OWN_PROC) {
        uses.push((PathBuf::from("/proc"), FileUse::Read));
    }
    let mut grants = Grants::default();
    // What lies in `/tmp` outside is not there; what it writes there is its own.
    for (path, file_use) in uses.iter().filter(|(path, _)| path != Path::new("/tmp")) {
        grants.add(file_use.modes(), path);
    }
    if sandbox.has_temporary {
        grants.add(&[AccessMode::Write], Path::new("/tmp"));
    }
    if policy.runs.is_some() {
        grants.add(&[AccessMode::Read], Path::new(UNTOLD));
    }
    // Its processes have other numbers there than outside, where denials are told.
    if sandbox.held.contains(&OWN_PROC) {
        grants.add(&[AccessMode::Read, AccessMode::Write], Path::new("/proc"));
    }
    if sandbox.is_left_out(LANDLOCK) {
        for layer in [LANDLOCK, LANDLOCK_TCP, LANDLOCK_SIGNALS] {
            sandbox.note(layer, Err(LEFT_OUT.to_owned()));
        }
        return FileSandbox { guards_signals: false, guards_creation: false, grants };
    }
    let outcome = restrict(&uses);
    let net = is_newer(&outcome, ABI::V4);
    let guards_signals = is_newer(&outcome, ABI::V6);
    let guards_creation = is_newer(&outcome, ABI::V3);
    sandbox.note(LANDLOCK, outcome_of(outcome));
    for (layer, is_held, needed) in
        [(LANDLOCK_TCP, net, "4 (Linux 6.7)"), (LANDLOCK_SIGNALS, guards_signals, "6 (Linux 6.12)")]
    {
        let lacks = || {
            format!("it takes Landlock of version {needed}; this kernel has an older one, or none")
        };
        sandbox.note(layer, if is_held { Ok(()) } else { Err(lacks()) });
    }
    FileSandbox { guards_signals, guards_creation, grants }
}

/// The files and folders that are read or run.
pub(super) fn readable(policy: SandboxPolicy<'_>) -> Vec<PathBuf> {
    let is_read = |file_use: &FileUse| matches!(file_use, FileUse::Read | FileUse::Run);
    uses(policy)
        .into_iter()
        .filter(|(_, file_use)| is_read(file_use))
        .map(|(path, _)| path)
        .collect()
}

fn uses(policy: SandboxPolicy<'_>) -> Vec<(PathBuf, FileUse)> {
    let system = if policy.runs.is_some() { FileUse::Run } else { FileUse::Read };
    let libraries = LIBRARY_FOLDERS.iter().chain(&READABLE);
    let mut uses: Vec<_> = libraries.map(|path| (PathBuf::from(path), system)).collect();
    let mut allow = |path: &Path, file_use| uses.push((path.to_owned(), file_use));
    if let Some(runs) = policy.runs {
        PROGRAMS.iter().for_each(|path| allow(Path::new(path), FileUse::Run));
        settings().iter().for_each(|path| allow(path, FileUse::Read));
        runs.iter().for_each(|path| allow(path, FileUse::Run));
    }
    policy.reads.iter().for_each(|path| allow(path, FileUse::Read));
    if let Some((folder, _)) = policy.writes {
        allow(folder, own_files(policy));
    }
    if let Some(folder) = policy.builds {
        allow(folder, FileUse::Build);
    }
    allow(Path::new("/dev/null"), FileUse::Discard);
    uses
}

/// What it may do in folders of its own.
fn own_files(policy: SandboxPolicy<'_>) -> FileUse {
    if policy.local_sockets { FileUse::Meet } else { FileUse::Write }
}

/// Finds once what is the same for all engines, in a process that others are copies of.
pub(super) fn find_system() {
    let fixed = LIBRARY_FOLDERS.iter().chain(&READABLE).chain(&PROGRAMS).map(PathBuf::from);
    crate::platform::cpu_allowance(0);
    Trail::remember(fixed.filter(|path| !path.starts_with("/proc")).chain(settings().to_vec()));
}

/// The folders of settings of the interpreters that this system has.
fn settings() -> &'static [PathBuf] {
    static SETTINGS_FOLDERS: OnceLock<Vec<PathBuf>> = OnceLock::new();
    SETTINGS_FOLDERS.get_or_init(find_settings)
}

fn find_settings() -> Vec<PathBuf> {
    let entries = fs::read_dir(SETTINGS).into_iter().flatten().flatten();
    let is_theirs = |name: &OsStr| {
        let name = name.as_encoded_bytes();
        INTERPRETERS.iter().any(|begin| name.starts_with(begin.as_bytes()))
    };
    entries.filter(|entry| is_theirs(&entry.file_name())).map(|entry| entry.path()).collect()
}

fn restrict(uses: &[(PathBuf, FileUse)]) -> Result<RestrictionStatus, RulesetError> {
    let mut ruleset = Ruleset::default()
        .handle_access(AccessFs::from_all(KNOWN))?
        .handle_access(AccessNet::from_all(KNOWN))?
        .scope(Scope::from_all(KNOWN))?
        .create()?;
    for (path, file_use) in uses {
        ruleset = ruleset.add_rules(path_beneath_rules([path], file_use.rights()))?;
    }
    ruleset.restrict_self()
}

fn outcome_of(outcome: Result<RestrictionStatus, RulesetError>) -> Result<(), String> {
    let status = outcome.map_err(|error| error.to_string())?;
    if status.ruleset == RulesetStatus::NotEnforced {
        return Err(match status.landlock {
            LandlockStatus::NotEnabled => "this kernel has it, but it was not enabled at boot",
            _ => "this kernel has none; Linux 5.13 and newer can have it",
        }
        .to_owned());
    }
    match threads() {
        1 => Ok(()),
        threads => Err(format!("{} threads ran before it was put up", threads - 1)),
    }
}

fn is_newer(outcome: &Result<RestrictionStatus, RulesetError>, wanted: ABI) -> bool {
    let status = outcome.as_ref().ok().filter(|s| s.ruleset != RulesetStatus::NotEnforced);
    status.is_some_and(|status| match status.landlock {
        LandlockStatus::Available { effective_abi, .. } => effective_abi >= wanted,
        _ => false,
    })
}

fn threads() -> usize {
    std::fs::read_dir("/proc/self/task").map_or(1, Iterator::count)
}
