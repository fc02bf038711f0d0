//! What engines report while they think: numbers in columns, and lines.

use eframe::egui::{
    Align2, Color32, FontId, Frame, Label, Response, RichText, Role, Sense, TextStyle, Ui,
    WidgetInfo, pos2, vec2,
};
use tengen_players::SearchProgress;
use tengen_rules::Seat;

use super::Scene;
use crate::app::{Command, Text, translator};
use crate::theme::accent;

/// How many moves of a line are shown.
const MOVES: usize = 9;

/// The columns of a search and their widths; the name gets the rest.
const FIGURES: [(Text, f32); 4] = [
    (Text::ColumnDepth, 56.0),
    (Text::ColumnEval, 78.0),
    (Text::ColumnNodes, 62.0),
    (Text::ColumnSpeed, 70.0),
];
/// The height of a row of numbers.
const ROW: f32 = 20.0;
/// The height of a row of moves.
const LINE: f32 = 16.0;

/// What both engines report on the position: depth, evaluation, nodes, speed, line.
pub(crate) fn engines(ui: &mut Ui, scene: &Scene<'_>) {
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        rows(ui, scene);
    });
    ui.add_space(4.0);
}

fn rows(ui: &mut Ui, scene: &Scene<'_>) {
    let Scene { snapshot, view, settings, .. } = *scene;
    let Some(tab) = scene.look.app.tab() else { return };
    let mut is_first = true;
    for seat in Seat::ALL {
        let seated = &snapshot.seats[seat];
        let output = tab.document.output(seated.accent).filter(|_| !seated.is_person);
        let Some(output) = output else { continue };
        if std::mem::take(&mut is_first) {
            heads(ui, scene);
        }
        let color = accent(seated.accent, settings.dark);
        match output.newest(view.shown(snapshot)) {
            Some((ply, best)) => said(ui, scene, (&seated.name, color), 1, (ply, &best)),
            None => {
                figures(ui, (&seated.name, color), &Default::default(), &seated.name);
                // What is below keeps its place when the first line comes.
                ui.add_space(LINE);
            }
        }
    }
}

/// A line of an engine: its numbers in columns, and its moves below.
pub(super) fn said(
    ui: &mut Ui,
    scene: &Scene<'_>,
    name: (&str, Color32),
    number: usize,
    (ply, best): (usize, &SearchProgress),
) {
    Frame::new().show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.spacing_mut().item_spacing.y = 0.0;
        ui.spacing_mut().interact_size.y = LINE;
        let label = format!("{}  {}", name.0, summary(scene, best));
        figures(ui, name, &columns(scene, best), &label);
        line(ui, scene, number, ply, best);
    });
}

/// The height of so many lines, with the column names.
pub(super) fn height(lines: usize) -> f32 {
    let apart = 2.0;
    (ROW + apart) + lines as f32 * (ROW + LINE + apart)
}

/// The column names.
pub(super) fn heads(ui: &mut Ui, scene: &Scene<'_>) {
    let names = FIGURES.map(|(text, _)| scene.tr.text(text).to_owned());
    cells(ui, ("", scene.palette.weak), &names, TextStyle::Small);
}

/// A row of numbers, with one label for screen readers.
fn figures(ui: &mut Ui, name: (&str, Color32), columns: &[String; 4], label: &str) {
    let drawn = cells(ui, name, columns, TextStyle::Body);
    drawn.widget_info(|| WidgetInfo::labeled(Role::Label, true, label));
    drawn.on_hover_text(label);
}

/// A name, and numbers aligned in columns.
fn cells(
    ui: &mut Ui,
    (name, color): (&str, Color32),
    columns: &[String; 4],
    style: TextStyle,
) -> Response {
    let (rect, drawn) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::hover());
    let font: FontId = style.resolve(ui.style());
    let painter = ui.painter_at(rect);
    let y = rect.center().y;
    let mut right = rect.right();
    for ((_, width), text) in FIGURES.iter().zip(columns).rev() {
        painter.text(pos2(right, y), Align2::RIGHT_CENTER, text, font.clone(), color);
        right -= width;
    }
    let room = rect.with_max_x(right);
    painter.with_clip_rect(room).text(room.left_center(), Align2::LEFT_CENTER, name, font, color);
    drawn
}

/// Depth, evaluation, nodes and nodes per second, for the columns.
fn columns(scene: &Scene<'_>, progress: &SearchProgress) -> [String; 4] {
    let info = &progress.info;
    let some = |is_known: bool, text: String| if is_known { text } else { String::new() };
    let speed = speed(progress).map(|speed| scene.tr.fill(Text::EngineRate, &[&speed]));
    [
        some(info.depth > 0, depth(progress)),
        scene.tr.eval(info),
        some(info.nodes > 0, translator::count(info.nodes)),
        speed.unwrap_or_default(),
    ]
}

/// The depth, and the greatest depth.
fn depth(progress: &SearchProgress) -> String {
    let info = &progress.info;
    match info.seldepth {
        deepest if deepest > info.depth => format!("{}/{deepest}", info.depth),
        _ => info.depth.to_string(),
    }
}

/// Nodes per second; not known for very short times.
fn speed(progress: &SearchProgress) -> Option<String> {
    let is_known = progress.info.nodes > 0 && progress.elapsed > 1_000_000;
    let speed = progress.info.nodes as f64 * 1e9 / progress.elapsed as f64;
    is_known.then(|| translator::count(speed as u64))
}

/// Depth, evaluation, nodes and speed.
fn summary(scene: &Scene<'_>, progress: &SearchProgress) -> String {
    let (tr, info) = (scene.tr, &progress.info);
    let mut parts = Vec::new();
    if info.depth > 0 {
        parts.push(tr.fill(Text::EngineDepth, &[&depth(progress)]));
    }
    parts.extend(Some(tr.eval(info)).filter(|eval| !eval.is_empty()));
    if info.nodes > 0 {
        parts.push(tr.fill(Text::EngineNodes, &[&translator::count(info.nodes)]));
    }
    parts.extend(speed(progress).map(|speed| tr.fill(Text::EngineSpeed, &[&speed])));
    parts.join("  ·  ")
}

/// The moves of a line: hovering over one shows the line up to there on the board.
fn line(ui: &mut Ui, scene: &Scene<'_>, number: usize, ply: usize, progress: &SearchProgress) {
    let Scene { tr, view, palette, snapshot, .. } = *scene;
    let shown = view.shown(snapshot);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(5.0, 1.0);
        for (index, mv) in progress.pv.iter().take(MOVES).enumerate() {
            // These moves have been played since.
            let step = (ply + index + 1).checked_sub(shown).filter(|step| *step > 0);
            let walked = step.is_some() && view.walk == step && number == 1;
            let color = if walked { palette.accent } else { palette.weak };
            let text = RichText::new(tr.mv(*mv)).small().color(color);
            let drawn = ui.add(Label::new(text).sense(Sense::CLICK | Sense::HOVER));
            drawn.widget_info(|| {
                let text = format!("{number}.{} {}", index + 1, tr.mv(*mv));
                WidgetInfo::labeled(Role::Button, true, text)
            });
            let wanted = drawn.clicked() || (drawn.hovered() && drawn.ctx.input(moves));
            if wanted && number == 1 && step.is_some() && view.walk != step {
                scene.look.send(Command::WalkLine(step));
            }
        }
        if progress.pv.len() > MOVES {
            ui.label(RichText::new("…").small().color(palette.weak));
        }
    });
}

/// Whether the pointer moves: a pointer at rest does not undo the keys.
fn moves(input: &eframe::egui::InputState) -> bool {
    input.pointer.delta() != eframe::egui::Vec2::ZERO
}
