//! Games of persons and engines, without a window.

use std::fs;

use tengen_arbiter::{Action, IllegalPolicy, Termination};
use tengen_gui::app::{
    ClockKind, Command, Document, FileCommand, GameArchive, GameCommand, GameData, GameForm,
    JournalFile, Phase, PlayerSpec,
};
use tengen_record::{GameRecord, replay};
use tengen_rules::{Procedure, Rule, Seat};

use crate::matches::SECOND;
use crate::test_app::{TestApp, against, engine, is_over, point, seat_name};

#[test]
fn every_opening_is_answered_with_clicks_and_buttons() {
    for opening in GameForm::procedures() {
        for offering in [false, true] {
            let mut test = TestApp::new();
            test.begin(GameForm { rule: Rule::Renju, opening, ..GameForm::default() });
            for _ in 0..14 {
                test.answer(offering);
            }
            let snapshot = test.snapshot();
            assert_eq!(snapshot.decision, None, "the last answer was a stone");
            assert!(snapshot.rows.len() >= 5, "{opening}: {}", snapshot.rows.len());
            assert_eq!(snapshot.result, None, "{opening}");
            assert_eq!(snapshot.refusal, None, "{opening}");
        }
    }
}

#[test]
fn what_is_not_allowed_is_explained_and_asked_again() {
    let mut test = TestApp::new();
    test.begin(GameForm { rule: Rule::Renju, ..GameForm::default() });
    test.click("i8 a1 j8 c1 h9 e1 h10 a3");
    for (text, reason) in
        [("a1", "A1 is occupied"), ("h8", "H8 is forbidden for black: double three")]
    {
        test.wait_asked(8);
        test.apply(Command::Click(point(text)));
        let snapshot = test.wait(|snapshot| snapshot.refusal.is_some());
        assert_eq!(snapshot.refusal.as_deref(), Some(reason));
        assert_eq!((snapshot.rows.len(), snapshot.result), (8, None));
        test.play(GameCommand::ShowRefusal(None));
    }
    test.click("g7");
    assert_eq!(test.snapshot().refusal, None);
}

#[test]
fn gathered_stones_can_be_taken_away_and_must_make_an_opening() {
    let mut test = TestApp::new();
    test.begin(GameForm { rule: Rule::Renju, opening: Procedure::Rif, ..GameForm::default() });
    test.wait_asked(0);
    let selected = |test: &TestApp| test.app.tab().unwrap().view.points(&test.snapshot()).len();
    for (click, count) in [("h8", 1), ("g7", 2), ("g7", 1), ("a1", 1), ("j10", 2), ("f6", 3)] {
        test.apply(Command::Click(point(click)));
        assert_eq!(selected(&test), count, "{click}");
    }
    test.apply(Command::Confirm);
    let refused = test.wait(|snapshot| snapshot.refusal.is_some());
    assert!(refused.refusal.as_ref().unwrap().contains("26 openings"));
    assert_eq!(refused.rows.len(), 0);
}

#[test]
fn a_move_is_taken_back_with_the_engine_s_and_the_engine_hears_of_it() {
    let mut test = TestApp::new();
    test.begin(GameForm { clock: ClockKind::Game, ..against("dice") });
    test.click("h8");
    let first = test.wait_asked(2);
    test.time.advance(7 * SECOND);
    test.click("i9");
    test.wait_asked(4);
    test.apply(Command::Game(GameCommand::TakeBack));
    let back = test.wait_asked(2);
    assert_eq!(back.rows, first.rows);
    assert_eq!(back.seats.first.clock, first.seats.first.clock, "the time came back");
    test.click("a1");
    test.wait_asked(4);
    let asked = test.asked.lock().unwrap().last().unwrap().clone();
    let moves: Vec<_> = test.snapshot().rows.iter().take(3).map(|row| row.mv).collect();
    assert_eq!(asked, moves);
}

#[test]
fn an_engine_s_invalid_move_is_answered_as_the_player_wishes() {
    let begun = |illegal: IllegalPolicy| {
        let mut test = TestApp::new();
        test.begin(GameForm { illegal, ..against("cheat") });
        test.click("h8");
        test
    };
    let test = begun(IllegalPolicy::Forfeit);
    assert_eq!(test.wait(is_over).result.unwrap().termination, Termination::IllegalAnswer);
    for (illegal, is_substitute) in
        [(IllegalPolicy::Retries(1), false), (IllegalPolicy::Substitute, true)]
    {
        let mut test = begun(illegal);
        let asked = test.wait_asked(2);
        assert_eq!(
            (asked.rows[1].seat, asked.rows[1].is_substitute),
            (Some(Seat::Second), is_substitute)
        );
        test.click("a1");
        test.wait_asked(4);
        // Another player on the seat, and a move taken back, leave it the game that it was.
        test.apply(Command::SetPlayer(Seat::Second, PlayerSpec::Person));
        test.play(GameCommand::TakeBack);
        test.apply(Command::Resign);
        test.wait(is_over);
        let Document::Game(session) = &test.app.tab().unwrap().document else { panic!() };
        let record = session.record().unwrap();
        assert!(record.actions.iter().any(|action| !action.legal));
        assert_eq!(replay(&record).unwrap().termination, Termination::Resignation);
    }
}

#[test]
fn moves_are_taken_back_as_often_as_was_settled() {
    let mut test = TestApp::new();
    test.begin(GameForm { undo: Some(1), ..GameForm::default() });
    test.click("h8 h9");
    test.wait_asked(2);
    test.play(GameCommand::TakeBack);
    let back = test.wait_asked(1);
    assert_eq!(back.undo_left, Some(0));
    assert!(!GameCommand::TakeBack.fits(&back) && !GameCommand::TakeBackTo(0).fits(&back));
    let mut test = TestApp::new();
    test.begin(GameForm { undo: Some(0), ..GameForm::default() });
    test.click("h8");
    assert!(!GameCommand::TakeBack.fits(&test.wait_asked(1)));
}

#[test]
fn a_game_that_is_over_can_be_gone_on_with() {
    let mut test = TestApp::new();
    test.begin(GameForm::default());
    test.click("h8 h9 i8 i9 j8 j9 k8 k9 l8");
    assert_eq!(test.wait(is_over).result.unwrap().winner, Some(Seat::First));
    test.apply(Command::Game(GameCommand::TakeBack));
    let back = test.wait_asked(8);
    assert_eq!((back.phase, back.result), (Phase::Playing, None));
    test.click("a1 l9");
    assert_eq!(test.wait(is_over).result.unwrap().winner, Some(Seat::Second));
}

#[test]
fn a_pause_while_an_engine_thinks_comes_after_its_answer() {
    let mut test = TestApp::new();
    test.begin(against("slow"));
    test.click("h8");
    test.wait(|snapshot| snapshot.asked.is_some_and(|asked| asked.since.is_some()));
    test.play(GameCommand::Pause);
    assert_eq!(test.snapshot().phase, Phase::Pausing);
    while test.asked.lock().unwrap().is_empty() {
        std::thread::yield_now();
    }
    test.asked.lock().unwrap().clear();
    let paused = test.wait(|snapshot| snapshot.phase == Phase::Paused);
    assert_eq!(paused.rows.len(), 2);
    test.play(GameCommand::Resume);
    test.wait_asked(2);
    test.click("a1");
}

#[test]
fn one_can_resign_while_the_engine_thinks() {
    let mut test = TestApp::new();
    test.begin(against("stuck"));
    test.click("h8");
    test.wait(|snapshot| snapshot.asked.is_some_and(|asked| asked.since.is_some()));
    test.apply(Command::Resign);
    let result = test.wait(is_over).result.unwrap();
    assert_eq!(result.termination, Termination::Resignation);
    assert_eq!(result.winner, Some(Seat::Second));
}

#[test]
fn a_seat_goes_to_an_engine_and_back_in_the_middle() {
    let mut test = TestApp::new();
    test.begin(GameForm::default());
    test.click("h8");
    test.wait_asked(1);
    test.apply(Command::SetPlayer(Seat::Second, engine("dice")));
    let snapshot = test.wait_asked(2);
    assert_eq!(seat_name(&snapshot, Seat::Second), "DICE");
    test.apply(Command::SetPlayer(Seat::Second, engine("stuck")));
    test.click("a1");
    test.wait(|snapshot| snapshot.rows.len() == 3 && !snapshot.seats.second.is_person);
    test.apply(Command::SetPlayer(Seat::Second, PlayerSpec::Person));
    let snapshot = test
        .wait(|snapshot| snapshot.asks_person().is_some_and(|asked| asked.seat == Seat::Second));
    assert_eq!((snapshot.rows.len(), snapshot.result), (3, None));
    test.click("c3");
    assert_eq!(test.wait_asked(4).rows[3].seat, Some(Seat::Second));
}

#[test]
fn an_engine_that_dies_loses_says_why_and_the_game_can_go_on() {
    let mut test = TestApp::new();
    test.begin(against("crash"));
    test.click("h8");
    let snapshot = test.wait(is_over);
    assert_eq!(snapshot.result.unwrap().termination, Termination::Crash);
    assert_eq!(snapshot.detail.as_deref(), Some("it fell over"));
    test.play(GameCommand::TakeBack);
    test.wait_asked(0);
    test.apply(Command::SetPlayer(Seat::Second, engine("dice")));
    test.click("h8");
    assert_eq!(test.wait_asked(2).detail, None);
}

#[test]
fn only_what_a_person_answered_is_taken_back() {
    let mut test = TestApp::new();
    let setup = GameForm { opening: Procedure::Swap2, ..against("dice") };
    let seats = setup.seats.clone();
    let swapped = tengen_rules::BySeat { first: seats.second, second: seats.first };
    test.begin(GameForm { seats: swapped, ..setup });
    test.wait_asked(3);
    assert!(!GameCommand::TakeBack.fits(&test.snapshot()));
    test.answer(false);
    assert!(GameCommand::TakeBack.fits(&test.snapshot()));
    test.play(GameCommand::TakeBack);
    test.wait_asked(3);
    assert!(!GameCommand::TakeBack.fits(&test.snapshot()));
}

#[test]
fn a_game_is_kept_as_it_goes_and_opened_again() {
    let dir = tempfile::tempdir().unwrap();
    let mut test = TestApp::with(Some(GameArchive::new(dir.path())));
    test.begin(GameForm { clock: ClockKind::Game, ..against("dice") });
    test.click("h8");
    test.wait_asked(2);
    test.time.advance(4 * SECOND);
    test.click("a1");
    let before = test.wait_asked(4);
    // Nothing is told to save: the program might have been killed here.
    let open = fs::read_dir(dir.path().join("open")).unwrap().count();
    assert_eq!(open, 1);
    drop(test);
    let mut test = TestApp::with(Some(GameArchive::new(dir.path())));
    test.app.restore();
    let after = test.snapshot();
    assert_eq!(after.phase, Phase::Paused);
    assert_eq!(after.rows.len(), 4);
    let moves = |snapshot: &tengen_gui::app::Snapshot| -> Vec<_> {
        snapshot.rows.iter().map(|row| (row.mv, row.seat, row.spent)).collect()
    };
    assert_eq!(moves(&after), moves(&before));
    assert_eq!(after.seats.first.clock, before.seats.first.clock);
    test.play(GameCommand::Resume);
    test.wait_asked(4);
    // Another one on the seat, a draw offered, a move taken back: it is one game still.
    test.apply(Command::Act(Action::OfferDraw));
    test.wait(|snapshot| snapshot.draw_offer.is_some() && snapshot.asks_person().is_some());
    test.apply(Command::SetPlayer(Seat::Second, PlayerSpec::Person));
    test.click("o15 o14");
    test.play(GameCommand::TakeBack);
    test.wait_asked(5);
    test.apply(Command::Resign);
    test.wait(is_over);
    drop(test);
    assert_eq!(fs::read_dir(dir.path().join("open")).unwrap().count(), 0);
    let mut games = fs::read_dir(dir.path().join("games")).unwrap();
    let text = fs::read_to_string(games.next().unwrap().unwrap().path()).unwrap();
    assert!(games.next().is_none());
    let record = GameRecord::from_json_line(text.trim_end()).unwrap();
    assert_eq!(replay(&record).unwrap().termination, Termination::Resignation);
    let by = |index| record.header.player_of(index, Seat::Second).label();
    assert_eq!((by(1), by(3), by(6)), ("dice", "dice", "Person"));
    assert_eq!(record.header.seats.second.hash.as_deref(), Some(&*"00".repeat(32)));
    // What an engine said stays with its answers, those of before included.
    let said: Vec<_> = record.actions.iter().map(|action| action.said.join("; ")).collect();
    assert_eq!(said[..4], ["", "MESSAGE dice", "", "MESSAGE dice"]);
}

#[test]
fn a_damaged_game_is_said_and_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("open").join("1.jsonl");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, "{\"format\":1,").unwrap();
    let mut test = TestApp::with(Some(GameArchive::new(dir.path())));
    test.app.restore();
    assert!(test.app.notice().unwrap().contains("1.jsonl"));
    assert!(test.app.tab().is_none());
    assert!(path.exists());
}

#[test]
fn a_folder_that_cannot_be_written_is_said_and_the_game_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("file");
    fs::write(&file, "").unwrap();
    let mut test = TestApp::with(Some(GameArchive::new(&file)));
    test.begin(GameForm::default());
    test.click("h8 h9");
    let snapshot = test.wait_asked(2);
    let told = {
        let error = snapshot.save_error.as_ref().unwrap();
        test.app.tr().journal_error(JournalFile::Game, error)
    };
    assert!(told.starts_with("Autosave failed"), "{told}");
    assert_eq!(snapshot.detail, None, "it says nothing of the game itself");
    // As soon as it can be kept, it is, and nothing more is said.
    fs::remove_file(&file).unwrap();
    test.click("i9 i10");
    test.wait(|snapshot| snapshot.rows.len() == 4 && snapshot.save_error.is_none());
}

#[test]
fn a_record_names_the_engine_that_played() {
    let mut test = TestApp::new();
    test.begin(against("dice"));
    test.click("h8");
    test.wait_asked(2);
    let Some(GameData::Record(record)) = test.app.game_data() else { panic!("it is known whole") };
    let seats = &record.header.seats;
    assert_eq!((&*seats.first.id, &*seats.first.name), ("person", "Person"));
    assert_eq!((&*seats.second.id, &*seats.second.name), ("dice", "DICE"));
    assert_eq!(seats.second.hash.as_deref(), Some(&*"00".repeat(32)));
}

#[test]
fn an_engine_that_cannot_be_hired_says_why() {
    let mut test = TestApp::with_engines();
    let setup = GameForm { main: 77, ..against("gone") };
    test.begin(setup.clone());
    // No game begins, and none is lost: the dialog is there again and says why.
    test.update_until(|app| app.form().is_some());
    assert_eq!(test.app.form_problem(), Some("GONE cannot play: its file is gone"));
    assert_eq!(test.app.form(), Some(&setup));
    assert!(test.app.tab().is_none());
    test.apply(Command::EditGameForm(against("dice")));
    assert_eq!(test.app.form_problem(), None);
    test.apply(Command::StartGame);
    test.wait_asked(0);
}

#[test]
fn a_new_game_proposes_no_engine_that_is_gone() {
    let mut test = TestApp::with_engines();
    test.apply(Command::OpenGameForm);
    test.apply(Command::EditGameForm(against("deleted")));
    test.apply(Command::CloseGameForm);
    test.apply(Command::OpenGameForm);
    assert_eq!(test.app.form(), Some(&against("dice")));
}

#[test]
fn a_position_is_forgotten_with_the_game_it_was_set_up_for() {
    let mut test = TestApp::new();
    test.begin(GameForm { rule: Rule::Renju, ..GameForm::default() });
    test.click("h8 h9 i8");
    let here = || Command::File(FileCommand::PlayHere);
    test.apply(here());
    let book = |test: &TestApp| test.app.form().unwrap().book.len();
    assert_eq!(book(&test), 3);
    test.apply(Command::CloseGameForm);
    test.apply(Command::OpenGameForm);
    assert_eq!((book(&test), test.app.form().unwrap().opening), (0, Procedure::None));
    test.apply(Command::CloseGameForm);
    test.apply(here());
    test.apply(Command::StartGame);
    test.wait_asked(3);
    test.apply(Command::OpenGameForm);
    let form = test.app.form().unwrap();
    assert_eq!((form.book.len(), form.opening, form.rule), (0, Procedure::None, Rule::Renju));
}
