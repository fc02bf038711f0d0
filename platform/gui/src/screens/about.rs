use eframe::egui::Ui;

use super::dialog_frame::dialog_frame;
use crate::app::Text;
use crate::widgets::{Look, paragraph};

/// What the program is, and where its files are.
pub(crate) fn about(ui: &Ui, look: Look<'_>) {
    let Look { app, tr, palette, .. } = look;
    dialog_frame(ui, look, Text::About, 520.0, |ui| {
        let [version, license] = [env!("CARGO_PKG_VERSION"), env!("CARGO_PKG_LICENSE")];
        ui.colored_label(palette.text, tr.text(Text::AboutIs));
        ui.colored_label(palette.weak, tr.fill(Text::AboutVersion, &[version, license]));
        ui.add_space(10.0);
        for (text, place) in app.places() {
            paragraph(ui, palette.text, tr.fill(text, &[&place.display().to_string()]));
        }
    });
}
