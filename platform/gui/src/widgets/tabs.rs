use eframe::egui::{Button, Role, Ui, WidgetInfo};

use crate::app::{Command, House, Text};

/// The tables, when there are several.
pub(crate) fn tabs(ui: &mut Ui, house: &House, commands: &mut Vec<Command>) {
    let (tables, front) = house.tables();
    ui.horizontal_wrapped(|ui| {
        for (index, table) in tables.iter().enumerate() {
            let title = table.document.title(house.words());
            ui.spacing_mut().item_spacing.x = 1.0;
            let tab = ui.add(Button::selectable(index == front, &title));
            if tab.clicked() {
                commands.push(Command::Front(index));
            }
            let cross = ui.add(Button::new("×").frame(false).small());
            cross.widget_info(|| {
                let label = house.words().fill(Text::CloseTab, &[&title]);
                WidgetInfo::labeled(Role::Button, true, label)
            });
            if cross.clicked() || tab.middle_clicked() {
                commands.push(Command::CloseTable(index));
            }
            ui.add_space(8.0);
        }
    });
}
