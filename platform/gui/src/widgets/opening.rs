use eframe::egui::Ui;
use tengen_rules::{Move, canonical};

use super::Scene;

/// The name of the opening, if its three stones are one of the 26.
pub(crate) fn opening(ui: &mut Ui, scene: &Scene<'_>) {
    let stone = |row: &crate::app::MoveRow| match row.mv {
        Move::Stone(point) => Some(point),
        Move::Pass => None,
    };
    let stones: Option<Vec<_>> = scene.snapshot.rows.iter().take(3).map(stone).collect();
    let stones = stones.and_then(|stones| stones.try_into().ok());
    let known = stones.and_then(|stones| canonical::recognise(scene.snapshot.size, stones));
    if let Some(known) = known {
        let text = format!("{}  {}", known.code, scene.tr.canonical(known));
        ui.colored_label(scene.palette.weak, text);
    }
}
