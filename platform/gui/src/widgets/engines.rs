use eframe::egui::{
    Align2, Color32, FontId, Frame, Label, Response, RichText, Role, Sense, TextStyle, Ui,
    WidgetInfo, pos2, vec2,
};
use tengen_players::SearchProgress;
use tengen_rules::Seat;

use super::Scene;
use crate::app::{Command, Text, translator};
use crate::theme::accent;

/// How many moves of a line have room.
const MOVES: usize = 9;

/// The figures of a search, and how much room each has: the name has what is left.
const FIGURES: [(Text, f32); 4] = [
    (Text::ColumnDepth, 56.0),
    (Text::ColumnEval, 78.0),
    (Text::ColumnNodes, 62.0),
    (Text::ColumnSpeed, 70.0),
];
/// The height of a row of figures.
const ROW: f32 = 20.0;
/// The height of a row of moves.
const LINE: f32 = 16.0;

/// What both engines say of the position: depth, evaluation, nodes, speed, line.
pub(crate) fn engines(ui: &mut Ui, scene: &Scene<'_>, commands: &mut Vec<Command>) {
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        rows(ui, scene, commands);
    });
    ui.add_space(4.0);
}

fn rows(ui: &mut Ui, scene: &Scene<'_>, commands: &mut Vec<Command>) {
    let Scene { snapshot, view, settings, .. } = *scene;
    let Some(tab) = scene.app.tab() else { return };
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
            Some((ply, best)) => said(ui, scene, (&seated.name, color), 1, (ply, &best), commands),
            None => {
                figures(ui, (&seated.name, color), &Default::default(), &seated.name);
                // What is below stays where it is when the first line comes.
                ui.add_space(LINE);
            }
        }
    }
}

/// What an engine says of one line: its figures in columns, and its moves below.
pub(super) fn said(
    ui: &mut Ui,
    scene: &Scene<'_>,
    name: (&str, Color32),
    number: usize,
    (ply, best): (usize, &SearchProgress),
    commands: &mut Vec<Command>,
) {
    Frame::new().show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.spacing_mut().item_spacing.y = 0.0;
        ui.spacing_mut().interact_size.y = LINE;
        let label = format!("{}  {}", name.0, summary(scene, best));
        figures(ui, name, &columns(scene, best), &label);
        line(ui, scene, number, ply, best, commands);
    });
}

/// How high so many lines are, with the names of their columns.
pub(super) fn height(lines: usize) -> f32 {
    let apart = 2.0;
    (ROW + apart) + lines as f32 * (ROW + LINE + apart)
}

/// What the columns of the figures are called.
pub(super) fn heads(ui: &mut Ui, scene: &Scene<'_>) {
    let names = FIGURES.map(|(text, _)| scene.tr.text(text).to_owned());
    cells(ui, ("", scene.palette.weak), &names, TextStyle::Small);
}

/// A row of figures, read out as one text.
fn figures(ui: &mut Ui, name: (&str, Color32), columns: &[String; 4], label: &str) {
    let drawn = cells(ui, name, columns, TextStyle::Body);
    drawn.widget_info(|| WidgetInfo::labeled(Role::Label, true, label));
    drawn.on_hover_text(label);
}

/// A name, and figures that end at the same places in every row.
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

/// Depth, evaluation, nodes and nodes a second, each as its column shows it.
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

/// How deep it looks, and how deep at the most.
fn depth(progress: &SearchProgress) -> String {
    let info = &progress.info;
    match info.seldepth {
        deepest if deepest > info.depth => format!("{}/{deepest}", info.depth),
        _ => info.depth.to_string(),
    }
}

/// Nodes a second; of a few microseconds none can be told.
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

/// The moves of a line: the pointer over one walks there on the board.
fn line(
    ui: &mut Ui,
    scene: &Scene<'_>,
    number: usize,
    ply: usize,
    progress: &SearchProgress,
    commands: &mut Vec<Command>,
) {
    let Scene { tr, view, palette, snapshot, .. } = *scene;
    let shown = view.shown(snapshot);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(5.0, 1.0);
        for (index, mv) in progress.pv.iter().take(MOVES).enumerate() {
            // Moves that have been played since are walked already.
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
                commands.push(Command::WalkLine(step));
            }
        }
        if progress.pv.len() > MOVES {
            ui.label(RichText::new("…").small().color(palette.weak));
        }
    });
}

/// Whether the pointer moves: one that rests does not walk anew after the keys did.
fn moves(input: &eframe::egui::InputState) -> bool {
    input.pointer.delta() != eframe::egui::Vec2::ZERO
}
