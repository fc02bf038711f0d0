//! The screen of an engine that plays for a team of an event elsewhere.

use eframe::egui::{CentralPanel, Frame, Grid, Label, Margin, RichText, ScrollArea, Ui, vec2};
use tengen_arbiter::Termination;

use crate::app::{
    App, Command, NetworkCommand, TeamGameResult, TeamPhase, TeamSession, TeamSnapshot, Text,
    Translator,
};
use crate::theme::Palette;

/// An engine of this window in an event elsewhere: whether it plays, and its games.
pub(crate) fn team(
    ui: &mut Ui,
    app: &App,
    session: &TeamSession,
    palette: Palette,
    commands: &mut Vec<Command>,
) {
    let (tr, snapshot) = (app.tr(), session.snapshot());
    let frame = Frame::new().fill(palette.ground).inner_margin(Margin::same(24));
    CentralPanel::default().frame(frame).show(ui, |ui| {
        head(ui, tr, palette, &snapshot, commands);
        ui.add_space(12.0);
        ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
            let rows = Grid::new("team games").num_columns(3).min_col_width(80.0);
            rows.spacing(vec2(24.0, 6.0)).show(ui, |ui| {
                for game in &snapshot.games {
                    row(ui, tr, palette, game);
                }
            });
        });
    });
}

fn head(
    ui: &mut Ui,
    tr: Translator,
    palette: Palette,
    snapshot: &TeamSnapshot,
    commands: &mut Vec<Command>,
) {
    let (phase, color) = match &snapshot.phase {
        TeamPhase::Connecting => (tr.fill(Text::LinkConnecting, &[&snapshot.server]), palette.weak),
        TeamPhase::Playing => {
            (tr.fill(Text::TeamPlays, &[&snapshot.event, &snapshot.team]), palette.text)
        }
        TeamPhase::Lost(reason) => (tr.fill(Text::LinkBroken, &[reason]), palette.danger),
        TeamPhase::Over(reason) => (tr.fill(Text::TeamOver, &[reason]), palette.text),
        TeamPhase::Failed(reason) => (tr.fill(Text::TeamFailed, &[reason]), palette.danger),
    };
    ui.label(RichText::new(&snapshot.engine).heading().strong().color(palette.text));
    ui.add(Label::new(RichText::new(phase).color(color)).wrap());
    ui.horizontal(|ui| {
        let text = RichText::new(tr.fill(Text::EventUrl, &[&snapshot.page])).color(palette.weak);
        ui.add(Label::new(text).truncate());
        if ui.button(tr.text(Text::LinkCopy)).clicked() {
            commands.push(Command::Network(NetworkCommand::CopyLink(snapshot.page.clone())));
        }
    });
    let running: Vec<_> = snapshot.running.iter().map(u64::to_string).collect();
    let running = match running.is_empty() {
        false => Some(tr.fill(Text::TeamRunning, &[&running.join(", ")])),
        true if snapshot.phase == TeamPhase::Playing => Some(tr.text(Text::TeamNoGame).to_owned()),
        true => None,
    };
    if let Some(running) = running {
        ui.add(Label::new(RichText::new(running).color(palette.weak)).wrap());
    }
    let score = snapshot.score.map(|count| count.to_string());
    let score = tr.fill(Text::TeamScore, &[&score[0], &score[1], &score[2]]);
    ui.label(RichText::new(score).strong().color(palette.text));
    if let Some(problem) = &snapshot.problem {
        ui.add(Label::new(RichText::new(problem).color(palette.danger)).wrap());
    }
}

fn row(ui: &mut Ui, tr: Translator, palette: Palette, game: &TeamGameResult) {
    let result = match game.won {
        Some(true) => Text::TeamWon,
        Some(false) => Text::TeamLost,
        None if game.termination == Termination::Aborted => Text::TeamAborted,
        None => Text::TeamDrawn,
    };
    let number = tr.fill(Text::TeamGameNumber, &[&game.number.to_string()]);
    ui.label(RichText::new(number).color(palette.weak));
    ui.label(RichText::new(tr.text(result)).color(palette.text));
    ui.label(RichText::new(tr.termination(game.termination)).color(palette.weak));
    ui.end_row();
}
