//! What of a room is in its file.

use std::io;

use super::Room;
use crate::play::journal::JournalLine;

impl Room {
    /// Writes who sits where into the file.
    pub(super) fn save_room(&mut self) {
        let file = self.file();
        self.write_down(Ok(vec![JournalLine::Room(Box::new(file))]));
    }

    /// Writes down what is new and has been noted here, or all of the room where that is due.
    pub(super) fn write_down(&mut self, lines: io::Result<Vec<JournalLine>>) {
        if self.journal.is_due() {
            return self.write_whole();
        }
        let written = lines.and_then(|lines| self.journal.add(&lines));
        self.check_saved(written);
    }

    /// Writes down all that is of use after a restart.
    pub(super) fn write_whole(&mut self) {
        let written = self.whole().and_then(|lines| self.journal.write_whole(&lines));
        self.check_saved(written);
    }

    pub(super) fn whole(&self) -> io::Result<Vec<JournalLine>> {
        let mut lines = vec![JournalLine::Room(Box::new(self.file()))];
        lines.extend(self.chat.iter().cloned().map(JournalLine::Chat));
        if let Some(table) = &self.played {
            lines.push(JournalLine::game(table.number, table.began, &table.header)?);
            for entry in table.game.history() {
                lines.push(JournalLine::act(entry)?);
            }
            lines.extend(table.over.as_ref().map(JournalLine::over));
        }
        Ok(lines)
    }

    /// Says once when the file cannot be written; the game goes on.
    pub(super) fn check_saved(&mut self, written: io::Result<()>) {
        match written {
            Ok(()) => self.is_unsaved = false,
            Err(error) if !self.is_unsaved => {
                self.is_unsaved = true;
                let path = self.journal.path().display();
                log::error!("{path}: cannot be written: {error}; the game goes on unsaved");
            }
            Err(_) => {}
        }
    }
}
