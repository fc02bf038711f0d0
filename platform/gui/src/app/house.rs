use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use tengen_arbiter::Nanos;
use tengen_players::Time;

use super::archive::Archive;
use super::autosave::Autosave;
use super::files::Files;
use super::play::Room;
use super::sound;
use super::{
    Dialog, Document, EventForm, EventHost, EventPhase, Kept, Listing, Memory, Occupant, Play,
    Session, Settings, Setup, Shelf, Snapshot, Sound, View, Words,
};

mod answer;
mod apply;
mod deeds;
mod drafts;
mod ending;
mod events;
mod files;
mod forms;
mod gallery;
mod keeping;
mod restore;
mod saving;
mod studies;
mod watch;
mod workshop;

pub use workshop::{EngineCommand, Trial, Workshop};

/// Lets the window know that there is something new to draw. Called on any thread; it returns at
/// once.
pub type Wake = Arc<dyn Fn() + Send + Sync>;

/// All that the window shows and how it is looked at. [`House::apply`] is the one way to change it.
pub struct House {
    pub(super) services: Services,
    tables: Vec<Table>,
    front: usize,
    /// How many tables there were.
    numbered: u64,
    settings: Settings,
    /// Where settings are kept; none keeps nothing.
    memory: Option<Memory>,
    dialog: Option<Dialog>,
    gallery: gallery::Gallery,
    ear: sound::Ear,
    sound: Option<Sound>,
    form: Option<Setup>,
    /// Why the game of the dialog could not begin.
    form_problem: Option<String>,
    /// Whether an engine is to sit in the dialog as soon as one is known.
    wants_engine: bool,
    /// What the dialog of a new game held last.
    last_form: Setup,
    listing: Arc<Mutex<Arc<Listing>>>,
    workshop: workshop::Shared,
    /// Looks at the shelf when its folder changes.
    _watch: Option<watch::Watch>,
    notice: Option<String>,
    news: Option<News>,
    pub(super) files: Files,
    event_form: Option<EventForm>,
    /// Whether the window is to be closed, whatever lies on its tables.
    ends: bool,
    /// Keeps what is in no file; without an archive nothing does.
    autosave: Option<Autosave>,
}

/// How long good news is told.
const NEWS_LAST: Nanos = 6_000_000_000;

/// What went well.
struct News {
    text: String,
    /// Until when it is told.
    until: Nanos,
}

/// What the house is given from outside.
#[derive(Clone)]
pub struct Services {
    /// Where engines come from.
    pub shelf: Arc<dyn Shelf>,
    /// The clock of the games.
    pub time: Arc<dyn Time + Send + Sync>,
    /// Where games are kept; none keeps nothing.
    pub archive: Option<Archive>,
    /// Who seats the engines of events; none plays no events.
    pub events: Option<Arc<dyn EventHost>>,
    /// Lets the window know that there is something new.
    pub wake: Wake,
}

/// A document and how it is looked at.
pub struct Table {
    /// What lies there.
    pub document: Document,
    /// How it is looked at.
    pub view: View,
    /// No other table of the house ever has this number.
    number: u64,
    /// What is kept of it after a crash.
    kept: Option<keeping::KeptAs>,
}

impl Table {
    /// Whether leaving it would lose what no file holds.
    pub fn is_unsaved(&self) -> bool {
        self.document.is_unsaved()
    }

    /// Whether an event lies there that is played.
    pub fn is_running(&self) -> bool {
        let Document::Event(desk) = &self.document else { return false };
        matches!(desk.shown().phase, EventPhase::Playing | EventPhase::Closing)
    }
}

impl House {
    /// A house with no table; it looks at once what engines there are.
    pub fn new(services: Services) -> House {
        let listing = Arc::default();
        let unsaved = services.archive.as_ref().map(Archive::unsaved);
        let wake = Arc::clone(&services.wake);
        let autosave = unsaved.map(|dir| Autosave::new(dir, wake));
        let watch = watch::Watch::start(&services, &listing);
        let house = House {
            services,
            tables: Vec::new(),
            front: 0,
            numbered: 0,
            settings: Settings::default(),
            memory: None,
            dialog: None,
            gallery: gallery::Gallery::default(),
            ear: sound::Ear::default(),
            sound: None,
            form: None,
            form_problem: None,
            wants_engine: true,
            last_form: Setup::default(),
            listing,
            workshop: workshop::Shared::default(),
            _watch: watch,
            notice: None,
            news: None,
            files: Files::default(),
            event_form: None,
            ends: false,
            autosave,
        };
        house.look_at_shelf();
        house
    }

    /// Takes over the settings that are remembered, and has every change of them remembered.
    pub fn remember(&mut self, memory: Memory) {
        self.settings = memory.settings().clone();
        self.memory = Some(memory);
        if self.settings.engines != Kept::default() {
            self.arrange_shelf();
        }
        if let Some(path) = self.settings.picture.clone() {
            let style = self.settings.style;
            self.hang(path);
            self.settings.style = style;
        }
    }

    /// Opens the dialog of a new game with this in it; an engine is seated where one is known.
    pub fn propose(&mut self, setup: Setup) {
        self.last_form = setup;
        self.apply(super::Command::OpenForm);
    }

    /// Puts a match on a table of its own.
    pub fn watch(&mut self, session: Session) {
        self.put(Document::Match(session));
    }

    /// The table in front.
    pub fn table(&self) -> Option<&Table> {
        self.tables.get(self.front)
    }

    /// The table of that number, while it is there.
    pub fn table_numbered(&self, number: u64) -> Option<&Table> {
        self.tables.iter().find(|table| table.number == number)
    }

    /// Where the table of that number is among the others.
    pub fn place_of(&self, number: u64) -> Option<usize> {
        self.tables.iter().position(|table| table.number == number)
    }

    /// Every table, and which is in front.
    pub fn tables(&self) -> (&[Table], usize) {
        (&self.tables, self.front)
    }

    /// What the table in front shows.
    pub fn snapshot(&self) -> Option<Arc<Snapshot>> {
        self.table().and_then(|table| table.document.snapshot())
    }

    /// How everything looks.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The words of the language chosen.
    pub fn words(&self) -> Words {
        self.settings.words()
    }

    /// The dialog of a new game, when it is open.
    pub fn form(&self) -> Option<&Setup> {
        self.form.as_ref()
    }

    /// Why the game of that dialog could not begin.
    pub fn form_problem(&self) -> Option<&str> {
        self.form_problem.as_deref()
    }

    /// The dialog that is open beside that of a new game.
    pub fn dialog(&self) -> Option<&Dialog> {
        self.dialog.as_ref()
    }

    /// Whether a dialog takes the clicks and keys.
    pub fn is_covered(&self) -> bool {
        self.form.is_some()
            || self.dialog.is_some()
            || self.files.dialog.is_some()
            || self.event_form.is_some()
    }

    /// What engines there are.
    pub fn listing(&self) -> Arc<Listing> {
        Arc::clone(&self.listing.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// What the person is to be told.
    pub fn notice(&self) -> Option<&str> {
        self.notice.as_deref()
    }

    /// What went well just now, and for how long it is still told.
    pub fn news(&self) -> Option<(&str, Nanos)> {
        let news = self.news.as_ref()?;
        let left = news.until.saturating_sub(self.services.time.now());
        (left > 0).then_some((&news.text, left))
    }

    /// Tells what went well: nobody has to answer it.
    fn tell(&mut self, text: String) {
        let until = self.services.time.now().saturating_add(NEWS_LAST);
        self.news = Some(News { text, until });
    }

    /// Takes in what other threads have found. Called before each frame.
    pub fn settle(&mut self) {
        self.receive();
        self.settle_picture();
        self.listen();
        self.hear_study();
        self.note_what_is_open();
        self.take_back_forms();
        self.keep_what_is_unsaved();
        if let Some(memory) = &mut self.memory {
            memory.keep(&self.settings);
            if let Some(problem) = memory.take_problem() {
                self.notice = Some(self.settings.words().problem(&problem));
            }
        }
        if let Some(form) = self.form.as_mut().filter(|_| self.wants_engine)
            && let Some(engine) =
                self.listing.lock().unwrap_or_else(PoisonError::into_inner).engines.first()
        {
            form.seats.second = Occupant::Engine(engine.id.clone());
            self.wants_engine = false;
        }
    }

    /// What is to be heard since this was asked last.
    pub fn take_sound(&mut self) -> Option<Sound> {
        self.sound.take().filter(|_| self.settings.sound)
    }

    fn listen(&mut self) {
        let Some((snapshot, table)) = self.snapshot().zip(self.tables.get(self.front)) else {
            return;
        };
        let heard = self.ear.listen(self.front, &snapshot, table.document.now());
        self.sound = heard.or(self.sound);
    }

    fn room(&self) -> Room {
        Room {
            shelf: Arc::clone(&self.services.shelf),
            time: Arc::clone(&self.services.time),
            person: self.words().text(super::Text::Person).to_owned(),
        }
    }

    fn put(&mut self, document: Document) {
        let wake = Arc::clone(&self.services.wake);
        document.on_change(move || wake());
        for live in (0..).map_while(|accent| document.live(accent)) {
            let wake = Arc::clone(&self.services.wake);
            live.on_news(move || wake());
        }
        self.numbered += 1;
        let (view, number) = (View::default(), self.numbered);
        self.tables.push(Table { document, view, number, kept: None });
        self.front = self.tables.len() - 1;
    }

    /// Takes a table away.
    fn close(&mut self, index: usize) {
        if index < self.tables.len() {
            let table = self.tables.remove(index);
            self.forget_kept(table.kept.as_ref());
            let number = table.number;
            self.dialog.take_if(|dialog| match dialog {
                Dialog::Unsaved { table } | Dialog::Running { table } => *table == number,
                _ => false,
            });
            // What is played ends when its engines have heard of it, which the window does not wait
            // for.
            self.on_thread(move || drop(table), |_, ()| {});
            let before = self.front - usize::from(index < self.front);
            self.front = before.min(self.tables.len().saturating_sub(1));
        }
        if self.notice.as_deref() == Some(self.words().text(super::Text::Resumed)) {
            self.notice = None;
        }
    }

    /// Reads anew what engines there are, on a thread, for a folder may be slow.
    fn look_at_shelf(&self) {
        let (shelf, wake) = (Arc::clone(&self.services.shelf), Arc::clone(&self.services.wake));
        let listing = Arc::clone(&self.listing);
        let look = move || look_at(&*shelf, &listing, &wake);
        thread::Builder::new()
            .name("shelf".to_owned())
            .spawn(look)
            .expect("the system has a thread left");
    }

    /// An engine to ask for a hint: one that plays at the table, or the first there is.
    fn adviser(&self, play: &Play) -> Option<String> {
        let seats = play.setup().seats;
        let seated = [seats.first, seats.second].into_iter().find_map(|occupant| match occupant {
            Occupant::Engine(id) => Some(id),
            Occupant::Person => None,
        });
        seated.or_else(|| self.listing().engines.first().map(|engine| engine.id.clone()))
    }
}

/// Reads what engines there are; the window hears of it when that has changed.
fn look_at(shelf: &dyn Shelf, listing: &Mutex<Arc<Listing>>, wake: &Wake) {
    let mut found = shelf.list();
    found.tell_apart();
    let mut known = listing.lock().unwrap_or_else(PoisonError::into_inner);
    if **known != found {
        *known = Arc::new(found);
        drop(known);
        wake();
    }
}
