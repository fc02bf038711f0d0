//! An engine of this machine at a table of a server elsewhere.

pub(super) mod asked;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tengen_arbiter::{Action, HistoryEntry, Nanos, TimeControl};
use tengen_players::{EngineNews, GameVariant, ListedEngine, RealTime, Reply};
use tengen_record::action_json;
use tengen_rules::Seat;
use thiserror::Error;

use self::asked::question;
use super::engine_pool::EnginePool;
use super::engines::{SeatedEngine, TableEngines};
use super::settings::TableSettings;
use super::{Client, ClientError, ClientEvent, ClientOptions, ClientSender};

/// How often it is looked whether to stop.
const LOOK: Duration = Duration::from_millis(100);
/// How long it is waited between two attempts to connect, and how long it is tried.
const RETRY: Duration = Duration::from_secs(1);
const MOST_RETRIES: Duration = Duration::from_secs(600);
/// What the answer to `enter` or `host` has as its id.
const COMING: u64 = 1;

/// An engine that is to sit at a table.
pub struct RemoteSeat {
    /// Where, and under what name.
    pub options: ClientOptions,
    /// Which engine.
    pub engine: ListedEngine,
    /// What starts it.
    pub engines: Arc<dyn TableEngines>,
    /// The table to open, where the link names none.
    pub table: TableSettings,
    /// The seat that it wants; none is any.
    pub seat: Option<Seat>,
    /// How many games it plays there.
    pub games: u64,
    /// What of its time it leaves to the way there and back.
    pub reserve: Nanos,
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RemoteGame {
    /// Its number at the table.
    pub number: u64,
    /// Whether this engine won; none is a draw, or no result.
    pub won: Option<bool>,
    /// How it ended, by the name of its termination.
    pub by: String,
    /// What there is to say about that.
    pub detail: Option<String>,
}

/// What there is to tell meanwhile.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RemoteNews {
    /// It sits at this table. With the links for another player and for viewers, where they are
    /// known.
    Seated {
        /// The table's id.
        room: String,
        /// Its seat.
        seat: Seat,
        /// The part after the server's address that lets another one play.
        invite: String,
    },
    /// A game has begun.
    Began(u64),
    /// A game is over.
    Over(RemoteGame),
    /// The server said that something does not work.
    Problem(String),
    /// The connection is gone; it is tried again.
    Lost(String),
    /// It is there again.
    Back,
}

/// Why an engine does not play any more.
#[derive(Debug, Error)]
pub enum RemoteError {
    /// There is no connection.
    #[error(transparent)]
    Connection(#[from] ClientError),
    /// The server does not let it sit there.
    #[error("{server}: {message}")]
    NoSeat {
        /// The server.
        server: String,
        /// Why.
        message: String,
    },
    /// The table is gone.
    #[error("the table was closed: {0}")]
    Closed(String),
    /// The engine cannot play.
    #[error("{0}")]
    Engine(String),
}

/// Where the engine's thread leaves what the main loop has to know.
#[derive(Default)]
struct Shared {
    sender: Mutex<Option<ClientSender>>,
    failure: Mutex<Option<String>>,
}

impl RemoteSeat {
    /// Plays until so many games are over, or it is told to stop.
    ///
    /// # Errors
    /// When it cannot play, or not any more.
    pub fn play(
        self,
        stop: &AtomicBool,
        tell: &mut dyn FnMut(RemoteNews),
    ) -> Result<(), RemoteError> {
        let client = Client::connect(self.options.clone())?;
        let shared = Arc::new(Shared::default());
        let mut table = Table {
            seat: &self,
            shared,
            room: self.options.link.room.clone(),
            key: self.options.link.key.clone(),
            sits: None,
            engine: None,
            variant: None,
            time: TimeControl::default(),
            game: 0,
            counted: 0,
            over: 0,
        };
        table.come(&client);
        let mut client = client;
        while !stop.load(Ordering::SeqCst) {
            if let Some(problem) = take(&table.shared.failure) {
                return Err(RemoteError::Engine(problem));
            }
            match client.hear(LOOK) {
                ClientEvent::Nothing => {}
                ClientEvent::Message(message) => {
                    if table.hear(&client, &message, tell)? {
                        return Ok(());
                    }
                }
                ClientEvent::Gone(problem) => {
                    tell(RemoteNews::Lost(problem));
                    table.stop_thinking();
                    let Some(again) = self.connect_again(stop)? else { return Ok(()) };
                    client = again;
                    tell(RemoteNews::Back);
                    table.come(&client);
                }
            }
        }
        Ok(())
    }

    /// A new connection; none when it is told to stop.
    fn connect_again(&self, stop: &AtomicBool) -> Result<Option<Client>, RemoteError> {
        let began = Instant::now();
        let mut tried = Instant::now();
        loop {
            if stop.load(Ordering::SeqCst) {
                return Ok(None);
            }
            if tried.elapsed() < RETRY {
                std::thread::sleep(LOOK);
                continue;
            }
            tried = Instant::now();
            match Client::connect(self.options.clone()) {
                Ok(client) => return Ok(Some(client)),
                Err(ClientError::Unreachable { .. } | ClientError::NoTables { .. })
                    if began.elapsed() < MOST_RETRIES => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
}

/// The table as the engine's client knows it.
struct Table<'a> {
    seat: &'a RemoteSeat,
    shared: Arc<Shared>,
    room: Option<String>,
    key: Option<String>,
    sits: Option<Seat>,
    engine: Option<SeatedEngine>,
    variant: Option<GameVariant>,
    time: TimeControl,
    /// The number of the game that is under way, and of the last one that was over.
    game: u64,
    counted: u64,
    /// How many were over.
    over: u64,
}

impl Table<'_> {
    /// Enters the table, or opens one.
    fn come(&mut self, client: &Client) {
        match &self.room {
            Some(room) => {
                let mut enter = json!({ "type": "enter", "id": COMING, "room": room });
                if let Some(key) = &self.key {
                    enter["key"] = json!(key);
                }
                client.send(&enter);
            }
            None => {
                let seat = self.seat.seat.unwrap_or(Seat::First) as u8;
                let table = &self.seat.table;
                let host = json!({ "type": "host", "id": COMING, "table": table, "seat": seat });
                client.send(&host);
            }
        }
        // What the engine answers comes after that: who is not in a room says nothing there.
        let mut sender = self.shared.sender.lock().unwrap_or_else(PoisonError::into_inner);
        *sender = Some(client.sender());
    }

    /// Takes a message. Returns whether all games have been played.
    fn hear(
        &mut self,
        client: &Client,
        message: &Value,
        tell: &mut dyn FnMut(RemoteNews),
    ) -> Result<bool, RemoteError> {
        let word = |key: &str| message[key].as_str().unwrap_or_default().to_owned();
        match word("type").as_str() {
            "table" => return self.take_table(client, message, tell),
            "state" => self.answer_wishes(client, &message["state"]),
            "ask" => self.ask(message, tell),
            "over" => {
                self.stop_thinking();
                self.count(message, tell);
                return Ok(self.ask_for_another(client));
            }
            "closed" => return Err(RemoteError::Closed(word("reason"))),
            // It is gone, or the seat is another's: nothing more will come of it.
            "error" if self.sits.is_some() && message["id"] == COMING => {
                return Err(RemoteError::Closed(word("message")));
            }
            "error" if self.sits.is_none() => {
                let server = self.seat.options.link.server.clone();
                return Err(RemoteError::NoSeat { server, message: word("message") });
            }
            // An answer that came too late, or a wish that nobody has any more.
            "error" if word("code") == "not_now" => {}
            "error" => tell(RemoteNews::Problem(word("message"))),
            _ => {}
        }
        Ok(false)
    }

    fn take_table(
        &mut self,
        client: &Client,
        message: &Value,
        tell: &mut dyn FnMut(RemoteNews),
    ) -> Result<bool, RemoteError> {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        self.room = text(&message["room"]);
        let you = &message["you"];
        let Some(seat) = you["seat"].as_u64() else {
            if self.seat.options.link.room.is_none() && self.sits.is_none() {
                // Who opens a table sees it before the seat that was named is taken.
                return Ok(false);
            }
            let mut sit = json!({ "type": "sit", "room": self.room });
            if let Some(key) = &self.key {
                sit["key"] = json!(key);
            }
            if let Some(seat) = self.seat.seat {
                sit["seat"] = json!(seat as u8);
            }
            client.send(&sit);
            return Ok(false);
        };
        let seat = if seat == 0 { Seat::First } else { Seat::Second };
        self.key = text(&you["key"]);
        if self.variant.is_none() {
            self.take_settings(&message["settings"])?;
        }
        if self.sits.is_none()
            && let Some(room) = &self.room
        {
            let invite = match message["keys"]["invite"].as_str() {
                Some(key) => format!("#room={room}&key={key}"),
                None => format!("#room={room}"),
            };
            tell(RemoteNews::Seated { room: room.clone(), seat, invite });
        }
        let was_here = self.sits.replace(seat).is_some();
        self.sit_engine()?;
        let game = &message["live"]["game"];
        let number = game["number"].as_u64().unwrap_or(0);
        let is_over = message["state"]["phase"] == "over";
        if number > self.game && !is_over {
            self.game = number;
            tell(RemoteNews::Began(number));
        }
        // Whatever was thought about is another position now; what is asked follows.
        self.stop_thinking();
        self.answer_wishes(client, &message["state"]);
        if !is_over {
            return Ok(false);
        }
        // A game that ended while the connection was gone; one before this engine came is not its.
        if was_here {
            self.count(game, tell);
        }
        self.counted = number;
        Ok(self.ask_for_another(client))
    }

    /// Counts a game that is over, once; `told` has its number and its result.
    fn count(&mut self, told: &Value, tell: &mut dyn FnMut(RemoteNews)) {
        let game = self.result(told);
        if game.number > self.counted {
            self.counted = game.number;
            self.over += 1;
            tell(RemoteNews::Over(game));
        }
    }

    /// Asks for another game. Returns whether all have been played.
    fn ask_for_another(&self, client: &Client) -> bool {
        if self.over >= self.seat.games {
            return true;
        }
        client.send(&json!({ "type": "request", "room": self.room, "what": "again" }));
        false
    }

    fn take_settings(&mut self, settings: &Value) -> Result<(), RemoteError> {
        let text = |key: &str| settings[key].as_str().unwrap_or_default();
        let read = || {
            Some((
                text("rule").parse().ok()?,
                text("size").parse().ok()?,
                text("opening").parse().ok()?,
                text("time").parse().ok()?,
            ))
        };
        let (rule, size, opening, time) = read().ok_or_else(|| {
            RemoteError::Engine("the table has settings that this tengen does not know".to_owned())
        })?;
        (self.variant, self.time) = (Some(GameVariant { rule, size, opening }), time);
        Ok(())
    }

    fn sit_engine(&mut self) -> Result<(), RemoteError> {
        let (None, Some(variant)) = (&self.engine, self.variant) else { return Ok(()) };
        let pool = EnginePool::new(Arc::clone(&self.seat.engines), 1);
        let (shared, room) = (Arc::clone(&self.shared), self.room.clone());
        let tell = move |news| match news {
            EngineNews::Started(_) | EngineNews::Ready { .. } | EngineNews::Unready { .. } => {}
            EngineNews::Failed { reason, .. } => {
                *shared.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(reason);
            }
            EngineNews::Answered { question, reply, .. } => {
                say_answer(&shared, &room, question, *reply);
            }
        };
        let time = RealTime::new();
        let seated = SeatedEngine::sit(&pool, None, 1, &self.seat.engine, variant, time, tell);
        self.engine = Some(seated.map_err(RemoteError::Engine)?);
        Ok(())
    }

    fn ask(&mut self, message: &Value, tell: &mut dyn FnMut(RemoteNews)) {
        let (Some(variant), Some(engine)) = (self.variant, &self.engine) else { return };
        match question(message, variant, self.time, self.game, self.seat.reserve) {
            Some(question) => engine.ask(question),
            None => tell(RemoteNews::Problem(
                "the server sent a question that this version does not know".to_owned(),
            )),
        }
    }

    fn stop_thinking(&self) {
        if let Some(engine) = &self.engine {
            engine.stop();
        }
    }

    /// An engine takes nothing back, agrees to no draw, and plays again as often as it was told.
    fn answer_wishes(&self, client: &Client, state: &Value) {
        let Some(sits) = self.sits else { return };
        for wish in state["requests"].as_array().into_iter().flatten() {
            if wish["seat"].as_u64() == Some(u64::from(sits as u8)) {
                continue;
            }
            let accept = wish["what"] == "again" && self.over < self.seat.games;
            let (room, what) = (&self.room, &wish["what"]);
            client.send(&json!({ "type": "reply", "room": room, "what": what, "accept": accept }));
        }
    }

    fn result(&self, message: &Value) -> RemoteGame {
        let result = &message["result"];
        let winner = result["winner"].as_u64();
        RemoteGame {
            number: message["number"].as_u64().unwrap_or(0),
            won: winner.zip(self.sits).map(|(winner, sits)| winner == u64::from(sits as u8)),
            by: result["by"].as_str().unwrap_or_default().to_owned(),
            detail: result["detail"].as_str().map(str::to_owned),
        }
    }
}

/// Says what the engine answered. One that failed gives the game up.
fn say_answer(shared: &Shared, room: &Option<String>, question: u64, reply: Reply) {
    let sender = shared.sender.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let Some(sender) = sender else { return };
    let action = match reply.outcome {
        Ok(Some(action)) => action,
        // Its time is over; the server knows.
        Ok(None) => return,
        Err(fault) => {
            let detail = crate::text::plain(&fault.detail, 120);
            let text = format!("the engine failed: {detail}");
            sender.send(&json!({ "type": "chat", "room": room, "text": text }));
            Action::Resign
        }
    };
    if reply.offers_draw || action == Action::OfferDraw {
        sender.send(&json!({ "type": "request", "room": room, "what": "draw" }));
    }
    match action {
        Action::AcceptDraw => {
            return sender
                .send(&json!({ "type": "reply", "room": room, "what": "draw", "accept": true }));
        }
        Action::OfferDraw | Action::Claim => return,
        Action::Answer(_) | Action::Resign => {}
    }
    let entry = HistoryEntry {
        info: reply.info,
        pv: reply.pv,
        ..HistoryEntry::new(Seat::First, action, 0, None)
    };
    let Ok(Value::Object(mut act)) = serde_json::from_slice(&action_json(&entry)) else { return };
    for arbiters in ["seat", "ns", "clock"] {
        act.remove(arbiters);
    }
    act.insert("type".to_owned(), json!("act"));
    act.insert("room".to_owned(), json!(room));
    act.insert("question".to_owned(), json!(question));
    sender.send(&Value::Object(act));
}

fn take<T>(slot: &Mutex<Option<T>>) -> Option<T> {
    slot.lock().unwrap_or_else(PoisonError::into_inner).take()
}
