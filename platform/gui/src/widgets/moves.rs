use eframe::egui::{
    Align, Button, Layout, RichText, Role, ScrollArea, Sense, Stroke, Ui, WidgetInfo, vec2,
};
use tengen_rules::Move;

use super::{Scene, deed_button, stone};
use crate::app::{Command, Deed, Look, Row, StudyCommand, Text, words};
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
        // There is nothing to follow in what grows no more.
        let label = if snapshot.phase.is_over() { Text::ToEnd } else { Text::Live };
        let live = Button::selectable(view.is_live(snapshot), words.text(label));
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
    let lines = lines(scene);
    area.show_rows(ui, height, lines.len(), |ui, range| {
        for entry in &lines[range] {
            match entry {
                Line::Ply(row) => {
                    if show_row(ui, scene, row, row.ply == shown) {
                        commands.push(Command::Look(Look::After(row.ply)));
                    }
                }
                Line::Side { after, index, way } => {
                    if show_side(ui, scene, *after, way) {
                        let branch = StudyCommand::Branch { after: *after, index: *index };
                        commands.push(Command::Study(branch));
                    }
                }
            }
        }
    });
}

/// A line of the move stack.
enum Line<'a> {
    /// A ply of the line shown.
    Ply(&'a Row),
    /// A line that goes off.
    Side {
        /// The plies before it.
        after: usize,
        /// Its number among what may follow there.
        index: usize,
        /// Its first moves.
        way: Vec<Move>,
    },
}

/// The plies, and below each what could have been played instead of it.
fn lines<'a>(scene: &Scene<'a>) -> Vec<Line<'a>> {
    let mut lines = Vec::with_capacity(scene.snapshot.rows.len());
    for row in scene.snapshot.rows.iter() {
        lines.push(Line::Ply(row));
        let after = row.ply - 1;
        let sides = scene.study().map(|study| study.side_lines(after)).unwrap_or_default();
        lines.extend(sides.into_iter().map(|(index, way)| Line::Side { after, index, way }));
    }
    lines
}

/// A line that goes off, set in; whether it was clicked.
fn show_side(ui: &mut Ui, scene: &Scene<'_>, after: usize, way: &[Move]) -> bool {
    let Scene { words, palette, .. } = *scene;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        ui.spacing_mut().button_padding = vec2(6.0, 2.0);
        let (rect, _) = ui.allocate_exact_size(
            vec2(COLUMNS[0].1 + 14.0, ui.spacing().interact_size.y),
            Sense::hover(),
        );
        let elbow = rect.center_bottom() + vec2(4.0, -rect.height() / 2.0);
        let stroke = Stroke::new(1.0, palette.edge);
        ui.painter().vline(elbow.x, rect.top()..=elbow.y, stroke);
        ui.painter().hline(elbow.x..=rect.right(), elbow.y, stroke);
        let moves: Vec<String> = way.iter().map(|mv| words.mv(*mv)).collect();
        let text = format!("{}  {}", after + 1, moves.join(" "));
        let text = RichText::new(text).small().color(palette.weak);
        let button = ui.add(Button::new(text).frame_when_inactive(false).truncate());
        button.widget_info(|| {
            let text = words.fill(Text::StudyAside, &[&(after + 1).to_string(), &moves.join(" ")]);
            WidgetInfo::labeled(Role::Button, true, text)
        });
        button.clicked()
    })
    .inner
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
