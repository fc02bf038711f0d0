//! Engine lines and candidates, over the board.

use eframe::egui::{Align2, FontId, Painter, Stroke};
use tengen_rules::Seat;

use super::super::Scene;
use super::{BoardLayout, PreviewStone};
use crate::app::Overlay;
use crate::theme::BoardColors;

/// The overlay of the engine with the newest report on the position shown. A person who plays sees
/// it only on request.
pub(super) fn of(scene: &Scene<'_>) -> Overlay {
    let Scene { look, snapshot, view, settings, .. } = *scene;
    let plays = Seat::ALL.into_iter().any(|seat| snapshot.seats[seat].is_person)
        && snapshot.result.is_none()
        && !snapshot.phase.is_over();
    let wanted = view.walk.is_some() || (settings.lines && !plays);
    let Some(tab) = look.app.tab().filter(|_| wanted) else { return Overlay::default() };
    let shown = view.shown(snapshot);
    if let Some(analysis) = scene.analysis() {
        return Overlay::new(snapshot, shown, (shown, &analysis.output().lines(shown)), view.walk);
    }
    let newest = Seat::ALL
        .into_iter()
        .filter_map(|seat| tab.document.output(snapshot.seats[seat].accent))
        .filter_map(|output| output.newest(shown).map(|(ply, _)| (ply, output.lines(ply))))
        .max_by_key(|(ply, _)| *ply);
    newest.map_or_else(Overlay::default, |(ply, lines)| {
        Overlay::new(snapshot, shown, (ply, &lines), view.walk)
    })
}

/// The stones of a line, numbered as they would be played after so many plies.
pub(super) fn previews(overlay: &Overlay, plies: usize) -> impl Iterator<Item = PreviewStone> + '_ {
    overlay.stones.iter().enumerate().map(move |(index, &(point, color))| PreviewStone {
        point,
        color,
        label: (plies + index + 1).to_string(),
        faint: true,
    })
}

/// The first stones of several lines, with their evaluations.
pub(super) fn candidates(
    painter: &Painter,
    layout: &BoardLayout,
    overlay: &Overlay,
    scene: &Scene<'_>,
) {
    let (grid, colors) = (&layout.grid, BoardColors::of(layout.style));
    for (rank, (point, progress)) in overlay.candidates.iter().enumerate() {
        let (at, color) = (grid.at(*point), if rank == 0 { colors.win } else { colors.offer });
        painter.circle_stroke(at, grid.radius(), Stroke::new((grid.cell * 0.07).max(1.5), color));
        // A stone of the best line covers it; its evaluation is in the list.
        if overlay.stones.iter().any(|(laid, _)| laid == point) {
            continue;
        }
        painter.circle_filled(at, grid.radius() * 0.94, colors.ground.gamma_multiply(0.8));
        let font = FontId::proportional((grid.cell * 0.27).max(8.0));
        let text = scene.tr.eval(&progress.info);
        painter.text(at, Align2::CENTER_CENTER, text, font, color);
    }
}
