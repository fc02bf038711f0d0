use eframe::egui::Ui;

use super::question::{Question, ask};
use crate::app::{Command, Document, FileCommand, House, Text};
use crate::theme::Palette;
use crate::widgets::primary;

/// The question before a table is left that holds what no file does.
pub(crate) fn unsaved(
    ui: &Ui,
    house: &House,
    table: u64,
    palette: Palette,
    commands: &mut Vec<Command>,
) {
    let words = house.words();
    let document = house.table_numbered(table).map(|table| &table.document);
    let title = document.map(|document| document.title(words)).unwrap_or_default();
    let question = match document {
        Some(Document::Study(_)) => Text::UnsavedStudy,
        _ => Text::UnsavedOther,
    };
    let question = Question { heading: Text::UnsavedTitle, about: &title, text: question };
    ask(ui, words, palette, question, commands, |ui, commands| {
        if primary(ui, palette, words.text(Text::DoSave), true).clicked() {
            commands.push(Command::File(FileCommand::SaveAndClose));
        }
        if ui.button(words.text(Text::UnsavedDiscard)).clicked() {
            commands.push(Command::Discard);
        }
    });
}

/// The question before the window is closed with what cannot be kept.
pub(crate) fn end(ui: &Ui, house: &House, palette: Palette, commands: &mut Vec<Command>) {
    let words = house.words();
    let question = Question { heading: Text::UnsavedTitle, about: "", text: Text::EndQuestion };
    ask(ui, words, palette, question, commands, |ui, commands| {
        if ui.button(words.text(Text::EndAnyway)).clicked() {
            commands.push(Command::End);
        }
    });
}
