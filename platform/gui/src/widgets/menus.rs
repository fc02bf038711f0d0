use eframe::egui::{Button, MenuBar, Role, Ui, WidgetInfo, vec2};

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
                    if deed.begins_group() {
                        ui.separator();
                    }
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
        .is_some_and(|snapshot| matches!(snapshot.phase, Phase::Pausing | Phase::Paused))
        || house.is_event_paused();
    let label = match deed {
        Deed::Pause if resting => words.text(Text::Continue),
        _ => words.text(deed.label()),
    };
    let key = keys.text(ui.ctx(), deed);
    let mut button = Button::new(label);
    if !key.is_empty() {
        button = button.shortcut_text(key);
    }
    ui.spacing_mut().button_padding.x = 26.0;
    let enabled = command.is_some();
    let drawn = ui.add_enabled(enabled, button);
    if let Some(chosen) = house.is_on(deed) {
        drawn.widget_info(|| WidgetInfo::selected(Role::Button, enabled, chosen, label));
        if chosen {
            let dot = drawn.rect.left_center() + vec2(13.0, 0.0);
            ui.painter().circle_filled(dot, 3.5, ui.visuals().selection.bg_fill);
        }
    }
    if drawn.clicked() {
        commands.extend(command);
        ui.close();
    }
}
