use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};

use tengen_arbiter::Action;
use tengen_players::{EngineInstance, EngineQuestion, Fault, Player, Reply, Request, Time, Timing};
use tengen_rules::{Answer, Ask, Move, Point, Zone};
use tokio_tungstenite::tungstenite::{self, Message, WebSocket};

use super::*;
use crate::play::ClientSender;
use crate::play::protocol::{ClientKind, MOST_BYTES};
use crate::play::team_protocol::{MOST_LINE, MOST_SAID, TeamMessage, read_team_message};

/// What an engine is heard to do.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Deed {
    Start,
    /// The number of the game.
    Game(Option<u64>),
    /// How long it is waited for.
    Ask(Option<Nanos>),
}

/// Engines that are late with their first answers, so many of each.
struct Engines {
    late: usize,
    deeds: Mutex<Sender<Deed>>,
}

struct Engine {
    late: usize,
    deeds: Sender<Deed>,
}

impl TableEngines for Engines {
    fn list(&self) -> Vec<ListedEngine> {
        Vec::new()
    }

    fn start(&self, _id: &str, _variant: &GameVariant) -> Result<EngineInstance, String> {
        let deeds = lock(&self.deeds).clone();
        deeds.send(Deed::Start).unwrap();
        Ok(EngineInstance {
            name: "engine".to_owned(),
            version: None,
            hash: None,
            layers: Vec::new(),
            opening_by_arbiter: false,
            player: Box::new(Engine { late: self.late, deeds }),
            interrupt: Arc::new(|| {}),
        })
    }
}

impl Player for Engine {
    fn new_game(&mut self, game: &GameSetup) -> Result<(), Fault> {
        self.deeds.send(Deed::Game(game.number)).unwrap();
        Ok(())
    }

    fn ask(&mut self, request: &Request<'_>, time: &dyn Time) -> Reply {
        self.deeds.send(Deed::Ask(request.patience)).unwrap();
        let is_late = self.late > 0;
        self.late = self.late.saturating_sub(1);
        let point = Point::new(request.moves.len() as u8, 0);
        let answer = Action::Answer(Answer::Move(Move::Stone(point)));
        Reply {
            asked_at: time.now(),
            answered_at: time.now(),
            offers_draw: false,
            outcome: Ok((!is_late).then_some(answer)),
            info: None,
            pv: Vec::new(),
        }
    }

    fn timing(&self) -> Timing {
        Timing::default()
    }

    fn take_said(&mut self) -> Vec<String> {
        vec!["天".repeat(2 * MOST_LINE); 2 * MOST_SAID]
    }

    fn end_game(&mut self, _result: GameResult) {}
}

fn engines(late: usize) -> (Arc<Engines>, Receiver<Deed>) {
    let (deeds, heard) = mpsc::channel();
    (Arc::new(Engines { late, deeds: Mutex::new(deeds) }), heard)
}

fn variant() -> GameVariant {
    GameVariant { rule: Rule::Freestyle, size: Size::STANDARD, opening: Procedure::None }
}

fn next<T>(of: &Receiver<T>, count: usize) -> Vec<T> {
    (0..count).map(|_| of.recv().unwrap()).collect()
}

#[test]
fn an_engine_is_loaded_before_its_first_game_and_answers_again_after_it_was_late() {
    let (engines, heard) = engines(1);
    let outlet = Arc::new(Outlet::default());
    let (sender, mut said) = ClientSender::for_test();
    outlet.open(sender);
    let mut seat = TeamSeat::new(engines, "engine", variant(), Arc::clone(&outlet)).unwrap();
    assert_eq!(next(&heard, 2), [Deed::Start, Deed::Game(None)], "before any game");
    let mut hear = || -> Value { serde_json::from_str(&said.blocking_recv().unwrap()).unwrap() };
    let setup = variant().setup(Seat::First, TimeControl::default());
    seat.begin("room", GameSetup { number: Some(7), ..setup.clone() });
    assert_eq!(hear(), json!({ "type": "ready", "room": "room" }));
    let ask = |number| {
        seat.ask(EngineQuestion {
            number,
            game: 99,
            setup: setup.clone(),
            moves: Vec::new(),
            ask: Ask::Move { zone: Zone::Anywhere },
            offered: Vec::new(),
            fifth_moves: None,
            limits: tengen_arbiter::Limits::default(),
            patience: None,
        });
    };
    ask(1);
    let all = [Deed::Game(Some(7)), Deed::Ask(None)];
    assert_eq!(next(&heard, 2), all);
    while !outlet.take_problems().iter().any(|told| told.contains("in time")) {
        thread::yield_now();
    }
    // Where a late answer does not lose, the next question of that game follows.
    ask(2);
    assert_eq!(next(&heard, 2), all, "ready for that game again");
    let act = hear();
    assert_eq!((&act["question"], &act["move"]), (&json!(2), &json!("a1")));
    // As much as fits of what it said.
    assert!(act.to_string().len() <= MOST_BYTES);
    let (_, TeamMessage::Act { act, .. }) = read_team_message(&act.to_string()).unwrap() else {
        panic!("{act}")
    };
    assert!(!act.said.is_empty() && act.said.iter().all(|line| line.starts_with('天')));
    seat.end(GameResult { winner: None, termination: Termination::Aborted });
    assert!(said.is_empty(), "nothing follows the end of a game");
}

/// A server of one team, in a test's hands.
struct Server {
    listener: TcpListener,
    news: Receiver<TeamClientNews>,
    client: JoinHandle<Result<(), TeamClientError>>,
}

impl Server {
    /// With a client that comes to it.
    fn new(engines: Arc<Engines>) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let link = format!("http://{}/#team=key", listener.local_addr().unwrap());
        let (name, kind) = ("engine".to_owned(), ClientKind::Engine);
        let options = ClientOptions {
            link: link.parse().unwrap(),
            name: name.clone(),
            kind,
            password: None,
            authority: None,
        };
        let engine = ListedEngine { id: name.clone(), name };
        let client = TeamClient { options, engine, engines, tables: 1, reserve: 0 };
        let (tell, news) = mpsc::channel();
        let play =
            move || client.play(&AtomicBool::new(false), &mut |news| tell.send(news).unwrap());
        Server { listener, news, client: thread::spawn(play) }
    }

    /// The next connection, and what came first on it.
    fn accept(&self) -> (WebSocket<TcpStream>, Value) {
        let mut socket = tungstenite::accept(self.listener.accept().unwrap().0).unwrap();
        let join = hear(&mut socket);
        assert_eq!(join["type"], "join");
        (socket, join)
    }

    /// Waits for the end of the client. What it told last, and what came of it.
    fn end(self) -> (Option<TeamClientNews>, Result<(), TeamClientError>) {
        let ended = self.client.join().unwrap();
        (self.news.iter().last(), ended)
    }
}

fn hear(socket: &mut WebSocket<TcpStream>) -> Value {
    serde_json::from_str(socket.read().unwrap().to_text().unwrap()).unwrap()
}

fn say(socket: &mut WebSocket<TcpStream>, message: Value) {
    socket.send(Message::text(message.to_string())).unwrap();
}

fn joined(rooms: &[&str]) -> Value {
    json!({
        "type": "joined", "event": "cup", "name": "Team", "rooms": rooms,
        "settings": { "rule": "freestyle", "size": "15", "opening": "none" },
    })
}

#[test]
fn what_a_dead_line_swallowed_is_said_again_and_the_engine_has_the_margin() {
    let (engines, heard) = engines(0);
    let server = Server::new(engines);
    let (mut first, _) = server.accept();
    say(&mut first, joined(&[]));
    let game = json!({
        "type": "game", "room": "r", "number": 7, "seat": 0, "later": true,
        "settings": { "rule": "freestyle", "size": "15", "opening": "none", "time": "60" },
    });
    say(&mut first, game.clone());
    assert_eq!(hear(&mut first)["type"], "ready");
    let ask = json!({
        "type": "ask", "room": "r", "question": 1, "seat": 0, "moves": [],
        "ask": { "ask": "move" }, "limits": { "own": 60000, "hard": 60000, "margin": 500 },
    });
    say(&mut first, ask.clone());
    let act = hear(&mut first);
    assert_eq!((&act["type"], &act["question"]), (&json!("act"), &json!(1)));
    let Some(Deed::Ask(Some(patience))) = next(&heard, 4).pop() else { panic!("not asked") };
    // Less what it took until the engine was asked.
    assert!(patience > 60_000_000_000 && patience <= 60_500_000_000, "{patience}");
    drop(first);
    let (mut second, _) = server.accept();
    say(&mut second, joined(&["r"]));
    say(&mut second, game);
    say(&mut second, ask);
    assert_eq!(hear(&mut second), act);
    say(&mut second, json!({ "type": "end", "reason": "the event is over" }));
    let (told, ended) = server.end();
    assert_eq!(told, Some(TeamClientNews::End("the event is over".to_owned())));
    assert!(ended.is_ok() && heard.try_recv().is_err(), "it was asked once");
}

#[test]
fn an_event_that_ended_while_the_line_was_broken_is_over() {
    let server = Server::new(engines(0).0);
    let (mut first, _) = server.accept();
    say(&mut first, joined(&[]));
    drop(first);
    let (mut second, _) = server.accept();
    say(&mut second, json!({ "type": "error", "code": "over", "message": "it is over" }));
    let (told, ended) = server.end();
    assert_eq!(told, Some(TeamClientNews::End("it is over".to_owned())));
    assert!(ended.is_ok(), "{ended:?}");
    // Who was never in it is told that it cannot come in.
    let server = Server::new(engines(0).0);
    let (mut first, _) = server.accept();
    say(&mut first, json!({ "type": "error", "code": "over", "message": "it is over" }));
    assert!(server.end().1.is_err());
}
