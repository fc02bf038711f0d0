//! The questions before something is closed that would be lost or stopped.

use eframe::egui::{Id, Label, RichText, Ui};

use super::dialog_frame::{button_row, modal};
use crate::app::{Command, Dialog, Document, EventCommand, FileCommand, Text};
use crate::widgets::{Look, paragraph, primary};

/// A question: its heading, its text, and its answers with their commands, the most usual one
/// first. Whether the first one is the primary one.
type Confirmation = (Text, Text, bool, Vec<(Text, Vec<Command>)>);

/// The question of a dialog that asks before a tab or the window is closed.
pub(crate) fn confirmation(ui: &Ui, look: Look<'_>, dialog: &Dialog) {
    let Look { app, tr, palette, .. } = look;
    let document = match dialog {
        Dialog::UnsavedTab { tab } | Dialog::RunningEvent { tab } | Dialog::LeaveTable { tab } => {
            app.tab_by_id(*tab).map(|tab| &tab.document)
        }
        _ => None,
    };
    let (heading, text, has_primary, answers) = question(look, dialog, document);
    let shown = modal(ui, palette, Id::unique("question"), |ui| {
        ui.set_width(480.0);
        ui.label(RichText::new(tr.text(heading)).heading().strong());
        ui.add_space(8.0);
        if let Some(document) = document {
            let title = RichText::new(document.title(tr)).strong().color(palette.text);
            ui.add(Label::new(title).wrap());
        }
        paragraph(ui, palette.text, tr.text(text));
        ui.add_space(10.0);
        button_row(ui, |ui| {
            for (index, (label, commands)) in answers.into_iter().enumerate() {
                let label = tr.text(label);
                let button = match has_primary && index == 0 {
                    true => primary(ui, palette, label, true),
                    false => ui.button(label),
                };
                if button.clicked() {
                    look.send_all(commands);
                }
            }
            if ui.button(tr.text(Text::Cancel)).clicked() {
                look.send(Command::CloseDialog);
            }
        });
    });
    if shown.should_close() {
        look.send(Command::CloseDialog);
    }
}

fn question(look: Look<'_>, dialog: &Dialog, document: Option<&Document>) -> Confirmation {
    let discard = |label: Text| (label, vec![Command::DiscardTab]);
    match dialog {
        Dialog::UnsavedTab { .. } => {
            let text = match document {
                Some(Document::Analysis(_)) => Text::UnsavedAnalysis,
                _ => Text::UnsavedOther,
            };
            let save = (Text::Save, vec![Command::File(FileCommand::SaveAndClose)]);
            (Text::UnsavedTitle, text, true, vec![save, discard(Text::UnsavedDiscard)])
        }
        Dialog::RunningEvent { tab } => {
            let select = look.app.tab_index(*tab).map(Command::SelectTab).into_iter();
            let finish = [Command::Event(EventCommand::Finish), Command::CloseDialog];
            let finish = (Text::EventFinish, select.chain(finish).collect());
            let answers = vec![discard(Text::RunningStop), finish];
            (Text::RunningTitle, Text::RunningQuestion, true, answers)
        }
        Dialog::LeaveTable { .. } => {
            let (heading, text, label) = match document {
                Some(Document::Team(_)) => {
                    (Text::LeaveTeamTitle, Text::LeaveTeam, Text::LeaveTeamDo)
                }
                Some(Document::Table(table)) if table.is_hosted_here() => {
                    (Text::LeaveTitle, Text::LeaveHosted, Text::LeaveEnd)
                }
                _ => (Text::LeaveTitle, Text::LeavePlaying, Text::LeaveDo),
            };
            (heading, text, false, vec![discard(label)])
        }
        // Work that cannot be autosaved, or people at the window's tables.
        _ => {
            let (heading, text) = match look.app.has_unsaved_work() {
                true => (Text::UnsavedTitle, Text::CloseQuestion),
                false => (Text::LeaveTitle, Text::LeaveWindow),
            };
            (heading, text, false, vec![(Text::Close, vec![Command::CloseWindow])])
        }
    }
}
