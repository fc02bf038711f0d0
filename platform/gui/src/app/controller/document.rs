//! The contents of a tab.

use std::sync::Arc;

use tengen_arbiter::Nanos;
use tengen_rules::Seat;

use crate::app::model::{GameData, OpenedGame, PositionEditor, Snapshot, Text, Translator};
use crate::app::session::{
    AnalysisSession, EngineOutput, EventSession, GameSession, TableSession, TeamSession,
};
use crate::app::storage::GameCollection;

/// The contents of a tab.
pub enum Document {
    /// A game with a person or engines.
    Game(GameSession),
    /// A table on a server.
    Table(TableSession),
    Analysis(AnalysisSession),
    /// A finished game.
    Opened(OpenedGame),
    Editor(PositionEditor),
    /// An event, or a match that is watched.
    Event(EventSession),
    /// An engine in an event elsewhere.
    Team(TeamSession),
    /// A list of games.
    Collection(GameCollection),
}

impl Document {
    /// The current state of its game, if it is one game.
    pub fn snapshot(&self) -> Option<Arc<Snapshot>> {
        match self {
            Document::Game(session) => Some(session.snapshot()),
            Document::Table(session) => Some(session.snapshot()),
            Document::Analysis(analysis) => Some(analysis.snapshot()),
            Document::Opened(opened) => Some(opened.snapshot()),
            Document::Event(session) => session.game(),
            Document::Editor(_) | Document::Team(_) | Document::Collection(_) => None,
        }
    }

    /// The current time, on the clock of its snapshots.
    pub fn now(&self) -> Nanos {
        match self {
            Document::Game(session) => session.now(),
            Document::Table(session) => session.now(),
            Document::Event(session) => session.now(),
            Document::Analysis(_)
            | Document::Opened(_)
            | Document::Editor(_)
            | Document::Team(_)
            | Document::Collection(_) => 0,
        }
    }

    /// Its game as data to save; as a record where everything is known.
    pub fn game_data(&self) -> Option<GameData> {
        let whole = match self {
            Document::Game(session) => {
                session.record().map(|record| GameData::Record(Box::new((*record).clone())))
            }
            Document::Opened(opened) => Some(opened.game.clone()),
            Document::Analysis(analysis) => Some(GameData::Sheet(Arc::clone(analysis.sheet()))),
            Document::Editor(editor) => {
                editor.sheet().map(|sheet| GameData::Sheet(Arc::new(sheet)))
            }
            _ => None,
        };
        whole.or_else(|| Some(GameData::of_snapshot(&*self.snapshot()?)))
    }

    /// Every game to save: of a list without a file all of them.
    pub(in crate::app) fn all_game_data(&self) -> Vec<GameData> {
        match self {
            Document::Collection(games) if games.path.is_none() => {
                (0..games.len()).filter_map(|index| games.game(index)?.ok()).collect()
            }
            _ => self.game_data().into_iter().collect(),
        }
    }

    /// The title of the tab.
    pub fn title(&self, tr: Translator) -> String {
        let players = |snapshot: &Snapshot| {
            let seats = &snapshot.seats;
            format!("{} – {}", tr.seated(&seats.first), tr.seated(&seats.second))
        };
        let file = |path: &std::path::Path| {
            path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
        };
        match self {
            Document::Opened(OpenedGame { path: Some(path), is_own: false, .. }) => file(path),
            Document::Analysis(analysis) => {
                let game =
                    analysis.saved.path().map_or_else(|| players(&analysis.snapshot()), file);
                let text = if analysis.saved.is_unsaved() {
                    Text::AnalysisUnsaved
                } else {
                    Text::AnalysisOf
                };
                tr.fill(text, &[&game])
            }
            Document::Event(session) if session.game().is_none() => match &session.snapshot().dir {
                dir if dir.as_os_str().is_empty() => tr.text(Text::NewEvent).to_owned(),
                dir => file(dir),
            },
            Document::Team(session) => {
                let snapshot = session.snapshot();
                let event =
                    if snapshot.event.is_empty() { &snapshot.server } else { &snapshot.event };
                tr.fill(Text::TableAt, &[&snapshot.engine, event])
            }
            Document::Table(session) => {
                let (info, snapshot) = (session.info(), session.snapshot());
                let is_full = Seat::ALL.iter().all(|seat| info.sitters[*seat].is_some());
                match is_full {
                    true => players(&snapshot),
                    false if !info.settings.title.is_empty() => info.settings.title.clone(),
                    false => tr.fill(Text::TableAt, &[tr.text(Text::PaneTable), &info.server]),
                }
            }
            Document::Editor(_) => tr.text(Text::SetUp).to_owned(),
            Document::Collection(games) => {
                let count = tr.fill(Text::GamesCount, &[&games.len().to_string()]);
                games.path.as_deref().map_or(count, file)
            }
            _ => self.snapshot().map_or_else(String::new, |snapshot| players(&snapshot)),
        }
    }

    /// The output of the engine with that accent colour.
    pub fn output(&self, accent: usize) -> Option<Arc<EngineOutput>> {
        match self {
            Document::Event(session) => session.output(accent),
            Document::Analysis(_) => None,
            Document::Game(session) => Seat::ALL.get(accent).map(|seat| session.output(*seat)),
            Document::Table(session) => session.output(*Seat::ALL.get(accent)?),
            Document::Team(_)
            | Document::Opened(_)
            | Document::Editor(_)
            | Document::Collection(_) => None,
        }
    }

    /// The analysis, if it is one.
    pub fn analysis(&self) -> Option<&AnalysisSession> {
        match self {
            Document::Analysis(analysis) => Some(analysis),
            _ => None,
        }
    }

    /// Calls `wake` after each new snapshot.
    pub(in crate::app) fn on_change(&self, wake: impl Fn() + Send + Sync + 'static) {
        match self {
            Document::Event(session) => session.on_change(wake),
            Document::Game(session) => session.on_change(wake),
            Document::Table(session) => session.on_change(wake),
            Document::Analysis(analysis) => analysis.output().on_update(wake),
            // Teams wake the window themselves.
            Document::Team(_)
            | Document::Opened(_)
            | Document::Editor(_)
            | Document::Collection(_) => {}
        }
    }
}
