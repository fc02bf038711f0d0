//! The layer of resource limits.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::{Sandbox, SandboxPolicy};
use crate::platform;
#[cfg(target_os = "linux")]
use crate::watchdog::MOST_TASKS;

/// The layer that is put up once more where it was too wide.
pub(super) const CPU_TIME: &str = "cpu_time";
/// The most files an engine may have open.
const OPEN_FILES: u64 = 256;
const MIB: u64 = 1 << 20;
/// How many times as much CPU time an engine may use in all where it is not renewed.
const LONG: u64 = 100;
/// What memory an engine may claim beyond its ceiling, without using it: the stacks of a dozen
/// threads.
const CLAIMS: u64 = 128 * MIB;

/// The limits that nothing needs to be beyond.
pub(super) fn early(sandbox: &mut Sandbox) {
    limit(sandbox, Resource::Core, 0, "no_core");
    limit(sandbox, Resource::Nofile, OPEN_FILES, "open_files");
    cpu_time(sandbox);
}

/// The CPU time of one process. The arbiter renews it from game to game, so it is no hard limit.
pub(super) fn cpu_time(sandbox: &mut Sandbox) {
    let hard = getrlimit(Resource::Cpu).maximum;
    let allowance = platform::cpu_allowance(0) * if sandbox.is_for_long { LONG } else { 1 };
    let current = Some(allowance.min(hard.unwrap_or(u64::MAX)));
    set(sandbox, Resource::Cpu, Rlimit { current, maximum: hard }, CPU_TIME);
}

/// The limits of the engine itself.
pub(super) fn late(sandbox: &mut Sandbox, policy: SandboxPolicy<'_>) {
    if let Some(mib) = policy.memory_mib {
        // A program does not inherit the claims of this process.
        let before = if policy.runs.is_some() { 0 } else { claimed() };
        limit(sandbox, MEMORY, before.saturating_add(most(mib)), "memory");
    }
    // Its processes and threads are counted by its user, which no other process has.
    #[cfg(target_os = "linux")]
    if sandbox.held().contains(&super::OWN_USER) {
        limit(sandbox, Resource::Nproc, MOST_TASKS, "processes");
    }
    match policy.writes {
        Some((_, bytes)) => limit(sandbox, Resource::Fsize, bytes, "file_size"),
        None => limit(sandbox, Resource::Fsize, 0, "no_files"),
    }
}

/// What the process is limited by: private memory that may be written where the system can tell,
/// otherwise every address.
#[cfg(target_os = "linux")]
const MEMORY: Resource = Resource::Data;
#[cfg(not(target_os = "linux"))]
const MEMORY: Resource = Resource::As;

/// The claims at which an engine with that ceiling gets no more memory. The ceiling is on what it
/// uses, which is checked from outside; this limit stops one that is faster than those checks.
fn most(mib: u32) -> u64 {
    let ceiling = u64::from(mib) * MIB;
    ceiling + ceiling / 2 + CLAIMS
}

fn limit(sandbox: &mut Sandbox, resource: Resource, most: u64, layer: &'static str) {
    let most = getrlimit(resource).maximum.map_or(most, |maximum| maximum.min(most));
    set(sandbox, resource, Rlimit { current: Some(most), maximum: Some(most) }, layer);
}

fn set(sandbox: &mut Sandbox, resource: Resource, limit: Rlimit, layer: &'static str) {
    sandbox.note(layer, setrlimit(resource, limit).map_err(|error| error.to_string()));
}

/// What this process has claimed already, in bytes; 0 where the system does not report it.
fn claimed() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let size = status.lines().find_map(|line| line.strip_prefix("VmData:"));
    let kib = size.and_then(|size| size.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    kib.unwrap_or(0) * 1024
}
