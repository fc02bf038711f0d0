//! The dialog of engines, the folder they are dropped into, and what is set on them.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex};

use eframe::egui::{Key, Modifiers, Role};
use egui_kittest::kittest::Queryable;
use tengen_gui::app::{
    Command, EngineCommand, EngineOption, Finding, GoOn, Hired, House, Kept, Listed, Listing,
    Memory, OptionKind, Profile, Services, Shelf, Terms,
};
use tengen_testkit::VirtualTime;

use crate::exchange::drop_file;
use crate::windows::{Shown, press};

/// A shelf of text files: `good` ones are engines, and the rest is refused.
struct Files {
    dir: PathBuf,
    kept: Mutex<Kept>,
}

impl Shelf for Files {
    fn list(&self) -> Listing {
        let mut listing = Listing::default();
        match std::fs::read_dir(&self.dir) {
            Ok(entries) => {
                for entry in entries.flatten() {
                    let name = entry.file_name().to_string_lossy().into_owned();
                    match std::fs::read_to_string(entry.path()).as_deref() {
                        Ok("good") => {
                            listing.engines.push(Listed { id: name.clone(), name });
                        }
                        _ => listing.refused.push((name, "it is not good".to_owned())),
                    }
                }
            }
            Err(_) => listing.problem = Some("the folder is gone".to_owned()),
        }
        for id in self.kept.lock().unwrap().added.clone() {
            if id.contains("bad") {
                listing.refused.push((id, "it is not good".to_owned()));
                continue;
            }
            listing.engines.push(Listed { name: format!("added {id}"), id });
        }
        listing
    }

    fn hire(&self, _id: &str, _terms: &Terms) -> Result<Hired, String> {
        Err("it only stands there".to_owned())
    }

    fn folder(&self) -> Option<PathBuf> {
        Some(self.dir.clone())
    }

    fn arrange(&self, kept: &Kept) {
        *self.kept.lock().unwrap() = kept.clone();
    }

    fn describe(&self, id: &str) -> Result<Profile, String> {
        if id == "bad" {
            return Err("it does not start".to_owned());
        }
        let option = |name: &str, kind, default: &str| EngineOption {
            name: name.to_owned(),
            kind,
            default: default.to_owned(),
        };
        let words = vec!["solid".to_owned(), "wild".to_owned()];
        Ok(Profile {
            name: Some("Hoshi".to_owned()),
            version: Some("1.2".to_owned()),
            options: vec![
                option("Book", OptionKind::Bool, "true"),
                option("Style", OptionKind::Choice(words), "solid"),
                option("Hash", OptionKind::Int { range: 1..=64, unit: None }, "16"),
            ],
            ..Profile::default()
        })
    }

    fn examine(&self, _id: &str, mut go_on: GoOn) -> Result<(), String> {
        for (name, ok) in [("load", true), ("moves", false)] {
            let finding = Finding { name: name.to_owned(), ok, detail: "seen".to_owned() };
            if !go_on(finding) {
                break;
            }
        }
        Ok(())
    }
}

/// Counts the wakes, so that a test can wait for one.
#[derive(Default)]
struct Bell {
    rung: Mutex<u64>,
    changed: Condvar,
}

struct Manager {
    shown: Shown,
    bell: Arc<Bell>,
}

impl Manager {
    fn open(dir: &Path, memory: Option<PathBuf>) -> Manager {
        let bell = Arc::new(Bell::default());
        let ring = Arc::clone(&bell);
        let wake = move || {
            *ring.rung.lock().unwrap() += 1;
            ring.changed.notify_all();
        };
        let shelf = Files { dir: dir.to_owned(), kept: Mutex::default() };
        let mut house = House::new(Services {
            shelf: Arc::new(shelf),
            time: Arc::new(VirtualTime::default()),
            archive: None,
            events: None,
            wake: Arc::new(wake),
        });
        if let Some(file) = memory {
            house.remember(Memory::open(file, "C"));
        }
        let builder = egui_kittest::Harness::builder().with_size([1180.0, 820.0]);
        let window = tengen_gui::Window::new(house);
        let mut shown =
            builder.build_ui_state(|ui, window: &mut tengen_gui::Window| window.frame(ui), window);
        shown.run();
        shown.key_press_modifiers(Modifiers::COMMAND, Key::E);
        shown.run();
        Manager { shown, bell }
    }

    /// Waits until the house is so, looking again at each wake.
    fn wait(&mut self, done: impl Fn(&House) -> bool) {
        let mut rung = self.bell.rung.lock().unwrap();
        while !done(self.shown.state().house()) {
            let (next, _) = self
                .bell
                .changed
                .wait_timeout(rung, std::time::Duration::from_millis(100))
                .unwrap();
            drop(next);
            self.shown.run_steps(1);
            rung = self.bell.rung.lock().unwrap();
        }
        drop(rung);
        self.shown.run_steps(8);
    }

    fn choose(&mut self, label: &str) {
        press(&mut self.shown, label);
        self.wait(|house| house.workshop().profile.is_some());
    }
}

fn names(house: &House) -> Vec<String> {
    house.listing().engines.iter().map(|engine| engine.name.clone()).collect()
}

#[test]
fn an_engine_that_is_dropped_into_the_folder_appears_by_itself() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("engines");
    std::fs::create_dir(&dir).unwrap();
    let mut manager = Manager::open(&dir, None);
    std::fs::write(dir.join("first"), "good").unwrap();
    manager.wait(|house| names(house) == ["first"]);
    manager.shown.get_by_role_and_label(Role::Button, "first");
    std::fs::write(dir.join("odd"), "odd").unwrap();
    manager.wait(|house| house.listing().refused.len() == 1);
    manager.shown.get_by_label("it is not good");

    std::fs::remove_dir_all(&dir).unwrap();
    manager.wait(|house| house.listing().problem.is_some());
    manager.shown.get_by_label_contains("the folder is gone");
    std::fs::create_dir(&dir).unwrap();
    std::fs::write(dir.join("second"), "good").unwrap();
    manager.wait(|house| names(house) == ["second"]);
}

#[test]
fn an_engine_is_tested_and_says_what_failed() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("first"), "good").unwrap();
    let mut manager = Manager::open(folder.path(), None);
    manager.wait(|house| !house.listing().engines.is_empty());
    manager.choose("first");
    manager.shown.get_by_label("Hoshi 1.2");
    press(&mut manager.shown, "Test");
    manager.wait(|house| house.workshop().trial.is_some_and(|trial| !trial.running));
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
    let mut manager = Manager::open(&dir, Some(file.clone()));
    manager.wait(|house| !house.listing().engines.is_empty());
    manager.choose("first");
    manager.shown.get_by_role_and_label(Role::CheckBox, "Book").click();
    manager.shown.run_steps(3);
    manager.shown.get_by_role_and_label(Role::ComboBox, "Style").click();
    manager.shown.run_steps(3);
    press(&mut manager.shown, "wild");
    drop(manager);
    let mut manager = Manager::open(&dir, Some(file));
    let kept = manager.shown.state().house().settings().engines.clone();
    let set = &kept.options["first"];
    assert_eq!((set["Book"].as_str(), set["Style"].as_str()), ("false", "wild"));
    assert_eq!(set.len(), 2);
    manager.wait(|house| !house.listing().engines.is_empty());
    manager.choose("first");
    manager.shown.get_all_by_role_and_label(Role::Button, "Default").next().unwrap().click();
    manager.shown.run_steps(3);
    let kept = &manager.shown.state().house().settings().engines;
    assert!(!kept.options["first"].contains_key("Book"));
}

#[test]
fn engines_are_added_by_path_and_forgotten() {
    let folder = tempfile::tempdir().unwrap();
    let mut manager = Manager::open(folder.path(), None);
    let field = manager.shown.get_by_role_and_label(Role::TextInput, "Path or command");
    field.focus();
    manager.shown.run_steps(3);
    let field = manager.shown.get_by_role_and_label(Role::TextInput, "Path or command");
    field.type_text("/far/away.so");
    manager.shown.run_steps(3);
    press(&mut manager.shown, "Add");
    manager.wait(|house| names(house) == ["added /far/away.so"]);
    manager.wait(|house| house.workshop().profile.is_some());
    press(&mut manager.shown, "Forget");
    manager.wait(|house| names(house).is_empty());
}

#[test]
fn an_engine_is_found_by_walking_through_folders() {
    let folder = tempfile::tempdir().unwrap();
    let tools = folder.path().join("tools");
    std::fs::create_dir_all(tools.join("deep")).unwrap();
    std::fs::write(tools.join("deep/found"), "good").unwrap();
    let mut manager = Manager::open(folder.path(), None);
    press(&mut manager.shown, "Browse…");
    let lies = |house: &House, name: &str| {
        let dialog = house.file_dialog().expect("the dialog is open");
        dialog.folder.entries.iter().any(|entry| entry.name == name)
    };
    manager.shown.get_by_role_and_label(Role::TextInput, "File").focus();
    manager.shown.run_steps(2);
    manager.shown.key_press_modifiers(Modifiers::COMMAND, Key::A);
    manager.shown.run_steps(2);
    let typed = tools.join("").display().to_string();
    manager.shown.get_by_role_and_label(Role::TextInput, "File").type_text(&typed);
    manager.wait(|house| lies(house, "deep"));
    press(&mut manager.shown, "Up");
    manager.wait(|house| lies(house, "tools"));
    press(&mut manager.shown, "tools/");
    manager.wait(|house| lies(house, "deep"));
    press(&mut manager.shown, "deep/");
    manager.wait(|house| lies(house, "found"));
    press(&mut manager.shown, "found");
    press(&mut manager.shown, "Take");
    let found = tools.join("deep").join("found").display().to_string();
    manager.wait(|house| names(house).contains(&format!("added {found}")));
    let house = manager.shown.state().house();
    assert_eq!((house.workshop().chosen, house.file_dialog()), (Some(found), None));
}

#[test]
fn an_engine_that_is_dropped_on_the_window_is_added() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("a program");
    let library = folder.path().join("libfast.so");
    let mut manager = Manager::open(folder.path(), None);
    // In the dialog of engines any program is one, elsewhere what is called like one.
    drop_file(&mut manager.shown, &program);
    let added = |path: &Path| format!("added {}", path.display());
    manager.wait(|house| names(house) == [added(&program)]);
    press(&mut manager.shown, "Done");
    assert_eq!(manager.shown.state().house().dialog(), None);
    drop_file(&mut manager.shown, &library);
    manager.wait(|house| names(house) == [added(&program), added(&library)]);
    let house = manager.shown.state().house();
    assert_eq!(house.workshop().chosen, Some(library.display().to_string()));
    assert!(house.dialog().is_some(), "one sees what it is");
}

#[test]
fn a_folder_that_cannot_be_read_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let mut manager = Manager::open(folder.path(), None);
    press(&mut manager.shown, "Browse…");
    manager.shown.get_by_role_and_label(Role::TextInput, "File").focus();
    manager.shown.run_steps(2);
    let gone = folder.path().join("gone").join("").display().to_string();
    manager.shown.get_by_role_and_label(Role::TextInput, "File").type_text(&gone);
    let problem =
        |house: &House| house.file_dialog().and_then(|dialog| dialog.folder.problem.clone());
    manager.wait(|house| problem(house).is_some());
    let told = problem(manager.shown.state().house()).unwrap();
    manager.shown.get_by_label(&told);
    press(&mut manager.shown, "Cancel");
    assert!(manager.shown.state().house().file_dialog().is_none());
}

#[test]
fn an_engine_that_cannot_be_loaded_is_forgotten_from_the_list() {
    let folder = tempfile::tempdir().unwrap();
    let mut manager = Manager::open(folder.path(), None);
    manager.shown.get_by_role_and_label(Role::TextInput, "Path or command").focus();
    manager.shown.run_steps(3);
    manager.shown.get_by_role_and_label(Role::TextInput, "Path or command").type_text("bad one");
    manager.shown.run_steps(3);
    press(&mut manager.shown, "Add");
    manager.wait(|house| !house.listing().refused.is_empty());
    manager.shown.get_by_label("Cannot be loaded");
    manager.shown.get_all_by_role_and_label(Role::Button, "Forget").next().unwrap().click();
    manager.wait(|house| house.listing().refused.is_empty());
    assert_eq!(manager.shown.state().house().workshop().chosen, None);
}

#[test]
fn an_engine_that_does_not_start_says_why() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("bad"), "good").unwrap();
    let mut manager = Manager::open(folder.path(), None);
    manager.wait(|house| !house.listing().engines.is_empty());
    manager.choose("bad");
    manager.shown.get_by_label("It cannot be started: it does not start");
}

#[test]
fn a_trial_that_is_left_says_nothing_more() {
    let mut room = crate::room::Room::new();
    room.house.apply(Command::Engine(EngineCommand::Choose("dice".to_owned())));
    room.house.apply(Command::Engine(EngineCommand::Try("dice".to_owned())));
    room.house.apply(Command::Engine(EngineCommand::Choose("meek".to_owned())));
    let workshop = room.house.workshop();
    assert_eq!(workshop.chosen.as_deref(), Some("meek"));
    assert!(workshop.trial.is_none());
}
