//! An engine of this machine in one game after another, on a thread of its own.

use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::thread;

use tengen_arbiter::{GameResult, Limits, Nanos, TimeControl};
use tengen_players::{
    EngineDriver, EngineHandle, EngineInstance, EngineNews, EngineQuestion, EngineThread,
    GameSetup, GameVariant, RealTime, Reply, Time,
};
use tengen_rules::Seat;

use super::remote_engine::Happened;
use crate::TableEngines;
use crate::messages::AskMessage;

/// What an engine gets ready for before its first game. Its games are counted from 1.
pub(super) const WARM_UP: u64 = 0;

/// An engine for games of one kind. It stops when this is dropped.
pub(super) struct EngineSeat {
    /// Which of the engines that this client ever started.
    pub number: u64,
    pub variant: GameVariant,
    handle: EngineHandle,
    /// How many games it was made ready for.
    pub game: u64,
    /// What it was told of the game.
    setup: GameSetup,
    /// The question that it was asked last.
    asked: u64,
}

impl EngineSeat {
    /// A thread for the engine, which starts it when it is first needed. What it does is told with
    /// this number.
    ///
    /// # Errors
    /// When the system has no thread left.
    pub fn new(
        number: u64,
        engines: Arc<dyn TableEngines>,
        id: &str,
        variant: GameVariant,
        tell: Sender<Happened>,
    ) -> Result<EngineSeat, String> {
        let (id, time) = (id.to_owned(), RealTime::new());
        let driver = SeatDriver { number, engines, id, variant, tell, time };
        let (handle, work) = EngineThread::new(driver);
        let thread = thread::Builder::new().name("remote engine".to_owned());
        let spawned = thread.spawn(move || work.run());
        spawned.map_err(|error| format!("no thread for the engine: {error}"))?;
        let setup = variant.setup(Seat::First, TimeControl::default());
        Ok(EngineSeat { number, variant, handle, game: WARM_UP, setup, asked: 0 })
    }

    /// A game begins, as this.
    pub fn begin(&mut self, setup: GameSetup) {
        (self.game, self.asked) = (self.game + 1, 0);
        self.setup = setup;
    }

    /// Makes it ready for the game that has begun. It must not be [stopped](Self::stop) before it
    /// is asked: an engine that is stopped while it gets ready is started again.
    pub fn get_ready(&self) {
        self.handle.get_ready(self.game, self.setup.clone());
    }

    /// Asks it what the server asks. A question that it was asked before is put again on a new
    /// connection: the engine has it, or has answered.
    pub fn ask(&mut self, ask: AskMessage, reserve: Nanos) {
        self.ask_limited(ask, reserve, |_, _| ());
    }

    /// The same, with other limits and patience.
    pub fn ask_limited(
        &mut self,
        ask: AskMessage,
        reserve: Nanos,
        limit: impl FnOnce(&mut Limits, &mut Option<Nanos>),
    ) {
        if ask.question > self.asked {
            self.asked = ask.question;
            let mut question = ask.question(self.game, self.setup.clone(), reserve);
            limit(&mut question.limits, &mut question.patience);
            self.handle.ask(question);
        }
    }

    /// Makes what it was asked void; it may be asked again.
    pub fn stop(&mut self) {
        self.asked = 0;
        self.handle.stop();
    }

    /// The game is over. An engine that still thinks about it is stopped.
    pub fn end(&mut self, result: GameResult) {
        self.stop();
        self.handle.end_game(result);
    }
}

struct SeatDriver {
    number: u64,
    engines: Arc<dyn TableEngines>,
    id: String,
    variant: GameVariant,
    tell: Sender<Happened>,
    time: RealTime,
}

impl EngineDriver for SeatDriver {
    fn start(&mut self) -> Result<EngineInstance, String> {
        self.engines.start(&self.id, &self.variant)
    }

    fn ask(
        &mut self,
        engine: &mut EngineInstance,
        question: &EngineQuestion,
        asked_at: Nanos,
    ) -> Reply {
        // What it took to start it again is its time.
        let late = self.time.now().saturating_sub(asked_at);
        let reply = engine.player.ask(&question.request(late), &self.time);
        Reply { asked_at: reply.asked_at.saturating_sub(late), ..reply }
    }

    fn tell(&mut self, news: EngineNews) {
        // The client may have gone.
        let _gone = self.tell.send(Happened::Engine(self.number, news));
    }

    fn time(&self) -> &dyn Time {
        &self.time
    }
}
