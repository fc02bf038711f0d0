//! Lines that are tried out beside a game.

use eframe::egui::{Key, Role};
use egui_kittest::kittest::Queryable;

use crate::windows::{Shown, finished, press};

fn key(window: &mut Shown, key: Key) {
    window.key_press(key);
    window.run_steps(3);
}

fn tables(window: &Shown) -> usize {
    window.state().house().tables().0.len()
}

#[test]
fn a_line_is_tried_out_and_the_game_stays_as_it_is() {
    let mut window = finished();
    key(&mut window, Key::A);
    assert_eq!(tables(&window), 2);
    window.get_by_label("Try lines out: the game itself goes on");
    key(&mut window, Key::ArrowLeft);
    press(&mut window, "G7");
    window.get_by_label("G7 black 9");
    key(&mut window, Key::ArrowLeft);
    window.get_by_role_and_label(Role::Button, "variation G7");
    press(&mut window, "variation L8");
    window.get_by_label("L8 black 9");
    press(&mut window, "Delete from here");
    assert!(window.query_by_label("variation L8").is_none());
    let (tables, _) = window.state().house().tables();
    assert_eq!(tables[0].document.snapshot().unwrap().rows.len(), 9, "the game has its end");
}

#[test]
fn lines_that_go_off_stand_in_the_move_list_and_a_click_follows_them() {
    let mut window = finished();
    key(&mut window, Key::A);
    key(&mut window, Key::ArrowLeft);
    press(&mut window, "G7");
    press(&mut window, "A1");
    press(&mut window, "instead of move 9: L8");
    window.get_by_label("L8 black 9");
    press(&mut window, "instead of move 9: G7 A1");
    window.get_by_label("G7 black 9");
    key(&mut window, Key::ArrowRight);
    window.get_by_label("A1 white 10");
}

#[test]
fn a_variation_becomes_the_main_line() {
    let mut window = finished();
    key(&mut window, Key::A);
    key(&mut window, Key::ArrowLeft);
    press(&mut window, "G7");
    press(&mut window, "Make main line");
    key(&mut window, Key::ArrowLeft);
    let house = window.state().house();
    let study = house.table().unwrap().document.study().unwrap();
    let names: Vec<String> = study.branches(8).iter().map(|(mv, _)| mv.to_string()).collect();
    assert_eq!(names, ["g7", "l8"]);
}
