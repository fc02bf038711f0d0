use eframe::egui::{CentralPanel, Frame, Margin, RichText, Ui};

use crate::app::{Collection, Command, FileCommand, House, Text};
use crate::theme::Palette;
use crate::widgets::game_list;

/// The games of a file, to choose from.
pub(crate) fn collection(
    ui: &mut Ui,
    house: &House,
    games: &Collection,
    palette: Palette,
    commands: &mut Vec<Command>,
) {
    let words = house.words();
    let frame = Frame::new().fill(palette.ground).inner_margin(Margin::same(14));
    CentralPanel::default().frame(frame).show(ui, |ui| {
        let title = games.path.as_ref().map(|path| path.display().to_string());
        let count = words.fill(Text::GamesCount, &[&games.len().to_string()]);
        ui.horizontal(|ui| {
            ui.label(RichText::new(title.unwrap_or_default()).strong().color(palette.text));
            ui.label(RichText::new(count).color(palette.weak));
        });
        ui.add_space(4.0);
        let lines = games.lines();
        let line = |index: usize| lines[index].clone();
        if let Some(index) = game_list(ui, words, palette, lines.len(), line) {
            commands.push(Command::File(FileCommand::Choose(index)));
        }
    });
}
