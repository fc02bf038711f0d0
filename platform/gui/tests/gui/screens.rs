//! Every screen there is, in every language and theme: at rest nothing is drawn, and nothing that
//! is written is cut.

use std::path::Path;
use std::time::Duration;

use eframe::egui::{Role, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use tengen_gui::Window;
use tengen_gui::app::{
    ClockKind, Command, Dialog, DraftCommand, EventCommand, EventPage, EventPhase, FileCommand,
    Language, Phase, PlayCommand, Setup,
};
use tengen_rules::{BySeat, Procedure, Rule};
use tengen_tournament::EngineEntry;

use crate::events;
use crate::house::{FIVE, SECOND, event, session};
use crate::room::{Room, engine, is_over, point};
use crate::texts::written;
use crate::windows::{Shown, repaint_delay};

/// A screen, furnished in a folder that is empty.
type Screen = (&'static str, fn(&Path) -> Room);

const SCREENS: [Screen; 15] = [
    ("nothing", |_| room()),
    ("a new game", |_| {
        let mut room = room();
        room.house.propose(Setup { opening: Procedure::Soosorv8, ..Setup::default() });
        room
    }),
    ("settings", |_| shown(Dialog::Settings { picture: String::new() })),
    ("keys", |_| shown(Dialog::Keys { awaiting: None, taken: None })),
    ("engines", |_| shown(Dialog::Engines { path: String::new() })),
    ("a match that is over", |_| {
        let session = session(event(""), FIVE, None);
        session.wait_until(|snapshot| snapshot.phase == Phase::Finished);
        let mut room = room();
        room.house.watch(session);
        room
    }),
    ("a game that is over", |_| over()),
    ("a game that was lost by time", |_| {
        let mut room = room();
        let clock = ClockKind::Move;
        room.begin(Setup { clock, per_move: 30, rule: Rule::Renju, ..Setup::default() });
        room.click("h8 i9 h9");
        room.wait_asked(3);
        room.time.advance(31 * SECOND);
        room.play(PlayCommand::Refuse(None));
        room.wait(is_over);
        room
    }),
    ("a game that is paused", |_| {
        let mut room = room();
        room.begin(Setup { rule: Rule::Renju, ..Setup::default() });
        room.click("h8 h9");
        room.play(PlayCommand::Pause);
        room.wait(|snapshot| snapshot.phase == Phase::Paused);
        room
    }),
    ("a study", |_| {
        let mut room = over();
        room.house.apply(Command::Analyse);
        room
    }),
    ("games to choose from", |_| {
        let mut room = room();
        let games = "h8i9h9i10\nh8i9\nh8i9h9i10h10\n".to_owned();
        room.house.apply(Command::File(FileCommand::Paste(games)));
        room
    }),
    ("a position that is set up", |_| {
        let mut room = room();
        room.house.apply(Command::Draft(DraftCommand::Open));
        room.house.apply(Command::Draft(DraftCommand::Click(point("h8"))));
        room
    }),
    ("the form of an event", |folder| {
        let mut room = events::room(folder);
        room.house.apply(Command::Event(EventCommand::OpenForm));
        room
    }),
    ("an event that is over", |folder| finished(folder, EventPage::Standings)),
    ("its games", |folder| finished(folder, EventPage::Games)),
];

/// A room in which the engines are known.
fn room() -> Room {
    let mut room = Room::new();
    room.settle_until(|house| !house.listing().engines.is_empty());
    room
}

fn shown(dialog: Dialog) -> Room {
    let mut room = room();
    room.house.apply(Command::Show(dialog));
    room
}

fn over() -> Room {
    let mut room = room();
    let seats = BySeat { first: engine("dice"), second: engine("meek") };
    room.begin(Setup { seats, ..Setup::default() });
    room.wait(is_over);
    room
}

fn finished(folder: &Path, page: EventPage) -> Room {
    let mut room = events::room(folder);
    events::begin(&mut room, events::form(6));
    events::wait(&room, |shown| shown.phase == EventPhase::Finished);
    room.house.apply(Command::Event(EventCommand::Show(page)));
    room
}

/// The window of a room, of this size, when it has come to rest.
fn rested(room: Room, size: [f32; 2]) -> Shown {
    // A long way to rest: dialogs and lists find their sizes first.
    let builder = Harness::builder().with_size(size).with_max_steps(60);
    let mut window =
        builder.build_ui_state(|ui, window: &mut Window| window.frame(ui), Window::new(room.house));
    window.run();
    window
}

#[test]
fn every_screen_comes_to_rest_and_is_whole_in_every_language() {
    for (name, furnish) in SCREENS {
        let cases = [
            (Language::English, true, [1024.0, 700.0]),
            (Language::Chinese, false, [1024.0, 700.0]),
            (Language::English, false, [760.0, 520.0]),
            (Language::Chinese, true, [760.0, 520.0]),
        ];
        for (language, dark, size) in cases {
            let folder = tempfile::tempdir().unwrap();
            let mut room = furnish(folder.path());
            room.house.apply(Command::Speak(language));
            room.house.apply(Command::Dark(dark));
            let window = rested(room, size);
            assert_eq!(repaint_delay(&window), Duration::MAX, "{name} goes on being drawn");
            let cut = cut(&window);
            assert!(cut.is_empty(), "{name} in {language:?}, {size:?}: {cut:?}");
        }
    }
}

/// What is written and cannot be read whole. Lists go on below their edge, and long paths are told
/// whole when the pointer rests on them.
fn cut(window: &Shown) -> Vec<String> {
    let is_cut = |text: &eframe::epaint::TextShape, clip: eframe::egui::Rect| {
        let rect = text.visual_bounding_rect();
        let sideways = rect.left() < clip.left() - 1.0 || rect.right() > clip.right() + 1.0;
        let seen = clip.intersects(rect) && clip.is_positive();
        text.galley.elided || (sideways && seen)
    };
    let is_path = |text: &str| Path::new(text).is_absolute();
    let written = written(window).into_iter();
    let written = written.filter(|(text, _)| !is_path(text.galley.text()));
    let cut = written.filter(|(text, clip)| is_cut(text, *clip));
    cut.map(|(text, _)| text.galley.text().to_owned()).collect()
}

#[test]
fn moves_are_seen_in_the_smallest_window() {
    let mut room = room();
    room.begin(Setup::default());
    room.click("h8 h9 i9");
    let mut window = smallest(room);
    let row = window.get_by_role_and_label(Role::Button, "3 I9 black").rect();
    assert!(row.bottom() < 520.0, "{row}");
    assert!(window.query_by_label("Evaluations and times of 3 moves").is_none());
    window.set_size(vec2(760.0, 820.0));
    window.run_steps(4);
    window.get_by_label("Evaluations and times of 3 moves");
}

/// The window of a game that goes on, as small as it gets.
fn smallest(room: Room) -> Shown {
    let builder = Harness::builder().with_size([760.0, 520.0]);
    let mut window =
        builder.build_ui_state(|ui, window: &mut Window| window.frame(ui), Window::new(room.house));
    window.run_steps(4);
    window
}

#[test]
fn long_names_leave_the_board_its_room() {
    let mut event = event("");
    event.engines = ["builtin:alphabeta", "builtin:alphabeta#2"].map(EngineEntry::new).to_vec();
    let session = session(event, FIVE, None);
    session.wait_until(|snapshot| snapshot.phase == Phase::Finished);
    let mut room = room();
    let known = room.house.settings().window.side;
    room.house.watch(session);
    let window = smallest(room);
    assert_eq!(window.state().house().settings().window.side, known);
    window.get_by_role_and_label(Role::Button, "Log of builtin:alphabeta#2");
}
