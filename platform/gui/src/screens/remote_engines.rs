//! What is asked about the remote engines of an event: where it is served, and who joins.

use eframe::egui::{Grid, Id, Label, RichText, Ui, vec2};

use super::dialog_frame::{button_row, modal};
use super::listen_fields::{link_rows, listen_rows, text_row};
use crate::app::{App, Command, Dialog, EventChange, EventCommand, ListenForm, Text};
use crate::theme::Palette;
use crate::widgets::primary;

/// Asks where an event is served that is to be resumed.
pub(crate) fn serve_event(
    ui: &Ui,
    app: &App,
    known: &ListenForm,
    palette: Palette,
    commands: &mut Vec<Command>,
) {
    let tr = app.tr();
    let mut form = known.clone();
    let (mut begins, mut closed) = (false, false);
    let shown = modal(ui, palette, Id::unique("serve event"), |ui| {
        ui.set_width((ui.ctx().content_rect().width() - 100.0).min(640.0));
        ui.label(RichText::new(tr.text(Text::ServeTitle)).heading().strong());
        let tip = RichText::new(tr.text(Text::ServeTip)).color(palette.weak);
        ui.add(Label::new(tip).wrap());
        ui.add_space(8.0);
        let rows = Grid::new("serve event").num_columns(2).min_col_width(120.0);
        rows.spacing(vec2(18.0, 8.0)).show(ui, |ui| {
            listen_rows(ui, tr, palette, &mut form);
            link_rows(ui, tr, &mut form);
        });
        let problem = form.check().err();
        if let Some(problem) = problem {
            let text = RichText::new(tr.listen_problem(problem)).color(palette.danger);
            ui.add(Label::new(text).wrap());
        }
        ui.add_space(10.0);
        button_row(ui, |ui| {
            begins = primary(ui, palette, tr.text(Text::Resume), problem.is_none()).clicked();
            closed = ui.button(tr.text(Text::Cancel)).clicked();
        });
    });
    if begins {
        commands.push(Command::Event(EventCommand::ResumeServed(form)));
    } else if closed || shown.should_close() {
        commands.push(Command::CloseDialog);
    } else if form != *known {
        commands.push(Command::ShowDialog(Dialog::ServeEvent { form }));
    }
}

/// Asks for the name of a remote engine that is to join the active event.
pub(crate) fn add_remote(
    ui: &Ui,
    app: &App,
    known: &str,
    palette: Palette,
    commands: &mut Vec<Command>,
) {
    let tr = app.tr();
    let mut name = known.to_owned();
    let (mut joins, mut closed) = (false, false);
    let shown = modal(ui, palette, Id::unique("add remote"), |ui| {
        ui.set_width((ui.ctx().content_rect().width() - 100.0).min(640.0));
        ui.label(RichText::new(tr.text(Text::EventRemoteAdd)).heading().strong());
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
        button_row(ui, |ui| {
            let is_named = !name.trim().is_empty();
            joins = primary(ui, palette, tr.text(Text::EventRemoteAdd), is_named).clicked();
            closed = ui.button(tr.text(Text::Cancel)).clicked();
        });
    });
    if joins {
        let change = EventChange::Add(EventChange::remote(name.trim()));
        commands.push(Command::Event(EventCommand::Change(change)));
    }
    if joins || closed || shown.should_close() {
        commands.push(Command::CloseDialog);
    } else if name != known {
        commands.push(Command::ShowDialog(Dialog::AddRemote { name }));
    }
}
