//! The dialog of a new game, from its opening to the game.

use tengen_gui::app::{Command, FileCommand, GameForm};
use tengen_rules::{Procedure, Rule};

use crate::test_app::{TestApp, against};

#[test]
fn an_engine_that_cannot_be_hired_says_why() {
    let mut test = TestApp::with_engines();
    let setup = GameForm { main: 77, ..against("gone") };
    test.begin(setup.clone());
    // No game begins, and none is lost: the dialog is there again and says why.
    test.update_until(|app| app.form().is_some());
    assert_eq!(test.app.form_problem(), Some("GONE cannot play: its file is gone"));
    assert_eq!(test.app.form(), Some(&setup));
    assert!(test.app.tab().is_none());
    test.apply(Command::EditGameForm(against("dice")));
    assert_eq!(test.app.form_problem(), None);
    test.apply(Command::StartGame);
    test.wait_asked(0);
}

#[test]
fn a_new_game_proposes_no_engine_that_is_gone() {
    let mut test = TestApp::with_engines();
    test.apply(Command::OpenGameForm);
    test.apply(Command::EditGameForm(against("deleted")));
    test.apply(Command::CloseGameForm);
    test.apply(Command::OpenGameForm);
    assert_eq!(test.app.form(), Some(&against("dice")));
}

#[test]
fn a_position_is_forgotten_with_the_game_it_was_set_up_for() {
    let mut test = TestApp::new();
    test.begin(GameForm { rule: Rule::Renju, ..GameForm::default() });
    test.click("h8 h9 i8");
    let here = || Command::File(FileCommand::PlayHere);
    test.apply(here());
    let book = |test: &TestApp| test.app.form().unwrap().book.len();
    assert_eq!(book(&test), 3);
    test.apply(Command::CloseGameForm);
    test.apply(Command::OpenGameForm);
    assert_eq!((book(&test), test.app.form().unwrap().opening), (0, Procedure::None));
    test.apply(Command::CloseGameForm);
    test.apply(here());
    test.apply(Command::StartGame);
    test.wait_asked(3);
    test.apply(Command::OpenGameForm);
    let form = test.app.form().unwrap();
    assert_eq!((form.book.len(), form.opening, form.rule), (0, Procedure::None, Rule::Renju));
}
