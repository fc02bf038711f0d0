//! The screen of an engine that plays for a team of an event elsewhere.

use eframe::egui::{CentralPanel, Frame, Grid, Margin, RichText, ScrollArea, Ui, vec2};
use tengen_arbiter::Termination;

use crate::app::{TeamGameResult, TeamPhase, TeamSession, TeamSnapshot, Text};
use crate::widgets::{Look, page_row, paragraph};

/// An engine of this window in an event elsewhere: whether it plays, and its games.
pub(crate) fn team(ui: &mut Ui, look: Look<'_>, session: &TeamSession) {
    let Look { app, palette, .. } = look;
    let (_tr, snapshot) = (app.tr(), session.snapshot());
    let frame = Frame::new().fill(palette.ground).inner_margin(Margin::same(24));
    CentralPanel::default().frame(frame).show(ui, |ui| {
        head(ui, look, &snapshot);
        ui.add_space(12.0);
        ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
            let rows = Grid::new("team games").num_columns(3).min_col_width(80.0);
            rows.spacing(vec2(24.0, 6.0)).show(ui, |ui| {
                for game in &snapshot.games {
                    row(ui, look, game);
                }
            });
        });
    });
}

fn head(ui: &mut Ui, look: Look<'_>, snapshot: &TeamSnapshot) {
    let Look { tr, palette, .. } = look;
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
    paragraph(ui, color, phase);
    page_row(ui, look, &snapshot.page);
    let running: Vec<_> = snapshot.running.iter().map(u64::to_string).collect();
    let running = match running.is_empty() {
        false => Some(tr.fill(Text::TeamRunning, &[&running.join(", ")])),
        true if snapshot.phase == TeamPhase::Playing => Some(tr.text(Text::TeamNoGame).to_owned()),
        true => None,
    };
    if let Some(running) = running {
        paragraph(ui, palette.weak, running);
    }
    let score = snapshot.score.map(|count| count.to_string());
    let score = tr.fill(Text::TeamScore, &[&score[0], &score[1], &score[2]]);
    ui.label(RichText::new(score).strong().color(palette.text));
    if let Some(problem) = &snapshot.problem {
        paragraph(ui, palette.danger, problem);
    }
}

fn row(ui: &mut Ui, look: Look<'_>, game: &TeamGameResult) {
    let Look { tr, palette, .. } = look;
    let result = match game.won {
        Some(true) => Text::TeamWon,
        Some(false) => Text::TeamLost,
        None if game.termination == Termination::Aborted => Text::TeamAborted,
        None => Text::TeamDrawn,
    };
    let number = tr.fill(Text::TeamGameNumber, &[&game.number.to_string()]);
    ui.colored_label(palette.weak, number);
    ui.colored_label(palette.text, tr.text(result));
    ui.colored_label(palette.weak, tr.termination(game.termination));
    ui.end_row();
}
