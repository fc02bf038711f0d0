//! What the window looks like, painted by the project's own rasteriser and compared with pictures
//! that a person has looked at. `UPDATE_PICTURES=1` writes them anew.

use std::fs;
use std::path::{Path, PathBuf};

use tengen_gui::app::{
    AnalysisCommand, App, BoardStyle, Brush, ClockKind, Command, Dialog, EditorCommand,
    EventCommand, FileCommand, GameCommand, GameForm, Language, MoveNumbers, Navigation,
};
use tengen_gui::{Window, paint_window};
use tengen_rules::{Procedure, Rule};

use crate::matches::{FIVE, SECOND, event, played};
use crate::screens::watched;
use crate::test_app::{TestApp, point};

/// The screen, and by how much its picture is made smaller.
const SCREEN: [u16; 2] = [840, 600];
const SMALLER: usize = 2;
/// How far a part of a pixel may be off, by how many pixels in a thousand it may be more, and how
/// far all of them may be on the average.
const NEAR: u8 = 24;
const FAR_PIXELS: usize = 4;
const MEAN: f64 = 1.0;

/// A picture of three parts a pixel.
struct Painted {
    width: usize,
    parts: Vec<u8>,
}

fn look(app: App) -> Painted {
    let image = paint_window(&mut Window::new(app), SCREEN);
    let [width, height] = image.size.map(|side| side / SMALLER);
    let part = |x: usize, y: usize, part: usize| {
        let pixels = (0..SMALLER * SMALLER).map(|index| {
            let (dx, dy) = (index % SMALLER, index / SMALLER);
            let pixel = image.pixels[(y * SMALLER + dy) * image.size[0] + x * SMALLER + dx];
            usize::from(pixel.to_array()[part])
        });
        (pixels.sum::<usize>() / (SMALLER * SMALLER)) as u8
    };
    let points = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let parts = points.flat_map(|(x, y)| [0, 1, 2].map(|index| part(x, y, index))).collect();
    Painted { width, parts }
}

fn write(path: &Path, painted: &Painted) {
    let height = painted.parts.len() / 3 / painted.width;
    let file = fs::File::create(path).unwrap();
    let mut encoder = png::Encoder::new(file, painted.width as u32, height as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_compression(png::Compression::High);
    encoder.write_header().unwrap().write_image_data(&painted.parts).unwrap();
}

fn read(path: &Path) -> Painted {
    let file = fs::File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut reader = png::Decoder::new(std::io::BufReader::new(file)).read_info().unwrap();
    let mut parts = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut parts).unwrap();
    assert_eq!(info.color_type, png::ColorType::Rgb);
    Painted { width: info.width as usize, parts }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pictures")
}

/// Compares what an app looks like with its picture.
fn compare(name: &str, app: App) {
    let painted = look(app);
    let path = folder().join(format!("{name}.png"));
    if std::env::var_os("UPDATE_PICTURES").is_some() {
        fs::create_dir_all(folder()).unwrap();
        write(&path, &painted);
        return;
    }
    let known = read(&path);
    assert_eq!((known.width, known.parts.len()), (painted.width, painted.parts.len()), "{name}");
    let off: Vec<u8> =
        known.parts.iter().zip(&painted.parts).map(|(one, other)| one.abs_diff(*other)).collect();
    let far = off.chunks_exact(3).filter(|pixel| pixel.iter().any(|part| *part > NEAR)).count();
    let mean = off.iter().map(|part| f64::from(*part)).sum::<f64>() / off.len() as f64;
    if far * 1000 > FAR_PIXELS * off.len() / 3 || mean > MEAN {
        let found = std::env::temp_dir().join(format!("tengen-{name}.png"));
        write(&found, &painted);
        panic!("{name}: {far} pixels are off, {mean:.2} on the average; see {}", found.display());
    }
}

fn apply(test: &mut TestApp, commands: impl IntoIterator<Item = Command>) {
    commands.into_iter().for_each(|command| test.apply(command));
}

#[test]
fn a_match_that_is_over() {
    compare("match", watched().app);
}

#[test]
fn a_match_in_byo_yomi() {
    let mut test = TestApp::with_engines();
    let mut event = event("");
    event.tc = "4,byo=3x30".parse().unwrap();
    test.app.open_match(played(event, FIVE));
    compare("byo-yomi", test.app);
}

#[test]
fn a_match_in_chinese_on_paper() {
    let mut test = watched();
    let settings = [
        Command::SetLanguage(Language::Chinese),
        Command::SetDark(false),
        Command::SetBoardStyle(BoardStyle::Paper),
        Command::SetMoveNumbers(MoveNumbers::Last),
    ];
    apply(&mut test, settings);
    compare("chinese", test.app);
}

#[test]
fn points_that_are_forbidden() {
    let mut test = TestApp::new();
    test.begin(GameForm { rule: Rule::Renju, ..GameForm::default() });
    test.click("i8 a1 j8 c1 h9 e1 h10 a3");
    test.wait_asked(8);
    apply(&mut test, [Command::SetBoardStyle(BoardStyle::Slate)]);
    compare("forbidden", test.app);
}

#[test]
fn a_line_that_is_tried_out() {
    let mut test = watched();
    let stones = ["g7", "j10"].map(|at| Command::Analysis(AnalysisCommand::Play(point(at))));
    apply(
        &mut test,
        [Command::Analyse, Command::Navigate(Navigation::After(6))].into_iter().chain(stones),
    );
    compare("analysis", test.app);
}

#[test]
fn an_opening_that_is_asked_on_a_wide_board() {
    let mut test = TestApp::new();
    test.begin(GameForm {
        width: 22,
        height: 17,
        opening: Procedure::Swap2,
        ..GameForm::default()
    });
    test.wait_asked(0);
    apply(&mut test, ["h8", "i9"].map(|at| Command::Click(point(at))));
    compare("opening", test.app);
}

#[test]
fn a_zone_that_the_opening_wants_a_stone_in_and_little_time() {
    let mut test = TestApp::new();
    let clock = ClockKind::Game;
    let opening = Procedure::Taraguchi10;
    test.begin(GameForm { opening, rule: Rule::Renju, clock, ..GameForm::default() });
    test.click("h8");
    test.answer(false);
    test.wait(|snapshot| snapshot.asks_person().is_some());
    test.time.advance(292 * SECOND);
    apply(&mut test, [Command::SetDark(false)]);
    compare("zone", test.app);
}

#[test]
fn a_flag_that_has_fallen() {
    let mut test = TestApp::with_engines();
    test.begin(GameForm { clock: ClockKind::Move, per_move: 30, ..GameForm::default() });
    test.click("h8 i9 h9");
    test.wait_asked(3);
    test.time.advance(31 * SECOND);
    test.play(GameCommand::ShowRefusal(None));
    test.wait(|snapshot| snapshot.result.is_some());
    compare("flag", test.app);
}

#[test]
fn the_engines_there_are() {
    let mut test = TestApp::with_engines();
    apply(&mut test, [Command::ShowDialog(Dialog::Engines { path: String::new() })]);
    test.app.update();
    compare("engines", test.app);
}

#[test]
fn nothing_on_any_table() {
    let folder = tempfile::tempdir().unwrap();
    let mut test = crate::events::test_app(folder.path());
    test.wait_for_engines();
    apply(&mut test, [Command::SetLanguage(Language::Chinese)]);
    compare("welcome", test.app);
}

#[test]
fn the_dialog_of_a_new_game() {
    let mut test = TestApp::with_engines();
    test.app.propose(GameForm { rule: Rule::Renju, ..GameForm::default() });
    test.app.update();
    compare("new-game", test.app);
}

#[test]
fn the_dialog_of_settings() {
    let mut test = TestApp::with_engines();
    let dialog = Command::ShowDialog(Dialog::Settings { typed: Default::default() });
    apply(&mut test, [Command::SetDark(false), dialog]);
    compare("settings", test.app);
}

#[test]
fn the_form_of_an_event() {
    let folder = tempfile::tempdir().unwrap();
    let mut test = crate::events::test_app(folder.path());
    test.wait_for_engines();
    apply(&mut test, [Command::Event(EventCommand::OpenForm)]);
    compare("event", test.app);
}

#[test]
fn a_position_that_cannot_be() {
    let mut test = TestApp::with_engines();
    let stones = ["h8", "i8", "j8"].map(|at| EditorCommand::Click(point(at)));
    let commands = [EditorCommand::Open, EditorCommand::Brush(Brush::White)].into_iter();
    apply(&mut test, commands.chain(stones).map(Command::Editor));
    compare("editor", test.app);
}

#[test]
fn games_to_choose_from() {
    let mut test = TestApp::with_engines();
    let games = "h8i9h9i10\nh8i9\nh8i9h9i10h10\n".to_owned();
    apply(&mut test, [Command::File(FileCommand::Paste(games))]);
    compare("collection", test.app);
}
