use eframe::egui::{
    Align, AreaState, Frame, Id, Layout, Modal, ModalResponse, Order, RichText, Ui,
};

use crate::app::{Command, Text, Translator};
use crate::theme::Palette;
use crate::widgets::primary;

/// A dialog below the popups of its combo boxes, as large as its contents.
pub(crate) fn modal<R>(
    ui: &Ui,
    palette: Palette,
    id: Id,
    content: impl FnOnce(&mut Ui) -> R,
) -> ModalResponse<R> {
    let ctx = ui.ctx();
    let size = || AreaState::load(ctx, id).and_then(|state| state.size);
    let frame = Frame::popup(ui.style()).fill(palette.panel).corner_radius(12).inner_margin(24);
    let area = Modal::default_area(id).order(Order::Middle);
    let before = size();
    let shown = Modal::new(id).area(area).frame(frame).show(ctx, content);
    if size() != before {
        // It was laid out by the size that it had when it was shown last.
        ctx.request_repaint();
    }
    shown
}

/// The buttons at the end of a dialog, the last one first.
pub(crate) fn button_row(ui: &mut Ui, add: impl FnOnce(&mut Ui)) {
    ui.horizontal(|ui| ui.with_layout(Layout::right_to_left(Align::Center), add));
}

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
    let id = Id::unique(title.name());
    let before = commands.len();
    let shown = modal(ui, palette, id, |ui| {
        ui.set_width(width.min(ui.ctx().content_rect().width() - 80.0));
        ui.label(RichText::new(tr.text(title)).heading().strong());
        ui.add_space(8.0);
        content(ui, commands);
        ui.add_space(10.0);
        button_row(ui, |ui| {
            if primary(ui, palette, tr.text(Text::Done), true).clicked() {
                commands.push(Command::CloseDialog);
            }
        });
    });
    if shown.should_close() && commands.len() == before {
        commands.push(Command::CloseDialog);
    }
}
