//! Clocks in every state, found by their labels.

use eframe::egui::Role;
use egui_kittest::kittest::{NodeT, Queryable};
use tengen_gui::app::{ClockKind, GameCommand, GameForm, Phase};

use crate::test_app::TestApp;
use crate::windows::window;

const SECOND: u64 = 1_000_000_000;

/// A game of two persons, whose first has thought for so long.
fn thought(setup: GameForm, seconds: u64) -> TestApp {
    let mut test = TestApp::new();
    test.begin(setup);
    test.wait_asked(0);
    test.time.advance(seconds * SECOND);
    test
}

/// How the clocks of the window read, black's before white's.
fn timers(test: TestApp) -> [String; 2] {
    let window = window(test);
    let timers: Vec<String> = window
        .query_all_by_role(Role::Timer)
        .filter_map(|timer| timer.accesskit_node().label())
        .collect();
    timers.try_into().expect("there are two clocks")
}

fn game(main: u32) -> GameForm {
    GameForm { clock: ClockKind::Game, main, increment: 0, ..GameForm::default() }
}

#[test]
fn clocks_say_what_is_left_and_whose_turn_it_is() {
    let full = thought(game(3700), 3);
    assert_eq!(timers(full), ["black clock 1:01:37 running", "white clock 1:01:40 stopped"]);
    let low = thought(game(60), 55);
    assert_eq!(timers(low), ["black clock 5.0 running, low on time", "white clock 1:00 stopped"]);
    let per_move = GameForm { clock: ClockKind::Move, per_move: 30, ..GameForm::default() };
    let per_move = thought(per_move, 4);
    assert_eq!(timers(per_move), ["black clock 0:26 running", "white clock 0:30 stopped"]);
    let none = thought(GameForm::default(), 4);
    assert_eq!(timers(none), ["black clock no clock running", "white clock no clock stopped"]);
}

#[test]
fn a_paused_clock_says_so_and_stands() {
    let mut test = thought(game(60), 10);
    test.play(GameCommand::Pause);
    test.wait(|snapshot| snapshot.phase == Phase::Paused);
    test.time.advance(1000 * SECOND);
    assert_eq!(timers(test), ["black clock 0:50 paused", "white clock 1:00 stopped"]);
}

#[test]
fn a_flag_that_fell_stays_with_the_clock_that_ran_out() {
    for setup in
        [game(60), GameForm { clock: ClockKind::Move, per_move: 60, ..GameForm::default() }]
    {
        let mut test = thought(setup, 61);
        // Anything that happens makes the game look at its clock.
        test.play(GameCommand::ShowRefusal(None));
        test.wait(|snapshot| snapshot.result.is_some());
        assert_eq!(timers(test), ["black clock 0.0 out of time", "white clock 1:00 stopped"]);
    }
}
