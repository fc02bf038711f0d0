//! What a table on a server has beside its game: the connection, requests, the score.

use eframe::egui::{Button, Label, RichText, Ui};
use tengen_rules::{Answer, Ask, Move, Seat};

use super::{Scene, primary};
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
    commands: &mut Vec<Command>,
) {
    if command.fits(info, scene.snapshot) && ui.add(Button::new(label)).clicked() {
        commands.push(Command::Network(NetworkCommand::ToTable(command)));
    }
}

/// The state of the connection, what is asked for, the score, and who looks on.
pub(crate) fn table(ui: &mut Ui, scene: &Scene<'_>, info: &TableInfo, commands: &mut Vec<Command>) {
    let Scene { tr, palette, .. } = *scene;
    if let Some(text) = tr.connection(&info.connection, &info.server) {
        let is_bad = info.connection != ConnectionState::Connecting;
        let color = if is_bad { palette.danger } else { palette.weak };
        ui.add(Label::new(RichText::new(text).color(color)).wrap());
        let retry = tr.text(Text::LinkRetry);
        command_button(ui, scene, info, retry, TableCommand::Reconnect, commands);
    }
    requests(ui, scene, info, commands);
    if info.seat.is_none() {
        ui.horizontal_wrapped(|ui| {
            for seat in Seat::ALL {
                let name = tr.color(scene.snapshot.seats[seat].color);
                let label = format!("{} ({name})", tr.text(Text::SitHere));
                command_button(ui, scene, info, &label, TableCommand::Sit(seat), commands);
            }
        });
    }
    let may_pass = info.settings.passing
        && scene.snapshot.asks_person().is_some_and(|asked| matches!(asked.ask, Ask::Move { .. }));
    ui.horizontal_wrapped(|ui| {
        if may_pass && ui.button(tr.text(Text::PassNow)).clicked() {
            commands.push(Command::Answer(Answer::Move(Move::Pass)));
        }
        if info.games > 0 {
            let score = [info.score.first, info.score.second].map(|points| points.to_string());
            let games = info.games.to_string();
            let text = tr.fill(Text::TableScore, &[&score[0], &score[1], &games]);
            ui.label(RichText::new(text).color(palette.weak));
        }
        if info.viewers > 0 {
            let text = tr.fill(Text::TableViewers, &[&info.viewers.to_string()]);
            ui.label(RichText::new(text).color(palette.weak));
        }
    });
}

/// What the players ask of each other, with the buttons to answer.
fn requests(ui: &mut Ui, scene: &Scene<'_>, info: &TableInfo, commands: &mut Vec<Command>) {
    let Scene { tr, palette, snapshot, .. } = *scene;
    for (seat, request) in &info.requests {
        let is_own = info.seat == Some(*seat);
        let name = &snapshot.seats[*seat].name;
        let text = match is_own {
            true => tr.own_request(*request).to_owned(),
            false => tr.request(*request, name),
        };
        ui.horizontal_wrapped(|ui| {
            let text = RichText::new(text).color(palette.accent).strong();
            ui.add(Label::new(text).wrap());
            let mut send = |command| {
                commands.push(Command::Network(NetworkCommand::ToTable(command)));
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
        // Whoever declined it knows.
        if info.seat != Some(!*seat) {
            let text = tr.declined(*request, &snapshot.seats[!*seat].name);
            ui.add(Label::new(RichText::new(text).color(palette.weak)).wrap());
        }
    }
    let again = TableCommand::Request(TableRequest::Again);
    let is_asked = info.requests.iter().any(|(_, request)| *request == TableRequest::Again);
    if info.phase == TablePhase::Over
        && !is_asked
        && again.fits(info, snapshot)
        && primary(ui, palette, tr.text(Text::PlayAgain), true).clicked()
    {
        commands.push(Command::Network(NetworkCommand::ToTable(again)));
    }
}
