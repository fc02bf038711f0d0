use std::io;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use tengen_arbiter::{CpuStats, Failure, Nanos};
use tengen_gomocup::{About, Heard, LogKind};
use tengen_packages::EngineSpec;
use tengen_players::{Fault, Listener};
use tengen_rules::Answer;

use super::pipes::Pipes;
use super::said::Said;
use super::tongue::Tongue;
use crate::child::{HOST_COMMAND, Job};
use crate::link::gauge::{Gauge, Reading};
use crate::link::rests::Rests;
use crate::link::{Loss, Ready, Trouble, loss, read_ready, soon};
use crate::placement::{Sharer, Table, with_table};
use crate::platform::{Load, Mark, Warden};
use crate::sandbox::SECCOMP;
use crate::scratch::Scratch;
use crate::watchdog::{Bounds, Target, Ward, Watched};
use crate::wire::{Payload, answer};
use crate::words::Words;
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
pub(super) struct Talk {
    spec: EngineSpec,
    settings: HostSettings,
    watched: Watched,
    words: Arc<Words>,
    /// What of it the record is to have.
    pub(super) said: Said,
    pub(super) tongue: Tongue,
    about: Option<About>,
    running: Option<Running>,
    rests: Rests,
    sharer: Sharer,
    /// How long it took to get ready for its first game.
    pub(super) took: Duration,
    gauge: Gauge,
    cpu_stats: Option<CpuStats>,
    /// Who hears what it says of its searches.
    listener: Option<Arc<dyn Listener>>,
    /// There from the first start on.
    warden: Option<Arc<Warden>>,
}

struct Running {
    pipes: Pipes,
    starter: ThreadId,
    /// Its private folder.
    desk: Option<String>,
}

/// What the engine said that is no line for the log.
#[derive(Debug)]
pub(super) enum Event {
    Ready,
    StartAgain,
    Answer(Answer),
    /// It has said who it is, where that was waited for.
    Introduced,
}

impl Talk {
    pub(super) fn new(spec: EngineSpec, settings: HostSettings) -> Talk {
        let watched = settings.interrupt.watch();
        let dialect = settings.dialects.of(&spec);
        let tongue = Tongue::of(spec.kind, dialect, settings.strict_protocol);
        let rests = Rests::of_text(settings.ponder);
        let sharer = Sharer::new(settings.shares_cpu(&spec));
        let (words, gauge) = (Arc::new(Words::new()), Gauge::new());
        Talk {
            spec,
            settings,
            watched,
            words,
            said: Said::default(),
            tongue,
            about: None,
            running: None,
            rests,
            sharer,
            took: Duration::ZERO,
            gauge,
            cpu_stats: None,
            listener: None,
            warden: None,
        }
    }

    pub(super) fn settings(&self) -> &HostSettings {
        &self.settings
    }

    pub(super) fn words(&self) -> &Words {
        &self.words
    }

    /// Where the time of the last question went, if it ran out and that is known.
    pub(super) fn cpu_stats(&self) -> Option<CpuStats> {
        self.cpu_stats
    }

    /// A question is about to be put, and given up after `patience`: looks at the scheduler's
    /// account, now and then.
    pub(super) fn weigh(&mut self, patience: Option<Duration>) {
        self.cpu_stats = None;
        let (gauge, watched, is_new) = (&mut self.gauge, &self.watched, self.running.is_none());
        let load = || if is_new { Some(Load::default()) } else { watched.load() };
        gauge.begin(patience, || Reading::with(load()));
    }

    /// The question was answered, but too late. Gives where its time went, if that is known.
    pub(super) fn weigh_late(&mut self) -> Option<CpuStats> {
        self.cpu_stats = self.gauge.end(Reading::with(self.watched.load()), Instant::now());
        self.cpu_stats
    }

    /// Lets somebody hear what the engine says from now on, and the words that nobody heard.
    pub(super) fn hear_with(&mut self, listener: Option<&Arc<dyn Listener>>) {
        if listener.is_some() || self.listener.is_some() {
            self.listener = listener.cloned();
            self.words.hear(listener);
        }
    }

    /// Who it says it is.
    pub(super) fn about(&self) -> Option<&About> {
        self.about.as_ref()
    }

    /// Its private folder.
    pub(super) fn desk(&self) -> Option<&str> {
        self.running.as_ref()?.desk.as_deref()
    }

    /// Whether a process runs that this thread started: one that another thread started would die
    /// with that thread.
    pub(super) fn is_running_here(&self) -> bool {
        self.running.as_ref().is_some_and(|running| running.starter == thread::current().id())
    }

    /// Starts the process, in place of the one before.
    pub(super) fn start(&mut self) -> Result<Ready, HostError> {
        self.stop();
        self.words.clear();
        self.gauge.renew();
        self.weigh(Some(self.settings.startup));
        self.tongue.started_again();
        self.spawn_soon().map_err(|source| HostError::Start {
            program: self.settings.program.clone(),
            source,
        })?;
        self.watched.arm(Some(self.settings.startup));
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
            self.watched.disarm();
            if ready.holds(SECCOMP) {
                self.watched.is_alone();
            }
            return Ok(ready);
        }
        Err(match self.lose(Trouble::Gone) {
            Loss::Interrupted => HostError::Interrupted { engine },
            loss => HostError::Failed { engine, fault: self.fault(loss, "start") },
        })
    }

    fn spawn_soon(&mut self) -> io::Result<()> {
        if self.warden.is_none() {
            self.warden = Warden::share(&self.settings.program);
        }
        let interrupt = self.settings.interrupt.clone();
        soon(self.settings.startup, &interrupt, || {
            let spawned = self.spawn();
            if spawned.is_err() {
                self.bury();
            }
            spawned
        })
    }

    fn spawn(&mut self) -> io::Result<()> {
        let desk = Scratch::new()?;
        let mut command = Command::new(&self.settings.program);
        command.arg(HOST_COMMAND);
        let job = Job::of(&self.spec, &self.settings, Some(desk.path()));
        job.reporting_to(self.words.denials().begin()).write(&mut command);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        platform::give_group(&mut command);
        // A process is bound to what its parent is, and what it does first takes long.
        with_table(Table::release);
        let mark = Mark::put(&mut command);
        let mut child = command.spawn()?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let folder_mib = self.settings.folder_mib_of(self.spec.kind);
        let bounds = Bounds { memory_mib: self.spec.memory_mib, folder_mib };
        let folder = desk.path().to_str().map(str::to_owned);
        let input = pipes.0.as_ref().and_then(platform::inode);
        let ward = Ward::new(child, bounds, Some(desk)).marked(mark).reading(input);
        self.watched.replace(Target::Child(Box::new(ward)));
        self.rests.renew();
        let (Some(input), Some(output), Some(errors)) = pipes else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        self.words.drain(errors, Arc::clone(self.watched.slot()))?;
        let pipes = Pipes::new(input, output, self.settings.tap.clone());
        let starter = thread::current().id();
        self.running = Some(Running { pipes, starter, desk: folder });
        Ok(())
    }

    /// Writes what is to be said, and waits for what comes of it, no longer than `patience`.
    pub(super) fn exchange(&mut self, patience: Option<Duration>) -> Result<Event, Loss> {
        let origin = Instant::now();
        self.say(patience)?;
        self.listen_since(origin)
    }

    /// Waits for what comes of what was said at that moment.
    pub(super) fn listen_since(&mut self, origin: Instant) -> Result<Event, Loss> {
        let now = || u64::try_from(origin.elapsed().as_nanos()).unwrap_or(Nanos::MAX);
        self.listen(&now, 0).map(|(event, _)| event)
    }

    /// Writes what is to be said. What comes of it is too late after `patience`.
    pub(super) fn say(&mut self, patience: Option<Duration>) -> Result<(), Loss> {
        self.rests.end(&self.watched, patience);
        self.sharer.ask(&self.watched);
        // Before the write, which waits where an engine does not read.
        self.watched.arm(patience);
        self.flush().map_err(|trouble| self.lose(trouble))
    }

    /// Tells what is true of the game that begins, and lets the process do what follows from that
    /// before its clock starts: some allocate what they may use for half a second. One that takes
    /// no time over it is told with its first question.
    pub(super) fn prepare(&mut self) -> Result<(), Loss> {
        if !self.rests.has_to_prepare() {
            return Ok(());
        }
        self.tongue.tell_terms();
        if self.tongue.output().is_empty() {
            return Ok(());
        }
        let startup = self.settings.startup;
        self.say(Some(startup))?;
        if self.watched.disarm() {
            return Err(self.lose(Trouble::Late));
        }
        // It need not answer, so nothing that it does now is too late.
        self.rests.let_prepare(&self.watched, startup);
        self.rests.begin(&self.watched, 0);
        Ok(())
    }

    fn flush(&mut self) -> Result<(), Trouble> {
        let running = self.running.as_mut().ok_or(Trouble::Gone)?;
        running.pipes.write(self.tongue.output()).map_err(|_| Trouble::Gone)?;
        self.tongue.written();
        Ok(())
    }

    /// Lets a process work that was stopped after its last answer, and hears what it has said
    /// since. It is about to be given so long to answer; gives whether some of that has gone by,
    /// because it had still something to finish.
    pub(super) fn rouse(&mut self, patience: Option<Duration>) -> Result<bool, Loss> {
        let is_charged = self.rests.end(&self.watched, patience);
        self.catch_up().map_err(|trouble| self.lose(trouble))?;
        Ok(is_charged)
    }

    fn catch_up(&mut self) -> Result<(), Trouble> {
        let mut read = 0;
        loop {
            while let Some(event) = self.hear()? {
                log::debug!("{} said unasked: {event:?}", self.spec.id);
            }
            let running = self.running.as_mut().ok_or(Trouble::Gone)?;
            if !running.pipes.has_more() {
                return Ok(());
            }
            match running.pipes.read(self.watched.slot()) {
                None => return Err(Trouble::Gone),
                // That it has ended is seen when it is asked.
                Some(0) => return Ok(()),
                Some(count) => read += count as u64,
            }
            if read > MESSAGES {
                return Err(Trouble::Flood);
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
    pub(super) fn await_event(&mut self, patience: Duration) -> Result<Option<Event>, Loss> {
        if !cfg!(unix) {
            self.watched.arm(Some(patience));
            return match self.listen_since(Instant::now()) {
                Ok(event) => Ok(Some(event)),
                Err(Loss::Late) => Ok(None),
                Err(loss) => Err(loss),
            };
        }
        let since = Instant::now();
        self.look_out(since, patience).map_err(|trouble| self.lose(trouble))
    }

    fn look_out(&mut self, since: Instant, patience: Duration) -> Result<Option<Event>, Trouble> {
        let mut read = 0;
        loop {
            if let Some(event) = self.hear()? {
                return if self.watched.disarm() { Err(Trouble::Late) } else { Ok(Some(event)) };
            }
            let running = self.running.as_mut().ok_or(Trouble::Gone)?;
            let left = patience.saturating_sub(since.elapsed());
            // One that never stops to talk is not waited for longer.
            if left.is_zero() || !running.pipes.comes_within(left) {
                return Ok(None);
            }
            let Some(count @ 1..) = running.pipes.read(self.watched.slot()) else {
                return Err(Trouble::Gone);
            };
            read += count as u64;
            if read > MESSAGES {
                return Err(Trouble::Flood);
            }
        }
    }

    /// Waits for an event, and gives it with the moment when its last byte had been read. The
    /// question was asked at `asked_at`.
    pub(super) fn listen(
        &mut self,
        now: &dyn Fn() -> Nanos,
        asked_at: Nanos,
    ) -> Result<(Event, Nanos), Loss> {
        match self.wait(now, asked_at) {
            Ok((event, at)) => {
                self.sharer.answer();
                self.rests.begin(&self.watched, at.saturating_sub(asked_at));
                Ok((event, at))
            }
            Err(trouble) => Err(self.lose(trouble)),
        }
    }

    fn wait(
        &mut self,
        now: &dyn Fn() -> Nanos,
        asked_at: Nanos,
    ) -> Result<(Event, Nanos), Trouble> {
        let (mut at, mut read) = (now(), 0);
        loop {
            if let Some(event) = self.hear()? {
                // A deadline that fired is always before the stamp that is taken after it.
                return if self.watched.disarm() { Err(Trouble::Late) } else { Ok((event, at)) };
            }
            let running = self.running.as_mut().ok_or(Trouble::Gone)?;
            let Some(count @ 1..) = running.pipes.read(self.watched.slot()) else {
                return Err(Trouble::Gone);
            };
            at = now();
            read += count as u64;
            if read > MESSAGES && read > MESSAGES * (1 + at.saturating_sub(asked_at) / SECOND) {
                return Err(Trouble::Flood);
            }
        }
    }

    /// The next event among the lines that have been read.
    fn hear(&mut self) -> Result<Option<Event>, Trouble> {
        let Some(Running { pipes, .. }) = &mut self.running else { return Err(Trouble::Gone) };
        while let Some(line) = pipes.line() {
            match self.tongue.hear(line) {
                Heard::Ready => return Ok(Some(Event::Ready)),
                Heard::StartAgain => return Ok(Some(Event::StartAgain)),
                Heard::Answer(answer) => {
                    if let Some(remark) = self.tongue.take_remark() {
                        self.words.log(remark.as_bytes());
                        self.said.hear(LogKind::Stray, &format!("behind its move: {remark}"));
                    }
                    return Ok(Some(Event::Answer(answer)));
                }
                Heard::Introduced(about) => {
                    self.about = Some(about);
                    return Ok(Some(Event::Ready));
                }
                Heard::About(about) => {
                    self.about = Some(about);
                    if matches!(self.tongue, Tongue::Sau(_)) {
                        return Ok(Some(Event::Introduced));
                    }
                }
                Heard::Fault(fault) => return Err(Trouble::Garbage(fault.to_string())),
                Heard::Log { kind, text, report } => {
                    log(&self.words, kind, &text);
                    self.said.hear(kind, &text);
                    if let (Some(listener), Some(report)) = (&self.listener, report) {
                        listener.progress(self.tongue.progress(report));
                    }
                }
                Heard::Late | Heard::Forbidden(_) => {}
            }
            // A suggestion is to be confirmed, or an opening to be set.
            if !self.tongue.output().is_empty() {
                pipes.write(self.tongue.output()).map_err(|_| Trouble::Gone)?;
                self.tongue.written();
            }
        }
        Ok(None)
    }

    /// Buries the process and says what it died of.
    fn lose(&mut self, trouble: Trouble) -> Loss {
        if let Some(running) = self.running.take()
            && let rest @ [_, ..] = running.pipes.rest()
        {
            let shown = &rest[..rest.len().min(REST)];
            let line = format!("{} (without a line end)", String::from_utf8_lossy(shown));
            self.words.log(line.as_bytes());
            self.said.hear(LogKind::Stray, &line);
        }
        trouble.bury(&self.watched, &self.words, &self.gauge, &mut self.cpu_stats)
    }

    /// What a loss means for an engine that was to do something in the time for starting.
    pub(super) fn fault(&self, loss: Loss, what: &str) -> Fault {
        match loss {
            Loss::Late => {
                let detail = format!("did not {what} within {:?}", self.settings.startup);
                Fault { failure: Failure::Stall, detail: self.words.after(detail) }
            }
            Loss::Interrupted => crate::player::interrupted(),
            Loss::Fault(fault) => fault,
            Loss::Refused(detail) => Fault { failure: Failure::ProtocolError, detail },
        }
    }

    /// Breaks off: kills the process.
    pub(super) fn kill(&mut self) {
        self.watched.disarm();
        self.bury();
    }

    /// Tells the process to end, if there is one, and sees to it that it does. Gives whether it did
    /// by itself.
    pub(super) fn stop(&mut self) -> bool {
        self.stop_within(GRACE)
    }

    /// The same, for an engine that has so long to end.
    pub(super) fn stop_within(&mut self, grace: Duration) -> bool {
        let mut has_ended = true;
        if let Some(dialect) = self.tongue.dialect() {
            self.settings.dialects.learn(&self.spec, dialect);
        }
        if self.running.is_some() {
            self.tongue.end();
            self.rests.end(&self.watched, Some(GRACE));
            // One that reads nothing is not waited for in vain.
            self.watched.arm(Some(grace));
            let is_told = self.flush().is_ok();
            has_ended = !self.watched.disarm() && is_told && self.see_off(grace);
        }
        self.kill();
        has_ended
    }

    /// Waits for the end of a process that was told to end. Its pipes stay open meanwhile.
    fn see_off(&mut self, grace: Duration) -> bool {
        let Target::Child(mut ward) = self.watched.replace(Target::Nothing) else { return false };
        let has_ended = !self.watched.is_interrupted() && ward.let_end(grace);
        ward.bury();
        has_ended
    }

    fn bury(&mut self) {
        self.running = None;
        loss::bury(&self.watched);
    }
}

impl Drop for Talk {
    fn drop(&mut self) {
        self.stop();
    }
}

fn log(words: &Words, kind: LogKind, text: &str) {
    let word = match kind {
        LogKind::Message => "MESSAGE ",
        LogKind::Debug => "DEBUG ",
        LogKind::Detail => "INFO ",
        LogKind::Aside | LogKind::Stray => "",
    };
    words.log(format!("{word}{text}").as_bytes());
}
