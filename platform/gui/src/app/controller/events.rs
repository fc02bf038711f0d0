//! Events: their form, list and tabs.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use tengen_tournament::{Event, EventConfig};

use super::App;
use crate::app::controller::{Dialog, Document};
use crate::app::model::{GameData, JournalFile, ListenTerms, OpenedGame, Text};
use crate::app::session::event::{EventLineUp, EventSource};
use crate::app::session::{EventCommand, EventForm, EventSession, PastEvent};

impl App {
    /// The form of a new event, when it is open.
    pub fn event_form(&self) -> Option<&EventForm> {
        self.event_form.as_ref()
    }

    /// Whether events can be played here.
    pub fn has_events(&self) -> bool {
        self.services.events.is_some()
    }

    /// Whether the active tab is a paused event.
    pub fn is_event_paused(&self) -> bool {
        let document = self.tab().map(|tab| &tab.document);
        matches!(document, Some(Document::Event(session)) if session.snapshot().paused)
    }

    /// Whether the active tab is an event with remote engines.
    pub(super) fn has_remote_engines(&self) -> bool {
        let document = self.tab().map(|tab| &tab.document);
        matches!(document, Some(Document::Event(session)) if session.snapshot().config.has_remote())
    }

    /// Runs a command about events.
    pub(super) fn apply_to_events(&mut self, command: EventCommand) {
        match command {
            EventCommand::OpenForm => self.open_event_form(),
            EventCommand::Edit(form) => {
                self.event_form = self.event_form.take().map(|_| *form);
            }
            EventCommand::CloseForm => {
                if let Some(form) = self.event_form.take() {
                    self.save_form(&form);
                }
            }
            EventCommand::Begin => self.start_event(),
            EventCommand::ListPast => self.list_past_events(),
            EventCommand::Open(dir) => self.open_event(dir),
            EventCommand::OpenGame(number) => self.open_game_of_event(number),
            command => self.apply_to_active_event(command),
        }
    }

    fn apply_to_active_event(&mut self, command: EventCommand) {
        let Some(tab) = self.tabs.get_mut(self.active) else { return };
        let Document::Event(session) = &mut tab.document else { return };
        match command {
            EventCommand::Pause(wanted) => session.pause(wanted),
            EventCommand::Finish => session.finish(),
            EventCommand::Stop => session.stop(),
            EventCommand::NextGame => session.next_game(),
            EventCommand::PlayAgain => session.play_again(),
            EventCommand::Resume => {
                let shown = session.snapshot();
                let is_unknown = shown.config.has_remote() && !shown.is_to_be_served;
                // The address may have been what failed.
                if is_unknown || shown.is_to_be_served && shown.problem.is_some() {
                    let form = self.settings.event_server.clone();
                    self.dialog = Some(Dialog::ServeEvent { form });
                } else {
                    self.resume_event(None);
                }
            }
            EventCommand::ResumeServed(form) => {
                let Ok(listen) = form.check() else { return };
                self.settings.event_server = form;
                self.dialog = None;
                self.resume_event(Some(listen));
            }
            EventCommand::Repair => session.repair(),
            EventCommand::Change(change) => session.change(change),
            EventCommand::Show(page) => session.page = page,
            EventCommand::Enlarge(tab) => session.enlarged = tab,
            _ => {}
        }
    }

    /// Resumes the active event, and serves it there; none is where it was served before.
    fn resume_event(&mut self, listen: Option<ListenTerms>) {
        let Some(tab) = self.tabs.get(self.active) else { return };
        let Document::Event(session) = &tab.document else { return };
        let number = tab.number;
        let address = listen.as_ref().map(|terms| terms.address).or(session.served_at());
        self.free_address(address, move |app| {
            let tab = app.tabs.iter().find(|tab| tab.number == number);
            if let Some(Document::Event(session)) = tab.map(|tab| &tab.document) {
                session.resume(listen);
            }
        });
    }

    /// Ends the servers of finished events that still have an address, and then goes on.
    pub(super) fn free_address(
        &mut self,
        address: Option<SocketAddr>,
        go_on: impl FnOnce(&mut App) + Send + 'static,
    ) {
        let ended = |tab: &super::Tab| match &tab.document {
            Document::Event(session) => session.stop_showing(address?),
            _ => None,
        };
        let servers: Vec<_> = self.tabs.iter().filter_map(ended).collect();
        if servers.is_empty() {
            return go_on(self);
        }
        self.spawn(move || drop(servers), move |app, ()| go_on(app));
    }

    fn open_event_form(&mut self) {
        let Some(folder) = &self.services.events else { return };
        let form = EventForm::remembered(folder);
        self.event_form = Some(form.served_at(self.settings.event_server.clone()));
        self.refresh_engines();
    }

    /// Opens the form with the contents of a file.
    pub(super) fn open_event_form_with(&mut self, config: EventConfig) {
        if self.has_events() {
            let form = EventForm::new(config);
            self.event_form = Some(form.served_at(self.settings.event_server.clone()));
            self.refresh_engines();
        }
    }

    fn start_event(&mut self) {
        let Some(Ok(config)) = self.event_form.as_ref().map(EventForm::filled) else { return };
        let Some(form) = self.event_form.take() else { return };
        let Ok(listen) = form.listening() else { return };
        self.save_form(&form);
        let address = listen.as_ref().map(|terms| terms.address);
        self.free_address(address, move |app| {
            app.put_event(EventSource::New(Box::new(config), listen));
        });
    }

    /// Saves the form for the next time.
    fn save_form(&mut self, form: &EventForm) {
        let Some(folder) = &self.services.events else { return };
        self.settings.event_server.clone_from(&form.listen);
        if let Err(error) = form.remember(folder) {
            self.notice = Some(self.tr().journal_error(JournalFile::EventForm, &error));
        }
    }

    /// Lists the past events, as soon as their folders are read.
    fn list_past_events(&mut self) {
        let Some(folder) = self.services.events.clone() else { return };
        self.dialog = Some(Dialog::Events { past: None });
        let arrive = |app: &mut App, found: Vec<PastEvent>| {
            if let Some(Dialog::Events { past }) = &mut app.dialog {
                *past = Some(found.into());
            }
        };
        self.spawn(move || PastEvent::list(&folder), arrive);
    }

    /// The folders of games, events and engines.
    pub fn places(&self) -> Vec<(Text, PathBuf)> {
        let archive = self.services.archive.as_ref().map(|archive| archive.dir().to_owned());
        let engines = self.services.provider.folder();
        let places = [
            (Text::AboutGames, archive),
            (Text::AboutEvents, self.services.events.clone()),
            (Text::AboutEngines, engines),
        ];
        places.into_iter().filter_map(|(text, place)| Some((text, place?))).collect()
    }

    /// The folder in which new events are created.
    pub fn events_folder(&self) -> Option<&PathBuf> {
        self.services.events.as_ref()
    }

    /// Opens the event in a folder.
    pub(super) fn open_event(&mut self, dir: PathBuf) {
        self.put_event(EventSource::Folder(dir));
    }

    fn put_event(&mut self, source: EventSource) {
        let Some(folder) = self.services.events.clone() else { return };
        // The engines that may join it are offered.
        self.refresh_engines();
        let time = Arc::clone(&self.services.time);
        let lineup = EventLineUp { engines: Arc::clone(&self.services.provider), folder };
        self.open_tab(Document::Event(EventSession::new(source, lineup, time)));
    }

    fn open_game_of_event(&mut self, number: u64) {
        let Some(Document::Event(session)) = self.tab().map(|tab| &tab.document) else { return };
        let dir = session.snapshot().dir.clone();
        let read = move || {
            let record = Event::open(&dir).and_then(|event| event.game(number));
            let record = record.map_err(|error| error.to_string())?;
            let game = |record| OpenedGame::new(GameData::Record(Box::new(record)), None);
            record.map(game).transpose()
        };
        let arrive = |app: &mut App, opened: Result<Option<OpenedGame>, String>| match opened {
            Ok(Some(opened)) => app.open_tab(Document::Opened(opened)),
            Ok(None) => {}
            Err(problem) => app.notice = Some(problem),
        };
        self.spawn(read, arrive);
    }
}
