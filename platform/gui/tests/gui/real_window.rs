//! A hand that clicks in the window of the program on a display. A window without a display, drawn
//! from the same state, says where to click and what is to be seen then.

use std::cell::RefCell;
use std::path::PathBuf;
use std::process::Command;
use std::rc::Rc;
use std::time::{Duration, Instant};

use eframe::egui::{ColorImage, Role, TexturesDelta, Ui, UiBuilder};
use egui_kittest::kittest::{NodeT, Queryable};
use egui_kittest::{Harness, TestRenderer};
use tengen_gui::app::App;
use tengen_gui::{Raster, Window};

use crate::windows::Shown;

/// How long anything may take on a machine that is busy.
const PATIENCE: Duration = Duration::from_secs(240);
/// The window as the program opens it.
const SIZE: [u16; 2] = [1180, 820];
/// How far a part of a pixel may be off between two ways of painting the same.
const NEAR: u8 = 32;
/// How many pixels in a hundred have to be as they should.
const MOST: usize = 90;

/// Three parts a pixel.
type Pixels = Vec<[u8; 3]>;

pub fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(start.elapsed() < PATIENCE, "{what} does not come");
        std::thread::sleep(Duration::from_millis(100));
    }
}

fn ask(command: &mut Command) -> Option<String> {
    let output = command.output().expect("cargo xtask smoke installs this program");
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The window of the program, if it is there.
pub fn find_window() -> Option<String> {
    let mut search = Command::new("xdotool");
    let found = ask(search.args(["search", "--onlyvisible", "--name", "^Tengen$"]))?;
    found.lines().next().map(str::to_owned)
}

/// Textures as a window brings them, and the painter that has taken them.
struct Textures(Rc<RefCell<Raster>>);

impl TestRenderer for Textures {
    fn handle_delta(&mut self, delta: &mut TexturesDelta) {
        self.0.borrow_mut().load(delta);
        delta.clear();
    }
}

/// The real window, and the one that knows where everything is.
pub struct RealWindow {
    window: String,
    pub mirror: Shown,
    painter: Rc<RefCell<Raster>>,
    pictures: PathBuf,
}

impl RealWindow {
    /// A hand for the window of this name, whose state is that of the app.
    pub fn new(window: String, app: App, pictures: PathBuf) -> RealWindow {
        let [width, height] = SIZE.map(usize::from);
        let painter = Rc::new(RefCell::new(Raster::new([width, height], 1.0)));
        let textures = Textures(Rc::clone(&painter));
        let builder = Harness::builder().with_size(SIZE.map(f32::from)).renderer(textures);
        // The harness leaves a margin, and the program does not.
        let draw = |ui: &mut Ui, window: &mut Window| {
            let screen = ui.ctx().content_rect();
            ui.scope_builder(UiBuilder::new().max_rect(screen), |ui| {
                ui.set_clip_rect(screen);
                window.frame(ui);
            });
        };
        let mut mirror = builder.build_ui_state(draw, Window::new(app));
        mirror.run_steps(8);
        let real_window = RealWindow { window, mirror, painter, pictures };
        let (expected, nothing) = (real_window.expect(), vec![[0; 3]; width * height]);
        until("the first picture", || {
            is_nearer(&real_window.look(), &expected, &nothing).then_some(())
        });
        real_window
    }

    /// What the window shows.
    pub fn look(&self) -> Pixels {
        let mut import = Command::new("import");
        let output = import.args(["-window", &self.window, "-depth", "8", "rgb:-"]).output();
        let output = output.expect("cargo xtask smoke installs this program");
        assert!(output.status.success(), "the window is gone");
        output.stdout.chunks_exact(3).map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect()
    }

    /// What it should show.
    fn expect(&self) -> Pixels {
        let output = self.mirror.output();
        let shapes = self.mirror.ctx.tessellate(output.shapes.clone(), output.pixels_per_point);
        let mut painter = self.painter.borrow().clone();
        painter.paint(&shapes);
        let ColorImage { pixels, .. } = painter.finish();
        pixels.iter().map(|pixel| [pixel.r(), pixel.g(), pixel.b()]).collect()
    }

    /// Keeps a picture of the window once it rests.
    pub fn keep(&self, name: &str) {
        let mut last = Vec::new();
        until("a window at rest", || {
            let now = self.look();
            let rests = now == last;
            last = now;
            rests.then_some(())
        });
        let file = self.pictures.join(format!("{name}.png"));
        let mut import = Command::new("import");
        ask(import.args(["-window", &self.window]).arg(&file)).expect("a picture is taken");
    }

    /// Clicks in both windows.
    pub fn press(&mut self, role: Role, label: &str) {
        let at = self.mirror.get_by_role_and_label(role, label).rect().center();
        let (x, y) = (at.x.round().to_string(), at.y.round().to_string());
        let mut real_window = Command::new("xdotool");
        real_window.args(["mousemove", "--sync", "--window", &self.window, &x, &y, "click", "1"]);
        ask(&mut real_window).expect("the hand clicks");
        self.mirror.get_by_role_and_label(role, label).click();
        self.mirror.run_steps(8);
    }

    /// The label of an entry of the open menu, with its key.
    pub fn entry(&self, name: &str) -> String {
        let entry = self.mirror.get_by_label_contains(name);
        entry.accesskit_node().label().expect("an entry has a label")
    }

    /// What the system's clipboard holds.
    pub fn clipboard(&self) -> Option<String> {
        ask(Command::new("xclip").args(["-out", "-selection", "clipboard"]))
    }

    /// Clicks in both windows, and waits until the real one shows what the click does.
    pub fn click(&mut self, role: Role, label: &str) {
        let before = self.expect();
        self.press(role, label);
        let after = self.expect();
        let changes = || is_nearer(&self.look(), &after, &before).then_some(());
        until(&format!("the effect of a click on {label}"), changes);
    }
}

/// Whether most of the pixels that make the difference are as in the one picture, and not as in the
/// other.
fn is_nearer(seen: &[[u8; 3]], one: &[[u8; 3]], other: &[[u8; 3]]) -> bool {
    assert_eq!(seen.len(), one.len(), "the window has another size");
    let off = |a: &[u8; 3], b: &[u8; 3]| {
        a.iter().zip(b).map(|(a, b)| u32::from(a.abs_diff(*b))).sum::<u32>()
    };
    let is_near = |a: &[u8; 3], b: &[u8; 3]| a.iter().zip(b).all(|(a, b)| a.abs_diff(*b) <= NEAR);
    let (mut all, mut right) = (0, 0);
    for ((seen, one), other) in seen.iter().zip(one).zip(other) {
        if !is_near(one, other) {
            all += 1;
            right += usize::from(off(seen, one) < off(seen, other));
        }
    }
    assert!(all > 0, "there is no difference to see");
    right * 100 >= all * MOST
}

#[test]
fn a_picture_is_nearer_to_the_one_it_shows() {
    let (dark, light, red) = ([20, 20, 30], [240, 240, 230], [200, 20, 20]);
    let (one, other) = (vec![dark; 100], [vec![light; 50], vec![dark; 50]].concat());
    let noisy = |pixel: [u8; 3]| pixel.map(|part| part + 9);
    let seen: Pixels = one.iter().map(|pixel| noisy(*pixel)).collect();
    assert!(is_nearer(&seen, &one, &other) && !is_nearer(&seen, &other, &one));
    // What makes no difference may look as it likes; half of what does may not.
    let seen = [vec![dark; 50], vec![red; 50]].concat();
    assert!(is_nearer(&seen, &one, &other));
    let seen = [vec![light; 25], vec![dark; 75]].concat();
    assert!(!is_nearer(&seen, &one, &other) && !is_nearer(&seen, &other, &one));
}
