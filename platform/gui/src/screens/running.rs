use eframe::egui::{Align, Frame, Id, Label, Layout, Modal, Order, RichText, Ui};

use crate::app::{Command, EventCommand, House, Text};
use crate::theme::Palette;
use crate::widgets::primary;

/// The question before a table is left whose event is running.
pub(crate) fn running(
    ui: &Ui,
    house: &House,
    table: u64,
    palette: Palette,
    commands: &mut Vec<Command>,
) {
    let words = house.words();
    let title =
        house.table_numbered(table).map(|table| table.document.title(words)).unwrap_or_default();
    let frame = Frame::popup(ui.style()).fill(palette.panel).corner_radius(12).inner_margin(24);
    let id = Id::unique("running");
    let area = Modal::default_area(id).order(Order::Middle);
    let modal = Modal::new(id).area(area).frame(frame).show(ui.ctx(), |ui| {
        ui.set_width(480.0);
        ui.label(RichText::new(words.text(Text::RunningTitle)).heading().strong());
        ui.add_space(8.0);
        ui.add(Label::new(RichText::new(title).strong().color(palette.text)).wrap());
        let question = words.text(Text::RunningQuestion);
        ui.add(Label::new(RichText::new(question).color(palette.text)).wrap());
        ui.add_space(10.0);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if primary(ui, palette, words.text(Text::RunningStop), true).clicked() {
                commands.push(Command::Discard);
            }
            if ui.button(words.text(Text::EventFinish)).clicked() {
                commands.extend(house.place_of(table).map(Command::Front));
                commands.push(Command::Event(EventCommand::Finish));
                commands.push(Command::Leave);
            }
            if ui.button(words.text(Text::Cancel)).clicked() {
                commands.push(Command::Leave);
            }
        });
    });
    if modal.should_close() {
        commands.push(Command::Leave);
    }
}
