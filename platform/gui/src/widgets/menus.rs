use eframe::egui::{Button, MenuBar, Ui};

use crate::app::{Command, Deed, House, Menu, Phase, Text};
use crate::keys::Keymap;

/// The menu bar: every deed in its menu, with its key.
pub(crate) fn menus(ui: &mut Ui, house: &House, keys: &Keymap, commands: &mut Vec<Command>) {
    let words = house.words();
    MenuBar::new().ui(ui, |ui| {
        for menu in Menu::ALL {
            ui.menu_button(words.text(menu.label()), |ui| {
                ui.set_min_width(220.0);
                for &deed in Deed::ALL.iter().filter(|deed| deed.menu() == menu) {
                    entry(ui, house, keys, deed, commands);
                }
            });
        }
    });
}

fn entry(ui: &mut Ui, house: &House, keys: &Keymap, deed: Deed, commands: &mut Vec<Command>) {
    let command = house.command(deed);
    let words = house.words();
    let resting = house
        .snapshot()
        .is_some_and(|snapshot| matches!(snapshot.phase, Phase::Pausing | Phase::Paused));
    let label = match deed {
        Deed::Pause if resting => words.text(Text::Continue),
        _ => words.text(deed.label()),
    };
    let chosen = house.is_on(deed);
    let mut button = Button::selectable(chosen.unwrap_or(false), label);
    let key = keys.text(ui.ctx(), deed);
    if !key.is_empty() {
        button = button.shortcut_text(key);
    }
    if ui.add_enabled(command.is_some(), button).clicked() {
        commands.extend(command);
        ui.close();
    }
}
