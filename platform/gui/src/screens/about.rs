use eframe::egui::{Label, RichText, Ui};

use super::dialog_frame::dialog_frame;
use crate::app::{App, Command, Text};
use crate::theme::Palette;

/// What the program is, and where its files are.
pub(crate) fn about(ui: &Ui, app: &App, palette: Palette, commands: &mut Vec<Command>) {
    let tr = app.tr();
    dialog_frame(ui, tr, palette, Text::About, 520.0, commands, |ui, _| {
        let [version, license] = [env!("CARGO_PKG_VERSION"), env!("CARGO_PKG_LICENSE")];
        ui.label(RichText::new(tr.text(Text::AboutIs)).color(palette.text));
        let text = tr.fill(Text::AboutVersion, &[version, license]);
        ui.label(RichText::new(text).color(palette.weak));
        ui.add_space(10.0);
        for (text, place) in app.places() {
            let line = tr.fill(text, &[&place.display().to_string()]);
            ui.add(Label::new(RichText::new(line).color(palette.text)).wrap());
        }
    });
}
