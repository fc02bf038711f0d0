use eframe::egui::{Label, RichText, Ui};

use super::cover::cover;
use crate::app::{Command, House, Text};
use crate::theme::Palette;

/// What the program is, and where it keeps things.
pub(crate) fn about(ui: &Ui, house: &House, palette: Palette, commands: &mut Vec<Command>) {
    let words = house.words();
    cover(ui, words, palette, Text::About, 520.0, commands, |ui, _| {
        let [version, license] = [env!("CARGO_PKG_VERSION"), env!("CARGO_PKG_LICENSE")];
        ui.label(RichText::new(words.text(Text::AboutIs)).color(palette.text));
        let text = words.fill(Text::AboutVersion, &[version, license]);
        ui.label(RichText::new(text).color(palette.weak));
        ui.add_space(10.0);
        for (text, place) in house.places() {
            let line = words.fill(text, &[&place.display().to_string()]);
            ui.add(Label::new(RichText::new(line).color(palette.text)).wrap());
        }
    });
}
