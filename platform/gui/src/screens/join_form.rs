//! The form that goes to a table, with the public tables of a server.

use eframe::egui::{Align, ComboBox, Id, Label, Layout, RichText, ScrollArea, Ui};
use tengen_rules::Seat;

use super::dialog_frame::{button_row, modal};
use super::listen_fields::{form_table, text_row};
use super::new_game::number;
use crate::app::{
    App, Command, ConnectionState, JoinForm, Lobby, NetworkCommand, TableAddress, TableListing,
    Text,
};
use crate::widgets::{Look, card, menu_field, paragraph, primary};

/// The form that goes to a table.
pub(crate) fn join_form(ui: &Ui, look: Look<'_>, known: &JoinForm) {
    let Look { app, tr, palette, .. } = look;
    let mut form = known.clone();
    let id = Id::unique("join form");
    let mut chosen = None;
    let shown = modal(ui, palette, id, |ui| {
        let room = ui.ctx().content_rect().size();
        ui.set_width((room.x - 100.0).min(640.0));
        ui.label(RichText::new(tr.text(Text::JoinTitle)).heading().strong());
        ui.add_space(8.0);
        form_table(ui, "join", |ui| {
            let (label, tip) = (Text::JoinAddress, Text::JoinAddressTip);
            let field = text_row(ui, tr, label, tip, &mut form.address, false);
            // A link is pasted at once.
            if ui.memory(|memory| memory.focused().is_none()) {
                field.request_focus();
            }
            if is_team(&form) {
                engine(ui, app, &mut form);
            } else {
                text_row(ui, tr, Text::OwnName, Text::OwnNameTip, &mut form.name, false);
                let (label, tip) = (Text::JoinPassword, Text::JoinPasswordTip);
                text_row(ui, tr, label, tip, &mut form.password, true);
            }
            if needs_trust(app, &form) {
                let (label, tip) = (Text::ServerCertificate, Text::JoinCertificateTip);
                text_row(ui, tr, label, tip, &mut form.authority, false);
            }
        });
        let address = form.address.parse::<TableAddress>().ok();
        if address.is_none() && !form.address.trim().is_empty() {
            paragraph(ui, palette.danger, tr.text(Text::JoinWrong));
        }
        ui.add_space(6.0);
        match app.lobby() {
            _ if is_team(&form) => {
                paragraph(ui, palette.weak, tr.text(Text::JoinTeamTip));
            }
            Some(lobby) => list(ui, look, lobby, &mut chosen),
            None => seats(ui, look, &mut chosen),
        }
        ui.add_space(10.0);
        button_row(ui, |ui| {
            let names_table = address.as_ref().is_some_and(|address| address.table.is_some());
            let (label, fits) = match is_team(&form) {
                true => (Text::JoinTeam, !form.engine.is_empty()),
                false if names_table => (Text::JoinPlay, true),
                false => (Text::JoinList, address.is_some()),
            };
            if primary(ui, palette, tr.text(label), fits).clicked() {
                chosen = Some(NetworkCommand::Join);
            }
            if names_table && ui.button(tr.text(Text::JoinWatch)).clicked() {
                chosen = Some(NetworkCommand::Watch);
            }
            if ui.button(tr.text(Text::Cancel)).clicked() {
                chosen = Some(NetworkCommand::CloseJoinForm);
            }
        });
    });
    if form != *known {
        look.send(Command::Network(NetworkCommand::EditJoinForm(form)));
    }
    look.send_all(chosen.map(Command::Network));
    if shown.should_close() {
        look.send(Command::Network(NetworkCommand::CloseJoinForm));
    }
}

/// Whether the link is a team's.
fn is_team(form: &JoinForm) -> bool {
    form.address.parse::<TableAddress>().is_ok_and(|address| address.team.is_some())
}

/// The engine that plays for a team, and how many games at once.
fn engine(ui: &mut Ui, app: &App, form: &mut JoinForm) {
    let (tr, list) = (app.tr(), app.engine_list());
    let label = tr.text(Text::Engine);
    ui.label(label);
    let name = list.name(&form.engine).to_owned();
    let combo = ComboBox::from_id_salt("team engine").width(280.0).selected_text(&name);
    menu_field(ui, combo, label, &name, |ui| {
        for engine in &list.engines {
            ui.selectable_value(&mut form.engine, engine.id.clone(), &engine.name);
        }
    });
    ui.end_row();
    let label = tr.text(Text::JoinTablesAtOnce);
    ui.label(label);
    number(ui, label, &mut form.tables, 1..=64);
    ui.end_row();
}

/// Whether one may go to a server whose certificate has to be trusted.
fn needs_trust(app: &App, form: &JoinForm) -> bool {
    let is_secure =
        |text: &str| text.parse::<TableAddress>().is_ok_and(|address| address.is_secure);
    let seats = &app.settings().tables.seats;
    is_secure(&form.address) || seats.iter().any(|seat| is_secure(&seat.link))
}

/// The seats that may still be this window's.
fn seats(ui: &mut Ui, look: Look<'_>, chosen: &mut Option<NetworkCommand>) {
    let Look { app, palette, .. } = look;
    let (tr, seats) = (app.tr(), &app.settings().tables.seats);
    if seats.is_empty() {
        return;
    }
    ui.label(RichText::new(tr.text(Text::JoinAgain)).strong());
    for (place, seat) in seats.iter().enumerate() {
        ui.horizontal(|ui| {
            let host = seat.link.parse::<TableAddress>().ok().map(|address| address.host);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if ui.button(tr.text(Text::JoinForget)).clicked() {
                    *chosen = Some(NetworkCommand::Forget(place));
                }
                if ui.button(tr.text(Text::JoinReturn)).clicked() {
                    *chosen = Some(NetworkCommand::Return(place));
                }
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    ui.label(&seat.title);
                    let host = RichText::new(host.unwrap_or_default()).color(palette.weak);
                    ui.add(Label::new(host).truncate());
                });
            });
        });
    }
}

/// The public tables of a server.
fn list(ui: &mut Ui, look: Look<'_>, lobby: &Lobby, chosen: &mut Option<NetworkCommand>) {
    let Look { app, palette, .. } = look;
    let (tr, shown) = (app.tr(), lobby.snapshot());
    let server = &lobby.server().host;
    ui.label(RichText::new(tr.fill(Text::JoinTables, &[server])).strong());
    let text = match &shown.connection {
        ConnectionState::Broken(reason) => Some(tr.fill(Text::ListBroken, &[reason])),
        other => tr.connection(other, server),
    };
    if let Some(text) = text {
        ui.horizontal_wrapped(|ui| {
            let is_bad = shown.connection != ConnectionState::Connecting;
            let color = if is_bad { palette.danger } else { palette.weak };
            paragraph(ui, color, text);
            let is_broken = matches!(shown.connection, ConnectionState::Broken(_));
            if is_broken && ui.button(tr.text(Text::LinkRetry)).clicked() {
                *chosen = Some(NetworkCommand::RetryList);
            }
        });
    }
    if let Some(refusal) = &shown.refusal {
        paragraph(ui, palette.danger, tr.server_refusal(refusal));
    }
    if shown.is_known && shown.tables.is_empty() {
        ui.colored_label(palette.weak, tr.text(Text::JoinNone));
    }
    let most = (ui.ctx().content_rect().height() - 380.0).max(120.0);
    ScrollArea::vertical().max_height(most).auto_shrink([false, true]).show(ui, |ui| {
        for table in &shown.tables {
            row(ui, look, table, chosen);
        }
    });
}

fn row(ui: &mut Ui, look: Look<'_>, table: &TableListing, chosen: &mut Option<NetworkCommand>) {
    let Look { tr, palette, .. } = look;
    card(ui, palette, |ui| {
        ui.horizontal(|ui| {
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let enter = |sits| Some(NetworkCommand::Enter { table: table.id.clone(), sits });
                if ui.button(tr.text(Text::JoinWatch)).clicked() {
                    *chosen = enter(false);
                }
                let is_free = Seat::ALL.into_iter().any(|seat| table.seats[seat].is_none());
                if is_free && primary(ui, palette, tr.text(Text::JoinPlay), true).clicked() {
                    *chosen = enter(true);
                }
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    let free = tr.text(Text::JoinFree);
                    let name = |seat: Seat| table.seats[seat].as_deref().unwrap_or(free);
                    let names = format!("{} – {}", name(Seat::First), name(Seat::Second));
                    let title = match table.title.is_empty() {
                        true => names,
                        false => format!("{}  ·  {names}", table.title),
                    };
                    ui.add(Label::new(RichText::new(title).strong()).truncate());
                });
            });
        });
        let mut below = tr.settings(&table.settings);
        if table.viewers > 0 {
            let viewers = tr.fill(Text::TableViewers, &[&table.viewers.to_string()]);
            below = format!("{below}  ·  {viewers}");
        }
        ui.add(Label::new(RichText::new(below).small().color(palette.weak)).truncate());
    });
    ui.add_space(4.0);
}
