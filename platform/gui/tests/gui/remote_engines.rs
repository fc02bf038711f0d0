//! Remote engines: of an event in this window, and an engine of this window in an event elsewhere.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use eframe::egui::{Key, Modifiers, Role};
use egui_kittest::kittest::{NodeT, Queryable};
use serde_json::json;
use tengen_gui::app::{
    App, Command, Dialog, Document, EventChange, EventCommand, EventEngines, EventHost,
    EventListener, EventNews, EventNote, EventPage, EventPhase, EventServer, JoinForm, ListenForm,
    ListenTerms, NetworkCommand, RemoteTeam, SeatedEvent, TeamPresence,
};
use tengen_testkit::ScriptedServer;
use tengen_tournament::{
    AbsentOption, EngineEntry, Event, EventConfig, EventFollower, ScheduledGame, Watcher,
};

use crate::events::{RandomRoster, begin, form, session_of, wait};
use crate::test_app::TestApp;
use crate::windows::{press, strike, type_in, update_until, window};

/// Seats dice, and serves what it is told to serve.
#[derive(Default)]
struct ServingHost {
    folder: PathBuf,
    /// Where events were to be served, one after another.
    listened: Mutex<Vec<Option<ListenTerms>>>,
    /// A port that another program has.
    taken: Mutex<Option<u16>>,
    /// What hears of the teams of the last one.
    listener: Mutex<Option<EventListener>>,
    /// Whether each server that has ended was that of a whole event.
    ended: Arc<Mutex<Vec<bool>>>,
    /// The games that servers saw.
    seen: Arc<Mutex<Vec<u64>>>,
}

struct DiceEngines {
    server: Option<TestServer>,
    listener: EventListenerSlot,
}

type EventListenerSlot = Box<dyn FnOnce(EventListener) + Send>;

struct TestServer {
    ended: Arc<Mutex<Vec<bool>>>,
    seen: Arc<Mutex<Vec<u64>>>,
    /// Since the event was seated.
    follower: Option<Arc<EventFollower>>,
}

impl EventServer for TestServer {
    fn url(&self) -> String {
        "http://192.0.2.7:8080/".to_owned()
    }

    fn follower(&self) -> &Arc<EventFollower> {
        self.follower.as_ref().unwrap()
    }

    fn watcher(&self) -> &dyn Watcher {
        self
    }

    fn end(&self, is_whole: bool) {
        self.ended.lock().unwrap().push(is_whole);
    }
}

impl Watcher for TestServer {
    fn look(&self, table: usize, scheduled: &ScheduledGame, game: &tengen_arbiter::Game) {
        self.seen.lock().unwrap().push(scheduled.number);
        self.follower().look(table, scheduled, game);
    }
}

impl EventEngines for DiceEngines {
    fn seat(self: Box<Self>, event: &Event, tell: EventListener) -> Result<SeatedEvent, String> {
        let DiceEngines { server, listener } = *self;
        let labels = event.config().labels();
        let remote = event.config().engines.iter().zip(labels);
        let remote = remote.filter(|(engine, _)| engine.remote().is_some());
        let team = |label: String| RemoteTeam {
            link: format!("http://192.0.2.7:8080/#team=key-of-{label}"),
            label,
            state: TeamPresence::Expected,
        };
        tell(EventNews::Teams(remote.map(|(_, label)| team(label)).collect()));
        listener(tell);
        let follower = Some(Arc::new(EventFollower::new(event)));
        let server = server.map(|server| Box::new(TestServer { follower, ..server }) as _);
        Ok(SeatedEvent { players: Arc::new(RandomRoster), server })
    }
}

/// A host that others look at, too.
struct SharedHost(Arc<ServingHost>);

impl SharedHost {
    fn engines(&self, listen: Option<&ListenTerms>) -> Result<Box<dyn EventEngines>, String> {
        let host = Arc::clone(&self.0);
        let port = listen.map(|terms| terms.address.port());
        if port.is_some() && port == *host.taken.lock().unwrap() {
            return Err("the address is in use".to_owned());
        }
        host.listened.lock().unwrap().push(listen.cloned());
        let (ended, seen) = (Arc::clone(&host.ended), Arc::clone(&host.seen));
        Ok(Box::new(DiceEngines {
            server: listen.map(|_| TestServer { ended, seen, follower: None }),
            listener: Box::new(move |tell| *host.listener.lock().unwrap() = Some(tell)),
        }))
    }
}

impl EventHost for SharedHost {
    fn enroll(
        &self,
        config: EventConfig,
        listen: Option<&ListenTerms>,
    ) -> Result<(EventConfig, Box<dyn EventEngines>), String> {
        self.engines(listen).map(|engines| (config, engines))
    }

    fn gather(
        &self,
        _config: &EventConfig,
        listen: Option<&ListenTerms>,
    ) -> Result<Box<dyn EventEngines>, String> {
        self.engines(listen)
    }

    fn change(&self, dir: &Path, change: &EventChange) -> Result<(), String> {
        let EventChange::Add(id) = change else { return Err("only one may join".to_owned()) };
        let event = Event::open(dir).map_err(|error| error.to_string())?;
        let added = event.add(&[EngineEntry::new(id)], "today");
        added.map(drop).map_err(|error| error.to_string())
    }

    fn folder(&self) -> PathBuf {
        self.0.folder.clone()
    }
}

fn app(folder: &Path) -> (TestApp, Arc<ServingHost>) {
    let host = Arc::new(ServingHost { folder: folder.to_owned(), ..ServingHost::default() });
    let events = Arc::new(SharedHost(Arc::clone(&host)));
    (TestApp::with_events(events), host)
}

/// Creates an event with a remote engine, of which no game is played, and gives its folder.
fn remote_event(folder: &Path) -> PathBuf {
    let cup = folder.join("cup");
    let text = "size = 9\ngames = 4\nengines = ['dice', 'remote:Team A']";
    let config = EventConfig::from_toml(text, "cup.toml".as_ref()).unwrap();
    drop(Event::create(&cup, config).unwrap());
    cup
}

#[test]
fn a_remote_engine_is_added_by_the_form_and_its_link_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let (mut test, host) = app(folder.path());
    test.event(EventCommand::OpenForm);
    let mut cup = form(100_000);
    cup.entrants.truncate(1);
    test.event(EventCommand::Edit(Box::new(cup)));
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
        shown.phase == EventPhase::Playing && shown.finished > 0
    });
    let listened = host.listened.lock().unwrap().clone();
    assert_eq!(listened, [Some(ListenForm::default().check().unwrap())]);
    window.get_by_label("In a browser: http://192.0.2.7:8080/");
    press(&mut window, "Remote engines");
    window.get_by_label("has not come yet");
    press(&mut window, "Copy: remote:Team A");
    let copied = window.state().app().status_message().unwrap().0;
    assert!(copied.contains("http://192.0.2.7:8080/#team=key-of-remote:Team A"), "{copied}");
    let tell = host.listener.lock().unwrap().clone().unwrap();
    let team = |state| {
        let (label, link) =
            ("remote:Team A".to_owned(), "http://192.0.2.7:8080/#team=k".to_owned());
        tell(EventNews::Teams(vec![RemoteTeam { label, link, state }]));
    };
    team(TeamPresence::Connected { engine: "Oak 1.0".to_owned(), tables: 2 });
    window.run_steps(2);
    window.get_by_label("is there: Oak 1.0; 2 games at a time");
    team(TeamPresence::Away);
    window.run_steps(2);
    window.get_by_label("is away, and waited for");
    tell(EventNews::Note(EventNote::NobodyThere));
    window.run_steps(2);
    window.get_by_label_contains("nobody is given up");
    assert!(!host.seen.lock().unwrap().is_empty(), "those in a browser see the games, too");
}

#[test]
fn a_team_that_does_not_come_stops_an_event_that_waits_for_all() {
    let folder = tempfile::tempdir().unwrap();
    let (mut test, host) = app(folder.path());
    let mut cup = form(100_000);
    cup.remote_name = "Team A".to_owned();
    cup.add_remote();
    begin(&mut test, cup);
    wait(&test, |shown| shown.finished > 0);
    let tell = host.listener.lock().unwrap().clone().unwrap();
    let gave_up = |fate| EventNote::GaveUp { team: "Team A".to_owned(), fate };
    tell(EventNews::Note(gave_up(AbsentOption::Forfeit)));
    assert!(wait(&test, |_| true).phase.is_running());
    tell(EventNews::Note(gave_up(AbsentOption::Refuse)));
    let shown = wait(&test, |shown| !shown.phase.is_running());
    assert_eq!((shown.phase, shown.url), (EventPhase::Stopped, None));
    assert_eq!(shown.note, Some(gave_up(AbsentOption::Refuse)));
    assert_eq!(*host.ended.lock().unwrap(), [false]);
    // Resumed, it is served where it was.
    test.event(EventCommand::Resume);
    wait(&test, |shown| shown.phase == EventPhase::Playing && shown.url.is_some());
    let listened = host.listened.lock().unwrap().clone();
    assert_eq!((listened.len(), &listened[0]), (2, &listened[1]));
}

#[test]
fn an_event_with_remote_engines_from_a_folder_asks_where_they_come_in() {
    let folder = tempfile::tempdir().unwrap();
    let cup = remote_event(folder.path());
    let (mut test, host) = app(folder.path());
    test.event(EventCommand::Open(cup));
    wait(&test, |shown| shown.phase == EventPhase::Stopped);
    test.event(EventCommand::Resume);
    assert!(matches!(test.app.dialog(), Some(Dialog::ServeEvent { .. })));
    assert!(host.listened.lock().unwrap().is_empty());
    let mut window = window(test);
    // Two buttons are called so: that of the event behind, and that of the question.
    let resume = window.get_all_by_role_and_label(Role::Button, "Resume").last().unwrap();
    resume.click();
    window.run_steps(3);
    update_until(&mut window, |app| session_of(app).snapshot().phase == EventPhase::Finished);
    assert_eq!(host.listened.lock().unwrap().len(), 1);
    assert_eq!(*host.ended.lock().unwrap(), [true]);
    // Its end can be seen until its tab is closed; another one may join it.
    window.get_by_label("In a browser: http://192.0.2.7:8080/");
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
    let (mut test, host) = app(folder.path());
    *host.taken.lock().unwrap() = Some(8080);
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
    test.event(EventCommand::ResumeServed(form));
    wait(&test, |shown| shown.problem.is_some() && shown.phase == EventPhase::Stopped);
    let form = ListenForm { port: 8081, ..asked(&mut test) };
    test.event(EventCommand::ResumeServed(form));
    wait(&test, |shown| shown.phase == EventPhase::Finished);
    let listened = host.listened.lock().unwrap().clone();
    assert_eq!(listened.len(), 1);
    assert_eq!(listened[0].as_ref().unwrap().address.port(), 8081);
}

#[test]
fn an_event_is_shown_in_a_browser_without_remote_engines_too() {
    let folder = tempfile::tempdir().unwrap();
    let (mut test, host) = app(folder.path());
    let mut cup = form(4);
    begin(&mut test, cup.clone());
    wait(&test, |shown| !shown.phase.is_running());
    cup.is_shown = true;
    cup.listen.port = 8181;
    begin(&mut test, cup.clone());
    wait(&test, |shown| !shown.phase.is_running());
    let ports = |terms: &Option<ListenTerms>| terms.as_ref().map(|terms| terms.address.port());
    let listened: Vec<_> = host.listened.lock().unwrap().iter().map(ports).collect();
    assert_eq!(listened, [None, Some(8181)]);
    assert!(!wait(&test, |_| true).config.has_remote());
    // Its end is shown until another one is served there.
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
    cup.listen.address = "here".to_owned();
    assert!(cup.filled().is_err());
    test.event(EventCommand::OpenForm);
    let remembered = test.app.event_form().unwrap().listen.port;
    assert_eq!(remembered, 8181, "the next event is served at the same address");
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
        "rooms": [], "limits": { "message": 4096 },
        "settings": { "rule": "freestyle", "size": 15, "opening": "none" },
    }));
    let game = |number: u64| {
        json!({
            "type": "game", "room": "r", "number": number, "seat": "first", "startup": 10_000,
            "settings": { "rule": "freestyle", "size": 15, "opening": "none", "time": "60" },
        })
    };
    server.send(&game(7));
    assert_eq!(server.hear().unwrap()["type"], "ready");
    server.send(&json!({
        "type": "ask", "room": "r", "question": 1, "seat": "first", "moves": [],
        "ask": { "ask": "move" }, "limits": { "own": 60_000, "hard": 60_000, "margin": 500 },
    }));
    let act = server.hear().unwrap();
    assert_eq!((&act["type"], &act["question"]), (&json!("act"), &json!(1)));
    assert_eq!(act["said"], json!([format!("MESSAGE {}", engine.id)]), "that engine plays");
    server.send(&json!({
        "type": "over", "room": "r", "number": 7,
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
