use eframe::egui::{
    Align, AreaState, Frame, Id, Layout, Modal, ModalResponse, Order, RichText, ScrollArea, Ui,
};

use crate::app::{Command, Text};
use crate::theme::Palette;
use crate::widgets::{Look, primary};

/// A dialog below the popups of its combo boxes, as large as its contents.
pub(crate) fn modal<R>(
    ui: &Ui,
    palette: Palette,
    id: Id,
    content: impl FnOnce(&mut Ui) -> R,
) -> ModalResponse<R> {
    let ctx = ui.ctx();
    let size = || AreaState::load(ctx, id).and_then(|state| state.size);
    let frame = Frame::popup(ui.style()).fill(palette.dialog).corner_radius(12).inner_margin(24);
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
    look: Look<'_>,
    title: Text,
    width: f32,
    content: impl FnOnce(&mut Ui),
) {
    let Look { tr, palette, .. } = look;
    let id = Id::unique(title.name());
    let before = look.commands.borrow().len();
    let shown = modal(ui, palette, id, |ui| {
        ui.set_width(width.min(ui.ctx().content_rect().width() - 80.0));
        ui.label(RichText::new(tr.text(title)).heading().strong());
        ui.add_space(8.0);
        content(ui);
        ui.add_space(10.0);
        button_row(ui, |ui| {
            if primary(ui, palette, tr.text(Text::Done), true).clicked() {
                look.send(Command::CloseDialog);
            }
        });
    });
    if shown.should_close() && look.commands.borrow().len() == before {
        look.send(Command::CloseDialog);
    }
}

/// What was clicked below a form.
pub(crate) struct FormClicks {
    pub begins: bool,
    pub closes: bool,
}

/// A form with its title and contents. These say what the main button is called, and whether it is
/// enabled; beside it one closes the form, as Escape and a click outside do.
pub(crate) fn form_dialog(
    ui: &Ui,
    look: Look<'_>,
    id: Id,
    title: &str,
    width: f32,
    content: impl FnOnce(&mut Ui) -> (Text, bool),
) -> FormClicks {
    let Look { tr, palette, .. } = look;
    let (mut begins, mut cancels) = (false, false);
    let shown = modal(ui, palette, id, |ui| {
        ui.set_width(width.min(ui.ctx().content_rect().width() - 100.0));
        ui.label(RichText::new(title).heading().strong());
        let (label, fits) = content(ui);
        button_row(ui, |ui| {
            begins = primary(ui, palette, tr.text(label), fits).clicked();
            cancels = ui.button(tr.text(Text::Cancel)).clicked();
        });
    });
    FormClicks { begins, closes: cancels || shown.should_close() }
}

/// What a form holds between its title and its buttons: it scrolls where the window, less so many
/// points for the rest of the dialog, has no room for it.
pub(crate) fn form_area(ui: &mut Ui, id: Id, rest: f32, content: impl FnOnce(&mut Ui)) {
    let most = (ui.ctx().content_rect().height() - rest).max(160.0);
    let mut area = ScrollArea::vertical().max_height(most).auto_shrink([false, true]);
    if is_opened(ui, id) {
        area = area.vertical_scroll_offset(0.0);
    }
    let drawn = area.show(ui, |ui| {
        // Leave room for the scroll bar.
        ui.set_width(ui.available_width() - 14.0);
        content(ui);
    });
    // A dialog that grows gets its space in the next frame.
    let sizes = (drawn.content_size.y, drawn.inner_rect.height());
    let known = id.with("sizes");
    if ui.data(|data| data.get_temp(known)) != Some(sizes) {
        ui.data_mut(|data| data.insert_temp(known, sizes));
        ui.ctx().request_repaint();
    }
}

/// Whether the dialog has just been opened.
fn is_opened(ui: &Ui, id: Id) -> bool {
    let (frame, seen) = (ui.ctx().cumulative_frame_nr(), id.with("seen"));
    let last: Option<u64> = ui.data(|data| data.get_temp(seen));
    ui.data_mut(|data| data.insert_temp(seen, frame));
    last.is_none_or(|last| last + 1 < frame)
}
