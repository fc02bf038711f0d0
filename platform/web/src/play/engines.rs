//! The engines that the server allows on its seats, each on a thread of its own.

use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::{io, thread};

use tengen_arbiter::{Failure, GameResult, Limits, Nanos};
use tengen_players::{
    EngineInstance, Fault, GameSetup, GameVariant, ListedEngine, RealTime, Reply, Request, Time,
    Timing,
};
use tengen_rules::{Ask, Move, Point};

use super::engine_pool::EnginePool;

/// How long an engine thinks where it has no limit at all.
const BUDGET: Nanos = 5_000_000_000;
/// How long an engine may overrun that before it counts as hung.
const STALL: Nanos = 60_000_000_000;

/// The engines that may be handed a seat.
pub trait TableEngines: Send + Sync {
    /// Those that exist. None of them is started.
    fn list(&self) -> Vec<ListedEngine>;

    /// Starts one for games of a kind.
    ///
    /// # Errors
    /// Why it cannot play them, as a message to people.
    fn start(&self, id: &str, variant: &GameVariant) -> Result<EngineInstance, String>;
}

/// No engine is allowed.
impl TableEngines for () {
    fn list(&self) -> Vec<ListedEngine> {
        Vec::new()
    }

    fn start(&self, id: &str, _variant: &GameVariant) -> Result<EngineInstance, String> {
        Err(format!("this server has no engine {id}"))
    }
}

/// A question that an engine gets.
#[derive(Clone)]
pub(super) struct EngineQuestion {
    pub number: u64,
    /// The game's number in its room.
    pub game: u64,
    pub setup: GameSetup,
    pub moves: Vec<Move>,
    pub ask: Ask,
    pub offered: Vec<Point>,
    pub fifth_moves: Option<(u8, u8)>,
    pub limits: Limits,
    pub patience: Option<Nanos>,
}

/// What an engine has to say.
pub(super) enum EngineNews {
    /// It is there, and is called so.
    Started(Box<EngineIdentity>),
    /// It could not be started.
    Failed(String),
    /// It answered that question.
    Answered { question: u64, reply: Box<Reply>, timing: Timing, said: Vec<String> },
}

/// What an engine that was started says of itself.
#[derive(Clone, Default)]
pub(super) struct EngineIdentity {
    pub name: String,
    pub version: Option<String>,
    pub hash: Option<String>,
    pub layers: Vec<String>,
    pub opening_by_arbiter: bool,
}

type Interrupt = Arc<dyn Fn() + Send + Sync>;

/// An engine of the server on a seat. It stops when this is dropped.
pub(super) struct SeatedEngine {
    /// Which of the engines that ever sat in this room.
    pub number: u64,
    pub id: String,
    pub name: String,
    /// What it says of itself, once it has been started.
    pub identity: Option<Box<EngineIdentity>>,
    jobs: Sender<Job>,
    interrupt: Arc<Mutex<Option<Interrupt>>>,
    is_void: Arc<AtomicBool>,
}

enum Job {
    Ask(Box<EngineQuestion>),
    End(GameResult),
}

impl SeatedEngine {
    /// Lets an engine sit down, for a client of that network. What it says goes to `tell`, from
    /// its thread.
    ///
    /// # Errors
    /// When too many play already, or the system has no thread left.
    pub fn sit(
        pool: &EnginePool,
        of: Option<IpAddr>,
        number: u64,
        engine: &ListedEngine,
        variant: GameVariant,
        time: RealTime,
        tell: impl Fn(EngineNews) + Send + 'static,
    ) -> Result<SeatedEngine, String> {
        let place = pool.take(of)?;
        let (jobs, to_do) = channel();
        let interrupt = Arc::new(Mutex::new(None));
        let is_void = Arc::new(AtomicBool::new(false));
        let worker = EngineWorker {
            engines: Arc::clone(&pool.engines),
            id: engine.id.clone(),
            variant,
            time,
            interrupt: Arc::clone(&interrupt),
            is_void: Arc::clone(&is_void),
            instance: None,
            ready_for: None,
        };
        let spawned = thread::Builder::new().name("table engine".to_owned()).spawn(move || {
            worker.run(&to_do, &tell);
            drop(place);
        });
        spawned.map_err(|error: io::Error| format!("no thread for the engine: {error}"))?;
        let (id, name) = (engine.id.clone(), engine.name.clone());
        Ok(SeatedEngine { number, id, name, identity: None, jobs, interrupt, is_void })
    }

    pub fn ask(&self, question: EngineQuestion) {
        self.is_void.store(false, Ordering::SeqCst);
        // The thread lives as long as this.
        let _gone = self.jobs.send(Job::Ask(Box::new(question)));
    }

    pub fn end_game(&self, result: GameResult) {
        let _gone = self.jobs.send(Job::End(result));
    }

    /// Its question is void: it stops thinking.
    pub fn stop(&self) {
        self.is_void.store(true, Ordering::SeqCst);
        let interrupt = self.interrupt.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(interrupt) = interrupt {
            interrupt();
        }
    }
}

impl Drop for SeatedEngine {
    fn drop(&mut self) {
        self.stop();
    }
}

struct EngineWorker {
    engines: Arc<dyn TableEngines>,
    id: String,
    variant: GameVariant,
    time: RealTime,
    interrupt: Arc<Mutex<Option<Interrupt>>>,
    is_void: Arc<AtomicBool>,
    instance: Option<EngineInstance>,
    ready_for: Option<u64>,
}

impl EngineWorker {
    fn run(mut self, to_do: &Receiver<Job>, tell: &dyn Fn(EngineNews)) {
        while let Ok(job) = to_do.recv() {
            match job {
                Job::Ask(question) => self.answer(*question, tell),
                Job::End(result) => {
                    self.ready_for = None;
                    if let Some(instance) = &mut self.instance {
                        instance.player.end_game(result);
                    }
                }
            }
        }
    }

    fn answer(&mut self, question: EngineQuestion, tell: &dyn Fn(EngineNews)) {
        let asked_at = self.time.now();
        if self.instance.is_none() {
            match self.engines.start(&self.id, &self.variant) {
                Ok(instance) => {
                    tell(EngineNews::Started(Box::new(EngineIdentity {
                        name: instance.name.clone(),
                        version: instance.version.clone(),
                        hash: instance.hash.clone(),
                        layers: instance.layers.clone(),
                        opening_by_arbiter: instance.opening_by_arbiter,
                    })));
                    (self.instance, self.ready_for) = (Some(instance), None);
                }
                Err(reason) => return tell(EngineNews::Failed(reason)),
            }
        }
        let Some(instance) = &mut self.instance else { return };
        let is_void = {
            let mut interrupt = self.interrupt.lock().unwrap_or_else(PoisonError::into_inner);
            *interrupt = Some(Arc::clone(&instance.interrupt));
            self.is_void.load(Ordering::SeqCst)
        };
        if is_void {
            return;
        }
        let number = question.number;
        let (reply, timing, said) = match self.put(&question, asked_at) {
            Ok(answered) => answered,
            Err(fault) => {
                let answered_at = self.time.now();
                let reply = Reply {
                    asked_at,
                    answered_at,
                    offers_draw: false,
                    outcome: Err(fault),
                    info: None,
                    pv: Vec::new(),
                };
                (reply, Timing::default(), Vec::new())
            }
        };
        let mut interrupt = self.interrupt.lock().unwrap_or_else(PoisonError::into_inner);
        // One that was stopped is not used again; nor is one that failed.
        let is_stopped = interrupt.take().is_none();
        drop(interrupt);
        if is_stopped || reply.outcome.is_err() {
            (self.instance, self.ready_for) = (None, None);
        }
        if !is_stopped {
            let reply = Box::new(reply);
            tell(EngineNews::Answered { question: number, reply, timing, said });
        }
    }

    fn put(
        &mut self,
        question: &EngineQuestion,
        asked_at: Nanos,
    ) -> Result<(Reply, Timing, Vec<String>), Fault> {
        let gone = || Fault { failure: Failure::Crash, detail: "it is not running".to_owned() };
        let instance = self.instance.as_mut().ok_or_else(gone)?;
        if self.ready_for != Some(question.game) {
            instance.player.new_game(&question.setup)?;
            self.ready_for = Some(question.game);
        }
        let mut limits = question.limits;
        // What it took to start it is its time.
        let late = self.time.now().saturating_sub(asked_at);
        limits.hard = limits.hard.map(|hard| hard.saturating_sub(late).max(1));
        if limits.hard.is_none() && limits.nodes.is_none() && limits.depth.is_none() {
            limits.hard = Some(BUDGET);
        }
        let patience = question.patience.map(|patience| patience.saturating_sub(late).max(1));
        let request = Request {
            moves: &question.moves,
            ask: question.ask,
            offered: &question.offered,
            fifth_moves: question.fifth_moves,
            limits,
            patience: patience.or(limits.hard.map(|hard| hard.saturating_add(STALL))),
            watch: None,
        };
        let reply = instance.player.ask(&request, &self.time);
        let reply = Reply { asked_at, ..reply };
        Ok((reply, instance.player.timing(), instance.player.take_said()))
    }
}
