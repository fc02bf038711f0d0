//! The player of a seat: a person or an engine.

use std::sync::Arc;

use tengen_arbiter::{Failure, GameResult, Limits, Nanos};
use tengen_lineup::EngineProvider;
use tengen_players::{EngineInstance, Fault, GameSetup, GameVariant, Player, Reply, Request, Time};
use tengen_rules::Seat;

use super::handle::{GameHandle, PersonReply};
use super::recording::StartedEngine;
use crate::app::model::{Phase, PlayerSpec};

/// How long an engine may overrun its budget without a clock before it counts as hung.
const STALL: Nanos = 60_000_000_000;

/// The current player of a seat: a person or an engine.
pub(super) struct SeatPlayer {
    pub(super) seat: Seat,
    pub(super) variant: GameVariant,
    /// How long an engine may think without a clock.
    pub(super) budget: Nanos,
    pub(super) provider: Arc<dyn EngineProvider>,
    pub(super) handle: Arc<GameHandle>,
    /// The player that the arbiter and the record know.
    pub(super) known: PlayerSpec,
    setup: Option<GameSetup>,
    engine: Option<SeatEngine>,
}

struct SeatEngine {
    id: String,
    instance: EngineInstance,
    /// Whether it is ready for this game.
    ready: bool,
}

impl SeatPlayer {
    pub(super) fn new(
        seat: Seat,
        variant: GameVariant,
        budget: Nanos,
        provider: Arc<dyn EngineProvider>,
        handle: Arc<GameHandle>,
    ) -> SeatPlayer {
        let known = handle.specs()[seat].clone();
        SeatPlayer { seat, variant, budget, provider, handle, known, setup: None, engine: None }
    }

    /// Makes an engine ready; a person always is.
    fn prepare_engine(&mut self, id: &str) -> Result<(), Fault> {
        self.load_engine(id)?;
        let setup = self.setup.as_ref().expect("a runner makes players ready before it asks them");
        let engine = self.engine.as_mut().expect("it was just started");
        if !engine.ready && self.handle.start_work(&engine.instance.interrupt) {
            let readied = engine.instance.player.new_game(setup);
            if !self.handle.end_work() {
                self.engine = None;
                return Ok(());
            }
            readied?;
            engine.ready = true;
        }
        Ok(())
    }

    /// Starts the engine of the seat.
    ///
    /// # Errors
    /// The engine that could not be started, and why.
    pub(super) fn load_assigned(&mut self) -> Result<(), (String, String)> {
        let PlayerSpec::Engine(id) = self.handle.specs()[self.seat].clone() else { return Ok(()) };
        self.load_engine(&id).map_err(|fault| (id, fault.detail))
    }

    /// Starts the engine with that id, unless it is running.
    fn load_engine(&mut self, id: &str) -> Result<(), Fault> {
        if self.engine.as_ref().is_none_or(|engine| engine.id != id) {
            let fault = |detail| Fault { failure: Failure::Crash, detail };
            let instance = self.provider.start(id, &self.variant).map_err(fault)?;
            self.handle.set_identity(self.seat, StartedEngine::new(id, &instance));
            self.handle.update_engine_names();
            self.engine = Some(SeatEngine { id: id.to_owned(), instance, ready: false });
        }
        Ok(())
    }

    fn ask_engine(&mut self, id: &str, request: &Request<'_>, time: &dyn Time) -> Reply {
        let asked_at = time.now();
        if let Err(fault) = self.prepare_engine(id) {
            self.handle.outputs[self.seat].write(request.moves.len(), &fault.detail, true);
            self.engine = None;
            return reply(asked_at, time.now(), Err(fault));
        }
        let Some(engine) = &mut self.engine else {
            return reply(asked_at, time.now(), Ok(None));
        };
        if !self.handle.start_work(&engine.instance.interrupt) {
            return reply(asked_at, time.now(), Ok(None));
        }
        let limits = within(request.limits, self.budget);
        let patience = request.patience.or(limits.hard.map(|hard| hard.saturating_add(STALL)));
        let request = Request { limits, patience, ..*request };
        let output = &self.handle.outputs[self.seat];
        let reply = output.ask(&mut *engine.instance.player, &request, 1, time);
        let is_whole = self.handle.end_work();
        if let (true, Err(fault)) = (is_whole, &reply.outcome) {
            output.write(request.moves.len(), &fault.detail, true);
        }
        if !is_whole || reply.outcome.is_err() {
            self.engine = None;
        }
        reply
    }

    fn ask_person(&self, asked_at: Nanos, request: &Request<'_>, time: &dyn Time) -> Reply {
        let deadline = request.patience.map(|patience| asked_at.saturating_add(patience));
        match self.handle.wait_for_person(deadline) {
            PersonReply::Acted(action, at) => reply(asked_at, at.max(asked_at), Ok(Some(action))),
            PersonReply::TimedOut | PersonReply::Interrupted => {
                reply(asked_at, time.now(), Ok(None))
            }
        }
    }
}

impl Player for SeatPlayer {
    fn new_game(&mut self, game: &GameSetup) -> Result<(), Fault> {
        self.setup = Some(game.clone());
        if self.handle.interrupt_if_needed() {
            // A paused game needs no engine yet, and must not be lost by one that is gone.
            return Ok(());
        }
        match &self.handle.specs()[self.seat] {
            PlayerSpec::Person => Ok(()),
            PlayerSpec::Engine(id) => self.prepare_engine(id),
        }
    }

    fn ask(&mut self, request: &Request<'_>, time: &dyn Time) -> Reply {
        let spec = self.handle.specs()[self.seat].clone();
        if spec != self.known {
            // The arbiter and the record have to know the player first.
            self.handle.interrupt_question();
        }
        if self.handle.interrupt_if_needed() {
            return reply(time.now(), time.now(), Ok(None));
        }
        let asked_at = time.now();
        self.handle.publish(|snapshot| {
            snapshot.phase = Phase::Playing;
            if let Some(asked) = &mut snapshot.asked {
                asked.since = Some(asked_at);
            }
        });
        match spec {
            PlayerSpec::Person => self.ask_person(asked_at, request, time),
            PlayerSpec::Engine(id) => self.ask_engine(&id, request, time),
        }
    }

    fn failed_unasked(&mut self) -> Option<Fault> {
        let fault = self.engine.as_mut()?.instance.player.failed_unasked()?;
        self.handle.outputs[self.seat].write(0, &fault.detail, true);
        self.engine = None;
        Some(fault)
    }

    fn take_said(&mut self) -> Vec<String> {
        self.engine.as_mut().map(|engine| engine.instance.player.take_said()).unwrap_or_default()
    }

    fn end_game(&mut self, result: GameResult) {
        if let Some(engine) = &mut self.engine {
            engine.instance.player.end_game(result);
            engine.ready = false;
        }
    }
}

fn reply(
    asked_at: Nanos,
    answered_at: Nanos,
    outcome: Result<Option<tengen_arbiter::Action>, Fault>,
) -> Reply {
    Reply { asked_at, answered_at, offers_draw: false, outcome, info: None, pv: Vec::new() }
}

/// The limits, with a time limit where there is none at all.
pub(super) fn within(limits: Limits, budget: Nanos) -> Limits {
    let unbounded = limits.hard.is_none() && limits.nodes.is_none() && limits.depth.is_none();
    if unbounded { Limits { hard: Some(budget), ..limits } } else { limits }
}
