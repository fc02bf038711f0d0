use std::cell::{Cell, RefCell};
use std::sync::mpsc::{self, Receiver, Sender};

use serde_json::{Value, json};
use tengen_arbiter::{GameResult, Limits, Nanos, SearchInfo};
use tengen_link::{Connection, TableEngines};
use tengen_players::{
    EngineInstance, Fault, GameSetup, GameVariant, ListedEngine, Player, Reply, Request,
};
use tengen_rules::{Answer, Move};
use tengen_testkit::{ScriptedServer, VirtualTime};

use super::*;
use crate::app::model::{ConnectionState, ServerRefusal};
use crate::app::session::TableGuest;

const SECOND: Nanos = 1_000_000_000;

/// Engines that take a while to start, and answer at once.
struct Engines {
    time: Arc<VirtualTime>,
    start: Nanos,
    answer: Action,
    asked: Sender<Limits>,
}

impl EngineProvider for Engines {}

impl TableEngines for Engines {
    fn list(&self) -> Vec<ListedEngine> {
        Vec::new()
    }

    fn start(&self, _id: &str, _variant: &GameVariant) -> Result<EngineInstance, String> {
        self.time.advance(self.start);
        let (answer, asked) = (self.answer.clone(), self.asked.clone());
        Ok(EngineInstance {
            name: "quick".to_owned(),
            version: None,
            hash: None,
            layers: Vec::new(),
            opening_by_arbiter: false,
            player: Box::new(Quick { answer, asked }),
            interrupt: Arc::new(|| {}),
        })
    }
}

struct Quick {
    answer: Action,
    asked: Sender<Limits>,
}

impl Player for Quick {
    fn new_game(&mut self, _game: &GameSetup) -> Result<(), Fault> {
        Ok(())
    }

    fn ask(&mut self, request: &Request<'_>, time: &dyn Time) -> Reply {
        self.asked.send(request.limits).unwrap();
        Reply {
            asked_at: time.now(),
            answered_at: time.now(),
            offers_draw: false,
            outcome: Ok(Some(self.answer.clone())),
            info: Some(SearchInfo { depth: 4, ..SearchInfo::default() }),
            pv: Vec::new(),
        }
    }

    fn end_game(&mut self, _result: GameResult) {}
}

/// The message behind all that was sent, by which a test knows that it has heard all.
const MARK: &str = "mark";

/// A table of this window on a server.
struct ScriptedTable {
    shared: Arc<TableShared>,
    connection: Connection,
    server: RefCell<ScriptedServer>,
    /// One for each event of the connection, when it was taken.
    taken: Receiver<()>,
    has_given_up: Cell<bool>,
    /// What the engines were asked within.
    asked: Receiver<Limits>,
}

impl ScriptedTable {
    fn open(entry: TableAccess, start: Nanos, answer: Action) -> ScriptedTable {
        let time = Arc::new(VirtualTime::starting_at(100 * SECOND));
        let (asks, asked) = mpsc::channel();
        let engines = Engines { time: Arc::clone(&time), start, answer, asked: asks };
        let server = ScriptedServer::start();
        let hash = match entry {
            TableAccess::Host { .. } => "",
            TableAccess::Enter { .. } => "#table=r&key=k",
        };
        let address = format!("http://{}/{hash}", server.host()).parse::<TableAddress>().unwrap();
        let guest = TableGuest { name: "Ann".to_owned(), ..TableGuest::default() };
        let name = guest.name.clone();
        let shared = TableShared::new(&address, entry, name, Arc::new(engines), time);
        let shared = Arc::new(shared);
        let (takes, taken) = mpsc::channel();
        let of_link = Arc::clone(&shared);
        let connection = Connection::open(guest.options(&address), move |event, link| {
            of_link.take(event, link);
            // The test may be over.
            let _over = takes.send(());
        });
        let connection = connection.unwrap();
        shared.set_link(connection.sender());
        let (server, has_given_up) = (RefCell::new(server), Cell::new(false));
        let table = ScriptedTable { shared, connection, server, taken, has_given_up, asked };
        table.connect();
        table
    }

    /// A table that is shown a game.
    fn playing(shown: &Value) -> ScriptedTable {
        ScriptedTable::with_engines(shown, 0, stone("h8"))
    }

    /// The same, with engines that take so long to start and answer that.
    fn with_engines(shown: &Value, start: Nanos, answer: Action) -> ScriptedTable {
        let table = ScriptedTable::open(TableAccess::Enter { sits: false }, start, answer);
        assert_eq!(table.server.borrow_mut().hear().unwrap()["type"], "enter");
        table.say(shown);
        table
    }

    /// Lets the window connect, as it does by itself at first.
    fn connect(&self) {
        self.connection.sender().hurry();
        self.server.borrow_mut().accept();
        self.server.borrow_mut().send(&json!({ "type": "welcome", "engines": [] }));
        self.wait_taken(2);
    }

    fn lose(&self) {
        self.server.borrow_mut().disconnect();
        self.wait_taken(1);
    }

    fn say(&self, message: &Value) {
        self.server.borrow_mut().send(message);
        self.wait_taken(1);
    }

    /// Waits until so many more events of the connection were taken.
    fn wait_taken(&self, events: usize) {
        self.taken.iter().take(events).for_each(drop);
    }

    fn refuse(&self, code: &str) {
        let error = json!({ "type": "error", "code": code, "message": "because", "table": "r" });
        self.say(&error);
    }

    fn info(&self) -> Arc<TableInfo> {
        Arc::clone(&self.shared.state.lock().info)
    }

    /// Whether it is; all that was sent must have been looked at.
    fn is_closed(&self) -> bool {
        let unread = self.sent();
        assert!(unread.is_empty(), "{unread:?}");
        let is_closed = matches!(self.info().connection, ConnectionState::Closed(_));
        assert_eq!(is_closed, self.has_given_up.get());
        is_closed
    }

    fn use_engine(&self) {
        let engine = ListedEngine { id: "quick".to_owned(), name: "QUICK".to_owned() };
        self.shared.send(TableCommand::UseOwnEngine(Some(engine)));
    }

    /// Waits for a message of that type.
    fn hear(&self, kind: &str) -> Value {
        self.server.borrow_mut().hear_kind(kind)
    }

    /// What was sent to the server by now, and not looked at.
    fn sent(&self) -> Vec<Value> {
        self.connection.sender().send(&json!({ "type": MARK }));
        let mut server = self.server.borrow_mut();
        let mut sent = Vec::new();
        loop {
            match server.hear() {
                Some(message) if message["type"] == MARK => return sent,
                Some(message) => sent.push(message),
                None => {
                    self.has_given_up.set(true);
                    return sent;
                }
            }
        }
    }

    /// The keys by which it has asked to be let in.
    fn keys(&self) -> Vec<String> {
        let sent = self.sent();
        let entering = sent.iter().filter(|message| message["type"] == "enter");
        entering.map(|message| message["key"].as_str().unwrap().to_owned()).collect()
    }
}

impl Drop for ScriptedTable {
    fn drop(&mut self) {
        let threads = self.shared.state.lock().stop_engine();
        drop(threads);
    }
}

fn stone(text: &str) -> Action {
    Action::Answer(Answer::Move(Move::Stone(text.parse().unwrap())))
}

/// A game with that number, where the window's seat was asked so many milliseconds ago.
fn game(number: u64, seat: Seat, time: &str, left: Option<u64>, ago: u64) -> Value {
    let sitter = |name: &str| json!({ "name": name, "kind": "person", "here": true, "lag": 4 });
    let steps = match seat {
        Seat::First => json!([]),
        Seat::Second => json!([{ "seat": "first", "move": "h8", "ns": 20_000_000 }]),
    };
    let clocks = json!({ "first": left, "second": left });
    json!({
        "type": "table", "table": "r", "settings": { "time": time },
        "you": { "seat": seat, "key": "mine", "host": false, "host_key": null },
        "state": {
            "phase": "playing", "seats": { "first": sitter("Ann"), "second": sitter("Ben") },
            "requests": [], "score": { "first": 0.0, "second": 0.0 }, "games": number,
            "viewers": 0,
        },
        "live": {
            "game": {
                "number": number, "round": 0, "seats": { "first": 0, "second": 1 },
                "black": "first", "clocks": clocks, "first": {}, "steps": steps, "result": null,
            },
            "asked": seat, "since": 80_000 - ago, "left": clocks,
        },
        "question": 10 * number, "waiting": seat, "now": 80_000, "chat": [],
    })
}

#[test]
fn an_engine_gets_no_time_that_is_gone_when_it_begins() {
    // Handed over after 6 s of 10, and started in 1 s.
    let shown = game(1, Seat::First, "move=10", None, 6000);
    let table = ScriptedTable::with_engines(&shown, SECOND, stone("h8"));
    table.use_engine();
    let limits = table.asked.recv().unwrap();
    assert_eq!((limits.hard, limits.own), (Some(2_700_000_000), None));
    assert_eq!(table.hear("act")["move"], "h8");
    // Handed over after 38 s of 40: 1 s is left when it has started.
    let shown = game(1, Seat::First, "60+1", Some(40_000), 38_000);
    let table = ScriptedTable::with_engines(&shown, SECOND, stone("h8"));
    table.use_engine();
    let limits = table.asked.recv().unwrap();
    assert_eq!((limits.hard, limits.own), (Some(SECOND / 12), Some(SECOND)));
}

#[test]
fn an_engine_writes_to_the_log_of_the_seat_that_it_answers_on() {
    let table = ScriptedTable::playing(&game(1, Seat::First, "60+1", Some(60_000), 0));
    table.use_engine();
    table.hear("act");
    assert_eq!(table.shared.outputs.first.lines(0).len(), 1);
    // The next game, with seats exchanged.
    table.say(&game(2, Seat::Second, "60+1", Some(60_000), 0));
    table.hear("act");
    let lines = table.shared.outputs.as_ref().map(|output| output.lines(1).len());
    assert_eq!((lines.first, lines.second), (0, 1));
}

#[test]
fn an_engine_whose_answer_is_refused_or_cannot_be_sent_gives_the_seat_back() {
    let given_back = |table: &ScriptedTable, reason: &str| {
        while table.hear("name")["name"] != "Ann" {}
        let (code, message) = ("own_engine".to_owned(), reason.to_owned());
        let info = table.info();
        assert_eq!(info.refusal, Some(ServerRefusal { code, message }));
        assert_eq!(info.own_engine, None);
        assert!(table.shared.state.lock().engine.is_none());
    };
    let shown = game(1, Seat::First, "60+1", Some(60_000), 0);
    let table = ScriptedTable::playing(&shown);
    table.use_engine();
    table.hear("act");
    table.refuse("illegal");
    given_back(&table, "because");
    // A person's own illegal answer has no engine to blame.
    table.refuse("illegal");
    assert_eq!(table.info().refusal.as_ref().unwrap().code, "illegal");
    let table = ScriptedTable::with_engines(&shown, 0, Action::Claim);
    table.use_engine();
    given_back(&table, "it answered what cannot be said at a table");
}

#[test]
fn a_step_that_cannot_be_is_asked_for_anew_before_the_table_is_given_up() {
    let table = ScriptedTable::playing(&game(1, Seat::First, "60+1", Some(60_000), 0));
    let wrong = json!({ "seat": "second", "move": "i8", "ns": 20_000_000 });
    table.say(&json!({
        "type": "step", "table": "r", "number": 1, "place": 0, "step": wrong, "asked": "first",
        "since": 12_000, "left": { "first": 48_000, "second": 60_000 }, "question": 11,
        "waiting": "first", "now": 12_500,
    }));
    assert_eq!(table.keys(), ["mine"]);
    assert!(!table.is_closed());
    table.say(&game(1, Seat::Second, "60+1", Some(60_000), 0));
    assert!(!table.is_closed());
    assert_eq!(table.shared.state.lock().snapshot.rows.len(), 1);
    let mut whole = game(1, Seat::First, "60+1", Some(60_000), 0);
    whole["live"]["game"]["steps"] = json!([wrong]);
    table.say(&whole);
    assert!(table.is_closed(), "it cannot be shown at all");
}

#[test]
fn a_server_that_has_lost_the_table_meanwhile_ends_it() {
    let shown = game(1, Seat::First, "60+1", Some(60_000), 0);
    for (code, ends) in [("table", true), ("key", true), ("not_now", false)] {
        let table = ScriptedTable::playing(&shown);
        table.refuse(code);
        assert!(!table.is_closed(), "{code}: nothing was asked");
        table.lose();
        table.connect();
        assert_eq!(table.keys(), ["mine"]);
        table.refuse(code);
        assert_eq!(table.is_closed(), ends, "{code}");
    }
    // The host has two keys; one that still fits is enough.
    let mut hosted = shown;
    hosted["you"]["host_key"] = json!("host");
    for first in [true, false] {
        let table = ScriptedTable::playing(&hosted);
        table.lose();
        table.connect();
        assert_eq!(table.keys(), ["host", "mine"]);
        if first {
            table.say(&hosted);
        }
        table.refuse("key");
        if !first {
            assert!(!table.is_closed());
            table.say(&hosted);
        }
        assert!(!table.is_closed());
    }
}

#[test]
fn a_table_is_not_opened_twice() {
    let settings = TableSettings::default();
    let table = ScriptedTable::open(TableAccess::Host { settings, seat: None }, 0, stone("h8"));
    assert_eq!(table.sent().iter().filter(|message| message["type"] == "host").count(), 1);
    table.lose();
    table.connect();
    assert_eq!(table.sent().len(), 0);
    assert!(table.is_closed());
    let reason = "the connection broke while the table was being opened; open it again";
    assert_eq!(table.info().connection, ConnectionState::Closed(reason.to_owned()));
}

#[test]
fn the_window_is_ready_for_a_first_game_that_waits_for_it() {
    let waits = |is_ready: bool| {
        let mut shown = game(1, Seat::First, "60+1", None, 0);
        (shown["live"], shown["waiting"]) = (Value::Null, Value::Null);
        shown["state"]["phase"] = json!("open");
        shown["state"]["ready"] = json!({ "first": is_ready, "second": true });
        shown
    };
    let table = ScriptedTable::playing(&waits(false));
    table.say(&waits(false));
    table.say(&waits(true));
    assert_eq!(table.sent(), [json!({ "type": "ready", "table": "r" })]);
}
