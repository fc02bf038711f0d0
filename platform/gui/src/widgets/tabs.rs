use eframe::egui::{Button, Ui};

use crate::app::{Command, House};

/// The tables, when there are several.
pub(crate) fn tabs(ui: &mut Ui, house: &House, commands: &mut Vec<Command>) {
    let (tables, front) = house.tables();
    ui.horizontal_wrapped(|ui| {
        for (index, table) in tables.iter().enumerate() {
            let snapshot = table.document.snapshot();
            let seats = &snapshot.seats;
            let title = format!("{} – {}", seats.first.name, seats.second.name);
            if ui.add(Button::selectable(index == front, title)).clicked() {
                commands.push(Command::Front(index));
            }
        }
    });
}
