//! A question before something is closed.

use eframe::egui::{Id, Label, RichText, Ui};

use super::dialog_frame::{button_row, modal};
use crate::app::{Command, Text, Translator};
use crate::theme::Palette;

/// A question to the user before something is closed.
#[derive(Clone, Copy)]
pub(super) struct Confirmation<'a> {
    pub heading: Text,
    /// What it is about, if not empty.
    pub about: &'a str,
    pub text: Text,
}

/// A question with its buttons, the most usual one first, and "Cancel" last.
pub(super) fn ask(
    ui: &Ui,
    tr: Translator,
    palette: Palette,
    Confirmation { heading, about, text }: Confirmation<'_>,
    commands: &mut Vec<Command>,
    answers: impl FnOnce(&mut Ui, &mut Vec<Command>),
) {
    let id = Id::unique("question");
    let shown = modal(ui, palette, id, |ui| {
        ui.set_width(480.0);
        ui.label(RichText::new(tr.text(heading)).heading().strong());
        ui.add_space(8.0);
        if !about.is_empty() {
            ui.add(Label::new(RichText::new(about).strong().color(palette.text)).wrap());
        }
        ui.add(Label::new(RichText::new(tr.text(text)).color(palette.text)).wrap());
        ui.add_space(10.0);
        button_row(ui, |ui| {
            answers(ui, commands);
            if ui.button(tr.text(Text::Cancel)).clicked() {
                commands.push(Command::CloseDialog);
            }
        });
    });
    if shown.should_close() {
        commands.push(Command::CloseDialog);
    }
}
