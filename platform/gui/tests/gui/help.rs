//! What the window tells and how it is left: news, names, tabs, help and the end.

use eframe::egui::{Key, Modifiers, Role};
use egui_kittest::kittest::Queryable;
use tengen_gui::app::{Command, FileCommand, GameForm, PlayerSpec};
use tengen_rules::{BySeat, Seat};

use crate::matches::SECOND;
use crate::test_app::{TestApp, engine, seat_name};
use crate::windows::{playing, press, repaint_delay, set_file_name, strike, update_until, window};

#[test]
fn good_news_goes_by_itself() {
    let folder = tempfile::tempdir().unwrap();
    let mut test = TestApp::new();
    test.begin(GameForm::default());
    test.click("h8");
    test.wait_asked(1);
    let path = folder.path().join("game.jsonl");
    let time = std::sync::Arc::clone(&test.time);
    let mut window = window(test);
    let before = window.get_by_role_and_label(Role::Image, "H8 black 1").rect();
    strike(&mut window, Modifiers::COMMAND, Key::S);
    set_file_name(&mut window, &path);
    press(&mut window, "Save");
    update_until(&mut window, |app| app.status_message().is_some());
    let told = format!("Saved: {}", path.display());
    window.get_by_label(&told);
    // Nothing moves for it, and it is looked at again when it goes.
    assert_eq!(window.get_by_role_and_label(Role::Image, "H8 black 1").rect(), before);
    assert!(repaint_delay(&window).as_nanos() <= u128::from(6 * SECOND));
    time.advance(6 * SECOND);
    window.run_steps(3);
    assert!(window.query_by_label(&told).is_none());
}

#[test]
fn two_engines_of_one_name_are_told_apart() {
    let mut test = TestApp::new();
    let seats = BySeat { first: engine("dice"), second: engine("twin:dice") };
    test.begin(GameForm { seats, ..GameForm::default() });
    let snapshot = test.wait(|snapshot| snapshot.rows.len() > 1);
    let names = Seat::ALL.map(|seat| seat_name(&snapshot, seat).to_owned());
    assert_eq!(names, ["dice", "twin:dice"]);
    test.apply(Command::SetPlayer(Seat::First, PlayerSpec::Person));
    let alone = |snapshot: &tengen_gui::app::Snapshot| {
        snapshot.result.is_some() || snapshot.seats.second.name == "DICE"
    };
    test.wait(alone);
}

#[test]
fn tabs_are_closed_by_their_crosses() {
    let mut test = TestApp::new();
    for stones in ["h8i9", "h8i9h9"] {
        test.file(FileCommand::Paste(stones.to_owned()));
    }
    let mut window = window(test);
    assert_eq!(window.state().app().tabs().0.len(), 2);
    window.get_by_label("Position of 3 stones");
    let label = "Close black – white";
    let crosses: Vec<_> = window.get_all_by_role_and_label(Role::Button, label).collect();
    crosses[0].click();
    window.run_steps(8);
    if window.state().app().dialog().is_some() {
        press(&mut window, "Discard");
    }
    assert_eq!(window.state().app().tabs().0.len(), 1);
    window.get_by_label("Position of 3 stones");
}

#[test]
fn a_position_that_is_opened_says_how_it_ended() {
    let mut test = TestApp::new();
    let stones = "h8a1i8b1j8c1k8d1l8";
    test.file(FileCommand::Paste(stones.to_owned()));
    let window = window(test);
    window.get_by_label_contains("won: five in a row");
    assert!(window.query_by_role(Role::ComboBox).is_none());
}

#[test]
fn help_says_what_the_program_is_and_quitting_ends_it() {
    let mut window = playing(GameForm::default());
    strike(&mut window, Modifiers::SHIFT, Key::F1);
    window.get_by_label_contains(env!("CARGO_PKG_VERSION"));
    press(&mut window, "Done");
    assert!(!window.state().app().is_closing());
    strike(&mut window, Modifiers::COMMAND, Key::Q);
    assert!(window.state().app().is_closing());
}

/// Elsewhere it is not known how many CPUs may be used.
#[cfg(target_os = "linux")]
#[test]
fn a_form_that_wants_more_than_the_machine_has_says_so() {
    use crate::events;
    use tengen_gui::app::EventCommand;

    let folder = tempfile::tempdir().unwrap();
    let mut test = events::test_app(folder.path());
    let mut form = events::form(4);
    form.config.concurrency = 1000;
    test.event(EventCommand::OpenForm);
    test.event(EventCommand::Edit(Box::new(form)));
    let window = window(test);
    window.get_by_label_contains("more concurrent games than CPUs");
}
