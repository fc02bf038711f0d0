//! What one does with a game besides moving, by the buttons and menus of the window.

use eframe::egui::{Key, Modifiers, Role};
use egui_kittest::kittest::{NodeT, Queryable};
use tengen_arbiter::Termination;
use tengen_gui::app::{Advice, Command, GameForm, Language, Phase};
use tengen_rules::Seat;

use crate::test_app::{TestApp, against};
use crate::windows::{Shown, key, play, playing, press, snapshot, strike, wait, window};

/// Presses a button and lets the game come so far.
fn press_until(
    window: &mut Shown,
    label: &str,
    condition: impl Fn(&tengen_gui::app::Snapshot) -> bool,
) {
    press(window, label);
    wait(window, condition);
}

/// Chooses from a menu of the menu bar.
fn choose(window: &mut Shown, menu: &str, entry: &str) {
    press(window, menu);
    // Its key stands behind it.
    window.get_by_label_contains(entry).click();
    window.run_steps(3);
}

/// Gives a seat to another player, by the box that names the present one.
fn seat(window: &mut Shown, label: &str, who: &str) {
    window.get_by_role_and_label(Role::ComboBox, label).click();
    window.run_steps(3);
    press(window, who);
}

const SECOND: &str = "Second player";

#[test]
fn a_game_rests_and_goes_on() {
    let mut window = playing(GameForm::default());
    press_until(&mut window, "Pause", |snapshot| snapshot.phase == Phase::Paused);
    window.get_by_label("Paused; no clock runs");
    let buttons = window.query_all_by_role(Role::Button);
    let names = buttons.filter_map(|button| button.accesskit_node().label());
    assert_eq!(names.filter(|name| name == "Resume").count(), 2, "above and below the board");
    window.get_all_by_role_and_label(Role::Button, "Resume").next().unwrap().click();
    window.run_steps(3);
    wait(&mut window, |snapshot| snapshot.asks_person().is_some());
    window.get_by_label("Your move, black");
}

#[test]
fn several_moves_are_taken_back_to_the_one_that_is_looked_at() {
    let mut window = playing(GameForm::default());
    play(&mut window, "H8 H9 I8 I9 J8");
    press(&mut window, "2 H9 white");
    choose(&mut window, "Game", "Take back to here");
    wait(&mut window, |snapshot| snapshot.rows.len() == 2 && snapshot.asks_person().is_some());
    assert!(window.query_by_label("I8 black 3").is_none());
    window.get_by_role_and_label(Role::Image, "H9 white 2");
}

#[test]
fn a_person_resigns() {
    let mut window = playing(against("dice"));
    press(&mut window, "Resign");
    assert!(snapshot(&window).result.is_none());
    press_until(&mut window, "Really resign?", |snapshot| snapshot.result.is_some());
    let result = snapshot(&window).result.unwrap();
    assert_eq!(result.termination, Termination::Resignation);
    window.get_by_label("DICE (white) won: Person (black) resigned");
}

#[test]
fn a_person_who_is_asked_twice_plays_on() {
    let mut window = playing(against("dice"));
    strike(&mut window, Modifiers::COMMAND, Key::R);
    window.get_by_role_and_label(Role::Button, "Really resign?");
    key(&mut window, Key::Escape);
    window.get_by_role_and_label(Role::Button, "Resign");
    press(&mut window, "Resign");
    play(&mut window, "H8");
    window.get_by_role_and_label(Role::Button, "Resign");
    assert!(snapshot(&window).result.is_none());
}

#[test]
fn an_engine_that_passes_over_a_draw_is_said_to_decline_it() {
    let mut window = playing(against("dice"));
    press(&mut window, "Offer draw");
    wait(&mut window, |snapshot| snapshot.draw_offer == Some(Seat::First));
    play(&mut window, "H8");
    window.get_by_label("DICE declined the draw");
    assert_eq!((snapshot(&window).draw_offer, snapshot(&window).result), (None, None));
}

#[test]
fn an_engine_takes_the_draw_that_is_offered() {
    let mut window = playing(against("meek"));
    press(&mut window, "Offer draw");
    wait(&mut window, |snapshot| snapshot.draw_offer == Some(Seat::First));
    window.get_by_label("Person offers a draw");
    press_until(&mut window, "H8", |snapshot| snapshot.result.is_some());
    assert_eq!(snapshot(&window).result.unwrap().termination, Termination::Agreement);
    window.get_by_label("Draw by agreement");
}

#[test]
fn a_person_takes_the_draw_that_is_offered() {
    let mut window = playing(GameForm::default());
    press(&mut window, "Offer draw");
    wait(&mut window, |snapshot| snapshot.draw_offer.is_some() && snapshot.asks_person().is_some());
    play(&mut window, "H8");
    press_until(&mut window, "Accept draw", |snapshot| snapshot.result.is_some());
    window.get_by_label("Draw by agreement");
}

#[test]
fn a_hint_is_told_below_the_board() {
    let mut window = playing(against("dice"));
    press(&mut window, "Hint");
    wait(&mut window, |snapshot| {
        snapshot.hint.as_ref().is_some_and(|hint| hint.advice != Advice::Awaited)
    });
    assert!(window.query_by_label_contains("DICE would play").is_some());
    let advised = snapshot(&window);
    assert!(advised.rows.is_empty());
    assert!(matches!(advised.hint.as_ref().unwrap().advice, Advice::Answer(..)));
    play(&mut window, "A1");
    assert!(snapshot(&window).hint.is_none());
}

#[test]
fn a_seat_is_handed_over_and_taken_back() {
    let mut test = TestApp::with_engines();
    test.begin(GameForm::default());
    test.wait_asked(0);
    let mut window = window(test);
    play(&mut window, "H8");
    seat(&mut window, SECOND, "DICE");
    wait(&mut window, |snapshot| snapshot.rows.len() == 2 && snapshot.asks_person().is_some());
    assert_eq!(snapshot(&window).seats.second.name, "DICE");
    seat(&mut window, SECOND, "Person");
    wait(&mut window, |snapshot| snapshot.seats.second.is_person);
    let free = crate::test_app::clicks(window.state().app(), 2);
    let names = [free[0], free[1]].map(tengen_gui::app::translator::point);
    play(&mut window, &names.join(" "));
    assert_eq!((snapshot(&window).rows.len(), snapshot(&window).result), (4, None));
}

#[test]
fn a_person_is_called_so_in_the_language_that_is_chosen() {
    let mut test = TestApp::new();
    test.begin(GameForm::default());
    test.wait_asked(0);
    test.apply(Command::SetLanguage(Language::Chinese));
    let window = window(test);
    let sitters = window.query_all_by_role(Role::ComboBox);
    let names: Vec<_> =
        sitters.filter_map(|player_header| player_header.accesskit_node().value()).collect();
    assert_eq!(names, ["棋手", "棋手"]);
}
