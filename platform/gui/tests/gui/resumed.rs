//! Games that were saved before their end go on as they were, and say who played them.

use std::fs;
use std::path::Path;

use eframe::egui::Role;
use egui_kittest::kittest::Queryable;
use tempfile::TempDir;
use tengen_arbiter::Termination;
use tengen_gui::app::{
    ClockKind, Command, Dialog, Document, FileCommand, FilePurpose, GameArchive, GameCommand,
    GameData, GameForm, HappeningKind, Pane, Phase, PlayerSpec, SettingsStore, Snapshot,
    TableRequest, UserAction,
};
use tengen_record::{GameRecord, replay};
use tengen_rules::{Ask, Point, Procedure, Rule, Seat, Zone};

use crate::matches::SECOND;
use crate::test_app::{TestApp, against, engine, is_over, seat_name};
use crate::windows::{press, snapshot, wait, window};

fn archived(folder: &TempDir) -> TestApp {
    TestApp::with(Some(GameArchive::new(folder.path())))
}

/// Opens a file and resumes its game, which is paused then.
fn resume(test: &mut TestApp, path: &Path) {
    test.file(FileCommand::Open(path.to_owned()));
    test.update_until(|app| app.tab().is_some());
    let command = test.app.command(UserAction::Pause).expect("the game can be resumed");
    test.apply(command);
    test.wait(|snapshot| snapshot.phase == Phase::Paused);
}

/// What a game goes on from.
fn state(snapshot: &Snapshot) -> String {
    let rows: Vec<_> = snapshot.rows.iter().map(|row| (row.mv, row.seat, row.spent)).collect();
    let seats = [&snapshot.seats.first, &snapshot.seats.second]
        .map(|seated| (seated.color, seated.clock, seated.used, seated.is_person));
    let asked = snapshot.asked.map(|asked| (asked.number, asked.seat, asked.ask));
    let opening = (&snapshot.offered, snapshot.fifth_moves, &snapshot.decisions);
    format!("{rows:?} {seats:?} {asked:?} {opening:?}")
}

fn is_opening(snapshot: &Snapshot) -> bool {
    let usual = Ask::Move { zone: Zone::Anywhere };
    snapshot.asks_person().is_some_and(|asked| asked.ask != usual) || snapshot.rows.len() < 5
}

/// The record of the game, which its thread makes.
fn record(test: &TestApp) -> GameRecord {
    loop {
        if let Some(GameData::Record(record)) = test.app.game_data() {
            return *record;
        }
        std::thread::yield_now();
    }
}

/// The only file of a folder.
fn only_file(folder: &Path) -> std::path::PathBuf {
    let mut files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let file = files.next().unwrap();
    assert!(files.next().is_none());
    file
}

/// Every opening procedure, a book among them.
fn forms() -> Vec<GameForm> {
    let base = GameForm { rule: Rule::Renju, clock: ClockKind::Game, ..GameForm::default() };
    let asked = GameForm::procedures().map(|opening| GameForm { opening, ..base.clone() });
    let book = ["h8", "h9", "i10"].map(|text| text.parse::<Point>().unwrap());
    let forms: Vec<_> = asked.chain([base.clone().with_book(book.into())]).collect();
    assert_eq!(forms.len(), Procedure::ALL.len());
    forms
}

#[test]
fn a_game_saved_at_any_question_of_any_opening_is_resumed_and_played_to_its_end() {
    let folder = tempfile::tempdir().unwrap();
    for setup in forms() {
        let opening = setup.opening;
        for offering in [false, true] {
            let mut test = TestApp::new();
            test.begin(setup.clone());
            test.answer(offering);
            let mut saves = 0;
            while is_opening(&test.snapshot()) {
                test.time.advance(3 * SECOND);
                let path = folder.path().join(format!("{opening}-{offering}-{saves}.json"));
                test.name_file(FilePurpose::Save, &path);
                test.update_until(|app| app.file_dialog().is_none());
                let before = state(&test.snapshot());
                let kept = tempfile::tempdir().unwrap();
                let mut next = archived(&kept);
                resume(&mut next, &path);
                assert_eq!(state(&next.snapshot()), before, "{opening} after {saves} saves");
                next.play(GameCommand::Resume);
                next.wait(|snapshot| snapshot.asks_person().is_some());
                while next.snapshot().result.is_none() {
                    next.answer(offering);
                }
                next.wait(is_over);
                let text = fs::read_to_string(only_file(&kept.path().join("games"))).unwrap();
                let ended = GameRecord::from_json_line(text.trim_end()).unwrap();
                assert_eq!(ended.result.termination, Termination::Five, "{opening}");
                assert_eq!(replay(&ended), Ok(ended.result));
                assert_eq!(fs::read_dir(kept.path().join("open")).unwrap().count(), 0);
                saves += 1;
                test.answer(offering);
            }
            assert!(saves > 0, "{opening} has more than one question");
        }
    }
}

#[test]
fn a_game_of_the_window_goes_on_in_its_own_file_with_its_players_clocks_and_undo() {
    let folder = tempfile::tempdir().unwrap();
    let mut test = archived(&folder);
    test.wait_for_engines();
    test.begin(GameForm { clock: ClockKind::Game, undo: Some(2), ..against("dice") });
    test.click("h8");
    test.wait_asked(2);
    test.time.advance(7 * SECOND);
    test.click("a1");
    let before = test.wait_asked(4);
    test.play(GameCommand::Stop);
    test.wait(|snapshot| snapshot.phase == Phase::Stopped);
    let path = only_file(&folder.path().join("games"));
    drop(test);

    let mut test = archived(&folder);
    test.wait_for_engines();
    resume(&mut test, &path);
    let after = test.snapshot();
    assert_eq!(after.seats.first.clock, before.seats.first.clock);
    assert_eq!((after.seats.first.used, after.undo_left), (7 * SECOND, Some(2)));
    assert_eq!(seat_name(&after, Seat::Second), "DICE");
    assert_eq!(test.tabs(), 1);
    // Its file is that of a game that goes on.
    while path.exists() {
        std::thread::yield_now();
    }
    // It cannot be opened and resumed a second time while it goes on.
    fs::write(&path, record(&test).to_json_line()).unwrap();
    test.file(FileCommand::Open(path.clone()));
    test.update_until(|app| app.tabs().0.len() == 2);
    assert_eq!(test.app.command(UserAction::Pause), None);
    test.apply(Command::CloseActiveTab);
    test.play(GameCommand::Resume);
    test.wait_asked(4);
    test.play(GameCommand::TakeBack);
    test.wait_asked(2);
    test.click("o15");
    test.wait_asked(4);
    test.apply(Command::Resign);
    test.wait(is_over);
    let text = fs::read_to_string(only_file(&folder.path().join("games"))).unwrap();
    let ended = GameRecord::from_json_line(text.trim_end()).unwrap();
    assert_eq!(replay(&ended).unwrap().termination, Termination::Resignation);
    assert_eq!(ended.header.undo_left, Some(1));
    assert!(ended.header.handovers.is_empty(), "the same two played all of it");
}

#[test]
fn a_game_that_was_stopped_goes_on_where_it_is() {
    let mut test = TestApp::new();
    test.begin(GameForm { clock: ClockKind::Game, ..GameForm::default() });
    test.click("h8 h9");
    let before = state(&test.wait_asked(2));
    test.play(GameCommand::Stop);
    test.wait(|snapshot| snapshot.phase == Phase::Stopped);
    test.play(GameCommand::Resume);
    let after = test.wait_asked(2);
    assert_eq!((state(&after), after.result), (before, None));
    test.click("i9");
}

#[test]
fn an_engine_that_is_gone_leaves_its_seat_to_a_person_and_one_that_cannot_start_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut test = archived(&folder);
    test.begin(against("dice"));
    test.click("h8");
    test.wait_asked(2);
    let with = |id: &str| record(&test).to_json_line().replace("\"dice\"", &format!("\"{id}\""));
    let (unknown, broken) = (with("deleted"), with("gone"));
    test.play(GameCommand::Stop);
    test.wait(|snapshot| snapshot.phase == Phase::Stopped);
    let path = folder.path().join("other.json");
    fs::write(&path, unknown).unwrap();
    let mut next = archived(&folder);
    next.wait_for_engines();
    resume(&mut next, &path);
    assert!(next.app.notice().unwrap().starts_with("deleted is not among the engines here"));
    assert!(next.snapshot().seats.second.is_person);
    drop(next);

    // As after a crash: nobody looks for the engine before the game goes on.
    fs::write(folder.path().join("open/1.jsonl"), broken).unwrap();
    let mut next = archived(&folder);
    next.app.restore();
    next.apply(Command::SelectTab(0));
    next.wait(|snapshot| snapshot.phase == Phase::Paused);
    next.play(GameCommand::Resume);
    let refused = next.wait(|snapshot| snapshot.refusal.is_some());
    assert_eq!(refused.result, None);
    assert_eq!(refused.refusal.as_deref(), Some("gone: its file is gone"));
    next.apply(Command::SetPlayer(Seat::Second, engine("dice")));
    next.wait(|snapshot| snapshot.phase == Phase::Paused);
    next.play(GameCommand::Resume);
    next.wait_asked(2);
}

#[test]
fn persons_are_named_and_their_score_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let mut test = archived(&folder);
    test.app.use_settings_store(SettingsStore::open(folder.path().join("gui.toml"), "C"));
    test.begin(GameForm::default());
    test.click("h8");
    for (seat, name) in [(Seat::First, "Anna"), (Seat::Second, " Bob ")] {
        test.apply(Command::ShowDialog(Dialog::NamePerson { seat, name: String::new() }));
        test.apply(Command::NamePerson(seat, name.to_owned()));
        assert_eq!(test.app.dialog(), None);
    }
    assert_eq!(test.app.score(), None);
    test.click("h9 i9");
    test.apply(Command::Resign);
    test.wait(is_over);
    let game = test.app.game_data().unwrap();
    let text = game.to_sgf().unwrap();
    assert!(text.contains("PB[Anna]PW[Bob]"), "{text}");
    assert!(record(&test).header.handovers.is_empty(), "a name is no other player");
    test.update_until(|app| app.score() == Some([1.0, 0.0]));
    // The next game begins with their names and their score.
    test.begin(GameForm::default());
    let begun = test.wait_asked(0);
    assert_eq!((seat_name(&begun, Seat::First), seat_name(&begun, Seat::Second)), ("Anna", "Bob"));
    test.update_until(|app| app.score() == Some([1.0, 0.0]));
    // A game that another one plays on counts for neither.
    test.click("h8 h9");
    test.apply(Command::SetPlayer(Seat::First, engine("dice")));
    test.wait_asked(3);
    test.apply(Command::Resign);
    test.wait(is_over);
    let record = record(&test);
    assert_eq!(record.header.names(Seat::First), "Anna → dice");
    test.begin(GameForm::default());
    test.update_until(|app| app.score() == Some([1.0, 0.0]));
}

#[test]
fn a_hand_over_stands_between_the_moves_and_in_the_record() {
    let mut test = TestApp::new();
    test.begin(against("dice"));
    test.click("h8");
    test.wait_asked(2);
    test.apply(Command::SetPlayer(Seat::Second, PlayerSpec::Person));
    test.click("o15 o14");
    let now = test.wait_asked(4);
    let changes: Vec<_> =
        now.handovers.iter().map(|change| (change.after, change.seat, &*change.name)).collect();
    assert_eq!(changes, [(2, Seat::Second, "Person")]);
    let game = GameData::Record(Box::new(record(&test)));
    assert_eq!(game.names().second, "DICE → Person");
    assert_eq!(game.snapshot().unwrap().handovers, now.handovers);
    let text = game.to_sgf().unwrap();
    let hash = "00".repeat(32);
    assert!(text.contains(&format!("BY[dice:{hash}]")) && text.contains("BY[Person]"), "{text}");
    assert!(text.contains("PW[dice → Person]"), "{text}");
}

#[test]
fn the_window_offers_to_resume_and_tells_what_happened_and_the_time_used() {
    let folder = tempfile::tempdir().unwrap();
    let mut test = archived(&folder);
    test.begin(GameForm::default());
    test.click("h8");
    test.wait_asked(1);
    test.apply(Command::Act(tengen_arbiter::Action::OfferDraw));
    test.wait(|snapshot| snapshot.draw_offer.is_some() && snapshot.asks_person().is_some());
    test.time.advance(221 * SECOND);
    test.click("h9 i9");
    let happened = test.wait_asked(3);
    let told = |snapshot: &Snapshot, what: &HappeningKind| {
        snapshot.happenings.lines().iter().any(|line| line.what == *what)
    };
    assert!(told(&happened, &HappeningKind::OfferedDraw));
    assert!(told(&happened, &HappeningKind::Declined(TableRequest::Draw)));
    test.play(GameCommand::Stop);
    test.wait(|snapshot| snapshot.phase == Phase::Stopped);
    let path = only_file(&folder.path().join("games"));
    let mut next = archived(&folder);
    next.file(FileCommand::Open(path));
    next.update_until(|app| app.tab().is_some());
    assert!(matches!(next.app.tab().unwrap().document, Document::Opened(_)));
    next.apply(Command::ShowPane(Pane::Happened));
    let mut window = window(next);
    window.get_by_label("used 3:41");
    window.get_by_label("Person declined the draw");
    let mut buttons = window.get_all_by_role_and_label(Role::Button, "Resume");
    buttons.next().unwrap().click();
    drop(buttons);
    window.run_steps(3);
    wait(&mut window, |snapshot| snapshot.phase == Phase::Paused);
    assert_eq!(snapshot(&window).rows.len(), 3);
    window.get_all_by_role_and_label(Role::Button, "Resume").next().unwrap().click();
    window.run_steps(3);
    wait(&mut window, |snapshot| snapshot.asks_person().is_some());
    press(&mut window, "A1");
    wait(&mut window, |snapshot| snapshot.rows.len() == 4);
}
