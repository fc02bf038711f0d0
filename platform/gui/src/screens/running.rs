use eframe::egui::Ui;

use super::confirmation::{Confirmation, ask};
use crate::app::{Command, EventCommand, Text};
use crate::widgets::{Look, primary};

/// The question before a tab with a running event is closed.
pub(crate) fn running(ui: &Ui, look: Look<'_>, tab: u64) {
    let Look { app, tr, palette, .. } = look;
    let title = app.tab_by_id(tab).map(|tab| tab.document.title(tr)).unwrap_or_default();
    let question =
        Confirmation { heading: Text::RunningTitle, about: &title, text: Text::RunningQuestion };
    ask(ui, look, question, |ui| {
        if primary(ui, palette, tr.text(Text::RunningStop), true).clicked() {
            look.send(Command::DiscardTab);
        }
        if ui.button(tr.text(Text::EventFinish)).clicked() {
            look.send_all(app.tab_index(tab).map(Command::SelectTab));
            look.send(Command::Event(EventCommand::Finish));
            look.send(Command::CloseDialog);
        }
    });
}
