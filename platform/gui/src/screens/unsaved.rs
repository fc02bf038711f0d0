use eframe::egui::{Align, Frame, Id, Label, Layout, Modal, Order, RichText, Ui};

use crate::app::{Command, Document, FileCommand, House, Text, Words};
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
    ask(ui, words, palette, [&title, words.text(question)], commands, |ui, commands| {
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
    ask(ui, words, palette, ["", words.text(Text::EndQuestion)], commands, |ui, commands| {
        if ui.button(words.text(Text::EndAnyway)).clicked() {
            commands.push(Command::End);
        }
    });
}

/// A question with its answers, the most usual one first, and "Cancel" after them.
fn ask(
    ui: &Ui,
    words: Words,
    palette: Palette,
    [title, question]: [&str; 2],
    commands: &mut Vec<Command>,
    answers: impl FnOnce(&mut Ui, &mut Vec<Command>),
) {
    let frame = Frame::popup(ui.style()).fill(palette.panel).corner_radius(12).inner_margin(24);
    let id = Id::unique("unsaved");
    let area = Modal::default_area(id).order(Order::Middle);
    let modal = Modal::new(id).area(area).frame(frame).show(ui.ctx(), |ui| {
        ui.set_width(480.0);
        ui.label(RichText::new(words.text(Text::UnsavedTitle)).heading().strong());
        ui.add_space(8.0);
        if !title.is_empty() {
            ui.add(Label::new(RichText::new(title).strong().color(palette.text)).wrap());
        }
        ui.add(Label::new(RichText::new(question).color(palette.text)).wrap());
        ui.add_space(10.0);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            answers(ui, commands);
            if ui.button(words.text(Text::Cancel)).clicked() {
                commands.push(Command::Leave);
            }
        });
    });
    if modal.should_close() {
        commands.push(Command::Leave);
    }
}
