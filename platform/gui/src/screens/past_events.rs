use eframe::egui::{Button, Label, RichText, ScrollArea, Ui};

use super::cover::cover;
use crate::app::{
    Command, Document, EventCommand, EventPhase, FileCommand, House, PastEvent, Purpose, Text,
    Words,
};
use crate::theme::Palette;
use crate::widgets::line;

/// The events that were played before, to go on with or to look at.
pub(crate) fn past_events(
    ui: &Ui,
    house: &House,
    past: Option<&[PastEvent]>,
    palette: Palette,
    commands: &mut Vec<Command>,
) {
    let words = house.words();
    cover(ui, words, palette, Text::PastTitle, 620.0, commands, |ui, commands| {
        let room = (ui.ctx().content_rect().height() - 260.0).max(160.0);
        ScrollArea::vertical().max_height(room).show(ui, |ui| match past {
            None => drop(ui.label(words.text(Text::PastReading))),
            Some([]) => {
                let folder = house.events_folder().unwrap_or_default();
                let text = words.fill(Text::PastNone, &[&folder.display().to_string()]);
                ui.add(Label::new(text).wrap());
            }
            Some(past) => past.iter().for_each(|event| row(ui, house, event, palette, commands)),
        });
        ui.add_space(8.0);
        if ui.button(words.text(Text::PastOther)).clicked() {
            commands.push(Command::Leave);
            commands.push(Command::File(FileCommand::Ask(Purpose::Open)));
        }
    });
}

fn row(
    ui: &mut Ui,
    house: &House,
    event: &PastEvent,
    palette: Palette,
    commands: &mut Vec<Command>,
) {
    let words = house.words();
    let name = event.dir.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let there = house.tables().0.iter().position(
        |table| matches!(&table.document, Document::Event(desk) if desk.shown().dir == event.dir),
    );
    let is_running = there.is_some_and(|index| house.tables().0[index].is_running());
    let button = Button::new(RichText::new(name).strong());
    if line(ui, button.right_text(state(words, event, is_running))).clicked() {
        commands.push(Command::Leave);
        commands.push(match there {
            Some(index) => Command::Front(index),
            None => Command::Event(EventCommand::Open(event.dir.clone())),
        });
    }
    let below = event.problem.clone().unwrap_or_else(|| event.labels.join(", "));
    let color = if event.problem.is_some() { palette.danger } else { palette.weak };
    ui.add(Label::new(RichText::new(below).small().color(color)).truncate());
    ui.add_space(6.0);
}

/// How far an event has come.
fn state(words: Words, event: &PastEvent, is_running: bool) -> String {
    if event.problem.is_some() {
        return String::new();
    }
    let phase = words.text(match event.phase {
        _ if is_running => Text::EventPlaying,
        EventPhase::Finished if event.finished < event.total => Text::EventDecided,
        EventPhase::Finished => Text::EventFinished,
        _ => Text::EventStopped,
    });
    let done = [event.finished.to_string(), event.total.to_string()];
    format!("{} · {phase}", words.fill(Text::EventProgress, &[&done[0], &done[1]]))
}
