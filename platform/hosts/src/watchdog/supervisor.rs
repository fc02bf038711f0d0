//! The supervisor of one engine process: limits, pauses, and its end.

mod pausing;

use std::io;
use std::process::ExitStatus;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use super::cpu_tally::CpuTally;
use super::idle_period::{IdleAccount, IdlePeriod};
use super::limits::{Excess, JobView, LimitChecks, ResourceLimits};
use super::pause_state::PauseState;
use super::scratch::ScratchDir;
use super::unasked_use::UnaskedUse;
use super::{StopTarget, WatchdogHandle};
use crate::platform::{
    self, Activity, Cpus, EnvTag, Group, Inside, Job, JobCpu, SchedStats, StartedProcess, Usage,
    UserNumber, Watched,
};

/// How long a process may take to end after SIGTERM.
const TERM: Duration = Duration::from_millis(200);
/// How soon, and then how often, it is checked whether a process has ended.
const POLL_INTERVAL: Duration = Duration::from_micros(100);
const MAX_POLL_INTERVAL: Duration = Duration::from_millis(10);

/// The process of an engine until it is reaped, and what was seen of it from outside.
pub(crate) struct Supervisor {
    job: Job,
    limits: LimitChecks,
    scratch: Option<Arc<ScratchDir>>,
    env_tag: Option<EnvTag>,
    /// What counts all its processes together, where the kernel does.
    group: Option<Group>,
    /// The user that it runs as, if it is another than this process's.
    _user: Option<UserNumber>,
    /// Its process group, as the reaper knows it.
    _watched: Option<Watched>,
    /// Whether it starts no other processes.
    is_single: bool,
    has_ended: bool,
    exceeded: Option<Excess>,
    /// An idle period and the CPU time at the last check.
    last_seen: Option<(u64, u64)>,
    /// The scheduler's account of it when its time was over, and when that was.
    final_stats: Option<Box<(SchedStats, Instant)>>,
    /// The inode of its input, if it is a text engine, which is paused only once it has settled.
    input: Option<u64>,
    idle: Option<IdlePeriod>,
    /// What is left of what it may use while it is idle, as a text engine.
    idle_account: IdleAccount,
    /// The CPU time of all its processes, if it can have several.
    tally: Option<CpuTally>,
    /// What it has used while it was paused.
    unasked_use: UnaskedUse,
    /// What its processes and its control group had used when it was paused, if some may have run
    /// at that moment.
    running_base: Option<(u64, Option<u64>)>,
    /// Whether its control group is frozen.
    is_frozen: bool,
}

/// How much a process has worked so far.
pub(crate) enum Work {
    Threads(SchedStats),
    /// The CPU time of all of them, in nanoseconds, where no account of each is kept.
    Cpu(u64),
}

impl Work {
    /// How long it has worked since then, in nanoseconds: its busiest thread, with what that waited
    /// for a CPU, or all of them together.
    pub(crate) fn since(&self, before: &Work) -> u64 {
        match (self, before) {
            (Work::Threads(now), Work::Threads(before)) => {
                let threads = now.threads_since(before);
                let worked = threads.iter().map(|thread| thread.ran.saturating_add(thread.waited));
                worked.max().unwrap_or(0)
            }
            (Work::Cpu(now), Work::Cpu(before)) => now.saturating_sub(*before),
            _ => 0,
        }
    }
}

/// How a process ended.
#[derive(Debug)]
pub(crate) struct ChildExit {
    pub status: Option<ExitStatus>,
    /// Which limit it exceeded, if it was killed for that.
    pub exceeded: Option<Excess>,
    /// What it may have died of, if it ended by itself.
    pub shortage: Option<String>,
    /// The scheduler's account of it until it was killed because its time was over, and when that
    /// was.
    pub final_stats: Option<Box<(SchedStats, Instant)>>,
}

impl Supervisor {
    /// Supervises a process that starts in the scratch folder, if it has one.
    pub(crate) fn new(
        child: StartedProcess,
        limits: ResourceLimits,
        scratch: Option<Arc<ScratchDir>>,
    ) -> Supervisor {
        Supervisor {
            job: Job::new(child),
            limits: LimitChecks::new(limits),
            scratch,
            env_tag: None,
            group: None,
            _user: None,
            _watched: None,
            is_single: false,
            has_ended: false,
            exceeded: None,
            last_seen: None,
            final_stats: None,
            input: None,
            idle: None,
            idle_account: IdleAccount::new(Instant::now()),
            tally: None,
            unasked_use: UnaskedUse::default(),
            running_base: None,
            is_frozen: false,
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

    /// Its process group ends with this process, whatever ends that.
    pub(crate) fn with_watched(self, watched: Option<Watched>) -> Supervisor {
        Supervisor { _watched: watched, ..self }
    }

    /// It runs as that user.
    pub(crate) fn with_user(self, user: UserNumber) -> Supervisor {
        Supervisor { _user: Some(user), ..self }
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
            let activity = self.input.and_then(|_| self.activity());
            self.final_stats = self.sched_stats_of_all().map(|mut stats| {
                platform::find_halted(&mut stats);
                stats.reading = activity.is_some_and(Activity::is_settled);
                Box::new((stats, Instant::now()))
            });
        }
        self.kill();
    }

    pub(super) fn kill(&mut self) {
        self.thaw();
        let is_all = self.job.kill();
        // A process that has left everything else is still counted.
        if let Some(group) = self.group.as_ref().filter(|_| !is_all) {
            platform::kill_group_members(group);
        }
        if let Some(env_tag) = self.env_tag.as_ref().filter(|_| !is_all) {
            env_tag.kill_all();
        }
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

    /// The CPU time of all its processes, whatever became of them where the kernel counts it.
    pub(crate) fn cpu_time(&self) -> Option<u64> {
        let group = if self.is_single { None } else { self.group_cpu() };
        group.or_else(|| self.job_cpu().map(|job| job.total()))
    }

    fn group_cpu(&self) -> Option<u64> {
        self.group.as_ref().and_then(Group::cpu_time)
    }

    fn job_cpu(&self) -> Option<JobCpu> {
        self.job.cpu(self.is_single)
    }

    pub(crate) fn activity(&self) -> Option<Activity> {
        platform::activity(self.job.engine(), self.input, self.is_single)
    }

    /// What all its processes take.
    pub(crate) fn usage(&self) -> Option<Usage> {
        let most = Usage { memory: u64::MAX, threads: u64::MAX, processes: u64::MAX, shared: 0 };
        self.job.usage(most)
    }

    pub(super) fn has_several_threads(&self) -> bool {
        platform::has_several_threads(self.job.engine(), self.is_single)
    }

    /// Lets it run on these CPUs only.
    pub(super) fn bind_to(&self, cpus: &Cpus) {
        self.job.bind_to(cpus, self.is_single);
    }

    pub(crate) fn sched_stats(&self) -> Option<SchedStats> {
        platform::sched_stats(self.job.engine()).map(|stats| self.with_gone(stats))
    }

    /// The same with all that belongs to it among the processes of the machine: a slow search.
    pub(crate) fn sched_stats_of_all(&self) -> Option<SchedStats> {
        platform::sched_stats_of_group(self.job.engine()).map(|stats| self.with_gone(stats))
    }

    pub(crate) fn work(&self) -> Option<Work> {
        let threads = self.sched_stats().map(Work::Threads);
        threads.or_else(|| self.cpu_time().map(Work::Cpu))
    }

    /// Whether a thread of it runs, or could.
    pub(super) fn is_runnable(&self) -> bool {
        platform::is_runnable(self.job.engine())
    }

    /// Adds to an account what the kernel counts of all processes together, and those that are gone
    /// and that were not reaped.
    fn with_gone(&self, mut stats: SchedStats) -> SchedStats {
        stats.add_gone(self.tally.as_ref().map_or(0, CpuTally::unreaped));
        stats.stalled = self.group.as_ref().and_then(Group::stalled);
        stats.group_cpu = self.group.as_ref().and_then(Group::cpu_time);
        stats
    }

    /// Pauses a process that works while it is idle, and gives whether it exceeds a limit. If it
    /// has ended, nothing must wait on its pipes because other processes hold them: those are
    /// killed.
    pub(super) fn check(&mut self, pause_state: &PauseState) -> bool {
        if self.has_ended {
            return false;
        }
        self.job.reap_starter();
        if self.job.has_ended() {
            self.has_ended = true;
            self.kill();
            return false;
        }
        if self.unasked_use.is_paused() {
            // It uses no more of anything else than it did.
            self.look_at_pause();
            return self.is_unasked() && !self.is_frozen;
        }
        let cpu = self.look_at_cpu();
        if self.input.is_some() {
            self.check_idle_text(pause_state, cpu);
        } else {
            self.check_idle(pause_state);
        }
        if self.exceeded.is_none() && !self.unasked_use.is_paused() {
            let job = JobView {
                processes: &self.job,
                is_single: self.is_single,
                is_program: self.input.is_some(),
                group: self.group.as_ref(),
                scratch: self.scratch.as_deref().map(ScratchDir::path),
            };
            self.exceeded = self.limits.look(&job, Instant::now());
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
        self.group_cpu().unwrap_or(seen)
    }

    /// Kills the whole process group and all that left it, reaps the process, and removes its
    /// folder.
    pub(crate) fn kill_and_reap(mut self) -> ChildExit {
        // A process that has ended keeps its own exit status; those it started may still run.
        self.kill();
        let mut final_stats = self.final_stats.take();
        if self.exceeded.is_none() {
            self.exceeded = self.limits.killed_for_memory(self.group.as_ref());
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
        let shortage = self.limits.shortage(most);
        ChildExit { status, exceeded: self.exceeded, shortage, final_stats }
    }
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
            supervisor.limits.set_in_memory();
        }
    }

    /// These layers of its sandbox hold.
    pub(crate) fn set_layers(&self, is_held: impl Fn(&str) -> bool) {
        if let StopTarget::Child(supervisor) = &mut *self.slot.target()
            && let Some(group) = &mut supervisor.group
        {
            group.keep_joined(is_held);
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

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn a_process_that_left_its_group_is_stopped_as_well() {
        // It is in the group of this process, as good as one that has left its own.
        let mut child = Command::new("cat").stdin(Stdio::piped()).spawn().unwrap();
        let (pid, _input) = (child.id(), child.stdin.take());
        let limits = ResourceLimits::default();
        let env_tag = EnvTag::set(&mut Command::new("cat"));
        let mut supervisor = Supervisor::new(child.into(), limits, None).with_tag(env_tag);
        // Its start is no part of the test.
        let is_stopped = || {
            let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
            stat.rsplit(')').next().unwrap().trim_start().starts_with('T')
        };
        supervisor.pause();
        while !is_stopped() {
            thread::yield_now();
        }
        supervisor.resume();
        while is_stopped() {
            thread::yield_now();
        }
        let ended = supervisor.kill_and_reap();
        assert!(ended.status.is_some_and(|status| !status.success()));
    }
}
