use eframe::egui::{CentralPanel, Frame, Margin, RichText, Ui};

use crate::app::{Command, FileCommand, GameCollection, Text};
use crate::widgets::{Look, game_list};

/// A list of games.
pub(crate) fn collection(ui: &mut Ui, look: Look<'_>, games: &GameCollection) {
    let Look { tr, palette, .. } = look;
    let frame = Frame::new().fill(palette.ground).inner_margin(Margin::same(14));
    CentralPanel::default().frame(frame).show(ui, |ui| {
        let title = games.path.as_ref().map(|path| path.display().to_string());
        let count = tr.fill(Text::GamesCount, &[&games.len().to_string()]);
        ui.horizontal(|ui| {
            ui.label(RichText::new(title.unwrap_or_default()).strong().color(palette.text));
            ui.colored_label(palette.weak, count);
        });
        ui.add_space(4.0);
        let lines = games.lines();
        let line = |index: usize| lines[index].clone();
        if let Some(index) = game_list(ui, look, lines.len(), line) {
            look.send(Command::File(FileCommand::OpenListed(index)));
        }
    });
}
