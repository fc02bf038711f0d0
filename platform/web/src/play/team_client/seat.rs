//! An engine in one game of an event after another, on a thread of its own.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::thread;

use serde_json::{Map, Value, json};
use tengen_arbiter::{GameResult, HistoryEntry, Nanos, TimeControl};
use tengen_players::{
    EngineDriver, EngineHandle, EngineInstance, EngineNews, EngineQuestion, EngineThread,
    GameSetup, GameVariant, RealTime, Reply, Time,
};
use tengen_record::action_json;
use tengen_rules::Seat;

use super::lock;
use crate::play::ClientSender;
use crate::play::engines::TableEngines;
use crate::play::protocol::MOST_BYTES;
use crate::play::team_protocol::{MOST_LINE, MOST_SAID};
use crate::text::plain;

/// What an engine gets ready for before its first game. Its games are counted from 1.
const WARM_UP: u64 = 0;

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

/// The game that an engine plays: as the seat counts them, and its room.
#[derive(Default)]
struct SeatGame {
    count: u64,
    /// None between two games.
    room: Option<String>,
}

/// An engine for games of one kind. It stops when this is dropped.
pub(super) struct TeamSeat {
    pub variant: GameVariant,
    handle: EngineHandle,
    game: Arc<Mutex<SeatGame>>,
    /// What the engine was told of its game.
    setup: GameSetup,
}

impl TeamSeat {
    /// Starts the engine, and gets it ready for a first game: what takes long is done then.
    ///
    /// # Errors
    /// When the system has no thread left.
    pub fn new(
        engines: Arc<dyn TableEngines>,
        id: &str,
        variant: GameVariant,
        outlet: Arc<Outlet>,
    ) -> Result<TeamSeat, String> {
        let (game, time) = (Arc::<Mutex<SeatGame>>::default(), RealTime::new());
        let (handle, work) = EngineThread::new(TeamEngine {
            engines,
            id: id.to_owned(),
            variant,
            outlet,
            game: Arc::clone(&game),
            time,
        });
        let thread = thread::Builder::new().name("event engine".to_owned());
        let spawned = thread.spawn(move || work.run());
        spawned.map_err(|error| format!("no thread for the engine: {error}"))?;
        let setup = variant.setup(Seat::First, TimeControl::default());
        handle.get_ready(WARM_UP, setup.clone());
        Ok(TeamSeat { variant, handle, game, setup })
    }

    pub fn begin(&mut self, room: &str, setup: GameSetup) {
        let mut game = lock(&self.game);
        *game = SeatGame { count: game.count + 1, room: Some(room.to_owned()) };
        self.setup = setup;
        self.handle.get_ready(game.count, self.setup.clone());
    }

    pub fn ask(&self, question: EngineQuestion) {
        let (game, setup) = (lock(&self.game).count, self.setup.clone());
        self.handle.ask(EngineQuestion { game, setup, ..question });
    }

    /// The game is over. An engine that still thinks about it is stopped.
    pub fn end(&self, result: GameResult) {
        lock(&self.game).room = None;
        self.handle.stop();
        self.handle.end_game(result);
    }
}

/// What the thread of an engine has.
struct TeamEngine {
    engines: Arc<dyn TableEngines>,
    id: String,
    variant: GameVariant,
    outlet: Arc<Outlet>,
    game: Arc<Mutex<SeatGame>>,
    time: RealTime,
}

impl EngineDriver for TeamEngine {
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
        let (game, news) = match news {
            EngineNews::Started(_) | EngineNews::Ready { game: WARM_UP } => return,
            EngineNews::Unready { game: WARM_UP, reason } => {
                return self.outlet.note(format!("the engine does not get ready: {reason}"));
            }
            EngineNews::Ready { game } => (game, Ok(None)),
            EngineNews::Unready { game, reason } | EngineNews::Failed { game, reason, .. } => {
                (game, Err(reason))
            }
            EngineNews::Answered { game, question, reply, said, .. } => {
                (game, Ok(Some((question, reply, said))))
            }
        };
        // Nothing follows the end of a game.
        let current = lock(&self.game);
        let Some(room) = current.room.as_deref().filter(|_| current.count == game) else { return };
        match news {
            Ok(None) => self.outlet.say(room, json!({ "type": "ready", "room": room })),
            Ok(Some((question, reply, said))) => self.answer(room, question, *reply, said),
            Err(reason) => self.fail(room, &reason),
        }
    }

    fn time(&self) -> &dyn Time {
        &self.time
    }
}

impl TeamEngine {
    fn answer(&self, room: &str, question: u64, reply: Reply, said: Vec<String>) {
        match &reply.outcome {
            Ok(Some(_)) => {
                if let Some(act) = act(room, question, reply, said) {
                    self.outlet.say(room, act);
                }
            }
            // The server knows.
            Ok(None) => {
                self.outlet.note("the engine did not answer in time, and was stopped".to_owned());
            }
            Err(fault) => self.fail(room, &fault.detail),
        }
    }

    fn fail(&self, room: &str, reason: &str) {
        let reason = plain(reason, MOST_LINE);
        self.outlet.note(format!("the engine failed: {reason}"));
        self.outlet.say(room, json!({ "type": "failed", "room": room, "reason": reason }));
    }
}

/// The message with an answer.
fn act(room: &str, question: u64, reply: Reply, said: Vec<String>) -> Option<Value> {
    let took = reply.answered_at.saturating_sub(reply.asked_at);
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
    act.insert("room".to_owned(), json!(room));
    act.insert("question".to_owned(), json!(question));
    act.insert("took".to_owned(), json!(took / 1_000_000));
    if reply.offers_draw {
        act.insert("draw".to_owned(), json!(true));
    }
    let is_short = |act: &Map<String, Value>| json!(act).to_string().len() <= MOST_BYTES;
    if !is_short(&act) {
        act.remove("info");
    }
    // The first lines, as many as the message has room for.
    let mut said: Vec<_> = said.iter().map(|line| plain(line, MOST_LINE)).take(MOST_SAID).collect();
    while !said.is_empty() {
        act.insert("said".to_owned(), json!(said));
        if is_short(&act) {
            break;
        }
        said.pop();
        act.remove("said");
    }
    Some(Value::Object(act))
}
