//! The move list, with decisions and variations.

use eframe::egui::{
    Align, Button, Label, Layout, RichText, Role, ScrollArea, Sense, Stroke, Ui, WidgetInfo, vec2,
};
use tengen_rules::{Move, Seat};

use super::{Scene, action_button, stone};
use crate::app::{
    AnalysisCommand, AnalysisSession, Command, Decision, MoveRow, Navigation, SeatChange, Text,
    UserAction, translator,
};
use crate::theme::accent;

const COLUMNS: [(Option<Text>, f32); 5] = [
    (None, 34.0),
    (Some(Text::ColumnPoint), 76.0),
    (Some(Text::ColumnTime), 62.0),
    (Some(Text::ColumnDepth), 48.0),
    (Some(Text::ColumnEval), 74.0),
];

/// The move list: a click shows the board after that ply.
pub(crate) fn moves(ui: &mut Ui, scene: &Scene<'_>) {
    let Scene { snapshot, view, tr, palette, .. } = *scene;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        for action in [UserAction::Start, UserAction::Back, UserAction::Forward] {
            let label = tr.text(action.label());
            action_button(ui, scene.look, action, label, "");
        }
        // A finished game cannot be followed.
        let label = if snapshot.phase.is_over() { Text::ToEnd } else { Text::Live };
        let output = Button::selectable(view.follows_game(snapshot), tr.text(label));
        if ui.add(output).on_hover_text(tr.text(Text::LiveTip)).clicked() {
            scene.look.send(Command::Navigate(Navigation::Newest));
        }
    });
    // Compact rows, so that many moves are visible.
    ui.spacing_mut().interact_size.y = 21.0;
    ui.spacing_mut().item_spacing.y = 2.0;
    line(ui, |ui, column| {
        let text = COLUMNS[column].0.map_or("", |text| tr.text(text));
        ui.label(RichText::new(text).small().color(palette.weak));
    });
    let shown = view.shown(snapshot);
    let height = ui.spacing().interact_size.y;
    let lines = lines(scene);
    let area = ScrollArea::vertical().id_salt(scene.look.app.tabs().1).auto_shrink([false, false]);
    let area = if view.follows_game(snapshot) { area.stick_to_bottom(true) } else { area };
    let is_shown =
        |line: &MoveListLine<'_>| matches!(line, MoveListLine::Ply(row) if row.ply == shown);
    let place = lines.iter().position(is_shown).unwrap_or(0);
    let step = height + ui.spacing().item_spacing.y;
    let room = ui.available_height();
    let area = follow(ui, area, shown, place as f32 * step, lines.len() as f32 * step);
    let drawn = area.show_rows(ui, height, lines.len(), |ui, range| {
        for entry in &lines[range] {
            match entry {
                MoveListLine::Decision(decision) => {
                    let name = &snapshot.seats[decision.seat].name;
                    let text = tr.fill(Text::Named, &[tr.name(name), &tr.answer(&decision.answer)]);
                    note(ui, scene, decision.seat, text);
                }
                MoveListLine::Handover(change) => {
                    let text = tr.fill(Text::PlaysFromHere, &[tr.name(&change.name)]);
                    note(ui, scene, change.seat, text);
                }
                MoveListLine::Ply(row) => {
                    if show_row(ui, scene, row, row.ply == shown) {
                        scene.look.send(Command::Navigate(Navigation::After(row.ply)));
                    }
                }
                MoveListLine::Side { after, index, way } => {
                    let is_main = scene.analysis().is_some_and(|analysis| analysis.is_main(*after));
                    if show_side(ui, scene, *after, way, is_main && *index == 0) {
                        let branch = AnalysisCommand::Branch { after: *after, index: *index };
                        scene.look.send(Command::Analysis(branch));
                    }
                }
            }
        }
    });
    let seen = ScrollState { shown, top: drawn.state.clamped_offset().y, height: room };
    ui.data_mut(|data| data.insert_temp(ui.scope_id().with("seen"), seen));
}

/// The scroll state of the last frame.
#[derive(Clone, Copy)]
struct ScrollState {
    /// How many plies were shown.
    shown: usize,
    /// The top of the visible part, in points.
    top: f32,
    height: f32,
}

/// Scrolls to the ply shown, when it has changed or the view got smaller.
fn follow(ui: &Ui, area: ScrollArea, shown: usize, place: f32, whole: f32) -> ScrollArea {
    let seen = ui.data(|data| data.get_temp::<ScrollState>(ui.scope_id().with("seen")));
    let room = ui.available_height();
    let is_other = |seen: &ScrollState| seen.shown != shown || (seen.height - room).abs() > 1.0;
    let Some(seen) = seen.filter(is_other) else { return area };
    let margin = 2.0 * ui.spacing().interact_size.y;
    if (seen.top..seen.top + room - margin).contains(&place) {
        return area;
    }
    let last = (whole - room).max(0.0);
    area.vertical_scroll_offset((place - room / 2.0).clamp(0.0, last))
}

/// A row of the move list.
enum MoveListLine<'a> {
    /// A decision that is not a stone.
    Decision(&'a Decision),
    /// Another player took over a seat.
    Handover(&'a SeatChange),
    /// A ply of the line shown.
    Ply(&'a MoveRow),
    /// A variation.
    Side {
        /// The plies before it.
        after: usize,
        /// Its index among the branches there.
        index: usize,
        /// Its first moves.
        way: Vec<Move>,
    },
}

/// The moves, and below each its variations.
fn lines<'a>(scene: &Scene<'a>) -> Vec<MoveListLine<'a>> {
    let Scene { snapshot, .. } = *scene;
    let mut decisions = snapshot.decisions.iter().peekable();
    let mut handovers = snapshot.handovers.iter().peekable();
    let mut lines = Vec::with_capacity(snapshot.rows.len());
    for row in snapshot.rows.iter() {
        while let Some(decision) = decisions.next_if(|decision| decision.after < row.ply) {
            lines.push(MoveListLine::Decision(decision));
        }
        while let Some(change) = handovers.next_if(|change| change.after < row.ply) {
            lines.push(MoveListLine::Handover(change));
        }
        lines.push(MoveListLine::Ply(row));
        let after = row.ply - 1;
        let sides = scene.analysis().map(|analysis| analysis.side_lines(after)).unwrap_or_default();
        lines.extend(sides.into_iter().map(|(index, way)| MoveListLine::Side {
            after,
            index,
            way,
        }));
    }
    lines.extend(decisions.map(MoveListLine::Decision));
    lines.extend(handovers.map(MoveListLine::Handover));
    lines
}

/// A line between the moves, in the colour of its seat.
fn note(ui: &mut Ui, scene: &Scene<'_>, seat: Seat, text: String) {
    let Scene { snapshot, settings, .. } = *scene;
    ui.horizontal(|ui| {
        ui.add_space(COLUMNS[0].1);
        let color = accent(snapshot.seats[seat].accent, settings.dark);
        ui.add(Label::new(RichText::new(text).small().color(color)).truncate());
    });
}

/// A variation, indented; whether it was clicked.
fn show_side(ui: &mut Ui, scene: &Scene<'_>, after: usize, way: &[Move], is_main: bool) -> bool {
    let Scene { tr, palette, .. } = *scene;
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
        let moves: Vec<String> =
            way.iter().take(AnalysisSession::MAX_SIDE_LINE).map(|mv| tr.mv(*mv)).collect();
        let more = if way.len() > AnalysisSession::MAX_SIDE_LINE { " …" } else { "" };
        let text = format!("{}  {}{more}", after + 1, moves.join(" "));
        let text = RichText::new(text).small().color(palette.weak);
        let button = ui.add(Button::new(text).frame_when_inactive(false).truncate());
        button.widget_info(|| {
            let text =
                tr.fill(Text::AnalysisSideLine, &[&(after + 1).to_string(), &moves.join(" ")]);
            WidgetInfo::labeled(Role::Button, true, text)
        });
        if is_main {
            let text = RichText::new(tr.text(Text::AnalysisMainLine)).small();
            ui.label(text.color(palette.accent));
        }
        button.clicked()
    })
    .inner
}

/// One ply; whether it was clicked.
fn show_row(ui: &mut Ui, scene: &Scene<'_>, row: &MoveRow, selected: bool) -> bool {
    let Scene { snapshot, tr, settings, palette, .. } = *scene;
    let mut clicked = false;
    line(ui, |ui, column| {
        let text = match column {
            0 => {
                let is_off = scene.analysis().is_some_and(|analysis| !analysis.is_main(row.ply));
                let color = if is_off { palette.accent } else { palette.weak };
                ui.colored_label(color, row.ply.to_string());
                return;
            }
            1 => {
                let (rect, _) = ui.allocate_exact_size(vec2(14.0, 14.0), Sense::hover());
                stone(ui.painter(), rect.center(), 6.0, row.color);
                let button = ui.add(Button::selectable(selected, tr.mv(row.mv)));
                button.widget_info(|| {
                    let mv = tr.mv(row.mv);
                    let text = format!("{} {mv} {}", row.ply, tr.color(row.color));
                    WidgetInfo::selected(Role::Button, true, selected, text)
                });
                clicked = button.clicked();
                if scene.analysis().is_some_and(|analysis| analysis.is_remarked(row.ply)) {
                    remark(ui, scene);
                }
                return;
            }
            // There is no search to tell of.
            3 if row.is_substitute => {
                let text = RichText::new(tr.text(Text::MoveByArbiter)).small();
                ui.add(Label::new(text.color(palette.danger)).extend());
                return;
            }
            2 => row.spent.map(translator::spent).unwrap_or_default(),
            3 => row
                .info
                .filter(|info| info.depth > 0)
                .map(|info| info.depth.to_string())
                .unwrap_or_default(),
            _ => row.info.as_ref().map(|info| tr.eval(info)).unwrap_or_default(),
        };
        let by = row.seat.map(|seat| accent(snapshot.seats[seat].accent, settings.dark));
        let color = by.filter(|_| column > 2).unwrap_or(palette.weak);
        ui.colored_label(color, text);
    });
    clicked
}

/// Marks a move with a comment.
fn remark(ui: &mut Ui, scene: &Scene<'_>) {
    let (rect, drawn) = ui.allocate_exact_size(vec2(10.0, 10.0), Sense::hover());
    ui.painter().circle_filled(rect.center(), 2.5, scene.palette.accent);
    let text = scene.tr.text(Text::AnalysisComment);
    drawn.widget_info(|| WidgetInfo::labeled(Role::Image, true, text));
}

/// Lays out one row.
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
