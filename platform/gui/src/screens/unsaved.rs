//! The questions before unsaved work is closed, and before a table is left.

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

/// The question before the window is closed with work that cannot be autosaved, or with people at
/// its tables.
pub(crate) fn end(ui: &Ui, app: &App, palette: Palette, commands: &mut Vec<Command>) {
    let tr = app.tr();
    let (heading, text) = match app.has_unsaved_work() {
        true => (Text::UnsavedTitle, Text::CloseQuestion),
        false => (Text::LeaveTitle, Text::LeaveWindow),
    };
    let question = Confirmation { heading, about: "", text };
    ask(ui, tr, palette, question, commands, |ui, commands| {
        if ui.button(tr.text(Text::CloseAnyway)).clicked() {
            commands.push(Command::CloseWindow);
        }
    });
}

/// The question before a table is left where somebody is.
pub(crate) fn leaving(ui: &Ui, app: &App, tab: u64, palette: Palette, commands: &mut Vec<Command>) {
    let tr = app.tr();
    let document = app.tab_by_id(tab).map(|tab| &tab.document);
    let title = document.map(|document| document.title(tr)).unwrap_or_default();
    if matches!(document, Some(Document::Team(_))) {
        let (heading, text) = (Text::LeaveTeamTitle, Text::LeaveTeam);
        let question = Confirmation { heading, about: &title, text };
        return ask(ui, tr, palette, question, commands, |ui, commands| {
            if ui.button(tr.text(Text::LeaveTeamDo)).clicked() {
                commands.push(Command::DiscardTab);
            }
        });
    }
    let is_hosted = matches!(document, Some(Document::Table(table)) if table.is_hosted_here());
    let (text, label) = match is_hosted {
        true => (Text::LeaveHosted, Text::LeaveEnd),
        false => (Text::LeavePlaying, Text::LeaveDo),
    };
    let question = Confirmation { heading: Text::LeaveTitle, about: &title, text };
    ask(ui, tr, palette, question, commands, |ui, commands| {
        if ui.button(tr.text(label)).clicked() {
            commands.push(Command::DiscardTab);
        }
    });
}
