//! The key dialog.

use eframe::egui::{Button, Grid, RichText, Role, ScrollArea, Ui, WidgetInfo, vec2};

use super::dialog_frame::dialog_frame;
use crate::app::{Command, Dialog, Menu, Text, UserAction};
use crate::widgets::{Look, paragraph};

/// Every action with its key; a click and another key change it.
pub(crate) fn keys(
    ui: &Ui,
    look: Look<'_>,
    awaiting: Option<UserAction>,
    taken: Option<(UserAction, UserAction)>,
) {
    let Look { tr, palette, .. } = look;
    dialog_frame(ui, look, Text::KeysTitle, 560.0, |ui| {
        paragraph(ui, palette.weak, tr.text(Text::KeysTip));
        ui.add_space(6.0);
        let room = (ui.ctx().content_rect().height() - 260.0).max(160.0);
        ScrollArea::vertical().max_height(room).auto_shrink([false, true]).show(ui, |ui| {
            for menu in Menu::ALL {
                ui.add_space(8.0);
                ui.label(RichText::new(tr.text(menu.label())).strong());
                let grid = Grid::new(("keys", tr.text(menu.label())));
                grid.num_columns(3).min_col_width(150.0).spacing(vec2(14.0, 4.0)).show(ui, |ui| {
                    for &action in UserAction::ALL.iter().filter(|action| action.menu() == menu) {
                        row(ui, look, action, awaiting == Some(action));
                        if let Some((_, holder)) = taken.filter(|(loser, _)| *loser == action) {
                            let holder = tr.text(holder.label());
                            ui.colored_label(palette.danger, tr.fill(Text::KeyTaken, &[holder]));
                        }
                        ui.end_row();
                    }
                });
            }
        });
        ui.add_space(8.0);
        if ui.button(tr.text(Text::KeysReset)).clicked() {
            look.send(Command::ResetKeys);
        }
    });
}

fn row(ui: &mut Ui, look: Look<'_>, action: UserAction, awaited: bool) {
    let Look { keys, tr, palette, .. } = look;
    let label = tr.text(action.label());
    ui.label(label);
    let key = keys.text(ui.ctx(), action);
    let shown = match (awaited, key.is_empty()) {
        (true, _) => tr.text(Text::KeyAwaited),
        (false, true) => tr.text(Text::KeyNone),
        (false, false) => &key,
    };
    let mut text = RichText::new(shown);
    if key.is_empty() && !awaited {
        text = text.color(palette.weak);
    }
    let button = ui.add(Button::selectable(awaited, text).min_size(vec2(140.0, 0.0)));
    button.widget_info(|| {
        let text = tr.fill(Text::KeyOf, &[label, shown]);
        WidgetInfo::selected(Role::Button, true, awaited, text)
    });
    if button.clicked() {
        // A focused button would take the next key.
        button.surrender_focus();
        look.send(Command::ShowDialog(Dialog::Keys { awaiting: Some(action), taken: None }));
    }
    if let Some(rival) = keys.rival(action) {
        ui.colored_label(palette.danger, tr.fill(Text::KeyConflict, &[tr.text(rival.label())]));
    }
}
