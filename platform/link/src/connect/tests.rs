use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

use serde_json::{Value, json};
use tengen_arbiter::{Action, GameResult, Nanos};
use tengen_players::{
    EngineInstance, Fault, GameSetup, GameVariant, ListedEngine, Player, Reply, Request, Time,
    Timing,
};
use tengen_rules::{Answer, Move, Point};
use tengen_testkit::{ScriptedServer, engine_instance};

use super::*;
use crate::TableEngines;
use crate::messages::{Heard, MOST_LINE, MOST_SAID, TableInput, ToTable, read_message};

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
        let deeds = self.deeds.lock().unwrap().clone();
        deeds.send(Deed::Start).unwrap();
        Ok(engine_instance("engine", Engine { late: self.late, deeds }))
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
        Reply::new(time.now(), time.now(), Ok((!is_late).then_some(answer)))
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

fn next<T>(of: &Receiver<T>, count: usize) -> Vec<T> {
    (0..count).map(|_| of.recv().unwrap()).collect()
}

/// A server for one remote engine, driven by the test.
struct Server {
    line: ScriptedServer,
    news: Receiver<RemoteNews>,
    client: JoinHandle<Result<(), RemoteError>>,
}

impl Server {
    fn new(engines: Arc<Engines>) -> Server {
        let line = ScriptedServer::start();
        let link = format!("http://{}/#team=key", line.host());
        let name = "engine".to_owned();
        let client = RemoteEngine {
            address: link.parse().unwrap(),
            name: name.clone(),
            authority: None,
            engine: ListedEngine { id: name.clone(), name },
            engines,
            place: RemotePlace::Event { tables: 1 },
            reserve: 0,
        };
        let (tell, news) = mpsc::channel();
        let play =
            move || client.play(&AtomicBool::new(false), &mut |news| tell.send(news).unwrap());
        let mut server = Server { line, news, client: thread::spawn(play) };
        server.accept();
        server
    }

    /// Waits until the client comes, as it does again when the connection broke.
    fn accept(&mut self) {
        assert_eq!(self.line.accept()["type"], "join");
    }

    fn say(&mut self, message: &Value) {
        self.line.send(message);
    }

    fn hear(&mut self) -> Value {
        self.line.hear().unwrap()
    }

    /// Waits for the end of the client. What it told last, and what came of it.
    fn end(mut self) -> (Option<RemoteNews>, Result<(), RemoteError>) {
        let ended = self.client.join().unwrap();
        assert_eq!(self.line.hear(), None, "nothing follows the end");
        (self.news.iter().last(), ended)
    }
}

fn joined(tables: &[&str]) -> Value {
    json!({
        "type": "joined", "version": 2, "server": "tengen", "event": "cup", "name": "Team",
        "tables": tables, "limits": { "message": 4096 },
        "settings": { "rule": "freestyle", "size": 15, "opening": "none" },
    })
}

fn game() -> Value {
    json!({
        "type": "game", "table": "r", "number": 7, "seat": "first", "later": true,
        "startup": 10000,
        "settings": { "rule": "freestyle", "size": 15, "opening": "none", "time": "60" },
    })
}

fn ask(question: u64) -> Value {
    json!({
        "type": "ask", "table": "r", "question": question, "seat": "first", "moves": [],
        "ask": { "ask": "move" }, "limits": { "own": 60000, "hard": 60000, "margin": 500 },
    })
}

#[test]
fn an_engine_is_loaded_before_its_first_game_and_answers_again_after_it_was_late() {
    let (engines, heard) = engines(1);
    let mut server = Server::new(engines);
    server.say(&joined(&[]));
    assert_eq!(next(&heard, 2), [Deed::Start, Deed::Game(None)], "before any game");
    server.say(&game());
    assert_eq!(server.hear(), json!({ "type": "ready", "table": "r" }));
    assert_eq!(next(&heard, 1), [Deed::Game(Some(7))]);
    let asked = || matches!(next(&heard, 1)[..], [Deed::Ask(Some(_))]);
    server.say(&ask(1));
    assert!(asked());
    let is_late = |told: &RemoteNews| match told {
        RemoteNews::Problem(problem) => problem.contains("in time"),
        _ => false,
    };
    assert!(server.news.iter().any(|told| is_late(&told)));
    // Where a late answer does not lose, the next question of that game follows.
    server.say(&ask(2));
    assert_eq!(next(&heard, 1), [Deed::Game(Some(7))], "ready for that game again");
    assert!(asked());
    // As much as fits of what it said.
    let text = server.hear().to_string();
    let message = read_message(&text).unwrap().1;
    let Heard::Table(ToTable { message: TableInput::Act(act), .. }) = message else {
        panic!("{text}")
    };
    assert_eq!(act.question, Some(2));
    assert_eq!(act.action, Action::Answer(Answer::Move(Move::Stone(Point::new(0, 0)))));
    assert!(!act.said.is_empty() && act.said.iter().all(|line| line.starts_with('天')));
    let over = json!({
        "type": "over", "table": "r", "number": 7,
        "result": { "winner": null, "termination": "aborted" },
    });
    server.say(&over);
    let mut news = server.news.iter();
    assert!(news.any(|told| matches!(told, RemoteNews::Over { number: 7, won: None, .. })));
    server.say(&json!({ "type": "end", "reason": "the event is over" }));
    assert!(server.end().1.is_ok());
}

#[test]
fn what_a_dead_line_swallowed_is_said_again_and_the_engine_has_the_margin() {
    let (engines, heard) = engines(0);
    let mut server = Server::new(engines);
    server.say(&joined(&[]));
    server.say(&game());
    assert_eq!(server.hear()["type"], "ready");
    server.say(&ask(1));
    let act = server.hear();
    assert_eq!((&act["type"], &act["question"]), (&json!("act"), &json!(1)));
    let Some(Deed::Ask(Some(patience))) = next(&heard, 4).pop() else { panic!("not asked") };
    // Less what it took until the engine was asked.
    assert!(patience > 60_000_000_000 && patience <= 60_500_000_000, "{patience}");
    server.line.disconnect();
    server.accept();
    server.say(&joined(&["r"]));
    server.say(&game());
    server.say(&ask(1));
    assert_eq!(server.hear(), act);
    server.say(&json!({ "type": "end", "reason": "the event is over" }));
    let (told, ended) = server.end();
    assert_eq!(told, Some(RemoteNews::End("the event is over".to_owned())));
    assert!(ended.is_ok() && heard.try_recv().is_err(), "it was asked once");
}

#[test]
fn an_event_that_ended_while_the_line_was_broken_is_over() {
    let mut server = Server::new(engines(0).0);
    server.say(&joined(&[]));
    server.line.disconnect();
    server.accept();
    server.say(&json!({ "type": "error", "code": "over", "message": "it is over" }));
    let (told, ended) = server.end();
    assert_eq!(told, Some(RemoteNews::End("it is over".to_owned())));
    assert!(ended.is_ok(), "{ended:?}");
    // One that was never in it is told that it cannot come in.
    let mut server = Server::new(engines(0).0);
    server.say(&json!({ "type": "error", "code": "over", "message": "it is over" }));
    assert!(server.end().1.is_err());
}

#[test]
fn a_game_that_is_not_understood_is_refused_and_the_others_go_on() {
    let (engines, heard) = engines(0);
    let mut server = Server::new(engines);
    server.say(&joined(&[]));
    let mut odd = game();
    odd["settings"]["rule"] = json!("go");
    odd["table"] = json!("odd");
    server.say(&odd);
    let failed = server.hear();
    assert_eq!((&failed["type"], &failed["table"]), (&json!("failed"), &json!("odd")));
    assert!(failed["reason"].as_str().unwrap().starts_with("game: "), "{failed}");
    server.say(&game());
    assert_eq!(server.hear()["type"], "ready");
    server.say(&ask(1));
    assert_eq!(server.hear()["type"], "act");
    server.say(&json!({ "type": "end", "reason": "over" }));
    assert!(server.end().1.is_ok());
    drop(heard);
}
