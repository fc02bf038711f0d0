use eframe::egui::{Button, Ui};

use crate::app::{Command, House};

/// The tables, when there are several.
pub(crate) fn tabs(ui: &mut Ui, house: &House, commands: &mut Vec<Command>) {
    let (tables, front) = house.tables();
    ui.horizontal_wrapped(|ui| {
        for (index, table) in tables.iter().enumerate() {
            let title = table.document.title(house.words());
            if ui.add(Button::selectable(index == front, title)).clicked() {
                commands.push(Command::Front(index));
            }
        }
    });
}
