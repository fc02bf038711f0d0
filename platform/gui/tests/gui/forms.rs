//! The dialog of a new game, from its opening to the game.

use tengen_gui::app::{Command, FileCommand, Setup};
use tengen_rules::{Procedure, Rule};

use crate::room::{Room, against};

#[test]
fn an_engine_that_cannot_be_hired_says_why() {
    let mut room = Room::new();
    room.settle_until(|house| !house.listing().engines.is_empty());
    let setup = Setup { main: 77, ..against("gone") };
    room.begin(setup.clone());
    // No game begins, and none is lost: the dialog is there again and says why.
    room.settle_until(|house| house.form().is_some());
    assert_eq!(room.house.form_problem(), Some("GONE cannot play: its file is gone"));
    assert_eq!(room.house.form(), Some(&setup));
    assert!(room.house.table().is_none());
    room.house.apply(Command::EditForm(against("dice")));
    assert_eq!(room.house.form_problem(), None);
    room.house.apply(Command::Begin);
    room.wait_asked(0);
}

#[test]
fn a_new_game_proposes_no_engine_that_is_gone() {
    let mut room = Room::new();
    room.settle_until(|house| !house.listing().engines.is_empty());
    room.house.apply(Command::OpenForm);
    room.house.apply(Command::EditForm(against("deleted")));
    room.house.apply(Command::CloseForm);
    room.house.apply(Command::OpenForm);
    assert_eq!(room.house.form(), Some(&against("dice")));
}

#[test]
fn a_position_is_forgotten_with_the_game_it_was_set_up_for() {
    let mut room = Room::new();
    room.begin(Setup { rule: Rule::Renju, ..Setup::default() });
    room.click("h8 h9 i8");
    let here = || Command::File(FileCommand::PlayHere);
    room.house.apply(here());
    let book = |room: &Room| room.house.form().unwrap().book.len();
    assert_eq!(book(&room), 3);
    room.house.apply(Command::CloseForm);
    room.house.apply(Command::OpenForm);
    assert_eq!((book(&room), room.house.form().unwrap().opening), (0, Procedure::None));
    room.house.apply(Command::CloseForm);
    room.house.apply(here());
    room.house.apply(Command::Begin);
    room.wait_asked(3);
    room.house.apply(Command::OpenForm);
    let form = room.house.form().unwrap();
    assert_eq!((form.book.len(), form.opening, form.rule), (0, Procedure::None, Rule::Renju));
}
