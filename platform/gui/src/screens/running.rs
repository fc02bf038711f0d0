use eframe::egui::Ui;

use super::confirmation::{Confirmation, ask};
use crate::app::{App, Command, EventCommand, Text};
use crate::theme::Palette;
use crate::widgets::primary;

/// The question before a tab with a running event is closed.
pub(crate) fn running(ui: &Ui, app: &App, tab: u64, palette: Palette, commands: &mut Vec<Command>) {
    let tr = app.tr();
    let title = app.tab_by_id(tab).map(|tab| tab.document.title(tr)).unwrap_or_default();
    let question =
        Confirmation { heading: Text::RunningTitle, about: &title, text: Text::RunningQuestion };
    ask(ui, tr, palette, question, commands, |ui, commands| {
        if primary(ui, palette, tr.text(Text::RunningStop), true).clicked() {
            commands.push(Command::DiscardTab);
        }
        if ui.button(tr.text(Text::EventFinish)).clicked() {
            commands.extend(app.tab_index(tab).map(Command::SelectTab));
            commands.push(Command::Event(EventCommand::Finish));
            commands.push(Command::CloseDialog);
        }
    });
}
