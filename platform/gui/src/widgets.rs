//! What the window is made of: functions of a snapshot and a view, that say what was asked for.

mod board;
mod clocks;
mod controls;
mod moves;
mod score;

pub(crate) use board::Board;
pub(crate) use clocks::clocks;
pub(crate) use controls::controls;
pub(crate) use moves::moves;
pub(crate) use score::{score, status};

use eframe::egui::{Color32, Painter, Pos2, Stroke};
use tengen_rules::Color;

/// The colour that marks an engine wherever it sits.
pub(crate) fn accent(engine: usize) -> Color32 {
    const ACCENTS: [Color32; 4] = [
        Color32::from_rgb(0x3d, 0x8b, 0xd4),
        Color32::from_rgb(0xd9, 0x7a, 0x2b),
        Color32::from_rgb(0x4a, 0xa8, 0x5f),
        Color32::from_rgb(0xa0, 0x62, 0xc4),
    ];
    ACCENTS[engine % ACCENTS.len()]
}

/// A stone, with a rim that shows on wood and on panels of either theme.
pub(crate) fn stone(painter: &Painter, center: Pos2, radius: f32, color: Color) {
    let (fill, rim) = match color {
        Color::Black => (Color32::from_gray(24), Color32::from_gray(112)),
        Color::White => (Color32::from_gray(248), Color32::from_gray(96)),
    };
    painter.circle(center, radius, fill, Stroke::new((radius * 0.08).max(1.0), rim));
}
