//! What a table on a server has beside its game: the connection, requests, the score.

use eframe::egui::{Button, Label, RichText, Ui};
use tengen_rules::Seat;

use super::{Scene, paragraph, primary};
use crate::app::{
    Command, ConnectionState, NetworkCommand, TableCommand, TableInfo, TablePhase, TableRequest,
    Text,
};

/// A button for a command of the table, if that means something now.
pub(super) fn command_button(
    ui: &mut Ui,
    scene: &Scene<'_>,
    info: &TableInfo,
    label: &str,
    command: TableCommand,
) {
    if command.fits(info, scene.snapshot) && ui.add(Button::new(label)).clicked() {
        scene.look.send(Command::Network(NetworkCommand::ToTable(command)));
    }
}

/// The state of the connection, what is asked for, the score, and who looks on.
pub(crate) fn table(ui: &mut Ui, scene: &Scene<'_>, info: &TableInfo) {
    let Scene { tr, palette, .. } = *scene;
    if let Some(text) = tr.connection(&info.connection, &info.server) {
        let is_bad = info.connection != ConnectionState::Connecting;
        let color = if is_bad { palette.danger } else { palette.weak };
        paragraph(ui, color, text);
        let retry = tr.text(Text::LinkRetry);
        command_button(ui, scene, info, retry, TableCommand::Reconnect);
    }
    requests(ui, scene, info);
    if info.seat.is_none() {
        ui.horizontal_wrapped(|ui| {
            for seat in Seat::ALL {
                let name = tr.color(scene.snapshot.seats[seat].color);
                let label = format!("{} ({name})", tr.text(Text::SitHere));
                command_button(ui, scene, info, &label, TableCommand::Sit(seat));
            }
        });
    }
    ui.horizontal_wrapped(|ui| {
        if info.games > 0 {
            let score = [info.score.first, info.score.second].map(|points| points.to_string());
            let games = info.games.to_string();
            let text = tr.fill(Text::TableScore, &[&score[0], &score[1], &games]);
            ui.colored_label(palette.weak, text);
        }
        if info.viewers > 0 {
            let text = tr.fill(Text::TableViewers, &[&info.viewers.to_string()]);
            ui.colored_label(palette.weak, text);
        }
    });
}

/// What the players ask of each other, with the buttons to answer.
fn requests(ui: &mut Ui, scene: &Scene<'_>, info: &TableInfo) {
    let Scene { tr, palette, snapshot, .. } = *scene;
    for (seat, request) in &info.requests {
        let is_own = info.seat == Some(*seat);
        let name = &snapshot.seats[*seat].name;
        let text = match is_own {
            true => tr.own_request(*request).to_owned(),
            false => tr.request(*request, name),
        };
        ui.horizontal_wrapped(|ui| {
            ui.add(Label::new(RichText::new(text).color(palette.accent).strong()).wrap());
            let send = |command| {
                scene.look.send(Command::Network(NetworkCommand::ToTable(command)));
            };
            // The buttons stay together where they do not fit beside the text.
            ui.horizontal(|ui| match info.seat {
                None => {}
                Some(_) if is_own => {
                    let is_withdrawn = ui.button(tr.text(Text::RequestWithdraw)).clicked();
                    if is_withdrawn {
                        send(TableCommand::Withdraw(*request));
                    }
                }
                Some(_) => {
                    if primary(ui, palette, tr.text(Text::RequestAccept), true).clicked() {
                        send(TableCommand::Reply(*request, true));
                    }
                    if ui.button(tr.text(Text::RequestDecline)).clicked() {
                        send(TableCommand::Reply(*request, false));
                    }
                }
            });
        });
    }
    for (seat, request) in &info.declined {
        // The person who declined it knows.
        if info.seat != Some(!*seat) {
            paragraph(ui, palette.weak, tr.declined(*request, &snapshot.seats[!*seat].name));
        }
    }
    let again = TableCommand::Request(TableRequest::Again);
    let is_asked = info.requests.iter().any(|(_, request)| *request == TableRequest::Again);
    if info.phase == TablePhase::Over
        && !is_asked
        && again.fits(info, snapshot)
        && primary(ui, palette, tr.text(Text::PlayAgain), true).clicked()
    {
        scene.look.send(Command::Network(NetworkCommand::ToTable(again)));
    }
}
