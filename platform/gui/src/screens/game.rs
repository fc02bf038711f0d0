//! The screen of a game, match or analysis.

use std::sync::Arc;

use eframe::egui::{CentralPanel, Color32, Frame, Margin, Panel, Ui};
use tengen_arbiter::Nanos;
use tengen_rules::Seat;

use crate::app::{Command, EvaluationCurve, WindowGeometry};
use crate::widgets::{self, Look, Scene};

/// With less space below the buttons, in points, the graph is left out.
const GRAPH_ROOM: f32 = 240.0;

/// A game: the board in the middle; clocks, buttons and moves beside it; the prompt below.
#[derive(Default)]
pub(crate) struct GameScreen {
    board: widgets::BoardWidget,
}

impl GameScreen {
    /// Draws the active tab, with panels in this colour. Returns when to draw it again.
    pub(crate) fn show(&mut self, ui: &mut Ui, look: Look<'_>, panel: Color32) -> Option<Nanos> {
        let app = look.app;
        let tab = app.tab()?;
        let snapshot = tab.document.snapshot()?;
        let table = app.table().map(|session| session.info());
        let scene = Scene {
            look,
            snapshot: &snapshot,
            view: &tab.view,
            settings: app.settings(),
            tr: look.tr,
            palette: look.palette,
            now: tab.document.now(),
            table: table.as_deref(),
        };
        let outputs = Seat::ALL
            .into_iter()
            .filter_map(|seat| tab.document.output(snapshot.seats[seat].accent));
        let studied = tab.document.analysis().map(|analysis| Arc::clone(analysis.output()));
        let next_step = tab.document.analysis().and_then(|analysis| analysis.next_step_in());
        let next_look = outputs.chain(studied).filter_map(|output| output.look()).min();
        let mut next_change = None;
        let side = Frame::new().fill(panel).inner_margin(Margin::same(12));
        let known = scene.settings.window;
        let pane = Panel::right("side").frame(side).default_size(f32::from(known.side));
        let shown = pane.min_size(300.0).show(ui, |ui| {
            if let Some(analysis) = scene.analysis() {
                widgets::analysis(ui, &scene, analysis);
            } else {
                next_change = widgets::clocks(ui, &scene);
            }
            if let Some(info) = scene.table {
                widgets::table(ui, &scene, info);
            }
            if let Some(points) = app.score() {
                widgets::players_score(ui, &scene, points);
            }
            if let Some(series) = &snapshot.series {
                widgets::score(ui, &scene, series);
            }
            widgets::engines(ui, &scene);
            if scene.analysis().is_none() {
                widgets::controls(ui, &scene);
            }
            widgets::opening(ui, &scene);
            // A finished game gets no new evaluations.
            let silent = snapshot.phase.is_over() && EvaluationCurve::new(&snapshot).is_empty();
            if scene.settings.graph && !silent && ui.available_height() >= GRAPH_ROOM {
                widgets::graph(ui, &scene);
            }
            ui.separator();
            widgets::panes(ui, &scene);
        });
        let side = shown.response.rect.width().round() as u16;
        if side != known.side {
            look.send(Command::SetGeometry(WindowGeometry { side, ..known }));
        }
        let strip = Frame::new().fill(panel).inner_margin(Margin::symmetric(16, 8));
        Panel::bottom("prompt").frame(strip).resizable(false).show(ui, |ui| {
            widgets::prompt(ui, &scene);
        });
        // The board paints the space around itself.
        let ground = Frame::new().inner_margin(Margin::same(widgets::BoardWidget::MARGIN));
        CentralPanel::default().frame(ground).show(ui, |ui| {
            self.board.show(ui, &scene);
        });
        next_change.into_iter().chain(next_look).chain(next_step).min()
    }
}
