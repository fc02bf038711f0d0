//! Whole flows in the window, by its labels; and the helpers that drive one.

use std::sync::Arc;
use std::time::Duration;

use eframe::egui::{Key, Modifiers, Role, ViewportId};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use tengen_arbiter::Termination;
use tengen_gui::Window;
use tengen_gui::app::{App, Document, EventSession, GameForm, Phase, Snapshot};
use tengen_rules::Rule;

use crate::matches::{FIVE, event, gated, played, wait_for};
use crate::test_app::TestApp;

pub type Shown = Harness<'static, Window>;

pub fn window(test: TestApp) -> Shown {
    sized(test, [1180.0, 820.0])
}

/// A window of this size.
pub fn sized(test: TestApp, size: [f32; 2]) -> Shown {
    let builder = Harness::builder().with_size(size);
    let mut shown =
        builder.build_ui_state(|ui, window: &mut Window| window.frame(ui), Window::new(test.app));
    shown.run_steps(3);
    shown
}

pub fn watching(session: EventSession) -> Shown {
    let mut test = TestApp::new();
    test.app.open_match(session);
    window(test)
}

/// A window with this game, drawn when its first question is open.
pub fn playing(setup: GameForm) -> Shown {
    let mut test = TestApp::new();
    test.begin(setup);
    test.wait(|snapshot| snapshot.asks_person().is_some());
    window(test)
}

pub fn finished() -> Shown {
    watching(played(event(""), FIVE))
}

pub fn snapshot(window: &Shown) -> Arc<Snapshot> {
    window.state().app().snapshot().unwrap()
}

/// Waits until what is shown is so, and draws it.
pub fn wait(window: &mut Shown, condition: impl Fn(&Snapshot) -> bool) {
    match &window.state().app().tab().unwrap().document {
        Document::Event(session) => wait_for(session, condition),
        Document::Game(play) => play.wait_until(condition),
        Document::Table(session) => session.wait_until(condition),
        _ => panic!("nothing goes on there"),
    }
    window.run_steps(3);
}

/// Strikes a key, and draws what it does: a dialog finds its size and its middle first.
pub fn strike(window: &mut Shown, modifiers: Modifiers, key: Key) {
    window.key_press_modifiers(modifiers, key);
    window.run_steps(8);
}

pub fn key(window: &mut Shown, key: Key) {
    strike(window, Modifiers::NONE, key);
}

/// Presses the button of this name that lies in front.
pub fn press_last(window: &mut Shown, label: &str) {
    window.get_all_by_role_and_label(Role::Button, label).last().unwrap().click();
    window.run_steps(3);
}

/// Types into a field, in place of what stands there.
pub fn type_in(window: &mut Shown, label: &str, text: &str) {
    window.get_by_role_and_label(Role::TextInput, label).focus();
    window.run_steps(3);
    strike(window, Modifiers::COMMAND, Key::A);
    window.get_by_role_and_label(Role::TextInput, label).type_text(text);
    window.run_steps(3);
}

/// Clicks a button and lets the game come so far; a dialog finds its size and its middle first.
pub fn press(window: &mut Shown, label: &str) {
    window.get_by_role_and_label(Role::Button, label).click();
    window.run_steps(8);
}

/// Draws frames until what threads bring has made the app so.
pub fn update_until(window: &mut Shown, done: impl Fn(&App) -> bool) {
    while !done(window.state().app()) {
        std::thread::yield_now();
        window.step();
    }
    window.run_steps(3);
}

/// Types a file's name in the dialog of files, in place of the one proposed.
pub fn set_file_name(window: &mut Shown, path: &std::path::Path) {
    type_in(window, "File", &path.display().to_string());
}

/// Saves a file of this name in the dialog of files.
pub fn save_as(window: &mut Shown, path: &std::path::Path) {
    set_file_name(window, path);
    press_last(window, "Save");
    update_until(window, |app| app.file_dialog().is_none());
}

pub fn play(window: &mut Shown, points: &str) {
    for point in points.split_whitespace() {
        let rows = snapshot(window).rows.len();
        press(window, point);
        wait(window, |snapshot| {
            snapshot.rows.len() > rows
                && (snapshot.asks_person().is_some() || snapshot.result.is_some())
        });
    }
}

pub fn repaint_delay(window: &Shown) -> Duration {
    window.output().viewport_output[&ViewportId::ROOT].repaint_delay
}

#[test]
fn a_finished_match_is_on_the_screen_in_words() {
    let window = finished();
    for label in ["H8 black 1", "H9 white 2", "L8 black 9"] {
        window.get_by_role_and_label(Role::Image, label);
    }
    window.get_by_label("blue (black) won: five in a row");
    window.get_by_label("The match is over");
    window.get_by_role_and_label(Role::Button, "9 L8 black");
    window.get_by_label("Game 2 of 2");
    window.get_by_label("blue plays black");
}

#[test]
fn clicks_and_keys_look_back_and_the_game_does_not_change() {
    let mut window = finished();
    press(&mut window, "3 I8 black");
    assert_eq!(window.state().app().tab().unwrap().view.plies, Some(3));
    assert!(window.query_by_label("I9 white 4").is_none());
    key(&mut window, Key::Home);
    assert!(window.query_by_label("H8 black 1").is_none());
    key(&mut window, Key::ArrowRight);
    window.get_by_label("H8 black 1");
    key(&mut window, Key::End);
    window.get_by_label("L8 black 9");
    let snapshot = snapshot(&window);
    assert!(window.state().app().tab().unwrap().view.follows_game(&snapshot));
    assert_eq!(snapshot.rows.len(), 9);
}

#[test]
fn buttons_do_what_they_say_and_are_grey_otherwise() {
    let mut window = finished();
    assert!(window.get_by_role_and_label(Role::Button, "Pause").accesskit_node().is_disabled());
    assert!(window.get_by_role_and_label(Role::Button, "Stop").accesskit_node().is_disabled());
    press(&mut window, "New match");
    wait(&mut window, |snapshot| {
        snapshot.series.as_ref().unwrap().round == 2 && snapshot.phase == Phase::Finished
    });
}

#[test]
fn a_pause_is_asked_for_and_taken_back_by_a_button() {
    let (session, gate) = gated();
    let mut window = watching(session);
    press(&mut window, "Pause");
    assert_eq!(snapshot(&window).phase, Phase::Pausing);
    gate.let_pass(1);
    wait(&mut window, |snapshot| snapshot.phase == Phase::Paused);
    let paused = snapshot(&window);
    assert_eq!(paused.rows.len(), 1, "the awaited answer still came");
    assert_eq!(paused.asked.unwrap().since, None, "no clock runs");
    window.run();
    window.get_by_label("Paused; no clock runs");
    assert_eq!(repaint_delay(&window), Duration::MAX);
    window.get_all_by_role_and_label(Role::Button, "Resume").next().unwrap().click();
    window.run_steps(2);
    wait(&mut window, |snapshot| snapshot.phase == Phase::Playing);
    assert!(snapshot(&window).asked.unwrap().since.is_some());
}

#[test]
fn a_game_is_begun_from_the_dialog_and_played_on_the_board() {
    let mut window = window(TestApp::new());
    press(&mut window, "New game");
    window.get_by_role_and_label(Role::ComboBox, "Second player").click();
    window.run_steps(3);
    press(&mut window, "Person");
    press(&mut window, "Renju");
    press(&mut window, "Per game");
    window.get_by_role_and_label(Role::SpinButton, "Then periods of byo-yomi (0: none)");
    press(&mut window, "Begin");
    wait(&mut window, |snapshot| snapshot.asks_person().is_some());
    assert_eq!(snapshot(&window).rule, Rule::Renju);
    window.get_by_label("Your move, black");
    play(&mut window, "H8 I9");
    window.get_by_role_and_label(Role::Image, "I9 white 2");
    window.get_by_role_and_label(Role::Button, "2 I9 white");
    window.get_by_label("Your move, black");
}

#[test]
fn players_pass_by_a_button_where_that_was_settled() {
    let mut window = playing(GameForm { passing: true, ..GameForm::default() });
    play(&mut window, "H8");
    press(&mut window, "Pass");
    wait(&mut window, |snapshot| snapshot.rows.len() == 2 && snapshot.asks_person().is_some());
    press(&mut window, "Pass");
    wait(&mut window, |snapshot| snapshot.result.is_some());
    assert_eq!(snapshot(&window).result.unwrap().termination, Termination::Passes);
    let window = playing(GameForm::default());
    assert!(window.query_by_label("Pass").is_none());
}

#[test]
fn the_dialog_says_what_cannot_be_played() {
    let mut window = window(TestApp::new());
    press(&mut window, "New game");
    press(&mut window, "19×19");
    window.get_by_role_and_label(Role::ComboBox, "Opening").click();
    window.run_steps(3);
    press(&mut window, "RIF classic");
    window.get_by_label("RIF classic needs a board of 15, not 19");
    assert!(window.get_by_role_and_label(Role::Button, "Begin").accesskit_node().is_disabled());
}

#[test]
fn a_stone_is_laid_with_the_keys_alone() {
    let mut window = playing(GameForm::default());
    for struck in [Key::K, Key::ArrowRight, Key::ArrowUp, Key::ArrowUp] {
        key(&mut window, struck);
    }
    window.get_by_label("I10 cursor");
    key(&mut window, Key::Enter);
    wait(&mut window, |snapshot| snapshot.rows.len() == 1);
    window.get_by_label("I10 black 1 cursor");
}

#[test]
fn a_person_who_thinks_without_a_clock_costs_a_frame_a_second() {
    let window = playing(GameForm::default());
    let delay = repaint_delay(&window);
    assert!(delay > Duration::from_millis(100) && delay <= Duration::from_secs(1), "{delay:?}");
}

#[test]
fn a_click_draws_no_stone_the_next_snapshot_does() {
    let mut window = playing(GameForm::default());
    window.get_by_role_and_label(Role::Button, "H8").click();
    window.step();
    window.get_by_role_and_label(Role::Button, "H8");
    assert!(window.query_by_label("H8 black 1").is_none(), "the frame of the click is as before");
    wait(&mut window, |snapshot| snapshot.rows.len() == 1);
    window.get_by_role_and_label(Role::Image, "H8 black 1");
}

#[test]
fn the_language_is_switched_while_a_game_goes_on() {
    let mut window = playing(GameForm { rule: Rule::Renju, ..GameForm::default() });
    play(&mut window, "H8 H9 I9");
    window.get_by_label("Your move, white");
    window.get_by_label("D4  Flower Moon (花月, Kagetsu)");
    press(&mut window, "Window");
    press(&mut window, "中文");
    window.get_by_label("轮到你了：白方");
    window.get_by_label("D4  花月（Kagetsu）");
    window.get_by_role_and_label(Role::Image, "H8 黑方 1");
    press(&mut window, "窗口");
    press(&mut window, "English");
    window.get_by_label("Your move, white");
}
