//! What of a table is in its file.

use std::io;

use super::Table;
use crate::play::journal::JournalLine;

impl Table {
    /// Writes the occupants of the seats into the file.
    pub(super) fn save_table(&mut self) {
        let file = self.file();
        self.write_down(&[JournalLine::Table(Box::new(file))]);
    }

    /// Writes down what is new and has been noted here, or all of the table where that is due.
    pub(super) fn write_down(&mut self, lines: &[JournalLine]) {
        if self.journal.is_due() {
            return self.write_whole();
        }
        let written = self.journal.add(lines);
        self.check_saved(written);
    }

    /// Writes down all that is of use after a restart.
    pub(super) fn write_whole(&mut self) {
        let written = self.journal.write_whole(&self.whole());
        self.check_saved(written);
    }

    pub(super) fn whole(&self) -> Vec<JournalLine> {
        let mut lines = vec![JournalLine::Table(Box::new(self.file()))];
        lines.extend(self.chat.lines().cloned().map(JournalLine::Chat));
        if let Some(played) = &self.played {
            let (number, began) = (played.number, played.began);
            let header = Box::new(played.header.clone());
            lines.push(JournalLine::Game { number, began, header });
            let entries = played.game.history().iter().cloned();
            lines.extend(entries.map(|entry| JournalLine::Act(Box::new(entry))));
            lines.extend(played.over.clone().map(JournalLine::Over));
        }
        lines
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
