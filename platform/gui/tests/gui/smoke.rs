//! The program itself on a display, and a hand that clicks. A window without a display, drawn from
//! the same state, says where to click.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use eframe::egui::Role;
use egui_kittest::kittest::{NodeT, Queryable};
use tengen_gui::Window;
use tengen_gui::app::{ClockKind, Hired, House, Listed, Listing, Services, Setup, Shelf, Terms};
use tengen_testkit::VirtualTime;

use crate::windows::Shown;

/// How long anything may take on a machine that is busy.
const PATIENCE: Duration = Duration::from_secs(240);

/// The engines that the program is given, as its own shelf lists them.
struct Same;

impl Shelf for Same {
    fn list(&self) -> Listing {
        let listed = |id: &str| Listed { id: id.to_owned(), name: id.to_owned() };
        let engines = ["builtin:alphabeta", "greedy"].map(listed).to_vec();
        Listing { engines, ..Listing::default() }
    }

    fn hire(&self, _id: &str, _terms: &Terms) -> Result<Hired, String> {
        Err("only the program plays".to_owned())
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

fn ask(command: &mut Command) -> Option<String> {
    let output = command.output().expect("the chore installs this program");
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(start.elapsed() < PATIENCE, "{what} does not come");
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// The real window, and the one that knows where everything is.
struct Hand {
    window: String,
    mirror: Shown,
    pictures: PathBuf,
}

impl Hand {
    /// What the window shows, pixel by pixel.
    fn look(&self) -> Vec<u8> {
        let mut import = Command::new("import");
        let output = import.args(["-window", &self.window, "-depth", "8", "rgb:-"]).output();
        let output = output.expect("the chore installs this program");
        assert!(output.status.success(), "the window is gone");
        output.stdout
    }

    /// Keeps a picture of the window.
    fn keep(&self, name: &str) {
        let file = self.pictures.join(format!("{name}.png"));
        let mut import = Command::new("import");
        ask(import.args(["-window", &self.window]).arg(&file)).expect("a picture is taken");
    }

    /// Clicks in both windows, and waits until the click changes the real one.
    fn click(&mut self, role: Role, label: &str) {
        let at = self.mirror.get_by_role_and_label(role, label).rect().center();
        let (x, y) = (at.x.round().to_string(), at.y.round().to_string());
        let mut hand = Command::new("xdotool");
        ask(hand.args(["mousemove", "--window", &self.window, &x, &y])).expect("the hand moves");
        self.still();
        let before = self.look();
        ask(Command::new("xdotool").args(["click", "1"])).expect("the hand clicks");
        self.mirror.get_by_role_and_label(role, label).click();
        self.mirror.run_steps(8);
        let changed = || (self.look() != before).then_some(());
        until(&format!("the effect of a click on {label}"), changed);
    }

    /// Waits until nothing moves any more, and nothing that a resting hand brings about is to come.
    fn still(&self) {
        let (mut last, mut same) = (self.look(), 0);
        until("a still window", || {
            std::thread::sleep(Duration::from_millis(300));
            let now = self.look();
            same = if now == last { same + 1 } else { 0 };
            last = now;
            (same >= 3).then_some(())
        });
    }
}

#[test]
#[ignore = "needs a display and the program; `cargo xtask smoke` provides both"]
fn two_engines_play_to_the_end_of_a_game_begun_by_clicks() {
    let given = |name: &str| PathBuf::from(std::env::var_os(name).expect("the chore sets it"));
    let (program, engines) = (given("TENGEN_PROGRAM"), given("TENGEN_ENGINES"));
    let pictures = given("TENGEN_PICTURES");
    let home = tempfile::tempdir().unwrap();
    let mut start = Command::new(program);
    start.args(["gui", "--tc", "move=1", "--dir"]).arg(engines).arg("--data").arg(home.path());
    start.envs([("LC_ALL", "C"), ("LIBGL_ALWAYS_SOFTWARE", "1")]);
    start.env("XDG_CONFIG_HOME", home.path()).env_remove("WAYLAND_DISPLAY");
    let mut program = Program(start.stdin(Stdio::null()).spawn().unwrap());
    let window = until("the window", || {
        assert!(program.0.try_wait().unwrap().is_none(), "the program ended");
        let mut search = Command::new("xdotool");
        ask(search.args(["search", "--onlyvisible", "--name", "^Tengen$"]))?
            .lines()
            .next()
            .map(str::to_owned)
    });

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
    let builder = egui_kittest::Harness::builder().with_size([1180.0, 820.0]);
    let mut mirror =
        builder.build_ui_state(|ui, window: &mut Window| window.frame(ui), Window::new(house));
    mirror.run_steps(8);
    let mut hand = Hand { window, mirror, pictures };

    hand.click(Role::ComboBox, "First seat (begins with black)");
    hand.click(Role::Button, "greedy");
    hand.click(Role::Button, "Renju");
    hand.keep("new-game");
    assert!(!hand.mirror.get_by_label("Begin").accesskit_node().is_disabled());
    hand.click(Role::Button, "Begin");

    let over = until("the end of the game", || finished(&home.path().join("games")));
    assert!(over.contains("\"result\""), "{over}");
    hand.still();
    hand.keep("game");
    let played = hand.look();
    let colours: BTreeSet<&[u8]> = played.chunks_exact(3).collect();
    assert!(colours.len() > 500, "a wooden board has many colours, not {}", colours.len());
    hand.click(Role::Button, "Window");
    hand.click(Role::Button, "Light");
    hand.still();
    hand.keep("light");
    assert!(hand.look() != played, "a light window looks other than a dark one");
}

/// The record of a game that is over.
fn finished(folder: &Path) -> Option<String> {
    let file = std::fs::read_dir(folder).ok()?.flatten().next()?;
    std::fs::read_to_string(file.path()).ok()
}
