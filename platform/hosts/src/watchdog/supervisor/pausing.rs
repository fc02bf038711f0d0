//! When the processes of an engine are stopped, what they may use then, and when they go on.

use std::time::Instant;

use super::Supervisor;
use crate::platform::{self, Group};
use crate::watchdog::idle_period::{IdlePeriod, IdleVerdict};
use crate::watchdog::limits::{Excess, ExcessKind};
use crate::watchdog::pause_state::PauseState;
use crate::watchdog::unasked_use::PausedUse;
use crate::watchdog::{StopTarget, WatchdogHandle};

/// The CPU time that an engine may use between two checks while it is idle: it has to finish the
/// write of its answer and to go back to its pipe.
const REST: u64 = 100_000;
/// A control group has not counted yet what runs since the last tick of the kernel's clock, which
/// comes a hundred times a second or more often; and a process that is no descendant of the engine
/// any more is counted nowhere else.
const GROUP_LAG: u64 = 40_000_000;

impl Supervisor {
    /// Stops it until its next question, whatever it does. Gives its CPU time then.
    pub(in crate::watchdog) fn pause(&mut self) -> Option<u64> {
        self.stop();
        self.running_base = self.job_cpu_of_all().map(|job| (job, self.group_cpu()));
        self.begin_pause()
    }

    /// The same while all its threads wait. What it has used is read before the stop: if another
    /// process continues it in between, a later reading would hide what it did, and it would not be
    /// stopped again.
    fn pause_still(&mut self) {
        self.running_base = None;
        self.begin_pause();
        self.stop();
    }

    fn begin_pause(&mut self) -> Option<u64> {
        let cpu = self.paused_cpu();
        self.unasked_use.begin(cpu.unwrap_or(0), Instant::now(), platform::stolen_in_all);
        cpu
    }

    /// Its CPU time while it is paused. What a control group counts lags behind where threads run:
    /// where some may have run when it was paused, its processes are asked themselves, and the
    /// group only tells of those that are not among them.
    fn paused_cpu(&self) -> Option<u64> {
        let Some((job_base, group_base)) = self.running_base else { return self.cpu_time() };
        let job = self.job_cpu_of_all()?;
        let all = group_base.zip(self.group_cpu()).map(|(base, now)| now.saturating_sub(base));
        let known = job.saturating_sub(job_base).saturating_add(GROUP_LAG);
        Some(job.saturating_add(all.unwrap_or(0).saturating_sub(known)))
    }

    /// What its processes say that they have used, if it may have several.
    fn job_cpu_of_all(&self) -> Option<u64> {
        if self.is_single {
            return None;
        }
        self.job.cpu_of_all()
    }

    fn stop(&self) {
        self.job.pause();
        if self.env_tag.is_some() {
            platform::stop_job(self.job.engine());
        }
    }

    /// Its next question comes: lets it go on, unless it has computed since it was paused. Gives
    /// what it is charged for that, in nanoseconds of CPU time, and what it had used in all, or
    /// nothing if it must be ended.
    pub(in crate::watchdog) fn end_pause(&mut self) -> Option<(u64, Option<u64>)> {
        self.look_at_pause();
        (!self.is_unasked()).then(|| self.resume())
    }

    /// Looks at what it has used since it was paused, and pauses it again if that is anything:
    /// another process let it go on.
    pub(in crate::watchdog) fn look_at_pause(&mut self) {
        if !self.unasked_use.is_paused() || self.exceeded.is_some() {
            return;
        }
        let Some(cpu) = self.paused_cpu() else { return };
        let (job, is_single) = (&self.job, self.is_single);
        let threads = || job.roots().map(|root| platform::job_threads(root, is_single)).sum();
        match self.unasked_use.look(cpu, Instant::now(), threads, platform::stolen_in_all) {
            PausedUse::Quiet => {}
            PausedUse::Moved => self.stop(),
            PausedUse::Worked => self.freeze(),
            PausedUse::Unasked(cpu, passed) => {
                self.freeze();
                self.exceeded = Some(Excess::unasked(cpu, passed));
            }
        }
    }

    /// Whether it has computed while it was paused.
    pub(in crate::watchdog) fn is_unasked(&self) -> bool {
        self.exceeded.as_ref().is_some_and(|excess| excess.kind == ExcessKind::Unasked)
    }

    /// Pauses it so that no signal lets it go on, where it has a control group that does so.
    fn freeze(&mut self) {
        self.stop();
        self.is_frozen = self.is_frozen || self.group.as_ref().is_some_and(Group::freeze);
    }

    pub(super) fn thaw(&mut self) {
        if std::mem::take(&mut self.is_frozen) {
            self.group.as_ref().inspect(|group| group.thaw());
        }
    }

    /// Lets it go on, and gives what it is charged for what it did before, and what it had used.
    pub(in crate::watchdog) fn resume(&mut self) -> (u64, Option<u64>) {
        let (charge, cpu) = self.unasked_use.end(Instant::now());
        self.thaw();
        if self.env_tag.is_some() {
            platform::continue_job(self.job.engine());
        }
        self.job.resume();
        // The sum of another kind cannot be compared with what is read when it has answered.
        (charge, cpu.filter(|_| self.running_base.is_none()))
    }

    pub(super) fn check_idle(&mut self, pause_state: &PauseState) {
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

    /// An idle period of a text engine begins, in which it may finish what it does.
    pub(in crate::watchdog) fn begin_idle_text(&mut self, number: u64) {
        let cpu = self.group_cpu().unwrap_or_else(|| self.look_at_cpu());
        self.idle = Some(IdlePeriod::new(number, cpu, Instant::now()));
    }

    /// Pauses a text engine once it has settled, or when it ponders.
    pub(super) fn check_idle_text(&mut self, pause_state: &PauseState, cpu: u64) {
        let Some(number) = pause_state.idle_period() else { return };
        let now = Instant::now();
        let Some(mut idle) = self.idle.take().filter(|idle| idle.number == number) else {
            self.idle = Some(IdlePeriod::new(number, cpu, now));
            return;
        };
        let is_due = pause_state.is_pause_due(number);
        let mut account = self.idle_account;
        let verdict = idle.check(&mut account, cpu, now, is_due, || self.activity());
        self.idle_account = account;
        match verdict {
            IdleVerdict::Open => {}
            IdleVerdict::Settled => pause_state.mark_settled(number),
            IdleVerdict::Stop => {
                pause_state.mark_settled(number);
                if pause_state.pause_if_idle(number) {
                    self.pause_still();
                }
            }
            IdleVerdict::Ponders => {
                if pause_state.pause_if_idle(number) {
                    self.pause();
                    self.unasked_use.ponder(idle.used(cpu, now));
                    pause_state.pause_always();
                    log::debug!("process {} worked while it was not asked", self.job.engine());
                }
            }
        }
        self.idle = Some(idle);
    }

    /// What a text engine is charged for its idle period, in nanoseconds, which ends with that CPU
    /// time if it is not paused.
    fn end_idle_text(&mut self, pause_state: &PauseState, cpu: u64) -> u64 {
        let number = pause_state.idle_period();
        let idle = self.idle.take().filter(|idle| number == Some(idle.number));
        idle.map_or(0, |mut idle| idle.end(&mut self.idle_account, cpu, Instant::now()))
    }
}

impl WatchdogHandle {
    /// A text engine is about to get a question, and has used so much CPU time in all. Gives what
    /// it is charged for what it did since its answer, in nanoseconds, if it was not paused for
    /// that.
    pub(crate) fn end_idle_text(&self, cpu: u64) -> u64 {
        match &mut *self.slot.target() {
            StopTarget::Child(supervisor) => supervisor.end_idle_text(&self.slot.pause_state, cpu),
            _ => 0,
        }
    }
}
