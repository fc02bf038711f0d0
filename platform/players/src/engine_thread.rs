//! An engine that answers questions on a thread of its own.

#[cfg(test)]
mod tests;

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tengen_arbiter::{GameResult, Limits, Nanos};
use tengen_rules::{Ask, Move, Point};

use crate::{
    EngineIdentity, EngineInstance, EngineInterrupt, Fault, GameSetup, Reply, Request, Time, Timing,
};

/// A question, with all that an engine needs to know of its game.
#[derive(Clone, Debug)]
pub struct EngineQuestion {
    pub number: u64,
    /// The number of its game. The engine is made ready for each.
    pub game: u64,
    pub setup: GameSetup,
    /// The moves so far.
    pub moves: Vec<Move>,
    pub ask: Ask,
    /// The fifth moves on offer.
    pub offered: Vec<Point>,
    /// From how many to how many fifth moves are to be offered.
    pub fifth_moves: Option<(u8, u8)>,
    /// What the answer may take.
    pub limits: Limits,
    /// How long the answer is waited for.
    pub patience: Option<Nanos>,
}

impl EngineQuestion {
    /// The question as it is put so much later: what passed meanwhile is the engine's time.
    pub fn request(&self, late: Nanos) -> Request<'_> {
        let EngineQuestion { fifth_moves, limits, patience, .. } = *self;
        let question = Request::new(&self.moves, self.ask);
        Request { offered: &self.offered, fifth_moves, limits, patience, ..question }.after(late)
    }
}

/// What the thread of an engine tells.
pub enum EngineNews {
    /// The engine was started, and says this of itself.
    Started(Box<EngineIdentity>),
    /// It is ready, as [`EngineHandle::get_ready`] wanted it.
    Ready {
        /// The number of the game.
        game: u64,
    },
    /// It could not be made ready like that.
    Unready {
        /// The number of the game.
        game: u64,
        /// Why, as a message to people.
        reason: String,
    },
    /// It could not be started to answer.
    Failed {
        /// The number of the game.
        game: u64,
        /// The question that it was to answer.
        question: u64,
        /// Why, as a message to people.
        reason: String,
    },
    Answered {
        /// The number of the game.
        game: u64,
        question: u64,
        reply: Box<Reply>,
        /// Where the time went.
        timing: Timing,
        /// What it said beside the answer.
        said: Vec<String>,
    },
}

/// What the thread of an engine does itself. All of it is called on that thread.
pub trait EngineDriver {
    /// Starts the engine: for its first task, and after it was stopped or has failed.
    ///
    /// # Errors
    /// Why it cannot play, as a message to people.
    fn start(&mut self) -> Result<EngineInstance, String>;

    /// Asks an engine that is ready for the game. It is asked since `asked_at`: starting it took
    /// the rest.
    fn ask(
        &mut self,
        engine: &mut EngineInstance,
        question: &EngineQuestion,
        asked_at: Nanos,
    ) -> Reply;

    fn tell(&mut self, news: EngineNews);

    fn time(&self) -> &dyn Time;
}

/// Asks the engine of an [`EngineThread`]. When this is dropped, the engine is stopped, and its
/// thread ends.
pub struct EngineHandle {
    tasks: Sender<EngineTask>,
    state: Arc<Mutex<EngineState>>,
}

/// The body of an engine's thread. The engine is started for its first task.
pub struct EngineThread<D> {
    tasks: Receiver<EngineTask>,
    state: Arc<Mutex<EngineState>>,
    driver: D,
    engine: Option<EngineInstance>,
    /// The game that the engine is ready for.
    ready_for: Option<u64>,
}

enum EngineTask {
    /// To answer, if the turn has not changed.
    Ask(u64, Box<EngineQuestion>),
    /// To get ready for the game of that number, if the turn has not changed.
    GetReady(u64, u64, Box<GameSetup>),
    EndGame(GameResult),
}

#[derive(Default)]
struct EngineState {
    /// Counts questions that were made void: a question may be put twice.
    turn: u64,
    /// The number of the open question.
    question: Option<u64>,
    /// Stops the engine that is thinking.
    interrupt: Option<EngineInterrupt>,
}

impl<D: EngineDriver> EngineThread<D> {
    /// An engine that has not been asked yet.
    pub fn new(driver: D) -> (EngineHandle, EngineThread<D>) {
        let (sender, tasks) = channel();
        let state = Arc::<Mutex<EngineState>>::default();
        let handle = EngineHandle { tasks: sender, state: Arc::clone(&state) };
        (handle, EngineThread { tasks, state, driver, engine: None, ready_for: None })
    }

    /// Answers until the handle is dropped.
    pub fn run(mut self) {
        while let Ok(task) = self.tasks.recv() {
            match task {
                EngineTask::Ask(turn, question) => self.answer(turn, &question),
                EngineTask::GetReady(turn, game, setup) => self.get_ready(turn, game, &setup),
                EngineTask::EndGame(result) => {
                    self.ready_for = None;
                    if let Some(engine) = &mut self.engine {
                        engine.player.end_game(result);
                    }
                }
            }
        }
    }

    fn get_ready(&mut self, turn: u64, game: u64, setup: &GameSetup) {
        let unready = |reason| EngineNews::Unready { game, reason };
        match self.start(turn) {
            Ok(true) => {}
            Ok(false) => return,
            Err(reason) => return self.driver.tell(unready(reason)),
        }
        let Some(engine) = &mut self.engine else { return };
        let ready = make_ready(engine, &mut self.ready_for, game, setup);
        if !self.was_stopped(ready.is_err()) {
            self.driver.tell(match ready {
                Ok(()) => EngineNews::Ready { game },
                Err(fault) => unready(fault.detail),
            });
        }
    }

    fn answer(&mut self, turn: u64, question: &EngineQuestion) {
        let asked_at = self.driver.time().now();
        let (game, number) = (question.game, question.number);
        match self.start(turn) {
            Ok(true) => {}
            Ok(false) => return,
            Err(reason) => {
                return self.driver.tell(EngineNews::Failed { game, question: number, reason });
            }
        }
        let Some(engine) = &mut self.engine else { return };
        let ready = make_ready(engine, &mut self.ready_for, game, &question.setup);
        let (reply, timing, said) = match ready {
            Ok(()) => {
                let reply = self.driver.ask(engine, question, asked_at);
                (reply, engine.player.timing(), engine.player.take_said())
            }
            Err(fault) => {
                let reply = Reply::new(asked_at, self.driver.time().now(), Err(fault));
                (reply, Timing::default(), Vec::new())
            }
        };
        if reply.outcome == Ok(None) {
            // It was stopped for being late. Getting ready starts it again, if the game goes on.
            self.ready_for = None;
        }
        if !self.was_stopped(reply.outcome.is_err()) {
            let (question, reply) = (number, Box::new(reply));
            self.driver.tell(EngineNews::Answered { game, question, reply, timing, said });
        }
    }

    /// Starts the engine, unless it is there, and takes note of what stops it. Whether it is still
    /// that turn.
    fn start(&mut self, turn: u64) -> Result<bool, String> {
        if lock(&self.state).turn != turn {
            return Ok(false);
        }
        if self.engine.is_none() {
            let engine = self.driver.start()?;
            self.driver.tell(EngineNews::Started(Box::new(EngineIdentity::of(&engine))));
            (self.engine, self.ready_for) = (Some(engine), None);
        }
        let mut state = lock(&self.state);
        let is_turn = state.turn == turn;
        if is_turn {
            state.interrupt = self.engine.as_ref().map(|engine| Arc::clone(&engine.interrupt));
        }
        Ok(is_turn)
    }

    /// Whether the engine was stopped during its task. Then it is not used again, just as after a
    /// failure.
    fn was_stopped(&mut self, has_failed: bool) -> bool {
        let was_stopped = lock(&self.state).interrupt.take().is_none();
        if was_stopped || has_failed {
            (self.engine, self.ready_for) = (None, None);
        }
        was_stopped
    }
}

fn make_ready(
    engine: &mut EngineInstance,
    ready_for: &mut Option<u64>,
    game: u64,
    setup: &GameSetup,
) -> Result<(), Fault> {
    if *ready_for != Some(game) {
        *ready_for = None;
        engine.player.new_game(setup)?;
        *ready_for = Some(game);
    }
    Ok(())
}

impl EngineHandle {
    /// Asks a question, in place of any other.
    pub fn ask(&self, question: EngineQuestion) {
        self.stop();
        let turn = {
            let mut state = lock(&self.state);
            state.question = Some(question.number);
            state.turn
        };
        // The thread lives as long as this.
        let _gone = self.tasks.send(EngineTask::Ask(turn, Box::new(question)));
    }

    /// Makes the engine ready for the game of that number, as soon as it has done what it does now.
    /// Else it gets ready with the first question of a game, at the cost of its time.
    pub fn get_ready(&self, game: u64, setup: GameSetup) {
        let turn = lock(&self.state).turn;
        let _gone = self.tasks.send(EngineTask::GetReady(turn, game, Box::new(setup)));
    }

    /// Whether it was asked that question last, and is still to answer it or has answered it.
    pub fn is_asked(&self, question: u64) -> bool {
        lock(&self.state).question == Some(question)
    }

    /// Tells the engine that its game is over.
    pub fn end_game(&self, result: GameResult) {
        let _gone = self.tasks.send(EngineTask::EndGame(result));
    }

    /// Its task is void: it stops thinking, and no more news of it comes.
    pub fn stop(&self) {
        let interrupt = {
            let mut state = lock(&self.state);
            (state.turn, state.question) = (state.turn + 1, None);
            state.interrupt.take()
        };
        if let Some(interrupt) = interrupt {
            interrupt();
        }
    }
}

impl Drop for EngineHandle {
    fn drop(&mut self) {
        self.stop();
    }
}

/// No invariant spans a panic.
fn lock(state: &Mutex<EngineState>) -> MutexGuard<'_, EngineState> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}
