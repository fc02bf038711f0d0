use eframe::egui::{
    Align, Button, Layout, RichText, Role, ScrollArea, Sense, Ui, WidgetInfo, vec2,
};

use super::{accent, stone};
use crate::app::{Row, Snapshot, words};
use crate::view::{Intent, Look, View};

const COLUMNS: [(&str, f32); 5] =
    [("", 36.0), ("Point", 76.0), ("Time", 62.0), ("Depth", 46.0), ("Eval", 70.0)];

/// The move stack: a click looks at the board after that ply.
pub(crate) fn moves(ui: &mut Ui, snapshot: &Snapshot, view: &View, intents: &mut Vec<Intent>) {
    ui.horizontal(|ui| {
        let steps = [
            ("Start", Look::Start, "Before the first move (Home)"),
            ("Back", Look::Back, "One move back (left arrow)"),
            ("Forward", Look::Forward, "One move on (right arrow)"),
        ];
        for (text, look, tip) in steps {
            if ui.button(text).on_hover_text(tip).clicked() {
                intents.push(Intent::Look(look));
            }
        }
        let live = ui.selectable_label(view.is_live(snapshot), "Follow live");
        if live.on_hover_text("Stay with the newest move (End)").clicked() {
            intents.push(Intent::Look(Look::Live));
        }
    });
    line(ui, |ui, column| {
        ui.label(RichText::new(COLUMNS[column].0).weak());
    });
    let shown = view.shown(snapshot);
    let height = ui.spacing().interact_size.y;
    let area = ScrollArea::vertical().auto_shrink([false, false]);
    let area = if view.is_live(snapshot) { area.stick_to_bottom(true) } else { area };
    area.show_rows(ui, height, snapshot.rows.len(), |ui, range| {
        for row in &snapshot.rows[range] {
            if show_row(ui, snapshot, row, row.ply == shown) {
                intents.push(Intent::Look(Look::After(row.ply)));
            }
        }
    });
}

/// One ply; whether it was clicked.
fn show_row(ui: &mut Ui, snapshot: &Snapshot, row: &Row, selected: bool) -> bool {
    let mut clicked = false;
    line(ui, |ui, column| {
        let text = match column {
            0 => row.ply.to_string(),
            1 => {
                let (rect, _) = ui.allocate_exact_size(vec2(14.0, 14.0), Sense::hover());
                stone(ui.painter(), rect.center(), 6.0, row.color);
                let text = words::mv(row.mv);
                let button = ui.add(Button::selectable(selected, text));
                button.widget_info(|| {
                    let text = format!("{} {} {}", row.ply, words::mv(row.mv), row.color);
                    WidgetInfo::selected(Role::Button, true, selected, text)
                });
                clicked = button.clicked();
                return;
            }
            2 => row.spent.map(words::spent).unwrap_or_default(),
            3 => row.info.map(|info| info.depth.to_string()).unwrap_or_default(),
            _ => row.info.as_ref().map(words::eval).unwrap_or_default(),
        };
        let text = RichText::new(text);
        let by = row.seat.map(|seat| accent(snapshot.seats[seat].engine));
        ui.label(match by.filter(|_| column > 1) {
            Some(color) => text.color(color),
            None => text,
        });
    });
    clicked
}

/// Lays out one line of the table.
fn line(ui: &mut Ui, mut cell: impl FnMut(&mut Ui, usize)) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
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
