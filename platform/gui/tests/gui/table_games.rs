//! Two windows that play at a table over this computer's own network.

use std::sync::Arc;

use tempfile::{TempDir, tempdir};
use tengen_arbiter::Termination;
use tengen_gui::app::{
    App, ClockKind, Command, ConnectionState, GameArchive, GameForm, HappeningKind, HostForm,
    JoinForm, ListenForm, NetworkCommand, TableCommand, TableInfo, TablePhase, TableRequest,
    UserAction,
};
use tengen_rules::{Procedure, Seat};

use crate::test_app::{TestApp, point};

fn apply(test: &mut TestApp, command: NetworkCommand) {
    test.apply(Command::Network(command));
}

fn tell(test: &mut TestApp, command: TableCommand) {
    apply(test, NetworkCommand::ToTable(command));
}

fn info(app: &App) -> Arc<TableInfo> {
    app.table().unwrap().info()
}

fn wait(test: &TestApp, condition: impl Fn(&TableInfo) -> bool) {
    test.app.table().unwrap().wait_for(condition);
}

/// An app that opens a table of this form, and has a seat there.
pub fn host(folder: &TempDir, form: HostForm) -> TestApp {
    let archive = Some(GameArchive::new(folder.path().to_owned()));
    let mut test = TestApp::with(archive);
    apply(&mut test, NetworkCommand::OpenHostForm);
    // Any port that is free.
    let form =
        HostForm { name: "Ann".to_owned(), listen: ListenForm { port: 0, ..form.listen }, ..form };
    apply(&mut test, NetworkCommand::EditHostForm(Box::new(form)));
    apply(&mut test, NetworkCommand::Host);
    test.update_until(|app| app.tab().is_some() || app.host_problem().is_some());
    assert_eq!(test.app.host_problem(), None);
    wait(&test, |info| info.seat.is_some() && info.links.play.is_some());
    test
}

/// An app that comes by a link or an address.
fn join(address: String, sits: bool) -> TestApp {
    let mut test = TestApp::new();
    apply(&mut test, NetworkCommand::OpenJoinForm);
    let form = JoinForm { address, name: "Ben".to_owned(), ..JoinForm::default() };
    apply(&mut test, NetworkCommand::EditJoinForm(form));
    apply(&mut test, if sits { NetworkCommand::Join } else { NetworkCommand::Watch });
    test
}

/// Files of a certificate for `localhost`, and of its key.
fn certificate(folder: &TempDir) -> [String; 2] {
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let file = |name: &str, text: String| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    [file("cert.pem", made.cert.pem()), file("key.pem", made.signing_key.serialize_pem())]
}

/// Clicks in turn, each when it is asked.
fn play(first: &mut TestApp, second: &mut TestApp, points: &str) {
    for (rows, text) in (first.snapshot().rows.len()..).zip(points.split_whitespace()) {
        let test = if rows.is_multiple_of(2) { &mut *first } else { &mut *second };
        test.wait_asked(rows);
        test.apply(Command::Click(point(text)));
        for test in [&*first, &*second] {
            test.wait(|snapshot| snapshot.rows.len() == rows + 1);
        }
    }
}

#[test]
fn two_windows_play_a_game_take_back_talk_and_play_again() {
    let folder = tempdir().unwrap();
    let mut ann = host(&folder, HostForm { is_public: false, ..HostForm::default() });
    let (play_link, watch_link) = {
        let links = info(&ann.app).links.clone();
        (links.play.unwrap(), links.watch.unwrap())
    };
    let mut ben = join(play_link, true);
    wait(&ben, |info| info.phase == TablePhase::Playing);
    let zoe = join(watch_link, false);
    wait(&zoe, |info| info.viewers == 1 && info.seat.is_none());
    play(&mut ann, &mut ben, "h8 a1 i8 a2");
    // Ben takes his last stone back, once refused and once granted.
    for accept in [false, true] {
        ben.apply(ben.app.command(UserAction::TakeBack).unwrap());
        wait(&ann, |info| info.asks(Seat::Second, TableRequest::Undo));
        let question = ann.snapshot().asked.unwrap().number;
        tell(&mut ann, TableCommand::Reply(TableRequest::Undo, accept));
        wait(&ben, |info| info.requests.is_empty());
        if accept {
            ben.wait(|snapshot| snapshot.rows.len() == 5);
        } else {
            // What was declined is asked again after another answer.
            assert_eq!(ben.snapshot().rows.len(), 4);
            play(&mut ann, &mut ben, "j8 a3");
            assert_ne!(ann.snapshot().asked.unwrap().number, question);
            zoe.wait(|snapshot| snapshot.rows.len() == 6);
        }
    }
    zoe.wait(|snapshot| snapshot.rows.len() == 5);
    assert!(zoe.snapshot().asks_person().is_none());
}

#[test]
fn a_game_ends_by_five_and_another_begins_with_seats_exchanged() {
    let folder = tempdir().unwrap();
    let game = GameForm { clock: ClockKind::Off, ..HostForm::default().game };
    let mut ann = host(&folder, HostForm { game, ..HostForm::default() });
    let mut ben = join(info(&ann.app).links.play.clone().unwrap(), true);
    wait(&ben, |info| info.phase == TablePhase::Playing);
    assert!(ann.app.has_people_at_tables());
    play(&mut ann, &mut ben, "h8 a1 i8 a2 j8 a3 k8 a4 l8");
    for test in [&ann, &ben] {
        let snapshot = test.wait(|snapshot| snapshot.result.is_some());
        let result = snapshot.result.unwrap();
        assert_eq!((result.winner, result.termination), (Some(Seat::First), Termination::Five));
    }
    apply(&mut ben, NetworkCommand::Type("well played".to_owned()));
    apply(&mut ben, NetworkCommand::Say);
    wait(&ann, |info| {
        info.chat.iter().any(|line| line.from == "Ben" && line.text == "well played")
    });
    wait(&ben, |info| info.phase == TablePhase::Over);
    tell(&mut ben, TableCommand::Request(TableRequest::Again));
    wait(&ann, |info| info.requests.iter().any(|(_, what)| *what == TableRequest::Again));
    tell(&mut ann, TableCommand::Reply(TableRequest::Again, true));
    wait(&ann, |info| info.phase == TablePhase::Playing && info.seat == Some(Seat::Second));
    wait(&ben, |info| info.phase == TablePhase::Playing && info.seat == Some(Seat::First));
    assert_eq!(info(&ann.app).score.second, 1.0);
    play(&mut ben, &mut ann, "h8 h9");
    // The host's window ends the table for everybody.
    drop(ann);
    wait(&ben, |info| !info.is_connected());
}

#[test]
fn a_table_with_swap2_is_found_in_the_list_and_drawn_by_agreement() {
    let folder = tempdir().unwrap();
    let game = GameForm { opening: Procedure::Swap2, ..HostForm::default().game };
    let title = "Evening".to_owned();
    let mut ann = host(&folder, HostForm { game, title, ..HostForm::default() });
    let server = info(&ann.app).server.clone();
    let mut ben = join(server, true);
    ben.update_until(|app| app.lobby().is_some_and(|lobby| !lobby.snapshot().tables.is_empty()));
    let table = ben.app.lobby().unwrap().snapshot().tables[0].clone();
    assert_eq!((table.title.as_str(), table.seats.first.as_deref()), ("Evening", Some("Ann")));
    apply(&mut ben, NetworkCommand::Enter { table: table.id, sits: true });
    wait(&ben, |info| info.phase == TablePhase::Playing);
    ann.wait_asked(0);
    for text in ["h8", "i9", "h10"] {
        ann.apply(Command::Click(point(text)));
    }
    ann.apply(Command::Confirm);
    ben.wait_asked(3);
    let choice = tengen_rules::Answer::Choose(tengen_rules::Color::Black);
    ben.apply(Command::Answer(choice));
    ann.wait_asked(3);
    assert_eq!(ann.snapshot().seats.second.color, tengen_rules::Color::Black);
    ann.apply(ann.app.command(UserAction::OfferDraw).unwrap());
    wait(&ben, |info| info.asks(Seat::First, TableRequest::Draw));
    ben.apply(ben.app.command(UserAction::AcceptDraw).unwrap());
    let over = ann.wait(|snapshot| snapshot.result.is_some());
    assert_eq!(over.result.unwrap().termination, Termination::Agreement);
}

#[test]
fn a_seat_is_handed_to_an_engine_of_the_host_and_one_is_returned_to() {
    let folder = tempdir().unwrap();
    let engines = vec!["dice".to_owned()];
    let mut ann = host(&folder, HostForm { engines, is_public: false, ..HostForm::default() });
    let mut ben = join(info(&ann.app).links.play.clone().unwrap(), true);
    wait(&ben, |info| info.phase == TablePhase::Playing && !info.engines.is_empty());
    let engine = info(&ben.app).engines[0].clone();
    assert_eq!(engine.name, "DICE");
    tell(&mut ben, TableCommand::HandOver(Some(engine.id)));
    wait(&ben, TableInfo::is_handed_over);
    ann.wait_asked(0);
    ann.apply(Command::Click(point("h8")));
    ann.wait_asked(2);
    tell(&mut ben, TableCommand::HandOver(None));
    wait(&ben, |info| !info.is_handed_over());
    ann.apply(Command::Click(crate::test_app::clicks(&ann.app, 1)[0]));
    ben.wait_asked(3);
    // Ben leaves, and comes back by the link that was remembered.
    ben.update_until(|app| !app.settings().tables.seats.is_empty());
    ben.apply(Command::CloseActiveTab);
    ben.apply(Command::DiscardTab);
    wait(&ann, |info| !info.sitters.second.as_ref().unwrap().is_here);
    apply(&mut ben, NetworkCommand::OpenJoinForm);
    apply(&mut ben, NetworkCommand::Return(0));
    wait(&ben, |info| info.seat == Some(Seat::Second));
    ben.wait_asked(3);
    wait(&ann, |info| info.sitters.second.as_ref().unwrap().is_here);
    let now = ann.snapshot();
    let told = |what| now.happenings.lines().iter().any(|line| line.what == what);
    assert!(told(HappeningKind::Away) && told(HappeningKind::Back), "{:?}", now.happenings);
}

#[test]
fn a_window_hosts_behind_a_certificate_with_a_name_and_a_password_of_its_owner() {
    let folder = tempdir().unwrap();
    let [certificate, key] = certificate(&folder);
    let listen = ListenForm {
        certificate: certificate.clone(),
        key,
        shown: "localhost".to_owned(),
        ..ListenForm::default()
    };
    let form = HostForm {
        listen,
        password: "open sesame".to_owned(),
        is_public: false,
        swap: false,
        ..HostForm::default()
    };
    let ann = host(&folder, form);
    assert!(!info(&ann.app).settings.swap);
    let link = info(&ann.app).links.play.clone().unwrap();
    assert!(link.starts_with("https://localhost:"), "{link}");
    let go = |command, address: String, password: &str, authority: &str| {
        let mut test = TestApp::new();
        apply(&mut test, NetworkCommand::OpenJoinForm);
        let (password, authority) = (password.to_owned(), authority.to_owned());
        let name = "Ben".to_owned();
        let form = JoinForm { address, name, password, authority, ..JoinForm::default() };
        apply(&mut test, NetworkCommand::EditJoinForm(form));
        apply(&mut test, command);
        test
    };
    let stranger = go(NetworkCommand::Join, link.clone(), "", "");
    wait(&stranger, |info| {
        matches!(info.connection, ConnectionState::Broken(_) | ConnectionState::Closed(_))
    });
    // The owner needs no key of a private table.
    let without_key = link.split('&').next().unwrap().to_owned();
    let owner = go(NetworkCommand::Watch, without_key, "open sesame", &certificate);
    wait(&owner, |info| info.is_connected() && info.sitters.first.is_some());
    let ben = go(NetworkCommand::Join, link, "", &certificate);
    wait(&ben, |info| info.phase == TablePhase::Playing);
}

#[test]
fn a_server_of_other_settings_at_the_same_address_is_refused() {
    let folder = tempdir().unwrap();
    let mut ann = host(&folder, HostForm::default());
    apply(&mut ann, NetworkCommand::OpenHostForm);
    let form = ann.app.host_form().unwrap().clone();
    let other = HostForm { engines: vec!["dice".to_owned()], ..form.clone() };
    apply(&mut ann, NetworkCommand::EditHostForm(Box::new(other)));
    apply(&mut ann, NetworkCommand::Host);
    assert!(ann.app.host_problem().unwrap().contains("other settings"));
    apply(&mut ann, NetworkCommand::EditHostForm(Box::new(form)));
    apply(&mut ann, NetworkCommand::Host);
    assert!(ann.app.host_form().is_none(), "the same server has another table");
}

#[test]
fn a_server_that_is_not_there_is_said_and_tried_again() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = free.local_addr().unwrap();
    drop(free);
    let ben = join(format!("http://{address}/#table=r"), true);
    wait(&ben, |info| matches!(info.connection, ConnectionState::Broken(_)));
    assert!(ben.app.table().unwrap().info().id.is_some());
}
