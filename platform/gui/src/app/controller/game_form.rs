//! The new game form.

use tengen_rules::Seat;

use super::App;
use crate::app::controller::Document;
use crate::app::model::{GameForm, PlayerSpec, Text};
use crate::app::session::{GameCommand, GameSession};

impl App {
    /// Opens the new game form as it was left, or with an engine to play against.
    pub(super) fn open_form(&mut self) {
        self.refresh_engines();
        let mut setup = self.last_form.clone();
        self.replace_missing_engines(&mut setup);
        self.form = Some(setup);
    }

    /// Opens the new game form with these values.
    pub(super) fn open_form_with(&mut self, setup: GameForm) {
        self.open_form();
        self.form = Some(setup);
    }

    /// Closes the form and remembers it; a position that was set up is not remembered.
    pub(super) fn close_form(&mut self) {
        self.form_problem = None;
        let Some(setup) = self.form.take() else { return };
        let last = self.last_form.clone();
        self.last_form = if setup.book.is_empty() {
            setup
        } else {
            let GameForm { rule, width, height, opening, book, .. } = last;
            GameForm { rule, width, height, opening, book, ..setup }
        };
    }

    /// Keeps the settings of the form under the name in it; the players are as they were.
    pub(super) fn keep_preset(&mut self) {
        let Some(setup) = &self.form else { return };
        let name = setup.preset.trim().to_owned();
        if !name.is_empty() {
            let (seats, preset) = (GameForm::default().seats, String::new());
            self.settings.keep_preset(&name, GameForm { seats, preset, ..setup.clone() });
        }
    }

    /// Whether the active game will not be continued: nothing was played in it, or it is over and
    /// saved.
    fn is_replaceable(&self) -> bool {
        let Some(Document::Game(session)) = self.tab().map(|tab| &tab.document) else {
            return false;
        };
        let snapshot = session.snapshot();
        let keeps = self.services.archive.is_some() && snapshot.save_error.is_none();
        let is_untouched = snapshot.rows.len() <= session.setup().book.len()
            && session.record().is_none_or(|record| record.actions.is_empty());
        is_untouched || (keeps && snapshot.phase.is_over())
    }

    /// Starts the game of the form, in place of the active one if that will not be continued.
    pub(super) fn start_game(&mut self) {
        let Some(setup) = self.form.clone().filter(|setup| setup.check().is_ok()) else { return };
        let file = self.services.archive.as_ref().map(|archive| archive.new_file());
        let context = self.context(&setup.seats);
        match GameSession::start(setup, None, file, context) {
            Ok(session) => {
                self.close_form();
                if self.is_replaceable() {
                    self.close(self.active);
                }
                self.open_tab(Document::Game(session));
            }
            Err(problem) => self.notice = Some(format!("{problem:?}")),
        }
    }

    /// Names the person on a seat of the active game, and remembers the name.
    pub(super) fn name_person(&mut self, seat: Seat, name: &str) {
        self.dialog = None;
        let command = GameCommand::NamePerson(seat, name.to_owned());
        let Some(Document::Game(session)) = self.tab().map(|tab| &tab.document) else { return };
        if !command.fits(&session.snapshot()) {
            return;
        }
        let is_own = seat == Seat::First || !session.setup().seats.first.is_person();
        session.send(command);
        let known =
            if is_own { &mut self.settings.tables.name } else { &mut self.settings.opponent };
        name.clone_into(known);
    }

    /// Replaces engines that no longer exist.
    fn replace_missing_engines(&self, setup: &mut GameForm) {
        let engine_list = self.engine_list();
        for seat in [&mut setup.seats.first, &mut setup.seats.second] {
            if let PlayerSpec::Engine(id) = seat
                && engine_list.engines.iter().all(|engine| engine.id != *id)
                && let Some(other) = engine_list.engines.first()
            {
                id.clone_from(&other.id);
            }
        }
    }

    /// Goes back to the form of a game that could not start, and says why.
    pub(super) fn reopen_failed_form(&mut self) {
        // An open dialog comes first.
        if self.has_dialog() {
            return;
        }
        let start_failure = |tab: &super::Tab| match &tab.document {
            Document::Game(session) => session
                .snapshot()
                .start_failure
                .clone()
                .map(|(id, reason)| (session.setup(), id, reason)),
            _ => None,
        };
        let mut found = self.tabs.iter().map(start_failure).enumerate();
        let found = found.find_map(|(index, found)| Some((index, found?)));
        let Some((index, (setup, id, reason))) = found else {
            return;
        };
        self.close(index);
        self.form = Some(setup);
        let name = self.engine_list().name(&id).to_owned();
        self.form_problem = Some(self.tr().fill(Text::EngineCannotPlay, &[&name, &reason]));
    }
}
