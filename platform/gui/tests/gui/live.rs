//! What engines say while they think, on the screen.

use std::sync::Arc;
use std::time::{Duration, Instant};

use eframe::egui::{Key, Role};
use egui_kittest::kittest::Queryable;
use tengen_gui::app::{EngineOutput, EventSession};

use crate::matches::{Gate, gated};
use crate::windows::{finished, key, press, repaint_delay, watching};

/// A match whose first engine thinks until the gate lets it pass, and was heard.
fn thinking() -> (EventSession, Arc<Gate>) {
    let (session, gate) = gated();
    let output = session.output(0).unwrap();
    let until = Instant::now() + Duration::from_secs(60);
    while output.read_log(|log, _| log.is_empty()) {
        assert!(Instant::now() < until, "the engine is not heard");
        std::thread::yield_now();
    }
    (session, gate)
}

#[test]
fn an_engine_is_read_while_it_thinks() {
    let (session, gate) = thinking();
    let window = watching(session);
    let row = "red  depth 4/6  ·  +35  ·  1.23M nodes  ·  1.23M nodes/s";
    window.get_by_label(row);
    window.get_by_role_and_label(Role::Button, "1.2 G8");
    assert!(
        repaint_delay(&window) <= Duration::from_nanos(EngineOutput::PACE),
        "a look lasts a while"
    );
    gate.open();
}

#[test]
fn a_line_lies_on_the_board_and_is_walked_with_keys() {
    let (session, gate) = thinking();
    let mut window = watching(session);
    window.get_by_role_and_label(Role::Image, "G7 candidate +35");
    window.get_by_role_and_label(Role::Image, "F7 candidate −7");
    window.get_by_role_and_label(Role::Image, "G10 white in 4 moves");
    key(&mut window, Key::Period);
    assert!(window.query_by_label("G8 white in 2 moves").is_none());
    key(&mut window, Key::Period);
    window.get_by_label("G8 white in 2 moves");
    assert!(window.query_by_label("G9 black in 3 moves").is_none());
    key(&mut window, Key::Comma);
    key(&mut window, Key::Comma);
    window.get_by_label("G10 white in 4 moves");
    press(&mut window, "1.3 G9");
    window.get_by_label("G9 black in 3 moves");
    assert!(window.query_by_label("G10 white in 4 moves").is_none());
    key(&mut window, Key::Home);
    key(&mut window, Key::V);
    assert!(window.query_by_label("G7 candidate +35").is_none(), "lines are off");
    gate.open();
}

#[test]
fn what_an_engine_printed_is_read_in_its_log() {
    let (session, gate) = thinking();
    let mut window = watching(session);
    press(&mut window, "Log of red");
    window.get_by_label("  0  thinks about ply 1");
    press(&mut window, "Log of blue");
    window.get_by_label("No output");
    press(&mut window, "Move list");
    window.get_by_label("Point");
    gate.open();
}

#[test]
fn a_click_on_the_graph_looks_at_that_ply() {
    let mut window = finished();
    key(&mut window, Key::Home);
    assert_eq!(window.state().app().tab().unwrap().view.plies, Some(0));
    // Its middle is beyond the nine plies: the newest.
    window.get_by_label("Evaluations and times of 9 moves").click();
    window.run_steps(3);
    assert_eq!(window.state().app().tab().unwrap().view.plies, None);
    window.get_by_label("L8 black 9");
    key(&mut window, Key::G);
    assert!(window.query_by_label("Evaluations and times of 9 moves").is_none());
}

#[test]
fn what_was_said_of_a_former_position_is_read_by_looking_back() {
    let mut window = finished();
    key(&mut window, Key::Home);
    window.get_by_role_and_label(Role::Image, "G7 candidate +35");
    window.get_by_label_contains("blue  depth");
}
