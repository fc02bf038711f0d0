//! Text engines as players: a process of its own, its lines over two pipes.

mod check;
mod dialects;
mod observed_support;
mod pipes;
mod probe;
mod record_lines;
mod text_process;
mod text_protocol;

use std::time::{Duration, Instant};

use tengen_arbiter::{Action, Failure, GameResult, Nanos};
use tengen_gomocup::{AskResult, Dialogue, GameTerms, GameType, NewGameResult};
use tengen_packages::EngineSpec;
use tengen_players::{Fault, GameSetup, Player, Reply, Request, Time, Timing};
use tengen_rules::{Answer, Rule, Size};

use crate::process::EngineLoss;
use crate::{HostError, HostSettings};
pub(crate) use check::check;
pub use dialects::Dialects;
pub use observed_support::ObservedSupport;
pub(crate) use probe::probe;
use text_process::{ProtocolEvent, TextProcess};
use text_protocol::TextProtocol;

const MIB: u64 = 1 << 20;
/// The part of the time for starting after which a brain counts as one that was not understood.
const SILENT: u32 = 4;

/// A text engine as a player.
pub(crate) struct TextPlayer {
    spec: EngineSpec,
    process: TextProcess,
    terms: GameTerms,
}

impl TextPlayer {
    pub(crate) fn new(spec: EngineSpec, settings: HostSettings) -> TextPlayer {
        let process = TextProcess::new(spec.clone(), settings);
        TextPlayer { spec, process, terms: GameTerms::new(Rule::Freestyle, Size::STANDARD) }
    }

    /// Starts the process and begins the game with it.
    fn start(&mut self) -> Result<(), Fault> {
        self.process.start().map_err(HostError::into_fault)?;
        self.terms.folder = self.process.scratch().map(str::to_owned);
        introduce(&mut self.process).map_err(|loss| self.process.fault(loss, "say who it is"))?;
        self.begin().map(drop)
    }

    /// Begins the game with the process that runs. Gives whether it can be begun with that.
    fn begin(&mut self) -> Result<bool, Fault> {
        let begun = open(&mut self.process, &self.terms).and_then(|is_ready| {
            if is_ready {
                self.process.prepare()?;
            }
            Ok(is_ready)
        });
        begun.map_err(|loss| self.process.fault(loss, "get ready for a game"))
    }

    /// Brings a question to the engine and its answer back. Gives them with their times.
    fn put(
        &mut self,
        request: &Request<'_>,
        time: &dyn Time,
        asked_at: &mut Nanos,
    ) -> Result<(Answer, Nanos), EngineLoss> {
        let mut patience = request.patience;
        if !self.process.is_running_here() {
            // It was killed for being late, and the event goes on with a move in its place.
            let start = self.start().map_err(EngineLoss::Fault);
            let spent = time.now().saturating_sub(*asked_at);
            patience = patience.map(|patience| patience.saturating_sub(spent));
            start?;
        } else {
            let is_charged = self.process.rouse(patience.map(Duration::from_nanos))?;
            let now = time.now();
            if is_charged {
                patience = patience.map(|left| left.saturating_sub(now.saturating_sub(*asked_at)));
            } else {
                // Continuing a process that was stopped is nothing that it did.
                *asked_at = now;
            }
        }
        match self.process.protocol.ask(request.moves, request.ask, request.limits) {
            AskResult::Known(answer) => return Ok((answer, *asked_at)),
            AskResult::Sent | AskResult::Held => {}
            AskResult::Unsupported => {
                let detail = format!("{:?} cannot be asked in its protocol", request.ask);
                return Err(EngineLoss::Fault(Fault { failure: Failure::ProtocolError, detail }));
            }
        }
        self.process.say(patience.map(Duration::from_nanos))?;
        match self.process.listen(&|| time.now(), *asked_at)? {
            (ProtocolEvent::Answer(answer), at) => Ok((answer, at)),
            (event, _) => Err(EngineLoss::Fault(unexpected(&event))),
        }
    }
}

/// Waits until a process has said who it is, where its protocol has it do so.
fn introduce(process: &mut TextProcess) -> Result<(), EngineLoss> {
    if matches!(process.protocol, TextProtocol::Sau(_)) {
        process.protocol.about();
        let startup = process.settings().startup;
        process.exchange(Some(startup))?;
    }
    Ok(())
}

/// Begins a game. Gives whether that can be done with this process.
fn open(process: &mut TextProcess, terms: &GameTerms) -> Result<bool, EngineLoss> {
    if process.protocol.new_game(terms) == NewGameResult::StartAgain {
        return Ok(false);
    }
    if !process.protocol.is_waiting() {
        return Ok(true);
    }
    if process.protocol.gomocup().is_some_and(|brain| brain.awaits_next_game()) {
        return restart(process);
    }
    let refused = match start(process) {
        Err(EngineLoss::Fault(fault)) if fault.failure == Failure::ProtocolError => fault,
        started => return started,
    };
    // It may take no line that ends with CR LF: the number in START is none to it.
    if !process.protocol.gomocup().is_some_and(Dialogue::try_lf) {
        return Err(EngineLoss::Fault(refused));
    }
    process.start().map_err(|error| EngineLoss::Fault(error.into_fault()))?;
    process.protocol.new_game(terms);
    match start(process) {
        Err(EngineLoss::Fault(_) | EngineLoss::Late) => {
            process.protocol.gomocup().into_iter().for_each(Dialogue::use_cr_lf);
            Err(EngineLoss::Fault(refused))
        }
        started => started,
    }
}

/// Waits for the answer to START. A brain that is silent for long is told it again with LF alone,
/// if it has never understood a line.
fn start(process: &mut TextProcess) -> Result<bool, EngineLoss> {
    let (begun, startup) = (Instant::now(), process.settings().startup);
    process.say(Some(startup))?;
    let mut event = None;
    if cfg!(unix) && process.protocol.dialect().is_some_and(|known| known.line_end.is_none()) {
        event = process.await_event(startup / SILENT)?;
        if let Some(brain) = process.protocol.gomocup().filter(|_| event.is_none())
            && brain.try_lf()
        {
            brain.repeat_start();
            process.say(Some(startup.saturating_sub(begun.elapsed())))?;
        }
    }
    let event = match event {
        Some(event) => event,
        None => process.listen_since(begun)?,
    };
    process.took = begun.elapsed();
    is_ready(&event)
}

/// Waits for the OK to another game, which a brain need not begin: as long as to start it again
/// would take.
fn restart(process: &mut TextProcess) -> Result<bool, EngineLoss> {
    process.say(Some(process.settings().startup))?;
    match process.await_event(process.optional_patience()) {
        Ok(Some(event)) => is_ready(&event),
        Ok(None) | Err(EngineLoss::Late) => {
            process.protocol.gomocup().into_iter().for_each(Dialogue::needs_new_process);
            // It would be told END and waited for again.
            process.kill();
            Ok(false)
        }
        Err(loss) => Err(loss),
    }
}

fn is_ready(event: &ProtocolEvent) -> Result<bool, EngineLoss> {
    match event {
        ProtocolEvent::Ready => Ok(true),
        ProtocolEvent::StartAgain => Ok(false),
        event => Err(EngineLoss::Fault(unexpected(event))),
    }
}

fn unexpected(event: &ProtocolEvent) -> Fault {
    let detail = format!("said what nobody asked: {event:?}");
    Fault { failure: Failure::ProtocolError, detail }
}

impl Player for TextPlayer {
    fn new_game(&mut self, game: &GameSetup) -> Result<(), Fault> {
        self.terms = GameTerms {
            time: game.time,
            game_type: GameType::Tournament,
            max_memory: self.spec.memory_mib.map(|mib| u64::from(mib) * MIB),
            folder: self.process.scratch().map(str::to_owned),
            threads: self.spec.threads,
            options: self.spec.options.clone(),
            send_board: self.process.settings().send_board,
            ..GameTerms::new(game.rule, game.size)
        };
        self.process.engine_log().new_game();
        self.process.record_lines.new_game();
        if !self.process.is_running_here() || self.process.settings().restart {
            return self.start();
        }
        match self.begin() {
            Ok(true) => Ok(()),
            // It begins no other game, or it may have died or hung in the one before.
            Ok(false) => self.start(),
            Err(Fault { failure: Failure::Crash | Failure::Stall, .. })
                if !self.process.settings().interrupt.is_raised() =>
            {
                self.start()
            }
            Err(fault) => Err(fault),
        }
    }

    fn ask(&mut self, request: &Request<'_>, time: &dyn Time) -> Reply {
        self.process.hear_with(request.watch.map(|watch| watch.listener));
        self.process.start_sample(request.patience.map(Duration::from_nanos));
        let mut asked_at = time.now();
        let (outcome, answered_at) = match self.put(request, time, &mut asked_at) {
            Ok((answer, at)) => {
                // Its answer was there before the watchdog was.
                if at.saturating_sub(asked_at) >= request.patience.unwrap_or(Nanos::MAX) {
                    self.process.sample_late();
                }
                (Ok(Some(Action::Answer(answer))), at)
            }
            Err(EngineLoss::Late) => (Ok(None), time.now()),
            Err(loss) => {
                self.process.kill();
                (Err(self.process.fault(loss, "answer")), time.now())
            }
        };
        let info = self.process.protocol.search_info();
        let pv = self.process.protocol.variation();
        Reply { asked_at, answered_at, offers_draw: false, outcome, info, pv }
    }

    fn timing(&self) -> Timing {
        Timing { own: None, cpu_stats: self.process.cpu_stats() }
    }

    fn take_said(&mut self) -> Vec<String> {
        let mut record_lines = self.process.engine_log().denials().take_new();
        record_lines.append(&mut self.process.record_lines.take());
        record_lines
    }

    fn end_game(&mut self, _: GameResult) {}
}
