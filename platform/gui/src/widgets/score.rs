use eframe::egui::{Label, RichText, Ui};
use tengen_rules::Seat;

use super::Scene;
use crate::app::{MatchInfo, Text};
use crate::theme::accent;

/// The score between the two players in all their games.
pub(crate) fn players_score(ui: &mut Ui, scene: &Scene<'_>, points: [f64; 2]) {
    let Scene { snapshot, tr, palette, .. } = *scene;
    let [first, second] = Seat::ALL.map(|seat| tr.seated(&snapshot.seats[seat]));
    let [of_first, of_second] = points.map(|points| points.to_string());
    let text = tr.fill(Text::Score, &[first, &of_first, &of_second, second]);
    let label = Label::new(RichText::new(text).color(palette.text)).truncate();
    ui.add(label).on_hover_text(tr.text(Text::ScoreTip));
}

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
