use std::sync::Arc;

use tengen_arbiter::{Failure, GameResult, Limits, Nanos};
use tengen_players::{Fault, GameSetup, Player, Reply, Request, Time};
use tengen_rules::Seat;

use super::desk::{Desk, Heard};
use super::keeping::Introduction;
use crate::app::{Hired, Occupant, Phase, Shelf, Terms};

/// How long an engine may overrun what it is given where no clock runs, before it counts as hung.
const STALL: Nanos = 60_000_000_000;

/// One side of the table: whoever sits there now answers.
pub(super) struct Chair {
    pub(super) seat: Seat,
    pub(super) terms: Terms,
    /// What an engine may think where no clock runs.
    pub(super) budget: Nanos,
    pub(super) shelf: Arc<dyn Shelf>,
    pub(super) desk: Arc<Desk>,
    /// Whether the arbiter takes who sits there for a person.
    pub(super) is_person: bool,
    setup: Option<GameSetup>,
    engine: Option<Engaged>,
}

/// An engine on a chair.
struct Engaged {
    id: String,
    hired: Hired,
    /// Whether it was made ready for this game.
    ready: bool,
}

impl Chair {
    pub(super) fn new(
        seat: Seat,
        terms: Terms,
        budget: Nanos,
        shelf: Arc<dyn Shelf>,
        desk: Arc<Desk>,
    ) -> Chair {
        let is_person = desk.occupants()[seat].is_person();
        Chair { seat, terms, budget, shelf, desk, is_person, setup: None, engine: None }
    }

    /// Makes an engine ready that is not; a person always is.
    fn engage(&mut self, id: &str) -> Result<(), Fault> {
        self.hire(id)?;
        let setup = self.setup.as_ref().expect("a table makes players ready before it asks them");
        let engine = self.engine.as_mut().expect("it was just hired");
        if !engine.ready && self.desk.begin_work(&engine.hired.interrupt) {
            let readied = engine.hired.player.new_game(setup);
            if !self.desk.end_work() {
                self.engine = None;
                return Ok(());
            }
            readied?;
            engine.ready = true;
        }
        Ok(())
    }

    /// Fetches the engine that is to sit there. Says which could not be, and why.
    pub(super) fn fetch(&mut self) -> Result<(), (String, String)> {
        let Occupant::Engine(id) = self.desk.occupants()[self.seat].clone() else { return Ok(()) };
        self.hire(&id).map_err(|fault| (id, fault.detail))
    }

    /// Has the engine of that id on the chair.
    fn hire(&mut self, id: &str) -> Result<(), Fault> {
        if self.engine.as_ref().is_none_or(|engine| engine.id != id) {
            let fault = |detail| Fault { failure: Failure::Crash, detail };
            let hired = self.shelf.hire(id, &self.terms).map_err(fault)?;
            self.desk.note_hired(self.seat, Introduction::new(id, &hired));
            self.desk.name_engines();
            self.engine = Some(Engaged { id: id.to_owned(), hired, ready: false });
        }
        Ok(())
    }

    fn ask_engine(&mut self, id: &str, request: &Request<'_>, time: &dyn Time) -> Reply {
        let asked_at = time.now();
        if let Err(fault) = self.engage(id) {
            self.desk.lives[self.seat].write(request.moves.len(), &fault.detail, true);
            self.engine = None;
            return reply(asked_at, time.now(), Err(fault));
        }
        let Some(engine) = &mut self.engine else {
            return reply(asked_at, time.now(), Ok(None));
        };
        if !self.desk.begin_work(&engine.hired.interrupt) {
            return reply(asked_at, time.now(), Ok(None));
        }
        let limits = within(request.limits, self.budget);
        let patience = request.patience.or(limits.hard.map(|hard| hard.saturating_add(STALL)));
        let request = Request { limits, patience, ..*request };
        let live = &self.desk.lives[self.seat];
        let reply = live.ask(&mut *engine.hired.player, &request, 1, time);
        let is_whole = self.desk.end_work();
        if let (true, Err(fault)) = (is_whole, &reply.outcome) {
            live.write(request.moves.len(), &fault.detail, true);
        }
        if !is_whole || reply.outcome.is_err() {
            self.engine = None;
        }
        reply
    }

    fn ask_person(&self, asked_at: Nanos, request: &Request<'_>, time: &dyn Time) -> Reply {
        let deadline = request.patience.map(|patience| asked_at.saturating_add(patience));
        match self.desk.hear(deadline) {
            Heard::Said(action, at) => reply(asked_at, at.max(asked_at), Ok(Some(action))),
            Heard::Late | Heard::Left => reply(asked_at, time.now(), Ok(None)),
        }
    }
}

impl Player for Chair {
    fn new_game(&mut self, game: &GameSetup) -> Result<(), Fault> {
        self.setup = Some(game.clone());
        match &self.desk.occupants()[self.seat] {
            Occupant::Person => Ok(()),
            Occupant::Engine(id) => self.engage(id),
        }
    }

    fn ask(&mut self, request: &Request<'_>, time: &dyn Time) -> Reply {
        let occupant = self.desk.occupants()[self.seat].clone();
        if occupant.is_person() != self.is_person {
            // The arbiter is to know first who sits there.
            self.desk.stand_up();
        }
        if self.desk.stand_up_to_rest() {
            return reply(time.now(), time.now(), Ok(None));
        }
        let asked_at = time.now();
        self.desk.publish(|snapshot| {
            snapshot.phase = Phase::Playing;
            if let Some(asked) = &mut snapshot.asked {
                asked.since = Some(asked_at);
            }
        });
        match occupant {
            Occupant::Person => self.ask_person(asked_at, request, time),
            Occupant::Engine(id) => self.ask_engine(&id, request, time),
        }
    }

    fn take_said(&mut self) -> Vec<String> {
        self.engine.as_mut().map(|engine| engine.hired.player.take_said()).unwrap_or_default()
    }

    fn end_game(&mut self, result: GameResult) {
        if let Some(engine) = &mut self.engine {
            engine.hired.player.end_game(result);
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

/// The limits, with one on the time where there is none at all.
pub(super) fn within(limits: Limits, budget: Nanos) -> Limits {
    let unbounded = limits.hard.is_none() && limits.nodes.is_none() && limits.depth.is_none();
    if unbounded { Limits { hard: Some(budget), ..limits } } else { limits }
}
