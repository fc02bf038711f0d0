//! Tables on servers, with a server that says what the test says.

use std::net::TcpListener;
use std::sync::Arc;
use std::time::{Duration, Instant};

use eframe::egui::{Key, Role};
use egui_kittest::kittest::{NodeT, Queryable};
use serde_json::{Value, json};
use tengen_arbiter::Termination;
use tengen_gui::app::{
    App, Command, ConnectionState, Dialog, HostForm, JoinForm, ListenForm, NetworkCommand, Pane,
    Phase, TableInfo,
};
use tengen_link::messages::ChatPicture;
use tengen_rules::Seat;
use tengen_testkit::ScriptedServer;

use crate::test_app::{TestApp, point};
use crate::windows::{Shown, key, press, window};

/// How long the fourth wait before a new try is, where nothing hurries it.
const FOURTH_WAIT: Duration = Duration::from_secs(4);

/// Waits for a window that comes to the server, and lets it in. Gives how it greets.
fn welcome(server: &mut ScriptedServer) -> Value {
    let hello = server.accept();
    let engines = json!([{ "id": "oak", "name": "Oak" }]);
    let limits = json!({ "message": 4096, "picture": 65536 });
    server.send(&json!({ "type": "welcome", "engines": engines, "limits": limits }));
    hello
}

fn sitter(name: &str) -> Value {
    json!({ "name": name, "kind": "person", "here": true, "lag": 31 })
}

fn state(phase: &str, requests: Value) -> Value {
    json!({
        "phase": phase, "seats": { "first": sitter("Ann"), "second": sitter("Ben") },
        "requests": requests, "score": { "first": 0.5, "second": 0.5 }, "games": 1, "viewers": 2,
    })
}

/// A table where the person at the window sits first and is asked.
fn table(phase: &str) -> Value {
    json!({
        "type": "table", "table": "r1", "settings": { "time": "300+5", "title": "Evening" },
        "you": { "seat": "first", "key": "seatkey", "host": false, "host_key": null },
        "keys": { "invite": "come", "watch": "look" },
        "state": state(phase, json!([])),
        "live": {
            "game": {
                "number": 1, "round": 0, "seats": { "first": 0, "second": 1 }, "black": "first",
                "clocks": { "first": 300_000, "second": 300_000 }, "first": {}, "steps": [],
                "result": null,
            },
            "asked": "first", "since": 10_000, "left": { "first": 300_000, "second": 300_000 },
        },
        "question": 4, "waiting": "first", "now": 10_000,
        "chat": [{ "from": "Ben", "seat": "second", "text": "hello", "at": 1 }],
    })
}

fn step(place: usize, laid: &str, seat: Seat) -> Value {
    json!({
        "type": "step", "table": "r1", "number": 1, "place": place,
        "step": { "seat": seat, "move": laid, "ns": 1_000_000_000 }, "asked": !seat,
        "since": 10_000, "left": { "first": 299_000, "second": 300_000 }, "question": 5 + place,
        "waiting": !seat, "now": 10_000,
    })
}

fn network(command: NetworkCommand) -> Command {
    Command::Network(command)
}

fn info(app: &App) -> Arc<TableInfo> {
    app.table().unwrap().info()
}

/// Fills the form that goes to a table.
fn fill(test: &mut TestApp, form: JoinForm) {
    test.apply(network(NetworkCommand::OpenJoinForm));
    test.apply(network(NetworkCommand::EditJoinForm(form)));
}

/// An app that has gone to a table of a server, and is shown it.
fn at_table(shown: &Value) -> (TestApp, ScriptedServer) {
    let mut server = ScriptedServer::start();
    let mut test = TestApp::new();
    let address = format!("http://{}/#table=r1&key=come", server.host());
    fill(&mut test, JoinForm { address, name: "Ann".to_owned(), ..JoinForm::default() });
    test.apply(network(NetworkCommand::Join));
    welcome(&mut server);
    let enter = json!({ "type": "enter", "table": "r1", "key": "come" });
    assert_eq!(server.hear_kind("enter"), enter);
    server.send(shown);
    test.update_until(|app| info(app).seat.is_some() || info(app).viewers > 0);
    (test, server)
}

fn playing() -> (Shown, ScriptedServer) {
    let (test, server) = at_table(&table("playing"));
    let window = window(test);
    (window, server)
}

/// Draws frames until the table is as expected.
fn until(window: &mut Shown, expected: impl Fn(&TableInfo) -> bool) {
    while !expected(&info(window.state().app())) {
        std::thread::yield_now();
        window.step();
    }
    window.run_steps(3);
}

#[test]
fn a_table_is_played_at_on_the_board_of_the_window() {
    let (mut window, mut server) = playing();
    window.get_by_label("Your move, black");
    window.get_by_label("Game 1 · 0.5 : 0.5");
    assert!(window.query_by_label_contains("Log of").is_none(), "no engine of this computer plays");
    assert_eq!(window.get_all_by_label("31 ms").count(), 2);
    press(&mut window, "H8");
    let act = server.hear_kind("act");
    assert_eq!(act, json!({ "type": "act", "table": "r1", "question": 4, "move": "h8" }));
    server.send(&step(0, "h8", Seat::First));
    until(&mut window, |info| info.refusal.is_none());
    crate::windows::wait(&mut window, |snapshot| snapshot.rows.len() == 1);
    window.run_steps(3);
    window.get_by_role_and_label(Role::Image, "H8 black 1");
    window.get_by_label("Ben (white) to move");
    server.send(&step(1, "i8", Seat::Second));
    crate::windows::wait(&mut window, |snapshot| snapshot.rows.len() == 2);
    window.run_steps(3);
    window.get_by_label("Your move, black");
}

#[test]
fn who_waits_for_a_player_can_resign_nothing() {
    let mut open = table("open");
    (open["live"], open["question"], open["waiting"]) = (Value::Null, json!(0), Value::Null);
    open["state"]["seats"]["second"] = Value::Null;
    let (test, _server) = at_table(&open);
    let window = window(test);
    window.get_by_label("Waiting for a player: send the link in the pane “Table”");
    for label in ["Resign", "Pause", "Offer draw", "Take back"] {
        let button = window.get_by_role_and_label(Role::Button, label);
        assert!(button.accesskit_node().is_disabled(), "{label}");
    }
}

#[test]
fn what_the_server_refuses_is_said_below_the_board() {
    let (mut window, mut server) = playing();
    press(&mut window, "H8");
    let error = json!({
        "type": "error", "code": "illegal", "message": "h8 is taken", "table": "r1",
    });
    server.send(&error);
    until(&mut window, |info| info.refusal.is_some());
    window.get_by_label("Not allowed by the rules: h8 is taken");
}

#[test]
fn what_is_asked_for_is_answered_by_buttons() {
    let (mut window, mut server) = playing();
    let asked = json!([{ "seat": "second", "what": "undo" }]);
    server.send(&json!({ "type": "state", "table": "r1", "state": state("playing", asked) }));
    until(&mut window, |info| !info.requests.is_empty());
    window.get_by_label("Ben asks to take back");
    press(&mut window, "Decline");
    let reply = json!({ "type": "reply", "table": "r1", "what": "undo", "accept": false });
    assert_eq!(server.hear_kind("reply"), reply);
    press(&mut window, "Offer draw");
    assert_eq!(
        server.hear_kind("request"),
        json!({ "type": "request", "table": "r1", "what": "draw" })
    );
    let own = json!([{ "seat": "first", "what": "draw" }]);
    server.send(&json!({ "type": "state", "table": "r1", "state": state("playing", own) }));
    until(&mut window, |info| info.asks(Seat::First, tengen_gui::app::TableRequest::Draw));
    window.get_by_label("You offered a draw");
    press(&mut window, "Withdraw");
    assert_eq!(server.hear_kind("withdraw")["what"], "draw");
    press(&mut window, "Pause");
    assert_eq!(server.hear_kind("request")["what"], "pause");
    press(&mut window, "Resign");
    press(&mut window, "Really resign?");
    assert_eq!(server.hear_kind("act"), json!({ "type": "act", "table": "r1", "resign": true }));
    let over = json!({
        "type": "over", "table": "r1", "number": 1, "row": [],
        "left": { "first": 1, "second": 2 },
        "result": { "winner": "second", "termination": "resignation" },
    });
    server.send(&over);
    server.send(&json!({ "type": "state", "table": "r1", "state": state("over", json!([])) }));
    until(&mut window, |info| info.phase == tengen_gui::app::TablePhase::Over);
    let result = crate::windows::snapshot(&window).result.unwrap();
    assert_eq!((result.winner, result.termination), (Some(Seat::Second), Termination::Resignation));
    window.get_by_label("Ben (white) won: Ann (black) resigned");
    assert!(window.query_by_role_and_label(Role::Button, "New game").is_none());
    press(&mut window, "Play again");
    assert_eq!(server.hear_kind("request")["what"], "again");
}

#[test]
fn people_talk_and_hand_on_links() {
    let (mut window, mut server) = playing();
    press(&mut window, "Chat (1)");
    window.get_by_label("hello");
    let field = window.get_by_role_and_label(Role::TextInput, "Say something");
    field.focus();
    window.run_steps(2);
    window.get_by_role_and_label(Role::TextInput, "Say something").type_text("good luck");
    window.run_steps(2);
    key(&mut window, Key::Enter);
    let said = json!({ "type": "chat", "table": "r1", "text": "good luck" });
    assert_eq!(server.hear_kind("chat"), said);
    let line = json!({ "from": "Zoe", "seat": null, "text": "hi all", "at": 2 });
    server.send(&json!({ "type": "chat", "table": "r1", "line": line }));
    until(&mut window, |info| info.chat.len() == 2);
    window.get_by_label("Zoe (looking on)");
    // What is said while another pane is open is counted.
    press(&mut window, "Move list");
    server.send(&json!({ "type": "chat", "table": "r1", "line": line }));
    until(&mut window, |info| info.chat.len() == 3);
    press(&mut window, "Chat (1)");
    window.get_by_label("Chat");
    press(&mut window, "Table");
    window.get_by_label("Freestyle · 15×15 · 5:00 + 5 s per move");
    press(&mut window, "Copy: Link to play");
    let status = window.state().app().status_message().unwrap().0.to_owned();
    assert_eq!(status, format!("Copied: http://{}/#table=r1&key=come", server.host()));
}

#[test]
fn words_have_marks_and_links_and_pictures_come_and_go() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("board.png");
    image::RgbImage::from_pixel(800, 400, image::Rgb([9, 99, 9])).save(&path).unwrap();
    let (mut window, mut server) = playing();
    press(&mut window, "Chat (1)");
    let text = "a **bold** *move*: http://example.org/x.";
    let line = json!({ "from": "Ben", "seat": "second", "text": text, "at": 2 });
    server.send(&json!({ "type": "chat", "table": "r1", "line": line }));
    until(&mut window, |info| info.chat.len() == 2);
    for part in ["a ", "bold", "move", ": ", "."] {
        window.get_by_role_and_label(Role::Label, part);
    }
    window.get_by_role_and_label(Role::Link, "http://example.org/x").click();
    window.run_steps(3);
    let status = window.state().app().status_message().unwrap().0.to_owned();
    assert_eq!(status, "Copied: http://example.org/x");
    // A file is chosen in the window's own dialog, made small and sent.
    press(&mut window, "Picture…");
    let field = window.get_by_role_and_label(Role::TextInput, "File");
    field.focus();
    window.run_steps(2);
    crate::windows::strike(&mut window, eframe::egui::Modifiers::COMMAND, Key::A);
    let name = path.display().to_string();
    window.get_by_role_and_label(Role::TextInput, "File").type_text(&name);
    window.run_steps(2);
    key(&mut window, Key::Enter);
    while window.state().app().file_dialog().is_some() {
        window.step();
    }
    let said = server.hear_kind("chat");
    assert_eq!(said["text"], "");
    let sent = ChatPicture::of_client(said["picture"].as_str().unwrap()).unwrap();
    assert_eq!((sent.width, sent.height), (320, 160));
    let mut line = json!({ "from": "Ben", "seat": "second", "text": "", "at": 3 });
    for picture in [json!(sent), Value::Null] {
        line["picture"] = picture;
        server.send(&json!({ "type": "chat", "table": "r1", "line": line }));
    }
    until(&mut window, |info| info.chat.len() == 4);
    window.get_by_role_and_label(Role::Image, "Picture from Ben");
    window.get_by_label("Ben showed a picture, which is not kept any more");
}

#[test]
fn a_broken_connection_is_said_and_made_again_with_the_key_of_the_seat() {
    let (mut window, mut server) = playing();
    let mut tried = Duration::MAX;
    for _ in 0..4 {
        server.disconnect();
        until(&mut window, |info| matches!(info.connection, ConnectionState::Broken(_)));
        let text = "No connection: the connection broke. It is tried again; the clocks run on";
        window.get_by_label(text);
        window.get_by_label("No connection; it is tried again");
        window.get_all_by_role_and_label(Role::Button, "Try now").next().unwrap().click();
        let begun = Instant::now();
        window.run_steps(3);
        welcome(&mut server);
        tried = begun.elapsed();
        let enter = json!({ "type": "enter", "table": "r1", "key": "seatkey" });
        assert_eq!(server.hear_kind("enter"), enter);
        server.send(&table("playing"));
        until(&mut window, |info| info.is_connected());
        window.get_by_label("Your move, black");
    }
    assert!(tried < FOURTH_WAIT / 2, "not tried at once, but after {tried:?}");
}

#[test]
fn a_server_that_cannot_be_used_is_not_tried_again() {
    let mut server = ScriptedServer::start();
    let mut test = TestApp::new();
    let address = format!("{}/#table=r1", server.host());
    fill(&mut test, JoinForm { address, ..JoinForm::default() });
    test.apply(network(NetworkCommand::Watch));
    assert_eq!(server.accept()["type"], "hello");
    let error = json!({ "type": "error", "code": "version", "message": "another version" });
    server.send(&error);
    test.update_until(|app| matches!(info(app).connection, ConnectionState::Closed(_)));
    assert_eq!(server.hear(), None, "it has hung up");
    assert!(!server.is_called());
}

#[test]
fn the_public_tables_of_a_server_are_listed_and_entered() {
    let mut server = ScriptedServer::start();
    let mut test = TestApp::new();
    let form = JoinForm {
        address: server.host(),
        name: "Ann".to_owned(),
        password: "secret".to_owned(),
        ..JoinForm::default()
    };
    fill(&mut test, form);
    test.apply(network(NetworkCommand::Join));
    let hello = welcome(&mut server);
    assert_eq!((&hello["name"], &hello["password"]), (&json!("Ann"), &json!("secret")));
    assert_eq!(server.hear_kind("list"), json!({ "type": "list", "on": true }));
    let listing = |table: &str, title: &str, second: Value| {
        json!({
            "table": table, "title": title, "settings": { "rule": "renju" }, "phase": "open",
            "seats": { "first": "Ben", "second": second }, "viewers": 0, "opened": 1,
        })
    };
    let tables = json!([listing("a", "Evening", Value::Null), listing("b", "", json!("Eve"))]);
    server.send(&json!({ "type": "lobby", "tables": tables }));
    test.update_until(|app| app.lobby().unwrap().snapshot().tables.len() == 2);
    server.send(&json!({ "type": "unlisted", "table": "b" }));
    server.send(&json!({ "type": "listed", "table": listing("c", "Late", Value::Null) }));
    test.update_until(|app| {
        let tables = &app.lobby().unwrap().snapshot().tables;
        tables.iter().map(|table| table.id.as_str()).eq(["c", "a"])
    });
    let mut window = window(test);
    window.get_by_label("Evening  ·  Ben – free");
    window.get_all_by_role_and_label(Role::Button, "Play").next_back().unwrap().click();
    window.run_steps(3);
    welcome(&mut server);
    assert_eq!(server.hear_kind("enter"), json!({ "type": "enter", "table": "a" }));
    let mut open = table("open");
    (open["table"], open["live"]) = (json!("a"), Value::Null);
    open["you"] = json!({ "seat": null, "key": null, "host": false, "host_key": null });
    open["state"]["seats"]["second"] = Value::Null;
    server.send(&open);
    assert_eq!(server.hear_kind("sit"), json!({ "type": "sit", "table": "a" }));
}

#[test]
fn a_seat_is_handed_to_engines_and_taken_back() {
    let (test, mut server) = at_table(&table("playing"));
    let mut window = window(test);
    until(&mut window, |info| !info.engines.is_empty());
    while window.state().app().engine_list().engines.is_empty() {
        window.step();
    }
    let choose = |window: &mut Shown, entry: &str| {
        window.get_by_role_and_label(Role::ComboBox, "You sit").click();
        window.run_steps(3);
        press(window, entry);
    };
    choose(&mut window, "Oak (of the server)");
    let handed = json!({ "type": "engine", "table": "r1", "engine": "oak" });
    assert_eq!(server.hear_kind("engine"), handed);
    choose(&mut window, "DICE (of this computer)");
    assert_eq!(server.hear_kind("name"), json!({ "type": "name", "name": "Ann (DICE)" }));
    let act = server.hear_kind("act");
    assert_eq!((&act["question"], &act["table"]), (&json!(4), &json!("r1")));
    assert!(act["move"].is_string(), "{act}");
    choose(&mut window, "You");
    assert_eq!(server.hear_kind("name"), json!({ "type": "name", "name": "Ann" }));
}

#[test]
fn an_engine_of_this_computer_that_fails_gives_the_seat_back() {
    let (test, mut server) = at_table(&table("playing"));
    let mut window = window(test);
    while window.state().app().engine_list().engines.is_empty() {
        window.step();
    }
    window.run_steps(3);
    window.get_by_role_and_label(Role::ComboBox, "You sit").click();
    window.run_steps(3);
    press(&mut window, "CRASH (of this computer)");
    until(&mut window, |info| info.refusal.is_some());
    window.get_by_label("The engine of this computer stopped: it fell over");
    assert_eq!(info(window.state().app()).own_engine, None);
    window.get_by_role_and_label(Role::Button, "H8").click();
    window.run_steps(3);
    assert_eq!(server.hear_kind("act")["move"], "h8");
}

#[test]
fn leaving_a_game_is_asked_about_and_the_seat_is_remembered() {
    let (mut test, server) = at_table(&table("playing"));
    test.apply(Command::CloseActiveTab);
    assert!(matches!(test.app.dialog(), Some(Dialog::LeaveTable { .. })));
    test.apply(Command::CloseDialog);
    test.apply(Command::Quit);
    assert_eq!(test.app.dialog(), Some(&Dialog::CloseWindow));
    assert!(!test.app.is_closing());
    test.apply(Command::CloseDialog);
    test.apply(Command::CloseActiveTab);
    let mut window = window(test);
    window.get_by_label("Leave it? Your clock runs on. You come back by Game › Join…");
    press(&mut window, "Leave the table");
    assert!(window.state().app().tab().is_none());
    let seats = window.state().app().settings().tables.seats.clone();
    assert_eq!(seats[0].link, format!("http://{}/#table=r1&key=seatkey", server.host()));
    assert_eq!(seats[0].title, "Evening");
}

#[test]
fn a_table_that_is_gone_is_said_and_forgotten() {
    let (mut window, mut server) = playing();
    let reason = json!({ "type": "closed", "table": "r1", "reason": "the host went home" });
    server.send(&reason);
    until(&mut window, |info| matches!(info.connection, ConnectionState::Closed(_)));
    window.get_all_by_label("The table is gone: the host went home").next().unwrap();
    assert_eq!(crate::windows::snapshot(&window).phase, Phase::Stopped);
    assert!(window.state().app().settings().tables.seats.is_empty());
}

#[test]
fn an_opening_is_asked_as_in_a_game_of_the_window() {
    let mut shown = table("playing");
    shown["settings"]["opening"] = json!("swap2");
    let (mut test, mut server) = at_table(&shown);
    test.apply(Command::ShowPane(Pane::Moves));
    for text in ["h8", "i9", "h9"] {
        test.apply(Command::Click(point(text)));
    }
    test.apply(Command::Confirm);
    let place = json!({
        "type": "act", "table": "r1", "question": 4, "place": ["h8", "i9", "h9"],
    });
    assert_eq!(server.hear_kind("act"), place);
}

#[test]
fn the_form_of_the_host_says_what_is_wrong() {
    let mut test = TestApp::new();
    test.apply(network(NetworkCommand::OpenHostForm));
    let listen = ListenForm { address: "everywhere".to_owned(), ..ListenForm::default() };
    let form = HostForm { listen, ..HostForm::default() };
    test.apply(network(NetworkCommand::EditHostForm(Box::new(form))));
    test.apply(network(NetworkCommand::Host));
    assert!(!test.app.is_starting_server(), "it is no address");
    let window = window(test);
    window.get_by_label("The address is written as 127.0.0.1, 0.0.0.0 or ::1");
    let button = window.get_by_role_and_label(Role::Button, "Open the table");
    assert!(button.accesskit_node().is_disabled());
}

#[test]
fn a_server_that_cannot_start_is_said_in_the_form() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap();
    let mut test = TestApp::new();
    test.apply(network(NetworkCommand::OpenHostForm));
    let listen = ListenForm { port: address.port(), ..ListenForm::default() };
    let form = HostForm { listen, ..HostForm::default() };
    test.apply(network(NetworkCommand::EditHostForm(Box::new(form))));
    test.apply(network(NetworkCommand::Host));
    test.update_until(|app| app.host_problem().is_some());
    assert!(test.app.host_form().is_some() && test.app.tab().is_none());
    let problem = test.app.host_problem().unwrap().to_owned();
    let expected = if cfg!(feature = "serve") {
        format!("{address}: another program listens there")
    } else {
        "this tengen was built without a server".to_owned()
    };
    assert!(problem.starts_with(&expected), "{problem}");
    window(test).get_by_label(&problem);
}
