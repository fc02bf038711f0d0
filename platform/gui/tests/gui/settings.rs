//! What a person arranges, from the dialogs to the file and back.

use std::path::Path;

use eframe::egui::{Event, Key, Modifiers, Role, vec2};
use egui_kittest::kittest::Queryable;
use tengen_arbiter::IllegalPolicy;
use tengen_gui::app::{
    BoardStyle, Command, CoordinateLabels, GameForm, Language, MoveNumbers, SettingsStore,
    UserAction, UserFile,
};
use tengen_rules::{Procedure, Rule};

use crate::test_app::TestApp;
use crate::windows::{Shown, playing, press, strike, type_in, window};

/// A window whose settings are kept in this file.
fn remembering(file: &Path) -> Shown {
    let mut test = TestApp::new();
    test.app.use_settings_store(SettingsStore::open(file.to_owned(), "C"));

    window(test)
}

#[test]
fn what_the_dialog_of_settings_changes_is_there_the_next_day() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("deep").join("gui.toml");
    let mut shown = remembering(&file);
    strike(&mut shown, Modifiers::COMMAND, Key::Comma);
    for label in ["Light", "Slate", "Last", "Coordinates on all sides", "Sounds", "中文"] {
        press(&mut shown, label);
    }
    press(&mut shown, "完成");
    assert!(shown.state().app().dialog().is_none());
    drop(shown);
    let shown = remembering(&file);
    let settings = shown.state().app().settings().clone();
    assert_eq!(settings.language, Language::Chinese);
    assert_eq!((settings.dark, settings.sound), (false, false));
    assert_eq!((settings.style, settings.numbers), (BoardStyle::Slate, MoveNumbers::Last));
    assert_eq!(settings.edges, CoordinateLabels::Four);
}

/// Chooses an entry of a list.
fn choose(shown: &mut Shown, list: &str, entry: &str) {
    shown.get_by_role_and_label(Role::ComboBox, list).click();
    shown.run_steps(3);
    press(shown, entry);
}

#[test]
fn settings_of_a_game_are_chosen_by_name_and_kept_under_another() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("gui.toml");
    let mut shown = remembering(&file);
    // What is scrolled out of sight cannot be clicked.
    shown.set_size(vec2(1180.0, 1400.0));
    shown.run_steps(3);
    press(&mut shown, "New game");
    choose(&mut shown, "Preset", "China contest: renju, contest, 15 min");
    let form = shown.state().app().form().unwrap().clone();
    assert_eq!((form.rule, form.opening, form.main), (Rule::Renju, Procedure::Contest, 900));
    shown.get_by_label("More").click();
    shown.run_steps(20);
    press(&mut shown, "is replaced");
    press(&mut shown, "limited");
    press(&mut shown, "is asked again");
    shown.get_by_role_and_label(Role::CheckBox, "Passing is allowed").click();
    shown.run_steps(3);
    choose(&mut shown, "Begin from", "D4  Flower Moon (花月, Kagetsu)");
    type_in(&mut shown, "Keep all this as", "Friday");
    press(&mut shown, "Keep");
    drop(shown);
    let mut shown = remembering(&file);
    shown.set_size(vec2(1180.0, 1400.0));
    shown.run_steps(3);
    press(&mut shown, "New game");
    choose(&mut shown, "Preset", "Friday");
    let form = shown.state().app().form().unwrap().clone();
    assert_eq!((form.illegal, form.undo, form.passing), (IllegalPolicy::Retries(3), Some(1), true));
    assert_eq!(form.named().map(|opening| opening.code), Some("D4"));
    shown.get_by_label("More").click();
    shown.run_steps(20);
    press(&mut shown, "Remove");
    assert!(shown.state().app().settings().presets.is_empty());
}

#[test]
fn a_damaged_file_of_settings_is_told_of_and_the_window_opens() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("gui.toml");
    std::fs::write(&file, "dark = 'perhaps'").unwrap();
    let shown = remembering(&file);
    let notice = shown.state().app().notice().unwrap().to_owned();
    assert!(notice.contains("gui.damaged"), "{notice}");
    shown.get_by_label(&notice);
    let aside = std::fs::read_to_string(folder.path().join("gui.damaged")).unwrap();
    assert_eq!(aside, "dark = 'perhaps'");
}

#[test]
fn a_deed_is_given_another_key() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("gui.toml");
    let mut shown = remembering(&file);
    strike(&mut shown, Modifiers::NONE, Key::F1);
    press(&mut shown, "key of New game: Ctrl+N");
    strike(&mut shown, Modifiers::COMMAND, Key::M);
    shown.get_by_role_and_label(Role::Button, "key of New game: Ctrl+M");
    press(&mut shown, "Done");
    drop(shown);
    let mut shown = remembering(&file);
    strike(&mut shown, Modifiers::COMMAND, Key::N);
    assert!(shown.state().app().form().is_none());
    strike(&mut shown, Modifiers::COMMAND, Key::M);
    assert!(shown.state().app().form().is_some());
}

#[test]
fn a_key_has_one_deed_and_keys_are_taken_away() {
    let mut shown = window(TestApp::new());
    strike(&mut shown, Modifiers::NONE, Key::F1);
    press(&mut shown, "key of Hint: H");
    strike(&mut shown, Modifiers::NONE, Key::P);
    shown.get_by_label("its key is now used by Hint");
    shown.get_by_role_and_label(Role::Button, "key of Pause: none");
    press(&mut shown, "key of Hint: P");
    strike(&mut shown, Modifiers::NONE, Key::Delete);
    shown.get_by_role_and_label(Role::Button, "key of Hint: none");
    press(&mut shown, "key of Hint: none");
    strike(&mut shown, Modifiers::NONE, Key::Escape);
    shown.get_by_role_and_label(Role::Button, "key of Hint: none");
    press(&mut shown, "Reset all");
    shown.get_by_role_and_label(Role::Button, "key of Hint: H");
}

#[test]
fn what_is_held_for_a_key_is_none_itself() {
    let mut shown = window(TestApp::new());
    strike(&mut shown, Modifiers::NONE, Key::F1);
    press(&mut shown, "key of Take back: Ctrl+Z");
    // Systems report the keys that are held as keys of their own, before the one they are held for.
    strike(&mut shown, Modifiers::SHIFT, Key::ShiftLeft);
    shown.get_by_role_and_label(Role::Button, "key of Take back: press a key");
    strike(&mut shown, Modifiers::SHIFT, Key::F5);
    shown.get_by_role_and_label(Role::Button, "key of Take back: Shift+F5");
}

#[test]
fn two_deeds_that_a_file_gives_one_key_are_shown() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("gui.toml");
    std::fs::write(&file, "[keys]\n'game.hint' = 'P'\n'game.take-back' = 'ShiftLeft'").unwrap();
    let mut shown = remembering(&file);
    strike(&mut shown, Modifiers::NONE, Key::F1);
    shown.get_by_label("also used by Pause");
    shown.get_by_label("also used by Hint");
    shown.get_by_role_and_label(Role::Button, "key of Take back: Ctrl+Z");
}

#[test]
fn keys_wait_while_a_dialog_is_open() {
    let mut shown = playing(GameForm::default());
    strike(&mut shown, Modifiers::COMMAND, Key::Comma);
    let before = shown.state().app().settings().numbers;
    strike(&mut shown, Modifiers::NONE, Key::Num0);
    assert_eq!(shown.state().app().settings().numbers, before);
    strike(&mut shown, Modifiers::NONE, Key::Escape);
    strike(&mut shown, Modifiers::NONE, Key::Num0);
    assert_eq!(shown.state().app().settings().numbers, MoveNumbers::Off);
}

#[test]
fn a_picture_becomes_the_board_and_one_that_is_none_is_refused_in_words() {
    let folder = tempfile::tempdir().unwrap();
    let wrong = folder.path().join("text.png");
    std::fs::write(&wrong, "no picture").unwrap();
    let right = folder.path().join("sky.png");
    image::RgbImage::from_pixel(64, 48, image::Rgb([90, 140, 200])).save(&right).unwrap();

    let mut test = TestApp::new();
    let board = |path: &Path| Command::UseFile(UserFile::BoardPicture, Some(path.to_owned()));
    test.apply(board(&wrong));
    update(&mut test, |test| test.app.notice().is_some());
    assert!(test.app.notice().unwrap().contains("text.png"), "{:?}", test.app.notice());
    assert_eq!(test.app.settings().style, BoardStyle::Kaya);

    test.apply(board(&right));
    let shown = |test: &TestApp| Some(test.app.picture(UserFile::BoardPicture)?.width);
    update(&mut test, |test| shown(test).is_some());
    assert_eq!(shown(&test), Some(64));
    test.begin(GameForm::default());
    let shown = window(test);
    assert_eq!(shown.state().app().settings().style, BoardStyle::Picture);
}

#[test]
fn a_picture_lies_behind_the_window_and_music_plays_until_they_are_turned_off() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("gui.toml");
    let sky = folder.path().join("sky.png");
    image::RgbImage::from_pixel(64, 48, image::Rgb([90, 140, 200])).save(&sky).unwrap();
    let music = folder.path().join("koto.wav");
    let mut shown = remembering(&file);
    assert_eq!(shown.state().app().music(), None);
    strike(&mut shown, Modifiers::COMMAND, Key::Comma);
    for (label, path) in [("Picture behind the window", &sky), ("Music", &music)] {
        type_in(&mut shown, label, path.to_str().unwrap());
        press(&mut shown, &format!("{label}: Use"));
    }
    let behind = |shown: &Shown| shown.state().app().picture(UserFile::Background).is_some();
    while !behind(&shown) {
        shown.step();
    }
    assert_eq!(shown.state().app().music(), Some(&*music));
    press(&mut shown, "Sounds");
    assert_eq!(shown.state().app().music(), None);
    press(&mut shown, "Sounds");
    drop(shown);

    let mut shown = remembering(&file);
    assert_eq!(shown.state().app().music(), Some(&*music));
    while !behind(&shown) {
        shown.step();
    }
    strike(&mut shown, Modifiers::COMMAND, Key::Comma);
    press(&mut shown, "Music: Off");
    press(&mut shown, "Picture behind the window: Off");
    assert_eq!(shown.state().app().music(), None);
    assert!(!behind(&shown));
}

/// Settles until it has come so far.
fn update(test: &mut TestApp, done: impl Fn(&TestApp) -> bool) {
    while !done(test) {
        std::thread::yield_now();
        test.app.update();
    }
}

#[test]
fn keys_that_systems_turn_into_cut_and_copy_do_what_they_are_given_to() {
    let mut test = TestApp::new();
    test.begin(GameForm::default());
    test.wait_asked(0);
    let bind = |action, key: Option<&str>| Command::BindKey(action, key.map(str::to_owned));
    test.apply(bind(UserAction::Sound, Some("Ctrl+X")));
    test.apply(bind(UserAction::CopyPosition, None));
    test.apply(bind(UserAction::Graph, Some("Ctrl+C")));
    test.apply(Command::CloseDialog);
    let mut window = window(test);
    let before = window.state().app().settings().clone();
    window.event(Event::Cut);
    window.run_steps(2);
    window.event(Event::Copy);
    window.run_steps(2);
    let after = window.state().app().settings();
    assert_eq!((after.sound, after.graph), (!before.sound, !before.graph));
}
