use std::sync::Arc;
use std::time::Duration;

use eframe::egui::{self, CentralPanel, Context, Key, Panel, Ui, ViewportBuilder};
use tengen_arbiter::Nanos;

use crate::app::{Session, Snapshot};
use crate::view::{Intent, Look, View};
use crate::{GuiError, widgets};

/// How long a new snapshot may wait to be drawn: quick games draw no more than so often.
const GATHER: Duration = Duration::from_millis(50);

/// The window of a session.
pub struct Window {
    session: Session,
    view: View,
    board: widgets::Board,
}

/// Shows the session's match in a window until that is closed; the match ends with it.
///
/// # Errors
/// When no window can be opened.
pub fn run(session: Session) -> Result<(), GuiError> {
    let viewport = ViewportBuilder::default()
        .with_title("Tengen")
        .with_app_id("tengen")
        .with_inner_size([1100.0, 760.0])
        .with_min_inner_size([640.0, 480.0]);
    let options = eframe::NativeOptions { viewport, ..Default::default() };
    let creator: eframe::AppCreator<'_> =
        Box::new(|creation| Ok(Box::new(Window::new(session, &creation.egui_ctx))));
    eframe::run_native("tengen", options, creator)
        .map_err(|error| GuiError::Display(error.to_string()))
}

impl Window {
    /// A window that draws the session's snapshots as they come.
    pub fn new(session: Session, context: &Context) -> Window {
        let context = context.clone();
        session.on_change(move || context.request_repaint_after(GATHER));
        Window { session, view: View::default(), board: widgets::Board::default() }
    }

    /// The session that is shown.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// What the spectator looks at.
    pub fn view(&self) -> &View {
        &self.view
    }

    /// Draws one frame, and does what was asked for in it.
    pub fn frame(&mut self, ui: &mut Ui) {
        let snapshot = self.session.snapshot();
        let mut intents = keys(ui);
        let next_change = self.draw(ui, &snapshot, &mut intents);
        if let Some(next_change) = next_change {
            ui.ctx().request_repaint_after(Duration::from_nanos(next_change));
        }
        if !intents.is_empty() {
            ui.ctx().request_repaint();
        }
        for intent in intents {
            match intent {
                Intent::Send(command) => self.session.send(command),
                Intent::Look(look) => self.view.look(look, &snapshot),
                Intent::Number(numbers) => self.view.numbers = numbers,
            }
        }
    }

    /// Returns after how long a clock reads differently.
    fn draw(
        &mut self,
        ui: &mut Ui,
        snapshot: &Arc<Snapshot>,
        intents: &mut Vec<Intent>,
    ) -> Option<Nanos> {
        let (view, now) = (&self.view, self.session.now());
        let mut next_change = None;
        Panel::bottom("status").show(ui, |ui| {
            ui.add_space(4.0);
            widgets::status(ui, snapshot);
            ui.add_space(4.0);
        });
        Panel::right("match").default_size(330.0).show(ui, |ui| {
            ui.add_space(8.0);
            next_change = widgets::clocks(ui, snapshot, now);
            widgets::score(ui, snapshot);
            ui.add_space(4.0);
            widgets::controls(ui, snapshot, view, intents);
            ui.separator();
            widgets::moves(ui, snapshot, view, intents);
        });
        CentralPanel::default().show(ui, |ui| self.board.show(ui, snapshot, view));
        next_change
    }
}

impl eframe::App for Window {
    fn ui(&mut self, ui: &mut egui::Ui, _frame: &mut eframe::Frame) {
        self.frame(ui);
    }
}

/// What the keys ask for.
fn keys(ui: &Ui) -> Vec<Intent> {
    const KEYS: [(Key, Look); 4] = [
        (Key::Home, Look::Start),
        (Key::ArrowLeft, Look::Back),
        (Key::ArrowRight, Look::Forward),
        (Key::End, Look::Live),
    ];
    ui.input(|input| {
        let pressed = KEYS.into_iter().filter(|(key, _)| input.key_pressed(*key));
        pressed.map(|(_, look)| Intent::Look(look)).collect()
    })
}
