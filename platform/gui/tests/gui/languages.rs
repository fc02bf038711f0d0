//! The window in every language. The harness panics on a glyph that no font has.

use eframe::egui::Role;
use egui_kittest::kittest::Queryable;
use tengen_gui::app::GameForm;
use tengen_rules::Rule;

use crate::windows::{play, playing, press};

#[test]
fn the_language_is_switched_while_a_game_goes_on() {
    let mut window = playing(GameForm { rule: Rule::Renju, ..GameForm::default() });
    play(&mut window, "H8 H9 I9");
    window.get_by_label("Your move, white");
    window.get_by_label("D4  Flower Moon (花月, Kagetsu)");
    press(&mut window, "Window");
    press(&mut window, "中文");
    window.get_by_label("轮到你了：白方");
    window.get_by_label("D4  花月（Kagetsu）");
    window.get_by_role_and_label(Role::Image, "H8 黑方 1");
    press(&mut window, "窗口");
    press(&mut window, "English");
    window.get_by_label("Your move, white");
}
