//! Text engines as players.

use std::time::Duration;

use tengen_arbiter::{Action, Failure, GameResult, Nanos};
use tengen_gomocup::{AskResult, GameTerms, GameType};
use tengen_packages::{EngineSpec, RestartPolicy};
use tengen_players::{Fault, GameSetup, Player, Reply, Request, Time, Timing};
use tengen_rules::{Answer, Rule, Size};

use crate::process::{EngineLoss, TextProcess, unexpected};
use crate::protocol::TextEvent;
use crate::{HostError, HostSettings};

const MIB: u64 = 1 << 20;

pub(crate) struct TextPlayer {
    spec: EngineSpec,
    process: TextProcess,
    terms: GameTerms,
}

impl TextPlayer {
    pub(crate) fn new(spec: EngineSpec, settings: HostSettings) -> TextPlayer {
        let process = TextProcess::of_text(spec.clone(), settings);
        TextPlayer { spec, process, terms: GameTerms::new(Rule::Freestyle, Size::STANDARD) }
    }

    /// Starts the process and begins the game with it.
    fn start(&mut self) -> Result<(), Fault> {
        self.process.start().map_err(HostError::into_fault)?;
        self.terms.folder = self.process.scratch().map(str::to_owned);
        self.process.introduce().map_err(|loss| self.process.fault(loss, "say its name"))?;
        self.begin().map(drop)
    }

    /// Begins the game with the process that runs. Gives whether it can be begun with that.
    fn begin(&mut self) -> Result<bool, Fault> {
        let begun = self.process.begin_game(&self.terms).and_then(|is_ready| {
            if is_ready {
                self.process.prepare()?;
            }
            Ok(is_ready)
        });
        begun.map_err(|loss| self.process.fault(loss, "get ready for a game"))
    }

    /// Begins the game, with the process that runs if that will do.
    fn get_ready(&mut self) -> Result<(), Fault> {
        if !self.process.is_running_here() || self.process.restart() == RestartPolicy::On {
            return self.start();
        }
        match self.begin() {
            Ok(true) => Ok(()),
            // It begins no other game, or it may have died or hung in the one before.
            Ok(false) => self.start(),
            Err(Fault { failure: Failure::Crash | Failure::Stall | Failure::Unasked, .. })
                if !self.process.settings().interrupt.is_raised() =>
            {
                self.start()
            }
            Err(fault) => Err(fault),
        }
    }

    /// Brings a question to the engine and its answer back. Gives them with their times.
    fn exchange(
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
            let is_charged = self.process.resume_and_read(patience.map(Duration::from_nanos))?;
            let now = time.now();
            if is_charged {
                patience = patience.map(|left| left.saturating_sub(now.saturating_sub(*asked_at)));
            } else {
                // Continuing a process that was stopped is nothing that it did.
                *asked_at = now;
            }
        }
        loop {
            if let Some(answer) = self.put(request, patience)? {
                return Ok((answer, *asked_at));
            }
            match self.process.wait_for_event(|| time.now(), *asked_at)? {
                (TextEvent::Answer(answer), at) => return Ok((answer, at)),
                // A new process has played no other game, so this comes once.
                (TextEvent::StartAgain, at) => {
                    patience = request.patience.map(|all| all.saturating_sub(at - *asked_at));
                    self.start().map_err(EngineLoss::Fault)?;
                    // It was not the engine's word that its process would do for another game.
                    *asked_at += time.now().saturating_sub(at);
                }
                (event, _) => return Err(EngineLoss::Fault(unexpected(&event))),
            }
        }
    }

    /// Sends a question. Gives the answer where that is known already.
    fn put(
        &mut self,
        request: &Request<'_>,
        patience: Option<Nanos>,
    ) -> Result<Option<Answer>, EngineLoss> {
        match self.process.protocol.ask(request.moves, request.ask, request.limits) {
            AskResult::Known(answer) => return Ok(Some(answer)),
            AskResult::Sent => {}
            AskResult::Unsupported => {
                let detail = format!("{:?} cannot be asked in its protocol", request.ask);
                return Err(EngineLoss::Fault(Fault { failure: Failure::ProtocolError, detail }));
            }
        }
        self.process.send(patience.map(Duration::from_nanos)).map(|()| None)
    }
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
        self.process.new_game();
        self.process.protocol.record_lines.new_game();
        let span = self.process.begin_ready();
        let ready = self.get_ready();
        self.process.end_ready(span);
        ready
    }

    fn ask(&mut self, request: &Request<'_>, time: &dyn Time) -> Reply {
        self.process.set_listener(request.watch.map(|watch| watch.listener));
        self.process.start_sample(request.patience.map(Duration::from_nanos));
        let mut asked_at = time.now();
        let (outcome, answered_at) = match self.exchange(request, time, &mut asked_at) {
            Ok((answer, at)) => {
                self.process.correct_answer(at.saturating_sub(asked_at), request.patience);
                (Ok(Some(Action::Answer(answer))), at)
            }
            Err(EngineLoss::Late) => (Ok(None), time.now()),
            Err(loss) => {
                self.process.kill();
                (Err(self.process.fault(loss, "answer")), time.now())
            }
        };
        let (info, pv) = self.process.protocol.reported();
        Reply { asked_at, answered_at, offers_draw: false, outcome, info, pv }
    }

    fn timing(&self) -> Timing {
        Timing {
            own: None,
            cpu_stats: self.process.cpu_stats(),
            correction: self.process.correction(),
        }
    }

    fn failed_unasked(&mut self) -> Option<Fault> {
        self.process.take_unasked()
    }

    fn take_said(&mut self) -> Vec<String> {
        let mut record_lines = self.process.engine_log().denials().take_new();
        record_lines.extend(self.process.take_threads_at_work());
        record_lines.append(&mut self.process.protocol.record_lines.take());
        record_lines
    }

    fn end_game(&mut self, _: GameResult) {}
}
