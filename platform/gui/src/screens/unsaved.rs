//! The questions before unsaved work is closed.

use eframe::egui::Ui;

use super::confirmation::{Confirmation, ask};
use crate::app::{App, Command, Document, FileCommand, Text};
use crate::theme::Palette;
use crate::widgets::primary;

/// The question before a tab with unsaved work is closed.
pub(crate) fn unsaved(ui: &Ui, app: &App, tab: u64, palette: Palette, commands: &mut Vec<Command>) {
    let tr = app.tr();
    let document = app.tab_by_id(tab).map(|tab| &tab.document);
    let title = document.map(|document| document.title(tr)).unwrap_or_default();
    let question = match document {
        Some(Document::Analysis(_)) => Text::UnsavedAnalysis,
        _ => Text::UnsavedOther,
    };
    let question = Confirmation { heading: Text::UnsavedTitle, about: &title, text: question };
    ask(ui, tr, palette, question, commands, |ui, commands| {
        if primary(ui, palette, tr.text(Text::DoSave), true).clicked() {
            commands.push(Command::File(FileCommand::SaveAndClose));
        }
        if ui.button(tr.text(Text::UnsavedDiscard)).clicked() {
            commands.push(Command::DiscardTab);
        }
    });
}

/// The question before the window is closed with work that cannot be autosaved.
pub(crate) fn end(ui: &Ui, app: &App, palette: Palette, commands: &mut Vec<Command>) {
    let tr = app.tr();
    let question =
        Confirmation { heading: Text::UnsavedTitle, about: "", text: Text::CloseQuestion };
    ask(ui, tr, palette, question, commands, |ui, commands| {
        if ui.button(tr.text(Text::CloseAnyway)).clicked() {
            commands.push(Command::CloseWindow);
        }
    });
}
