//! Opens again what was open when the program ended.

use std::path::{Path, PathBuf};

use tengen_record::GameRecord;
use tengen_rules::Seat;

use super::{App, Tab};
use crate::app::controller::Document;
use crate::app::model::{GameData, JournalFile, PlayerSpec, Text};
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
                Ok(game) => {
                    self.resume_game(game);
                    let resumed = self.tr().text(Text::Resumed);
                    self.notice.get_or_insert_with(|| resumed.to_owned());
                }
                Err(error) => {
                    self.notice = Some(self.tr().journal_error(JournalFile::Game, &error))
                }
            }
        }
    }

    /// Opens a saved game, paused. Returns whether it could be.
    fn resume_game(&mut self, game: ResumableGame) -> bool {
        let ResumableGame { setup, record, file } = game;
        let context = self.context(&setup.seats);
        match GameSession::start(setup, Some(record), Some(file), context) {
            Ok(session) => {
                self.open_tab(Document::Game(session));
                true
            }
            Err(problem) => {
                self.notice = Some(format!("{problem:?}"));
                false
            }
        }
    }

    /// Continues the opened game in place of its record.
    pub(super) fn resume_opened(&mut self) {
        let Some((record, path)) = self.open_record() else { return };
        let Some(archive) = &self.services.archive else { return };
        let mut game = archive.resumable(record.clone(), path);
        let engine_list = self.engine_list();
        let mut notices = Vec::new();
        for seat in Seat::ALL {
            let PlayerSpec::Engine(id) = &game.setup.seats[seat] else { continue };
            if engine_list.engines.iter().all(|engine| engine.id != *id) {
                notices.push(self.tr().fill(Text::ResumedWithout, &[id]));
                game.setup.seats[seat] = PlayerSpec::Person;
            }
        }
        let (index, new) = (self.active, self.tabs.len());
        if self.resume_game(game) {
            self.close(index);
            self.active = new - 1;
            self.notice = (!notices.is_empty()).then(|| notices.join("\n"));
        }
    }

    /// The record of the opened game, if it has no result and is in no other tab, and its file if
    /// that is one of this window's games.
    pub(super) fn open_record(&self) -> Option<(&GameRecord, Option<&Path>)> {
        self.services.archive.as_ref()?;
        let Document::Opened(opened) = &self.tab()?.document else { return None };
        let GameData::Record(record) = &opened.game else { return None };
        let is_open = opened.snapshot().is_open() && !record.conditions.is_void;
        let own = opened.path.as_deref().filter(|_| opened.is_own);
        let is_played = |tab: &Tab| match &tab.document {
            Document::Game(session) => own.is_some() && session.file() == own,
            _ => false,
        };
        let is_free = !self.tabs.iter().any(is_played);
        (is_open && is_free).then_some((&**record, own))
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
                Document::Game(session) => session.path().map(Path::to_owned),
                Document::Analysis(analysis) if !analysis.saved.is_unsaved() => {
                    analysis.saved.path().map(Path::to_owned)
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
