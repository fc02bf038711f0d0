//! Games and positions that come and go: files, the clipboard, drag and drop, pictures.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use eframe::egui::{self, Event, Key, Modifiers, OutputCommand, Role};
use egui_kittest::kittest::Queryable;
use tengen_gui::app::{Document, EditorCommand, FileCommand, FilePurpose, GameArchive};
use tengen_record::formats::charset;

use crate::test_app::{TestApp, against, is_over};
use crate::windows::{
    Shown, key, press, save_as, set_file_name, strike, update_until, wait, window,
};

/// The same three stones in every format.
fn texts() -> Vec<(&'static str, String)> {
    let mut test = TestApp::new();
    test.paste("h8i9h9");
    let text = |format: &str| {
        test.file(FileCommand::OpenDialog(FilePurpose::Save));
        test.file(FileCommand::SetName(format!("game.{format}")));
        test.file(FileCommand::Copy);
        test.app.take_copied().unwrap()
    };
    let formats = ["sgf", "psq", "pos", "offset", "jsonl", "json", "txt"];
    let texts = formats.map(text);
    formats.into_iter().zip(texts).collect()
}

fn empty() -> Shown {
    window(TestApp::new())
}

fn pasted(text: &str) -> Shown {
    let mut window = empty();
    window.event(Event::Paste(text.to_owned()));
    window.run_steps(4);
    window
}

#[test]
fn a_file_that_tells_the_winner_alone_has_no_reason_invented() {
    for moves in [";B[hh]", ";B[hh](;W[ii])(;W[gg])"] {
        let window = pasted(&format!("(;GM[4]SZ[15]PB[Ann]PW[Ben]RE[B+]{moves})"));
        window.get_by_label_contains("Ann (black) won");
        assert!(window.query_by_label_contains("resigned").is_none(), "{moves}");
    }
}

fn shows_the_stones(window: &Shown) {
    for label in ["H8 black 1", "I9 white 2", "H9 black 3"] {
        window.get_by_role_and_label(Role::Image, label);
    }
}

fn copied(window: &Shown) -> Option<String> {
    window.output().platform_output.commands.iter().find_map(|command| match command {
        OutputCommand::CopyText(text) => Some(text.clone()),
        _ => None,
    })
}

/// Draws frames until something is copied.
fn wait_copied(window: &mut Shown) -> String {
    for _ in 0..20 {
        if let Some(text) = copied(window) {
            return text;
        }
        window.step();
    }
    panic!("nothing was copied");
}

#[derive(Debug)]
struct Dropped(PathBuf);

impl egui::DroppedFile for Dropped {
    fn path(&self) -> &Path {
        &self.0
    }

    fn bytes(&self) -> Result<Vec<u8>, String> {
        fs::read(&self.0).map_err(|error| error.to_string())
    }
}

pub fn drop_file(window: &mut Shown, path: &Path) {
    window.input_mut().dropped_files.push(Arc::new(Dropped(path.to_owned())));
    window.step();
    window.input_mut().dropped_files.clear();
}

#[test]
fn what_is_pasted_lies_on_the_board_in_whatever_format() {
    for (format, text) in texts() {
        let window = pasted(&text);
        assert_eq!(window.state().app().tabs().0.len(), 1, "{format}");
        shows_the_stones(&window);
        for action in ["Analyse", "Play from here"] {
            window.get_by_role_and_label(Role::Button, action);
        }
    }
}

#[test]
fn positions_and_games_are_copied_by_keys_and_from_the_menu() {
    let mut window = pasted("h8i9h9");
    key(&mut window, Key::ArrowLeft);
    window.event(Event::Copy);
    window.step();
    assert_eq!(wait_copied(&mut window), "h8i9");
    press(&mut window, "File");
    window.get_by_label_contains("Copy game").click();
    window.step();
    assert!(wait_copied(&mut window).starts_with("(;FF[4]GM[4]"));
    // Any format is copied by its name, in the dialog that saves.
    for (format, text) in texts() {
        strike(&mut window, Modifiers::COMMAND | Modifiers::SHIFT, Key::S);
        set_file_name(&mut window, Path::new(&format!("any.{format}")));
        window.get_by_role_and_label(Role::Button, "Copy").click();
        window.step();
        assert_eq!(wait_copied(&mut window), text, "{format}");
        window.run_steps(3);
    }
}

#[test]
fn files_of_every_format_are_saved_opened_and_dropped() {
    let folder = tempfile::tempdir().unwrap();
    for (format, text) in texts() {
        let path = folder.path().join(format!("game.{format}"));
        let mut window = pasted("h8i9h9");
        strike(&mut window, Modifiers::COMMAND, Key::S);
        save_as(&mut window, &path);
        let bytes = fs::read(&path).unwrap();
        let written = charset::decode(&bytes).text;
        assert_eq!(written, text, "{format}");
        let mut window = empty();
        press(&mut window, "Open…");
        set_file_name(&mut window, &path);
        press(&mut window, "Open");
        update_until(&mut window, |app| app.tab().is_some());
        shows_the_stones(&window);
        let mut window = empty();
        drop_file(&mut window, &path);
        update_until(&mut window, |app| app.tab().is_some());
        shows_the_stones(&window);
    }
}

#[test]
fn a_file_of_another_kind_that_is_dropped_is_told_in_words() {
    let folder = tempfile::tempdir().unwrap();
    let (note, game) = (folder.path().join("note.txt"), folder.path().join("game.txt"));
    fs::write(&note, "buy milk").unwrap();
    fs::write(&game, "h8i9h9").unwrap();
    let mut window = empty();
    drop_file(&mut window, &note);
    update_until(&mut window, |app| app.notice().is_some());
    window.get_by_label_contains("not a game or an event");
    drop_file(&mut window, &game);
    update_until(&mut window, |app| app.tab().is_some());
    shows_the_stones(&window);
}

#[test]
fn an_engine_that_dies_ends_its_game_and_the_game_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let mut test = TestApp::with(Some(GameArchive::new(folder.path())));
    test.begin(against("crash"));
    test.wait(|snapshot| snapshot.asks_person().is_some());
    let mut window = window(test);
    press(&mut window, "H8");
    wait(&mut window, is_over);
    window.get_by_label_contains("crashed");
    window.get_by_label("it fell over");
    window.get_by_role_and_label(Role::Image, "H8 black 1");
    let kept = || fs::read_dir(folder.path().join("games")).ok()?.flatten().next();
    while kept().is_none_or(|kept| kept.path().extension().is_none_or(|end| end != "jsonl")) {
        std::thread::yield_now();
    }
    drop_file(&mut window, &kept().unwrap().path());
    update_until(&mut window, |app| app.tabs().0.len() == 2);
    window.get_by_role_and_label(Role::Image, "H8 black 1");
    // The next game begins as if nothing had been.
    strike(&mut window, Modifiers::COMMAND, Key::N);
    press(&mut window, "Begin");
    wait(&mut window, |snapshot| snapshot.asks_person().is_some());
    window.get_by_label("Your move, black");
}

#[test]
fn a_position_set_up_by_hand_is_saved_and_painted() {
    let folder = tempfile::tempdir().unwrap();
    let (game, picture) = (folder.path().join("position.sgf"), folder.path().join("board.png"));
    let mut test = TestApp::new();
    test.editor(EditorCommand::Open);
    test.editor(EditorCommand::Size("6".parse().unwrap()));
    let mut window = window(test);
    for label in ["C3", "D4", "C4"] {
        press(&mut window, label);
    }
    key(&mut window, Key::Escape);
    strike(&mut window, Modifiers::COMMAND, Key::S);
    save_as(&mut window, &game);
    let text = fs::read_to_string(&game).unwrap();
    assert!(text.contains("AB[cd][cc]") || text.contains("AB[cc][cd]"), "{text}");
    press(&mut window, "File");
    window.get_by_label_contains("Save picture…").click();
    window.run_steps(3);
    save_as(&mut window, &picture);
    let decoder = png::Decoder::new(std::io::BufReader::new(fs::File::open(&picture).unwrap()));
    let info = decoder.read_info().unwrap().info().clone();
    assert!(info.width >= 400 && info.height == info.width, "{info:?}");
    drop_file(&mut window, &game);
    update_until(&mut window, |app| app.tabs().0.len() == 2);
    let app = window.state().app();
    assert!(matches!(app.tab().unwrap().document, Document::Opened(_)));
    assert_eq!(app.snapshot().unwrap().rows.len(), 3);
}
