//! A table by itself: which member is told what at which moment.

use std::sync::Arc;

use futures_util::FutureExt;
use serde_json::Value;
use tempfile::TempDir;
use tengen_arbiter::{Action, Termination, TimeControl};
use tengen_link::TableEngines;
use tengen_link::messages::{Act, SitterKind, TableClaim};
use tengen_players::{EngineInstance, GameVariant, ListedEngine, RandomLegal};
use tengen_rules::{Answer, Move};
use tengen_testkit::engine_instance;

use super::*;
use crate::play::journal::restore;
use crate::play::outbox::Next;

const SECOND: Nanos = 1_000_000_000;
/// The connections of the two players and of a viewer.
const ADA: u64 = 1;
const BO: u64 = 2;
const EVE: u64 = 3;

/// A table of two, with a folder of its own.
struct TestTable {
    table: Table,
    folder: TempDir,
    boxes: BTreeMap<u64, Arc<Outbox>>,
    keys: BTreeMap<u64, String>,
}

fn at(seconds: u64) -> Moment {
    Moment { now: seconds * SECOND, date: 1_760_000_000_000 + seconds * 1000, frozen: 0 }
}

/// Engines that play anything.
struct Dice;

impl TableEngines for Dice {
    fn list(&self) -> Vec<ListedEngine> {
        vec![ListedEngine { id: "dice".to_owned(), name: "Dice".to_owned() }]
    }

    fn start(&self, _id: &str, _variant: &GameVariant) -> Result<EngineInstance, String> {
        Ok(engine_instance("Dice", RandomLegal::new()))
    }
}

fn context(folder: &TempDir) -> ServerContext {
    let engines = Arc::new(EnginePool::new(Arc::new(Dice), 9));
    ServerContext { time: RealTime::new(), engines, games: Arc::new(KeptGames::new(folder.path())) }
}

impl TestTable {
    /// Ada, a person, and Bo, perhaps an engine, have begun a game at 1 s. Ada is asked.
    fn new(settings: TableSettings, bo: ClientKind) -> TestTable {
        let folder = TempDir::new().unwrap();
        let (settings, checked) = CheckedTable::new(settings).unwrap();
        let new = NewTable {
            id: "r".to_owned(),
            settings,
            checked,
            keys: TableKeys::new().unwrap(),
            context: context(&folder),
            tell: Arc::new(|_, _| {}),
            at: at(0),
        };
        let table = Table::open(new, &folder.path().join("r.jsonl")).unwrap();
        let (boxes, keys) = (BTreeMap::new(), BTreeMap::new());
        let mut scene = TestTable { table, folder, boxes, keys };
        for (connection, kind) in [(ADA, ClientKind::Person), (BO, bo)] {
            scene.enter(connection, kind, 1).unwrap();
            let sit = TableInput::Sit { seat: None, key: None };
            scene.say(connection, sit, 1).unwrap();
            let seat = if connection == ADA { Seat::First } else { Seat::Second };
            scene.keys.insert(connection, scene.table.seats[seat].as_ref().unwrap().key.clone());
        }
        scene.heard(ADA);
        scene.heard(BO);
        scene
    }

    fn enter(
        &mut self,
        connection: u64,
        kind: ClientKind,
        seconds: u64,
    ) -> Result<(), ClientRefusal> {
        let outbox = Arc::new(Outbox::default());
        self.boxes.insert(connection, Arc::clone(&outbox));
        let (name, is_owner, lag) = (format!("{connection}"), false, None);
        let visitor = Visitor { connection, outbox, name, kind, is_owner, lag, address: None };
        let key = self.keys.get(&connection).cloned();
        self.table.enter(visitor, key.as_deref(), None, at(seconds))
    }

    fn say(
        &mut self,
        connection: u64,
        message: TableInput,
        seconds: u64,
    ) -> Result<(), ClientRefusal> {
        self.table.handle(connection, false, message, None, at(seconds))
    }

    fn play(&mut self, connection: u64, point: &str, seconds: u64) {
        let action = Action::Answer(Answer::Move(Move::Stone(point.parse().unwrap())));
        let act = Act::new(Some(self.table.question), action);
        self.say(connection, TableInput::Act(Box::new(act)), seconds).unwrap();
    }

    fn resign(&mut self, connection: u64, seconds: u64) {
        let act = Act::new(None, Action::Resign);
        self.say(connection, TableInput::Act(Box::new(act)), seconds).unwrap();
    }

    /// Lets an engine play on a seat, or takes it back.
    fn hand(&mut self, connection: u64, engine: Option<&str>, seconds: u64) {
        let engine = engine.map(str::to_owned);
        self.say(connection, TableInput::Engine { engine }, seconds).unwrap();
    }

    /// What a connection was told since it was last asked for.
    fn heard(&self, connection: u64) -> Vec<Value> {
        let mut heard = Vec::new();
        while let Some(Next::Send(text)) = self.boxes[&connection].next().now_or_never() {
            heard.push(serde_json::from_str(&text).unwrap());
        }
        heard
    }

    fn asks(&self, connection: u64) -> Vec<Value> {
        let mut heard = self.heard(connection);
        heard.retain(|message| message["type"] == "ask");
        heard
    }

    /// The table after the server was started again.
    fn restart(&mut self, seconds: u64) {
        let path = self.table.journal.path().to_owned();
        let tell: Tell = Arc::new(|_, _| {});
        self.table = Table::restore(&path, context(&self.folder), |_| tell, at(seconds)).unwrap();
    }

    fn over(&self) -> Option<(Option<Seat>, Termination)> {
        let over = self.table.played.as_ref()?.over.as_ref()?;
        Some((over.result.winner, over.result.termination))
    }
}

#[test]
fn an_engine_that_comes_back_is_told_the_time_that_is_left() {
    let time = "300+0".parse().unwrap();
    let settings = TableSettings { time, margin: 0.5, ..TableSettings::default() };
    let mut scene = TestTable::new(settings, ClientKind::Engine);
    scene.play(ADA, "h8", 1);
    let limits = &scene.asks(BO)[0]["limits"];
    assert_eq!((&limits["hard"], &limits["margin"]), (&300_000.into(), &500.into()));
    scene.table.leave(BO, at(2));
    scene.enter(BO, ClientKind::Engine, 251).unwrap();
    let again = scene.asks(BO);
    assert_eq!((again.len(), &again[0]["limits"]["hard"]), (1, &50_000.into()));
    assert!(again[0]["limits"]["own"].as_u64().unwrap() <= 50_000);
}

#[test]
fn an_engine_that_was_too_slow_is_asked_again() {
    let mut scene = TestTable::new(TableSettings::default(), ClientKind::Engine);
    scene.play(ADA, "h8", 1);
    for seconds in 2..400 {
        scene.table.say(ADA, "hello", None, at(seconds)).unwrap();
    }
    // The question was dropped with all other waiting messages, and comes anew.
    let outbox = Arc::clone(&scene.boxes[&BO]);
    while let Some(next) = outbox.next().now_or_never() {
        match next {
            Next::Send(text) => assert!(!text.contains("\"ask\"")),
            Next::Anew(tables) => {
                assert_eq!(tables, ["r"]);
                break;
            }
            Next::Close => panic!("it is not closed"),
        }
    }
    scene.table.show_anew(BO, at(200));
    let heard = scene.heard(BO);
    assert_eq!(heard[0]["type"], "table");
    assert_eq!((&heard[1]["type"], &heard[1]["moves"]), (&"ask".into(), &["h8"][..].into()));
}

#[test]
fn an_engine_is_asked_again_after_any_change_of_a_seat() {
    let mut scene = TestTable::new(TableSettings::default(), ClientKind::Engine);
    scene.play(ADA, "h8", 1);
    assert_eq!(scene.asks(BO).len(), 1);
    // The other player's seat changes hands, its own is taken back, and a stand-in cannot play.
    scene.hand(ADA, Some("dice"), 2);
    assert_eq!(scene.asks(BO).len(), 1);
    scene.hand(BO, Some("dice"), 3);
    assert_eq!(scene.asks(BO).len(), 0);
    scene.hand(BO, None, 4);
    assert_eq!(scene.asks(BO).len(), 1);
    scene.hand(BO, Some("dice"), 5);
    let number = scene.table.engines_seated;
    let failed = EngineNews::Failed { game: 0, question: 0, reason: "broken".to_owned() };
    scene.table.hear_engine(number, failed, at(6));
    let heard = scene.heard(BO);
    let has = |kind: &str| heard.iter().any(|message| message["type"] == kind);
    assert!(has("ask") && has("error"), "{heard:?}");
}

#[test]
fn absence_counts_from_when_players_can_be_back_and_while_the_other_waits() {
    let settings = TableSettings { absence: Some(10), ..TableSettings::default() };
    let mut scene = TestTable::new(settings, ClientKind::Person);
    scene.play(ADA, "h8", 2);
    // Both are gone: the server's network may have failed. The first to come back does not win by
    // that.
    scene.table.leave(ADA, at(3));
    scene.table.leave(BO, at(4));
    scene.table.tick(at(60));
    assert_eq!(scene.over(), None);
    scene.enter(BO, ClientKind::Person, 61).unwrap();
    scene.table.tick(at(70));
    assert_eq!(scene.over(), None);
    // After a restart no client can be here at once.
    scene.restart(71);
    scene.enter(BO, ClientKind::Person, 72).unwrap();
    scene.table.tick(at(72 + 11));
    assert_eq!(scene.over(), None);
    assert_eq!(scene.table.deadline(), Some(at(71 + 60 + 10).now));
    scene.table.tick(at(71 + 60 + 10));
    assert_eq!(scene.over(), Some((Some(Seat::Second), Termination::Stall)));
}

/// Its answer would start the clock of a player that is not back yet.
#[test]
fn after_a_restart_an_engine_of_the_server_waits_for_its_opponent() {
    let mut scene = TestTable::new(TableSettings::default(), ClientKind::Person);
    scene.hand(ADA, Some("dice"), 2);
    scene.restart(10);
    scene.enter(ADA, ClientKind::Person, 11).unwrap();
    assert_eq!(scene.table.held_until, Some(at(10 + 60).now));
    scene.enter(BO, ClientKind::Person, 12).unwrap();
    assert_eq!(scene.table.held_until, None);
    // Two engines need not wait.
    scene.hand(BO, Some("dice"), 13);
    scene.restart(20);
    assert_eq!(scene.table.held_until, Some(at(20).now));
}

#[test]
fn how_many_look_on_is_told_once_a_second() {
    let mut scene = TestTable::new(TableSettings::default(), ClientKind::Person);
    let viewers = |scene: &TestTable| -> Vec<Value> {
        let heard = scene.heard(ADA).into_iter();
        heard.map(|message| message["state"]["viewers"].clone()).collect()
    };
    scene.enter(EVE, ClientKind::Person, 10).unwrap();
    assert_eq!(viewers(&scene), [1]);
    for _ in 0..50 {
        scene.table.leave(EVE, at(10));
        scene.enter(EVE, ClientKind::Person, 10).unwrap();
    }
    scene.table.leave(EVE, at(10));
    assert_eq!(viewers(&scene), Vec::<Value>::new());
    assert_eq!(scene.table.deadline(), Some(at(11).now));
    scene.table.tick(at(11));
    assert_eq!(viewers(&scene), [0]);
    assert_ne!(scene.table.deadline(), Some(at(11).now));
}

#[test]
fn a_player_who_lets_an_engine_play_is_asked_while_here() {
    let mut scene = TestTable::new(TableSettings::default(), ClientKind::Person);
    scene.play(ADA, "h8", 1);
    scene.play(BO, "h9", 2);
    scene.hand(BO, Some("dice"), 3);
    scene.say(ADA, TableInput::Request { what: TableRequest::Undo }, 4).unwrap();
    assert_eq!(scene.table.requests, [(Seat::First, TableRequest::Undo)]);
    scene.say(BO, TableInput::Reply { what: TableRequest::Undo, accept: false }, 5).unwrap();
    let steps = |scene: &TestTable| scene.table.played.as_ref().unwrap().view.steps.len();
    assert_eq!(steps(&scene), 2);
    // An engine agrees to take back at once if its player is not here.
    scene.table.leave(BO, at(6));
    scene.play(ADA, "j8", 7);
    scene.say(ADA, TableInput::Request { what: TableRequest::Undo }, 8).unwrap();
    assert_eq!(steps(&scene), 2);
}

#[test]
fn moves_are_taken_back_as_often_as_the_table_allows() {
    let settings = TableSettings { undo_limit: Some(1), ..TableSettings::default() };
    let mut scene = TestTable::new(settings, ClientKind::Person);
    let undo = || TableInput::Request { what: TableRequest::Undo };
    let accept = || TableInput::Reply { what: TableRequest::Undo, accept: true };
    scene.play(ADA, "h8", 1);
    scene.play(BO, "h9", 2);
    scene.say(ADA, undo(), 3).unwrap();
    scene.say(BO, accept(), 4).unwrap();
    scene.play(ADA, "i8", 5);
    let left = scene.table.state().undo_left;
    assert_eq!((left.first, left.second), (Some(0), Some(1)));
    let refused = scene.say(ADA, undo(), 6).unwrap_err();
    assert_eq!(refused.code, "not_now");
    // The other player's are counted apart, and a restart forgets none.
    scene.play(BO, "h9", 7);
    scene.say(BO, undo(), 8).unwrap();
    scene.say(ADA, accept(), 9).unwrap();
    let path = scene.table.journal.path().to_owned();
    let undone = restore(&path).unwrap().table.undone;
    assert_eq!((undone.first, undone.second), (1, 1));
}

#[test]
fn a_closed_file_has_the_game_after_much_was_said_and_after_a_disk_was_full() {
    let mut scene = TestTable::new(TableSettings::default(), ClientKind::Person);
    scene.play(ADA, "h8", 2);
    for seconds in 0..9_000 {
        let said = "x".repeat(180);
        scene.table.say(EVE, &said, None, at(3 + seconds)).unwrap_err();
        scene.table.say(BO, &said, None, at(3 + seconds)).unwrap();
    }
    let path = scene.table.journal.path().to_owned();
    let size = std::fs::metadata(&path).unwrap().len();
    assert!(size < 1_300_000, "{size}");
    let file = restore(&path).unwrap();
    assert_eq!(file.game.unwrap().history.len(), 1);
    assert!(file.chat.len() >= chat_log::MOST_LINES);
}

#[test]
fn the_end_of_a_game_is_written_before_it_is_told() {
    let mut scene = TestTable::new(TableSettings::default(), ClientKind::Engine);
    scene.play(ADA, "h8", 2);
    // An engine loses by what the rules do not allow.
    scene.play(BO, "h8", 3);
    let lost = Some((Some(Seat::First), Termination::IllegalAnswer));
    assert_eq!(scene.over(), lost);
    let path = scene.table.journal.path().to_owned();
    let text = std::fs::read_to_string(&path).unwrap();
    let last: Vec<&str> = text.lines().rev().take(3).collect();
    let kinds = ["{\"table\"", "{\"over\"", "{\"act\""];
    for (line, kind) in last.iter().zip(kinds) {
        assert!(line.starts_with(kind), "{line}");
    }
    // Killed before the end was written, it is the same end, with its point.
    let mut scene = TestTable::new(TableSettings::default(), ClientKind::Person);
    scene.resign(ADA, 3);
    let path = scene.table.journal.path().to_owned();
    let text = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    std::fs::write(&path, lines[..lines.len() - 2].join("\n")).unwrap();
    for seconds in [10, 20] {
        scene.restart(seconds);
        assert_eq!(scene.over(), Some((Some(Seat::Second), Termination::Resignation)));
        assert_eq!(scene.table.seats[Seat::Second].as_ref().unwrap().score, 1.0);
    }
}

#[test]
fn a_viewer_is_shown_no_key_of_a_seat() {
    let mut scene = TestTable::new(TableSettings::default(), ClientKind::Person);
    scene.enter(EVE, ClientKind::Person, 2).unwrap();
    scene.enter(EVE + 1, ClientKind::Person, 2).unwrap();
    for connection in [ADA, EVE, EVE + 1] {
        scene.heard(connection);
    }
    scene.hand(ADA, Some("dice"), 3);
    let key = |connection: u64| scene.heard(connection)[0]["you"]["key"].clone();
    assert_eq!(key(ADA), scene.keys[&ADA].as_str());
    assert_eq!((key(EVE), key(EVE + 1)), (Value::Null, Value::Null));
}

/// The thread that writes records has not begun, and the table's file is about to forget the game.
#[test]
fn a_finished_game_is_on_the_disk_before_the_tables_file_forgets_it() {
    let runtime =
        tokio::runtime::Builder::new_current_thread().max_blocking_threads(1).build().unwrap();
    let (begin, begun) = std::sync::mpsc::channel::<()>();
    runtime.spawn_blocking(move || begun.recv());
    runtime.block_on(async {
        let what = TableRequest::Again;
        let ways: [Vec<(u64, TableInput)>; 3] = [
            vec![(ADA, TableInput::Stand {})],
            vec![
                (ADA, TableInput::Request { what }),
                (BO, TableInput::Reply { what, accept: true }),
            ],
            Vec::new(),
        ];
        for way in ways {
            let mut scene = TestTable::new(TableSettings::default(), ClientKind::Person);
            scene.play(ADA, "h8", 2);
            scene.resign(BO, 3);
            let file = scene.folder.path().join("r-1.json");
            assert!(!file.exists(), "the thread has not begun");
            if way.is_empty() {
                scene.table.close("the host has closed the table", at(4));
            }
            for (who, message) in way {
                scene.say(who, message, 4).unwrap();
            }
            assert!(file.exists());
        }
    });
    begin.send(()).unwrap();
}

#[test]
fn a_game_whose_player_left_just_before_a_kill_has_its_record() {
    let mut scene = TestTable::new(TableSettings::default(), ClientKind::Person);
    scene.play(ADA, "h8", 2);
    scene.resign(BO, 3);
    scene.say(ADA, TableInput::Stand {}, 4).unwrap();
    // As it is where the disk was full then.
    let file = scene.folder.path().join("r-1.json");
    std::fs::remove_file(&file).unwrap();
    scene.restart(5);
    assert!(file.exists());
}

#[test]
fn who_waits_for_a_player_that_is_away_may_claim_the_game() {
    for what in [TableClaim::Win, TableClaim::Draw] {
        let settings = TableSettings { time: TimeControl::default(), ..TableSettings::default() };
        let mut scene = TestTable::new(settings, ClientKind::Person);
        scene.play(ADA, "h8", 2);
        let claim = || TableInput::Claim { what };
        assert!(scene.say(ADA, claim(), 3).is_err(), "nobody is away");
        scene.table.leave(BO, at(10));
        let told = scene.heard(ADA).pop().unwrap();
        assert_eq!(told["state"]["claims"]["first"], at(70).date, "{told}");
        assert!(scene.say(ADA, claim(), 69).is_err());
        // Both were gone: who is back first has to wait again.
        scene.table.leave(ADA, at(20));
        scene.enter(ADA, ClientKind::Person, 40).unwrap();
        assert!(scene.say(ADA, claim(), 99).is_err());
        scene.say(ADA, claim(), 100).unwrap();
        let over = match what {
            TableClaim::Win => (Some(Seat::First), Termination::Stall),
            TableClaim::Draw => (None, Termination::Agreement),
        };
        assert_eq!(scene.over(), Some(over));
        let told = scene.heard(ADA);
        let over = told.iter().find(|message| message["type"] == "over").unwrap();
        assert!(over["result"]["detail"].as_str().unwrap().contains("60 s"), "{over}");
    }
}

#[test]
fn engines_whose_players_are_gone_are_given_back_until_one_comes() {
    let mut scene = TestTable::new(TableSettings::default(), ClientKind::Person);
    scene.hand(ADA, Some("dice"), 2);
    scene.table.leave(BO, at(3));
    scene.table.tick(at(1000));
    let engine = |scene: &TestTable| scene.table.seats.first.as_ref().unwrap().engine.is_some();
    assert!(engine(&scene), "a player is here");
    scene.table.leave(ADA, at(1001));
    assert_eq!(scene.table.resting_deadline(), Some(at(1061).now));
    scene.table.tick(at(1061));
    assert!(!engine(&scene));
    // Its clock stands. The seat is the engine's still, also after a restart.
    assert_eq!(scene.table.played.as_ref().unwrap().asked_at, None);
    assert_eq!(scene.table.state().seats.first.unwrap().kind, SitterKind::ServerEngine);
    scene.enter(BO, ClientKind::Person, 5000).unwrap();
    assert!(engine(&scene));
    assert_eq!(scene.table.played.as_ref().unwrap().asked_at, Some(at(5000).now));
}

#[test]
fn a_server_that_stood_still_charges_nobody() {
    let time = "60+0".parse().unwrap();
    let settings = TableSettings { time, absence: Some(10), ..TableSettings::default() };
    let mut scene = TestTable::new(settings, ClientKind::Person);
    scene.play(ADA, "h8", 2);
    scene.table.leave(ADA, at(3));
    // Bo has thought for 5 s when the server stops for 100 s, and for 3 s after that.
    let later = Moment { frozen: 100 * SECOND, ..at(107) };
    scene.table.thaw(later);
    scene.table.tick(later);
    assert_eq!(scene.over(), None, "neither the clock nor the absence is over");
    scene.table.show(BO, None, later);
    let since = scene.heard(BO).pop().unwrap()["live"]["since"].clone();
    assert_eq!(since, at(102).date, "as if the clock had begun later");
    let question = scene.table.question;
    let action = Action::Answer(Answer::Move(Move::Stone("h9".parse().unwrap())));
    let act = TableInput::Act(Box::new(Act::new(Some(question), action)));
    let last = Moment { frozen: 100 * SECOND, ..at(110) };
    scene.table.thaw(last);
    scene.table.handle(BO, false, act, None, last).unwrap();
    let heard = scene.heard(BO);
    let step = heard.iter().rfind(|message| message["type"] == "step").unwrap();
    assert_eq!(step["left"]["second"], 60_000 - 8000, "{step}");
    // What passes from now on counts again: Ada has been away for 7 s by then.
    let gone = Moment { frozen: 100 * SECOND, ..at(114) };
    scene.table.tick(gone);
    assert_eq!(scene.over(), Some((Some(Seat::Second), Termination::Stall)));
}

#[test]
fn the_way_there_and_back_is_given_back_from_a_store_that_fills_slowly() {
    let time = "60+0".parse().unwrap();
    let settings = TableSettings { time, lag: 0.1, ..TableSettings::default() };
    let mut scene = TestTable::new(settings, ClientKind::Person);
    scene.table.set_lag(BO, 250, at(2));
    let mut left = Vec::new();
    for (round, row) in ["1", "2", "3"].into_iter().enumerate() {
        let seconds = 10 * (round as u64 + 1);
        scene.play(ADA, &format!("a{row}"), seconds);
        let shown = scene.heard(BO).pop().unwrap();
        assert!(shown["since"].as_u64().unwrap() > at(seconds).date, "{shown}");
        scene.play(BO, &format!("c{row}"), seconds + 2);
        left.push(scene.heard(BO).pop().unwrap()["left"]["second"].as_u64().unwrap());
    }
    // Of 2 s each: 0.25 of the 0.3 that are there at first; then 0.15; then 0.1.
    assert_eq!(left, [58_250, 56_400, 54_500]);
    // Ada is near, and nothing is given back where the host wants that.
    let none = TableSettings { time, lag: 0.0, ..TableSettings::default() };
    let mut scene = TestTable::new(none, ClientKind::Person);
    scene.table.set_lag(BO, 250, at(2));
    scene.play(ADA, "a1", 10);
    scene.play(BO, "c1", 12);
    assert_eq!(scene.heard(BO).pop().unwrap()["left"]["second"], 58_000);
}

#[test]
fn a_first_game_waits_until_both_are_ready() {
    let settings = TableSettings { ready: true, ..TableSettings::default() };
    let mut scene = TestTable::new(settings.clone(), ClientKind::Person);
    assert!(!scene.table.is_playing());
    let ready = scene.table.state().ready.unwrap();
    assert_eq!((ready.first, ready.second), (false, true), "Bo has just come");
    scene.say(ADA, TableInput::Ready {}, 5).unwrap();
    assert!(scene.table.is_playing());
    assert_eq!(scene.table.state().ready, None);
    // The next one begins when both have agreed to it.
    scene.resign(ADA, 6);
    scene.say(ADA, TableInput::Request { what: TableRequest::Again }, 7).unwrap();
    scene.say(BO, TableInput::Request { what: TableRequest::Again }, 8).unwrap();
    assert!(scene.table.is_playing());
    // Who does not say so has the seat no more.
    let mut scene = TestTable::new(settings, ClientKind::Person);
    scene.table.tick(at(60));
    assert!(scene.table.seats.first.is_some());
    assert_eq!(scene.table.deadline(), Some(at(61).now));
    scene.table.tick(at(61));
    assert!(scene.table.seats.first.is_none() && scene.table.seats.second.is_some());
}
