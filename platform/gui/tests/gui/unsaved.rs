//! What is in no file is not left without a question, and what is asked is done with that table.

use std::fs;
use std::path::Path;

use eframe::egui::{ViewportCommand, ViewportEvent, ViewportId};
use egui_kittest::kittest::Queryable;
use tengen_gui::app::{
    AnalysisCommand, App, Brush, Command, Dialog, Document, EditorCommand, FileCommand,
    FilePurpose, GameForm,
};
use tengen_record::formats::FormatLoss;

use crate::test_app::{TestApp, analysis, point};
use crate::test_folder::TestFolder;
use crate::windows::{Shown, press, window};

const TWO: &str = "(;GM[4]SZ[15];B[hh];W[hi])(;GM[4]SZ[15];B[aa];W[bb])";
const LINES: &str = "(;GM[4]SZ[15]RU[renju];B[hh]C[one](;W[hi])(;W[ih]C[two];B[gg]))";

impl TestFolder {
    /// Opens a file that is dropped on the window.
    fn drop_file(&mut self, name: &str, text: &str) {
        let tabs = self.tabs();
        let path = self.path(name);
        fs::write(&path, text).unwrap();
        self.file(FileCommand::Open(path));
        self.update_until(|app| app.tabs().0.len() > tabs);
    }

    fn asks(&self) -> bool {
        matches!(self.app.dialog(), Some(Dialog::UnsavedTab { .. }))
    }

    /// Answers the question with "Save", and names a file.
    fn save_and_close(&mut self, path: &Path) {
        let tabs = self.tabs();
        self.file(FileCommand::SaveAndClose);
        self.accept(path);
        self.update_until(|app| app.tabs().0.len() < tabs);
    }

    fn comment(&mut self, text: &str) {
        self.apply(Command::Analysis(AnalysisCommand::Comment(text.to_owned())));
    }
}

#[test]
fn positions_and_pasted_games_are_not_closed_unasked() {
    let mut test_folder = TestFolder::new();
    test_folder.editor(EditorCommand::Open);
    test_folder.editor(EditorCommand::Brush(Brush::Black));
    test_folder.apply(Command::CloseActiveTab);
    assert!(!test_folder.asks() && test_folder.tabs() == 0, "an empty board is no work");
    test_folder.editor(EditorCommand::Open);
    test_folder.editor(EditorCommand::Click(point("h8")));
    test_folder.apply(Command::CloseActiveTab);
    assert!(test_folder.asks() && test_folder.tabs() == 1);
    let path = test_folder.path("position.sgf");
    test_folder.save_and_close(&path);
    assert!(fs::read_to_string(&path).unwrap().contains("AB[hh]"));
    for (text, name, whole) in
        [("h8i9h9", "game.sgf", "B[hh];W[ig];B[hg]"), (TWO, "games.sgf", "W[hi]")]
    {
        test_folder.paste(text);
        test_folder.apply(Command::CloseActiveTab);
        assert!(test_folder.asks(), "{text}");
        let path = test_folder.path(name);
        test_folder.save_and_close(&path);
        assert!(fs::read_to_string(&path).unwrap().contains(whole), "{name}");
        test_folder.drop_file(name, &fs::read_to_string(&path).unwrap());
        test_folder.apply(Command::CloseActiveTab);
        assert!(!test_folder.asks() && test_folder.tabs() == 0, "the file holds it");
    }
}

#[test]
fn several_games_are_saved_in_formats_that_hold_them() {
    let mut test_folder = TestFolder::new();
    test_folder.paste(TWO);
    test_folder.apply(Command::CloseActiveTab);
    test_folder.file(FileCommand::SaveAndClose);
    test_folder.accept_file("games.psq");
    let said = |app: &App| app.file_dialog().is_some_and(|dialog| dialog.problem.is_some());
    test_folder.update_until(said);
    let problem = test_folder.app.file_dialog().unwrap().problem.clone().unwrap();
    assert!(problem.contains("holds only one game"), "{problem}");
    test_folder.accept_file("games.jsonl");
    test_folder.update_until(|app| app.tabs().0.is_empty());
    assert_eq!(fs::read_to_string(test_folder.path("games.jsonl")).unwrap().lines().count(), 2);
}

#[test]
fn a_position_that_no_game_can_have_is_not_saved_and_why_is_said() {
    let mut test_folder = TestFolder::new();
    test_folder.editor(EditorCommand::Open);
    test_folder.editor(EditorCommand::Brush(Brush::White));
    test_folder.editor(EditorCommand::Click(point("h8")));
    test_folder.apply(Command::CloseActiveTab);
    test_folder.file(FileCommand::SaveAndClose);
    assert!(test_folder.app.file_dialog().is_none() && test_folder.tabs() == 1);
    let notice = test_folder.app.notice().unwrap();
    assert!(notice.contains("as many black as white stones"), "{notice}");
}

#[test]
fn a_new_game_takes_the_place_of_no_work() {
    let mut test_folder = TestFolder::new();
    for text in ["h8i9h9", LINES, TWO] {
        let tabs = test_folder.tabs();
        test_folder.paste(text);
        test_folder.begin(GameForm::default());
        assert_eq!(test_folder.tabs(), tabs + 2, "{text}");
        test_folder.apply(Command::CloseActiveTab);
    }
    test_folder.drop_file("lines.sgf", LINES);
    test_folder.begin(GameForm::default());
    assert_eq!(test_folder.tabs(), 5, "what was opened stays too");
    test_folder.begin(GameForm::default());
    assert_eq!(test_folder.tabs(), 5, "a game in which nothing was played does not");
}

#[test]
fn of_two_states_of_a_file_the_later_one_stays() {
    let mut test_folder = TestFolder::new();
    test_folder.drop_file("mine.sgf", LINES);
    let (mine, aside) = (test_folder.path("mine.sgf"), test_folder.path("mine.sgf.new"));
    fs::write(&aside, "somebody's own").unwrap();
    for round in 0..20 {
        test_folder.comment(&format!("state {round}"));
        test_folder.file(FileCommand::Save);
    }
    test_folder.update_until(|app| !analysis(app).saved.is_unsaved());
    assert!(fs::read_to_string(&mine).unwrap().contains("C[state 19]"));
    assert_eq!(fs::read_to_string(&aside).unwrap(), "somebody's own");
    assert_eq!(
        fs::read_dir(test_folder.folder.path()).unwrap().count(),
        2,
        "nothing else lies there"
    );
}

#[test]
fn a_file_that_is_named_and_taken_twice_at_once_is_saved_once() {
    let mut test_folder = TestFolder::new();
    test_folder.paste(LINES);
    test_folder.file(FileCommand::OpenDialog(FilePurpose::Save));
    test_folder.accept_file("mine.sgf");
    test_folder.file(FileCommand::Accept);
    test_folder.update_until(|app| app.file_dialog().is_none());
    test_folder.comment("more");
    test_folder.file(FileCommand::Save);
    test_folder.update_until(|app| !analysis(app).saved.is_unsaved());
    let (status_message, _) = test_folder.app.status_message().unwrap();
    assert!(status_message.starts_with("Saved"), "{status_message}");
}

#[test]
fn a_study_goes_into_no_file_that_loses_it_without_a_question() {
    for format in ["psq", "pgn"] {
        let mut test_folder = TestFolder::new();
        let path = test_folder.path(&format!("mine.{format}"));
        test_folder.paste("h8i9h9");
        test_folder.apply(Command::Analyse);
        test_folder.apply(Command::Click(point("a1")));
        test_folder.name_file(FilePurpose::Save, &path);
        test_folder.update_until(|app| app.file_dialog().is_none());
        // A line alone is whole as PSQ; as PGN, which tells no move, nothing is.
        assert_eq!(analysis(&test_folder.app).saved.is_unsaved(), format == "pgn");
        let before = fs::read_to_string(&path).unwrap();
        test_folder.look_at(2);
        test_folder.apply(Command::Click(point("b2")));
        test_folder.file(FileCommand::Save);
        let dialog = test_folder.app.file_dialog().expect("it is asked first");
        assert_eq!(dialog.name == path.display().to_string(), format == "psq");
        assert_eq!(dialog.lost.contains(&FormatLoss::Variations), format == "psq");
        assert_eq!(fs::read_to_string(&path).unwrap(), before);
    }
}

#[test]
fn a_question_is_about_the_table_that_it_was_asked_about() {
    let mut test_folder = TestFolder::new();
    test_folder.paste(LINES);
    test_folder.apply(Command::CloseActiveTab);
    assert!(test_folder.asks());
    test_folder.drop_file("game.pos", "h8i9h9\n");
    test_folder.apply(Command::DiscardTab);
    let [left] = test_folder.app.tabs().0 else { panic!("one is closed") };
    assert!(matches!(left.document, Document::Opened(_)), "the study is discarded");
    test_folder.paste(LINES);
    test_folder.file(FileCommand::OpenDialog(FilePurpose::Save));
    test_folder.drop_file("other.pos", "a1b2\n");
    assert!(test_folder.app.file_dialog().is_some(), "what arrives closes no question");
    test_folder.accept_file("mine.sgf");
    test_folder.update_until(|app| app.file_dialog().is_none());
    assert!(fs::read_to_string(test_folder.path("mine.sgf")).unwrap().contains("C[two]"));
}

#[test]
fn a_table_is_left_only_with_the_saving_that_was_asked_for() {
    let mut test_folder = TestFolder::new();
    test_folder.paste(LINES);
    test_folder.apply(Command::CloseActiveTab);
    test_folder.file(FileCommand::SaveAndClose);
    test_folder.drop_file("other.pos", "a1b2\n");
    test_folder.file(FileCommand::Cancel);
    test_folder.apply(Command::SelectTab(0));
    test_folder.file(FileCommand::Save);
    test_folder.accept_file("mine.sgf");
    test_folder.update_until(|app| app.file_dialog().is_none());
    assert_eq!((test_folder.tabs(), analysis(&test_folder.app).saved.is_unsaved()), (2, false));
}

#[test]
fn a_game_out_of_a_file_of_games_is_no_unsaved_work() {
    let mut test_folder = TestFolder::new();
    test_folder.drop_file("games.sgf", &format!("{TWO}{LINES}"));
    for index in [0, 2] {
        test_folder.apply(Command::SelectTab(0));
        test_folder.file(FileCommand::OpenListed(index));
        assert_eq!(test_folder.tabs(), 2);
        test_folder.apply(Command::CloseActiveTab);
        assert!(!test_folder.asks() && test_folder.tabs() == 1);
    }
}

#[test]
fn a_table_is_left_at_once_while_its_engine_comes_late() {
    let mut test_folder = TestFolder::new();
    test_folder.paste(LINES);
    test_folder.apply(Command::Analysis(AnalysisCommand::Engine(Some("late".to_owned()))));
    test_folder.apply(Command::CloseActiveTab);
    test_folder.apply(Command::DiscardTab);
    assert_eq!(test_folder.tabs(), 0);
    test_folder.asked.lock().unwrap().push(Vec::new());
}

/// Has the system close the window, and says what the window wants of the system then.
fn close(window: &mut Shown) -> Vec<ViewportCommand> {
    let viewport = window.input_mut().viewports.entry(ViewportId::ROOT).or_default();
    viewport.events.push(ViewportEvent::Close);
    window.step();
    let wanted = wanted(window);
    let viewport = window.input_mut().viewports.entry(ViewportId::ROOT).or_default();
    viewport.events.clear();
    window.run_steps(3);
    wanted
}

fn wanted(window: &Shown) -> Vec<ViewportCommand> {
    window.output().viewport_output[&ViewportId::ROOT].commands.clone()
}

#[test]
fn a_window_with_work_that_cannot_be_kept_is_not_closed_unasked() {
    let mut test = TestApp::new();
    test.paste(LINES);
    let mut window = window(test);
    assert!(close(&mut window).contains(&ViewportCommand::CancelClose));
    window.get_by_label_contains("Close anyway?");
    press(&mut window, "Cancel");
    assert!(window.state().app().dialog().is_none());
    assert!(close(&mut window).contains(&ViewportCommand::CancelClose));
    window.get_by_label("Close").click();
    window.run_steps(1);
    window.step();
    assert!(wanted(&window).contains(&ViewportCommand::Close));
    assert!(!close(&mut window).contains(&ViewportCommand::CancelClose));
}

#[test]
fn a_game_among_damaged_ones_does_not_own_their_file() {
    let mut test_folder = TestFolder::new();
    let text = "(;GM[4]SZ[15];B[hh]C[one])(;GM[4]SZ[15];B[zz])";
    test_folder.drop_file("some.sgf", text);
    let tab = test_folder.app.tab().unwrap();
    assert!(matches!(&tab.document, Document::Collection(games) if games.len() == 1));
    assert_eq!(fs::read_to_string(test_folder.path("some.sgf")).unwrap(), text);
}
