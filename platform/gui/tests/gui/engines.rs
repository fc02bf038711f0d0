//! The dialog of engines, the folder they are dropped into, and what is set on them.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex};

use eframe::egui::{Key, Modifiers, Role};
use egui_kittest::kittest::Queryable;
use tengen_gui::app::{
    App, AppServices, CheckCallback, CheckFinding, Command, EngineCommand, EngineInstance,
    EngineList, EngineProfile, EngineProvider, EngineSettings, GameVariant, ListedEngine,
    OptionField, OptionFieldKind, SettingsStore,
};
use tengen_testkit::VirtualTime;

use crate::exchange::drop_file;
use crate::windows::{Shown, press, strike, type_in};

/// A engine list of text files: `good` ones are engines, and the rest is refused.
struct TestFiles {
    dir: PathBuf,
    kept: Mutex<EngineSettings>,
}

impl EngineProvider for TestFiles {
    fn list(&self) -> EngineList {
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

    fn start_engine(&self, _id: &str, _terms: &GameVariant) -> Result<EngineInstance, String> {
        Err("it only stands there".to_owned())
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
        let option = |name: &str, kind, default: &str| OptionField {
            name: name.to_owned(),
            kind,
            default: default.to_owned(),
        };
        let tr = vec!["solid".to_owned(), "wild".to_owned()];
        Ok(EngineProfile {
            name: Some("Hoshi".to_owned()),
            version: Some("1.2".to_owned()),
            options: vec![
                option("Book", OptionFieldKind::Bool, "true"),
                option("Style", OptionFieldKind::Choice(tr), "solid"),
                option("Hash", OptionFieldKind::Int { range: 1..=64, unit: None }, "16"),
            ],
            ..EngineProfile::default()
        })
    }

    fn check(&self, _id: &str, mut go_on: CheckCallback) -> Result<(), String> {
        for (name, ok) in [("load", true), ("moves", false)] {
            let finding = CheckFinding { name: name.to_owned(), ok, detail: "seen".to_owned() };
            if !go_on(finding) {
                break;
            }
        }
        Ok(())
    }
}

/// Counts the wakes, so that a test can wait for one.
#[derive(Default)]
struct WakeCounter {
    wakes: Mutex<u64>,
    changed: Condvar,
}

struct EngineManager {
    shown: Shown,
    wake_counter: Arc<WakeCounter>,
}

impl EngineManager {
    fn open(dir: &Path, memory: Option<PathBuf>) -> EngineManager {
        let wake_counter = Arc::new(WakeCounter::default());
        let ring = Arc::clone(&wake_counter);
        let wake = move || {
            *ring.wakes.lock().unwrap() += 1;
            ring.changed.notify_all();
        };
        let provider = TestFiles { dir: dir.to_owned(), kept: Mutex::default() };
        let mut app = App::new(AppServices {
            provider: Arc::new(provider),
            time: Arc::new(VirtualTime::default()),
            archive: None,
            events: None,
            tables: None,
            wake: Arc::new(wake),
        });
        if let Some(file) = memory {
            app.use_settings_store(SettingsStore::open(file, "C"));
        }
        let builder = egui_kittest::Harness::builder().with_size([1180.0, 820.0]);
        let window = tengen_gui::Window::new(app);
        let mut shown =
            builder.build_ui_state(|ui, window: &mut tengen_gui::Window| window.frame(ui), window);
        shown.run();
        strike(&mut shown, Modifiers::COMMAND, Key::E);
        EngineManager { shown, wake_counter }
    }

    /// Waits until the app is so, looking again at each wake.
    fn wait(&mut self, done: impl Fn(&App) -> bool) {
        let mut wakes = self.wake_counter.wakes.lock().unwrap();
        while !done(self.shown.state().app()) {
            let (next, _) = self
                .wake_counter
                .changed
                .wait_timeout(wakes, std::time::Duration::from_millis(100))
                .unwrap();
            drop(next);
            self.shown.run_steps(1);
            wakes = self.wake_counter.wakes.lock().unwrap();
        }
        drop(wakes);
        self.shown.run_steps(8);
    }

    fn choose(&mut self, label: &str) {
        press(&mut self.shown, label);
        self.wait(|app| app.engine_details().profile.is_some());
    }
}

fn names(app: &App) -> Vec<String> {
    app.engine_list().engines.iter().map(|engine| engine.name.clone()).collect()
}

#[test]
fn an_engine_that_is_dropped_into_the_folder_appears_by_itself() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("engines");
    std::fs::create_dir(&dir).unwrap();
    let mut manager = EngineManager::open(&dir, None);
    std::fs::write(dir.join("first"), "good").unwrap();
    manager.wait(|app| names(app) == ["first"]);
    manager.shown.get_by_role_and_label(Role::Button, "first");
    std::fs::write(dir.join("odd"), "odd").unwrap();
    manager.wait(|app| app.engine_list().refused.len() == 1);
    manager.shown.get_by_label("it is not good");

    std::fs::remove_dir_all(&dir).unwrap();
    manager.wait(|app| app.engine_list().problem.is_some());
    manager.shown.get_by_label_contains("the folder is gone");
    std::fs::create_dir(&dir).unwrap();
    std::fs::write(dir.join("second"), "good").unwrap();
    manager.wait(|app| names(app) == ["second"]);
}

#[test]
fn an_engine_is_tested_and_says_what_failed() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("first"), "good").unwrap();
    let mut manager = EngineManager::open(folder.path(), None);
    manager.wait(|app| !app.engine_list().engines.is_empty());
    manager.choose("first");
    manager.shown.get_by_label("Hoshi 1.2");
    press(&mut manager.shown, "Test");
    manager.wait(|app| app.engine_details().check.is_some_and(|check| !check.running));
    manager.shown.get_by_label("1 of 2 steps failed");
    manager.shown.get_by_label_contains("moves: seen");
}

#[test]
fn options_are_set_by_widgets_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("engines");
    std::fs::create_dir(&dir).unwrap();
    std::fs::write(dir.join("first"), "good").unwrap();
    let file = folder.path().join("gui.toml");
    let mut manager = EngineManager::open(&dir, Some(file.clone()));
    manager.wait(|app| !app.engine_list().engines.is_empty());
    manager.choose("first");
    manager.shown.get_by_role_and_label(Role::CheckBox, "Book").click();
    manager.shown.run_steps(3);
    manager.shown.get_by_role_and_label(Role::ComboBox, "Style").click();
    manager.shown.run_steps(3);
    press(&mut manager.shown, "wild");
    drop(manager);
    let mut manager = EngineManager::open(&dir, Some(file));
    let kept = manager.shown.state().app().settings().engines.clone();
    let set = &kept.options["first"];
    assert_eq!((set["Book"].as_str(), set["Style"].as_str()), ("false", "wild"));
    assert_eq!(set.len(), 2);
    manager.wait(|app| !app.engine_list().engines.is_empty());
    manager.choose("first");
    manager.shown.get_all_by_role_and_label(Role::Button, "Default").next().unwrap().click();
    manager.shown.run_steps(3);
    let kept = &manager.shown.state().app().settings().engines;
    assert!(!kept.options["first"].contains_key("Book"));
}

#[test]
fn engines_are_added_by_path_and_forgotten() {
    let folder = tempfile::tempdir().unwrap();
    let mut manager = EngineManager::open(folder.path(), None);
    type_in(&mut manager.shown, "Path or command", "/far/away.so");
    press(&mut manager.shown, "Add");
    manager.wait(|app| names(app) == ["added /far/away.so"]);
    manager.wait(|app| app.engine_details().profile.is_some());
    press(&mut manager.shown, "Remove");
    manager.wait(|app| names(app).is_empty());
}

#[test]
fn an_engine_is_found_by_walking_through_folders() {
    let folder = tempfile::tempdir().unwrap();
    let tools = folder.path().join("tools");
    std::fs::create_dir_all(tools.join("deep")).unwrap();
    std::fs::write(tools.join("deep/found"), "good").unwrap();
    let mut manager = EngineManager::open(folder.path(), None);
    press(&mut manager.shown, "Browse…");
    let lies = |app: &App, name: &str| {
        let dialog = app.file_dialog().expect("the dialog is open");
        dialog.folder.entries.iter().any(|entry| entry.name == name)
    };
    let typed = tools.join("").display().to_string();
    type_in(&mut manager.shown, "File", &typed);
    manager.wait(|app| lies(app, "deep"));
    press(&mut manager.shown, "Up");
    manager.wait(|app| lies(app, "tools"));
    press(&mut manager.shown, "tools/");
    manager.wait(|app| lies(app, "deep"));
    press(&mut manager.shown, "deep/");
    manager.wait(|app| lies(app, "found"));
    press(&mut manager.shown, "found");
    press(&mut manager.shown, "Choose");
    let found = tools.join("deep").join("found").display().to_string();
    manager.wait(|app| names(app).contains(&format!("added {found}")));
    let app = manager.shown.state().app();
    assert_eq!((app.engine_details().chosen, app.file_dialog()), (Some(found), None));
}

#[test]
fn an_engine_that_is_dropped_on_the_window_is_added() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("a program");
    let library = folder.path().join("libfast.so");
    let mut manager = EngineManager::open(folder.path(), None);
    // In the dialog of engines any program is one, elsewhere what is called like one.
    drop_file(&mut manager.shown, &program);
    let added = |path: &Path| format!("added {}", path.display());
    manager.wait(|app| names(app) == [added(&program)]);
    press(&mut manager.shown, "Done");
    assert_eq!(manager.shown.state().app().dialog(), None);
    drop_file(&mut manager.shown, &library);
    manager.wait(|app| names(app) == [added(&program), added(&library)]);
    let app = manager.shown.state().app();
    assert_eq!(app.engine_details().chosen, Some(library.display().to_string()));
    assert!(app.dialog().is_some(), "one sees what it is");
}

#[test]
fn a_folder_that_cannot_be_read_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let mut manager = EngineManager::open(folder.path(), None);
    press(&mut manager.shown, "Browse…");
    let gone = folder.path().join("gone").join("").display().to_string();
    type_in(&mut manager.shown, "File", &gone);
    let problem = |app: &App| app.file_dialog().and_then(|dialog| dialog.folder.problem.clone());
    manager.wait(|app| problem(app).is_some());
    let told = problem(manager.shown.state().app()).unwrap();
    manager.shown.get_by_label(&told);
    press(&mut manager.shown, "Cancel");
    assert!(manager.shown.state().app().file_dialog().is_none());
}

#[test]
fn an_engine_that_cannot_be_loaded_is_forgotten_from_the_list() {
    let folder = tempfile::tempdir().unwrap();
    let mut manager = EngineManager::open(folder.path(), None);
    type_in(&mut manager.shown, "Path or command", "bad one");
    press(&mut manager.shown, "Add");
    manager.wait(|app| !app.engine_list().refused.is_empty());
    manager.shown.get_by_label("Cannot be loaded");
    manager.shown.get_all_by_role_and_label(Role::Button, "Remove").next().unwrap().click();
    manager.wait(|app| app.engine_list().refused.is_empty());
    assert_eq!(manager.shown.state().app().engine_details().chosen, None);
}

#[test]
fn an_engine_that_does_not_start_says_why() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("bad"), "good").unwrap();
    let mut manager = EngineManager::open(folder.path(), None);
    manager.wait(|app| !app.engine_list().engines.is_empty());
    manager.choose("bad");
    manager.shown.get_by_label("Cannot be started: it does not start");
}

#[test]
fn a_trial_that_is_left_says_nothing_more() {
    let mut test = crate::test_app::TestApp::new();
    test.apply(Command::Engine(EngineCommand::Select("dice".to_owned())));
    test.apply(Command::Engine(EngineCommand::Check("dice".to_owned())));
    test.apply(Command::Engine(EngineCommand::Select("meek".to_owned())));
    let engine_details = test.app.engine_details();
    assert_eq!(engine_details.chosen.as_deref(), Some("meek"));
    assert!(engine_details.check.is_none());
}
