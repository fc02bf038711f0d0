use std::sync::Arc;
use std::time::Duration;

use eframe::egui::{Context, Key, Role, ViewportId};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use tengen_gui::Window;
use tengen_gui::app::{Phase, Session};

use crate::house::{FIVE, Gate, THREES, event, session};

fn window(session: Session) -> Harness<'static, Window> {
    let builder = Harness::builder().with_size([1100.0, 760.0]);
    // A context that nobody draws: tests draw when they look.
    let window = Window::new(session, &Context::default());
    builder.build_ui_state(|ui, window: &mut Window| window.frame(ui), window)
}

fn finished() -> Harness<'static, Window> {
    let session = session(event(""), FIVE, None);
    session.wait_until(|snapshot| snapshot.phase == Phase::Finished);
    let mut window = window(session);
    window.run();
    window
}

fn repaint_delay(window: &Harness<'_, Window>) -> Duration {
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
fn nothing_is_drawn_when_nothing_changes() {
    assert_eq!(repaint_delay(&finished()), Duration::MAX);
}

#[test]
fn a_running_clock_is_drawn_at_its_next_digit() {
    let gate = Arc::new(Gate::default());
    let session = session(event(""), FIVE, Some(Arc::clone(&gate)));
    session.wait_until(|snapshot| snapshot.phase == Phase::Playing);
    let mut window = window(session);
    window.run_steps(3);
    // A minute just begun: one nanosecond later it is fifty-nine seconds and a bit.
    window.get_by_role_and_label(Role::Timer, "black clock 1:00 running");
    window.get_by_role_and_label(Role::Timer, "white clock 1:00 standing");
    assert!(repaint_delay(&window) <= Duration::from_secs(1));
}

#[test]
fn clicks_and_keys_look_back_and_the_game_does_not_change() {
    let mut window = finished();
    window.get_by_role_and_label(Role::Button, "3 I8 black").click();
    window.run();
    assert_eq!(window.state().view().plies, Some(3));
    assert!(window.query_by_label("I9 white 4").is_none());
    window.key_press(Key::Home);
    window.run();
    assert!(window.query_by_label("H8 black 1").is_none());
    window.key_press(Key::ArrowRight);
    window.run();
    window.get_by_label("H8 black 1");
    window.key_press(Key::End);
    window.run();
    window.get_by_label("L8 black 9");
    assert!(window.state().view().is_live(&window.state().session().snapshot()));
    assert_eq!(window.state().session().snapshot().rows.len(), 9);
}

#[test]
fn buttons_do_what_they_say_and_are_grey_otherwise() {
    let mut window = finished();
    assert!(window.get_by_role_and_label(Role::Button, "Pause").accesskit_node().is_disabled());
    assert!(window.get_by_role_and_label(Role::Button, "Stop").accesskit_node().is_disabled());
    window.get_by_role_and_label(Role::Button, "New match").click();
    window.run_steps(2);
    let session = window.state().session();
    session.wait_until(|snapshot| snapshot.round == 2 && snapshot.phase == Phase::Finished);
}

#[test]
fn a_pause_is_asked_for_and_taken_back_by_a_button() {
    let gate = Arc::new(Gate::default());
    let session = session(event(""), FIVE, Some(Arc::clone(&gate)));
    session.wait_until(|snapshot| snapshot.phase == Phase::Playing);
    let mut window = window(session);
    window.run_steps(2);
    window.get_by_role_and_label(Role::Button, "Pause").click();
    window.run_steps(2);
    gate.let_pass(1);
    window.state().session().wait_until(|snapshot| snapshot.phase == Phase::Paused);
    window.run();
    window.get_by_label("Paused; no clock runs");
    assert_eq!(repaint_delay(&window), Duration::MAX);
    window.get_by_role_and_label(Role::Button, "Continue").click();
    window.run_steps(2);
    window.state().session().wait_until(|snapshot| snapshot.phase == Phase::Playing);
}

#[test]
fn forbidden_points_say_why() {
    let gate = Arc::new(Gate::default());
    let session = session(event("rule = 'renju'"), THREES, Some(Arc::clone(&gate)));
    gate.let_pass(8);
    session.wait_until(|snapshot| snapshot.rows.len() == 8);
    let mut window = window(session);
    window.run_steps(2);
    window.get_by_role_and_label(Role::Image, "H8 forbidden: double three");
}

#[test]
fn every_text_has_its_glyphs() {
    // The harness panics on a missing one.
    for time in ["60+1", "inf", "move=5"] {
        let mut event = event("");
        event.tc = time.parse().unwrap();
        let session = session(event, FIVE, None);
        session.wait_until(|snapshot| snapshot.phase == Phase::Finished);
        window(session).run();
    }
}
