use eframe::egui::{
    Align, Button, Layout, RichText, Role, ScrollArea, Sense, Ui, WidgetInfo, vec2,
};

use super::{Scene, deed_button, stone};
use crate::app::{Command, Deed, Look, Row, Text, words};
use crate::theme::accent;

const COLUMNS: [(Option<Text>, f32); 5] = [
    (None, 34.0),
    (Some(Text::ColumnPoint), 76.0),
    (Some(Text::ColumnTime), 62.0),
    (Some(Text::ColumnDepth), 48.0),
    (Some(Text::ColumnEval), 74.0),
];

/// The move stack: a click looks at the board after that ply.
pub(crate) fn moves(ui: &mut Ui, scene: &Scene<'_>, commands: &mut Vec<Command>) {
    let Scene { snapshot, view, words, palette, .. } = *scene;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        for deed in [Deed::Start, Deed::Back, Deed::Forward] {
            let label = words.text(deed.label());
            deed_button(ui, scene.house, scene.keys, deed, label, "", commands);
        }
        let live = Button::selectable(view.is_live(snapshot), words.text(Text::Live));
        if ui.add(live).on_hover_text(words.text(Text::LiveTip)).clicked() {
            commands.push(Command::Look(Look::Live));
        }
    });
    // Many moves are to be seen at once.
    ui.spacing_mut().interact_size.y = 21.0;
    ui.spacing_mut().item_spacing.y = 2.0;
    line(ui, |ui, column| {
        let text = COLUMNS[column].0.map_or("", |text| words.text(text));
        ui.label(RichText::new(text).small().color(palette.weak));
    });
    let shown = view.shown(snapshot);
    let height = ui.spacing().interact_size.y;
    let area = ScrollArea::vertical().auto_shrink([false, false]);
    let area = if view.is_live(snapshot) { area.stick_to_bottom(true) } else { area };
    area.show_rows(ui, height, snapshot.rows.len(), |ui, range| {
        for row in &snapshot.rows[range] {
            if show_row(ui, scene, row, row.ply == shown) {
                commands.push(Command::Look(Look::After(row.ply)));
            }
        }
    });
}

/// One ply; whether it was clicked.
fn show_row(ui: &mut Ui, scene: &Scene<'_>, row: &Row, selected: bool) -> bool {
    let Scene { snapshot, words, settings, palette, .. } = *scene;
    let mut clicked = false;
    line(ui, |ui, column| {
        let text = match column {
            0 => row.ply.to_string(),
            1 => {
                let (rect, _) = ui.allocate_exact_size(vec2(14.0, 14.0), Sense::hover());
                stone(ui.painter(), rect.center(), 6.0, row.color);
                let button = ui.add(Button::selectable(selected, words.mv(row.mv)));
                button.widget_info(|| {
                    let mv = words.mv(row.mv);
                    let text = format!("{} {mv} {}", row.ply, words.color(row.color));
                    WidgetInfo::selected(Role::Button, true, selected, text)
                });
                clicked = button.clicked();
                return;
            }
            2 => row.spent.map(words::spent).unwrap_or_default(),
            3 => row
                .info
                .filter(|info| info.depth > 0)
                .map(|info| info.depth.to_string())
                .unwrap_or_default(),
            _ => row.info.as_ref().map(|info| words.eval(info)).unwrap_or_default(),
        };
        let by = row.seat.map(|seat| accent(snapshot.seats[seat].accent, settings.dark));
        let color = by.filter(|_| column > 2).unwrap_or(palette.weak);
        ui.label(RichText::new(text).color(color));
    });
    clicked
}

/// Lays out one line of the table.
fn line(ui: &mut Ui, mut cell: impl FnMut(&mut Ui, usize)) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        ui.spacing_mut().button_padding = vec2(6.0, 2.0);
        let height = ui.spacing().interact_size.y;
        for (column, (_, width)) in COLUMNS.iter().enumerate() {
            let layout = Layout::left_to_right(Align::Center);
            ui.allocate_ui_with_layout(vec2(*width, height), layout, |ui| {
                ui.set_min_width(*width);
                cell(ui, column);
            });
        }
    });
}
