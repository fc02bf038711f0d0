//! Text engines as players: a process of its own, its lines over two pipes.

mod check;
mod dialects;
mod pipes;
mod probe;
mod said;
mod shown;
mod talk;
mod tongue;

use std::time::{Duration, Instant};

use tengen_arbiter::{Action, Failure, GameResult, Nanos};
use tengen_gomocup::{Asked, Dialogue, GameType, NewGame, Terms};
use tengen_packages::EngineSpec;
use tengen_players::{Fault, GameSetup, Player, Reply, Request, Time, Timing};
use tengen_rules::{Answer, Rule, Size};

use crate::link::Loss;
use crate::{HostError, HostSettings};
pub(crate) use check::check;
pub use dialects::Dialects;
pub(crate) use probe::probe;
pub use shown::Shown;
use talk::{Event, Talk};
use tongue::Tongue;

const MIB: u64 = 1 << 20;
/// The part of the time for starting after which a brain counts as one that was not understood.
const SILENT: u32 = 4;

/// A text engine as a player.
pub(crate) struct BrainPlayer {
    spec: EngineSpec,
    talk: Talk,
    terms: Terms,
}

impl BrainPlayer {
    pub(crate) fn new(spec: EngineSpec, settings: HostSettings) -> BrainPlayer {
        let talk = Talk::new(spec.clone(), settings);
        BrainPlayer { spec, talk, terms: Terms::new(Rule::Freestyle, Size::STANDARD) }
    }

    /// Starts the process and begins the game with it.
    fn start(&mut self) -> Result<(), Fault> {
        self.talk.start().map_err(HostError::into_fault)?;
        self.terms.folder = self.talk.desk().map(str::to_owned);
        introduce(&mut self.talk).map_err(|loss| self.talk.fault(loss, "say who it is"))?;
        self.begin().map(drop)
    }

    /// Begins the game with the process that runs. Gives whether it can be begun with that.
    fn begin(&mut self) -> Result<bool, Fault> {
        let begun = open(&mut self.talk, &self.terms).and_then(|is_ready| {
            if is_ready {
                self.talk.prepare()?;
            }
            Ok(is_ready)
        });
        begun.map_err(|loss| self.talk.fault(loss, "get ready for a game"))
    }

    /// Brings a question to the engine and its answer back. Gives them with their times.
    fn put(
        &mut self,
        request: &Request<'_>,
        time: &dyn Time,
        asked_at: &mut Nanos,
    ) -> Result<(Answer, Nanos), Loss> {
        let mut patience = request.patience;
        if !self.talk.is_running_here() {
            // It was killed for being late, and the event goes on with a move in its place.
            let start = self.start().map_err(Loss::Fault);
            let spent = time.now().saturating_sub(*asked_at);
            patience = patience.map(|patience| patience.saturating_sub(spent));
            start?;
        } else {
            let is_charged = self.talk.rouse(patience.map(Duration::from_nanos))?;
            let now = time.now();
            if is_charged {
                patience = patience.map(|left| left.saturating_sub(now.saturating_sub(*asked_at)));
            } else {
                // Continuing a process that was stopped is nothing that it did.
                *asked_at = now;
            }
        }
        match self.talk.tongue.ask(request.moves, request.ask, request.limits) {
            Asked::Known(answer) => return Ok((answer, *asked_at)),
            Asked::Sent | Asked::Held => {}
            Asked::Unsayable => {
                let detail = format!("{:?} cannot be asked in its protocol", request.ask);
                return Err(Loss::Fault(Fault { failure: Failure::ProtocolError, detail }));
            }
        }
        self.talk.say(patience.map(Duration::from_nanos))?;
        match self.talk.listen(&|| time.now(), *asked_at)? {
            (Event::Answer(answer), at) => Ok((answer, at)),
            (event, _) => Err(Loss::Fault(unexpected(&event))),
        }
    }
}

/// Waits until a process has said who it is, where its protocol has it do so.
fn introduce(talk: &mut Talk) -> Result<(), Loss> {
    if matches!(talk.tongue, Tongue::Sau(_)) {
        talk.tongue.about();
        let startup = talk.settings().startup;
        talk.exchange(Some(startup))?;
    }
    Ok(())
}

/// Begins a game. Gives whether that can be done with this process.
fn open(talk: &mut Talk, terms: &Terms) -> Result<bool, Loss> {
    if talk.tongue.new_game(terms) == NewGame::StartAgain {
        return Ok(false);
    }
    if !talk.tongue.is_waiting() {
        return Ok(true);
    }
    if talk.tongue.gomocup().is_some_and(|brain| brain.awaits_next_game()) {
        return restart(talk);
    }
    let refused = match start(talk) {
        Err(Loss::Fault(fault)) if fault.failure == Failure::ProtocolError => fault,
        started => return started,
    };
    // It may take no line that ends with CR LF: the number in START is none to it.
    if !talk.tongue.gomocup().is_some_and(Dialogue::try_lf) {
        return Err(Loss::Fault(refused));
    }
    talk.start().map_err(|error| Loss::Fault(error.into_fault()))?;
    talk.tongue.new_game(terms);
    match start(talk) {
        Err(Loss::Fault(_) | Loss::Late) => {
            talk.tongue.gomocup().into_iter().for_each(Dialogue::undo_lf);
            Err(Loss::Fault(refused))
        }
        started => started,
    }
}

/// Waits for the answer to START. A brain that is silent for long is told it again with LF alone,
/// if it has never understood a line.
fn start(talk: &mut Talk) -> Result<bool, Loss> {
    let (begun, startup) = (Instant::now(), talk.settings().startup);
    talk.say(Some(startup))?;
    let mut event = None;
    if cfg!(unix) && talk.tongue.dialect().is_some_and(|known| known.line_end.is_none()) {
        event = talk.await_event(startup / SILENT)?;
        if let Some(brain) = talk.tongue.gomocup().filter(|_| event.is_none())
            && brain.try_lf()
        {
            brain.repeat_start();
            talk.say(Some(startup.saturating_sub(begun.elapsed())))?;
        }
    }
    let event = match event {
        Some(event) => event,
        None => talk.listen_since(begun)?,
    };
    talk.took = begun.elapsed();
    is_ready(&event)
}

/// Waits for the OK to another game, which a brain need not begin: as long as to start it again
/// would take.
fn restart(talk: &mut Talk) -> Result<bool, Loss> {
    talk.say(Some(talk.settings().startup))?;
    match talk.await_event(talk.optional_patience()) {
        Ok(Some(event)) => is_ready(&event),
        Ok(None) | Err(Loss::Late) => {
            talk.tongue.gomocup().into_iter().for_each(Dialogue::needs_new_process);
            // It would be told END and waited for again.
            talk.kill();
            Ok(false)
        }
        Err(loss) => Err(loss),
    }
}

fn is_ready(event: &Event) -> Result<bool, Loss> {
    match event {
        Event::Ready => Ok(true),
        Event::StartAgain => Ok(false),
        event => Err(Loss::Fault(unexpected(event))),
    }
}

fn unexpected(event: &Event) -> Fault {
    let detail = format!("said what nobody asked: {event:?}");
    Fault { failure: Failure::ProtocolError, detail }
}

impl Player for BrainPlayer {
    fn new_game(&mut self, game: &GameSetup) -> Result<(), Fault> {
        self.terms = Terms {
            time: game.time,
            game_type: GameType::Tournament,
            max_memory: self.spec.memory_mib.map(|mib| u64::from(mib) * MIB),
            folder: self.talk.desk().map(str::to_owned),
            threads: self.spec.threads,
            options: self.spec.options.clone(),
            send_board: self.talk.settings().send_board,
            ..Terms::new(game.rule, game.size)
        };
        self.talk.words().new_game();
        self.talk.said.new_game();
        if !self.talk.is_running_here() || self.talk.settings().restart {
            return self.start();
        }
        match self.begin() {
            Ok(true) => Ok(()),
            // It begins no other game, or it may have died or hung in the one before.
            Ok(false) => self.start(),
            Err(Fault { failure: Failure::Crash | Failure::Stall, .. })
                if !self.talk.settings().interrupt.is_raised() =>
            {
                self.start()
            }
            Err(fault) => Err(fault),
        }
    }

    fn ask(&mut self, request: &Request<'_>, time: &dyn Time) -> Reply {
        self.talk.hear_with(request.watch.map(|watch| watch.listener));
        self.talk.weigh(request.patience.map(Duration::from_nanos));
        let mut asked_at = time.now();
        let (outcome, answered_at) = match self.put(request, time, &mut asked_at) {
            Ok((answer, at)) => {
                // Its answer was there before the watchdog was.
                if at.saturating_sub(asked_at) >= request.patience.unwrap_or(Nanos::MAX) {
                    self.talk.weigh_late();
                }
                (Ok(Some(Action::Answer(answer))), at)
            }
            Err(Loss::Late) => (Ok(None), time.now()),
            Err(loss) => {
                self.talk.kill();
                (Err(self.talk.fault(loss, "answer")), time.now())
            }
        };
        let info = self.talk.tongue.search_info();
        let pv = self.talk.tongue.variation();
        Reply { asked_at, answered_at, offers_draw: false, outcome, info, pv }
    }

    fn timing(&self) -> Timing {
        Timing { own: None, cpu_stats: self.talk.cpu_stats() }
    }

    fn take_said(&mut self) -> Vec<String> {
        let mut said = self.talk.words().denials().take_new();
        said.append(&mut self.talk.said.take());
        said
    }

    fn end_game(&mut self, _: GameResult) {}
}
