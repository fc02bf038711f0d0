//! What the window looks like, painted by the project's own rasteriser and compared with pictures
//! that somebody has looked at. `UPDATE_PICTURES=1` writes them anew.

use std::fs;
use std::path::{Path, PathBuf};

use tengen_gui::app::{
    BoardStyle, Brush, ClockKind, Command, Dialog, DraftCommand, EventCommand, FileCommand, House,
    Language, Look, Numbers, Phase, PlayCommand, Setup, StudyCommand,
};
use tengen_gui::{Window, paint_window};
use tengen_rules::{Procedure, Rule};

use crate::house::{FIVE, SECOND, event, session};
use crate::room::{Room, point};

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

/// A room in which the engines are known.
fn room() -> Room {
    let mut room = Room::new();
    room.settle_until(|house| !house.listing().engines.is_empty());
    room
}

/// A room with a match in it whose game is over.
fn over() -> Room {
    let session = session(event(""), FIVE, None);
    session.wait_until(|snapshot| snapshot.phase == Phase::Finished);
    let mut room = room();
    room.house.watch(session);
    room
}

fn look(house: House) -> Painted {
    let image = paint_window(&mut Window::new(house), SCREEN);
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

/// Compares what a house looks like with its picture.
fn compare(name: &str, house: House) {
    let painted = look(house);
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

fn apply(room: &mut Room, commands: impl IntoIterator<Item = Command>) {
    commands.into_iter().for_each(|command| room.house.apply(command));
}

#[test]
fn a_match_that_is_over() {
    compare("match", over().house);
}

#[test]
fn a_match_in_chinese_on_paper() {
    let mut room = over();
    let settings = [
        Command::Speak(Language::Chinese),
        Command::Dark(false),
        Command::Style(BoardStyle::Paper),
        Command::Number(Numbers::Last),
    ];
    apply(&mut room, settings);
    compare("chinese", room.house);
}

#[test]
fn points_that_are_forbidden() {
    let mut room = Room::new();
    room.begin(Setup { rule: Rule::Renju, ..Setup::default() });
    room.click("i8 a1 j8 c1 h9 e1 h10 a3");
    room.wait_asked(8);
    apply(&mut room, [Command::Style(BoardStyle::Slate)]);
    compare("forbidden", room.house);
}

#[test]
fn a_line_that_is_tried_out() {
    let mut room = over();
    let stones = ["g7", "j10"].map(|at| Command::Study(StudyCommand::Play(point(at))));
    apply(&mut room, [Command::Analyse, Command::Look(Look::After(6))].into_iter().chain(stones));
    compare("study", room.house);
}

#[test]
fn an_opening_that_is_asked_on_a_wide_board() {
    let mut room = Room::new();
    room.begin(Setup { width: 22, height: 17, opening: Procedure::Swap2, ..Setup::default() });
    room.wait_asked(0);
    apply(&mut room, ["h8", "i9"].map(|at| Command::Click(point(at))));
    compare("opening", room.house);
}

#[test]
fn a_zone_that_the_opening_wants_a_stone_in_and_little_time() {
    let mut room = Room::new();
    let clock = ClockKind::Game;
    let opening = Procedure::Taraguchi10;
    room.begin(Setup { opening, rule: Rule::Renju, clock, ..Setup::default() });
    room.click("h8");
    room.answer(false);
    room.wait(|snapshot| snapshot.asks_person().is_some());
    room.time.advance(292 * SECOND);
    apply(&mut room, [Command::Dark(false)]);
    compare("zone", room.house);
}

#[test]
fn a_flag_that_has_fallen() {
    let mut room = room();
    room.begin(Setup { clock: ClockKind::Move, per_move: 30, ..Setup::default() });
    room.click("h8 i9 h9");
    room.wait_asked(3);
    room.time.advance(31 * SECOND);
    room.play(PlayCommand::Refuse(None));
    room.wait(|snapshot| snapshot.result.is_some());
    compare("flag", room.house);
}

#[test]
fn the_engines_there_are() {
    let mut room = room();
    apply(&mut room, [Command::Show(Dialog::Engines { path: String::new() })]);
    room.house.settle();
    compare("engines", room.house);
}

#[test]
fn nothing_on_any_table() {
    let folder = tempfile::tempdir().unwrap();
    let mut room = crate::events::room(folder.path());
    room.settle_until(|house| !house.listing().engines.is_empty());
    apply(&mut room, [Command::Speak(Language::Chinese)]);
    compare("welcome", room.house);
}

#[test]
fn the_dialog_of_a_new_game() {
    let mut room = room();
    room.house.propose(Setup { rule: Rule::Renju, ..Setup::default() });
    room.house.settle();
    compare("new-game", room.house);
}

#[test]
fn the_dialog_of_settings() {
    let mut room = room();
    let dialog = Command::Show(Dialog::Settings { picture: String::new() });
    apply(&mut room, [Command::Dark(false), dialog]);
    compare("settings", room.house);
}

#[test]
fn the_form_of_an_event() {
    let folder = tempfile::tempdir().unwrap();
    let mut room = crate::events::room(folder.path());
    room.settle_until(|house| !house.listing().engines.is_empty());
    apply(&mut room, [Command::Event(EventCommand::OpenForm)]);
    compare("event", room.house);
}

#[test]
fn a_position_that_cannot_be() {
    let mut room = room();
    let stones = ["h8", "i8", "j8"].map(|at| DraftCommand::Click(point(at)));
    let commands = [DraftCommand::Open, DraftCommand::Brush(Brush::White)].into_iter();
    apply(&mut room, commands.chain(stones).map(Command::Draft));
    compare("draft", room.house);
}

#[test]
fn games_to_choose_from() {
    let mut room = room();
    let games = "h8i9h9i10\nh8i9\nh8i9h9i10h10\n".to_owned();
    apply(&mut room, [Command::File(FileCommand::Paste(games))]);
    compare("collection", room.house);
}
