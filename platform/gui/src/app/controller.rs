//! The application: its tabs, dialogs and commands.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use tengen_arbiter::Nanos;
use tengen_lineup::{EngineList, EngineProvider, EngineSettings};
use tengen_players::Time;
use tengen_rules::BySeat;

use crate::app::model::{
    GameForm, JournalFile, Picture, PlayerSpec, Settings, Snapshot, Sound, SoundCues, Translator,
    UserFile, View, Wake,
};
use crate::app::session::{EventForm, EventPhase, EventSession, GameContext, GameSession};
use crate::app::storage::SettingsStore;
use crate::app::storage::archive::GameArchive;
use crate::app::storage::autosave::Autosave;

mod actions;
mod analysis;
mod answer;
mod apply;
mod autosave;
mod chat_picture;
mod command;
mod dialog;
mod document;
mod editor;
mod engine_details;
mod events;
mod file_dialog;
mod files;
mod folder_watcher;
mod game_form;
mod network_command;
mod restore;
mod saving;
mod score;
mod shutdown;
mod tables;
mod unsaved;
mod user_files;

pub use actions::{Menu, UserAction};
pub use command::Command;
pub use dialog::Dialog;
pub use document::Document;
pub use engine_details::{EngineCheck, EngineCommand, EngineDetails};
use file_dialog::FileState;
pub use file_dialog::{FileCommand, FileDialog};
pub use network_command::{JoinForm, NetworkCommand};
pub use score::PlayersScore;

/// The state of the application: everything the window shows. [`App::apply`] is the only way to
/// change it.
pub struct App {
    services: AppServices,
    tabs: Vec<Tab>,
    active: usize,
    /// How many tabs were opened.
    next_id: u64,
    settings: Settings,
    /// Where settings are saved; without it they are not.
    settings_store: Option<SettingsStore>,
    dialog: Option<Dialog>,
    /// The user's pictures that were read.
    pictures: BTreeMap<UserFile, Arc<Picture>>,
    sound_cues: SoundCues,
    sound: Option<Sound>,
    form: Option<GameForm>,
    /// Why the game of the form could not start.
    form_problem: Option<String>,
    /// Whether to put an engine into the form as soon as one is known.
    wants_engine: bool,
    /// The last contents of the new game form.
    last_form: GameForm,
    engine_list: Arc<Mutex<Arc<EngineList>>>,
    engine_details: engine_details::SharedDetails,
    /// Refreshes the engine list when its folder changes.
    _watch: Option<folder_watcher::FolderWatcher>,
    notice: Option<String>,
    status_message: Option<StatusMessage>,
    files: FileState,
    event_form: Option<EventForm>,
    tables: tables::TableForms,
    /// Whether the window is to be closed, with or without unsaved work.
    is_closing: bool,
    /// Saves unsaved work; none without an archive.
    autosave: Option<Autosave>,
}

/// How long a status message is shown.
const STATUS_DURATION: Nanos = 6_000_000_000;

/// A message about something that worked.
struct StatusMessage {
    text: String,
    /// When it disappears.
    until: Nanos,
}

/// What the app needs from outside.
#[derive(Clone)]
pub struct AppServices {
    /// Lists and starts engines.
    pub provider: Arc<dyn EngineProvider>,
    /// The clock of the games.
    pub time: Arc<dyn Time + Send + Sync>,
    /// Where games are saved; without it they are not.
    pub archive: Option<GameArchive>,
    /// The folder in which events are created; without it there are none.
    pub events: Option<PathBuf>,
    /// Tells the window that there is something new.
    pub wake: Wake,
}

/// A document and how it is shown.
pub struct Tab {
    pub document: Document,
    /// How it is shown.
    pub view: View,
    /// Unique among all tabs of the app.
    number: u64,
    autosave_entry: Option<autosave::AutosaveEntry>,
    /// The score between the players of a game, once it is read.
    score: Option<score::PlayersScore>,
}

impl Tab {
    /// Whether closing it would lose unsaved work.
    pub fn is_unsaved(&self) -> bool {
        self.document.is_unsaved()
    }

    /// Whether an event is running in it.
    pub fn is_running(&self) -> bool {
        let Document::Event(session) = &self.document else { return false };
        let is_saved = session.game().is_none();
        is_saved && matches!(session.snapshot().phase, EventPhase::Playing | EventPhase::Finishing)
    }
}

impl App {
    /// An app without tabs. It starts to list the engines.
    pub fn new(services: AppServices) -> App {
        let engine_list = Arc::default();
        let unsaved = services.archive.as_ref().map(GameArchive::unsaved);
        let wake = Arc::clone(&services.wake);
        let autosave = unsaved.map(|dir| Autosave::new(dir, wake));
        let watch = folder_watcher::FolderWatcher::start(&services, &engine_list);
        let app = App {
            services,
            tabs: Vec::new(),
            active: 0,
            next_id: 0,
            settings: Settings::default(),
            settings_store: None,
            dialog: None,
            pictures: BTreeMap::new(),
            sound_cues: SoundCues::default(),
            sound: None,
            form: None,
            form_problem: None,
            wants_engine: true,
            last_form: GameForm::default(),
            engine_list,
            engine_details: engine_details::SharedDetails::default(),
            _watch: watch,
            notice: None,
            status_message: None,
            files: FileState::default(),
            event_form: None,
            tables: tables::TableForms::default(),
            is_closing: false,
            autosave,
        };
        app.refresh_engines();
        app
    }

    /// Uses the settings of a store, and saves every change there.
    pub fn use_settings_store(&mut self, settings_store: SettingsStore) {
        self.settings = settings_store.settings().clone();
        self.settings_store = Some(settings_store);
        if self.settings.engines != EngineSettings::default() {
            self.apply_engine_settings();
        }
        self.read_pictures();
    }

    /// Opens the new game form with these values; an engine is put in where one is known.
    pub fn propose(&mut self, setup: GameForm) {
        self.last_form = setup;
        self.apply(crate::app::controller::Command::OpenGameForm);
    }

    /// Opens a match that is watched in a new tab.
    pub fn open_match(&mut self, session: EventSession) {
        self.open_tab(Document::Event(session));
    }

    /// The active tab.
    pub fn tab(&self) -> Option<&Tab> {
        self.tabs.get(self.active)
    }

    /// The tab with that id, while it is open.
    pub fn tab_by_id(&self, number: u64) -> Option<&Tab> {
        self.tabs.iter().find(|tab| tab.number == number)
    }

    /// The index of the tab with that id.
    pub fn tab_index(&self, number: u64) -> Option<usize> {
        self.tabs.iter().position(|tab| tab.number == number)
    }

    /// Every tab, and the index of the active one.
    pub fn tabs(&self) -> (&[Tab], usize) {
        (&self.tabs, self.active)
    }

    /// The snapshot of the active tab.
    pub fn snapshot(&self) -> Option<Arc<Snapshot>> {
        self.tab().and_then(|tab| tab.document.snapshot())
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The translator for the chosen language.
    pub fn tr(&self) -> Translator {
        self.settings.tr()
    }

    /// The new game form, when it is open.
    pub fn form(&self) -> Option<&GameForm> {
        self.form.as_ref()
    }

    /// Why the game of that form could not start.
    pub fn form_problem(&self) -> Option<&str> {
        self.form_problem.as_deref()
    }

    /// The open dialog, beside the new game form.
    pub fn dialog(&self) -> Option<&Dialog> {
        self.dialog.as_ref()
    }

    /// Whether a dialog takes clicks and keys.
    pub fn has_dialog(&self) -> bool {
        self.form.is_some()
            || self.dialog.is_some()
            || self.files.dialog.is_some()
            || self.event_form.is_some()
            || self.tables.is_open()
    }

    /// The known engines.
    pub fn engine_list(&self) -> Arc<EngineList> {
        Arc::clone(&self.engine_list.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The notice to the user.
    pub fn notice(&self) -> Option<&str> {
        self.notice.as_deref()
    }

    /// The status message, and how long it is still shown.
    pub fn status_message(&self) -> Option<(&str, Nanos)> {
        let status_message = self.status_message.as_ref()?;
        let left = status_message.until.saturating_sub(self.services.time.now());
        (left > 0).then_some((&status_message.text, left))
    }

    /// Shows a status message.
    fn show_status(&mut self, text: String) {
        let until = self.services.time.now().saturating_add(STATUS_DURATION);
        self.status_message = Some(StatusMessage { text, until });
    }

    /// Takes in the results of other threads. Called before each frame.
    pub fn update(&mut self) {
        self.run_completions();
        self.update_sound();
        self.update_analysis();
        self.remember_open_files();
        self.remember_seats();
        self.update_scores();
        self.reopen_failed_form();
        self.autosave_changes();
        if let Some(settings_store) = &mut self.settings_store {
            settings_store.keep(&self.settings);
            if let Some(problem) = settings_store.take_problem() {
                self.notice =
                    Some(self.settings.tr().journal_error(JournalFile::Settings, &problem));
            }
        }
        if let Some(form) = self.form.as_mut().filter(|_| self.wants_engine)
            && let Some(engine) =
                self.engine_list.lock().unwrap_or_else(PoisonError::into_inner).engines.first()
        {
            form.seats.second = PlayerSpec::Engine(engine.id.clone());
            self.wants_engine = false;
        }
    }

    /// The sound to play since the last call.
    pub fn take_sound(&mut self) -> Option<Sound> {
        self.sound.take().filter(|_| self.settings.sound)
    }

    fn update_sound(&mut self) {
        let Some((snapshot, tab)) = self.snapshot().zip(self.tabs.get(self.active)) else {
            return;
        };
        let sound = self.sound_cues.update(self.active, &snapshot, tab.document.now());
        self.sound = sound.or(self.sound);
    }

    /// What a game between these players needs. Beside another person the second seat is theirs.
    fn context(&self, seats: &BySeat<PlayerSpec>) -> GameContext {
        let Settings { tables, opponent, .. } = &self.settings;
        let is_alone = !seats.first.is_person();
        let named = |name: &String| match name.trim() {
            "" => self.tr().text(crate::app::model::Text::Person).to_owned(),
            name => name.to_owned(),
        };
        let (own, other) = (named(&tables.name), named(opponent));
        let persons = match is_alone {
            true => BySeat { first: other, second: own },
            false => BySeat { first: own, second: other },
        };
        GameContext {
            provider: Arc::clone(&self.services.provider),
            time: Arc::clone(&self.services.time),
            persons,
        }
    }

    fn open_tab(&mut self, document: Document) {
        let wake = Arc::clone(&self.services.wake);
        document.on_change(move || wake());
        for output in (0..).map_while(|accent| document.output(accent)) {
            let wake = Arc::clone(&self.services.wake);
            output.on_update(move || wake());
        }
        self.next_id += 1;
        let (view, number) = (View::default(), self.next_id);
        self.tabs.push(Tab { document, view, number, autosave_entry: None, score: None });
        self.active = self.tabs.len() - 1;
    }

    /// Closes a tab.
    fn close(&mut self, index: usize) {
        if index < self.tabs.len() {
            self.forget_ended(index);
            let tab = self.tabs.remove(index);
            self.forget_autosave(tab.autosave_entry.as_ref());
            let number = tab.number;
            self.dialog.take_if(|dialog| match dialog {
                Dialog::UnsavedTab { tab }
                | Dialog::RunningEvent { tab }
                | Dialog::LeaveTable { tab } => *tab == number,
                _ => false,
            });
            // Sessions end when their engines have stopped; the window does not wait for that.
            self.spawn(move || drop(tab), |_, ()| {});
            let before = self.active - usize::from(index < self.active);
            self.active = before.min(self.tabs.len().saturating_sub(1));
        }
        if self.notice.as_deref() == Some(self.tr().text(crate::app::model::Text::Resumed)) {
            self.notice = None;
        }
    }

    /// Lists the engines again, on a thread, because a folder may be slow.
    fn refresh_engines(&self) {
        let (provider, wake) =
            (Arc::clone(&self.services.provider), Arc::clone(&self.services.wake));
        let engine_list = Arc::clone(&self.engine_list);
        let look = move || refresh_engine_list(&*provider, &engine_list, &wake);
        thread::Builder::new()
            .name("shelf".to_owned())
            .spawn(look)
            .expect("the system has a thread left");
    }

    /// The engine that gives hints: one that plays in the game, or the first in the list.
    fn hint_engine(&self, session: &GameSession) -> Option<String> {
        let seats = session.setup().seats;
        let seated = [seats.first, seats.second].into_iter().find_map(|spec| match spec {
            PlayerSpec::Engine(id) => Some(id),
            PlayerSpec::Person => None,
        });
        seated.or_else(|| self.engine_list().engines.first().map(|engine| engine.id.clone()))
    }
}

/// Lists the engines, and wakes the window if the list changed.
fn refresh_engine_list(
    provider: &dyn EngineProvider,
    engine_list: &Mutex<Arc<EngineList>>,
    wake: &Wake,
) {
    let mut found = provider.known();
    found.make_names_unique();
    let mut known = engine_list.lock().unwrap_or_else(PoisonError::into_inner);
    if **known != found {
        *known = Arc::new(found);
        drop(known);
        wake();
    }
}
