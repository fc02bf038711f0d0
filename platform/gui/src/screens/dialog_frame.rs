use eframe::egui::{Align, Frame, Id, Layout, Modal, Order, RichText, Ui};

use crate::app::{Command, Text, Translator};
use crate::theme::Palette;
use crate::widgets::primary;

/// A dialog with a title, its contents, and a button to close it. Escape and a click outside close
/// it too.
pub(crate) fn dialog_frame(
    ui: &Ui,
    tr: Translator,
    palette: Palette,
    title: Text,
    width: f32,
    commands: &mut Vec<Command>,
    content: impl FnOnce(&mut Ui, &mut Vec<Command>),
) {
    let frame = Frame::popup(ui.style()).fill(palette.panel).corner_radius(12).inner_margin(24);
    let id = Id::unique(title.name());
    // Below the popups of its combo boxes.
    let area = Modal::default_area(id).order(Order::Middle);
    let before = commands.len();
    let modal = Modal::new(id).area(area).frame(frame).show(ui.ctx(), |ui| {
        ui.set_width(width.min(ui.ctx().content_rect().width() - 80.0));
        ui.label(RichText::new(tr.text(title)).heading().strong());
        ui.add_space(8.0);
        content(ui, commands);
        ui.add_space(10.0);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if primary(ui, palette, tr.text(Text::Done), true).clicked() {
                commands.push(Command::CloseDialog);
            }
        });
    });
    if modal.should_close() && commands.len() == before {
        commands.push(Command::CloseDialog);
    }
}
