use std::path::Path;

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, LandlockStatus, RestrictionStatus, Ruleset,
    RulesetAttr, RulesetCreatedAttr, RulesetError, RulesetStatus, Scope, make_bitflags,
    path_beneath_rules,
};

use super::{LANDLOCK, Reach, Walls};

/// The newest rights that are known here; an older kernel is asked for those it has.
const KNOWN: ABI = ABI::V9;
/// No connections by TCP.
const LANDLOCK_TCP: &str = "landlock_tcp";
/// No signals to other processes, and no sockets of the abstract kind.
const LANDLOCK_SIGNALS: &str = "landlock_signals";

/// What the dynamic loader and the C library read: libraries wherever systems keep them, and what
/// a process may know of itself and of the CPUs.
const READABLE: [&str; 16] = [
    "/lib",
    "/lib32",
    "/lib64",
    "/usr/lib",
    "/usr/lib32",
    "/usr/lib64",
    "/usr/local/lib",
    "/usr/local/lib64",
    "/nix/store",
    "/gnu/store",
    "/etc/ld.so.cache",
    "/proc/self",
    "/sys/devices/system/cpu",
    "/dev/zero",
    "/dev/random",
    "/dev/urandom",
];

/// What a program of its own reads and runs beside that: interpreters and their libraries, and what
/// a library asks the system to find out how many threads are worth their while.
const PROGRAMS: [&str; 10] = [
    "/bin",
    "/sbin",
    "/usr",
    "/opt",
    "/etc/localtime",
    "/etc/alternatives",
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/proc/stat",
    "/sys/fs/cgroup",
];

/// Restricts this thread, and those it starts, to the files within reach. Gives whether they can
/// send signals to nobody outside.
pub(super) fn close(walls: &mut Walls, reach: Reach<'_>) -> bool {
    let outcome = restrict(reach);
    let net = is_newer(&outcome, ABI::V4);
    let signals = is_newer(&outcome, ABI::V6);
    walls.note(LANDLOCK, judge(outcome));
    for (layer, held) in [(LANDLOCK_TCP, net), (LANDLOCK_SIGNALS, signals)] {
        if held {
            walls.hold(layer);
        }
    }
    signals
}

fn restrict(reach: Reach<'_>) -> Result<RestrictionStatus, RulesetError> {
    let mut reads = make_bitflags!(AccessFs::{ReadFile | ReadDir});
    let programs: &[&str] = if reach.runs { &PROGRAMS } else { &[] };
    if reach.runs {
        reads |= AccessFs::Execute;
    }
    let null = make_bitflags!(AccessFs::{ReadFile | WriteFile});
    let writes: BitFlags<AccessFs> = make_bitflags!(AccessFs::{
        ReadFile | ReadDir | WriteFile | Truncate | MakeReg | MakeDir | RemoveFile | RemoveDir
            | Refer
    });
    let system = READABLE.iter().chain(programs).map(Path::new);
    let readable = system.chain(reach.reads.iter().copied());
    let writable = reach.writes.map(|(folder, _)| folder);
    Ruleset::default()
        .handle_access(AccessFs::from_all(KNOWN))?
        .handle_access(AccessNet::from_all(KNOWN))?
        .scope(Scope::from_all(KNOWN))?
        .create()?
        .add_rules(path_beneath_rules(readable, reads))?
        .add_rules(path_beneath_rules(["/dev/null"], null))?
        .add_rules(path_beneath_rules(writable, writes))?
        .restrict_self()
}

fn judge(outcome: Result<RestrictionStatus, RulesetError>) -> Result<(), String> {
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

/// The threads of this process.
fn threads() -> usize {
    std::fs::read_dir("/proc/self/task").map_or(1, Iterator::count)
}
