//! Positions set up by hand, and played on from.

use eframe::egui::{Key, Modifiers, Role};
use egui_kittest::kittest::{NodeT, Queryable};
use tengen_gui::app::{
    Brush, Command, Document, DraftCommand, FileCommand, Language, Look, Occupant, Setup,
};
use tengen_rules::{BySeat, Color, Rule, Seat};

use crate::room::{Room, point};
use crate::windows::{press, wait, window};

#[test]
fn a_position_is_set_up_by_clicks_and_played_on_from() {
    let mut room = Room::new();
    let seats = BySeat { first: Occupant::Person, second: Occupant::Person };
    room.house.apply(Command::OpenForm);
    room.house.apply(Command::EditForm(Setup { seats, ..Setup::default() }));
    room.house.apply(Command::CloseForm);
    let mut window = window(room);
    window.run_steps(3);
    window.key_press_modifiers(Modifiers::COMMAND, Key::B);
    window.run_steps(3);
    for label in ["H8", "I9", "black", "J7", "K6", "Renju"] {
        press(&mut window, label);
    }
    for label in ["H8 black", "I9 white", "J7 black", "K6 black"] {
        window.get_by_role_and_label(Role::Button, label);
    }
    window.get_by_label("White to move needs one black stone more than white ones, not 3 and 1");
    let begin = window.get_by_role_and_label(Role::Button, "Play from here");
    assert!(begin.accesskit_node().is_disabled());
    press(&mut window, "takes away");
    press(&mut window, "K6 black");
    window.get_by_label("3 stones; a game can go on from here");
    press(&mut window, "Play from here");
    press(&mut window, "Begin");
    wait(&window, |snapshot| snapshot.asks_person().is_some());
    let snapshot = window.state().house().snapshot().unwrap();
    assert_eq!((snapshot.rule, snapshot.rows.len()), (Rule::Renju, 3));
    assert_eq!(snapshot.asked.unwrap().seat, Seat::Second);
    // The position stays as it was on its own table.
    assert!(matches!(window.state().house().tables().0[0].document, Document::Draft(_)));
}

#[test]
fn the_position_shown_is_where_setting_up_begins() {
    let mut room = Room::new();
    room.house.apply(Command::File(FileCommand::Paste("h8i9h9i10".to_owned())));
    room.house.apply(Command::Look(Look::After(3)));
    room.house.apply(Command::Draft(DraftCommand::Open));
    for command in [
        DraftCommand::Brush(Brush::White),
        DraftCommand::Click(point("a1")),
        DraftCommand::ToMove(Color::Black),
    ] {
        room.house.apply(Command::Draft(command));
    }
    room.house.apply(Command::File(FileCommand::CopyPosition));
    let copied = room.house.take_copied().unwrap();
    room.house.apply(Command::File(FileCommand::Paste(copied)));
    let mut stones: Vec<String> =
        room.snapshot().rows.iter().map(|row| format!("{} {}", row.mv, row.color)).collect();
    stones.sort();
    assert_eq!(stones, ["a1 white", "h8 black", "h9 black", "i9 white"]);
}

#[test]
fn a_position_is_set_up_in_chinese_too() {
    let mut room = Room::new();
    room.house.apply(Command::Speak(Language::Chinese));
    room.house.apply(Command::Draft(DraftCommand::Open));
    let mut window = window(room);
    window.run_steps(3);
    press(&mut window, "白子");
    press(&mut window, "H8");
    window.get_by_label("轮到黑方时黑白子数须相等，现为 0 与 1");
    press(&mut window, "清空棋盘");
    window.get_by_label("共 0 子；可以从此处开始对局");
}
