//! Runs commands: the only way in which the app changes.

use super::App;
use super::actions::resigning_seat;
use crate::app::controller::{Command, Dialog, Document};
use crate::app::model::MoveNumbers;
use crate::app::session::{AnalysisCommand, GameCommand};

impl App {
    /// Runs a command. A command that does not fit does nothing.
    pub fn apply(&mut self, command: Command) {
        match command {
            Command::SetMoveNumbers(numbers) => self.settings.numbers = numbers,
            Command::SetLastNumbers(last) => {
                self.settings.last_numbers = last;
                self.settings.numbers = MoveNumbers::Last;
            }
            Command::SetCoordinates(edges) => self.settings.edges = edges,
            Command::ShowForbidden(shown) => self.settings.forbidden = shown,
            Command::ShowLines(shown) => self.settings.lines = shown,
            Command::ShowGraph(shown) => self.settings.graph = shown,
            Command::SetBoardStyle(style) => self.settings.style = style,
            Command::UseFile(of, path) => self.use_file(of, path),
            Command::FileIsUnusable(of, reason) => self.file_is_unusable(of, &reason),
            Command::SetDark(dark) => self.settings.dark = dark,
            Command::SetLanguage(language) => self.settings.language = language,
            Command::SetSound(sound) => self.settings.sound = sound,
            Command::SetGeometry(window) => self.settings.window = window,
            Command::BindKey(action, key) => {
                self.settings.bind(action.id(), key);
                self.dialog = Some(Dialog::Keys { awaiting: None, taken: None });
            }
            Command::ResetKeys => self.settings.keys.clear(),
            Command::Engine(command) => self.apply_to_engines(command),
            Command::ShowDialog(dialog) => self.show(dialog),
            Command::CloseDialog => self.dialog = None,
            Command::OpenGameForm => self.open_form(),
            Command::EditGameForm(setup) => {
                self.form = self.form.take().map(|_| setup);
                self.form_problem = None;
                self.wants_engine = false;
            }
            Command::KeepPreset => self.keep_preset(),
            Command::ForgetPreset(name) => self.settings.forget_preset(&name),
            Command::CloseGameForm => self.close_form(),
            Command::StartGame => self.start_game(),
            Command::ResumeOpened => self.resume_opened(),
            Command::NamePerson(seat, name) => self.name_person(seat, name.trim()),
            Command::SelectTab(tab) if tab < self.tabs.len() => self.active = tab,
            Command::SelectTab(_) => {}
            Command::CloseActiveTab => self.close_or_ask(self.active),
            Command::CloseTab(tab) => self.close_or_ask(tab),
            Command::Quit if self.asks_before_closing() => self.dialog = Some(Dialog::CloseWindow),
            Command::Quit => self.is_closing = true,
            Command::DiscardTab => self.discard(),
            Command::CloseWindow => {
                self.dialog = None;
                self.is_closing = true;
            }
            Command::DismissNotice => self.notice = None,
            Command::Editor(command) => self.apply_to_editor(command),
            Command::Event(command) => self.apply_to_events(command),
            Command::Network(command) => self.apply_to_tables(command),
            Command::File(command) => self.apply_to_files(command),
            command => {
                self.apply_to_tab(command);
                self.set_position();
            }
        }
    }

    fn show(&mut self, dialog: Dialog) {
        if matches!(dialog, Dialog::Engines { .. })
            && !matches!(self.dialog, Some(Dialog::Engines { .. }))
        {
            self.refresh_engines();
        }
        self.dialog = Some(dialog);
    }

    fn apply_to_tab(&mut self, command: Command) {
        let Some(snapshot) = self.snapshot() else { return };
        self.tabs[self.active].view.resigning = false;
        match command {
            Command::Game(command) => self.send(command),
            Command::Resign => {
                let seat = match self.table() {
                    Some(table) => table.info().seat,
                    None => resigning_seat(&snapshot),
                };
                if let Some(seat) = seat {
                    self.send(GameCommand::Resign(seat));
                }
            }
            Command::AskResign(wanted) => self.tabs[self.active].view.resigning = wanted,
            Command::SetPlayer(seat, spec) => self.send(GameCommand::SetPlayer(seat, spec)),
            Command::Hint => {
                let hint_engine = match self.tab().map(|tab| &tab.document) {
                    Some(Document::Game(session)) => self.hint_engine(session),
                    _ => None,
                };
                if let Some(engine) = hint_engine {
                    self.send(GameCommand::Hint(engine));
                }
            }
            Command::Navigate(look) => {
                self.tabs[self.active].view.look(look, &snapshot);
            }
            Command::Analyse => self.analyse(),
            Command::Click(point) if self.is_analysis() => {
                self.analysis(AnalysisCommand::Play(point))
            }
            Command::Analysis(command) => self.analysis(command),
            Command::WalkLine(walk) => self.tabs[self.active].view.walk = walk,
            Command::ShowPane(pane) => self.tabs[self.active].view.pane = pane,
            Command::ToggleCursor => {
                let view = &mut self.tabs[self.active].view;
                view.cursor = match view.cursor {
                    Some(_) => None,
                    None => Some(snapshot.size.center()),
                };
            }
            Command::MoveCursor(step) => {
                self.tabs[self.active].view.step(step, snapshot.size);
            }
            command => self.apply_to_question(&snapshot, command),
        }
    }

    pub(super) fn send(&self, command: GameCommand) {
        match self.tab().map(|tab| &tab.document) {
            Some(Document::Game(session)) => session.send(command),
            Some(Document::Table(session)) => session.play(command),
            _ => {}
        }
    }
}
