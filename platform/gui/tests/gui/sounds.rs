//! What is to be heard when.

use tengen_gui::app::{ClockKind, Command, GameCommand, GameForm, Sound};
use tengen_players::Time;
use tengen_rules::{Rule, Seat};

use crate::matches::SECOND;
use crate::test_app::{TestApp, against, is_over, point};

/// What the last change sounds like.
fn heard(test: &mut TestApp) -> Option<Sound> {
    test.app.update();
    test.app.take_sound()
}

fn playing(setup: GameForm) -> TestApp {
    let mut test = TestApp::new();
    test.begin(setup);
    test.wait_asked(0);
    assert_eq!(heard(&mut test), None);
    test
}

/// Lays so many stones, which are heard.
fn lay(test: &mut TestApp, points: &str, count: usize) {
    test.click(points);
    test.wait_asked(count);
    assert_eq!(heard(test), Some(Sound::Stone));
}

#[test]
fn stones_and_the_end_are_heard_once() {
    let mut test = playing(GameForm::default());
    lay(&mut test, "h8", 1);
    assert_eq!(heard(&mut test), None);
    test.play(GameCommand::Resign(Seat::Second));
    test.wait(is_over);
    assert_eq!(heard(&mut test), Some(Sound::Over));
    assert_eq!(heard(&mut test), None);
}

#[test]
fn stones_that_are_taken_back_are_not_heard() {
    let mut test = playing(GameForm::default());
    lay(&mut test, "h8 i9", 2);
    test.play(GameCommand::TakeBack);
    test.wait_asked(1);
    assert_eq!(heard(&mut test), None);
}

#[test]
fn a_refused_point_is_heard() {
    let mut test = playing(GameForm { rule: Rule::Renju, ..GameForm::default() });
    lay(&mut test, "i8 a1 j8 c1 h9 e1 h10 a3", 8);
    test.apply(Command::Click(point("h8")));
    test.wait(|snapshot| snapshot.refusal.is_some());
    assert_eq!(heard(&mut test), Some(Sound::Refused));
}

#[test]
fn little_time_is_heard_once() {
    let mut test =
        playing(GameForm { clock: ClockKind::Game, main: 60, increment: 0, ..GameForm::default() });
    test.time.advance(50 * SECOND);
    assert_eq!(heard(&mut test), Some(Sound::LowTime));
    test.time.advance(SECOND);
    assert_eq!(heard(&mut test), None);
    assert!(test.time.now() > 0);
}

#[test]
fn another_table_and_a_muted_window_are_silent() {
    let mut test = playing(GameForm::default());
    lay(&mut test, "h8", 1);
    test.begin(against("dice"));
    test.wait_asked(0);
    assert_eq!(heard(&mut test), None);
    test.apply(Command::SelectTab(0));
    assert_eq!(heard(&mut test), None);
    test.apply(Command::SetSound(false));
    test.click("i9");
    test.wait_asked(2);
    assert_eq!(heard(&mut test), None);
}
