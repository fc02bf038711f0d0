//! The key dialog.

use eframe::egui::{Button, Grid, Label, RichText, Role, ScrollArea, Ui, WidgetInfo, vec2};

use super::dialog_frame::dialog_frame;
use crate::app::{App, Command, Dialog, Menu, Text, UserAction};
use crate::keys::Keymap;
use crate::theme::Palette;

/// Every action with its key; a click and another key change it.
pub(crate) fn keys(
    ui: &Ui,
    app: &App,
    keys: &Keymap,
    awaiting: Option<UserAction>,
    taken: Option<(UserAction, UserAction)>,
    palette: Palette,
    commands: &mut Vec<Command>,
) {
    let tr = app.tr();
    dialog_frame(ui, tr, palette, Text::KeysTitle, 560.0, commands, |ui, commands| {
        ui.add(Label::new(RichText::new(tr.text(Text::KeysTip)).color(palette.weak)).wrap());
        ui.add_space(6.0);
        let room = (ui.ctx().content_rect().height() - 260.0).max(160.0);
        ScrollArea::vertical().max_height(room).auto_shrink([false, true]).show(ui, |ui| {
            for menu in Menu::ALL {
                ui.add_space(8.0);
                ui.label(RichText::new(tr.text(menu.label())).strong());
                let grid = Grid::new(("keys", tr.text(menu.label())));
                grid.num_columns(3).min_col_width(150.0).spacing(vec2(14.0, 4.0)).show(ui, |ui| {
                    let is_here =
                        |action: &&UserAction| action.menu() == menu && app.has_action(**action);
                    for &action in UserAction::ALL.iter().filter(is_here) {
                        row(ui, app, keys, action, awaiting == Some(action), palette, commands);
                        if let Some((_, holder)) = taken.filter(|(loser, _)| *loser == action) {
                            let holder = tr.text(holder.label());
                            let text = tr.fill(Text::KeyTaken, &[holder]);
                            ui.label(RichText::new(text).color(palette.danger));
                        }
                        ui.end_row();
                    }
                });
            }
        });
        ui.add_space(8.0);
        if ui.button(tr.text(Text::KeysReset)).clicked() {
            commands.push(Command::ResetKeys);
        }
    });
}

fn row(
    ui: &mut Ui,
    app: &App,
    keys: &Keymap,
    action: UserAction,
    awaited: bool,
    palette: Palette,
    commands: &mut Vec<Command>,
) {
    let tr = app.tr();
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
        commands.push(Command::ShowDialog(Dialog::Keys { awaiting: Some(action), taken: None }));
    }
    if let Some(rival) = keys.rival(action) {
        let text = tr.fill(Text::KeyConflict, &[tr.text(rival.label())]);
        ui.label(RichText::new(text).color(palette.danger));
    }
}
