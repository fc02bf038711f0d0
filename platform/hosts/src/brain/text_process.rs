use std::io;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use tengen_arbiter::{CpuStats, Failure, Nanos};
use tengen_gomocup::{About, LogKind, Response};
use tengen_packages::EngineSpec;
use tengen_players::{Fault, Listener};
use tengen_rules::Answer;

use super::pipes::Pipes;
use super::record_lines::RecordLines;
use super::text_protocol::TextProtocol;
use crate::child::{HOST_COMMAND, HostArgs};
use crate::engine_log::EngineLog;
use crate::placement::{CpuSharing, ThreadPlacement, with_placement};
use crate::platform::{EnvTag, Reaper, SchedStats};
use crate::process::idle_policy::IdlePolicy;
use crate::process::sampler::{CpuSample, Sampler};
use crate::process::{EngineLoss, ExchangeError, Ready, engine_loss, read_ready, retry};
use crate::sandbox::SECCOMP;
use crate::scratch::ScratchDir;
use crate::watchdog::{ResourceLimits, StopTarget, Supervisor, WatchdogHandle};
use crate::wire::{Payload, answer};
use crate::{HostError, HostSettings, platform};

/// How much is shown of a line that has no end.
const REST: usize = 200;
/// How much an engine may say beside its answer while it gets ready, and for each second that it
/// thinks.
const MESSAGES: u64 = 1 << 20;
const SECOND: Nanos = 1_000_000_000;
/// How long it may take to end when it is told to: nothing that it writes then is kept.
const GRACE: Duration = Duration::from_millis(250);
/// The least time that it has for the answer to a line which it may leave unanswered.
const LEAST: Duration = Duration::from_millis(500);

/// A text engine's process and what is said with it, from its start until it is reaped.
pub(super) struct TextProcess {
    spec: EngineSpec,
    settings: HostSettings,
    watchdog: WatchdogHandle,
    engine_log: Arc<EngineLog>,
    /// What of it the record is to have.
    pub(super) record_lines: RecordLines,
    pub(super) protocol: TextProtocol,
    about: Option<About>,
    running: Option<Running>,
    idle_policy: IdlePolicy,
    cpu_sharing: CpuSharing,
    /// How long it took to get ready for its first game.
    pub(super) took: Duration,
    sampler: Sampler,
    cpu_stats: Option<CpuStats>,
    /// Who hears what it says of its searches.
    listener: Option<Arc<dyn Listener>>,
    /// There from the first start on.
    reaper: Option<Arc<Reaper>>,
}

struct Running {
    pipes: Pipes,
    starter: ThreadId,
    /// Its private folder.
    scratch: Option<String>,
}

/// What the engine said that is no line for the log.
#[derive(Debug)]
pub(super) enum ProtocolEvent {
    Ready,
    StartAgain,
    Answer(Answer),
    /// It has said who it is, where that was waited for.
    Introduced,
}

impl TextProcess {
    pub(super) fn new(spec: EngineSpec, settings: HostSettings) -> TextProcess {
        let watchdog = settings.interrupt.watch();
        let dialect = settings.dialects.of(&spec);
        let protocol = TextProtocol::of(spec.kind, dialect, settings.strict_protocol);
        let idle_policy = IdlePolicy::of_text(settings.ponder);
        let cpu_sharing = CpuSharing::new(settings.shares_cpu(&spec));
        let (engine_log, sampler) = (Arc::new(EngineLog::new()), Sampler::new());
        TextProcess {
            spec,
            settings,
            watchdog,
            engine_log,
            record_lines: RecordLines::default(),
            protocol,
            about: None,
            running: None,
            idle_policy,
            cpu_sharing,
            took: Duration::ZERO,
            sampler,
            cpu_stats: None,
            listener: None,
            reaper: None,
        }
    }

    pub(super) fn settings(&self) -> &HostSettings {
        &self.settings
    }

    pub(super) fn engine_log(&self) -> &EngineLog {
        &self.engine_log
    }

    /// Where the time of the last question went, if it ran out and that is known.
    pub(super) fn cpu_stats(&self) -> Option<CpuStats> {
        self.cpu_stats
    }

    /// A question is about to be put, and given up after `patience`: looks at the scheduler's
    /// account, now and then.
    pub(super) fn start_sample(&mut self, patience: Option<Duration>) {
        self.cpu_stats = None;
        let (sampler, watchdog, is_new) =
            (&mut self.sampler, &self.watchdog, self.running.is_none());
        let load = || if is_new { Some(SchedStats::default()) } else { watchdog.sched_stats() };
        sampler.start(patience, || CpuSample::with(load()));
    }

    /// The question was answered, but too late. Gives where its time went, if that is known.
    pub(super) fn sample_late(&mut self) -> Option<CpuStats> {
        self.cpu_stats =
            self.sampler.finish(CpuSample::with(self.watchdog.sched_stats()), Instant::now());
        self.cpu_stats
    }

    /// Lets somebody hear what the engine says from now on, and the words that nobody heard.
    pub(super) fn hear_with(&mut self, listener: Option<&Arc<dyn Listener>>) {
        if listener.is_some() || self.listener.is_some() {
            self.listener = listener.cloned();
            self.engine_log.set_listener(listener);
        }
    }

    /// Who it says it is.
    pub(super) fn about(&self) -> Option<&About> {
        self.about.as_ref()
    }

    /// Its private folder.
    pub(super) fn scratch(&self) -> Option<&str> {
        self.running.as_ref()?.scratch.as_deref()
    }

    /// Whether a process runs that this thread started: one that another thread started would die
    /// with that thread.
    pub(super) fn is_running_here(&self) -> bool {
        self.running.as_ref().is_some_and(|running| running.starter == thread::current().id())
    }

    /// Starts the process, in place of the one before.
    pub(super) fn start(&mut self) -> Result<Ready, HostError> {
        self.stop();
        self.engine_log.clear();
        self.sampler.reset();
        self.start_sample(Some(self.settings.startup));
        self.protocol.started_again();
        self.spawn_soon().map_err(|source| HostError::Start {
            program: self.settings.program.clone(),
            source,
        })?;
        self.watchdog.arm(Some(self.settings.startup));
        let greeting = self.running.as_mut().map(|running| running.pipes.greeting());
        let engine = self.spec.id.clone();
        let greeted = match greeting {
            Some(Ok((answer::READY, payload))) => read_ready(Payload(&payload)).ok(),
            Some(Ok((answer::REFUSED, payload))) => {
                self.kill();
                return Err(HostError::Refused { engine, reason: Payload(&payload).text() });
            }
            _ => None,
        };
        if let Some(ready) = greeted {
            self.watchdog.disarm();
            if ready.holds(SECCOMP) {
                self.watchdog.set_alone();
            }
            return Ok(ready);
        }
        Err(match self.lose(ExchangeError::Gone) {
            EngineLoss::Interrupted => HostError::Interrupted { engine },
            loss => HostError::Failed { engine, fault: self.fault(loss, "start") },
        })
    }

    fn spawn_soon(&mut self) -> io::Result<()> {
        if self.reaper.is_none() {
            self.reaper = Reaper::share(&self.settings.program);
        }
        let interrupt = self.settings.interrupt.clone();
        retry(self.settings.startup, &interrupt, || {
            let spawned = self.spawn();
            if spawned.is_err() {
                self.kill_and_reap();
            }
            spawned
        })
    }

    fn spawn(&mut self) -> io::Result<()> {
        let scratch = ScratchDir::new()?;
        let mut command = Command::new(&self.settings.program);
        command.arg(HOST_COMMAND);
        let args = HostArgs::of(&self.spec, &self.settings, Some(scratch.path()));
        args.reporting_to(self.engine_log.denials().begin()).write(&mut command);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        platform::give_group(&mut command);
        // A process is bound to what its parent is, and what it does first takes long.
        with_placement(ThreadPlacement::release);
        let env_tag = EnvTag::set(&mut command);
        let mut child = command.spawn()?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let folder_mib = self.settings.folder_mib_of(self.spec.kind);
        let limits = ResourceLimits { memory_mib: self.spec.memory_mib, folder_mib };
        let folder = scratch.path().to_str().map(str::to_owned);
        let input = pipes.0.as_ref().and_then(platform::inode);
        let supervisor =
            Supervisor::new(child, limits, Some(scratch)).with_tag(env_tag).with_input(input);
        self.watchdog.replace(StopTarget::Child(Box::new(supervisor)));
        self.idle_policy.reset();
        let (Some(input), Some(output), Some(errors)) = pipes else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        self.engine_log.read_stderr(errors, Arc::clone(self.watchdog.slot()))?;
        let pipes = Pipes::new(input, output, self.settings.tap.clone());
        let starter = thread::current().id();
        self.running = Some(Running { pipes, starter, scratch: folder });
        Ok(())
    }

    /// Writes what is to be said, and waits for what comes of it, no longer than `patience`.
    pub(super) fn exchange(
        &mut self,
        patience: Option<Duration>,
    ) -> Result<ProtocolEvent, EngineLoss> {
        let origin = Instant::now();
        self.say(patience)?;
        self.listen_since(origin)
    }

    /// Waits for what comes of what was said at that moment.
    pub(super) fn listen_since(&mut self, origin: Instant) -> Result<ProtocolEvent, EngineLoss> {
        let now = || u64::try_from(origin.elapsed().as_nanos()).unwrap_or(Nanos::MAX);
        self.listen(&now, 0).map(|(event, _)| event)
    }

    /// Writes what is to be said. What comes of it is too late after `patience`.
    pub(super) fn say(&mut self, patience: Option<Duration>) -> Result<(), EngineLoss> {
        self.idle_policy.before_question(&self.watchdog, patience);
        self.cpu_sharing.start_question(&self.watchdog);
        // Before the write, which waits where an engine does not read.
        self.watchdog.arm(patience);
        self.flush().map_err(|error| self.lose(error))
    }

    /// Tells what is true of the game that begins, and lets the process do what follows from that
    /// before its clock starts: some allocate what they may use for half a second. One that takes
    /// no time over it is told with its first question.
    pub(super) fn prepare(&mut self) -> Result<(), EngineLoss> {
        if !self.idle_policy.may_prepare() {
            return Ok(());
        }
        self.protocol.send_terms();
        if self.protocol.output().is_empty() {
            return Ok(());
        }
        let startup = self.settings.startup;
        self.say(Some(startup))?;
        if self.watchdog.disarm() {
            return Err(self.lose(ExchangeError::Late));
        }
        // It need not answer, so nothing that it does now is too late.
        self.idle_policy.wait_until_prepared(&self.watchdog, startup);
        self.idle_policy.answered(&self.watchdog, 0);
        Ok(())
    }

    fn flush(&mut self) -> Result<(), ExchangeError> {
        let running = self.running.as_mut().ok_or(ExchangeError::Gone)?;
        running.pipes.write(self.protocol.output()).map_err(|_| ExchangeError::Gone)?;
        self.protocol.written();
        Ok(())
    }

    /// Lets a process work that was stopped after its last answer, and hears what it has said
    /// since. It is about to be given so long to answer; gives whether some of that has gone by,
    /// because it had still something to finish.
    pub(super) fn rouse(&mut self, patience: Option<Duration>) -> Result<bool, EngineLoss> {
        let is_charged = self.idle_policy.before_question(&self.watchdog, patience);
        self.catch_up().map_err(|error| self.lose(error))?;
        Ok(is_charged)
    }

    fn catch_up(&mut self) -> Result<(), ExchangeError> {
        let mut read = 0;
        loop {
            while let Some(event) = self.set_listener()? {
                log::debug!("{} said unasked: {event:?}", self.spec.id);
            }
            let running = self.running.as_mut().ok_or(ExchangeError::Gone)?;
            if !running.pipes.has_more() {
                return Ok(());
            }
            match running.pipes.read(self.watchdog.slot()) {
                None => return Err(ExchangeError::Gone),
                // That it has ended is seen when it is asked.
                Some(0) => return Ok(()),
                Some(count) => read += count as u64,
            }
            if read > MESSAGES {
                return Err(ExchangeError::Flood);
            }
        }
    }

    /// Whether it is set how lines to the engine end.
    pub(super) fn is_told_line_end(&self) -> bool {
        self.spec.lf_alone.is_some()
    }

    /// How long an answer is waited for that the engine may leave out: to start it again takes as
    /// long.
    pub(super) fn optional_patience(&self) -> Duration {
        (2 * self.took).clamp(LEAST.min(self.settings.startup), self.settings.startup)
    }

    /// Waits for an event that need not come; none after `patience`. The engine runs on, where
    /// pipes can be waited for without being read, and is lost elsewhere.
    pub(super) fn await_event(
        &mut self,
        patience: Duration,
    ) -> Result<Option<ProtocolEvent>, EngineLoss> {
        if !cfg!(unix) {
            self.watchdog.arm(Some(patience));
            return match self.listen_since(Instant::now()) {
                Ok(event) => Ok(Some(event)),
                Err(EngineLoss::Late) => Ok(None),
                Err(loss) => Err(loss),
            };
        }
        let since = Instant::now();
        self.look_out(since, patience).map_err(|error| self.lose(error))
    }

    fn look_out(
        &mut self,
        since: Instant,
        patience: Duration,
    ) -> Result<Option<ProtocolEvent>, ExchangeError> {
        let mut read = 0;
        loop {
            if let Some(event) = self.set_listener()? {
                return if self.watchdog.disarm() {
                    Err(ExchangeError::Late)
                } else {
                    Ok(Some(event))
                };
            }
            let running = self.running.as_mut().ok_or(ExchangeError::Gone)?;
            let left = patience.saturating_sub(since.elapsed());
            // One that never stops to talk is not waited for longer.
            if left.is_zero() || !running.pipes.comes_within(left) {
                return Ok(None);
            }
            let Some(count @ 1..) = running.pipes.read(self.watchdog.slot()) else {
                return Err(ExchangeError::Gone);
            };
            read += count as u64;
            if read > MESSAGES {
                return Err(ExchangeError::Flood);
            }
        }
    }

    /// Waits for an event, and gives it with the moment when its last byte had been read. The
    /// question was asked at `asked_at`.
    pub(super) fn listen(
        &mut self,
        now: &dyn Fn() -> Nanos,
        asked_at: Nanos,
    ) -> Result<(ProtocolEvent, Nanos), EngineLoss> {
        match self.wait(now, asked_at) {
            Ok((event, at)) => {
                self.cpu_sharing.end_question();
                self.idle_policy.answered(&self.watchdog, at.saturating_sub(asked_at));
                Ok((event, at))
            }
            Err(error) => Err(self.lose(error)),
        }
    }

    fn wait(
        &mut self,
        now: &dyn Fn() -> Nanos,
        asked_at: Nanos,
    ) -> Result<(ProtocolEvent, Nanos), ExchangeError> {
        let (mut at, mut read) = (now(), 0);
        loop {
            if let Some(event) = self.set_listener()? {
                // A deadline that fired is always before the stamp that is taken after it.
                return if self.watchdog.disarm() {
                    Err(ExchangeError::Late)
                } else {
                    Ok((event, at))
                };
            }
            let running = self.running.as_mut().ok_or(ExchangeError::Gone)?;
            let Some(count @ 1..) = running.pipes.read(self.watchdog.slot()) else {
                return Err(ExchangeError::Gone);
            };
            at = now();
            read += count as u64;
            if read > MESSAGES && read > MESSAGES * (1 + at.saturating_sub(asked_at) / SECOND) {
                return Err(ExchangeError::Flood);
            }
        }
    }

    /// The next event among the lines that have been read.
    fn set_listener(&mut self) -> Result<Option<ProtocolEvent>, ExchangeError> {
        let Some(Running { pipes, .. }) = &mut self.running else {
            return Err(ExchangeError::Gone);
        };
        while let Some(line) = pipes.line() {
            match self.protocol.receive(line) {
                Response::Ready => return Ok(Some(ProtocolEvent::Ready)),
                Response::StartAgain => return Ok(Some(ProtocolEvent::StartAgain)),
                Response::Answer(answer) => {
                    if let Some(remark) = self.protocol.take_remark() {
                        self.engine_log.write_line(remark.as_bytes());
                        self.record_lines
                            .add(LogKind::Unexpected, &format!("behind its move: {remark}"));
                    }
                    return Ok(Some(ProtocolEvent::Answer(answer)));
                }
                Response::Introduced(about) => {
                    self.about = Some(about);
                    return Ok(Some(ProtocolEvent::Ready));
                }
                Response::About(about) => {
                    self.about = Some(about);
                    if matches!(self.protocol, TextProtocol::Sau(_)) {
                        return Ok(Some(ProtocolEvent::Introduced));
                    }
                }
                Response::Fault(fault) => return Err(ExchangeError::Garbage(fault.to_string())),
                Response::Log { kind, text, report } => {
                    log(&self.engine_log, kind, &text);
                    self.record_lines.add(kind, &text);
                    if let (Some(listener), Some(report)) = (&self.listener, report) {
                        listener.progress(self.protocol.progress(report));
                    }
                }
                Response::Late | Response::Forbidden(_) => {}
            }
            // A suggestion is to be confirmed, or an opening to be set.
            if !self.protocol.output().is_empty() {
                pipes.write(self.protocol.output()).map_err(|_| ExchangeError::Gone)?;
                self.protocol.written();
            }
        }
        Ok(None)
    }

    /// Buries the process and says what it died of.
    fn lose(&mut self, error: ExchangeError) -> EngineLoss {
        if let Some(running) = self.running.take()
            && let unfinished @ [_, ..] = running.pipes.unfinished()
        {
            let observed = &unfinished[..unfinished.len().min(REST)];
            let line = format!("{} (without a line end)", String::from_utf8_lossy(observed));
            self.engine_log.write_line(line.as_bytes());
            self.record_lines.add(LogKind::Unexpected, &line);
        }
        error.kill_and_reap(&self.watchdog, &self.engine_log, &self.sampler, &mut self.cpu_stats)
    }

    /// What a loss means for an engine that was to do something in the time for starting.
    pub(super) fn fault(&self, loss: EngineLoss, what: &str) -> Fault {
        match loss {
            EngineLoss::Late => {
                let detail = format!("did not {what} within {:?}", self.settings.startup);
                Fault { failure: Failure::Stall, detail: self.engine_log.with_last_words(detail) }
            }
            EngineLoss::Interrupted => crate::player::interrupted(),
            EngineLoss::Fault(fault) => fault,
            EngineLoss::Refused(detail) => Fault { failure: Failure::ProtocolError, detail },
        }
    }

    /// Breaks off: kills the process.
    pub(super) fn kill(&mut self) {
        self.watchdog.disarm();
        self.kill_and_reap();
    }

    /// Tells the process to end, if there is one, and sees to it that it does. Gives whether it did
    /// by itself.
    pub(super) fn stop(&mut self) -> bool {
        self.stop_within(GRACE)
    }

    /// The same, for an engine that has so long to end.
    pub(super) fn stop_within(&mut self, grace: Duration) -> bool {
        let mut has_ended = true;
        if let Some(dialect) = self.protocol.dialect() {
            self.settings.dialects.learn(&self.spec, dialect);
        }
        if self.running.is_some() {
            self.protocol.end();
            self.idle_policy.before_question(&self.watchdog, Some(GRACE));
            // One that reads nothing is not waited for in vain.
            self.watchdog.arm(Some(grace));
            let is_sent = self.flush().is_ok();
            has_ended = !self.watchdog.disarm() && is_sent && self.wait_for_exit(grace);
        }
        self.kill();
        has_ended
    }

    /// Waits for the end of a process that was told to end. Its pipes stay open meanwhile.
    fn wait_for_exit(&mut self, grace: Duration) -> bool {
        let StopTarget::Child(mut supervisor) = self.watchdog.replace(StopTarget::Nothing) else {
            return false;
        };
        let has_ended = !self.watchdog.is_interrupted() && supervisor.wait_for_exit(grace);
        supervisor.kill_and_reap();
        has_ended
    }

    fn kill_and_reap(&mut self) {
        self.running = None;
        engine_loss::kill_and_reap(&self.watchdog);
    }
}

impl Drop for TextProcess {
    fn drop(&mut self) {
        self.stop();
    }
}

fn log(engine_log: &EngineLog, kind: LogKind, text: &str) {
    let word = match kind {
        LogKind::Message => "MESSAGE ",
        LogKind::Debug => "DEBUG ",
        LogKind::Info => "INFO ",
        LogKind::Other | LogKind::Unexpected => "",
    };
    engine_log.write_line(format!("{word}{text}").as_bytes());
}
