mod contention;
pub(crate) mod engine_loss;
pub(crate) mod idle_policy;
mod ready;
mod retry;
pub(crate) mod sampler;

use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::process::{ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use tengen_arbiter::{CpuStats, Failure, Nanos};
use tengen_players::{Fault, Listener};

use crate::child::{HOST_COMMAND, HostArgs};
use crate::engine_log::EngineLog;
use crate::placement::{CpuSharing, ThreadPlacement, with_placement};
use crate::platform::{EnvTag, Reaper};
use crate::sandbox::SECCOMP;
use crate::scratch::ScratchDir;
use crate::translate::LatestInfo;
use crate::wasm::DEFAULT_MEMORY_MIB;
use crate::watchdog::{ResourceLimits, StopTarget, Supervisor, WatchdogHandle};
use crate::wire::{FrameReader, Payload, Truncated, answer};
use crate::{HostError, HostSettings, platform, translate};
pub(crate) use engine_loss::{EngineLoss, ExchangeError};
use idle_policy::IdlePolicy;
use ready::read_fault;
pub(crate) use ready::{Ready, read_ready};
pub(crate) use retry::retry;
use sampler::{CpuSample, Sampler};
use tengen_packages::{EngineKind, EngineSpec};

/// How many bytes of messages an engine may send unasked while it starts, and for each second
/// that it thinks.
const MESSAGES: u64 = 1 << 20;
const SECOND: Nanos = 1_000_000_000;
/// The memory in which a module must be compiled.
const COMPILER_MIB: u32 = 1024;
/// Of a hash, the upper 24 bits are a tag.
const TAG_SHIFT: u32 = 40;

/// A child that hosts one engine, from its start until it is reaped.
pub(crate) struct EngineProcess {
    watchdog: WatchdogHandle,
    engine_log: Arc<EngineLog>,
    running: Option<Running>,
    latest: LatestInfo,
    listener: Option<Arc<dyn Listener>>,
    idle_policy: IdlePolicy,
    cpu_sharing: CpuSharing,
    tags: RandomState,
    /// The tag of the request whose answer is due.
    tag: u32,
    sampler: Sampler,
    /// Where the time of the last question went, if it ran out.
    cpu_stats: Option<CpuStats>,
    /// There from the first engine on that nothing keeps from starting processes.
    reaper: Option<Arc<Reaper>>,
}

/// The pipes of a child that has not failed yet.
struct Running {
    requests: ChildStdin,
    answers: ChildStdout,
    reader: FrameReader,
    starter: ThreadId,
}

impl From<Truncated> for ExchangeError {
    fn from(_: Truncated) -> ExchangeError {
        sent("an answer that ends early")
    }
}

impl EngineProcess {
    pub(crate) fn new(settings: &HostSettings) -> EngineProcess {
        let watchdog = settings.interrupt.watch();
        let idle_policy = IdlePolicy::new(settings.ponder);
        let (engine_log, tags, sampler) =
            (Arc::new(EngineLog::new()), RandomState::new(), Sampler::new());
        EngineProcess {
            watchdog,
            engine_log,
            running: None,
            latest: LatestInfo::default(),
            listener: None,
            idle_policy,
            cpu_sharing: CpuSharing::new(false),
            tags,
            tag: 0,
            sampler,
            cpu_stats: None,
            reaper: None,
        }
    }

    /// What the engine printed and logged.
    pub(crate) fn engine_log(&self) -> &EngineLog {
        &self.engine_log
    }

    /// Lets somebody hear what the engine says from now on, and the words that nobody heard.
    pub(crate) fn set_listener(&mut self, listener: Option<&Arc<dyn Listener>>) {
        if listener.is_some() || self.listener.is_some() {
            self.listener = listener.cloned();
            self.engine_log.set_listener(listener);
        }
    }

    /// What was said of the search since it was taken.
    pub(crate) fn take_latest(&mut self) -> LatestInfo {
        std::mem::take(&mut self.latest)
    }

    /// Where the time of the last question went, if it ran out and that is known.
    pub(crate) fn cpu_stats(&self) -> Option<CpuStats> {
        self.cpu_stats
    }

    /// A question is about to be put, and given up after `patience`: looks at the scheduler's
    /// account, now and then.
    pub(crate) fn start_sample(&mut self, patience: Option<Duration>) {
        self.cpu_stats = None;
        let (sampler, watchdog) = (&mut self.sampler, &self.watchdog);
        let is_new = self.running.is_none();
        sampler.start(patience, || {
            // A child that is about to be started has run for no time at all.
            CpuSample::with(if is_new {
                Some(platform::SchedStats::default())
            } else {
                watchdog.sched_stats()
            })
        });
    }

    /// The question was answered, but too late.
    pub(crate) fn sample_late(&mut self) {
        self.cpu_stats =
            self.sampler.finish(CpuSample::with(self.watchdog.sched_stats()), Instant::now());
    }

    /// Whether a child runs that this thread started. One that another thread started would die
    /// with that thread.
    pub(crate) fn is_running_here(&self) -> bool {
        self.running.as_ref().is_some_and(|running| running.starter == thread::current().id())
    }

    /// Starts a child, in place of the one before, and waits until its engine is ready.
    pub(crate) fn start(
        &mut self,
        spec: &EngineSpec,
        settings: &HostSettings,
    ) -> Result<Ready, HostError> {
        self.stop();
        self.engine_log.clear();
        self.sampler.reset();
        self.start_sample(Some(settings.startup));
        let spawn = || {
            let spawned = self.spawn(spec, settings);
            if spawned.is_err() {
                self.kill_and_reap();
            }
            spawned
        };
        retry(settings.startup, &settings.interrupt, spawn)
            .map_err(|source| HostError::Start { program: settings.program.clone(), source })?;
        self.arm(Some(settings.startup));
        let engine = || spec.id.clone();
        let ready = self.receive(answer::READY, || 0, 0, read_ready);
        if let Ok((ready, _)) = &ready {
            if ready.holds(SECCOMP) {
                self.watchdog.set_alone();
            } else if self.reaper.is_none() && spec.kind == EngineKind::Native {
                self.reaper = Reaper::share(&settings.program);
            }
        }
        ready.map(|(ready, _)| ready).map_err(|loss| match loss {
            EngineLoss::Refused(reason) => HostError::Refused { engine: engine(), reason },
            EngineLoss::Interrupted => HostError::Interrupted { engine: engine() },
            EngineLoss::Fault(fault) => HostError::Failed { engine: engine(), fault },
            EngineLoss::Late => HostError::Failed {
                engine: engine(),
                fault: self.stall("load and describe itself", settings.startup),
            },
        })
    }

    /// The fault of an engine that did not do something in the time for starting.
    pub(crate) fn stall(&self, what: &str, startup: Duration) -> Fault {
        let detail = format!("did not {what} within {startup:?}");
        Fault { failure: Failure::Stall, detail: self.engine_log.with_last_words(detail) }
    }

    fn spawn(&mut self, spec: &EngineSpec, settings: &HostSettings) -> io::Result<()> {
        let folder_mib = settings.folder_mib_of(spec.kind);
        let scratch = folder_mib.map(|_| ScratchDir::new()).transpose()?;
        let mut command = Command::new(&settings.program);
        command.arg(HOST_COMMAND);
        // No other has a way to a file.
        let report =
            (spec.kind == EngineKind::Native).then(|| self.engine_log.denials().begin()).flatten();
        let args = HostArgs::of(spec, settings, scratch.as_ref().map(ScratchDir::path));
        args.reporting_to(report).write(&mut command);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        platform::give_group(&mut command);
        // A process is bound to what its parent is, and what it does first takes long.
        with_placement(ThreadPlacement::release);
        let env_tag = EnvTag::set(&mut command);
        let mut child = command.spawn()?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        // The memory of a module is counted within, where it grows; here, what its compiler takes.
        let memory_mib = match spec.kind {
            EngineKind::Wasm => {
                Some(spec.memory_mib.unwrap_or(DEFAULT_MEMORY_MIB).saturating_add(COMPILER_MIB))
            }
            _ => spec.memory_mib,
        };
        let limits = ResourceLimits { memory_mib, folder_mib };
        let supervisor = Supervisor::new(child, limits, scratch).with_tag(env_tag);
        self.watchdog.replace(StopTarget::Child(Box::new(supervisor)));
        self.idle_policy.reset();
        self.cpu_sharing = CpuSharing::new(settings.shares_cpu(spec));
        self.tag = 0;
        let (Some(requests), Some(answers), Some(errors)) = pipes else {
            return Err(io::Error::other("a pipe of the child is missing"));
        };
        self.engine_log.read_stderr(errors, Arc::clone(self.watchdog.slot()))?;
        if let Some(move_now) = &settings.move_now {
            move_now.attach(platform::duplicate(&requests)?);
        }
        let (reader, starter) = (FrameReader::new(), thread::current().id());
        self.running = Some(Running { requests, answers, reader, starter });
        Ok(())
    }

    /// Lets a child work again that was stopped after its last answer.
    pub(crate) fn rouse(&mut self) {
        self.idle_policy.before_question(&self.watchdog, None);
    }

    /// Writes whole frames to the child, which may work from then on.
    pub(crate) fn send(&mut self, frames: &[u8]) -> Result<(), EngineLoss> {
        self.rouse();
        self.cpu_sharing.start_question(&self.watchdog);
        let Some(running) = &mut self.running else { return Err(self.lose(ExchangeError::Gone)) };
        match running.requests.write_all(frames) {
            Ok(()) => Ok(()),
            Err(_) => Err(self.lose(ExchangeError::Gone)),
        }
    }

    /// A tag for the next request, which nobody can have foreseen.
    pub(crate) fn renew_tag(&mut self) -> u32 {
        self.tag = (self.tags.hash_one(self.tag) >> TAG_SHIFT) as u32;
        self.tag
    }

    /// Sets the deadline of the answer that is waited for next.
    pub(crate) fn arm(&self, patience: Option<Duration>) {
        self.watchdog.arm(patience);
    }

    /// Waits for an answer of the kind `wanted`, and gives what `read` makes of it with the moment
    /// when its last byte had been read. The question was asked at `asked_at`.
    pub(crate) fn receive<T>(
        &mut self,
        wanted: u32,
        now: impl Fn() -> Nanos,
        asked_at: Nanos,
        read: impl FnOnce(Payload<'_>) -> Result<T, Truncated>,
    ) -> Result<(T, Nanos), EngineLoss> {
        match self.listen(wanted, now, asked_at, read) {
            Ok(answer) => Ok(answer),
            Err(error) => Err(self.lose(error)),
        }
    }

    fn listen<T>(
        &mut self,
        wanted: u32,
        now: impl Fn() -> Nanos,
        asked_at: Nanos,
        read: impl FnOnce(Payload<'_>) -> Result<T, Truncated>,
    ) -> Result<(T, Nanos), ExchangeError> {
        let running = self.running.as_mut().ok_or(ExchangeError::Gone)?;
        let mut messages = 0;
        loop {
            match running.reader.fill(&mut running.answers) {
                Ok(0) | Err(_) => return Err(ExchangeError::Gone),
                Ok(_) => {}
            }
            while let Some(frame) = running
                .reader
                .frame()
                .map_err(|oversized| sent(format!("a frame of {} bytes", oversized.claimed)))?
            {
                let payload = Payload(frame.payload);
                match frame.kind {
                    kind if kind == wanted && frame.tag != self.tag => {
                        return Err(sent("an answer to a question that was not open"));
                    }
                    kind if kind == wanted => {
                        // In this order a deadline that fired is always before the stamp.
                        let is_late = self.watchdog.disarm();
                        let at = now();
                        self.cpu_sharing.end_question();
                        self.idle_policy.answered(&self.watchdog, at.saturating_sub(asked_at));
                        return if is_late {
                            Err(ExchangeError::Late)
                        } else {
                            Ok((read(payload)?, at))
                        };
                    }
                    answer::INFO => {
                        self.latest.update(frame.payload);
                        if let Some(listener) = &self.listener
                            && let Some(progress) = translate::to_progress(frame.payload)
                        {
                            listener.progress(progress);
                        }
                    }
                    answer::LOG => self.engine_log.write_line(frame.payload),
                    answer::FAULT => return Err(ExchangeError::Fault(read_fault(payload)?)),
                    answer::REFUSED => return Err(ExchangeError::Refused(payload.text())),
                    kind => {
                        let what = format!("an answer of kind {kind} where {wanted} was due");
                        return Err(sent(what));
                    }
                }
                messages += frame.payload.len() as u64;
                if messages > MESSAGES
                    && messages > MESSAGES * (1 + now().saturating_sub(asked_at) / SECOND)
                {
                    return Err(ExchangeError::Flood);
                }
            }
        }
    }

    /// Buries the child and says what it died of.
    fn lose(&mut self, error: ExchangeError) -> EngineLoss {
        self.running = None;
        error.kill_and_reap(&self.watchdog, &self.engine_log, &self.sampler, &mut self.cpu_stats)
    }

    /// Ends the child, if there is one.
    pub(crate) fn stop(&mut self) {
        self.watchdog.disarm();
        self.kill_and_reap();
    }

    fn kill_and_reap(&mut self) {
        self.running = None;
        engine_loss::kill_and_reap(&self.watchdog);
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        self.stop();
    }
}

/// What the process of a child must not have sent.
fn sent(what: impl std::fmt::Display) -> ExchangeError {
    ExchangeError::Garbage(format!("its process sent {what}"))
}
