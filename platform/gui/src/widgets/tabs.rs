use eframe::egui::{Button, Role, Ui, WidgetInfo};

use super::Look;
use crate::app::{Command, Text};

/// The tabs, when there are several.
pub(crate) fn tabs(ui: &mut Ui, look: Look<'_>) {
    let app = look.app;
    let (tabs, active) = app.tabs();
    ui.horizontal_wrapped(|ui| {
        for (index, tab) in tabs.iter().enumerate() {
            let title = tab.document.title(app.tr());
            ui.spacing_mut().item_spacing.x = 1.0;
            let tab = ui.add(Button::selectable(index == active, &title));
            if tab.clicked() {
                look.send(Command::SelectTab(index));
            }
            let cross = ui.add(Button::new("×").frame(false).small());
            cross.widget_info(|| {
                let label = app.tr().fill(Text::CloseTab, &[&title]);
                WidgetInfo::labeled(Role::Button, true, label)
            });
            if cross.clicked() || tab.middle_clicked() {
                look.send(Command::CloseTab(index));
            }
            ui.add_space(8.0);
        }
    });
}
