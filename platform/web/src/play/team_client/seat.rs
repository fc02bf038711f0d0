//! An engine in one game of an event after another, on a thread of its own.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;

use serde_json::{Map, Value, json};
use tengen_arbiter::{GameResult, HistoryEntry, Nanos};
use tengen_players::{
    EngineInstance, EngineQuestion, GameSetup, GameVariant, RealTime, Reply, Request, Time,
};
use tengen_record::action_json;
use tengen_rules::Seat;

use super::lock;
use crate::play::ClientSender;
use crate::play::engines::TableEngines;
use crate::play::protocol::MOST_BYTES;
use crate::text::plain;

/// The most lines that are passed on of what an engine says with one answer, and their signs: an
/// answer has to fit into a message.
const MOST_SAID: usize = 8;
const MOST_LINE: usize = 160;

/// Where engines say something. What each said last is kept until its game is over, and said again
/// on a new connection.
#[derive(Default)]
pub(super) struct Outlet {
    sayer: Mutex<Option<ClientSender>>,
    last: Mutex<BTreeMap<String, Value>>,
    problems: Mutex<Vec<String>>,
}

impl Outlet {
    /// Uses that connection from now on.
    pub fn open(&self, sayer: ClientSender) {
        *lock(&self.sayer) = Some(sayer);
    }

    pub fn say(&self, room: &str, message: Value) {
        let mut last = lock(&self.last);
        if let Some(sayer) = &*lock(&self.sayer) {
            sayer.send(&message);
        }
        last.insert(room.to_owned(), message);
    }

    pub fn say_again(&self, room: &str) {
        if let (Some(message), Some(sayer)) = (lock(&self.last).get(room), &*lock(&self.sayer)) {
            sayer.send(message);
        }
    }

    pub fn forget(&self, room: &str) {
        lock(&self.last).remove(room);
    }

    pub fn note(&self, problem: String) {
        lock(&self.problems).push(problem);
    }

    pub fn take_problems(&self) -> Vec<String> {
        std::mem::take(&mut lock(&self.problems))
    }
}

enum SeatTask {
    WarmUp(GameVariant),
    Begin { room: String, setup: Box<GameSetup>, variant: GameVariant },
    Ask(Box<EngineQuestion>),
    End(GameResult),
}

type StopEngine = Arc<dyn Fn() + Send + Sync>;

/// What both threads know of the engine.
#[derive(Default)]
struct SeatProgress {
    /// How many games were begun, and how many were ended: what belongs to one that was ended is
    /// not worth while any more.
    begun: AtomicU64,
    ended: AtomicU64,
    /// What stops the engine while it works.
    interrupt: Mutex<Option<StopEngine>>,
}

/// An engine, and its thread.
pub(super) struct TeamSeat {
    jobs: Sender<SeatTask>,
    shared: Arc<SeatProgress>,
}

impl TeamSeat {
    /// # Errors
    /// When the system has no thread left.
    pub fn new(
        engines: Arc<dyn TableEngines>,
        id: &str,
        outlet: Arc<Outlet>,
    ) -> Result<TeamSeat, String> {
        let (jobs, to_do) = channel();
        let shared = Arc::new(SeatProgress::default());
        let worker = SeatWorker {
            engines,
            id: id.to_owned(),
            outlet,
            shared: Arc::clone(&shared),
            time: RealTime::new(),
            variant: None,
            instance: None,
            room: String::new(),
            game: 0,
        };
        let thread = thread::Builder::new().name("event engine".to_owned());
        let spawned = thread.spawn(move || worker.run(&to_do));
        spawned.map_err(|error| format!("no thread for the engine: {error}"))?;
        Ok(TeamSeat { jobs, shared })
    }

    /// Starts the engine for such games.
    pub fn warm_up(&self, variant: GameVariant) {
        let _gone = self.jobs.send(SeatTask::WarmUp(variant));
    }

    pub fn begin(&self, room: &str, setup: GameSetup, variant: GameVariant) {
        self.shared.begun.fetch_add(1, Ordering::SeqCst);
        let (room, setup) = (room.to_owned(), Box::new(setup));
        // The thread lives as long as this.
        let _gone = self.jobs.send(SeatTask::Begin { room, setup, variant });
    }

    pub fn ask(&self, question: EngineQuestion) {
        let _gone = self.jobs.send(SeatTask::Ask(Box::new(question)));
    }

    /// The game is over. An engine that still thinks about it is stopped.
    pub fn end(&self, result: GameResult) {
        let begun = self.shared.begun.load(Ordering::SeqCst);
        self.shared.ended.store(begun, Ordering::SeqCst);
        self.stop();
        let _gone = self.jobs.send(SeatTask::End(result));
    }

    fn stop(&self) {
        if let Some(interrupt) = lock(&self.shared.interrupt).take() {
            interrupt();
        }
    }
}

impl Drop for TeamSeat {
    fn drop(&mut self) {
        self.shared.ended.store(u64::MAX, Ordering::SeqCst);
        self.stop();
    }
}

struct SeatWorker {
    engines: Arc<dyn TableEngines>,
    id: String,
    outlet: Arc<Outlet>,
    shared: Arc<SeatProgress>,
    time: RealTime,
    /// What the engine was started for.
    variant: Option<GameVariant>,
    instance: Option<EngineInstance>,
    room: String,
    /// The number of the game, as this seat counts them.
    game: u64,
}

impl SeatWorker {
    fn run(mut self, to_do: &Receiver<SeatTask>) {
        while let Ok(job) = to_do.recv() {
            match job {
                SeatTask::WarmUp(variant) => {
                    if let Err(reason) = self.start(variant) {
                        self.outlet.note(format!("the engine does not start: {reason}"));
                    }
                }
                SeatTask::Begin { room, setup, variant } => {
                    (self.room, self.game) = (room, self.game + 1);
                    self.begin(&setup, variant);
                }
                SeatTask::Ask(question) => self.answer(&question),
                SeatTask::End(result) => {
                    if let Some(instance) = &mut self.instance {
                        instance.player.end_game(result);
                    }
                }
            }
        }
    }

    /// Whether the game is over that this works for.
    fn is_over(&self) -> bool {
        self.shared.ended.load(Ordering::SeqCst) >= self.game
    }

    /// Starts the engine, unless it is there for such games.
    fn start(&mut self, variant: GameVariant) -> Result<(), String> {
        if self.instance.is_none() || self.variant != Some(variant) {
            self.instance = None;
            self.instance = Some(self.engines.start(&self.id, &variant)?);
            self.variant = Some(variant);
        }
        Ok(())
    }

    fn begin(&mut self, setup: &GameSetup, variant: GameVariant) {
        if self.is_over() {
            return;
        }
        if let Err(reason) = self.start(variant) {
            return self.fail(&format!("does not start: {reason}"));
        }
        let readied = self.work(|instance, _| instance.player.new_game(setup));
        match readied {
            Some(Ok(())) => {
                let ready = json!({ "type": "ready", "room": self.room });
                self.outlet.say(&self.room, ready);
            }
            Some(Err(fault)) => {
                self.instance = None;
                self.fail(&fault.detail);
            }
            None => {}
        }
    }

    fn answer(&mut self, question: &EngineQuestion) {
        if self.is_over() || self.instance.is_none() {
            return;
        }
        let request = Request {
            moves: &question.moves,
            ask: question.ask,
            offered: &question.offered,
            fifth_moves: question.fifth_moves,
            limits: question.limits,
            patience: question.patience,
            watch: None,
        };
        let answered = self.work(|instance, time| {
            let reply = instance.player.ask(&request, time);
            (reply, instance.player.take_said())
        });
        let Some((reply, said)) = answered else { return };
        let took = reply.answered_at.saturating_sub(reply.asked_at);
        match &reply.outcome {
            Ok(Some(_)) => {
                if let Some(act) = self.act(question.number, reply, took, said) {
                    self.outlet.say(&self.room, act);
                }
            }
            // Its time is over; the server knows.
            Ok(None) => self.instance = None,
            Err(fault) => {
                let detail = fault.detail.clone();
                self.instance = None;
                self.fail(&detail);
            }
        }
    }

    /// Lets the engine do something that may be stopped; none if it was. One that was stopped is
    /// not used again.
    fn work<T>(&mut self, work: impl FnOnce(&mut EngineInstance, &dyn Time) -> T) -> Option<T> {
        let instance = self.instance.as_mut()?;
        *lock(&self.shared.interrupt) = Some(Arc::clone(&instance.interrupt));
        // It may have ended just before that.
        let done = (self.shared.ended.load(Ordering::SeqCst) < self.game)
            .then(|| work(instance, &self.time));
        let was_stopped = lock(&self.shared.interrupt).take().is_none();
        if was_stopped {
            self.instance = None;
            return None;
        }
        done
    }

    fn fail(&self, reason: &str) {
        let reason = plain(reason, MOST_LINE);
        self.outlet.note(format!("the engine failed: {reason}"));
        let failed = json!({ "type": "failed", "room": self.room, "reason": reason });
        self.outlet.say(&self.room, failed);
    }

    /// The message with an answer.
    fn act(&self, question: u64, reply: Reply, took: Nanos, said: Vec<String>) -> Option<Value> {
        let action = reply.outcome.ok().flatten()?;
        let entry = HistoryEntry {
            info: reply.info,
            pv: reply.pv,
            ..HistoryEntry::new(Seat::First, action, 0, None)
        };
        let Ok(Value::Object(mut act)) = serde_json::from_slice(&action_json(&entry)) else {
            return None;
        };
        for arbiters in ["seat", "ns", "clock"] {
            act.remove(arbiters);
        }
        act.insert("type".to_owned(), json!("act"));
        act.insert("room".to_owned(), json!(self.room));
        act.insert("question".to_owned(), json!(question));
        act.insert("took".to_owned(), json!(took / 1_000_000));
        if reply.offers_draw {
            act.insert("draw".to_owned(), json!(true));
        }
        let said: Vec<_> = said.iter().map(|line| plain(line, MOST_LINE)).take(MOST_SAID).collect();
        let is_short = |act: &Map<String, Value>| json!(act).to_string().len() <= MOST_BYTES;
        if !said.is_empty() {
            act.insert("said".to_owned(), json!(said));
            if !is_short(&act) {
                act.remove("said");
            }
        }
        if !is_short(&act) {
            act.remove("info");
        }
        Some(Value::Object(act))
    }
}
