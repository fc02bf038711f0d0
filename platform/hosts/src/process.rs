//! The process of one engine, from its start until it is reaped: its deadlines, pauses, CPU time,
//! limits and end, whatever protocol it speaks.

mod contention;
mod engine_loss;
mod environment;
mod host_args;
pub(crate) mod idle_policy;
mod measured;
mod pipes;
mod retry;
mod sampler;
mod text;
mod text_game;

use std::io;
use std::process::{Command, Stdio};
use std::sync::{Arc, Once};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use tengen_arbiter::{CpuStats, Failure, Nanos};
use tengen_packages::{EngineKind, EngineSpec, InspectError, inspect};
use tengen_players::{Fault, Listener};

use crate::engine_log::EngineLog;
use crate::host::HostArgs;
use crate::host::wasm::DEFAULT_MEMORY_MIB;
use crate::platform::{EnvTag, Group, HOST_COMMAND, Reaper, SchedStats};
use crate::protocol::wire::{Payload, Truncated, answer};
use crate::protocol::{
    FrameProtocol, MessageTarget, Protocol, ProtocolError, Ready, TextProtocol, read_ready,
    read_sandbox, read_started, receive_message,
};
use crate::sandbox::{MOUNT_NS, PID_NS, SECCOMP};
use crate::watchdog::placement::{CpuSharing, ThreadPlacement, with_placement};
use crate::watchdog::{ResourceLimits, ScratchDir, StopTarget, Supervisor, WatchdogHandle};
use crate::{HostError, HostSettings, platform};
use engine_loss::ExchangeError;
pub(crate) use engine_loss::{EngineLoss, interrupted};
use host_args::host_args;
use idle_policy::IdlePolicy;
use pipes::Pipes;
use retry::retry;
use sampler::{CpuSample, Sampler};
pub(crate) use text_game::unexpected;

/// How many bytes of messages an engine may send unasked while it starts, and for each second that
/// it thinks.
const MAX_MESSAGES: u64 = 1 << 20;
const SECOND: Nanos = 1_000_000_000;
/// The memory in which a module must be compiled.
const COMPILER_MIB: u32 = 1024;
/// How long a program may take to end when it is told to: nothing that it writes then is kept.
const EXIT_TIME: Duration = Duration::from_millis(250);

/// The process of an engine and what is exchanged with it.
pub(crate) struct EngineProcess<P: Protocol> {
    pub protocol: P,
    spec: EngineSpec,
    settings: HostSettings,
    watchdog: WatchdogHandle,
    engine_log: Arc<EngineLog>,
    running: Option<Running>,
    listener: Option<Arc<dyn Listener>>,
    idle_policy: IdlePolicy,
    cpu_sharing: CpuSharing,
    sampler: Sampler,
    /// Where the time of the last question went, if it ran out.
    cpu_stats: Option<CpuStats>,
    /// There from the first start on that may leave processes behind.
    reaper: Option<Arc<Reaper>>,
}

pub(crate) type TextProcess = EngineProcess<TextProtocol>;

/// Keeps engines from the memory of this process, from the first of them on.
fn hide_memory() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        if let Err(reason) = platform::hide_memory() {
            log::debug!("other processes of this user may reach this one's memory: {reason}");
        }
    });
}

/// A process that has not failed yet.
struct Running {
    pipes: Pipes,
    starter: ThreadId,
    /// Its scratch folder.
    scratch: Option<String>,
}

impl<P: Protocol> EngineProcess<P> {
    pub(crate) fn new(spec: EngineSpec, settings: HostSettings, protocol: P) -> EngineProcess<P> {
        let watchdog = settings.interrupt.watch();
        let idle_policy = match P::RUNS_PROGRAM {
            true => IdlePolicy::of_text(settings.ponder),
            false => IdlePolicy::new(settings.ponder),
        };
        let cpu_sharing = CpuSharing::new(settings.shares_cpu(&spec));
        let engine_log = Arc::new(EngineLog::tapped(settings.tap.clone()));
        let sampler = Sampler::new();
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
            reaper: None,
        }
    }

    pub(crate) fn spec(&self) -> &EngineSpec {
        &self.spec
    }

    pub(crate) fn settings(&self) -> &HostSettings {
        &self.settings
    }

    /// What the engine printed and logged.
    pub(crate) fn engine_log(&self) -> &EngineLog {
        &self.engine_log
    }

    /// The scratch folder of the process.
    pub(crate) fn scratch(&self) -> Option<&str> {
        self.running.as_ref()?.scratch.as_deref()
    }

    /// Sends the engine's messages to the listener from now on, and the lines that nobody got yet.
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

    /// A question is about to be sent, and given up after `patience`: reads the scheduler's account
    /// now and then.
    pub(crate) fn start_sample(&mut self, patience: Option<Duration>) {
        self.cpu_stats = None;
        let (watchdog, is_new) = (&self.watchdog, self.running.is_none());
        // A process that is about to be started has run for no time at all.
        let stats = || if is_new { Some(SchedStats::default()) } else { watchdog.sched_stats() };
        self.sampler.start(patience, || CpuSample::with(stats()));
    }

    /// The question was answered, but too late. Gives where its time went, if that is known.
    pub(crate) fn sample_late(&mut self) -> Option<CpuStats> {
        let sample = CpuSample::with(self.watchdog.sched_stats());
        self.cpu_stats = self.sampler.finish(sample, Instant::now());
        self.cpu_stats
    }

    /// Whether a process runs that this thread started. One that another thread started would die
    /// with that thread.
    pub(crate) fn is_running_here(&self) -> bool {
        self.running.as_ref().is_some_and(|running| running.starter == thread::current().id())
    }

    /// Starts a process, in place of the one before. Waits until the engine is ready, or until the
    /// process is about to become the engine's program.
    pub(crate) fn start(&mut self) -> Result<Ready, HostError> {
        self.stop();
        self.engine_log.clear();
        self.sampler.reset();
        let startup = self.settings.startup;
        self.start_sample(Some(startup));
        self.protocol.restart();
        if P::RUNS_PROGRAM {
            // While this process is the only one in its own.
            platform::find_groups();
            self.start_reaper();
        }
        let interrupt = self.settings.interrupt.clone();
        let spawn = || self.spawn().inspect_err(|_| self.kill());
        retry(startup, &interrupt, spawn).map_err(|source| HostError::Start {
            program: self.settings.program.clone(),
            source,
        })?;
        self.watchdog.arm(Some(startup));
        let ready = match self.read_ready() {
            Ok(ready) => ready,
            Err(error) => return Err(self.start_error(error)),
        };
        if ready.holds(MOUNT_NS) {
            self.watchdog.set_in_memory();
        }
        if ready.holds(SECCOMP) {
            self.watchdog.set_confined(!P::RUNS_PROGRAM);
        } else if self.spec.kind == EngineKind::Native && !ready.holds(PID_NS) {
            self.start_reaper();
        }
        if !P::RUNS_PROGRAM {
            self.idle_policy.answered(&self.watchdog, 0);
        }
        Ok(ready)
    }

    fn start_error(&mut self, error: ExchangeError) -> HostError {
        let engine = self.spec.id.clone();
        match self.lose(error) {
            EngineLoss::Refused(reason) => HostError::Refused { engine, reason },
            EngineLoss::Interrupted => HostError::Interrupted { engine },
            loss => {
                let step = if P::RUNS_PROGRAM { "start" } else { "load and describe itself" };
                HostError::Failed { engine, fault: self.fault(loss, step) }
            }
        }
    }

    /// Where nothing keeps an engine from starting processes, something must end those processes
    /// if this one is killed.
    fn start_reaper(&mut self) {
        if self.reaper.is_none() {
            self.reaper = Reaper::share(&self.settings.program);
        }
    }

    fn spawn(&mut self) -> io::Result<()> {
        let (spec, settings) = (&self.spec, &self.settings);
        let folder_mib = settings.folder_mib_of(spec.kind);
        let scratch = folder_mib.map(|_| ScratchDir::new()).transpose()?;
        // The memory of a module is counted within, where it grows; here, what its compiler takes.
        let memory_mib = match spec.kind {
            EngineKind::Wasm => {
                Some(spec.memory_mib.unwrap_or(DEFAULT_MEMORY_MIB).saturating_add(COMPILER_MIB))
            }
            _ => spec.memory_mib,
        };
        let limits = ResourceLimits { memory_mib, folder_mib };
        let (group, missing) = platform::make_group(limits.of_group());
        let mut command = Command::new(&settings.program);
        command.arg(HOST_COMMAND);
        // Other engines have no way to a file.
        let opens_files = spec.kind == EngineKind::Native || spec.kind.is_text();
        let report = opens_files.then(|| self.engine_log.denials().begin()).flatten();
        let args = host_args(spec, settings, scratch.as_ref().map(ScratchDir::path));
        let groups = group.iter().flat_map(Group::places).collect();
        let missing = missing.into_iter().map(|(layer, why)| (layer.to_owned(), why)).collect();
        HostArgs { report, groups, missing, ..args }.write(&mut command);
        environment::set(&mut command, scratch.as_ref().map(ScratchDir::path));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        platform::give_group(&mut command);
        // A process inherits its parent's CPUs, and what it does first takes long.
        with_placement(ThreadPlacement::release);
        hide_memory();
        let env_tag = EnvTag::set(&mut command);
        let mut child = command.spawn()?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let folder = scratch.as_ref().and_then(|scratch| scratch.path().to_str());
        let folder = folder.map(str::to_owned);
        let input = pipes.0.as_ref().filter(|_| P::RUNS_PROGRAM).and_then(platform::inode);
        let supervisor =
            Supervisor::new(child, limits, scratch).with_tag(env_tag).with_input(input);
        let supervisor = supervisor.with_group(group);
        self.watchdog.replace(StopTarget::Child(Box::new(supervisor)));
        self.idle_policy.reset();
        let (Some(input), Some(output), Some(errors)) = pipes else {
            return Err(io::Error::other("a pipe of the process is missing"));
        };
        self.engine_log.read_stderr(errors, Arc::clone(self.watchdog.slot()))?;
        if let Some(move_now) = settings.move_now.as_ref().filter(|_| !P::RUNS_PROGRAM) {
            move_now.attach(platform::duplicate(&input)?);
        }
        let pipes = Pipes::new(input, output);
        self.running = Some(Running { pipes, starter: thread::current().id(), scratch: folder });
        Ok(())
    }

    /// Waits for the frame that says what holds the engine.
    fn read_ready(&mut self) -> Result<Ready, ExchangeError> {
        let Running { pipes, .. } = self.running.as_mut().ok_or(ExchangeError::Gone)?;
        let target = MessageTarget { log: &self.engine_log, listener: self.listener.as_ref() };
        // No engine can have sent this one.
        let (kind, payload) = pipes.read_frame()?;
        if kind != answer::STARTED {
            receive_message(kind, &payload, answer::STARTED, &target)?;
            return Err(ExchangeError::Gone);
        }
        let inside = read_started(Payload(&payload)).map_err(ProtocolError::from)?;
        if !self.watchdog.adopt(inside) {
            return Err(ExchangeError::Gone);
        }
        let (mut messages, mut sandbox) = (0, None);
        loop {
            let (kind, payload) = pipes.read_frame()?;
            if kind == answer::SANDBOX && sandbox.is_none() {
                sandbox = Some(read_sandbox(Payload(&payload)).map_err(ProtocolError::from)?);
                continue;
            }
            if kind == answer::READY
                && let Some(sandbox) = sandbox.take()
            {
                let is_late = self.watchdog.disarm();
                let ready = read_ready(Payload(&payload), sandbox).map_err(ProtocolError::from)?;
                return if is_late { Err(ExchangeError::Late) } else { Ok(ready) };
            }
            receive_message(kind, &payload, answer::READY, &target)?;
            messages += payload.len() as u64;
            if messages > MAX_MESSAGES {
                return Err(ExchangeError::Flood);
            }
        }
    }

    /// Lets a process work again that was paused after its last answer. It is about to be given
    /// `patience` to answer; gives whether some of that has gone by, because it had still
    /// something to finish.
    pub(crate) fn resume(&mut self, patience: Option<Duration>) -> bool {
        self.idle_policy.before_question(&self.watchdog, patience)
    }

    /// Sends what the protocol has to send. The answer is too late after `patience`.
    pub(crate) fn send(&mut self, patience: Option<Duration>) -> Result<(), EngineLoss> {
        self.resume(patience);
        self.cpu_sharing.start_question(&self.watchdog);
        // Before the write, which waits where an engine does not read.
        self.watchdog.arm(patience);
        self.flush().map_err(|error| self.lose(error))
    }

    fn flush(&mut self) -> Result<(), ExchangeError> {
        let Running { pipes, .. } = self.running.as_mut().ok_or(ExchangeError::Gone)?;
        pipes.write(self.protocol.output())?;
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
            let event = self.next_event()?;
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
                self.protocol.received(count);
                Ok(())
            }
        }
    }

    /// Kills the process and says why it was lost.
    fn lose(&mut self, error: ExchangeError) -> EngineLoss {
        self.protocol.lost(&self.engine_log);
        self.running = None;
        error.kill_and_reap(&self.watchdog, &self.engine_log, &self.sampler, &mut self.cpu_stats)
    }

    /// What a loss means for an engine that was to take this step in the time for starting.
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

    /// Kills the process, if there is one.
    pub(crate) fn kill(&mut self) {
        self.watchdog.disarm();
        self.running = None;
        engine_loss::kill_and_reap(&self.watchdog);
    }

    /// Ends the process, if there is one. A program is told to end first. Gives whether it did by
    /// itself.
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
    /// Reads the symbols of the engine's file, which runs nothing of it, and only then starts it.
    pub(crate) fn inspect_and_start(&mut self) -> Result<Ready, HostError> {
        match inspect(&self.spec.path, self.spec.kind) {
            Ok(_) | Err(InspectError::Builtin) => self.start(),
            Err(error) => {
                let (engine, reason) = (self.spec.id.clone(), error.to_string());
                Err(HostError::Refused { engine, reason })
            }
        }
    }

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
