//! The supervisor of one engine process: limits, pauses, and its end.

use std::io;
use std::process::{Child, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

use super::cpu_tally::CpuTally;
use super::idle_period::{IdlePeriod, IdleVerdict};
use super::pause_state::PauseState;
use super::scratch::ScratchDir;
use super::{StopTarget, WatchdogHandle};
use crate::platform::{
    self, Activity, Cpus, EnvTag, Group, GroupLimits, Held, Inside, Job, JobCpu, SchedStats,
    TreeSize, Usage,
};

/// The CPU time that an engine may use between two checks while it is idle: it has to finish the
/// write of its answer and to go back to its pipe.
const REST: u64 = 100_000;
/// The most threads of an engine. They take memory and numbers of processes, which no other limit
/// counts by the engine.
const MOST_THREADS: u64 = 512;
/// The most processes, without those that have ended and that nobody has reaped: they count as
/// threads. A sandboxed library starts none.
const MOST_PROCESSES: u64 = 64;
/// The MiB that the kernel itself needs for an engine's processes: pages of tables and pipes.
const GROUP_MEMORY: u64 = 32;
/// The most files and folders in a folder in memory.
const MOST_FILES: u64 = 10_000;
/// Every so many checks the memory is counted, and every so many what else it holds.
const MEMORY_CHECKS: u32 = 2;
const HELD_CHECKS: u32 = 20;
/// At so many of these in a row a process must not be seen that cannot be looked into. One that is
/// just being started or ended cannot.
const HIDDEN_CHECKS: u32 = 3;
/// And every so many its limit of CPU time is renewed, of which it has far more.
const CPU_CHECKS: u32 = 4096;
const MIB: u64 = 1 << 20;
/// How long a process may take to end after SIGTERM.
const TERM: Duration = Duration::from_millis(200);
/// How soon, and then how often, it is checked whether a process has ended.
const POLL_INTERVAL: Duration = Duration::from_micros(100);
const MAX_POLL_INTERVAL: Duration = Duration::from_millis(10);

/// What the process of an engine may use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ResourceLimits {
    /// Its memory.
    pub memory_mib: Option<u32>,
    /// The files in its scratch folder.
    pub folder_mib: Option<u32>,
}

impl ResourceLimits {
    /// What the kernel lets it use at most, where it counts that. It is more than the limits, so
    /// that what is beyond them is seen and reported: the files in memory count as memory, and
    /// threads as processes.
    pub(crate) fn of_group(self) -> GroupLimits {
        let beyond =
            |mib: u64| mib + mib / 8 + GROUP_MEMORY + u64::from(self.folder_mib.unwrap_or(0));
        let memory = self.memory_mib.map(|mib| beyond(u64::from(mib)) * MIB);
        GroupLimits { memory, tasks: MOST_THREADS + MOST_PROCESSES }
    }
}

/// The process of an engine until it is reaped, and what was seen of it from outside.
pub(crate) struct Supervisor {
    job: Job,
    limits: ResourceLimits,
    scratch: Option<ScratchDir>,
    /// Whether that folder is one in memory, which only the engine sees.
    is_in_memory: bool,
    env_tag: Option<EnvTag>,
    /// What counts all its processes together, where the kernel does.
    group: Option<Group>,
    /// Whether it starts no other processes.
    is_single: bool,
    has_ended: bool,
    checks: u32,
    /// The most memory that was seen, in bytes.
    peak_memory: u64,
    /// The shared memory that was claimed at the last look at it.
    claimed: u64,
    /// At how many looks in a row something could not be looked into.
    hidden: u32,
    /// Which limit it exceeded.
    exceeded: Option<String>,
    /// An idle period and the CPU time at the last check.
    last_seen: Option<(u64, u64)>,
    /// The scheduler's account of it when its time was over, and when that was.
    final_stats: Option<Box<(SchedStats, Instant)>>,
    /// The inode of its input, if it is a text engine, which is paused only once it has settled.
    input: Option<u64>,
    idle: Option<IdlePeriod>,
    /// The CPU time of all its processes, if it can have several.
    tally: Option<CpuTally>,
}

/// How a process ended.
#[derive(Debug)]
pub(crate) struct ChildExit {
    pub status: Option<ExitStatus>,
    /// Which limit it exceeded, if it was killed for that.
    pub exceeded: Option<String>,
    /// What it may have died of, if it ended by itself.
    pub shortage: Option<String>,
    /// The scheduler's account of it until it was killed because its time was over, and when that
    /// was.
    pub final_stats: Option<Box<(SchedStats, Instant)>>,
}

impl Supervisor {
    /// Supervises a process that starts in the scratch folder, if it has one.
    pub(crate) fn new(
        child: Child,
        limits: ResourceLimits,
        scratch: Option<ScratchDir>,
    ) -> Supervisor {
        Supervisor {
            job: Job::new(child),
            limits,
            scratch,
            is_in_memory: false,
            env_tag: None,
            group: None,
            is_single: false,
            has_ended: false,
            checks: 0,
            peak_memory: 0,
            claimed: 0,
            hidden: 0,
            exceeded: None,
            last_seen: None,
            final_stats: None,
            input: None,
            idle: None,
            tally: None,
        }
    }

    /// A text engine reads from the pipe of that inode.
    pub(crate) fn with_input(self, input: Option<u64>) -> Supervisor {
        Supervisor { input, ..self }
    }

    /// Its processes are counted in that group.
    pub(crate) fn with_group(self, group: Option<Group>) -> Supervisor {
        Supervisor { group, ..self }
    }

    /// Kills all processes with that tag too, until it is known that nothing can leave the process
    /// group.
    pub(crate) fn with_tag(self, env_tag: EnvTag) -> Supervisor {
        Supervisor { env_tag: Some(env_tag), ..self }
    }

    /// It is known which processes go on, if they are others than the one that was started.
    ///
    /// # Errors
    /// When these are no children of this process.
    fn adopt(&mut self, inside: Option<Inside>) -> io::Result<()> {
        self.job.adopt(inside)
    }

    fn set_confined(&mut self, is_single: bool) {
        self.env_tag = None;
        self.is_single = is_single;
    }

    /// Kills it because its time is over. The account of its threads is read first: it goes with
    /// them.
    pub(super) fn kill_late(&mut self) {
        if self.final_stats.is_none() {
            let final_stats = platform::sched_stats_of_group(self.job.engine());
            self.final_stats =
                final_stats.map(|stats| Box::new((self.with_gone(stats), Instant::now())));
        }
        self.kill();
    }

    pub(super) fn kill(&mut self) {
        let is_all = self.job.kill();
        if let Some(env_tag) = self.env_tag.as_ref().filter(|_| !is_all) {
            env_tag.kill_all();
        }
    }

    pub(super) fn pause(&self) {
        self.job.pause();
        if self.env_tag.is_some() {
            platform::stop_descendants(self.job.engine());
        }
    }

    pub(super) fn resume(&self) {
        if self.env_tag.is_some() {
            platform::continue_descendants(self.job.engine());
        }
        self.job.resume();
    }

    /// Waits until a process that was told to end does so: for so long by itself, then for as long
    /// as SIGTERM may take. Gives whether it ended by itself.
    pub(crate) fn wait_for_exit(&mut self, patience: Duration) -> bool {
        self.resume();
        if self.exits_within(patience) {
            return true;
        }
        self.job.terminate();
        self.exits_within(TERM);
        false
    }

    fn exits_within(&mut self, patience: Duration) -> bool {
        let (begun, mut nap) = (Instant::now(), POLL_INTERVAL);
        while !self.job.has_ended() {
            if begun.elapsed() >= patience {
                return false;
            }
            thread::sleep(nap);
            nap = (nap * 2).min(MAX_POLL_INTERVAL);
        }
        true
    }

    /// The CPU time of a program counts with that of all it has started, whatever became of them.
    pub(super) fn cpu_time(&self) -> Option<u64> {
        let group = self.group.as_ref().filter(|_| self.input.is_some());
        group.and_then(Group::cpu_time).or_else(|| self.job_cpu().map(|job| job.total()))
    }

    fn job_cpu(&self) -> Option<JobCpu> {
        platform::job_cpu(self.job.engine(), self.is_single)
    }

    pub(super) fn activity(&self) -> Option<Activity> {
        platform::activity(self.job.engine(), self.input, self.is_single)
    }

    /// What all its processes take.
    pub(super) fn usage(&self) -> Option<Usage> {
        let most = Usage { memory: u64::MAX, threads: u64::MAX, processes: u64::MAX, shared: 0 };
        platform::usage(self.job.engine(), most)
    }

    pub(super) fn has_several_threads(&self) -> bool {
        platform::has_several_threads(self.job.engine(), self.is_single)
    }

    /// Lets it run on these CPUs only.
    pub(super) fn bind_to(&self, cpus: &Cpus) {
        cpus.apply_to(self.job.engine(), self.is_single);
    }

    pub(super) fn sched_stats(&self) -> Option<SchedStats> {
        platform::sched_stats(self.job.engine()).map(|stats| self.with_gone(stats))
    }

    /// Adds the processes to an account that are gone and that nobody reaped.
    fn with_gone(&self, mut stats: SchedStats) -> SchedStats {
        stats.add_gone(self.tally.as_ref().map_or(0, CpuTally::unreaped));
        stats
    }

    /// Pauses a process that works while it is idle, and gives whether it exceeds a limit. One that
    /// has ended must not be waited for because others hold its pipes: they are killed.
    pub(super) fn check(&mut self, pause_state: &PauseState) -> bool {
        if self.has_ended {
            return false;
        }
        if self.job.has_ended() {
            self.has_ended = true;
            self.kill();
            return false;
        }
        let cpu = self.look_at_cpu();
        if self.input.is_some() {
            self.check_idle_text(pause_state, cpu);
        } else {
            self.check_idle(pause_state);
        }
        // What is paused uses no more than it did.
        if self.exceeded.is_none() && !pause_state.is_paused() {
            self.checks = self.checks.wrapping_add(1);
            if self.checks.is_multiple_of(CPU_CHECKS) {
                platform::renew_cpu_time(self.job.engine());
            }
            self.exceeded = self.find_exceeded();
            return self.exceeded.is_some();
        }
        false
    }

    /// Adds up what all its processes have used so far.
    fn look_at_cpu(&mut self) -> u64 {
        if self.is_single {
            return 0;
        }
        let (now, job) = (Instant::now(), self.job_cpu().unwrap_or_default());
        let seen = self.tally.get_or_insert_with(|| CpuTally::new(&job, now)).look(&job, now);
        // The kernel misses nothing.
        self.group.as_ref().and_then(Group::cpu_time).unwrap_or(seen)
    }

    fn check_idle(&mut self, pause_state: &PauseState) {
        let now = pause_state.idle_period().and_then(|idle| Some((idle, self.cpu_time()?)));
        if let (Some((idle, before)), Some((still, after))) = (self.last_seen, now)
            && idle == still
            && after > before + REST
            && pause_state.pause_if_idle(idle)
        {
            self.pause();
            pause_state.pause_always();
            log::debug!("process {} worked while it was not asked", self.job.engine());
        }
        self.last_seen = now;
    }

    /// The same for a text engine, which may finish what it does.
    fn check_idle_text(&mut self, pause_state: &PauseState, cpu: u64) {
        let Some(number) = pause_state.idle_period() else { return };
        let now = Instant::now();
        let Some(mut idle) = self.idle.take().filter(|idle| idle.number == number) else {
            self.idle = Some(IdlePeriod::new(number, cpu, now));
            return;
        };
        match idle.check(cpu, now, pause_state.is_pause_due(number), || self.activity()) {
            IdleVerdict::Open => {}
            IdleVerdict::Settled => pause_state.mark_settled(number),
            IdleVerdict::Stop => {
                pause_state.mark_settled(number);
                if pause_state.pause_if_idle(number) {
                    self.pause();
                }
            }
            IdleVerdict::Ponders => {
                if pause_state.pause_if_idle(number) {
                    self.pause();
                    pause_state.pause_always();
                    log::debug!("process {} worked while it was not asked", self.job.engine());
                }
            }
        }
        self.idle = Some(idle);
    }

    /// Which limit it exceeds, if any.
    fn find_exceeded(&mut self) -> Option<String> {
        if self.checks.is_multiple_of(HELD_CHECKS)
            && let Some(exceeded) = self.check_held()
        {
            return Some(exceeded);
        }
        if !self.checks.is_multiple_of(MEMORY_CHECKS) {
            return None;
        }
        if let Some(killed) = self.killed_for_memory() {
            return Some(killed);
        }
        let ceiling = self.limits.memory_mib.map_or(u64::MAX, |mib| u64::from(mib) * MIB);
        let most = Usage {
            memory: ceiling.saturating_sub(self.claimed),
            shared: 0,
            threads: MOST_THREADS,
            processes: MOST_PROCESSES,
        };
        let Usage { memory, shared, threads, processes } =
            platform::usage(self.job.engine(), most)?;
        self.peak_memory = self.peak_memory.max(memory);
        let memory = memory.saturating_add(self.claimed.saturating_sub(shared));
        if memory > ceiling {
            let (used, most) = (memory.div_ceil(MIB), ceiling / MIB);
            return Some(format!("used {used} MiB of memory, of {most}"));
        }
        if threads > MOST_THREADS {
            return Some(format!("ran {threads} threads, of {MOST_THREADS} at most"));
        }
        (processes > MOST_PROCESSES)
            .then(|| format!("ran {processes} processes, of {MOST_PROCESSES} at most"))
    }

    /// What to report of an engine of which the kernel has killed a process because all of them
    /// together had used the memory that they may.
    fn killed_for_memory(&self) -> Option<String> {
        let (used, most) = (self.group.as_ref()?.killed_at()?, self.limits.memory_mib?);
        let used = used.div_ceil(MIB);
        Some(format!("killed: all its processes used {used} MiB of memory, of {most}"))
    }

    /// Looks at its folder, at the files that it holds without a name, and at its shared memory.
    fn check_held(&mut self) -> Option<String> {
        let most = self.limits.folder_mib.map(|mib| u64::from(mib) * MIB);
        let folder = self.scratch.as_ref().map(ScratchDir::path).zip(most);
        if folder.is_none() && self.limits.memory_mib.is_none() {
            return None;
        }
        let pids = match self.is_single {
            true => vec![self.job.engine()],
            false => platform::job(self.job.engine()),
        };
        // The files of a folder in memory are counted by the kernel, with a name or without.
        let on_disk = folder.filter(|_| !self.is_in_memory);
        let Held { files, shared, is_hidden, is_endless } = platform::held(&pids, on_disk);
        self.claimed = shared;
        self.hidden = if is_hidden { self.hidden + 1 } else { 0 };
        if is_endless {
            return Some("mapped more pieces of memory than can be counted".to_owned());
        }
        // What hosts a library is this program, which hides itself where that is all there is.
        if self.input.is_some() && self.hidden >= HIDDEN_CHECKS {
            return Some("runs a program that may not be read, so it cannot be watched".to_owned());
        }
        let (folder, most) = folder?;
        let size = match self.is_in_memory {
            // Where that cannot be looked at, the kernel still lets nothing in beyond the limit.
            true => match platform::memory_folder(self.job.engine(), folder).unwrap_or((0, 0)) {
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
            #[cfg(unix)]
            TreeSize::Unknown => files,
        };
        let (held, mib) = (bytes.div_ceil(MIB), most / MIB);
        (bytes > most).then(|| format!("its folder holds {held} of {mib} MiB"))
    }

    /// Kills the whole process group and all that left it, reaps the process, and removes its
    /// folder.
    pub(crate) fn kill_and_reap(mut self) -> ChildExit {
        // A process that has ended keeps its own exit status; those it started may still run.
        self.kill();
        let mut final_stats = self.final_stats.take();
        if self.exceeded.is_none() {
            self.exceeded = self.killed_for_memory();
        }
        if let Some(final_stats) = &mut final_stats {
            // The time that a thread stands in a run queue is added when it leaves it. For the
            // first thread it can still be read.
            platform::last_sched_stats(self.job.engine()).inspect(|last| final_stats.0.merge(last));
        }
        let (status, most) = match self.job.reap() {
            Ok((status, most)) => (Some(status), most),
            Err(error) => {
                log::error!("a child was not reaped: {error}");
                (None, None)
            }
        };
        let peak_memory = self.peak_memory.max(most.unwrap_or(0));
        let shortage = self.limits.memory_mib.and_then(|mib| shortage(peak_memory, mib));
        ChildExit { status, exceeded: self.exceeded, shortage, final_stats }
    }
}

/// What to report of an engine that ended with so much memory: nothing, unless that was nine tenths
/// of its limit or more.
fn shortage(peak_memory: u64, mib: u32) -> Option<String> {
    let ceiling = u64::from(mib) * MIB;
    let is_near = peak_memory >= ceiling - ceiling / 10;
    is_near
        .then(|| format!("after it had used {} MiB of memory, of {mib}", peak_memory.div_ceil(MIB)))
}

impl WatchdogHandle {
    /// It is known which processes go on, if they are others than the one that was started. Gives
    /// whether that can be.
    pub(crate) fn adopt(&self, inside: Option<Inside>) -> bool {
        match &mut *self.slot.target() {
            StopTarget::Child(supervisor) => supervisor.adopt(inside).is_ok(),
            _ => false,
        }
    }

    /// The engine's folder is one in memory, which only it sees.
    pub(crate) fn set_in_memory(&self) {
        if let StopTarget::Child(supervisor) = &mut *self.slot.target() {
            supervisor.is_in_memory = true;
        }
    }

    /// The sandbox keeps the process from starting others, if it `is_single`, or else those from
    /// leaving its group.
    pub(crate) fn set_confined(&self, is_single: bool) {
        if let StopTarget::Child(supervisor) = &mut *self.slot.target() {
            supervisor.set_confined(is_single);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shortage_is_nine_tenths_of_the_ceiling() {
        assert_eq!(shortage(89 * MIB, 100), None);
        let told = shortage(91 * MIB, 100).unwrap();
        assert!(told.contains("91 MiB") && told.contains("100"), "{told}");
    }
}
