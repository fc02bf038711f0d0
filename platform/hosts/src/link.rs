mod contention;
pub(crate) mod gauge;
pub(crate) mod loss;
mod read;
pub(crate) mod rests;
mod soon;

use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::process::{ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use tengen_arbiter::{CpuStats, Failure, Nanos};
use tengen_players::{Fault, Listener};

use crate::child::{HOST_COMMAND, Job};
use crate::placement::{Sharer, Table, with_table};
use crate::platform::{Mark, Warden};
use crate::sandbox::SECCOMP;
use crate::scratch::Scratch;
use crate::translate::Best;
use crate::wasm::DEFAULT_MEMORY_MIB;
use crate::watchdog::{Bounds, Target, Ward, Watched};
use crate::wire::{Inbox, Payload, Short, answer};
use crate::words::Words;
use crate::{HostError, HostSettings, platform, translate};
use gauge::{Gauge, Reading};
pub(crate) use loss::{Loss, Trouble};
use read::read_fault;
pub(crate) use read::{Ready, read_ready};
use rests::Rests;
pub(crate) use soon::soon;
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
pub(crate) struct Link {
    watched: Watched,
    words: Arc<Words>,
    running: Option<Running>,
    best: Best,
    listener: Option<Arc<dyn Listener>>,
    rests: Rests,
    sharer: Sharer,
    tags: RandomState,
    /// The tag of the request whose answer is due.
    tag: u32,
    gauge: Gauge,
    /// Where the time of the last question went, if it ran out.
    cpu_stats: Option<CpuStats>,
    /// There from the first engine on that nothing keeps from starting processes.
    warden: Option<Arc<Warden>>,
}

/// The pipes of a child that has not failed yet.
struct Running {
    requests: ChildStdin,
    answers: ChildStdout,
    inbox: Inbox,
    starter: ThreadId,
}

impl From<Short> for Trouble {
    fn from(_: Short) -> Trouble {
        sent("an answer that ends early")
    }
}

impl Link {
    pub(crate) fn new(settings: &HostSettings) -> Link {
        let watched = settings.interrupt.watch();
        let rests = Rests::new(settings.ponder);
        let (words, tags, gauge) = (Arc::new(Words::new()), RandomState::new(), Gauge::new());
        Link {
            watched,
            words,
            running: None,
            best: Best::default(),
            listener: None,
            rests,
            sharer: Sharer::new(false),
            tags,
            tag: 0,
            gauge,
            cpu_stats: None,
            warden: None,
        }
    }

    /// What the engine printed and logged.
    pub(crate) fn words(&self) -> &Words {
        &self.words
    }

    /// Lets somebody hear what the engine says from now on, and the words that nobody heard.
    pub(crate) fn hear(&mut self, listener: Option<&Arc<dyn Listener>>) {
        if listener.is_some() || self.listener.is_some() {
            self.listener = listener.cloned();
            self.words.hear(listener);
        }
    }

    /// What was said of the search since it was taken.
    pub(crate) fn take_best(&mut self) -> Best {
        std::mem::take(&mut self.best)
    }

    /// Where the time of the last question went, if it ran out and that is known.
    pub(crate) fn cpu_stats(&self) -> Option<CpuStats> {
        self.cpu_stats
    }

    /// A question is about to be put, and given up after `patience`: looks at the scheduler's
    /// account, now and then.
    pub(crate) fn weigh(&mut self, patience: Option<Duration>) {
        self.cpu_stats = None;
        let (gauge, watched) = (&mut self.gauge, &self.watched);
        let is_new = self.running.is_none();
        gauge.begin(patience, || {
            // A child that is about to be started has run for no time at all.
            Reading::with(if is_new { Some(platform::Load::default()) } else { watched.load() })
        });
    }

    /// The question was answered, but too late.
    pub(crate) fn weigh_late(&mut self) {
        self.cpu_stats = self.gauge.end(Reading::with(self.watched.load()), Instant::now());
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
        self.words.clear();
        self.gauge.renew();
        self.weigh(Some(settings.startup));
        let spawn = || {
            let spawned = self.spawn(spec, settings);
            if spawned.is_err() {
                self.bury();
            }
            spawned
        };
        soon(settings.startup, &settings.interrupt, spawn)
            .map_err(|source| HostError::Start { program: settings.program.clone(), source })?;
        self.arm(Some(settings.startup));
        let engine = || spec.id.clone();
        let ready = self.receive(answer::READY, || 0, 0, read_ready);
        if let Ok((ready, _)) = &ready {
            if ready.holds(SECCOMP) {
                self.watched.is_alone();
            } else if self.warden.is_none() && spec.kind == EngineKind::Native {
                self.warden = Warden::share(&settings.program);
            }
        }
        ready.map(|(ready, _)| ready).map_err(|loss| match loss {
            Loss::Refused(reason) => HostError::Refused { engine: engine(), reason },
            Loss::Interrupted => HostError::Interrupted { engine: engine() },
            Loss::Fault(fault) => HostError::Failed { engine: engine(), fault },
            Loss::Late => HostError::Failed {
                engine: engine(),
                fault: self.stall("load and describe itself", settings.startup),
            },
        })
    }

    /// The fault of an engine that did not do something in the time for starting.
    pub(crate) fn stall(&self, what: &str, startup: Duration) -> Fault {
        let detail = format!("did not {what} within {startup:?}");
        Fault { failure: Failure::Stall, detail: self.words.after(detail) }
    }

    fn spawn(&mut self, spec: &EngineSpec, settings: &HostSettings) -> io::Result<()> {
        let folder_mib = settings.folder_mib_of(spec.kind);
        let desk = folder_mib.map(|_| Scratch::new()).transpose()?;
        let mut command = Command::new(&settings.program);
        command.arg(HOST_COMMAND);
        // No other has a way to a file.
        let report =
            (spec.kind == EngineKind::Native).then(|| self.words.denials().begin()).flatten();
        let job = Job::of(spec, settings, desk.as_ref().map(Scratch::path));
        job.reporting_to(report).write(&mut command);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        platform::give_group(&mut command);
        // A process is bound to what its parent is, and what it does first takes long.
        with_table(Table::release);
        let mark = Mark::put(&mut command);
        let mut child = command.spawn()?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        // The memory of a module is counted within, where it grows; here, what its compiler takes.
        let memory_mib = match spec.kind {
            EngineKind::Wasm => {
                Some(spec.memory_mib.unwrap_or(DEFAULT_MEMORY_MIB).saturating_add(COMPILER_MIB))
            }
            _ => spec.memory_mib,
        };
        let bounds = Bounds { memory_mib, folder_mib };
        let ward = Ward::new(child, bounds, desk).marked(mark);
        self.watched.replace(Target::Child(Box::new(ward)));
        self.rests.renew();
        self.sharer = Sharer::new(settings.shares_cpu(spec));
        self.tag = 0;
        let (Some(requests), Some(answers), Some(errors)) = pipes else {
            return Err(io::Error::other("a pipe of the child is missing"));
        };
        self.words.drain(errors, Arc::clone(self.watched.slot()))?;
        if let Some(hurry) = &settings.hurry {
            hurry.take(platform::duplicate(&requests)?);
        }
        let (inbox, starter) = (Inbox::new(), thread::current().id());
        self.running = Some(Running { requests, answers, inbox, starter });
        Ok(())
    }

    /// Lets a child work again that was stopped after its last answer.
    pub(crate) fn rouse(&mut self) {
        self.rests.end(&self.watched, None);
    }

    /// Writes whole frames to the child, which may work from then on.
    pub(crate) fn send(&mut self, frames: &[u8]) -> Result<(), Loss> {
        self.rouse();
        self.sharer.ask(&self.watched);
        let Some(running) = &mut self.running else { return Err(self.lose(Trouble::Gone)) };
        match running.requests.write_all(frames) {
            Ok(()) => Ok(()),
            Err(_) => Err(self.lose(Trouble::Gone)),
        }
    }

    /// A tag for the next request, which nobody can have foreseen.
    pub(crate) fn renew_tag(&mut self) -> u32 {
        self.tag = (self.tags.hash_one(self.tag) >> TAG_SHIFT) as u32;
        self.tag
    }

    /// Sets the deadline of the answer that is waited for next.
    pub(crate) fn arm(&self, patience: Option<Duration>) {
        self.watched.arm(patience);
    }

    /// Waits for an answer of the kind `wanted`, and gives what `read` makes of it with the moment
    /// when its last byte had been read. The question was asked at `asked_at`.
    pub(crate) fn receive<T>(
        &mut self,
        wanted: u32,
        now: impl Fn() -> Nanos,
        asked_at: Nanos,
        read: impl FnOnce(Payload<'_>) -> Result<T, Short>,
    ) -> Result<(T, Nanos), Loss> {
        match self.listen(wanted, now, asked_at, read) {
            Ok(answer) => Ok(answer),
            Err(trouble) => Err(self.lose(trouble)),
        }
    }

    fn listen<T>(
        &mut self,
        wanted: u32,
        now: impl Fn() -> Nanos,
        asked_at: Nanos,
        read: impl FnOnce(Payload<'_>) -> Result<T, Short>,
    ) -> Result<(T, Nanos), Trouble> {
        let running = self.running.as_mut().ok_or(Trouble::Gone)?;
        let mut messages = 0;
        loop {
            match running.inbox.fill(&mut running.answers) {
                Ok(0) | Err(_) => return Err(Trouble::Gone),
                Ok(_) => {}
            }
            while let Some(frame) = running
                .inbox
                .frame()
                .map_err(|oversize| sent(format!("a frame of {} bytes", oversize.claimed)))?
            {
                let payload = Payload(frame.payload);
                match frame.kind {
                    kind if kind == wanted && frame.tag != self.tag => {
                        return Err(sent("an answer to a question that was not open"));
                    }
                    kind if kind == wanted => {
                        // In this order a deadline that fired is always before the stamp.
                        let is_late = self.watched.disarm();
                        let at = now();
                        self.sharer.answer();
                        self.rests.begin(&self.watched, at.saturating_sub(asked_at));
                        return if is_late { Err(Trouble::Late) } else { Ok((read(payload)?, at)) };
                    }
                    answer::INFO => {
                        self.best.hear(frame.payload);
                        if let Some(listener) = &self.listener
                            && let Some(progress) = translate::to_progress(frame.payload)
                        {
                            listener.progress(progress);
                        }
                    }
                    answer::LOG => self.words.log(frame.payload),
                    answer::FAULT => return Err(Trouble::Fault(read_fault(payload)?)),
                    answer::REFUSED => return Err(Trouble::Refused(payload.text())),
                    kind => {
                        let what = format!("an answer of kind {kind} where {wanted} was due");
                        return Err(sent(what));
                    }
                }
                messages += frame.payload.len() as u64;
                if messages > MESSAGES
                    && messages > MESSAGES * (1 + now().saturating_sub(asked_at) / SECOND)
                {
                    return Err(Trouble::Flood);
                }
            }
        }
    }

    /// Buries the child and says what it died of.
    fn lose(&mut self, trouble: Trouble) -> Loss {
        self.running = None;
        trouble.bury(&self.watched, &self.words, &self.gauge, &mut self.cpu_stats)
    }

    /// Ends the child, if there is one.
    pub(crate) fn stop(&mut self) {
        self.watched.disarm();
        self.bury();
    }

    fn bury(&mut self) {
        self.running = None;
        loss::bury(&self.watched);
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        self.stop();
    }
}

/// What the process of a child must not have sent.
fn sent(what: impl std::fmt::Display) -> Trouble {
    Trouble::Garbage(format!("its process sent {what}"))
}
