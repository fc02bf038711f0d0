use eframe::egui::Ui;

use super::question::{Question, ask};
use crate::app::{Command, EventCommand, House, Text};
use crate::theme::Palette;
use crate::widgets::primary;

/// The question before a table is left whose event is running.
pub(crate) fn running(
    ui: &Ui,
    house: &House,
    table: u64,
    palette: Palette,
    commands: &mut Vec<Command>,
) {
    let words = house.words();
    let title =
        house.table_numbered(table).map(|table| table.document.title(words)).unwrap_or_default();
    let question =
        Question { heading: Text::RunningTitle, about: &title, text: Text::RunningQuestion };
    ask(ui, words, palette, question, commands, |ui, commands| {
        if primary(ui, palette, words.text(Text::RunningStop), true).clicked() {
            commands.push(Command::Discard);
        }
        if ui.button(words.text(Text::EventFinish)).clicked() {
            commands.extend(house.place_of(table).map(Command::Front));
            commands.push(Command::Event(EventCommand::Finish));
            commands.push(Command::Leave);
        }
    });
}
