use eframe::egui::{CentralPanel, Frame, RichText, Ui, vec2};
use tengen_rules::Color;

use crate::app::{Command, Deed, House, Text};
use crate::keys::Keymap;
use crate::theme::Palette;
use crate::widgets::{primary, stone};

/// What there is before anything is on a table.
pub(crate) fn welcome(
    ui: &mut Ui,
    house: &House,
    keys: &Keymap,
    palette: Palette,
    commands: &mut Vec<Command>,
) {
    let words = house.words();
    let frame = Frame::new().fill(palette.ground);
    CentralPanel::default().frame(frame).show(ui, |ui| {
        ui.vertical_centered(|ui| {
            ui.add_space((ui.available_height() * 0.28).max(20.0));
            let (rect, _) = ui.allocate_exact_size(vec2(150.0, 44.0), eframe::egui::Sense::hover());
            for index in 0..5 {
                let color = if index == 2 { Color::White } else { Color::Black };
                let at = rect.left_center() + vec2(15.0 + 30.0 * index as f32, 0.0);
                stone(ui.painter(), at, 12.5, color);
            }
            ui.label(RichText::new("Tengen").size(34.0).strong().color(palette.text));
            ui.label(RichText::new(words.text(Text::Welcome)).size(16.0).color(palette.weak));
            ui.add_space(22.0);
            let begin = primary(ui, palette, words.text(Text::NewGame), true);
            if begin.on_hover_text(keys.text(ui.ctx(), Deed::NewGame)).clicked() {
                commands.extend(house.command(Deed::NewGame));
            }
            ui.add_space(12.0);
            ui.label(RichText::new(words.text(Text::WelcomeTip)).color(palette.weak));
            ui.label(RichText::new(words.text(Text::Kept)).small().color(palette.weak));
        });
    });
}
