use eframe::egui::{RichText, Ui};

use super::Scene;
use crate::app::{MatchInfo, Text};
use crate::theme::accent;

/// The score of the match so far.
pub(crate) fn score(ui: &mut Ui, scene: &Scene<'_>, series: &MatchInfo) {
    let game = scene.tr.fill(Text::GameOf, &[&series.game.to_string(), &series.games.to_string()]);
    ui.label(RichText::new(game).strong());
    for (engine, standing) in series.standings.iter().enumerate() {
        let score = standing.score;
        ui.spacing_mut().interact_size.y = 18.0;
        ui.horizontal(|ui| {
            let color = accent(engine, scene.settings.dark);
            ui.colored_label(color, &standing.name);
            let counts = format!("+{} ={} −{}", score.wins, score.draws, score.losses);
            ui.label(format!("{} / {}  ({counts})", score.points(), score.games()));
        });
    }
}
