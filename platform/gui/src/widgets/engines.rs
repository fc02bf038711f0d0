use eframe::egui::{Frame, Label, RichText, Role, Sense, Ui, WidgetInfo};
use tengen_players::Progress;
use tengen_rules::Seat;

use super::Scene;
use crate::app::{Command, Text, words};
use crate::theme::accent;

/// How many moves of a line have room.
const MOVES: usize = 9;

/// What both engines say of the position: depth, evaluation, nodes, speed, line.
pub(crate) fn engines(ui: &mut Ui, scene: &Scene<'_>, commands: &mut Vec<Command>) {
    let Scene { snapshot, view, settings, .. } = *scene;
    let Some(table) = scene.house.table() else { return };
    for seat in Seat::ALL {
        let seated = &snapshot.seats[seat];
        let live = table.document.live(seated.accent).filter(|_| !seated.is_person);
        let Some(live) = live else { continue };
        let newest = live.newest(view.shown(snapshot));
        let color = accent(seated.accent, settings.dark);
        let frame = Frame::new().show(ui, |ui| {
            ui.set_width(ui.available_width());
            ui.spacing_mut().item_spacing.y = 0.0;
            ui.spacing_mut().interact_size.y = 16.0;
            let Some((ply, best)) = &newest else {
                ui.label(RichText::new(format!("{}  –", seated.name)).small().color(color));
                return;
            };
            let text = format!("{}  {}", seated.name, summary(scene, best));
            ui.add(Label::new(RichText::new(text).color(color)).truncate());
            line(ui, scene, 1, *ply, best, commands);
        });
        frame.response.on_hover_text(&seated.name);
    }
}

/// Depth, evaluation, nodes and speed.
pub(crate) fn summary(scene: &Scene<'_>, progress: &Progress) -> String {
    let (words, info) = (scene.words, &progress.info);
    let mut parts = Vec::new();
    if info.depth > 0 {
        let depth = match info.seldepth {
            deepest if deepest > info.depth => format!("{}/{deepest}", info.depth),
            _ => info.depth.to_string(),
        };
        parts.push(words.fill(Text::EngineDepth, &[&depth]));
    }
    let eval = words.eval(info);
    if !eval.is_empty() {
        parts.push(eval);
    }
    if info.nodes > 0 {
        parts.push(words.fill(Text::EngineNodes, &[&words::count(info.nodes)]));
        // Of a few microseconds no speed can be told.
        if progress.elapsed > 1_000_000 {
            let speed = info.nodes as f64 * 1e9 / progress.elapsed as f64;
            parts.push(words.fill(Text::EngineSpeed, &[&words::count(speed as u64)]));
        }
    }
    parts.join("  ·  ")
}

/// The moves of a line: the pointer over one walks there on the board.
pub(crate) fn line(
    ui: &mut Ui,
    scene: &Scene<'_>,
    number: usize,
    ply: usize,
    progress: &Progress,
    commands: &mut Vec<Command>,
) {
    let Scene { words, view, palette, snapshot, .. } = *scene;
    let shown = view.shown(snapshot);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = eframe::egui::vec2(5.0, 1.0);
        for (index, mv) in progress.pv.iter().take(MOVES).enumerate() {
            // Moves that have been played since are walked already.
            let step = (ply + index + 1).checked_sub(shown).filter(|step| *step > 0);
            let walked = step.is_some() && view.walk == step && number == 1;
            let color = if walked { palette.accent } else { palette.weak };
            let text = RichText::new(words.mv(*mv)).small().color(color);
            let drawn = ui.add(Label::new(text).sense(Sense::CLICK | Sense::HOVER));
            drawn.widget_info(|| {
                let text = format!("{number}.{} {}", index + 1, words.mv(*mv));
                WidgetInfo::labeled(Role::Button, true, text)
            });
            let wanted = drawn.clicked() || (drawn.hovered() && drawn.ctx.input(moves));
            if wanted && number == 1 && step.is_some() && view.walk != step {
                commands.push(Command::Walk(step));
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
