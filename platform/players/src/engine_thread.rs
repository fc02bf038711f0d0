//! An engine that answers questions on a thread of its own.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tengen_arbiter::{GameResult, Limits, Nanos};
use tengen_rules::{Ask, Move, Point};

use crate::{
    EngineIdentity, EngineInstance, EngineInterrupt, Fault, GameSetup, Reply, Time, Timing,
};

/// A question, with all that an engine needs to know of its game.
#[derive(Clone, Debug)]
pub struct EngineQuestion {
    /// Its number.
    pub number: u64,
    /// The number of its game. The engine is made ready for each.
    pub game: u64,
    /// The game.
    pub setup: GameSetup,
    /// The moves so far.
    pub moves: Vec<Move>,
    /// What is asked.
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

/// What the thread of an engine tells.
pub enum EngineNews {
    /// The engine was started, and says this of itself.
    Started(Box<EngineIdentity>),
    /// It could not be started, for this reason.
    Failed {
        /// The question that it was to answer.
        question: u64,
        /// Why, as a message to people.
        reason: String,
    },
    /// It answered.
    Answered {
        /// The question.
        question: u64,
        /// The answer.
        reply: Box<Reply>,
        /// Where the time went.
        timing: Timing,
        /// What it said beside the answer.
        said: Vec<String>,
    },
}

/// What the thread of an engine does itself. All of it is called on that thread.
pub trait EngineDriver {
    /// Starts the engine: before its first question, and after it was stopped or has failed.
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

    /// Takes the news.
    fn tell(&mut self, news: EngineNews);

    /// The clock.
    fn time(&self) -> &dyn Time;
}

/// Asks the engine of an [`EngineThread`]. When this is dropped, the engine is stopped, and its
/// thread ends.
pub struct EngineHandle {
    tasks: Sender<EngineTask>,
    state: Arc<Mutex<EngineState>>,
}

/// What the thread of an engine runs. The engine is started with its first question.
pub struct EngineThread<D> {
    tasks: Receiver<EngineTask>,
    state: Arc<Mutex<EngineState>>,
    driver: D,
    engine: Option<EngineInstance>,
    /// The game that the engine is ready for.
    ready_for: Option<u64>,
}

enum EngineTask {
    /// To answer, if that is still the newest turn.
    Ask(u64, Box<EngineQuestion>),
    EndGame(GameResult),
}

#[derive(Default)]
struct EngineState {
    /// Counts what was asked: a question may be put twice.
    turn: u64,
    /// The number of the open question.
    open: Option<u64>,
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
                EngineTask::EndGame(result) => {
                    self.ready_for = None;
                    if let Some(engine) = &mut self.engine {
                        engine.player.end_game(result);
                    }
                }
            }
        }
    }

    fn answer(&mut self, turn: u64, question: &EngineQuestion) {
        let asked_at = self.driver.time().now();
        if !lock(&self.state).is_open(turn) {
            return;
        }
        if self.engine.is_none() {
            match self.driver.start() {
                Ok(engine) => {
                    self.driver.tell(EngineNews::Started(Box::new(EngineIdentity::of(&engine))));
                    (self.engine, self.ready_for) = (Some(engine), None);
                }
                Err(reason) => {
                    let question = question.number;
                    return self.driver.tell(EngineNews::Failed { question, reason });
                }
            }
        }
        let Some(engine) = &mut self.engine else { return };
        {
            let mut state = lock(&self.state);
            if !state.is_open(turn) {
                return;
            }
            state.interrupt = Some(Arc::clone(&engine.interrupt));
        }
        let (reply, timing, said) = match make_ready(engine, &mut self.ready_for, question) {
            Ok(()) => {
                let reply = self.driver.ask(engine, question, asked_at);
                (reply, engine.player.timing(), engine.player.take_said())
            }
            Err(fault) => {
                let reply = Reply {
                    asked_at,
                    answered_at: self.driver.time().now(),
                    offers_draw: false,
                    outcome: Err(fault),
                    info: None,
                    pv: Vec::new(),
                };
                (reply, Timing::default(), Vec::new())
            }
        };
        // One that was stopped is not used again; nor is one that failed.
        let is_stopped = lock(&self.state).interrupt.take().is_none();
        if is_stopped || reply.outcome.is_err() {
            (self.engine, self.ready_for) = (None, None);
        }
        if !is_stopped {
            let (question, reply) = (question.number, Box::new(reply));
            self.driver.tell(EngineNews::Answered { question, reply, timing, said });
        }
    }
}

fn make_ready(
    engine: &mut EngineInstance,
    ready_for: &mut Option<u64>,
    question: &EngineQuestion,
) -> Result<(), Fault> {
    if *ready_for != Some(question.game) {
        engine.player.new_game(&question.setup)?;
        *ready_for = Some(question.game);
    }
    Ok(())
}

impl EngineHandle {
    /// Asks a question, in place of any other.
    pub fn ask(&self, question: EngineQuestion) {
        self.stop();
        let turn = {
            let mut state = lock(&self.state);
            state.open = Some(question.number);
            state.turn
        };
        // The thread lives as long as this.
        let _gone = self.tasks.send(EngineTask::Ask(turn, Box::new(question)));
    }

    /// Whether it was asked that question last, and is still to answer it or has answered it.
    pub fn is_asked(&self, question: u64) -> bool {
        lock(&self.state).open == Some(question)
    }

    /// Tells the engine that its game is over.
    pub fn end_game(&self, result: GameResult) {
        let _gone = self.tasks.send(EngineTask::EndGame(result));
    }

    /// Its question is void: it stops thinking, and nothing more is told of it.
    pub fn stop(&self) {
        let interrupt = {
            let mut state = lock(&self.state);
            (state.turn, state.open) = (state.turn + 1, None);
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

impl EngineState {
    fn is_open(&self, turn: u64) -> bool {
        self.turn == turn && self.open.is_some()
    }
}

/// No invariant spans a panic.
fn lock(state: &Mutex<EngineState>) -> MutexGuard<'_, EngineState> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GameVariant, Player, RealTime, Request};
    use std::sync::mpsc;
    use std::thread;
    use tengen_arbiter::{Action, TimeControl};
    use tengen_rules::{Procedure, Rule, Seat, Size, Zone};

    /// Thinks until it is interrupted, or resigns at once.
    struct Thinker {
        thinks: bool,
        interrupted: Receiver<()>,
        begun: Sender<&'static str>,
    }

    impl Player for Thinker {
        fn new_game(&mut self, _game: &GameSetup) -> Result<(), Fault> {
            self.begun.send("game").unwrap();
            Ok(())
        }

        fn ask(&mut self, _request: &Request<'_>, time: &dyn Time) -> Reply {
            let asked_at = time.now();
            self.begun.send("ask").unwrap();
            if self.thinks {
                self.interrupted.recv().unwrap();
            }
            let outcome = Ok(Some(Action::Resign));
            let answered_at = time.now();
            Reply { asked_at, answered_at, offers_draw: false, outcome, info: None, pv: Vec::new() }
        }

        fn end_game(&mut self, _result: GameResult) {}
    }

    /// The first engine that it starts thinks; further ones answer at once.
    struct Driver {
        time: RealTime,
        started: usize,
        begun: Sender<&'static str>,
        news: Sender<Option<u64>>,
    }

    impl EngineDriver for Driver {
        fn start(&mut self) -> Result<EngineInstance, String> {
            let (interrupt, interrupted) = mpsc::channel();
            self.started += 1;
            let thinks = self.started == 1;
            Ok(EngineInstance {
                name: "thinker".to_owned(),
                version: None,
                hash: None,
                layers: Vec::new(),
                opening_by_arbiter: false,
                player: Box::new(Thinker { thinks, interrupted, begun: self.begun.clone() }),
                interrupt: Arc::new(move || interrupt.send(()).unwrap()),
            })
        }

        fn ask(
            &mut self,
            engine: &mut EngineInstance,
            question: &EngineQuestion,
            _asked_at: Nanos,
        ) -> Reply {
            engine.player.ask(&Request::new(&question.moves, question.ask), &self.time)
        }

        fn tell(&mut self, news: EngineNews) {
            let told = match news {
                EngineNews::Started(_) => None,
                EngineNews::Failed { question, .. } | EngineNews::Answered { question, .. } => {
                    Some(question)
                }
            };
            self.news.send(told).unwrap();
        }

        fn time(&self) -> &dyn Time {
            &self.time
        }
    }

    fn question(number: u64) -> EngineQuestion {
        let variant =
            GameVariant { rule: Rule::Freestyle, size: Size::STANDARD, opening: Procedure::None };
        EngineQuestion {
            number,
            game: 1,
            setup: variant.setup(Seat::First, TimeControl::default()),
            moves: Vec::new(),
            ask: Ask::Move { zone: Zone::Anywhere },
            offered: Vec::new(),
            fifth_moves: None,
            limits: Limits::default(),
            patience: None,
        }
    }

    #[test]
    fn a_question_that_is_put_again_is_answered_by_another_engine_and_once() {
        let ((begun, begins), (sender, news)) = (mpsc::channel(), mpsc::channel());
        let driver = Driver { time: RealTime::new(), started: 0, begun, news: sender };
        let (engine, work) = EngineThread::new(driver);
        let thread = thread::spawn(|| work.run());
        engine.ask(question(7));
        assert_eq!([begins.recv(), begins.recv()], [Ok("game"), Ok("ask")]);
        assert!(engine.is_asked(7));
        // It is void, and put again while the engine is still thinking.
        engine.stop();
        assert!(!engine.is_asked(7));
        engine.ask(question(7));
        assert_eq!([begins.recv(), begins.recv()], [Ok("game"), Ok("ask")]);
        let told = [(); 3].map(|()| news.recv().unwrap());
        assert_eq!(told, [None, None, Some(7)], "two engines started, and one answer");
        // The same engine, ready for the game.
        engine.ask(question(8));
        assert_eq!(begins.recv(), Ok("ask"));
        assert_eq!(news.recv(), Ok(Some(8)));
        assert!(engine.is_asked(8), "an answered question is not put again");
        drop(engine);
        thread.join().unwrap();
        assert!(news.recv().is_err() && begins.recv().is_err(), "nothing more comes of it");
    }
}
