//! The server, over its socket.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::Value;
use tengen_link::messages::LiveGame;
use tengen_players::RealTime;
use tengen_rules::{Procedure, Rule};
use tengen_tournament::{Event, EventFollower, Stop};
use tengen_web::{HttpListener, ServedEvent, Server};

use crate::event::{Dice, event, play};

const PATIENCE: Duration = Duration::from_secs(120);

fn here() -> HttpListener {
    HttpListener::bind("127.0.0.1:0".parse().unwrap()).unwrap()
}

fn ask(address: SocketAddr, path: &str, more: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    // As a whole: a request that is refused at its first line ends the connection.
    let request =
        format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{more}\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    stream
}

/// The head and the body of an answer.
fn get(address: SocketAddr, path: &str) -> (String, String) {
    let mut answer = String::new();
    ask(address, path, "").read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.to_owned(), body.to_owned())
}

/// The stream of the event.
fn follow(address: SocketAddr, more: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    // To a client of version 1.0 a server sends what it sends, without lengths in between.
    write!(stream, "GET /api/events/cup/stream HTTP/1.0\r\nHost: localhost\r\n{more}\r\n").unwrap();
    stream
}

/// A server of that event, which runs, and what follows it.
fn serve(event: &Event, delay: Duration) -> (Server, SocketAddr, Arc<EventFollower>) {
    let follower = Arc::new(EventFollower::new(event));
    let (listener, live) = (here(), Some(Arc::clone(&follower)));
    let at = listener.address();
    let served = vec![ServedEvent { dir: event.dir().to_owned(), title: String::new(), live }];
    (Server::start(listener, delay, served).unwrap(), at, follower)
}

/// Plays an event to its end while it is followed.
fn play_followed(event: &mut Event, follower: &EventFollower) {
    let time = RealTime::new();
    event.run_watched(&Dice, &time, &Stop::new(), &mut |_| {}, follower).unwrap();
}

/// What is answered as JSON.
fn get_json(address: SocketAddr, path: &str) -> Value {
    serde_json::from_str(&get(address, path).1).unwrap()
}

/// The id, name and data of each message of a stream.
fn messages(stream: TcpStream) -> impl Iterator<Item = (String, String, Value)> {
    let (mut id, mut name, mut data) = (String::new(), String::new(), String::new());
    BufReader::new(stream).lines().map_while(Result::ok).filter_map(move |line| {
        if let Some(told) = line.strip_prefix("id: ") {
            told.clone_into(&mut id);
        } else if let Some(told) = line.strip_prefix("event: ") {
            told.clone_into(&mut name);
        } else if let Some(told) = line.strip_prefix("data: ") {
            data.push_str(told);
        } else if line.is_empty() && !data.is_empty() {
            let json = serde_json::from_str(&std::mem::take(&mut data)).unwrap();
            return Some((id.clone(), name.clone(), json));
        }
        None
    })
}

#[test]
fn a_finished_event_is_there_with_every_game_in_every_format() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("cup");
    play(&mut event(&dir, Rule::Freestyle, Procedure::None, 2));
    let listener = here();
    let at = listener.address();
    let served =
        [(); 2].map(|()| ServedEvent { dir: dir.clone(), title: String::new(), live: None }).into();
    let _server = Server::start(listener, Duration::ZERO, served).unwrap();
    let (head, page) = get(at, "/");
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    assert!(head.contains("script-src 'self'") && !head.contains("unsafe"), "{head}");
    assert!(!page.contains("<style") && page.contains("page/script.js"));
    assert!(get(at, "/page/script.js").1.contains("EventSource"));
    assert!(get(at, "/page/style.css").0.contains("text/css"));
    let events = get_json(at, "/api/events");
    assert_eq!(events["events"][0]["id"], "cup");
    assert_eq!(events["events"][1]["id"], "cup-2");
    let cup = get_json(at, "/api/events/cup");
    assert_eq!(cup["event"]["finished"], 6);
    let list = |query: &str| get_json(at, &format!("/api/events/cup/games{query}"));
    let numbers = |query: &str| -> Vec<u64> {
        list(query)["games"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| row[0].as_u64().unwrap())
            .collect()
    };
    assert_eq!(numbers(""), [6, 5, 4, 3, 2, 1], "the newest game is the first");
    assert_eq!(numbers("?from=1&count=2"), [5, 4]);
    let pair = numbers("?engine=0&other=1&sort=number");
    let around = list(&format!("?engine=0&other=1&near={}", pair[0]));
    assert_eq!((&around["found"], &around["after"]), (&2.into(), &pair[1].into()));
    assert_eq!(around["before"], Value::Null);
    let black = list("?result=black")["found"].as_u64().unwrap();
    let others =
        ["white", "draw"].map(|result| list(&format!("?result={result}"))["found"].as_u64());
    assert_eq!(black + others.into_iter().flatten().sum::<u64>(), 6);
    assert!(get(at, "/api/events/cup/games?sort=up").0.starts_with("HTTP/1.1 400"));
    let game = get_json(at, "/api/events/cup/games/3");
    assert_eq!(game["number"], 3);
    assert!(get(at, "/api/events/cup/games/3.sgf").1.starts_with("(;"));
    assert!(get(at, "/api/events/cup/games/3.psq").1.starts_with("Piskvorky"));
    let (head, record) = get(at, "/api/events/cup/games/3.json");
    assert!(head.contains("attachment"), "{head}");
    assert!(tengen_record::GameRecord::from_json_line(record.trim_end()).is_ok());
    for wrong in
        ["/nothing", "/api/events/cap", "/api/events/cup/games/7", "/api/events/cup/games/x"]
    {
        assert!(get(at, wrong).0.starts_with("HTTP/1.1 404"), "{wrong}");
    }
    let long = format!("/{}", "x".repeat(20_000));
    let mut refused = String::new();
    // The connection may be cut before all was said.
    let _cut = ask(at, &long, "").read_to_string(&mut refused);
    assert!(!refused.starts_with("HTTP/1.1 200"), "{refused}");
}

#[test]
fn a_running_event_is_followed_and_a_viewer_that_comes_back_misses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut running = event(&folder.path().join("cup"), Rule::Renju, Procedure::None, 100_000);
    let (_server, at, follower) = serve(&running, Duration::ZERO);
    let (stop, is_seen) = (Stop::new(), AtomicBool::new(false));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let time = RealTime::new();
            running.run_watched(&Dice, &time, &stop, &mut |_| {}, &*follower).unwrap();
            assert!(is_seen.load(Ordering::SeqCst), "the event ended before it was watched");
        });
        let mut told = messages(follow(at, ""));
        let (_, name, first) = told.next().unwrap();
        assert_eq!((name.as_str(), &first["served"]), ("snapshot", &Value::Bool(true)));
        let games: Vec<_> = told.filter(|(_, name, _)| name == "game").take(4).collect();
        let tables: Vec<u64> = games.iter().filter_map(|game| game.2["table"].as_u64()).collect();
        assert!(tables.iter().all(|table| (1..=2).contains(table)), "{tables:?}");
        let live = &games[3].2["live"];
        assert!(live["game"]["number"].as_u64() > Some(0));
        // It is written as at a table.
        let read: LiveGame<'_> = serde_json::from_value(live.clone()).unwrap();
        assert_eq!(serde_json::to_value(read).unwrap(), *live);
        // What came after the first of them is told again, in order.
        let again = format!("Last-Event-ID: {}\r\n", games[0].0);
        let missed: Vec<_> = messages(follow(at, &again)).take(2).collect();
        assert_ne!(missed[0].1, "snapshot");
        let number = |id: &str| id.split_once('-').unwrap().1.parse::<u64>().unwrap();
        assert_eq!(number(&missed[0].0), number(&games[0].0) + 1);
        // An id of another run of the server means nothing.
        let other = messages(follow(at, "Last-Event-ID: 1-5\r\n")).next();
        assert_eq!(other.unwrap().1, "snapshot");
        let changed = messages(follow(at, ""));
        assert!(changed.into_iter().any(|(_, name, _)| name == "changed"));
        is_seen.store(true, Ordering::SeqCst);
        stop.request();
    });
    let cup = get_json(at, "/api/events/cup");
    assert!(cup["event"]["finished"].as_u64() > Some(0));
}

#[test]
fn with_a_delay_nothing_is_seen_before_its_time() {
    let folder = tempfile::tempdir().unwrap();
    let mut running = event(&folder.path().join("cup"), Rule::Freestyle, Procedure::None, 2);
    let (_server, at, follower) = serve(&running, Duration::from_secs(3600));
    play_followed(&mut running, &follower);
    let cup = get_json(at, "/api/events/cup");
    assert_eq!(cup["event"]["finished"], 0);
    assert!(get(at, "/api/events/cup/games/1").0.starts_with("HTTP/1.1 404"));
    assert_eq!(get_json(at, "/api/events/cup/games")["found"], 0);
    let live = get_json(at, "/api/events/cup/live");
    assert_eq!((&live["delay"], live["tables"].as_array().unwrap().len()), (&3600.into(), 0));
}

#[test]
fn viewers_see_the_end_of_an_event() {
    let folder = tempfile::tempdir().unwrap();
    let mut running = event(&folder.path().join("cup"), Rule::Freestyle, Procedure::None, 2);
    let (server, at, follower) = serve(&running, Duration::ZERO);
    let viewer = follow(at, "");
    play_followed(&mut running, &follower);
    server.end();
    let mut told = Vec::new();
    for (_, name, data) in messages(viewer) {
        told.push((name, data));
        if told.last().is_some_and(|(name, _)| name == "ended") {
            break;
        }
    }
    let last = told.iter().rfind(|(name, _)| name == "changed").unwrap();
    assert!(told.iter().any(|(name, _)| name == "over" || name == "game"), "{told:?}");
    let cup = get_json(at, "/api/events/cup");
    assert_eq!((&cup["event"]["finished"], &cup["state"]), (&6.into(), &last.1["state"]));
    assert!(server.has_told_end());
    // So does one that comes right after; and it gets a whole answer when the server ends.
    let late = follow(at, "");
    let mut late = messages(late);
    let (_, name, snapshot) = late.next().unwrap();
    assert_eq!((name.as_str(), &snapshot["ended"]), ("snapshot", &Value::Bool(true)));
    let games = snapshot["tables"].as_array().unwrap();
    assert!(!games.is_empty() && games.iter().all(|table| table[1]["game"]["result"].is_object()));
    drop(server);
    assert_eq!(late.count(), 0, "the stream has its end");
}

#[test]
fn an_address_that_cannot_be_had_says_what_to_do() {
    let taken = here();
    let error = HttpListener::bind(taken.address()).err().unwrap().to_string();
    assert!(error.contains("another program listens there; name another port"), "{error}");
    let elsewhere =
        HttpListener::bind("192.0.2.1:8080".parse().unwrap()).err().unwrap().to_string();
    assert!(elsewhere.contains("this machine does not have that address"), "{elsewhere}");
}
