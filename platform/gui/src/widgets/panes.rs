//! The panes below the clocks: moves, logs, and those of a table.

use eframe::egui::{Align, Button, Label, Layout, RichText, ScrollArea, Ui};
use tengen_rules::Seat;

use super::{Scene, chat_line, moves, paragraph, table_panes};
use crate::app::{Command, EngineOutput, Happening, HappeningKind, LogLine, Pane, SeatInfo, Text};
use crate::theme::accent;

/// The move list or an engine's log, with the tabs between them.
pub(crate) fn panes(ui: &mut Ui, scene: &Scene<'_>) {
    let Scene { snapshot, view, tr, .. } = *scene;
    let output = |accent| scene.look.app.tab().and_then(|tab| tab.document.output(accent));
    let engines = Seat::ALL.map(|seat| &snapshot.seats[seat]);
    let has_output = |seated: &&SeatInfo| !seated.is_person && output(seated.accent).is_some();
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let tab = |ui: &mut Ui, pane: Pane, label: String| {
            if ui.add(Button::selectable(view.pane == pane, label)).clicked() {
                scene.look.send(Command::ShowPane(pane));
            }
        };
        tab(ui, Pane::Moves, tr.text(Text::PaneMoves).to_owned());
        if let Some(info) = scene.table {
            let label = match info.chat.len().saturating_sub(view.chat_read) {
                0 => tr.text(Text::Chat).to_owned(),
                _ if view.pane == Pane::Happened => tr.text(Text::Chat).to_owned(),
                new => tr.fill(Text::PaneChatNew, &[&new.to_string()]),
            };
            tab(ui, Pane::Happened, label);
            tab(ui, Pane::Table, tr.text(Text::PaneTable).to_owned());
        } else if scene.analysis().is_none() && snapshot.series.is_none() {
            tab(ui, Pane::Happened, tr.text(Text::PaneHappened).to_owned());
        }
        for seated in engines.into_iter().filter(has_output) {
            let label = tr.fill(Text::PaneLog, &[&seated.name]);
            tab(ui, Pane::Log(seated.accent), label);
        }
    });
    match view.pane {
        Pane::Happened if let Some(info) = scene.table => table_panes::chat(ui, scene, info),
        Pane::Happened => happenings(ui, scene),
        Pane::Table if let Some(info) = scene.table => {
            table_panes::about_table(ui, scene, info);
        }
        Pane::Log(accent) if let Some(output) = output(accent) => log(ui, scene, &output),
        _ => moves(ui, scene),
    }
}

/// What was said and what happened, the newest at the bottom.
pub(super) fn happenings(ui: &mut Ui, scene: &Scene<'_>) {
    let Scene { tr, palette, snapshot, .. } = *scene;
    let lines = snapshot.happenings.lines();
    let area = ScrollArea::vertical().auto_shrink([false, false]).stick_to_bottom(true);
    area.show(ui, |ui| {
        ui.with_layout(Layout::top_down(Align::Min), |ui| {
            if lines.is_empty() {
                ui.colored_label(palette.weak, tr.text(Text::HappenedNothing));
            }
            lines.iter().for_each(|line| happening(ui, scene, line));
        });
    });
}

/// A line, in the colour of its seat.
fn happening(ui: &mut Ui, scene: &Scene<'_>, line: &Happening) {
    let Scene { tr, palette, settings, look, .. } = *scene;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        ui.label(RichText::new(format!("{:>3}", line.after)).small().monospace().weak());
        let text = tr.happening(line);
        if !matches!(line.what, HappeningKind::Said(_) | HappeningKind::Showed(Some(_))) {
            paragraph(ui, palette.weak, text);
            return;
        }
        let (from, color) = match line.seat {
            Some(seat) => (line.name.clone(), accent(seat as usize, settings.dark)),
            None => (tr.fill(Text::ChatLookingOn, &[&line.name]), palette.weak),
        };
        ui.label(RichText::new(from).strong().color(color));
        match &line.what {
            HappeningKind::Showed(Some(shown)) => chat_line::picture(ui, shown, &text),
            _ => chat_line::marked_text(ui, look, &text),
        }
    });
}

fn log(ui: &mut Ui, scene: &Scene<'_>, output: &EngineOutput) {
    let Scene { tr, palette, .. } = *scene;
    let (count, dropped) = output.read_log(|log, dropped| (log.len(), dropped));
    if dropped > 0 {
        let text = tr.fill(Text::LogDropped, &[&dropped.to_string()]);
        ui.label(RichText::new(text).small().color(palette.weak));
    }
    if count == 0 {
        ui.colored_label(palette.weak, tr.text(Text::LogEmpty));
        return;
    }
    let height = ui.text_style_height(&eframe::egui::TextStyle::Small);
    let area = ScrollArea::both().auto_shrink([false, false]).stick_to_bottom(true);
    area.show_rows(ui, height, count, |ui, range| {
        let start = range.start;
        let shown: Vec<LogLine> =
            output.read_log(|log, _| log.iter().skip(start).take(range.len()).cloned().collect());
        for LogLine { ply, text, is_fault } in shown {
            let color = if is_fault { palette.danger } else { palette.text };
            let text = RichText::new(format!("{ply:>3}  {text}")).small().monospace().color(color);
            ui.add(Label::new(text).extend());
        }
    });
}
