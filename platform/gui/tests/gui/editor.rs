//! Positions set up by hand, and played on from.

use eframe::egui::{Key, Modifiers, Role};
use egui_kittest::kittest::{NodeT, Queryable};
use tengen_gui::app::{Brush, Command, Document, EditorCommand, FileCommand, GameForm, PlayerSpec};
use tengen_rules::{BySeat, Color, Rule, Seat};

use crate::test_app::{TestApp, point};
use crate::windows::{press, strike, wait, window};

#[test]
fn a_position_is_set_up_by_clicks_and_played_on_from() {
    let mut test = TestApp::new();
    let seats = BySeat { first: PlayerSpec::Person, second: PlayerSpec::Person };
    test.apply(Command::OpenGameForm);
    test.apply(Command::EditGameForm(GameForm { seats, ..GameForm::default() }));
    test.apply(Command::CloseGameForm);
    let mut window = window(test);
    strike(&mut window, Modifiers::COMMAND, Key::B);
    for label in ["H8", "I9", "black", "J7", "K6", "Renju"] {
        press(&mut window, label);
    }
    for label in ["H8 black", "I9 white", "J7 black", "K6 black"] {
        window.get_by_role_and_label(Role::Button, label);
    }
    window.get_by_label("White to move needs one more black than white stones, not 3 and 1");
    let begin = window.get_by_role_and_label(Role::Button, "Play from here");
    assert!(begin.accesskit_node().is_disabled());
    press(&mut window, "removes");
    press(&mut window, "K6 black");
    window.get_by_label("3 stones; a game can start from here");
    press(&mut window, "Play from here");
    press(&mut window, "Begin");
    wait(&mut window, |snapshot| snapshot.asks_person().is_some());
    let snapshot = window.state().app().snapshot().unwrap();
    assert_eq!((snapshot.rule, snapshot.rows.len()), (Rule::Renju, 3));
    assert_eq!(snapshot.asked.unwrap().seat, Seat::Second);
    // The position stays as it was on its own table.
    assert!(matches!(window.state().app().tabs().0[0].document, Document::Editor(_)));
}

#[test]
fn the_position_shown_is_where_setting_up_begins() {
    let mut test = TestApp::new();
    test.paste("h8i9h9i10");
    test.look_at(3);
    test.editor(EditorCommand::Open);
    for command in [
        EditorCommand::Brush(Brush::White),
        EditorCommand::Click(point("a1")),
        EditorCommand::ToMove(Color::Black),
    ] {
        test.editor(command);
    }
    test.file(FileCommand::CopyPosition);
    let copied = test.app.take_copied().unwrap();
    test.paste(&copied);
    let mut stones: Vec<String> =
        test.snapshot().rows.iter().map(|row| format!("{} {}", row.mv, row.color)).collect();
    stones.sort();
    assert_eq!(stones, ["a1 white", "h8 black", "h9 black", "i9 white"]);
}
