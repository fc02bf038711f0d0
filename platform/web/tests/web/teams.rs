//! Remote engines of an event, as their clients see it: every message is checked against the
//! schema.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use tengen_link::{RemoteEngine, RemoteNews, RemotePlace};
use tengen_players::{Player, RandomLegal, RealTime};
use tengen_record::GameRecord;
use tengen_rules::Seat;
use tengen_tournament::{
    AbsentOption, EngineEntry, Event, EventConfig, Roster, RunOutcome, SpoiledOption, Stop,
};
use tengen_web::play::{TeamNews, TeamOptions, Teams};
use tengen_web::{HttpListener, ServedEvent, Server};

use crate::peer::{CheckedClient, dice};

/// The first engine plays from elsewhere, the second one is of this machine.
struct Mixed(Arc<Teams>);

impl Roster for Mixed {
    fn player(&self, engine: usize) -> Box<dyn Player> {
        if engine == 0 { self.0.player(0) } else { Box::new(RandomLegal::new()) }
    }

    fn interrupt(&self) {
        self.0.interrupt();
    }

    fn take(&self, seats: [usize; 2], nothing_else: bool) -> Result<(), usize> {
        self.0.take(seats, nothing_else)
    }

    fn was_missed(&self, engine: usize, game: u64) -> bool {
        self.0.was_missed(engine, game)
    }

    fn leave(&self, engine: usize) {
        self.0.leave(engine);
    }

    fn free(&self, seats: [usize; 2]) {
        self.0.free(seats);
    }
}

/// An event with a remote engine, served.
struct Organiser {
    event: Event,
    teams: Arc<Teams>,
    address: String,
    /// What its certificate is trusted by, where it is encrypted.
    authority: Option<PathBuf>,
    news: Arc<Mutex<Vec<TeamNews>>>,
    _server: Server,
    _folder: tempfile::TempDir,
}

impl Organiser {
    /// So many games, and the time of the remote engine; the other one has no clock.
    fn new(games: u32, time: &str) -> Organiser {
        Organiser::with(games, time, EventConfig::default())
    }

    fn encrypted(games: u32, time: &str) -> Organiser {
        Organiser::make(games, time, EventConfig::default(), true)
    }

    /// The same with other settings.
    fn with(games: u32, time: &str, config: EventConfig) -> Organiser {
        Organiser::make(games, time, config, false)
    }

    fn make(games: u32, time: &str, config: EventConfig, is_encrypted: bool) -> Organiser {
        let folder = tempfile::tempdir().unwrap();
        let mut engines = vec![EngineEntry::new("remote:team"), EngineEntry::new("dice")];
        engines[0].label = Some("Team".to_owned());
        engines[0].tc = Some(time.parse().unwrap());
        let config = EventConfig {
            size: "9".parse().unwrap(),
            spoiled: SpoiledOption::Keep,
            absent: AbsentOption::Forfeit,
            tc: "inf".parse().unwrap(),
            games,
            engines,
            ..config
        };
        let event = Event::create(&folder.path().join("cup"), config.clone()).unwrap();
        let news = Arc::new(Mutex::new(Vec::new()));
        let heard = Arc::clone(&news);
        let options = TeamOptions::new(event.dir(), &config);
        let tell = Box::new(move |one| heard.lock().unwrap().push(one));
        let teams = Arc::new(Teams::open(options, &config, tell).unwrap());
        let mut listener = HttpListener::bind("127.0.0.1:0".parse().unwrap()).unwrap();
        let made = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
        let (authority, key) = (folder.path().join("cert.pem"), folder.path().join("key.pem"));
        std::fs::write(&authority, made.cert.pem()).unwrap();
        std::fs::write(&key, made.signing_key.serialize_pem()).unwrap();
        if is_encrypted {
            listener = listener.with_tls(&authority, &key).unwrap();
        }
        let authority = is_encrypted.then_some(authority);
        let address = format!("{}://{}/", listener.scheme(), listener.address());
        let served = ServedEvent { dir: event.dir().to_owned(), title: String::new(), live: None };
        let server =
            Server::start_with_teams(listener, Duration::ZERO, served, Some(Arc::clone(&teams)));
        let _server = server.unwrap();
        Organiser { event, teams, address, authority, news, _server, _folder: folder }
    }

    fn key(&self) -> String {
        let news = self.news.lock().unwrap();
        let Some(TeamNews::Expected { team, key }) = news.first() else { panic!("{news:?}") };
        assert_eq!(team, "Team");
        key.clone()
    }

    fn join(&self, key: &str) -> CheckedClient {
        self.join_with(key, 1)
    }

    /// The same with so many tables.
    fn join_with(&self, key: &str, tables: u64) -> CheckedClient {
        let (client, joined) = self.come(key, tables);
        assert_eq!((&joined["type"], &joined["name"]), (&json!("joined"), &json!("Team")));
        client
    }

    /// A client that has said who it is, and how it is greeted.
    fn come(&self, key: &str, tables: u64) -> (CheckedClient, Value) {
        let mut client = CheckedClient::connect_to(&self.address, "/join", &[]);
        let name = "\u{1b}[2J<b>Hoshi</b>";
        client.say(&json!({
            "type": "join", "version": 2, "key": key, "name": name, "tables": tables,
        }));
        let greeting = client.hear();
        (client, greeting)
    }

    /// Plays the event to its end, with a client that answers each message until something comes
    /// of it.
    fn play<T: Send + 'static>(
        &mut self,
        mut client: CheckedClient,
        mut answer: impl FnMut(&mut CheckedClient, Value) -> Option<T> + Send + 'static,
    ) -> T {
        let player = thread::spawn(move || {
            loop {
                let message = client.hear();
                if let Some(end) = answer(&mut client, message) {
                    return end;
                }
            }
        });
        self.run();
        self.teams.end("the event is over");
        player.join().unwrap()
    }

    fn run(&mut self) {
        let roster = Mixed(Arc::clone(&self.teams));
        let run = self.event.run(&roster, &RealTime::new(), &Stop::new(), &mut |_| {});
        assert_eq!(run.unwrap(), RunOutcome::Finished);
    }

    fn records(&self) -> Vec<GameRecord> {
        self.event.records().map(Result::unwrap).collect()
    }

    /// The code with which a client with that key is refused.
    fn refusal(&self, key: &str) -> Value {
        self.come(key, 1).1["code"].clone()
    }
}

/// The first point that is free.
fn free_point(asked: &Value) -> String {
    let taken: Vec<&str> =
        asked["moves"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    let mut points =
        (1..=9).flat_map(|row| ('a'..='i').map(move |column| format!("{column}{row}")));
    points.find(|point| !taken.contains(&point.as_str())).unwrap()
}

#[test]
fn a_remote_engine_plays_a_whole_event_by_the_protocol() {
    let mut organiser = Organiser::new(3, "60,depth=3");
    let key = organiser.key();
    assert_eq!(organiser.refusal("wrong"), "key");
    let client = organiser.join(&key);
    let (mut seats, mut has_offered) = (Vec::new(), false);
    let seats = organiser.play(client, move |client, message| {
        let table = &message["table"];
        match message["type"].as_str().unwrap() {
            "game" => {
                seats.push(message["seat"].as_str().unwrap().to_owned());
                client.say(&json!({ "type": "ready", "table": table }));
            }
            "ask" => {
                assert_eq!(message["limits"]["depth"], 3);
                let question = &message["question"];
                if !std::mem::replace(&mut has_offered, true) {
                    // A draw alone is no answer.
                    let mut offer = json!({ "type": "act", "table": table, "offer_draw": true });
                    offer["question"] = question.clone();
                    client.send(&offer);
                    assert_eq!(client.hear()["code"], "message");
                }
                let point = free_point(&message);
                client.say(&json!({
                    "type": "act", "table": table, "question": question,
                    "move": point, "took": 0, "said": ["hello"],
                    "info": { "eval": 5, "depth": 3, "pv": [point] },
                }));
            }
            "over" => assert_ne!(message["result"]["termination"], "aborted"),
            "end" => return Some(std::mem::take(&mut seats)),
            other => panic!("{other}"),
        }
        None
    });
    let has = |seat: &str| seats.iter().any(|one| one == seat);
    assert!(seats.len() == 3 && has("first") && has("second"), "{seats:?}");
    let records = organiser.records();
    assert_eq!(records.len(), 3);
    for record in &records {
        let seats = &record.header.seats;
        let seat = Seat::ALL.into_iter().find(|&seat| seats[seat].id == "Team").unwrap();
        let own = record.actions.iter().filter(|action| action.seat == seat);
        for action in own {
            assert_eq!(action.said, ["hello"]);
            assert!(action.lag.is_some() && action.info.is_some());
        }
    }
    assert_eq!(organiser.refusal(&key), "over");
    let news = organiser.news.lock().unwrap();
    let name = news.iter().find_map(|one| match one {
        TeamNews::Came { engine, .. } => Some(engine.clone()),
        _ => None,
    });
    assert!(name.unwrap().starts_with("[2J<b>Hoshi</b>"), "no control characters");
}

/// Gets ready for a game, and hangs up instead of an answer.
fn hang_up(client: &mut CheckedClient, message: Value) -> Option<()> {
    match message["type"].as_str().unwrap() {
        "game" => client.say(&json!({ "type": "ready", "table": message["table"] })),
        "ask" => return Some(()),
        other => panic!("{other}"),
    }
    None
}

#[test]
fn a_team_loses_by_its_clock_while_it_is_away() {
    let mut organiser = Organiser::new(1, "0.2");
    organiser.play(organiser.join(&organiser.key()), hang_up);
    let record = organiser.records().remove(0);
    assert_eq!(record.result.termination.name(), "timeout");
    let loser = record.result.winner.map(|winner| record.header.seats[!winner].id.clone());
    assert_eq!(loser.as_deref(), Some("Team"));
}

#[test]
fn an_engine_that_fails_loses_that_game_and_is_asked_for_the_next() {
    let mut organiser = Organiser::new(2, "60");
    organiser.play(organiser.join(&organiser.key()), |client, message| {
        let failed =
            json!({ "type": "failed", "table": message["table"], "reason": "no \u{7}luck" });
        match message["type"].as_str().unwrap() {
            // Before the one game, and within the other.
            "game" if message["number"] == 1 => client.say(&failed),
            "game" => client.say(&json!({ "type": "ready", "table": message["table"] })),
            "ask" => client.say(&failed),
            "over" => {}
            "end" => return Some(()),
            other => panic!("{other}"),
        }
        None
    });
    for record in organiser.records() {
        assert_eq!(record.result.termination.name(), "crash");
        assert!(record.detail.unwrap().contains("failed: no luck"));
    }
}

#[test]
fn without_a_clock_a_team_that_is_away_has_as_long_as_it_is_waited_for() {
    let second = tengen_tournament::Seconds(1_000_000_000);
    // An engine that is there may think for a tenth of that.
    let stall = tengen_tournament::Seconds(100_000_000);
    let config = EventConfig { stall, remote_wait: Some(second), ..EventConfig::default() };
    let mut organiser = Organiser::with(1, "depth=3", config);
    organiser.play(organiser.join(&organiser.key()), hang_up);
    let record = organiser.records().remove(0);
    let (by, detail) = (record.result.termination.name(), record.detail.unwrap_or_default());
    assert!(by == "crash" && detail.contains("not connected for 1 s"), "{by}: {detail}");
}

#[test]
fn a_team_with_two_tables_plays_two_games_at_once() {
    let config = EventConfig { concurrency: 2, ..EventConfig::default() };
    let mut organiser = Organiser::with(4, "depth=3", config);
    let client = organiser.join_with(&organiser.key(), 2);
    let (mut begun, mut most) = (Vec::new(), 0);
    let most = organiser.play(client, move |client, message| {
        let table = message["table"].clone();
        match message["type"].as_str().unwrap() {
            "game" => {
                begun.push(table.clone());
                // Nobody is ready before both have begun.
                let ready = match (most, begun.len()) {
                    (0, 1) => Vec::new(),
                    (0, _) => begun.clone(),
                    _ => vec![table],
                };
                for table in &ready {
                    most = most.max(begun.len());
                    client.say(&json!({ "type": "ready", "table": table }));
                }
            }
            "ask" => {
                let (question, point) = (&message["question"], free_point(&message));
                client.say(&json!({
                    "type": "act", "table": table, "question": question, "move": point,
                }));
            }
            "over" => begun.retain(|one| *one != table),
            "end" => return Some(most),
            other => panic!("{other}"),
        }
        None
    });
    assert_eq!(most, 2);
    let fair = |name: &str| ["five", "board_full"].contains(&name);
    for record in organiser.records() {
        assert!(fair(record.result.termination.name()), "{:?}", record.result);
    }
}

#[test]
fn a_team_may_play_over_an_encrypted_line() {
    let mut organiser = Organiser::encrypted(1, "60");
    assert!(organiser.address.starts_with("https://"));
    let link = format!("{}#team={}", organiser.address, organiser.key());
    let place = RemotePlace::Event { tables: 1 };
    let client =
        RemoteEngine { authority: organiser.authority.clone(), ..dice(&link, "Hoshi", place) };
    let (tell, told) = channel();
    let player = thread::spawn(move || {
        client.play(&AtomicBool::new(false), &mut |news| tell.send(news).unwrap())
    });
    organiser.run();
    organiser.teams.end("the event is over");
    player.join().unwrap().unwrap();
    assert!(told.iter().any(|news| matches!(news, RemoteNews::Over { number: 1, .. })));
}
