//! Everything that can be done, in its menu and in the list of keys; and the window as it was left.

use std::path::Path;

use eframe::egui::{Key, Modifiers, Rect, Role, ViewportId, pos2, vec2};
use egui_kittest::kittest::{NodeT, Queryable};
use tengen_gui::app::{
    GameForm, Language, Menu, SettingsStore, Translator, UserAction, WindowGeometry,
};

use crate::test_app::TestApp;
use crate::texts::texts;
use crate::windows::{Shown, key, press, strike, window};

/// A window in which a game of two persons is played, its settings kept in this file.
fn remembering(file: &Path) -> Shown {
    let mut test = TestApp::new();
    test.app.use_settings_store(SettingsStore::open(file.to_owned(), "C"));
    test.begin(GameForm::default());
    test.wait_asked(0);

    window(test)
}

/// The keys as the dialog lists them, in the order of the actions.
fn listed(window: &mut Shown, tr: Translator) -> Vec<String> {
    key(window, Key::F1);
    let keys = UserAction::ALL.iter().map(|action| {
        let label = tr.text(action.label());
        let start = match tr.language {
            Language::English => format!("key of {label}: "),
            Language::Chinese => format!("{label}的快捷键："),
        };
        let rows = window.query_all_by_role(Role::Button);
        let mut labels = rows.filter_map(|row| row.accesskit_node().label());
        let key = labels.find_map(|row| row.strip_prefix(&start).map(str::to_owned));
        key.unwrap_or_else(|| panic!("{label} is not listed"))
    });
    let keys = keys.collect();
    key(window, Key::Escape);
    keys
}

#[test]
fn every_deed_stands_in_its_menu_beside_its_key_and_in_the_list() {
    for language in [Language::English, Language::Chinese] {
        let folder = tempfile::tempdir().unwrap();
        let mut window = remembering(&folder.path().join("gui.toml"));
        let tr = Translator { language };
        if language == Language::Chinese {
            key(&mut window, Key::F3);
        }
        let keys = listed(&mut window, tr);
        for menu in Menu::ALL {
            press(&mut window, tr.text(menu.label()));
            let game_data = texts(&window);
            let actions =
                UserAction::ALL.iter().zip(&keys).filter(|(action, _)| action.menu() == menu);
            for (action, key) in actions {
                for text in [tr.text(action.label()), key] {
                    assert!(game_data.iter().any(|known| known == text), "{text}: {game_data:?}");
                }
            }
            key(&mut window, Key::Escape);
        }
    }
}

#[test]
fn the_window_is_as_wide_as_it_was_left_and_so_is_its_pane() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("gui.toml");
    let mut shown = remembering(&file);
    let before = shown.state().app().settings().window;
    let viewport = shown.input_mut().viewports.get_mut(&ViewportId::ROOT).unwrap();
    viewport.inner_rect = Some(Rect::from_min_size(pos2(50.0, 60.0), vec2(1090.0, 777.0)));
    shown.run_steps(3);
    // The edge between board and pane is drawn to the left.
    let clock = shown.get_by_role_and_label(Role::Timer, "black clock no clock running").rect();
    let edge = clock.right() + 24.0 - f32::from(before.side);
    let edges = (0..40).map(|step| edge - 20.0 + step as f32);
    for x in edges {
        shown.hover_at(pos2(x, 600.0));
        shown.run_steps(2);
        shown.drag_at(pos2(x, 600.0));
        shown.run_steps(2);
        shown.hover_at(pos2(x - 70.0, 600.0));
        shown.run_steps(2);
        shown.drop_at(pos2(x - 70.0, 600.0));
        shown.run_steps(3);
        if shown.state().app().settings().window.side != before.side {
            break;
        }
    }
    let left = shown.state().app().settings().window;
    assert_eq!((left.width, left.height), (1090, 777));
    assert!(left.side > before.side + 40, "{} and then {}", before.side, left.side);
    drop(shown);
    let shown = remembering(&file);
    let WindowGeometry { width, height, side, .. } = shown.state().app().settings().window;
    assert_eq!((width, height, side), (left.width, left.height, left.side));
}

#[test]
fn what_a_menu_does_not_offer_now_is_grey() {
    let mut window = window(TestApp::new());
    press(&mut window, "Game");
    for label in ["Pause", "Take back", "Resign", "Close"] {
        let mut entries = window.query_all_by_role(Role::Button).filter(|entry| {
            entry.accesskit_node().label().is_some_and(|known| known.starts_with(label))
        });
        let entry = entries.next().unwrap_or_else(|| panic!("{label} is in the menu"));
        assert!(entry.accesskit_node().is_disabled(), "{label}");
    }
    strike(&mut window, Modifiers::NONE, Key::P);
    assert!(window.state().app().tab().is_none());
}
