//! Every screen there is, in every language and theme: at rest nothing is drawn, and nothing that
//! is written is cut.

use std::path::Path;
use std::time::Duration;

use eframe::egui::{Role, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use tengen_gui::Window;
use tengen_gui::app::{
    ClockKind, Command, Dialog, EditorCommand, EventCommand, EventPage, EventPhase, GameCommand,
    GameForm, Language, Phase,
};
use tengen_rules::{BySeat, Procedure, Rule};
use tengen_tournament::EngineEntry;

use crate::events;
use crate::matches::{FIVE, SECOND, event, played};
use crate::test_app::{TestApp, engine, is_over, point};
use crate::texts::game_data;
use crate::windows::{Shown, repaint_delay, sized};

/// A screen, furnished in a folder that is empty.
type Screen = (&'static str, fn(&Path) -> TestApp);

const SCREENS: [Screen; 15] = [
    ("nothing", |_| TestApp::with_engines()),
    ("a new game", |_| {
        let mut test = TestApp::with_engines();
        test.app.propose(GameForm { opening: Procedure::Soosorv8, ..GameForm::default() });
        test
    }),
    ("settings", |_| shown(Dialog::Settings { typed: Default::default() })),
    ("keys", |_| shown(Dialog::Keys { awaiting: None, taken: None })),
    ("engines", |_| shown(Dialog::Engines { path: String::new() })),
    ("a match that is over", |_| watched()),
    ("a game that is over", |_| over()),
    ("a game that was lost by time", |_| {
        let mut test = TestApp::with_engines();
        let clock = ClockKind::Move;
        test.begin(GameForm { clock, per_move: 30, rule: Rule::Renju, ..GameForm::default() });
        test.click("h8 i9 h9");
        test.wait_asked(3);
        test.time.advance(31 * SECOND);
        test.play(GameCommand::ShowRefusal(None));
        test.wait(is_over);
        test
    }),
    ("a game that is paused", |_| {
        let mut test = TestApp::with_engines();
        test.begin(GameForm { rule: Rule::Renju, ..GameForm::default() });
        test.click("h8 h9");
        test.play(GameCommand::Pause);
        test.wait(|snapshot| snapshot.phase == Phase::Paused);
        test
    }),
    ("a study", |_| {
        let mut test = over();
        test.apply(Command::Analyse);
        test
    }),
    ("games to choose from", |_| {
        let mut test = TestApp::with_engines();
        let games = "h8i9h9i10\nh8i9\nh8i9h9i10h10\n".to_owned();
        test.paste(&games);
        test
    }),
    ("a position that is set up", |_| {
        let mut test = TestApp::with_engines();
        test.editor(EditorCommand::Open);
        test.editor(EditorCommand::Click(point("h8")));
        test
    }),
    ("the form of an event", |folder| {
        let mut test = events::test_app(folder);
        test.event(EventCommand::OpenForm);
        test
    }),
    ("an event that is over", |folder| finished(folder, EventPage::Standings)),
    ("its games", |folder| finished(folder, EventPage::FinishedGames)),
];

/// An app with a match whose game is over.
pub fn watched() -> TestApp {
    let mut test = TestApp::with_engines();
    test.app.open_match(played(event(""), FIVE));
    test
}

fn shown(dialog: Dialog) -> TestApp {
    let mut test = TestApp::with_engines();
    test.apply(Command::ShowDialog(dialog));
    test
}

fn over() -> TestApp {
    let mut test = TestApp::with_engines();
    let seats = BySeat { first: engine("dice"), second: engine("meek") };
    test.begin(GameForm { seats, ..GameForm::default() });
    test.wait(is_over);
    test
}

fn finished(folder: &Path, page: EventPage) -> TestApp {
    let mut test = events::test_app(folder);
    events::begin(&mut test, events::form(6));
    events::wait(&test, |shown| shown.phase == EventPhase::Finished);
    test.event(EventCommand::Show(page));
    test
}

/// The window of an app, of this size, when it has come to rest.
fn rested(test: TestApp, size: [f32; 2]) -> Shown {
    // A long way to rest: dialogs and lists find their sizes first.
    let builder = Harness::builder().with_size(size).with_max_steps(60);
    let mut window =
        builder.build_ui_state(|ui, window: &mut Window| window.frame(ui), Window::new(test.app));
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
            let mut test = furnish(folder.path());
            test.apply(Command::SetLanguage(language));
            test.apply(Command::SetDark(dark));
            let window = rested(test, size);
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
    let game_data = game_data(window).into_iter();
    let game_data = game_data.filter(|(text, _)| !is_path(text.galley.text()));
    let cut = game_data.filter(|(text, clip)| is_cut(text, *clip));
    cut.map(|(text, _)| text.galley.text().to_owned()).collect()
}

#[test]
fn moves_are_seen_in_the_smallest_window() {
    let mut test = TestApp::with_engines();
    test.begin(GameForm::default());
    test.click("h8 h9 i9");
    let mut window = smallest(test);
    let row = window.get_by_role_and_label(Role::Button, "3 I9 black").rect();
    assert!(row.bottom() < 520.0, "{row}");
    assert!(window.query_by_label("Evaluations and times of 3 moves").is_none());
    window.set_size(vec2(760.0, 820.0));
    window.run_steps(4);
    window.get_by_label("Evaluations and times of 3 moves");
}

/// The window of a game that goes on, as small as it gets.
fn smallest(test: TestApp) -> Shown {
    sized(test, [760.0, 520.0])
}

#[test]
fn long_names_leave_the_board_its_room() {
    let mut event = event("");
    event.engines = ["builtin:alphabeta", "builtin:alphabeta#2"].map(EngineEntry::new).to_vec();
    let session = played(event, FIVE);
    let mut test = TestApp::with_engines();
    let known = test.app.settings().window.side;
    test.app.open_match(session);
    let window = smallest(test);
    assert_eq!(window.state().app().settings().window.side, known);
    window.get_by_role_and_label(Role::Button, "Log of builtin:alphabeta#2");
}
