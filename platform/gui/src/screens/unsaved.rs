//! The questions before unsaved work is closed, and before a table is left.

use eframe::egui::Ui;

use super::confirmation::{Confirmation, ask};
use crate::app::{Command, Document, FileCommand, Text};
use crate::widgets::{Look, primary};

/// The question before a tab with unsaved work is closed.
pub(crate) fn unsaved(ui: &Ui, look: Look<'_>, tab: u64) {
    let Look { app, tr, palette, .. } = look;
    let document = app.tab_by_id(tab).map(|tab| &tab.document);
    let title = document.map(|document| document.title(tr)).unwrap_or_default();
    let question = match document {
        Some(Document::Analysis(_)) => Text::UnsavedAnalysis,
        _ => Text::UnsavedOther,
    };
    let question = Confirmation { heading: Text::UnsavedTitle, about: &title, text: question };
    ask(ui, look, question, |ui| {
        if primary(ui, palette, tr.text(Text::Save), true).clicked() {
            look.send(Command::File(FileCommand::SaveAndClose));
        }
        if ui.button(tr.text(Text::UnsavedDiscard)).clicked() {
            look.send(Command::DiscardTab);
        }
    });
}

/// The question before the window is closed with work that cannot be autosaved, or with people at
/// its tables.
pub(crate) fn end(ui: &Ui, look: Look<'_>) {
    let Look { app, tr, .. } = look;
    let (heading, text) = match app.has_unsaved_work() {
        true => (Text::UnsavedTitle, Text::CloseQuestion),
        false => (Text::LeaveTitle, Text::LeaveWindow),
    };
    let question = Confirmation { heading, about: "", text };
    ask(ui, look, question, |ui| {
        if ui.button(tr.text(Text::Close)).clicked() {
            look.send(Command::CloseWindow);
        }
    });
}

/// The question before a table is left where somebody is.
pub(crate) fn leaving(ui: &Ui, look: Look<'_>, tab: u64) {
    let Look { app, tr, .. } = look;
    let document = app.tab_by_id(tab).map(|tab| &tab.document);
    let title = document.map(|document| document.title(tr)).unwrap_or_default();
    if matches!(document, Some(Document::Team(_))) {
        let (heading, text) = (Text::LeaveTeamTitle, Text::LeaveTeam);
        let question = Confirmation { heading, about: &title, text };
        return ask(ui, look, question, |ui| {
            if ui.button(tr.text(Text::LeaveTeamDo)).clicked() {
                look.send(Command::DiscardTab);
            }
        });
    }
    let is_hosted = matches!(document, Some(Document::Table(table)) if table.is_hosted_here());
    let (text, label) = match is_hosted {
        true => (Text::LeaveHosted, Text::LeaveEnd),
        false => (Text::LeavePlaying, Text::LeaveDo),
    };
    let question = Confirmation { heading: Text::LeaveTitle, about: &title, text };
    ask(ui, look, question, |ui| {
        if ui.button(tr.text(label)).clicked() {
            look.send(Command::DiscardTab);
        }
    });
}
