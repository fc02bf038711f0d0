//! What is asked about the remote engines of an event: where it is served, and which engine joins.

use eframe::egui::{Grid, Id, Ui, vec2};

use super::dialog_frame::form_dialog;
use super::listen_fields::{form_table, link_rows, listen_rows, text_row};
use crate::app::{Command, Dialog, EventChange, EventCommand, ListenForm, Text};
use crate::widgets::{Look, paragraph};

/// Asks where an event is served that is to be resumed.
pub(crate) fn serve_event(ui: &Ui, look: Look<'_>, known: &ListenForm) {
    let Look { tr, palette, .. } = look;
    let mut form = known.clone();
    let (id, title) = (Id::unique("serve event"), tr.text(Text::ServeTitle));
    let clicks = form_dialog(ui, look, id, title, 640.0, |ui| {
        paragraph(ui, palette.weak, tr.text(Text::ServeTip));
        ui.add_space(8.0);
        form_table(ui, "serve event", |ui| {
            listen_rows(ui, look, &mut form);
            link_rows(ui, tr, &mut form);
        });
        let problem = form.check().err();
        if let Some(problem) = problem {
            paragraph(ui, palette.danger, tr.listen_problem(problem));
        }
        ui.add_space(10.0);
        (Text::Resume, problem.is_none())
    });
    if clicks.begins {
        look.send(Command::Event(EventCommand::ResumeServed(form)));
    } else if clicks.closes {
        look.send(Command::CloseDialog);
    } else if form != *known {
        look.send(Command::ShowDialog(Dialog::ServeEvent { form }));
    }
}

/// Asks for the name of a remote engine that is to join the active event.
pub(crate) fn add_remote(ui: &Ui, look: Look<'_>, known: &str) {
    let tr = look.tr;
    let mut name = known.to_owned();
    let (id, title) = (Id::unique("add remote"), tr.text(Text::EventRemoteAdd));
    let clicks = form_dialog(ui, look, id, title, 640.0, |ui| {
        ui.add_space(8.0);
        let rows = Grid::new("add remote").num_columns(2).spacing(vec2(18.0, 8.0));
        rows.show(ui, |ui| {
            let (label, tip) = (Text::EventRemoteName, Text::EventRemoteTip);
            let field = text_row(ui, tr, label, tip, &mut name, false);
            if ui.memory(|memory| memory.focused().is_none()) {
                field.request_focus();
            }
        });
        ui.add_space(10.0);
        (Text::EventRemoteAdd, !name.trim().is_empty())
    });
    if clicks.begins {
        let change = EventChange::Add(EventChange::remote(name.trim()));
        look.send(Command::Event(EventCommand::Change(change)));
    }
    if clicks.begins || clicks.closes {
        look.send(Command::CloseDialog);
    } else if name != known {
        look.send(Command::ShowDialog(Dialog::AddRemote { name }));
    }
}
