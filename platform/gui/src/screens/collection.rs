use eframe::egui::{CentralPanel, Frame, Margin, RichText, Ui};

use crate::app::{App, Command, FileCommand, GameCollection, Text};
use crate::theme::Palette;
use crate::widgets::game_list;

/// A list of games.
pub(crate) fn collection(
    ui: &mut Ui,
    app: &App,
    games: &GameCollection,
    palette: Palette,
    commands: &mut Vec<Command>,
) {
    let tr = app.tr();
    let frame = Frame::new().fill(palette.ground).inner_margin(Margin::same(14));
    CentralPanel::default().frame(frame).show(ui, |ui| {
        let title = games.path.as_ref().map(|path| path.display().to_string());
        let count = tr.fill(Text::GamesCount, &[&games.len().to_string()]);
        ui.horizontal(|ui| {
            ui.label(RichText::new(title.unwrap_or_default()).strong().color(palette.text));
            ui.label(RichText::new(count).color(palette.weak));
        });
        ui.add_space(4.0);
        let lines = games.lines();
        let line = |index: usize| lines[index].clone();
        if let Some(index) = game_list(ui, tr, palette, lines.len(), line) {
            commands.push(Command::File(FileCommand::OpenListed(index)));
        }
    });
}
