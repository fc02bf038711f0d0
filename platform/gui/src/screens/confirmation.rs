//! A question before something is closed.

use eframe::egui::{Id, Label, RichText, Ui};

use super::dialog_frame::{button_row, modal};
use crate::app::{Command, Text};
use crate::widgets::{Look, paragraph};

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
    look: Look<'_>,
    Confirmation { heading, about, text }: Confirmation<'_>,
    answers: impl FnOnce(&mut Ui),
) {
    let Look { tr, palette, .. } = look;
    let id = Id::unique("question");
    let shown = modal(ui, palette, id, |ui| {
        ui.set_width(480.0);
        ui.label(RichText::new(tr.text(heading)).heading().strong());
        ui.add_space(8.0);
        if !about.is_empty() {
            ui.add(Label::new(RichText::new(about).strong().color(palette.text)).wrap());
        }
        paragraph(ui, palette.text, tr.text(text));
        ui.add_space(10.0);
        button_row(ui, |ui| {
            answers(ui);
            if ui.button(tr.text(Text::Cancel)).clicked() {
                look.send(Command::CloseDialog);
            }
        });
    });
    if shown.should_close() {
        look.send(Command::CloseDialog);
    }
}
