use std::sync::Arc;
use std::time::{Duration, Instant};

use tengen_abi::{Game, Limits, MoveCode, Question, Reply, Verdict, names};
use tengen_arbiter::Failure;
use tengen_players::Fault;

use super::messages::Messages;
use super::{Heard, Line, Told, Wait, interrupted};
use crate::guest::{Guest, LoadError};
use crate::services::Services;
use crate::session::Session;
use crate::wasm::{self, Stopping, WasmGuest};
use crate::watchdog::{Target, Watched};
use crate::{ExportSet, HostSettings, failure};
use tengen_packages::EngineSpec;

/// A WASM engine in this process, stopped at its deadlines by an epoch.
pub(super) struct InsideLine {
    spec: EngineSpec,
    settings: HostSettings,
    watched: Watched,
    messages: Arc<Messages>,
    /// Whether somebody hears the messages.
    is_heard: bool,
    module: Option<wasmtime::Module>,
    session: Option<Session<WasmGuest>>,
    exports: ExportSet,
}

impl InsideLine {
    pub(super) fn new(spec: EngineSpec, settings: HostSettings) -> InsideLine {
        let watched = settings.interrupt.watch();
        let messages = Arc::new(Messages::new(Arc::clone(watched.slot())));
        let exports = ExportSet::default();
        InsideLine {
            spec,
            settings,
            watched,
            messages,
            is_heard: false,
            module: None,
            session: None,
            exports,
        }
    }

    fn start(&mut self) -> Result<(), Fault> {
        self.session = None;
        self.messages.clear();
        let module = self.module().map_err(fault)?;
        self.watched.replace(Target::Epoch(module.engine().clone()));
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
            None => wasm::compile(Stopping::Epoch, &self.spec.path, cache)?,
        };
        self.module = Some(module.clone());
        Ok(module)
    }

    fn load(&mut self, module: &wasmtime::Module) -> Result<Session<WasmGuest>, LoadError> {
        let outlet = Box::new(Arc::clone(&self.messages));
        let services = Arc::new(Services::new(self.spec.folder.clone(), outlet));
        let slot = Some(Arc::clone(self.watched.slot()));
        let guest = WasmGuest::load(module, Arc::clone(&services), self.spec.memory_mib, slot)?;
        self.exports = guest.exports();
        Session::open(guest, services, &self.spec.options).map(|(session, _)| session)
    }

    fn stall(&self, what: &str) -> Fault {
        let detail = format!("did not {what} within {:?}", self.settings.startup);
        Fault { failure: Failure::Stall, detail: self.messages.with_last_words(detail) }
    }

    fn begin(&self, now: Instant, patience: Option<Duration>) {
        self.messages.begin(now);
        self.watched.arm_from(now, patience);
    }

    /// What came of a call that [`InsideLine::begin`] set the deadline of; none when that passed.
    fn settle<T>(&mut self, called: Result<T, Fault>) -> Result<Option<T>, Fault> {
        let is_late = self.watched.disarm();
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
            _ if self.watched.is_interrupted() => Err(interrupted()),
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
        wait: Wait<'_>,
        call: impl FnOnce(&mut Session<WasmGuest>, Instant) -> Result<T, Fault>,
    ) -> Heard<T> {
        let Wait { patience, time, listener } = wait;
        if listener.is_some() || self.is_heard {
            self.is_heard = listener.is_some();
            self.messages.hear(listener);
        }
        let asked_at = time.now();
        let now = Instant::now();
        self.begin(now, patience);
        let called = match &mut self.session {
            Some(session) => call(session, now),
            None => {
                let detail = "is not running".to_owned();
                Err(Fault { failure: Failure::Crash, detail })
            }
        };
        let outcome = self.settle(called);
        let answered_at = time.now();
        Heard { asked_at, answered_at, best: self.messages.take_best(), outcome }
    }
}

/// What it means for a game that an engine could not be loaded.
fn fault(error: LoadError) -> Fault {
    match error {
        LoadError::Failed(fault) => fault,
        LoadError::Refused(detail) => Fault { failure: Failure::ProtocolError, detail },
    }
}

impl Line for InsideLine {
    fn new_game(&mut self, game: &Game) -> Result<(), Fault> {
        if self.session.is_none() || self.settings.restart {
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

    fn choose(&mut self, told: Told<'_>, limits: &Limits, wait: Wait<'_>) -> Heard<(i32, Reply)> {
        self.ask(wait, |session, now| session.choose(told.keep, told.codes(), limits, now))
    }

    fn decide(
        &mut self,
        told: Told<'_>,
        (question, candidates): (&Question, &[MoveCode]),
        limits: &Limits,
        wait: Wait<'_>,
    ) -> Heard<(i32, Verdict)> {
        self.ask(wait, |session, now| {
            session.decide(told.keep, told.codes(), question, candidates, limits, now)
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
