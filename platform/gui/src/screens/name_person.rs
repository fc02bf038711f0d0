//! Asks what a person of the active game is called.

use eframe::egui::{Grid, Id, Ui, vec2};
use tengen_rules::Seat;

use super::dialog_frame::form_dialog;
use super::listen_fields::text_row;
use crate::app::{Command, Dialog, HostForm, Text};
use crate::widgets::Look;

/// Asks for the name of the person on a seat.
pub(crate) fn name_person(ui: &Ui, look: Look<'_>, seat: Seat, known: &str) {
    let tr = look.tr;
    let mut name = known.to_owned();
    let (id, title) = (Id::unique("name person"), tr.text(Text::NamePersonTitle));
    let clicks = form_dialog(ui, look, id, title, 480.0, |ui| {
        ui.add_space(8.0);
        let rows = Grid::new("name person").num_columns(2).spacing(vec2(18.0, 8.0));
        rows.show(ui, |ui| {
            let (label, tip) = (Text::NamePersonField, Text::NamePersonTip);
            let field = text_row(ui, tr, label, tip, &mut name, false);
            if ui.memory(|memory| memory.focused().is_none()) {
                field.request_focus();
            }
        });
        ui.add_space(10.0);
        (Text::Confirm, !name.trim().is_empty())
    });
    name = name.chars().take(HostForm::MOST_NAME).collect();
    if clicks.begins {
        look.send(Command::NamePerson(seat, name));
    } else if clicks.closes {
        look.send(Command::CloseDialog);
    } else if name != known {
        look.send(Command::ShowDialog(Dialog::NamePerson { seat, name }));
    }
}
