//! The window in every language. The harness panics on a glyph that no font has.

use eframe::egui::Role;
use egui_kittest::kittest::Queryable;
use tengen_gui::app::{Command, GameForm, Language};
use tengen_rules::{Procedure, Rule};

use crate::test_app::TestApp;
use crate::windows::{play, playing, press, window};

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

#[test]
fn dialog_and_menus_are_whole_in_chinese() {
    let mut test = TestApp::new();
    test.app.apply(Command::SetLanguage(Language::Chinese));
    let mut window = window(test);
    window.run();
    press(&mut window, "新对局");
    press(&mut window, "19×19");
    window.get_by_role_and_label(Role::ComboBox, "开局").click();
    window.run_steps(3);
    press(&mut window, "山口规则");
    window.get_by_label("山口规则须用 15 路棋盘，不能用 19 路");
    press(&mut window, "取消");
    for menu in ["对局", "着法", "棋盘", "窗口"] {
        press(&mut window, menu);
    }
}

#[test]
fn an_opening_is_asked_for_in_chinese() {
    let mut test = TestApp::new();
    test.app.apply(Command::SetLanguage(Language::Chinese));
    test.begin(GameForm { opening: Procedure::Swap2, ..GameForm::default() });
    test.wait(|snapshot| snapshot.asks_person().is_some());
    let mut window = window(test);
    window.run_steps(3);
    window.get_by_label("请摆 3 子：黑、白、黑（已摆 0 子）");
}
