//! Clocks that go on, and when they are drawn again.

use std::sync::Arc;
use std::time::Duration;

use eframe::egui::Role;
use egui_kittest::kittest::Queryable;
use tengen_arbiter::Termination;
use tengen_gui::app::{ClockKind, GameForm, Phase};
use tengen_rules::Seat;
use tengen_testkit::VirtualTime;

use crate::matches::SECOND;
use crate::test_app::{TestApp, is_over};
use crate::windows::{Shown, play, press, repaint_delay, snapshot, wait, window};

/// A game of two persons, and the time it is played in.
fn playing(setup: GameForm) -> (Shown, Arc<VirtualTime>) {
    let mut test = TestApp::new();
    test.begin(setup);
    test.wait_asked(0);
    let time = Arc::clone(&test.time);
    let window = window(test);
    (window, time)
}

fn blitz() -> GameForm {
    GameForm { clock: ClockKind::Game, main: 60, increment: 5, ..GameForm::default() }
}

fn clock(window: &Shown, label: &str) {
    window.get_by_role_and_label(Role::Timer, label);
}

#[test]
fn a_clock_is_drawn_at_its_next_digit_and_no_sooner_when_time_is_short() {
    let (mut window, time) = playing(blitz());
    let (second, fifth) = (Duration::from_secs(1), Duration::from_millis(200));
    // What has passed, how the clock reads then, and when it reads differently at the latest.
    let moments = [
        (0, "1:00 running", second),
        (1, "0:59 running", second),
        (480, "0:11 running, low on time", second),
        (21, "9.8 running, low on time", fifth),
        (90, "0.8 running, low on time", fifth),
    ];
    for (tenths, reads, delay) in moments {
        time.advance(tenths * SECOND / 10);
        window.run_steps(2);
        clock(&window, &format!("black clock {reads}"));
        clock(&window, "white clock 1:00 stopped");
        let next = repaint_delay(&window);
        assert!(next > Duration::ZERO && next <= delay + Duration::from_nanos(1), "{next:?}");
    }
    // Both digits at once: what is left changes in a tenth of a second and one nanosecond.
    time.advance(SECOND / 10);
    window.run_steps(2);
    let next = repaint_delay(&window);
    assert_eq!(next, Duration::from_nanos(SECOND / 10 + 1));
    time.advance(SECOND);
    press(&mut window, "H8");
    wait(&mut window, is_over);
    let result = snapshot(&window).result.unwrap();
    assert_eq!((result.winner, result.termination), (Some(Seat::Second), Termination::Timeout));
    clock(&window, "black clock 0.0 out of time");
    clock(&window, "white clock 1:00 stopped");
    assert_eq!(repaint_delay(&window), Duration::MAX);
}

#[test]
fn a_paused_clock_says_so_stands_and_goes_on() {
    let (mut window, time) = playing(GameForm { increment: 0, ..blitz() });
    time.advance(10 * SECOND);
    press(&mut window, "Pause");
    wait(&mut window, |snapshot| snapshot.phase == Phase::Paused);
    time.advance(1000 * SECOND);
    window.run_steps(2);
    clock(&window, "black clock 0:50 paused");
    clock(&window, "white clock 1:00 stopped");
    window.get_all_by_role_and_label(Role::Button, "Resume").next().unwrap().click();
    window.run_steps(3);
    wait(&mut window, |snapshot| snapshot.asks_person().is_some());
    time.advance(5 * SECOND);
    play(&mut window, "H8");
    clock(&window, "black clock 0:45 stopped");
}

#[test]
fn a_flag_that_fell_stays_with_the_clock_of_a_move_too() {
    let setup = GameForm { clock: ClockKind::Move, per_move: 60, ..GameForm::default() };
    let (mut window, time) = playing(setup);
    time.advance(61 * SECOND);
    press(&mut window, "H8");
    wait(&mut window, is_over);
    clock(&window, "black clock 0.0 out of time");
    clock(&window, "white clock 1:00 stopped");
}

#[test]
fn an_increment_is_given_and_the_turn_goes_over() {
    let (mut window, time) = playing(blitz());
    time.advance(10 * SECOND);
    play(&mut window, "H8");
    clock(&window, "black clock 0:55 stopped");
    clock(&window, "white clock 1:00 running");
    window.get_by_label("Your move, white");
}

#[test]
fn the_time_of_a_move_is_read_beside_its_bound_and_then_in_the_list() {
    let setup = GameForm { clock: ClockKind::Move, per_move: 30, ..GameForm::default() };
    let (mut window, time) = playing(setup);
    time.advance(4 * SECOND);
    window.run_steps(2);
    clock(&window, "black clock 0:26 running");
    window.get_by_label("4 of 30 s");
    play(&mut window, "H8");
    clock(&window, "black clock 0:30 stopped");
    assert_eq!(snapshot(&window).rows[0].spent, Some(4 * SECOND));
    window.get_by_label("4.00 s");
}
