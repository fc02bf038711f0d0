use std::sync::Arc;

use tengen_arbiter::Nanos;
use tengen_rules::Seat;

use super::{
    Collection, Draft, EventDesk, Live, Opened, Play, Session, Snapshot, Study, Text, Words,
    Written,
};

/// What lies on a table of the window.
pub enum Document {
    /// A match of engines, watched.
    Match(Session),
    /// A game that somebody plays.
    Game(Play),
    /// A game that is looked into.
    Study(Study),
    /// A game that was played.
    Opened(Opened),
    /// A position that is set up by hand.
    Draft(Draft),
    /// An event that is played or looked at.
    Event(EventDesk),
    /// Such games, to choose from.
    Collection(Collection),
}

impl Document {
    /// The game of it at this moment, if it is of one game.
    pub fn snapshot(&self) -> Option<Arc<Snapshot>> {
        match self {
            Document::Match(session) => Some(session.snapshot()),
            Document::Game(play) => Some(play.snapshot()),
            Document::Study(study) => Some(study.snapshot()),
            Document::Opened(opened) => Some(opened.snapshot()),
            Document::Draft(_) | Document::Event(_) | Document::Collection(_) => None,
        }
    }

    /// The moment now, on the clock of its snapshots.
    pub fn now(&self) -> Nanos {
        match self {
            Document::Match(session) => session.now(),
            Document::Game(play) => play.now(),
            Document::Event(desk) => desk.now(),
            Document::Study(_)
            | Document::Opened(_)
            | Document::Draft(_)
            | Document::Collection(_) => 0,
        }
    }

    /// The game of it as it would be written down now; as a record where all of it is known.
    pub fn written(&self) -> Option<Written> {
        let whole = match self {
            Document::Game(play) => {
                play.record().map(|record| Written::Record(Box::new((*record).clone())))
            }
            Document::Opened(opened) => Some(opened.game.clone()),
            Document::Study(study) => Some(Written::Sheet(Arc::clone(study.sheet()))),
            Document::Draft(draft) => draft.sheet().map(|sheet| Written::Sheet(Arc::new(sheet))),
            _ => None,
        };
        whole.or_else(|| Some(Written::of_snapshot(&*self.snapshot()?)))
    }

    /// Every game of it that is saved: of a collection each that is in no file.
    pub(super) fn all_written(&self) -> Vec<Written> {
        match self {
            Document::Collection(games) if games.path.is_none() => {
                (0..games.len()).filter_map(|index| games.game(index)?.ok()).collect()
            }
            _ => self.written().into_iter().collect(),
        }
    }

    /// What its tab says.
    pub fn title(&self, words: Words) -> String {
        let players = |snapshot: &Snapshot| {
            let seats = &snapshot.seats;
            format!("{} – {}", words.seated(&seats.first), words.seated(&seats.second))
        };
        let file = |path: &std::path::Path| {
            path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
        };
        match self {
            Document::Opened(Opened { path: Some(path), is_own: false, .. }) => file(path),
            Document::Study(study) => {
                let game = study.path().map_or_else(|| players(&study.snapshot()), file);
                let text = if study.is_unsaved() { Text::StudyUnsaved } else { Text::StudyOf };
                words.fill(text, &[&game])
            }
            Document::Event(desk) => match &desk.shown().dir {
                dir if dir.as_os_str().is_empty() => words.text(Text::NewEvent).to_owned(),
                dir => file(dir),
            },
            Document::Draft(_) => words.text(Text::SetUp).to_owned(),
            Document::Collection(games) => {
                let count = words.fill(Text::GamesCount, &[&games.len().to_string()]);
                games.path.as_deref().map_or(count, file)
            }
            _ => self.snapshot().map_or_else(String::new, |snapshot| players(&snapshot)),
        }
    }

    /// What the player of that accent says while it thinks.
    pub fn live(&self, accent: usize) -> Option<Arc<Live>> {
        match self {
            Document::Match(session) => session.live(accent),
            Document::Study(_) => None,
            Document::Game(play) => Seat::ALL.get(accent).map(|seat| play.live(*seat)),
            Document::Event(_)
            | Document::Opened(_)
            | Document::Draft(_)
            | Document::Collection(_) => None,
        }
    }

    /// The game that is looked into, if it is one.
    pub fn study(&self) -> Option<&Study> {
        match self {
            Document::Study(study) => Some(study),
            _ => None,
        }
    }

    /// Calls `wake` after each new snapshot.
    pub(super) fn on_change(&self, wake: impl Fn() + Send + Sync + 'static) {
        match self {
            Document::Match(session) => session.on_change(wake),
            Document::Game(play) => play.on_change(wake),
            Document::Study(study) => study.live().on_news(wake),
            // Events wake the window themselves.
            Document::Event(_)
            | Document::Opened(_)
            | Document::Draft(_)
            | Document::Collection(_) => {}
        }
    }
}
