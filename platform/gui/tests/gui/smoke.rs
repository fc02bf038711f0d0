//! The program itself on a display, and a game of two engines begun by clicks.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use eframe::egui::Role;
use egui_kittest::kittest::{NodeT, Queryable};
use tengen_gui::app::{
    ClockKind, Hired, House, Listed, Listing, Phase, Services, Setup, Shelf, Terms,
};
use tengen_players::RandomLegal;
use tengen_testkit::VirtualTime;

use crate::hand::{Hand, find_window, until};
use crate::windows::wait;

/// The engines that the program is given, as its own shelf lists them; here they throw dice.
struct Same;

impl Shelf for Same {
    fn list(&self) -> Listing {
        let listed = |id: &str| Listed { id: id.to_owned(), name: id.to_owned() };
        let engines = ["builtin:alphabeta", "greedy"].map(listed).to_vec();
        Listing { engines, ..Listing::default() }
    }

    fn hire(&self, id: &str, _terms: &Terms) -> Result<Hired, String> {
        Ok(Hired {
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
fn house() -> House {
    let services = Services {
        shelf: Arc::new(Same),
        time: Arc::new(VirtualTime::default()),
        archive: None,
        events: None,
        wake: Arc::new(|| {}),
    };
    let mut house = House::new(services);
    house.propose(Setup { clock: ClockKind::Move, per_move: 1, ..Setup::default() });
    while house.listing().engines.is_empty() {
        std::thread::yield_now();
    }
    house
}

#[test]
#[ignore = "needs a display and the program; `cargo xtask smoke` provides both"]
fn two_engines_play_to_the_end_of_a_game_begun_by_clicks() {
    let given = |name: &str| PathBuf::from(std::env::var_os(name).expect("the chore sets it"));
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
    let mut hand = Hand::new(window, house(), given("TENGEN_PICTURES"));

    hand.click(Role::ComboBox, "First seat (begins with black)");
    hand.click(Role::Button, "greedy");
    hand.click(Role::Button, "Renju");
    hand.keep("new-game");
    assert!(!hand.mirror.get_by_label("Begin").accesskit_node().is_disabled());
    hand.press(Role::Button, "Begin");

    let over = until("the end of the game", || {
        let ended = program.0.try_wait().unwrap();
        assert!(ended.is_none(), "the program ended: {ended:?}");
        finished(&home.path().join("games"))
    });
    assert!(over.contains("\"result\""), "{over}");
    hand.keep("game");
    let played = hand.look();
    let colours: BTreeSet<&[u8; 3]> = played.iter().collect();
    assert!(colours.len() > 500, "a wooden board has many colours, not {}", colours.len());
    wait(&hand.mirror, |snapshot| snapshot.phase == Phase::Finished);
    hand.mirror.run_steps(8);
    hand.click(Role::Button, "Window");
    hand.click(Role::Button, "Light");
    hand.keep("light");
    assert!(hand.look() != played, "a light window looks other than a dark one");
}

/// The record of a game that is over.
fn finished(folder: &Path) -> Option<String> {
    let file = std::fs::read_dir(folder).ok()?.flatten().next()?;
    std::fs::read_to_string(file.path()).ok()
}
