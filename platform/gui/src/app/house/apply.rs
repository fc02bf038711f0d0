use tengen_rules::Seat;

use super::House;
use crate::app::{
    Command, Dialog, Document, MatchCommand, Numbers, PlayCommand, Snapshot, StudyCommand,
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
                self.dialog = Some(Dialog::Keys { awaiting: None, taken: None });
            }
            Command::ResetKeys => self.settings.keys.clear(),
            Command::Engine(command) => self.apply_to_engines(command),
            Command::Show(dialog) => self.show(dialog),
            Command::Leave => self.dialog = None,
            Command::OpenForm => self.open_form(),
            Command::EditForm(setup) => {
                self.form = self.form.take().map(|_| setup);
                self.form_problem = None;
                self.wants_engine = false;
            }
            Command::CloseForm => self.close_form(),
            Command::Begin => self.begin(),
            Command::Front(table) if table < self.tables.len() => self.front = table,
            Command::Front(_) => {}
            Command::Close => self.leave(self.front),
            Command::CloseTable(table) => self.leave(table),
            Command::Quit if self.loses_at_end() => self.dialog = Some(Dialog::End),
            Command::Quit => self.ends = true,
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
        self.tables[self.front].view.resigning = false;
        match command {
            Command::Match(command) => self.send_match(command),
            Command::Play(command) => self.send(command),
            Command::Resign => {
                if let Some(seat) = resigner(&snapshot) {
                    self.send(PlayCommand::Resign(seat));
                }
            }
            Command::Resigning(wanted) => self.tables[self.front].view.resigning = wanted,
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
