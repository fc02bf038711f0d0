use std::path::PathBuf;

use super::House;
use crate::app::archive::Reopened;
use crate::app::files::{self, FileProblem, Reading};
use crate::app::{Document, Play, Text};

impl House {
    /// Puts back what lay on the tables when the program ended: games that were not over, what was
    /// in no file, files and events. Returns whether there was anything; files come as they are
    /// read.
    pub fn restore(&mut self) -> bool {
        self.restore_games();
        let unsaved = self.restore_unsaved();
        // A file that the program could not bear is not opened a third time: what is open is noted
        // again when it lies there.
        let open = std::mem::take(&mut self.settings.open);
        let found = unsaved || !self.tables.is_empty() || !open.is_empty();
        open.into_iter().for_each(|path| self.open_again(path));
        found
    }

    fn restore_games(&mut self) {
        let Some(archive) = &self.services.archive else { return };
        for game in archive.open_games() {
            match game {
                Ok(Reopened { setup, history, sheet }) => {
                    match Play::start(setup, Some(history), Some(sheet), self.room()) {
                        Ok(play) => self.put(Document::Game(play)),
                        Err(problem) => self.notice = Some(format!("{problem:?}")),
                    }
                    let resumed = self.words().text(Text::Resumed);
                    self.notice.get_or_insert_with(|| resumed.to_owned());
                }
                Err(error) => self.notice = Some(self.words().unkept(&error)),
            }
        }
    }

    /// Opens a file behind what lies in front.
    fn open_again(&mut self, path: PathBuf) {
        let file = path.clone();
        let arrive = move |house: &mut House, read: Result<Reading, FileProblem>| match read {
            Ok(reading) => {
                let front = (!house.tables.is_empty()).then_some(house.front);
                house.take_reading(reading, &file);
                house.front = front.unwrap_or(house.front);
            }
            Err(problem) => house.notice = Some(house.words().file_problem(&problem)),
        };
        self.on_thread(move || files::open(&path), arrive);
    }

    /// Has the files and events on the tables remembered.
    pub(super) fn note_what_is_open(&mut self) {
        if self.memory.is_none() {
            return;
        }
        let mut open: Vec<PathBuf> = Vec::new();
        for table in &self.tables {
            let path = match &table.document {
                Document::Opened(opened) => opened.path.clone(),
                Document::Game(play) => play.path().map(std::path::Path::to_owned),
                Document::Study(study) if !study.is_unsaved() => {
                    study.path().map(std::path::Path::to_owned)
                }
                Document::Collection(games) => games.path.clone(),
                Document::Event(desk) => Some(desk.shown().dir),
                _ => None,
            };
            let path = path.filter(|path| !path.as_os_str().is_empty());
            let path = path.and_then(|path| std::path::absolute(path).ok());
            open.extend(path.filter(|path| !open.contains(path)));
        }
        self.settings.open = open;
    }
}
