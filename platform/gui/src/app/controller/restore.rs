//! Opens again what was open when the program ended.

use std::path::PathBuf;

use super::App;
use crate::app::controller::Document;
use crate::app::model::{JournalFile, Text};
use crate::app::session::GameSession;
use crate::app::storage::archive::ResumableGame;
use crate::app::storage::files::{self, FileContents, FileProblem};

impl App {
    /// Opens again what was open when the program ended: unfinished games, unsaved work, files and
    /// events. Returns whether there was anything; files open as they are read.
    pub fn restore(&mut self) -> bool {
        self.restore_games();
        let unsaved = self.restore_unsaved();
        // A file that made the program crash is not opened a third time: it is noted again once it
        // is open.
        let open = std::mem::take(&mut self.settings.open);
        let found = unsaved || !self.tabs.is_empty() || !open.is_empty();
        open.into_iter().for_each(|path| self.open_again(path));
        found
    }

    fn restore_games(&mut self) {
        let Some(archive) = &self.services.archive else { return };
        for game in archive.open_games() {
            match game {
                Ok(ResumableGame { setup, history, file }) => {
                    match GameSession::start(setup, Some(history), Some(file), self.context()) {
                        Ok(session) => self.open_tab(Document::Game(session)),
                        Err(problem) => self.notice = Some(format!("{problem:?}")),
                    }
                    let resumed = self.tr().text(Text::Resumed);
                    self.notice.get_or_insert_with(|| resumed.to_owned());
                }
                Err(error) => {
                    self.notice = Some(self.tr().journal_error(JournalFile::Game, &error))
                }
            }
        }
    }

    /// Opens a file in a tab behind the active one.
    fn open_again(&mut self, path: PathBuf) {
        let file = path.clone();
        let arrive = move |app: &mut App, read: Result<FileContents, FileProblem>| match read {
            Ok(reading) => {
                let active = (!app.tabs.is_empty()).then_some(app.active);
                app.open_contents(reading, &file);
                app.active = active.unwrap_or(app.active);
            }
            Err(problem) => app.notice = Some(app.tr().file_problem(&problem)),
        };
        self.spawn(move || files::open(&path), arrive);
    }

    /// Remembers the open files and events.
    pub(super) fn remember_open_files(&mut self) {
        if self.settings_store.is_none() {
            return;
        }
        let mut open: Vec<PathBuf> = Vec::new();
        for tab in &self.tabs {
            let path = match &tab.document {
                Document::Opened(opened) => opened.path.clone(),
                Document::Game(session) => session.path().map(std::path::Path::to_owned),
                Document::Analysis(analysis) if !analysis.saved.is_unsaved() => {
                    analysis.saved.path().map(std::path::Path::to_owned)
                }
                Document::Collection(games) => games.path.clone(),
                Document::Event(session) => Some(session.snapshot().dir),
                _ => None,
            };
            let path = path.filter(|path| !path.as_os_str().is_empty());
            let path = path.and_then(|path| std::path::absolute(path).ok());
            open.extend(path.filter(|path| !open.contains(path)));
        }
        self.settings.open = open;
    }
}
