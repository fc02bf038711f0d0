//! The process of one engine, from its start until it is reaped: its deadlines, pauses, CPU time,
//! limits and end, whatever protocol it speaks.

mod build;
mod contention;
mod engine_loss;
mod environment;
mod host_args;
pub(crate) mod idle_policy;
mod pipes;
mod retry;
mod reused;
mod sampler;
mod silence;
mod spawn;
mod start;
mod text;
mod text_game;

use std::sync::Arc;
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use tengen_arbiter::{Correction, CpuStats, Failure, Nanos};
use tengen_packages::{EngineKind, EngineSpec, RestartPolicy};
use tengen_players::{AT_WORK, Fault, Listener};

use crate::HostSettings;
use crate::engine_log::EngineLog;
use crate::platform::{Reaper, SchedStats, Zygote};
use crate::protocol::wire::{Payload, Truncated};
use crate::protocol::{FrameProtocol, MessageTarget, Protocol, ProtocolError, Ready, TextProtocol};
use crate::watchdog::placement::CpuSharing;
use crate::watchdog::{ScratchDir, StopTarget, Supervisor, WatchdogHandle};
pub use build::{BuildError, build};
use engine_loss::ExchangeError;
pub(crate) use engine_loss::{EngineLoss, interrupted};
use idle_policy::IdlePolicy;
use pipes::Pipes;
use reused::ReusedParts;
pub(crate) use sampler::{BaseSample, CpuSample, Sampler, is_queued};
use silence::SpokenSoFar;
pub(crate) use text_game::unexpected;

/// How many bytes of messages an engine may send unasked while it starts, and for each second that
/// it thinks.
const MAX_MESSAGES: u64 = 1 << 20;
const SECOND: Nanos = 1_000_000_000;
/// How long a program may take to end when it is told to. Nothing that it writes then is kept.
const EXIT_TIME: Duration = Duration::from_millis(250);

/// The process of an engine and what is exchanged with it.
pub(crate) struct EngineProcess<P: Protocol> {
    pub protocol: P,
    spec: EngineSpec,
    settings: HostSettings,
    pub watchdog: WatchdogHandle,
    engine_log: Arc<EngineLog>,
    running: Option<Running>,
    listener: Option<Arc<dyn Listener>>,
    idle_policy: IdlePolicy,
    cpu_sharing: CpuSharing,
    sampler: Sampler,
    /// Where the time of the last question went, if it ran out.
    cpu_stats: Option<CpuStats>,
    /// What the clock of the last question is to be corrected by.
    correction: Correction,
    /// The most threads that the record of the game says were at work, in tenths.
    most_at_work: u64,
    /// Made at the first start that may leave processes behind.
    reaper: Option<Arc<Reaper>>,
    /// What the process was started by; it dies with that.
    zygote: Option<Arc<Zygote>>,
    reused_parts: ReusedParts,
    /// Whether a process of it has been ready before.
    has_started: bool,
    spoken: SpokenSoFar,
}

pub(crate) type TextProcess = EngineProcess<TextProtocol>;

/// The time in which an engine is made ready for a game.
pub(crate) struct ReadySpan {
    base: Option<Arc<BaseSample>>,
    began: Instant,
}

/// A process that has not failed yet.
struct Running {
    pipes: Pipes,
    starter: ThreadId,
    number: u32,
    scratch: Option<Arc<ScratchDir>>,
    /// Of a program that was started at once, what it is ready with, or why it must not run.
    admitted: Option<Result<Ready, String>>,
}

impl<P: Protocol> EngineProcess<P> {
    pub(crate) fn new(spec: EngineSpec, settings: HostSettings, protocol: P) -> EngineProcess<P> {
        let watchdog = settings.interrupt.watch();
        let idle_policy = match P::RUNS_PROGRAM {
            true => IdlePolicy::of_text(settings.ponder),
            false => IdlePolicy::new(settings.ponder),
        };
        let cpu_sharing = CpuSharing::new(settings.shares_cpu(&spec));
        let engine_log = EngineLog::tapped(settings.tap.clone());
        let engine_log = Arc::new(match spec.kind {
            EngineKind::Native => engine_log.with_symbols(&settings.program, &spec.path),
            _ => engine_log,
        });
        let sampler = Sampler::new(spec.threads);
        EngineProcess {
            protocol,
            spec,
            settings,
            watchdog,
            engine_log,
            running: None,
            listener: None,
            idle_policy,
            cpu_sharing,
            sampler,
            cpu_stats: None,
            correction: Correction::default(),
            most_at_work: 0,
            reaper: None,
            zygote: None,
            reused_parts: ReusedParts::default(),
            has_started: false,
            spoken: SpokenSoFar::default(),
        }
    }

    pub(crate) fn spec(&self) -> &EngineSpec {
        &self.spec
    }

    pub(crate) fn settings(&self) -> &HostSettings {
        &self.settings
    }

    /// Whether it gets a new process for each game.
    pub(crate) fn restart(&self) -> RestartPolicy {
        self.settings.restart_of(&self.spec)
    }

    /// What the engine printed and logged.
    pub(crate) fn engine_log(&self) -> &EngineLog {
        &self.engine_log
    }

    pub(crate) fn scratch(&self) -> Option<&str> {
        self.running.as_ref()?.scratch.as_ref()?.path().to_str()
    }

    /// Sends the engine's messages to the listener from now on, and the lines that have gone
    /// nowhere yet.
    pub(crate) fn set_listener(&mut self, listener: Option<&Arc<dyn Listener>>) {
        if listener.is_some() || self.listener.is_some() {
            self.listener = listener.cloned();
            self.engine_log.set_listener(listener);
        }
    }

    /// Where the time of the last question went, if it ran out and that is known.
    pub(crate) fn cpu_stats(&self) -> Option<CpuStats> {
        self.cpu_stats
    }

    /// What the clock of the last question is to be corrected by.
    pub(crate) fn correction(&self) -> Correction {
        self.correction
    }

    /// A question is about to be sent, and given up after `patience`: reads the scheduler's account
    /// now and then.
    pub(crate) fn start_sample(&mut self, patience: Option<Duration>) {
        self.cpu_stats = None;
        self.correction = Correction::default();
        let (watchdog, is_new) = (&self.watchdog, self.running.is_none());
        // A process that is about to be started has run for no time at all.
        let stats = || {
            if is_new {
                Some(SchedStats::default())
            } else {
                watchdog.read(Supervisor::sched_stats)
            }
        };
        if let Some(base) = self.sampler.start(patience, || CpuSample::with(stats())) {
            self.watchdog.set_base(Some(base));
        }
    }

    /// The question was answered, but too late. Gives where its time went, if that is known.
    pub(crate) fn sample_late(&mut self) -> Option<CpuStats> {
        let sample = CpuSample::with(self.watchdog.read(Supervisor::sched_stats_of_all));
        self.cpu_stats = self.sampler.finish(sample, Instant::now());
        self.cpu_stats
    }

    /// The question was answered after so long. Gives back what the engine was kept waiting, where
    /// the answer took long enough that this is worth a look.
    pub(crate) fn correct_answer(&mut self, spent: Nanos, patience: Option<Nanos>) {
        let watchdog = &self.watchdog;
        let look = |is_thorough| match is_thorough {
            true => watchdog.read(Supervisor::sched_stats_of_all),
            false => watchdog.read(Supervisor::sched_stats),
        };
        let seen_waiting = watchdog.seen_waiting();
        (self.correction.given_back, self.cpu_stats) =
            self.sampler.answered(spent, patience, seen_waiting, look);
    }

    /// The engine is about to be made ready for a game, in a new process or in this one.
    pub(crate) fn begin_ready(&mut self) -> ReadySpan {
        self.start_sample(Some(self.settings.startup));
        ReadySpan { base: self.sampler.base(), began: Instant::now() }
    }

    /// It is ready. What it was kept waiting meanwhile is given back, where that took long enough
    /// to be worth a look.
    pub(crate) fn end_ready(&mut self, span: ReadySpan) {
        let ReadySpan { base, began } = span;
        if began.elapsed() >= sampler::WORTH_A_LOOK {
            let stats = self.watchdog.read(Supervisor::sched_stats_of_all);
            let stats = base.and_then(|base| base.until_now(stats, began));
            self.correction.given_back = sampler::given_back(stats);
        }
    }

    /// The question was answered. Gives how many threads worked on it, if that is known.
    pub(crate) fn working_threads(&mut self) -> Option<usize> {
        let sample = CpuSample::with(self.watchdog.read(Supervisor::sched_stats));
        self.sampler.working(sample, Instant::now())
    }

    /// Whether a process runs that may play for this thread. A process that another thread started
    /// would die with that thread, unless such threads stay.
    pub(crate) fn is_running_here(&self) -> bool {
        let here = thread::current().id();
        let is_ours = |running: &Running| self.settings.threads_stay || running.starter == here;
        self.running.as_ref().is_some_and(is_ours)
    }

    /// Lets a process work again that was paused after its last answer. It is about to be given
    /// `patience` to answer; gives whether some of that has gone by, because it had still
    /// something to finish.
    pub(crate) fn resume(&mut self, patience: Option<Duration>) -> bool {
        let is_charged = self.idle_policy.before_question(&self.watchdog, patience);
        self.correction.unasked += self.idle_policy.take_unasked();
        is_charged
    }

    pub(crate) fn new_game(&mut self) {
        self.engine_log.new_game();
        self.most_at_work = 0;
    }

    /// That more threads worked on the last question than the engine may have, as a line for the
    /// record; none where it has that already of as many.
    pub(crate) fn take_threads_at_work(&mut self) -> Option<String> {
        let at_work = self.idle_policy.take_threads_at_work()?;
        let allowed = u64::from(self.spec.threads.unwrap_or(1).max(1));
        // Half a thread is left for what an answer takes beside its search.
        if at_work <= 10 * allowed + 5 || at_work < self.most_at_work + 10 {
            return None;
        }
        self.most_at_work = at_work;
        let (whole, tenth) = (at_work / 10, at_work % 10);
        Some(format!("{AT_WORK}{whole}.{tenth} threads, of {allowed} allowed"))
    }

    /// That the engine has computed though it was paused, if it has: it is not asked any more then.
    pub(crate) fn take_unasked(&mut self) -> Option<Fault> {
        if !self.watchdog.is_unasked() {
            return None;
        }
        let loss = self.lose(ExchangeError::Gone);
        Some(self.fault(loss, "wait for its next question"))
    }

    /// Sends what the protocol has to send. The answer is too late after `patience`.
    pub(crate) fn send(&mut self, patience: Option<Duration>) -> Result<(), EngineLoss> {
        self.resume(patience);
        self.cpu_sharing.bind(&self.watchdog);
        let now = Instant::now();
        self.cpu_sharing.start_question(now);
        // Before the write, which waits where an engine does not read.
        self.watchdog.arm_question(now, patience);
        self.flush().map_err(|error| self.lose(error))
    }

    fn flush(&mut self) -> Result<(), ExchangeError> {
        let Running { pipes, .. } = self.running.as_mut().ok_or(ExchangeError::Gone)?;
        pipes.write(self.protocol.output())?;
        if P::RUNS_PROGRAM {
            self.spoken.sent(self.protocol.output());
        }
        self.protocol.output_written();
        Ok(())
    }

    /// Waits for an event. Gives it with the moment when its last byte was read; the question was
    /// asked at `asked_at`.
    pub(crate) fn wait_for_event(
        &mut self,
        now: impl Fn() -> Nanos,
        asked_at: Nanos,
    ) -> Result<(P::Event, Nanos), EngineLoss> {
        match self.read_event(now, asked_at) {
            Ok((event, at)) => {
                self.cpu_sharing.end_question();
                self.idle_policy.answered(&self.watchdog, at.saturating_sub(asked_at));
                Ok((event, at))
            }
            Err(error) => Err(self.lose(error)),
        }
    }

    fn read_event(
        &mut self,
        now: impl Fn() -> Nanos,
        asked_at: Nanos,
    ) -> Result<(P::Event, Nanos), ExchangeError> {
        let (mut read_at, mut messages) = (None, 0);
        loop {
            let event = self.next_event_or_silence()?;
            messages += self.protocol.take_message_bytes();
            if messages > MAX_MESSAGES
                && messages > MAX_MESSAGES * (1 + now().saturating_sub(asked_at) / SECOND)
            {
                return Err(ExchangeError::Flood);
            }
            if let Some(event) = event {
                let at = read_at.unwrap_or_else(&now);
                // Where the deadline has fired by now, the process is dead already.
                return if self.watchdog.disarm() {
                    Err(ExchangeError::Late)
                } else {
                    Ok((event, at))
                };
            }
            self.read()?;
            read_at = Some(now());
        }
    }

    /// The next event among the bytes that have been read. What the protocol replies to the lines
    /// before it is sent at once.
    fn next_event(&mut self) -> Result<Option<P::Event>, ExchangeError> {
        let Running { pipes, .. } = self.running.as_mut().ok_or(ExchangeError::Gone)?;
        let target = MessageTarget { log: &self.engine_log, listener: self.listener.as_ref() };
        let unsent = self.protocol.output().len();
        let event = self.protocol.next_event(&target)?;
        if self.protocol.output().len() > unsent {
            pipes.write(self.protocol.output())?;
            self.protocol.output_written();
        }
        Ok(event)
    }

    /// Waits for bytes and reads them.
    fn read(&mut self) -> Result<(), ExchangeError> {
        let Running { pipes, .. } = self.running.as_mut().ok_or(ExchangeError::Gone)?;
        if P::RUNS_PROGRAM && !pipes.wait_until_readable(self.watchdog.slot()) {
            return Err(ExchangeError::Gone);
        }
        match pipes.read(self.protocol.read_buffer()) {
            0 => Err(ExchangeError::Gone),
            count => {
                self.spoken.is_heard = true;
                self.protocol.received(count);
                Ok(())
            }
        }
    }

    /// Kills the process and says why it was lost.
    fn lose(&mut self, error: ExchangeError) -> EngineLoss {
        self.protocol.lost(&self.engine_log);
        self.running = None;
        let loss = error.kill_and_reap(
            &self.spec.path,
            &self.watchdog,
            &self.engine_log,
            &self.sampler,
            &mut self.cpu_stats,
        );
        self.correction.given_back = sampler::given_back(self.cpu_stats);
        loss
    }

    /// What a loss means for an engine that had to take this step within its start time.
    pub(crate) fn fault(&self, loss: EngineLoss, step: &str) -> Fault {
        match loss {
            EngineLoss::Late => {
                let detail = format!("did not {step} within {:?}", self.settings.startup);
                let detail = self.engine_log.with_last_words(detail);
                Fault { failure: Failure::Stall, detail }
            }
            EngineLoss::Interrupted => interrupted(),
            EngineLoss::Fault(fault) => fault,
            EngineLoss::Refused(detail) => Fault { failure: Failure::ProtocolError, detail },
        }
    }

    pub(crate) fn kill(&mut self) {
        self.watchdog.disarm();
        self.running = None;
        engine_loss::kill_and_reap(&self.watchdog);
    }

    /// Ends the process, if there is one. A program is first told to end. Gives whether it then
    /// ended by itself.
    pub(crate) fn stop(&mut self) -> bool {
        self.stop_within(EXIT_TIME)
    }

    /// The same, for a program that has so long to end.
    pub(crate) fn stop_within(&mut self, patience: Duration) -> bool {
        self.protocol.stop();
        let mut has_ended = true;
        if P::RUNS_PROGRAM && self.running.is_some() {
            self.resume(Some(EXIT_TIME));
            // One that reads nothing must not block the write for longer.
            self.watchdog.arm(Some(patience));
            let is_sent = self.flush().is_ok();
            has_ended = !self.watchdog.disarm() && is_sent && self.wait_for_exit(patience);
        }
        self.kill();
        has_ended
    }

    /// Waits for the end of a program that was told to end. Its pipes stay open meanwhile.
    fn wait_for_exit(&mut self, patience: Duration) -> bool {
        let target = self.watchdog.replace(StopTarget::Nothing);
        let StopTarget::Child(mut supervisor) = target else { return false };
        let has_ended = !self.watchdog.is_interrupted() && supervisor.wait_for_exit(patience);
        supervisor.kill_and_reap();
        has_ended
    }
}

impl EngineProcess<FrameProtocol> {
    /// Waits for the answer to a request, and gives what `read` makes of it with the moment when
    /// its last byte was read.
    pub(crate) fn receive<T>(
        &mut self,
        now: impl Fn() -> Nanos,
        asked_at: Nanos,
        read: impl FnOnce(Payload<'_>) -> Result<T, Truncated>,
    ) -> Result<(T, Nanos), EngineLoss> {
        let ((), at) = self.wait_for_event(now, asked_at)?;
        match read(self.protocol.answer()) {
            Ok(answer) => Ok((answer, at)),
            Err(error) => Err(self.lose(ProtocolError::from(error).into())),
        }
    }
}

impl<P: Protocol> Drop for EngineProcess<P> {
    fn drop(&mut self) {
        self.stop();
    }
}
