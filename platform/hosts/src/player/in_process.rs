//! A WASM engine in the arbiter's own process.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tengen_abi::{Game, Limits, MoveCode, Question, Reply, Verdict, names};
use tengen_arbiter::{Correction, Failure, Nanos};
use tengen_players::{Fault, Timing};

use super::messages::GuestMessages;
use super::{EngineBackend, PositionUpdate, TimedExchange, WaitOptions};
use crate::host::fetch_files::FetchFiles;
use crate::host::guest::{Guest, LoadError};
use crate::host::guest_session::GuestSession;
use crate::host::services::HostServices;
use crate::host::wasm::{self, StopMethod, WasmGuest};
use crate::platform;
use crate::process::{CpuSample, Sampler, interrupted};
use crate::protocol::Unhosted;
use crate::watchdog::{StopTarget, WatchdogHandle};
use crate::{ExportSet, HostError, HostSettings, failure};
use tengen_packages::{EngineSpec, RestartPolicy};

/// A WASM engine in this process, stopped at its deadlines by an epoch.
pub(super) struct InProcessBackend {
    spec: EngineSpec,
    settings: HostSettings,
    watchdog: WatchdogHandle,
    messages: Arc<GuestMessages>,
    /// Whether a listener gets the messages.
    has_listener: bool,
    module: Option<wasmtime::Module>,
    session: Option<GuestSession<WasmGuest>>,
    exports: ExportSet,
    sampler: Sampler,
    timing: Timing,
}

impl InProcessBackend {
    pub(super) fn new(spec: EngineSpec, settings: HostSettings) -> InProcessBackend {
        let watchdog = settings.interrupt.watch();
        let messages =
            Arc::new(GuestMessages::new(Arc::clone(watchdog.slot()), settings.tap.clone()));
        let exports = ExportSet::default();
        InProcessBackend {
            spec,
            settings,
            watchdog,
            messages,
            has_listener: false,
            module: None,
            session: None,
            exports,
            sampler: Sampler::new(Some(1)),
            timing: Timing::default(),
        }
    }

    fn start(&mut self) -> Result<(), Fault> {
        self.session = None;
        self.messages.clear();
        HostError::unless_as_enrolled(&self.spec).map_err(HostError::into_fault)?;
        let module = self.module().map_err(fault)?;
        self.watchdog.replace(StopTarget::Epoch(module.engine().clone()));
        let now = Instant::now();
        self.begin(now, Some(self.settings.startup));
        let loaded = self.load(&module).map_err(fault);
        match self.settle(loaded)? {
            Some(session) => self.session = Some(session),
            None => return Err(self.stall("load and describe itself")),
        }
        Ok(())
    }

    /// The compiled module, kept for the next start.
    fn module(&mut self) -> Result<wasmtime::Module, LoadError> {
        let cache = self.settings.cache.as_deref();
        let module = match self.module.take() {
            Some(module) => module,
            None => wasm::compile(StopMethod::Epoch, &self.spec.path, cache)?,
        };
        self.module = Some(module.clone());
        Ok(module)
    }

    fn load(&mut self, module: &wasmtime::Module) -> Result<GuestSession<WasmGuest>, LoadError> {
        let sink = Box::new(Arc::clone(&self.messages));
        let spec = &self.spec;
        let files = FetchFiles::new(&spec.path, spec.folder.as_deref(), &spec.reads);
        let services = Arc::new(HostServices::new(files, sink));
        let slot = Some(Arc::clone(self.watchdog.slot()));
        let guest = WasmGuest::load(module, Arc::clone(&services), self.spec.memory_mib, slot)?;
        self.exports = guest.exports();
        GuestSession::open(guest, services, &self.spec.options).map(|(session, _)| session)
    }

    fn stall(&self, what: &str) -> Fault {
        let detail = format!("did not {what} within {:?}", self.settings.startup);
        Fault { failure: Failure::Stall, detail: self.messages.with_last_words(detail) }
    }

    fn begin(&self, now: Instant, patience: Option<Duration>) {
        self.messages.start_call(now);
        self.watchdog.arm_from(now, patience);
    }

    /// The same for a question: where the thread is kept waiting for a CPU, the deadline is later.
    fn begin_question(&mut self, now: Instant, patience: Option<Duration>) {
        let account = || CpuSample::with(platform::thread_stats(platform::own_thread()?));
        if let Some(base) = self.sampler.start(patience, account) {
            self.watchdog.set_base(Some(base));
        }
        self.messages.start_call(now);
        self.watchdog.arm_question(now, patience);
    }

    /// The question is over after so long: gives back what its thread was kept waiting.
    fn correct(&mut self, spent: Nanos, patience: Option<Duration>) {
        let patience = patience.map(|patience| patience.as_nanos() as Nanos);
        let look = |_| platform::thread_stats(platform::own_thread()?);
        let seen_waiting = self.watchdog.seen_waiting();
        let (given_back, cpu_stats) = self.sampler.answered(spent, patience, seen_waiting, look);
        let correction = Correction { given_back, unasked: 0 };
        self.timing = Timing { own: None, cpu_stats, correction };
    }

    /// The result of a call that [`InProcessBackend::begin`] set the deadline of; none when that
    /// passed.
    fn settle<T>(&mut self, called: Result<T, Fault>) -> Result<Option<T>, Fault> {
        let is_late = self.watchdog.disarm();
        let fault = match called {
            Ok(value) if !is_late => return Ok(Some(value)),
            Ok(_) => None,
            Err(fault) => {
                // After a trap the instance is dead.
                self.session = None;
                Some(fault)
            }
        };
        match fault {
            _ if self.watchdog.is_interrupted() => Err(interrupted()),
            _ if self.messages.is_flood() => {
                self.session = None;
                Err(self.messages.flood())
            }
            Some(Fault { failure, detail }) if !is_late => {
                Err(Fault { failure, detail: self.messages.with_last_words(detail) })
            }
            _ => Ok(None),
        }
    }

    fn ask<T>(
        &mut self,
        wait: WaitOptions<'_>,
        call: impl FnOnce(&mut GuestSession<WasmGuest>, Instant) -> Result<T, Fault>,
    ) -> TimedExchange<T> {
        let WaitOptions { patience, time, listener } = wait;
        if listener.is_some() || self.has_listener {
            self.has_listener = listener.is_some();
            self.messages.set_listener(listener);
        }
        let asked_at = time.now();
        let now = Instant::now();
        self.begin_question(now, patience);
        let called = match &mut self.session {
            Some(session) => call(session, now),
            None => {
                let detail = "is not running".to_owned();
                Err(Fault { failure: Failure::Crash, detail })
            }
        };
        let outcome = self.settle(called);
        let answered_at = time.now();
        self.correct(answered_at.saturating_sub(asked_at), patience);
        TimedExchange { asked_at, answered_at, latest: self.messages.take_latest(), outcome }
    }
}

/// What it means for a game that an engine could not be loaded.
fn fault(error: LoadError) -> Fault {
    match error {
        LoadError::Failed(fault) => fault,
        LoadError::Refused(detail) => Fault { failure: Failure::ProtocolError, detail },
        LoadError::Unhosted(Unhosted { reason: detail, .. }) => {
            Fault { failure: Failure::Stall, detail }
        }
    }
}

impl EngineBackend for InProcessBackend {
    fn new_game(&mut self, game: &Game) -> Result<(), Fault> {
        // What is known is of an earlier game.
        self.timing = Timing::default();
        if self.session.is_none() || self.settings.restart_of(&self.spec) == RestartPolicy::On {
            self.start()?;
        }
        let now = Instant::now();
        self.begin(now, Some(self.settings.startup));
        let called = match &mut self.session {
            Some(session) => session.new_game(game),
            None => Ok(tengen_abi::status::STATE),
        };
        match self.settle(called)? {
            Some(code) => failure::judge(names::NEW_GAME, code),
            None => Err(self.stall("get ready for a game")),
        }
    }

    fn exports(&self) -> ExportSet {
        self.exports
    }

    fn timing(&self) -> Timing {
        self.timing
    }

    fn choose(
        &mut self,
        update: PositionUpdate<'_>,
        limits: &Limits,
        wait: WaitOptions<'_>,
    ) -> TimedExchange<(i32, Reply)> {
        self.ask(wait, |session, now| session.choose(update.keep, update.codes(), limits, now))
    }

    fn decide(
        &mut self,
        update: PositionUpdate<'_>,
        (question, candidates): (&Question, &[MoveCode]),
        limits: &Limits,
        wait: WaitOptions<'_>,
    ) -> TimedExchange<(i32, Verdict)> {
        self.ask(wait, |session, now| {
            session.decide(update.keep, update.codes(), question, candidates, limits, now)
        })
    }

    fn end_game(&mut self, outcome: i32, reason: u32) {
        let now = Instant::now();
        self.begin(now, Some(self.settings.startup));
        let called = match &mut self.session {
            Some(session) => session.guest().end_game(outcome, reason),
            None => Ok(tengen_abi::status::STATE),
        };
        // Too late to matter for this game; an engine that died of it is started for the next.
        if let Err(fault) = self.settle(called) {
            log::debug!("{}: {}", self.spec.id, fault.detail);
        }
    }

    fn fail(&mut self, fault: Fault) -> Fault {
        self.session = None;
        Fault { detail: self.messages.with_last_words(fault.detail), ..fault }
    }
}
