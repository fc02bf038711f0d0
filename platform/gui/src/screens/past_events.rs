//! The list of past events.

use eframe::egui::{Button, Label, RichText, ScrollArea, Ui};

use super::dialog_frame::dialog_frame;
use crate::app::{
    Command, Document, EventCommand, EventPhase, FileCommand, FilePurpose, PastEvent, Text,
    Translator,
};
use crate::widgets::{Look, line};

/// The past events, to resume or view.
pub(crate) fn past_events(ui: &Ui, look: Look<'_>, past: Option<&[PastEvent]>) {
    let Look { app, tr, .. } = look;
    dialog_frame(ui, look, Text::PastTitle, 620.0, |ui| {
        let room = (ui.ctx().content_rect().height() - 260.0).max(160.0);
        ScrollArea::vertical().max_height(room).show(ui, |ui| match past {
            None => drop(ui.label(tr.text(Text::PastReading))),
            Some([]) => {
                let folder = app.events_folder().cloned().unwrap_or_default();
                let text = tr.fill(Text::PastNone, &[&folder.display().to_string()]);
                ui.add(Label::new(text).wrap());
            }
            Some(past) => past.iter().for_each(|event| row(ui, look, event)),
        });
        ui.add_space(8.0);
        if ui.button(tr.text(Text::PastOther)).clicked() {
            look.send(Command::CloseDialog);
            look.send(Command::File(FileCommand::OpenDialog(FilePurpose::Open)));
        }
    });
}

fn row(ui: &mut Ui, look: Look<'_>, event: &PastEvent) {
    let Look { app, tr, palette, .. } = look;
    let name = event.dir.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let there = app.tabs().0.iter().position(|tab| match &tab.document {
        Document::Event(session) => session.snapshot().dir == event.dir,
        _ => false,
    });
    let is_running = there.is_some_and(|index| app.tabs().0[index].is_running());
    let button = Button::new(RichText::new(name).strong());
    if line(ui, button.right_text(state(tr, event, is_running))).clicked() {
        look.send(Command::CloseDialog);
        look.send(match there {
            Some(index) => Command::SelectTab(index),
            None => Command::Event(EventCommand::Open(event.dir.clone())),
        });
    }
    let below = event.problem.clone().unwrap_or_else(|| event.labels.join(", "));
    let color = if event.problem.is_some() { palette.danger } else { palette.weak };
    ui.add(Label::new(RichText::new(below).small().color(color)).truncate());
    ui.add_space(6.0);
}

/// The progress of an event.
fn state(tr: Translator, event: &PastEvent, is_running: bool) -> String {
    if event.problem.is_some() {
        return String::new();
    }
    let phase = tr.text(match event.phase {
        _ if is_running => Text::EventPlaying,
        EventPhase::Finished if event.finished < event.total => Text::EventDecided,
        EventPhase::Finished => Text::EventFinished,
        _ => Text::EventStopped,
    });
    let done = [event.finished.to_string(), event.total.to_string()];
    format!("{} · {phase}", tr.fill(Text::EventProgress, &[&done[0], &done[1]]))
}
