//! The graph of evaluations and times.

use eframe::egui::{Pos2, Rect, Role, Sense, Shape, Stroke, Ui, WidgetInfo, pos2, vec2};
use tengen_rules::{Color, Seat};

use super::{Scene, stone};
use crate::app::{Command, EvaluationCurve, Navigation, Text, translator};
use crate::theme::accent;

/// The height of the graph: its share of the space below, and the limits.
const PART: f32 = 0.18;
const HEIGHT: [f32; 2] = [54.0, 130.0];
/// The height of the stones that mark the sides.
const SIDES: f32 = 0.75;
/// The least number of plies of the axis.
const LEAST: usize = 24;

/// Evaluations and times of both players: a click shows the board after that ply.
pub(crate) fn graph(ui: &mut Ui, scene: &Scene<'_>) {
    let Scene { snapshot, view, tr, palette, settings, .. } = *scene;
    let height = (ui.available_height() * PART).clamp(HEIGHT[0], HEIGHT[1]);
    let (rect, drawn) = ui.allocate_exact_size(
        vec2(ui.available_width(), height),
        Sense::CLICK | Sense::DRAG | Sense::HOVER,
    );
    let plies = snapshot.rows.len();
    drawn.widget_info(|| {
        let text = tr.fill(Text::GraphLabel, &[&plies.to_string()]);
        WidgetInfo::labeled(Role::Image, true, text)
    });
    let plot = Plot { rect: rect.shrink2(vec2(4.0, 4.0)), plies: plies.max(LEAST) };
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 6.0, palette.card);
    let middle = [plot.at(0, 0.0), pos2(plot.rect.right(), plot.rect.center().y)];
    painter.line_segment(middle, Stroke::new(1.0, palette.edge));
    for (color, up) in [(Color::Black, 1.0), (Color::White, -1.0)] {
        let at = plot.at(0, up * SIDES);
        stone(&painter, pos2(rect.left() + 9.0, at.y), 4.0, color);
    }
    let curve = EvaluationCurve::new(snapshot);
    let accent_of = |seat: Seat| accent(snapshot.seats[seat].accent, settings.dark);
    for &(ply, part) in &curve.times {
        let Some(seat) = snapshot.rows.get(ply - 1).and_then(|row| row.seat) else { continue };
        painter.rect_filled(plot.bar(ply, part), 0.0, accent_of(seat).gamma_multiply(0.35));
    }
    for seat in Seat::ALL {
        let points: Vec<Pos2> =
            curve.values[seat].iter().map(|&(ply, value)| plot.at(ply, value)).collect();
        painter.extend(points.iter().map(|&at| Shape::circle_filled(at, 1.8, accent_of(seat))));
        painter.add(Shape::line(points, Stroke::new(1.5, accent_of(seat))));
    }
    let shown = view.shown(snapshot);
    let x = plot.at(shown, 0.0).x;
    painter.vline(x, plot.rect.y_range(), Stroke::new(1.0, palette.accent));
    let Some(pointer) = drawn.interact_pointer_pos().or(drawn.hover_pos()) else { return };
    let ply = plot.ply(pointer).min(plies);
    if (drawn.clicked() || drawn.dragged()) && ply != shown {
        scene.look.send(Command::Navigate(Navigation::After(ply)));
    }
    if let Some(row) = ply.checked_sub(1).and_then(|index| snapshot.rows.get(index)) {
        let mut parts = vec![format!("{}  {}", row.ply, tr.mv(row.mv))];
        parts.extend(row.info.as_ref().map(|info| tr.eval(info)));
        parts.extend(row.spent.map(translator::spent));
        parts.retain(|part| !part.is_empty());
        drawn.on_hover_text(tr.fill(Text::GraphTip, &[&parts.join("  ·  ")]));
    }
}

/// The coordinates of the plot.
struct Plot {
    rect: Rect,
    plies: usize,
}

impl Plot {
    fn at(&self, ply: usize, value: f32) -> Pos2 {
        let x = self.rect.left() + ply as f32 * self.step();
        pos2(x, self.rect.center().y - value * self.rect.height() / 2.0)
    }

    fn bar(&self, ply: usize, part: f32) -> Rect {
        let Pos2 { x, .. } = self.at(ply, 0.0);
        let bottom = self.rect.bottom();
        let top = bottom - part * self.rect.height() * 0.45;
        let half = (self.step() * 0.4).max(0.5);
        Rect::from_min_max(pos2(x - half, top), pos2(x + half, bottom))
    }

    fn ply(&self, at: Pos2) -> usize {
        ((at.x - self.rect.left()) / self.step()).round().max(0.0) as usize
    }

    fn step(&self) -> f32 {
        self.rect.width() / self.plies as f32
    }
}
