//! What an engine may use, and how that is measured from outside.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::platform::{self, Group, GroupLimits, Held, Job, MemoryKill, TreeSize, Usage};

/// The most threads of an engine. They take memory and numbers of processes, which no other limit
/// counts by the engine.
const MOST_THREADS: u64 = 512;
/// The most processes, without those that have ended and were not reaped: they count as
/// threads. A sandboxed library starts none.
const MOST_PROCESSES: u64 = 64;
/// The MiB that the kernel itself needs for an engine's processes: pages of tables and pipes.
const GROUP_MEMORY: u64 = 32;
/// The most files and folders in a folder in memory.
const MOST_FILES: u64 = 10_000;
/// How often its memory is counted, and how often its files and its shared memory.
const MEMORY: Interval = Interval { checks: 2, longest: Duration::from_millis(100) };
const HELD: Interval = Interval { checks: 20, longest: Duration::from_secs(1) };
/// If a process cannot be looked into at so many of these in a row, the engine is killed. A process
/// that is just starting or ending cannot be looked into either.
const HIDDEN_CHECKS: u32 = 3;
/// How often its limit of CPU time is renewed, long before it could be reached.
const CPU_TIME: Interval = Interval { checks: 4096, longest: Duration::from_secs(60) };
const MIB: u64 = 1 << 20;

/// What the process of an engine may use.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct ResourceLimits {
    pub memory_mib: Option<u32>,
    /// Without a limit of its own, its share of the machine's.
    pub share_mib: Option<u32>,
    /// The files in its scratch folder.
    pub folder_mib: Option<u32>,
    /// Its processes, where they are fewer than every engine may have.
    pub processes: Option<u32>,
}

impl ResourceLimits {
    fn most_memory(self) -> Option<u32> {
        self.memory_mib.or(self.share_mib)
    }

    /// What the kernel lets it use at most, where it counts that. It is more than the limits, so
    /// that what is beyond them is seen and reported: the files in memory count as memory, and
    /// threads as processes.
    pub(crate) fn of_group(self) -> GroupLimits {
        let beyond =
            |mib: u64| mib + mib / 8 + GROUP_MEMORY + u64::from(self.folder_mib.unwrap_or(0));
        let memory = self.most_memory().map(|mib| beyond(u64::from(mib)) * MIB);
        GroupLimits { memory, tasks: MOST_TASKS }
    }
}

/// The most processes and threads of an engine, including those that have ended.
pub(crate) const MOST_TASKS: u64 = MOST_THREADS + MOST_PROCESSES;

/// Why an engine that used too much is killed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Excess {
    /// What was used, for people.
    pub what: String,
    pub kind: ExcessKind,
}

/// What was exceeded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ExcessKind {
    Limit,
    /// What the machine had left; the engine had kept to its limit.
    Shortage,
    /// What an engine may do while it is paused.
    Unasked,
}

impl From<String> for Excess {
    fn from(what: String) -> Excess {
        Excess { what, kind: ExcessKind::Limit }
    }
}

impl Excess {
    /// It used so much CPU time, in nanoseconds, in that time, though it was paused.
    pub(super) fn unasked(cpu: u64, passed: Duration) -> Excess {
        let (cpu, passed) = (Duration::from_nanos(cpu).as_secs_f64(), passed.as_secs_f64());
        let what = format!(
            "computed though it was paused: {cpu:.3} s of CPU time in {passed:.3} s of its \
             opponent's time"
        );
        Excess { what, kind: ExcessKind::Unasked }
    }
}

/// The processes that are looked at.
pub(super) struct JobView<'a> {
    pub processes: &'a Job,
    /// Whether it starts no others.
    pub is_single: bool,
    pub is_program: bool,
    /// What counts all its processes together, where the kernel does.
    pub group: Option<&'a Group>,
    pub scratch: Option<&'a Path>,
}

/// How often something is done: at every so many checks, so that what takes long is a small part
/// of them; but where the checks are far apart, no less often than this.
#[derive(Clone, Copy)]
struct Interval {
    checks: u32,
    longest: Duration,
}

/// What is done at intervals.
struct Timer {
    interval: Interval,
    checks: u32,
    last: Instant,
}

impl Timer {
    fn new(interval: Interval) -> Timer {
        Timer { interval, checks: 0, last: Instant::now() }
    }

    /// Whether it is to be done at this check, at that moment.
    fn is_due(&mut self, now: Instant) -> bool {
        self.checks += 1;
        let passed = now.saturating_duration_since(self.last);
        let is_due = self.checks >= self.interval.checks || passed >= self.interval.longest;
        if is_due {
            (self.checks, self.last) = (0, now);
        }
        is_due
    }
}

/// What was seen of an engine's use so far.
pub(super) struct LimitChecks {
    limits: ResourceLimits,
    /// Whether its folder is one in memory, which only the engine sees.
    is_in_memory: bool,
    memory_timer: Timer,
    held_timer: Timer,
    cpu_timer: Timer,
    /// The most memory that was seen, in bytes.
    peak_memory: u64,
    /// The shared memory that was claimed at the last look at it, and what may be in pipes and
    /// sockets, where the kernel does not count that.
    claimed: u64,
    buffers: u64,
    /// At how many looks in a row something could not be looked into.
    hidden: u32,
}

impl LimitChecks {
    pub(super) fn new(limits: ResourceLimits) -> LimitChecks {
        LimitChecks {
            limits,
            is_in_memory: false,
            memory_timer: Timer::new(MEMORY),
            held_timer: Timer::new(HELD),
            cpu_timer: Timer::new(CPU_TIME),
            peak_memory: 0,
            claimed: 0,
            buffers: 0,
            hidden: 0,
        }
    }

    /// Its folder is one in memory, which only it sees.
    pub(super) fn set_in_memory(&mut self) {
        self.is_in_memory = true;
    }

    /// Looks once more at that moment, and gives which limit is exceeded, if any.
    pub(super) fn look(&mut self, job: &JobView<'_>, now: Instant) -> Option<Excess> {
        if self.cpu_timer.is_due(now) {
            platform::renew_cpu_time(job.processes.engine());
        }
        if self.held_timer.is_due(now)
            && let Some(exceeded) = self.look_at_held(job)
        {
            return Some(exceeded.into());
        }
        if !self.memory_timer.is_due(now) {
            return None;
        }
        self.killed_for_memory(job.group).or_else(|| self.look_at_usage(job).map(Excess::from))
    }

    fn look_at_usage(&mut self, job: &JobView<'_>) -> Option<String> {
        let ceiling = self.limits.most_memory().map_or(u64::MAX, |mib| u64::from(mib) * MIB);
        let asked = self.limits.processes.map_or(MOST_PROCESSES, u64::from);
        let most_processes = asked.min(MOST_PROCESSES);
        let most = Usage {
            memory: ceiling.saturating_sub(self.claimed).saturating_sub(self.buffers),
            shared: 0,
            threads: MOST_THREADS,
            processes: most_processes,
        };
        let Usage { memory, shared, threads, processes } = job.processes.usage(most)?;
        self.peak_memory = self.peak_memory.max(memory);
        let unseen = self.claimed.saturating_sub(shared).saturating_add(self.buffers);
        let memory = memory.saturating_add(unseen);
        if memory > ceiling {
            let (used, most) = (memory.div_ceil(MIB), ceiling / MIB);
            return Some(format!("used {used} MiB of memory, of {most}"));
        }
        if threads > MOST_THREADS {
            return Some(format!("ran {threads} threads, of {MOST_THREADS} at most"));
        }
        (processes > most_processes)
            .then(|| format!("ran {processes} processes, of {most_processes} at most"))
    }

    /// What to report about an engine after the kernel killed one of its processes for lack of
    /// memory.
    pub(super) fn killed_for_memory(&self, group: Option<&Group>) -> Option<Excess> {
        Some(excess(group?.memory_kill()?, self.limits.most_memory()))
    }

    /// Looks at its folder, at the files that it holds without a name, and at its shared memory.
    fn look_at_held(&mut self, job: &JobView<'_>) -> Option<String> {
        let most = self.limits.folder_mib.map(|mib| u64::from(mib) * MIB);
        let folder = job.scratch.zip(most);
        if folder.is_none() && self.limits.memory_mib.is_none() {
            return None;
        }
        let pids = match job.is_single {
            true => vec![job.processes.engine()],
            false => platform::job(job.processes.engine()),
        };
        // The files of a folder in memory are counted by the kernel, with a name or without.
        let on_disk = folder.filter(|_| !self.is_in_memory);
        let Held { files, shared, buffers, is_hidden, is_endless } = platform::held(&pids, on_disk);
        self.claimed = shared;
        self.buffers = if job.group.is_some_and(Group::counts_memory) { 0 } else { buffers };
        self.hidden = if is_hidden { self.hidden + 1 } else { 0 };
        if is_endless {
            return Some("mapped more pieces of memory than can be counted".to_owned());
        }
        // What hosts a library is this program, which hides itself where that is all there is.
        if job.is_program && self.hidden >= HIDDEN_CHECKS {
            return Some("runs a program that may not be read, so it cannot be watched".to_owned());
        }
        let (folder, most) = folder?;
        let size = match self.is_in_memory {
            // Where that cannot be looked at, the kernel still lets nothing in beyond the limit.
            true => match platform::memory_folder(job.processes.engine(), folder).unwrap_or((0, 0))
            {
                (_, MOST_FILES..) => TreeSize::Uncountable,
                (bytes, _) => TreeSize::Bytes(bytes),
            },
            false => platform::tree_size(folder),
        };
        let bytes = match size {
            TreeSize::Bytes(bytes) => bytes.saturating_add(files),
            TreeSize::Uncountable => {
                return Some("its folder holds too many files to count".to_owned());
            }
            TreeSize::Unknown => files,
        };
        let (held, mib) = (bytes.div_ceil(MIB), most / MIB);
        (bytes > most).then(|| format!("its folder holds {held} of {mib} MiB"))
    }

    /// What an engine that ended by itself may have died of. `most` is the most bytes its process
    /// had in use, if that is known.
    pub(super) fn shortage(&self, most: Option<u64>) -> Option<String> {
        let peak_memory = self.peak_memory.max(most.unwrap_or(0));
        self.limits.memory_mib.and_then(|mib| shortage(peak_memory, mib))
    }
}

/// What to report about an engine after one of its processes was killed.
fn excess(kill: MemoryKill, limit: Option<u32>) -> Excess {
    let is_shortage = kill == MemoryKill::Host && limit.is_some();
    let what = match (kill, limit) {
        (MemoryKill::OwnLimit(Some(used)), Some(most)) => {
            let used = used.div_ceil(MIB);
            format!("killed: all its processes used {used} MiB of memory, of {most}")
        }
        (MemoryKill::OwnLimit(_), Some(most)) => {
            format!("killed: all its processes used more than their {most} MiB of memory")
        }
        (MemoryKill::Host, Some(most)) => format!(
            "killed by the machine's shortage of memory: the engine kept to its {most} MiB; \
             play fewer games at once, or with a lower --memory"
        ),
        // It is not known which process lacked memory.
        (_, None) => "killed by the machine's shortage of memory, and the engine has no limit of \
                      its own; give it one with --memory"
            .to_owned(),
    };
    let kind = if is_shortage { ExcessKind::Shortage } else { ExcessKind::Limit };
    Excess { what, kind }
}

/// What to report about an engine that ended with so much memory in use: nothing below nine tenths
/// of its limit.
fn shortage(peak_memory: u64, mib: u32) -> Option<String> {
    let ceiling = u64::from(mib) * MIB;
    let is_near = peak_memory >= ceiling - ceiling / 10;
    is_near
        .then(|| format!("after it had used {} MiB of memory, of {mib}", peak_memory.div_ceil(MIB)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_takes_long_is_done_at_few_checks_and_still_often_where_they_are_rare() {
        let due = |checks: u32, apart: Duration| {
            let mut timer = Timer::new(HELD);
            let start = timer.last;
            (1..=checks).filter(|check| timer.is_due(start + apart * *check)).count()
        };
        assert_eq!(due(100, Duration::from_millis(10)), 5);
        assert_eq!(due(40, Duration::from_millis(250)), 10);
    }

    #[test]
    fn a_shortage_is_nine_tenths_of_the_ceiling() {
        assert_eq!(shortage(89 * MIB, 100), None);
        let told = shortage(91 * MIB, 100).unwrap();
        assert!(told.contains("91 MiB") && told.contains("100"), "{told}");
    }

    #[test]
    fn a_kill_is_the_hosts_only_where_the_engine_kept_to_a_limit() {
        let of = |kill, limit| excess(kill, limit);
        let own = of(MemoryKill::OwnLimit(Some(300 * MIB)), Some(200));
        assert!(
            own.kind == ExcessKind::Limit && own.what.contains("300 MiB of memory, of 200"),
            "{own:?}"
        );
        let unknown = of(MemoryKill::OwnLimit(None), Some(200));
        assert!(
            unknown.kind == ExcessKind::Limit && unknown.what.contains("their 200 MiB"),
            "{unknown:?}"
        );
        let hosts = of(MemoryKill::Host, Some(200));
        assert!(
            hosts.kind == ExcessKind::Shortage && hosts.what.contains("machine's shortage"),
            "{hosts:?}"
        );
        assert!(
            of(MemoryKill::Host, None).kind == ExcessKind::Limit,
            "it may have taken all of it"
        );
    }
}
