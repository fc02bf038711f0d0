//! What is in no file is not left without a question, and what is asked is done with that table.

use std::fs;
use std::path::Path;

use eframe::egui::{ViewportCommand, ViewportEvent, ViewportId};
use egui_kittest::kittest::Queryable;
use tengen_gui::app::{
    Brush, Command, Dialog, Document, DraftCommand, FileCommand, House, Look, Purpose, Setup,
    Study, StudyCommand,
};
use tengen_record::formats::FormatLoss;

use crate::desk::Desk;
use crate::room::{Room, point};
use crate::windows::{Shown, press, window};

const TWO: &str = "(;GM[4]SZ[15];B[hh];W[hi])(;GM[4]SZ[15];B[aa];W[bb])";
const LINES: &str = "(;GM[4]SZ[15]RU[renju];B[hh]C[one](;W[hi])(;W[ih]C[two];B[gg]))";

impl Desk {
    fn paste(&mut self, text: &str) {
        self.file(FileCommand::Paste(text.to_owned()));
    }

    /// Opens a file that is dropped on the window.
    fn drop_file(&mut self, name: &str, text: &str) {
        let tables = self.tables();
        fs::write(self.path(name), text).unwrap();
        self.file(FileCommand::Open(self.path(name)));
        self.room.settle_until(|house| house.tables().0.len() > tables);
    }

    fn tables(&self) -> usize {
        self.room.house.tables().0.len()
    }

    fn asks(&self) -> bool {
        matches!(self.room.house.dialog(), Some(Dialog::Unsaved { .. }))
    }

    /// Answers the question with "Save", and names a file.
    fn save_and_close(&mut self, path: &Path) {
        let tables = self.tables();
        self.file(FileCommand::SaveAndClose);
        self.file(FileCommand::Name(path.display().to_string()));
        self.file(FileCommand::Do);
        self.room.settle_until(|house| house.tables().0.len() < tables);
    }

    fn comment(&mut self, text: &str) {
        self.room.house.apply(Command::Study(StudyCommand::Comment(text.to_owned())));
    }
}

fn study(house: &House) -> &Study {
    house.table().unwrap().document.study().unwrap()
}

#[test]
fn positions_and_pasted_games_are_not_closed_unasked() {
    let mut desk = Desk::new();
    desk.room.house.apply(Command::Draft(DraftCommand::Open));
    desk.room.house.apply(Command::Draft(DraftCommand::Brush(Brush::Black)));
    desk.room.house.apply(Command::Close);
    assert!(!desk.asks() && desk.tables() == 0, "an empty board is no work");
    desk.room.house.apply(Command::Draft(DraftCommand::Open));
    desk.room.house.apply(Command::Draft(DraftCommand::Click(point("h8"))));
    desk.room.house.apply(Command::Close);
    assert!(desk.asks() && desk.tables() == 1);
    let path = desk.path("position.sgf");
    desk.save_and_close(&path);
    assert!(fs::read_to_string(&path).unwrap().contains("AB[hh]"));
    for (text, name, whole) in
        [("h8i9h9", "game.sgf", "B[hh];W[ig];B[hg]"), (TWO, "games.sgf", "W[hi]")]
    {
        desk.paste(text);
        desk.room.house.apply(Command::Close);
        assert!(desk.asks(), "{text}");
        let path = desk.path(name);
        desk.save_and_close(&path);
        assert!(fs::read_to_string(&path).unwrap().contains(whole), "{name}");
        desk.drop_file(name, &fs::read_to_string(&path).unwrap());
        desk.room.house.apply(Command::Close);
        assert!(!desk.asks() && desk.tables() == 0, "the file holds it");
    }
}

#[test]
fn several_games_are_saved_in_formats_that_hold_them() {
    let mut desk = Desk::new();
    desk.paste(TWO);
    desk.room.house.apply(Command::Close);
    desk.file(FileCommand::SaveAndClose);
    desk.file(FileCommand::Name(desk.path("games.psq").display().to_string()));
    desk.file(FileCommand::Do);
    let said = |house: &House| house.file_dialog().is_some_and(|dialog| dialog.problem.is_some());
    desk.room.settle_until(said);
    let problem = desk.room.house.file_dialog().unwrap().problem.clone().unwrap();
    assert!(problem.contains("holds one game only"), "{problem}");
    desk.file(FileCommand::Name(desk.path("games.jsonl").display().to_string()));
    desk.file(FileCommand::Do);
    desk.room.settle_until(|house| house.tables().0.is_empty());
    assert_eq!(fs::read_to_string(desk.path("games.jsonl")).unwrap().lines().count(), 2);
}

#[test]
fn a_position_that_no_game_can_have_is_not_saved_and_why_is_said() {
    let mut desk = Desk::new();
    desk.room.house.apply(Command::Draft(DraftCommand::Open));
    desk.room.house.apply(Command::Draft(DraftCommand::Brush(Brush::White)));
    desk.room.house.apply(Command::Draft(DraftCommand::Click(point("h8"))));
    desk.room.house.apply(Command::Close);
    desk.file(FileCommand::SaveAndClose);
    assert!(desk.room.house.file_dialog().is_none() && desk.tables() == 1);
    let notice = desk.room.house.notice().unwrap();
    assert!(notice.contains("as many black stones as white ones"), "{notice}");
}

#[test]
fn a_new_game_takes_the_place_of_no_work() {
    let mut desk = Desk::new();
    for text in ["h8i9h9", LINES, TWO] {
        let tables = desk.tables();
        desk.paste(text);
        desk.room.begin(Setup::default());
        assert_eq!(desk.tables(), tables + 2, "{text}");
        desk.room.house.apply(Command::Close);
    }
    desk.drop_file("lines.sgf", LINES);
    desk.room.begin(Setup::default());
    assert_eq!(desk.tables(), 5, "what was opened stays too");
    desk.room.begin(Setup::default());
    assert_eq!(desk.tables(), 5, "a game in which nothing was played does not");
}

#[test]
fn of_two_states_of_a_file_the_later_one_stays() {
    let mut desk = Desk::new();
    desk.drop_file("mine.sgf", LINES);
    let (mine, aside) = (desk.path("mine.sgf"), desk.path("mine.sgf.new"));
    fs::write(&aside, "somebody's own").unwrap();
    for round in 0..20 {
        desk.comment(&format!("state {round}"));
        desk.file(FileCommand::Save);
    }
    desk.room.settle_until(|house| !study(house).is_unsaved());
    assert!(fs::read_to_string(&mine).unwrap().contains("C[state 19]"));
    assert_eq!(fs::read_to_string(&aside).unwrap(), "somebody's own");
    assert_eq!(fs::read_dir(desk.folder.path()).unwrap().count(), 2, "nothing else lies there");
}

#[test]
fn a_file_that_is_named_and_taken_twice_at_once_is_saved_once() {
    let mut desk = Desk::new();
    desk.paste(LINES);
    desk.file(FileCommand::Ask(Purpose::Save));
    desk.file(FileCommand::Name(desk.path("mine.sgf").display().to_string()));
    desk.file(FileCommand::Do);
    desk.file(FileCommand::Do);
    desk.room.settle_until(|house| house.file_dialog().is_none());
    desk.comment("more");
    desk.file(FileCommand::Save);
    desk.room.settle_until(|house| !study(house).is_unsaved());
    let (news, _) = desk.room.house.news().unwrap();
    assert!(news.starts_with("Saved"), "{news}");
}

#[test]
fn a_study_goes_into_no_file_that_loses_it_without_a_question() {
    for format in ["psq", "pgn"] {
        let mut desk = Desk::new();
        let path = desk.path(&format!("mine.{format}"));
        desk.paste("h8i9h9");
        desk.room.house.apply(Command::Analyse);
        desk.room.house.apply(Command::Click(point("a1")));
        desk.file(FileCommand::Ask(Purpose::Save));
        desk.file(FileCommand::Name(path.display().to_string()));
        desk.file(FileCommand::Do);
        desk.room.settle_until(|house| house.file_dialog().is_none());
        // A line alone is whole as PSQ; as PGN, which tells no move, nothing is.
        assert_eq!(study(&desk.room.house).is_unsaved(), format == "pgn");
        let before = fs::read_to_string(&path).unwrap();
        desk.room.house.apply(Command::Look(Look::After(2)));
        desk.room.house.apply(Command::Click(point("b2")));
        desk.file(FileCommand::Save);
        let dialog = desk.room.house.file_dialog().expect("it is asked first");
        assert_eq!(dialog.name == path.display().to_string(), format == "psq");
        assert_eq!(dialog.lost.contains(&FormatLoss::Variations), format == "psq");
        assert_eq!(fs::read_to_string(&path).unwrap(), before);
    }
}

#[test]
fn a_question_is_about_the_table_that_it_was_asked_about() {
    let mut desk = Desk::new();
    desk.paste(LINES);
    desk.room.house.apply(Command::Close);
    assert!(desk.asks());
    desk.drop_file("game.pos", "h8i9h9\n");
    desk.room.house.apply(Command::Discard);
    let [left] = desk.room.house.tables().0 else { panic!("one is closed") };
    assert!(matches!(left.document, Document::Opened(_)), "the study is discarded");
    desk.paste(LINES);
    desk.file(FileCommand::Ask(Purpose::Save));
    desk.drop_file("other.pos", "a1b2\n");
    assert!(desk.room.house.file_dialog().is_some(), "what arrives closes no question");
    desk.file(FileCommand::Name(desk.path("mine.sgf").display().to_string()));
    desk.file(FileCommand::Do);
    desk.room.settle_until(|house| house.file_dialog().is_none());
    assert!(fs::read_to_string(desk.path("mine.sgf")).unwrap().contains("C[two]"));
}

#[test]
fn a_table_is_left_only_with_the_saving_that_was_asked_for() {
    let mut desk = Desk::new();
    desk.paste(LINES);
    desk.room.house.apply(Command::Close);
    desk.file(FileCommand::SaveAndClose);
    desk.drop_file("other.pos", "a1b2\n");
    desk.file(FileCommand::Cancel);
    desk.room.house.apply(Command::Front(0));
    desk.file(FileCommand::Save);
    desk.file(FileCommand::Name(desk.path("mine.sgf").display().to_string()));
    desk.file(FileCommand::Do);
    desk.room.settle_until(|house| house.file_dialog().is_none());
    assert_eq!((desk.tables(), study(&desk.room.house).is_unsaved()), (2, false));
}

#[test]
fn a_game_out_of_a_file_of_games_is_no_unsaved_work() {
    let mut desk = Desk::new();
    desk.drop_file("games.sgf", &format!("{TWO}{LINES}"));
    for index in [0, 2] {
        desk.room.house.apply(Command::Front(0));
        desk.file(FileCommand::Choose(index));
        assert_eq!(desk.tables(), 2);
        desk.room.house.apply(Command::Close);
        assert!(!desk.asks() && desk.tables() == 1);
    }
}

#[test]
fn a_table_is_left_at_once_while_its_engine_comes_late() {
    let mut desk = Desk::new();
    desk.paste(LINES);
    desk.room.house.apply(Command::Study(StudyCommand::Engine(Some("late".to_owned()))));
    desk.room.house.apply(Command::Close);
    desk.room.house.apply(Command::Discard);
    assert_eq!(desk.tables(), 0);
    desk.room.heard.lock().unwrap().push(Vec::new());
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
    let mut room = Room::new();
    room.house.apply(Command::File(FileCommand::Paste(LINES.to_owned())));
    let mut window = window(room);
    window.run_steps(3);
    assert!(close(&mut window).contains(&ViewportCommand::CancelClose));
    window.get_by_label_contains("and cannot be kept. Close anyway?");
    press(&mut window, "Cancel");
    assert!(window.state().house().dialog().is_none());
    assert!(close(&mut window).contains(&ViewportCommand::CancelClose));
    window.get_by_label("Close").click();
    window.run_steps(1);
    window.step();
    assert!(wanted(&window).contains(&ViewportCommand::Close));
    assert!(!close(&mut window).contains(&ViewportCommand::CancelClose));
}

#[test]
fn a_game_among_damaged_ones_does_not_own_their_file() {
    let mut desk = Desk::new();
    let text = "(;GM[4]SZ[15];B[hh]C[one])(;GM[4]SZ[15];B[zz])";
    desk.drop_file("some.sgf", text);
    let table = desk.room.house.table().unwrap();
    assert!(matches!(&table.document, Document::Collection(games) if games.len() == 1));
    assert_eq!(fs::read_to_string(desk.path("some.sgf")).unwrap(), text);
}
