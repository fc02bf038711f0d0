//! What is to be heard when.

use tengen_gui::app::{ClockKind, Command, PlayCommand, Setup, Sound};
use tengen_players::Time;
use tengen_rules::{Rule, Seat};

use crate::house::SECOND;
use crate::room::{Room, against, is_over, point};

/// What the last change sounds like.
fn heard(room: &mut Room) -> Option<Sound> {
    room.house.settle();
    room.house.take_sound()
}

fn playing(setup: Setup) -> Room {
    let mut room = Room::new();
    room.begin(setup);
    room.wait_asked(0);
    assert_eq!(heard(&mut room), None);
    room
}

#[test]
fn stones_and_the_end_are_heard_once() {
    let mut room = playing(Setup::default());
    room.click("h8");
    room.wait_asked(1);
    assert_eq!(heard(&mut room), Some(Sound::Stone));
    assert_eq!(heard(&mut room), None);
    room.play(PlayCommand::Resign(Seat::Second));
    room.wait(is_over);
    assert_eq!(heard(&mut room), Some(Sound::Over));
    assert_eq!(heard(&mut room), None);
}

#[test]
fn stones_that_are_taken_back_are_not_heard() {
    let mut room = playing(Setup::default());
    room.click("h8 i9");
    room.wait_asked(2);
    assert_eq!(heard(&mut room), Some(Sound::Stone));
    room.play(PlayCommand::TakeBack);
    room.wait_asked(1);
    assert_eq!(heard(&mut room), None);
}

#[test]
fn a_refused_point_is_heard() {
    let mut room = playing(Setup { rule: Rule::Renju, ..Setup::default() });
    room.click("i8 a1 j8 c1 h9 e1 h10 a3");
    room.wait_asked(8);
    assert_eq!(heard(&mut room), Some(Sound::Stone));
    room.house.apply(Command::Click(point("h8")));
    room.wait(|snapshot| snapshot.refusal.is_some());
    assert_eq!(heard(&mut room), Some(Sound::Refused));
}

#[test]
fn little_time_is_heard_once() {
    let mut room =
        playing(Setup { clock: ClockKind::Game, main: 60, increment: 0, ..Setup::default() });
    room.time.advance(50 * SECOND);
    assert_eq!(heard(&mut room), Some(Sound::LowTime));
    room.time.advance(SECOND);
    assert_eq!(heard(&mut room), None);
    assert!(room.time.now() > 0);
}

#[test]
fn another_table_and_a_muted_window_are_silent() {
    let mut room = playing(Setup::default());
    room.click("h8");
    room.wait_asked(1);
    assert_eq!(heard(&mut room), Some(Sound::Stone));
    room.begin(against("dice"));
    room.wait_asked(0);
    assert_eq!(heard(&mut room), None);
    room.house.apply(Command::Front(0));
    assert_eq!(heard(&mut room), None);
    room.house.apply(Command::Sound(false));
    room.click("i9");
    room.wait_asked(2);
    assert_eq!(heard(&mut room), None);
}
