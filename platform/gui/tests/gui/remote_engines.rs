//! Remote engines: of an event in this window, and an engine of this window in an event elsewhere.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

use eframe::egui::{Key, Modifiers, Role};
use egui_kittest::kittest::{NodeT, Queryable};
use serde_json::json;
use tengen_gui::app::{
    App, Command, Dialog, Document, EventCommand, EventForm, EventNote, EventPage, EventPhase,
    JoinForm, ListenForm, NetworkCommand,
};
use tengen_lineup::TeamChange;
use tengen_link::{RemoteEngine, RemotePlace};
use tengen_players::{ListedEngine, RealTime};
use tengen_testkit::ScriptedServer;
use tengen_tournament::{AbsentOption, Event, EventConfig};

use crate::engine_list::TestEngines;
use crate::events::{begin, form, session_of, wait};
use crate::test_app::TestApp;
use crate::windows::{press, press_last, strike, type_in, update_until, window};

/// An engine that plays for the team of a link, until this is dropped.
struct Team {
    stop: Arc<AtomicBool>,
    playing: Option<JoinHandle<()>>,
}

impl Team {
    fn play(link: &str) -> Team {
        let engine = RemoteEngine {
            address: link.parse().unwrap(),
            name: "Oak".to_owned(),
            authority: None,
            engine: ListedEngine { id: "dice".to_owned(), name: "Oak".to_owned() },
            engines: Arc::new(TestEngines::default()),
            place: RemotePlace::Event { tables: 2 },
            reserve: RemoteEngine::USUAL_RESERVE,
        };
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let play = move || engine.play(&stopped, &mut |_| {}).unwrap();
        Team { stop, playing: Some(thread::spawn(play)) }
    }
}

impl Drop for Team {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        if let Some(playing) = self.playing.take() {
            let ended = playing.join();
            assert!(thread::panicking() || ended.is_ok());
        }
    }
}

/// A port that was free a moment ago: the form knows no port 0.
fn free_port() -> ListenForm {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    ListenForm { port, ..ListenForm::default() }
}

/// An event of dice and these teams, with more keys of its file.
fn cup(games: u32, teams: &[&str], more: &str) -> EventForm {
    let text = format!("size = 9\ngames = {games}\n{more}\nengines = ['dice', 'meek']");
    let mut cup = EventForm::new(EventConfig::from_toml(&text, "cup.toml".as_ref()).unwrap());
    cup.entrants.truncate(1);
    for team in teams {
        cup.remote_name = (*team).to_owned();
        cup.add_remote();
    }
    cup.served_at(free_port())
}

/// An app that waits for teams in real time.
fn app(folder: &Path) -> TestApp {
    TestApp::of(|services| {
        services.events = Some(folder.to_owned());
        services.time = Arc::new(RealTime::new());
    })
}

/// Creates an event with a remote engine, of which no game is played, and gives its folder.
fn remote_event(folder: &Path) -> PathBuf {
    let cup = folder.join("cup");
    let text = "size = 9\ngames = 4\nengines = ['dice', 'remote:Team A']";
    let config = EventConfig::from_toml(text, "cup.toml".as_ref()).unwrap();
    drop(Event::create(&cup, config).unwrap());
    cup
}

/// The links of all teams, once they are there.
fn links(test: &TestApp, teams: usize) -> Vec<String> {
    let shown = wait(test, |shown| shown.teams.len() == teams);
    shown.teams.iter().map(|team| team.link.clone()).collect()
}

#[test]
fn a_remote_engine_is_added_by_the_form_and_its_link_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let mut test = app(folder.path());
    test.event(EventCommand::OpenForm);
    test.event(EventCommand::Edit(Box::new(cup(100_000, &[], "remote-wait = 0.2"))));
    let mut window = window(test);
    assert!(window.query_by_role_and_label(Role::TextInput, "Address").is_none());
    type_in(&mut window, "Name of a team elsewhere", "Team A");
    press(&mut window, "Add remote engine");
    // It can be taken out again, like any other one.
    window.get_by_role_and_label(Role::CheckBox, "Team A (remote)");
    window.get_by_role_and_label(Role::TextInput, "Address").scroll_to_me();
    window.run_steps(10);
    press(&mut window, "Begin");
    update_until(&mut window, |app| {
        let shown = session_of(app).snapshot();
        shown.teams.len() == 1 && shown.url.is_some()
    });
    let shown = session_of(window.state().app()).snapshot();
    let url = shown.url.unwrap();
    window.get_by_label(&format!("In a browser: {url}"));
    press(&mut window, "Remote engines");
    window.get_by_label("has not come yet");
    press(&mut window, "Copy: remote:Team A");
    let copied = window.state().app().status_message().unwrap().0;
    let link = shown.teams[0].link.clone();
    assert!(link.starts_with(&format!("{url}#team=")) && copied.contains(&link), "{copied}");
    let team = Team::play(&link);
    update_until(&mut window, |app| session_of(app).snapshot().finished > 0);
    window.get_by_label_contains("is there: Oak, tengen");
    window.get_by_label_contains("; 2 games at a time");
    drop(team);
    update_until(&mut window, |app| session_of(app).snapshot().note.is_some());
    window.get_by_label("is away, and waited for");
    window.get_by_label_contains("nobody is given up");
    let _team = Team::play(&link);
    update_until(&mut window, |app| session_of(app).snapshot().note.is_none());
}

#[test]
fn a_team_that_does_not_come_stops_an_event_that_waits_for_all() {
    let folder = tempfile::tempdir().unwrap();
    let mut test = app(folder.path());
    begin(&mut test, cup(2, &["Team A", "Team B"], "absent = 'refuse'\nremote-wait = 0.2"));
    let links = links(&test, 2);
    let _team = Team::play(&links[1]);
    let shown = wait(&test, |shown| !shown.phase.is_running());
    assert_eq!((shown.phase, shown.url), (EventPhase::Stopped, None));
    let gave_up = |fate| {
        let team = "remote:Team A".to_owned();
        Some(EventNote::Team(TeamChange::GaveUp { team, fate, problem: None }))
    };
    assert_eq!(shown.note, gave_up(AbsentOption::Refuse));
    assert_eq!(shown.finished, 2, "those of the others");
    // Resumed, it is served where it was.
    test.event(EventCommand::Resume);
    let shown = wait(&test, |shown| shown.phase == EventPhase::Playing && shown.url.is_some());
    let url = shown.url.unwrap();
    assert!(links[0].starts_with(&url), "{url} {}", links[0]);
}

#[test]
fn an_event_with_remote_engines_from_a_folder_asks_where_they_come_in() {
    let folder = tempfile::tempdir().unwrap();
    let cup = remote_event(folder.path());
    let mut test = app(folder.path());
    test.event(EventCommand::Open(cup));
    wait(&test, |shown| shown.phase == EventPhase::Stopped);
    test.event(EventCommand::Resume);
    assert!(matches!(test.app.dialog(), Some(Dialog::ServeEvent { .. })));
    assert_eq!(wait(&test, |_| true).url, None);
    test.apply(Command::ShowDialog(Dialog::ServeEvent { form: free_port() }));
    let mut window = window(test);
    // Two buttons are called so: that of the event behind, and that of the question.
    press_last(&mut window, "Resume");
    update_until(&mut window, |app| session_of(app).snapshot().teams.len() == 1);
    let link = session_of(window.state().app()).snapshot().teams[0].link.clone();
    let mut team = Team::play(&link);
    update_until(&mut window, |app| session_of(app).snapshot().phase == EventPhase::Finished);
    // It was told that all is over.
    team.playing.take().unwrap().join().unwrap();
    // The end can be seen until the tab is closed; another engine may join it.
    let url = session_of(window.state().app()).snapshot().url.unwrap();
    window.get_by_label(&format!("In a browser: {url}"));
    press(&mut window, "Add engine");
    press(&mut window, "Remote engine…");
    type_in(&mut window, "Name of a team elsewhere", "Team B");
    press(&mut window, "Add remote engine");
    update_until(&mut window, |app| session_of(app).snapshot().config.engines.len() == 3);
    assert_eq!(window.state().app().dialog(), None);
}

#[test]
fn an_event_whose_address_is_in_use_can_be_served_at_another() {
    let folder = tempfile::tempdir().unwrap();
    let cup = remote_event(folder.path());
    let mut test = app(folder.path());
    let other = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = other.local_addr().unwrap().port();
    test.event(EventCommand::Open(cup));
    wait(&test, |shown| shown.phase == EventPhase::Stopped);
    let asked = |test: &mut TestApp| {
        test.event(EventCommand::Resume);
        match test.app.dialog() {
            Some(Dialog::ServeEvent { form }) => form.clone(),
            other => panic!("{other:?}"),
        }
    };
    let form = asked(&mut test);
    assert_eq!(form.port, 8080);
    test.event(EventCommand::ResumeServed(ListenForm { port, ..form }));
    wait(&test, |shown| shown.problem.is_some() && shown.phase == EventPhase::Stopped);
    let form = ListenForm { port: free_port().port, ..asked(&mut test) };
    test.event(EventCommand::ResumeServed(form));
    let _team = Team::play(&links(&test, 1)[0]);
    wait(&test, |shown| shown.phase == EventPhase::Finished);
}

#[test]
fn an_event_is_shown_in_a_browser_without_remote_engines_too() {
    let folder = tempfile::tempdir().unwrap();
    let mut test = app(folder.path());
    let mut cup = form(4);
    begin(&mut test, cup.clone());
    assert_eq!(wait(&test, |shown| !shown.phase.is_running()).url, None);
    cup.is_shown = true;
    cup.listen = free_port();
    begin(&mut test, cup.clone());
    let shown = wait(&test, |shown| !shown.phase.is_running());
    assert_eq!(shown.url, Some(format!("http://127.0.0.1:{}/", cup.listen.port)));
    assert!(!shown.config.has_remote());
    // Its end is shown until another one is served there.
    let mut stream = TcpStream::connect(("127.0.0.1", cup.listen.port)).unwrap();
    stream.write_all(b"GET /api/events HTTP/1.0\r\nHost: localhost\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.0 200") || answer.starts_with("HTTP/1.1 200"), "{answer}");
    let url = |app: &App, tab: usize| match &app.tabs().0[tab].document {
        Document::Event(session) => session.snapshot().url.clone(),
        _ => panic!("an event is in every tab"),
    };
    assert!(url(&test.app, 1).is_some());
    begin(&mut test, cup.clone());
    test.update_until(|app| app.tabs().0.len() == 3);
    assert_eq!(url(&test.app, 1), None);
    wait(&test, |shown| shown.phase == EventPhase::Finished);
    assert!(url(&test.app, 2).is_some());
    // What is wrong with the address is said before anything is made.
    let port = cup.listen.port;
    cup.listen.address = "here".to_owned();
    assert!(cup.filled().is_err());
    test.event(EventCommand::OpenForm);
    let remembered = test.app.event_form().unwrap().listen.port;
    assert_eq!(remembered, port, "the next event is served at the same address");
    test.event(EventCommand::Show(EventPage::Standings));
}

#[test]
fn an_engine_of_this_window_plays_for_the_team_of_a_link() {
    let mut server = ScriptedServer::start();
    let mut test = TestApp::new();
    test.wait_for_engines();
    test.apply(Command::Network(NetworkCommand::OpenJoinForm));
    let address = format!("http://{}/#team=KEY", server.host());
    let form = JoinForm { address, tables: 1, ..JoinForm::default() };
    test.apply(Command::Network(NetworkCommand::EditJoinForm(form)));
    let engine = test.app.engine_list().engines[0].clone();
    let mut window = window(test);
    let play = "Play with this engine";
    let button = window.get_by_role_and_label(Role::Button, play);
    assert!(button.accesskit_node().is_disabled(), "no engine is chosen");
    window.get_by_role_and_label(Role::ComboBox, "Engine").click();
    window.run_steps(3);
    press(&mut window, &engine.name);
    press(&mut window, play);
    let join = server.accept();
    assert_eq!((&join["type"], &join["key"]), (&json!("join"), &json!("KEY")));
    assert_eq!((&join["name"], &join["tables"]), (&json!(engine.name), &json!(1)));
    server.send(&json!({
        "type": "joined", "version": 2, "server": "tengen", "event": "cup", "name": "Team A",
        "tables": [], "limits": { "message": 4096 },
        "settings": { "rule": "freestyle", "size": 15, "opening": "none" },
    }));
    let game = |number: u64| {
        json!({
            "type": "game", "table": "r", "number": number, "seat": "first", "startup": 10_000,
            "settings": { "rule": "freestyle", "size": 15, "opening": "none", "time": "60" },
        })
    };
    server.send(&game(7));
    assert_eq!(server.hear().unwrap()["type"], "ready");
    server.send(&json!({
        "type": "ask", "table": "r", "question": 1, "seat": "first", "moves": [],
        "ask": { "ask": "move" }, "limits": { "own": 60_000, "hard": 60_000, "margin": 500 },
    }));
    let act = server.hear().unwrap();
    assert_eq!((&act["type"], &act["question"]), (&json!("act"), &json!(1)));
    assert_eq!(act["said"], json!([format!("MESSAGE {}", engine.id)]), "that engine plays");
    server.send(&json!({
        "type": "over", "table": "r", "number": 7,
        "result": { "winner": "first", "termination": "five" },
    }));
    server.send(&game(8));
    assert_eq!(server.hear().unwrap()["type"], "ready");
    update_until(&mut window, |app| match app.tab().map(|tab| &tab.document) {
        Some(Document::Team(session)) => session.snapshot().running.contains(&8),
        _ => false,
    });
    window.get_by_label("It plays in cup as Team A");
    window.get_by_label("1 won, 0 drawn, 0 lost");
    window.get_by_label("Running games: 8");
    window.get_by_label("Game 7");
    // Who closes it is asked, and stops it.
    strike(&mut window, Modifiers::COMMAND, Key::W);
    window.get_by_label("This engine plays in an event");
    press(&mut window, "Stop it");
    assert_eq!(server.hear(), None, "it has left");
    assert!(window.state().app().tab().is_none());
}
