use eframe::egui::{Button, Grid, Label, RichText, Role, ScrollArea, Ui, WidgetInfo, vec2};

use super::cover::cover;
use crate::app::{Command, Deed, Dialog, House, Menu, Text};
use crate::keys::Keymap;
use crate::theme::Palette;

/// Everything that can be done, with its key; a click and another key change it.
pub(crate) fn keys(
    ui: &Ui,
    house: &House,
    keys: &Keymap,
    awaiting: Option<Deed>,
    taken: Option<(Deed, Deed)>,
    palette: Palette,
    commands: &mut Vec<Command>,
) {
    let words = house.words();
    cover(ui, words, palette, Text::KeysTitle, 560.0, commands, |ui, commands| {
        ui.add(Label::new(RichText::new(words.text(Text::KeysTip)).color(palette.weak)).wrap());
        ui.add_space(6.0);
        let room = (ui.ctx().content_rect().height() - 260.0).max(160.0);
        ScrollArea::vertical().max_height(room).auto_shrink([false, true]).show(ui, |ui| {
            for menu in Menu::ALL {
                ui.add_space(8.0);
                ui.label(RichText::new(words.text(menu.label())).strong());
                let grid = Grid::new(("keys", words.text(menu.label())));
                grid.num_columns(3).min_col_width(150.0).spacing(vec2(14.0, 4.0)).show(ui, |ui| {
                    for &deed in Deed::ALL.iter().filter(|deed| deed.menu() == menu) {
                        row(ui, house, keys, deed, awaiting == Some(deed), palette, commands);
                        if let Some((_, holder)) = taken.filter(|(loser, _)| *loser == deed) {
                            let holder = words.text(holder.label());
                            let text = words.fill(Text::KeyTaken, &[holder]);
                            ui.label(RichText::new(text).color(palette.danger));
                        }
                        ui.end_row();
                    }
                });
            }
        });
        ui.add_space(8.0);
        if ui.button(words.text(Text::KeysReset)).clicked() {
            commands.push(Command::ResetKeys);
        }
    });
}

fn row(
    ui: &mut Ui,
    house: &House,
    keys: &Keymap,
    deed: Deed,
    awaited: bool,
    palette: Palette,
    commands: &mut Vec<Command>,
) {
    let words = house.words();
    let label = words.text(deed.label());
    ui.label(label);
    let key = keys.text(ui.ctx(), deed);
    let shown = match (awaited, key.is_empty()) {
        (true, _) => words.text(Text::KeyAwaited),
        (false, true) => words.text(Text::KeyNone),
        (false, false) => &key,
    };
    let mut text = RichText::new(shown);
    if key.is_empty() && !awaited {
        text = text.color(palette.weak);
    }
    let button = ui.add(Button::selectable(awaited, text).min_size(vec2(140.0, 0.0)));
    button.widget_info(|| {
        let text = words.fill(Text::KeyOf, &[label, shown]);
        WidgetInfo::selected(Role::Button, true, awaited, text)
    });
    if button.clicked() {
        // A focused button would take the key that is to come.
        button.surrender_focus();
        commands.push(Command::Show(Dialog::Keys { awaiting: Some(deed), taken: None }));
    }
    if let Some(rival) = keys.rival(deed) {
        let text = words.fill(Text::KeyConflict, &[words.text(rival.label())]);
        ui.label(RichText::new(text).color(palette.danger));
    }
}
