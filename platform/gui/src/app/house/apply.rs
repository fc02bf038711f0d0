use tengen_rules::Seat;

use super::House;
use crate::app::{
    Command, Dialog, Document, MatchCommand, Numbers, Play, PlayCommand, Setup, Snapshot,
    StudyCommand,
};

impl House {
    /// Does what a widget asked for. What does not fit does nothing.
    pub fn apply(&mut self, command: Command) {
        match command {
            Command::Number(numbers) => self.settings.numbers = numbers,
            Command::NumberLast(last) => {
                self.settings.last_numbers = last;
                self.settings.numbers = Numbers::Last;
            }
            Command::Edges(edges) => self.settings.edges = edges,
            Command::Forbidden(shown) => self.settings.forbidden = shown,
            Command::Lines(shown) => self.settings.lines = shown,
            Command::Graph(shown) => self.settings.graph = shown,
            Command::Style(style) => self.settings.style = style,
            Command::Picture(path) => self.hang(path),
            Command::Dark(dark) => self.settings.dark = dark,
            Command::Speak(language) => self.settings.language = language,
            Command::Sound(sound) => self.settings.sound = sound,
            Command::Arrange(window) => self.settings.window = window,
            Command::Bind(deed, key) => {
                self.settings.bind(deed, key);
                self.dialog = Some(Dialog::Keys { awaiting: None });
            }
            Command::ResetKeys => self.settings.keys.clear(),
            Command::Engine(command) => self.apply_to_engines(command),
            Command::Show(dialog) => self.show(dialog),
            Command::Leave => self.dialog = None,
            Command::OpenForm => self.open_form(),
            Command::EditForm(setup) => {
                self.form = self.form.take().map(|_| setup);
                self.wants_engine = false;
            }
            Command::CloseForm => self.close_form(),
            Command::Begin => self.begin(),
            Command::Front(table) if table < self.tables.len() => self.front = table,
            Command::Front(_) => {}
            Command::Close => self.close_in_front(),
            Command::Discard => self.discard(),
            Command::End => {
                self.dialog = None;
                self.ends = true;
            }
            Command::DismissNotice => self.notice = None,
            Command::Draft(command) => self.apply_to_draft(command),
            Command::Event(command) => self.apply_to_events(command),
            Command::File(command) => self.apply_to_files(command),
            command => {
                self.apply_to_table(command);
                self.attend();
            }
        }
    }

    fn show(&mut self, dialog: Dialog) {
        if matches!(dialog, Dialog::Engines { .. })
            && !matches!(self.dialog, Some(Dialog::Engines { .. }))
        {
            self.look_at_shelf();
        }
        self.dialog = Some(dialog);
    }

    fn apply_to_table(&mut self, command: Command) {
        let Some(snapshot) = self.snapshot() else { return };
        match command {
            Command::Match(command) => self.send_match(command),
            Command::Play(command) => self.send(command),
            Command::Resign => {
                if let Some(seat) = resigner(&snapshot) {
                    self.send(PlayCommand::Resign(seat));
                }
            }
            Command::Seat(seat, occupant) => self.send(PlayCommand::Seat(seat, occupant)),
            Command::Hint => {
                let adviser = match self.table().map(|table| &table.document) {
                    Some(Document::Game(play)) => self.adviser(play),
                    _ => None,
                };
                if let Some(engine) = adviser {
                    self.send(PlayCommand::Hint(engine));
                }
            }
            Command::Look(look) => {
                self.tables[self.front].view.look(look, &snapshot);
            }
            Command::Analyse => self.analyse(),
            Command::Click(point) if self.studies() => self.study(StudyCommand::Play(point)),
            Command::Study(command) => self.study(command),
            Command::Walk(walk) => self.tables[self.front].view.walk = walk,
            Command::Pane(pane) => self.tables[self.front].view.pane = pane,
            Command::ToggleCursor => {
                let view = &mut self.tables[self.front].view;
                view.cursor = match view.cursor {
                    Some(_) => None,
                    None => Some(snapshot.size.center()),
                };
            }
            Command::Step(step) => {
                self.tables[self.front].view.step(step, snapshot.size);
            }
            command => self.apply_to_question(&snapshot, command),
        }
    }

    pub(super) fn send(&self, command: PlayCommand) {
        if let Some(Document::Game(play)) = self.table().map(|table| &table.document) {
            play.send(command);
        }
    }

    fn send_match(&self, command: MatchCommand) {
        if let Some(Document::Match(session)) = self.table().map(|table| &table.document) {
            session.send(command);
        }
    }

    /// Opens the dialog of a new game as it was left, or with an engine to play against.
    fn open_form(&mut self) {
        self.look_at_shelf();
        self.form = Some(self.last_form.clone());
    }

    /// Opens the dialog of a new game with this in it.
    pub(super) fn open_form_with(&mut self, setup: Setup) {
        self.last_form = setup;
        self.open_form();
    }

    fn close_form(&mut self) {
        if let Some(setup) = self.form.take() {
            self.last_form = setup;
        }
    }

    /// Whether a game of this window lies in front that is not gone on with: nothing was played in
    /// it, or it is over and kept.
    fn is_used_up(&self) -> bool {
        let Some(Document::Game(play)) = self.table().map(|table| &table.document) else {
            return false;
        };
        let snapshot = play.snapshot();
        let keeps = self.services.archive.is_some() && snapshot.unkept.is_none();
        let is_untouched = snapshot.rows.len() <= play.setup().book.len()
            && play.record().is_none_or(|record| record.actions.is_empty());
        is_untouched || (keeps && snapshot.phase.is_over())
    }

    /// Begins the game of the dialog, in place of the one in front if that is used up.
    fn begin(&mut self) {
        let Some(setup) = self.form.clone().filter(|setup| setup.check().is_ok()) else { return };
        let sheet = self.services.archive.as_ref().map(|archive| archive.sheet());
        match Play::start(setup, None, sheet, self.room()) {
            Ok(play) => {
                self.close_form();
                if self.is_used_up() {
                    self.close(self.front);
                }
                self.put(Document::Game(play));
            }
            Err(problem) => self.notice = Some(format!("{problem:?}")),
        }
    }
}

/// The seat that gives up when a person does: the one that is asked where both are theirs.
pub(super) fn resigner(snapshot: &Snapshot) -> Option<Seat> {
    let asked = snapshot.asked?;
    let persons = Seat::ALL.into_iter().filter(|&seat| snapshot.seats[seat].is_person);
    let persons: Vec<Seat> = persons.collect();
    match *persons {
        [] => None,
        [seat] => Some(seat),
        _ => Some(asked.seat),
    }
}
