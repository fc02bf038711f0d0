//! The dialog of engines, the folder they are dropped into, and what is set on them.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use eframe::egui::{Key, Modifiers, Role};
use egui_kittest::kittest::Queryable;
use tengen_gui::app::{App, Command, EngineCommand, SettingsStore};
use tengen_hosts::package::{EngineOption, OptionKind};
use tengen_hosts::{CheckStep, CheckVerdict};
use tengen_lineup::{CheckCallback, EngineList, EngineProfile, EngineProvider, EngineSettings};
use tengen_link::TableEngines;
use tengen_players::{EngineInstance, GameVariant, ListedEngine};

use crate::exchange::drop_file;
use crate::test_app::TestApp;
use crate::windows::{Shown, press, strike, type_in, update_until, window};

/// A engine list of text files: `good` ones are engines, and the rest is refused.
struct TestFiles {
    dir: PathBuf,
    kept: Mutex<EngineSettings>,
}

impl TableEngines for TestFiles {
    fn list(&self) -> Vec<ListedEngine> {
        self.known().engines
    }

    fn start(&self, _id: &str, _variant: &GameVariant) -> Result<EngineInstance, String> {
        Err("it only stands there".to_owned())
    }
}

impl EngineProvider for TestFiles {
    fn known(&self) -> EngineList {
        let mut engine_list = EngineList::default();
        match std::fs::read_dir(&self.dir) {
            Ok(entries) => {
                for entry in entries.flatten() {
                    let name = entry.file_name().to_string_lossy().into_owned();
                    match std::fs::read_to_string(entry.path()).as_deref() {
                        Ok("good") => {
                            engine_list.engines.push(ListedEngine { id: name.clone(), name });
                        }
                        _ => engine_list.refused.push((name, "it is not good".to_owned())),
                    }
                }
            }
            Err(_) => engine_list.problem = Some("the folder is gone".to_owned()),
        }
        for id in self.kept.lock().unwrap().added.clone() {
            if id.contains("bad") {
                engine_list.refused.push((id, "it is not good".to_owned()));
                continue;
            }
            engine_list.engines.push(ListedEngine { name: format!("added {id}"), id });
        }
        engine_list
    }

    fn folder(&self) -> Option<PathBuf> {
        Some(self.dir.clone())
    }

    fn configure(&self, kept: &EngineSettings) {
        *self.kept.lock().unwrap() = kept.clone();
    }

    fn describe(&self, id: &str) -> Result<EngineProfile, String> {
        if id == "bad" {
            return Err("it does not start".to_owned());
        }
        let option = |name: &str, value| EngineOption { name: name.to_owned(), value, tune: false };
        let words = vec!["solid".to_owned(), "wild".to_owned()];
        Ok(EngineProfile {
            name: Some("Hoshi".to_owned()),
            version: Some("1.2".to_owned()),
            options: vec![
                option("Book", OptionKind::Bool { default: true }),
                option("Style", OptionKind::Choice { default: "solid".to_owned(), words }),
                option("Hash", OptionKind::Int { default: 16, range: 1..=64, unit: None }),
            ],
            ..EngineProfile::default()
        })
    }

    fn check(&self, _id: &str, mut on_step: CheckCallback) -> Result<(), String> {
        for (name, verdict) in [("load", CheckVerdict::Passed), ("moves", CheckVerdict::Failed)] {
            let (name, detail) = (name.to_owned(), "seen".to_owned());
            let step = CheckStep { name, verdict, detail, advice: None, same_as: None };
            if !on_step(&step) {
                break;
            }
        }
        Ok(())
    }
}

/// The dialog of engines, of those in a folder.
fn open(dir: &Path, memory: Option<PathBuf>) -> Shown {
    let provider = TestFiles { dir: dir.to_owned(), kept: Mutex::default() };
    let mut test = TestApp::of(|services| services.provider = Arc::new(provider));
    if let Some(file) = memory {
        test.app.use_settings_store(SettingsStore::open(file, "C"));
    }
    let mut shown = window(test);
    strike(&mut shown, Modifiers::COMMAND, Key::E);
    shown
}

fn choose(shown: &mut Shown, label: &str) {
    press(shown, label);
    update_until(shown, |app| app.engine_details().profile.is_some());
    shown.run_steps(5);
}

fn names(app: &App) -> Vec<String> {
    app.engine_list().engines.iter().map(|engine| engine.name.clone()).collect()
}

#[test]
fn an_engine_that_is_dropped_into_the_folder_appears_by_itself() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("engines");
    std::fs::create_dir(&dir).unwrap();
    let mut shown = open(&dir, None);
    std::fs::write(dir.join("first"), "good").unwrap();
    update_until(&mut shown, |app| names(app) == ["first"]);
    shown.get_by_role_and_label(Role::Button, "first");
    std::fs::write(dir.join("odd"), "odd").unwrap();
    update_until(&mut shown, |app| app.engine_list().refused.len() == 1);
    shown.get_by_label("it is not good");

    std::fs::remove_dir_all(&dir).unwrap();
    update_until(&mut shown, |app| app.engine_list().problem.is_some());
    shown.get_by_label_contains("the folder is gone");
    std::fs::create_dir(&dir).unwrap();
    std::fs::write(dir.join("second"), "good").unwrap();
    update_until(&mut shown, |app| names(app) == ["second"]);
}

#[test]
fn an_engine_is_tested_and_says_what_failed() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("first"), "good").unwrap();
    let mut shown = open(folder.path(), None);
    update_until(&mut shown, |app| !app.engine_list().engines.is_empty());
    choose(&mut shown, "first");
    shown.get_by_label("Hoshi 1.2");
    press(&mut shown, "Test");
    update_until(&mut shown, |app| app.engine_details().check.is_some_and(|check| !check.running));
    shown.get_by_label("1 of 2 steps failed");
    shown.get_by_label_contains("moves: seen");
}

#[test]
fn options_are_set_by_widgets_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("engines");
    std::fs::create_dir(&dir).unwrap();
    std::fs::write(dir.join("first"), "good").unwrap();
    let file = folder.path().join("gui.toml");
    let mut shown = open(&dir, Some(file.clone()));
    update_until(&mut shown, |app| !app.engine_list().engines.is_empty());
    choose(&mut shown, "first");
    shown.get_by_role_and_label(Role::CheckBox, "Book").click();
    shown.run_steps(3);
    shown.get_by_role_and_label(Role::ComboBox, "Style").click();
    shown.run_steps(3);
    press(&mut shown, "wild");
    drop(shown);
    let mut shown = open(&dir, Some(file));
    let kept = shown.state().app().settings().engines.clone();
    let set = &kept.options["first"];
    assert_eq!((set["Book"].as_str(), set["Style"].as_str()), ("false", "wild"));
    assert_eq!(set.len(), 2);
    update_until(&mut shown, |app| !app.engine_list().engines.is_empty());
    choose(&mut shown, "first");
    shown.get_all_by_role_and_label(Role::Button, "Default").next().unwrap().click();
    shown.run_steps(3);
    let kept = &shown.state().app().settings().engines;
    assert!(!kept.options["first"].contains_key("Book"));
}

#[test]
fn engines_are_added_by_path_and_forgotten() {
    let folder = tempfile::tempdir().unwrap();
    let mut shown = open(folder.path(), None);
    type_in(&mut shown, "Path or command", "/far/away.so");
    press(&mut shown, "Add");
    update_until(&mut shown, |app| names(app) == ["added /far/away.so"]);
    update_until(&mut shown, |app| app.engine_details().profile.is_some());
    press(&mut shown, "Remove");
    update_until(&mut shown, |app| names(app).is_empty());
}

#[test]
fn an_engine_is_found_by_walking_through_folders() {
    let folder = tempfile::tempdir().unwrap();
    let tools = folder.path().join("tools");
    std::fs::create_dir_all(tools.join("deep")).unwrap();
    std::fs::write(tools.join("deep/found"), "good").unwrap();
    let mut shown = open(folder.path(), None);
    press(&mut shown, "Browse…");
    let lies = |app: &App, name: &str| {
        let dialog = app.file_dialog().expect("the dialog is open");
        dialog.folder.entries.iter().any(|entry| entry.name == name)
    };
    let typed = tools.join("").display().to_string();
    type_in(&mut shown, "File", &typed);
    update_until(&mut shown, |app| lies(app, "deep"));
    press(&mut shown, "Up");
    update_until(&mut shown, |app| lies(app, "tools"));
    press(&mut shown, "tools/");
    update_until(&mut shown, |app| lies(app, "deep"));
    press(&mut shown, "deep/");
    update_until(&mut shown, |app| lies(app, "found"));
    press(&mut shown, "found");
    press(&mut shown, "Choose");
    let found = tools.join("deep").join("found").display().to_string();
    update_until(&mut shown, |app| names(app).contains(&format!("added {found}")));
    let app = shown.state().app();
    assert_eq!((app.engine_details().chosen, app.file_dialog()), (Some(found), None));
}

#[test]
fn an_engine_that_is_dropped_on_the_window_is_added() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("a program");
    let library = folder.path().join("libfast.so");
    let mut shown = open(folder.path(), None);
    // In the dialog of engines any program is one, elsewhere what is called like one.
    drop_file(&mut shown, &program);
    let added = |path: &Path| format!("added {}", path.display());
    update_until(&mut shown, |app| names(app) == [added(&program)]);
    press(&mut shown, "Done");
    assert_eq!(shown.state().app().dialog(), None);
    drop_file(&mut shown, &library);
    update_until(&mut shown, |app| names(app) == [added(&program), added(&library)]);
    let app = shown.state().app();
    assert_eq!(app.engine_details().chosen, Some(library.display().to_string()));
    assert!(app.dialog().is_some(), "one sees what it is");
}

#[test]
fn a_folder_that_cannot_be_read_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let mut shown = open(folder.path(), None);
    press(&mut shown, "Browse…");
    let gone = folder.path().join("gone").join("").display().to_string();
    type_in(&mut shown, "File", &gone);
    let problem = |app: &App| app.file_dialog().and_then(|dialog| dialog.folder.problem.clone());
    update_until(&mut shown, |app| problem(app).is_some());
    let told = problem(shown.state().app()).unwrap();
    shown.get_by_label(&told);
    press(&mut shown, "Cancel");
    assert!(shown.state().app().file_dialog().is_none());
}

#[test]
fn an_engine_that_cannot_be_loaded_is_forgotten_from_the_list() {
    let folder = tempfile::tempdir().unwrap();
    let mut shown = open(folder.path(), None);
    type_in(&mut shown, "Path or command", "bad one");
    press(&mut shown, "Add");
    update_until(&mut shown, |app| !app.engine_list().refused.is_empty());
    shown.get_by_label("Cannot be loaded");
    shown.get_all_by_role_and_label(Role::Button, "Remove").next().unwrap().click();
    update_until(&mut shown, |app| app.engine_list().refused.is_empty());
    assert_eq!(shown.state().app().engine_details().chosen, None);
}

#[test]
fn an_engine_that_does_not_start_says_why() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("bad"), "good").unwrap();
    let mut shown = open(folder.path(), None);
    update_until(&mut shown, |app| !app.engine_list().engines.is_empty());
    choose(&mut shown, "bad");
    shown.get_by_label("Cannot be started: it does not start");
}

#[test]
fn a_trial_that_is_left_says_nothing_more() {
    let mut test = TestApp::new();
    test.apply(Command::Engine(EngineCommand::Select("dice".to_owned())));
    test.apply(Command::Engine(EngineCommand::Check("dice".to_owned())));
    test.apply(Command::Engine(EngineCommand::Select("meek".to_owned())));
    let engine_details = test.app.engine_details();
    assert_eq!(engine_details.chosen.as_deref(), Some("meek"));
    assert!(engine_details.check.is_none());
}
