//! The program itself on a display, and a game of two engines begun by clicks.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use eframe::egui::Role;
use egui_kittest::kittest::{NodeT, Queryable};
use tengen_gui::app::{App, AppServices, ClockKind, GameForm, Phase};
use tengen_lineup::EngineProvider;
use tengen_link::TableEngines;
use tengen_players::{EngineInstance, GameVariant, ListedEngine, RandomLegal};
use tengen_testkit::VirtualTime;

use crate::real_window::{RealWindow, find_window, until};
use crate::windows::wait;

/// The engines that the program is given, as its own engine list lists them; here they throw dice.
struct Same;

impl EngineProvider for Same {}

impl TableEngines for Same {
    fn list(&self) -> Vec<ListedEngine> {
        let listed = |id: &str| ListedEngine { id: id.to_owned(), name: id.to_owned() };
        ["builtin:alphabeta", "greedy"].map(listed).to_vec()
    }

    fn start(&self, id: &str, _terms: &GameVariant) -> Result<EngineInstance, String> {
        Ok(EngineInstance {
            name: id.to_owned(),
            version: None,
            hash: None,
            layers: Vec::new(),
            opening_by_arbiter: false,
            player: Box::new(RandomLegal::new()),
            interrupt: Arc::new(|| {}),
        })
    }
}

/// The program, ended with the test.
struct Program(Child);

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The state of the program when it has come up.
fn app() -> App {
    let services = AppServices {
        provider: Arc::new(Same),
        time: Arc::new(VirtualTime::default()),
        archive: None,
        events: None,
        wake: Arc::new(|| {}),
    };
    let mut app = App::new(services);
    app.propose(GameForm { clock: ClockKind::Move, per_move: 1, ..GameForm::default() });
    while app.engine_list().engines.is_empty() {
        std::thread::yield_now();
    }
    app
}

#[test]
#[ignore = "needs a display and the program; `cargo xtask smoke` provides both"]
fn two_engines_play_to_the_end_of_a_game_begun_by_clicks() {
    let given =
        |name: &str| PathBuf::from(std::env::var_os(name).expect("cargo xtask smoke sets it"));
    let (program, engines) = (given("TENGEN_PROGRAM"), given("TENGEN_ENGINES"));
    let home = tempfile::tempdir().unwrap();
    let mut start = Command::new(program);
    start.args(["gui", "--tc", "move=1", "--dir"]).arg(engines).arg("--data").arg(home.path());
    start.envs([("LC_ALL", "C"), ("LIBGL_ALWAYS_SOFTWARE", "1")]);
    start.env("XDG_CONFIG_HOME", home.path()).env_remove("WAYLAND_DISPLAY");
    let mut program = Program(start.stdin(Stdio::null()).spawn().unwrap());
    let window = until("the window", || {
        assert!(program.0.try_wait().unwrap().is_none(), "the program ended");
        find_window()
    });
    let mut real_window = RealWindow::new(window, app(), given("TENGEN_PICTURES"));

    real_window.click(Role::ComboBox, "First player (starts with black)");
    real_window.click(Role::Button, "greedy");
    real_window.click(Role::Button, "Renju");
    real_window.keep("new-game");
    assert!(!real_window.mirror.get_by_label("Begin").accesskit_node().is_disabled());
    real_window.press(Role::Button, "Begin");

    let over = until("the end of the game", || {
        let ended = program.0.try_wait().unwrap();
        assert!(ended.is_none(), "the program ended: {ended:?}");
        finished(&home.path().join("games"))
    });
    assert!(over.contains("\"result\""), "{over}");
    real_window.keep("game");
    let played = real_window.look();
    let colours: BTreeSet<&[u8; 3]> = played.iter().collect();
    assert!(colours.len() > 500, "a wooden board has many colours, not {}", colours.len());
    wait(&mut real_window.mirror, |snapshot| snapshot.phase == Phase::Finished);
    real_window.mirror.run_steps(8);
    real_window.click(Role::Button, "Window");
    real_window.click(Role::Button, "Light");
    real_window.keep("light");
    assert!(real_window.look() != played, "a light window looks other than a dark one");

    real_window.click(Role::Button, "File");
    let copy = real_window.entry("Copy game");
    real_window.press(Role::Button, &copy);
    let copied = until("the copied game", || real_window.clipboard());
    assert!(copied.contains("greedy"), "{copied}");
    for (name, title) in [("Host…", "host"), ("Join…", "join")] {
        real_window.click(Role::Button, "Game");
        let entry = real_window.entry(name);
        real_window.click(Role::Button, &entry);
        real_window.keep(title);
        real_window.click(Role::Button, "Cancel");
    }
}

/// The record of a game that is over.
fn finished(folder: &Path) -> Option<String> {
    let file = std::fs::read_dir(folder).ok()?.flatten().next()?;
    std::fs::read_to_string(file.path()).ok()
}
