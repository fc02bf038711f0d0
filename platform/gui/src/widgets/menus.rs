//! The menu bar.

use eframe::egui::{Button, MenuBar, Role, Ui, WidgetInfo, vec2};

use super::Look;
use crate::app::{Menu, Phase, Text, UserAction};

/// The menu bar: every action in its menu, with its key.
pub(crate) fn menus(ui: &mut Ui, look: Look<'_>) {
    let Look { tr, .. } = look;
    MenuBar::new().ui(ui, |ui| {
        for menu in Menu::ALL {
            ui.menu_button(tr.text(menu.label()), |ui| {
                ui.set_min_width(220.0);
                for &action in UserAction::ALL.iter().filter(|action| action.menu() == menu) {
                    if action.begins_group() {
                        ui.separator();
                    }
                    entry(ui, look, action);
                }
            });
        }
    });
}

fn entry(ui: &mut Ui, look: Look<'_>, action: UserAction) {
    let Look { app, keys, tr, .. } = look;
    let command = app.command(action);
    let resting = app
        .snapshot()
        .is_some_and(|snapshot| matches!(snapshot.phase, Phase::Pausing | Phase::Paused))
        || app.is_event_paused();
    let label = match action {
        UserAction::Pause if resting => tr.text(Text::Resume),
        _ => tr.text(action.label()),
    };
    let key = keys.text(ui.ctx(), action);
    let mut button = Button::new(label);
    if !key.is_empty() {
        button = button.shortcut_text(key);
    }
    ui.spacing_mut().button_padding.x = 26.0;
    let enabled = command.is_some();
    let drawn = ui.add_enabled(enabled, button);
    if let Some(chosen) = app.is_on(action) {
        drawn.widget_info(|| WidgetInfo::selected(Role::Button, enabled, chosen, label));
        if chosen {
            let dot = drawn.rect.left_center() + vec2(13.0, 0.0);
            ui.painter().circle_filled(dot, 3.5, ui.visuals().selection.bg_fill);
        }
    }
    if drawn.clicked() {
        look.send_all(command);
        ui.close();
    }
}
