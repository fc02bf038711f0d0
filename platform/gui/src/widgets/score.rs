use eframe::egui::{RichText, Ui};

use super::accent;
use crate::app::{Snapshot, words};

/// The score of the match so far.
pub(crate) fn score(ui: &mut Ui, snapshot: &Snapshot) {
    ui.label(RichText::new(format!("Game {} of {}", snapshot.game, snapshot.games)).strong());
    for (engine, standing) in snapshot.standings.iter().enumerate() {
        let score = standing.score;
        ui.horizontal(|ui| {
            ui.label(RichText::new(&standing.name).color(accent(engine)));
            let counts = format!("+{} ={} −{}", score.wins, score.draws, score.losses);
            ui.label(format!("{} of {}  ({counts})", score.points(), score.games()));
        });
    }
}

/// How the game ended, or what goes on, in words.
pub(crate) fn status(ui: &mut Ui, snapshot: &Snapshot) {
    ui.horizontal_wrapped(|ui| {
        if let Some(result) = words::result(snapshot) {
            ui.label(RichText::new(result).strong());
        }
        ui.label(words::status(snapshot));
        if let Some(detail) = &snapshot.detail {
            ui.label(RichText::new(detail.lines().next().unwrap_or_default()).weak())
                .on_hover_text(detail);
        }
    });
}
