use std::sync::Arc;

use super::House;
use crate::app::{Dialog, Document, Look, Opened, Study, StudyCommand, Written};

impl House {
    /// Puts the game in front on a table of its own, to be looked into.
    pub(super) fn analyse(&mut self) {
        let Some(table) = self.table() else { return };
        let Some(snapshot) = table.document.snapshot() else { return };
        let shown = table.view.shown(&snapshot);
        let game = match &table.document {
            Document::Opened(Opened { game: Written::Sheet(sheet), .. }) => {
                Written::Sheet(sheet.clone())
            }
            _ => Written::of_snapshot(&snapshot),
        };
        if let Ok(sheet) = game.sheet() {
            self.put(Document::Study(self.study_of(sheet, &snapshot)));
            let snapshot = self.snapshot().unwrap_or(snapshot);
            self.tables[self.front].view.look(Look::After(shown), &snapshot);
        }
    }

    /// A game that was opened, as it is put on a table: looked into if it holds more than a line.
    pub(super) fn document_of(&self, opened: Opened) -> Document {
        match opened.game {
            Written::Sheet(ref sheet) if Study::suits(sheet) => {
                let mut study = self.study_of((**sheet).clone(), &opened.snapshot());
                match opened.path {
                    Some(path) => study.settle_in(path),
                    None if opened.is_pasted => study.unsettle(None),
                    None => {}
                }
                Document::Study(study)
            }
            _ => Document::Opened(opened),
        }
    }

    pub(super) fn study_of(
        &self,
        sheet: tengen_record::formats::ScoreSheet,
        snapshot: &crate::app::Snapshot,
    ) -> Study {
        let (shelf, time) = (Arc::clone(&self.services.shelf), Arc::clone(&self.services.time));
        Study::new(sheet, snapshot, shelf, time)
    }

    pub(super) fn studies(&self) -> bool {
        self.table().is_some_and(|table| table.document.study().is_some())
    }

    pub(super) fn study(&mut self, command: StudyCommand) {
        let first = self.listing().engines.first().map(|engine| engine.id.clone());
        let Some(table) = self.tables.get_mut(self.front) else { return };
        if let Document::Study(study) = &mut table.document {
            if command == StudyCommand::Sweep && study.advising().engine.is_none() {
                study.apply(StudyCommand::Engine(first), 0);
            }
            let shown = study.apply(command, table.view.shown(&study.snapshot()));
            table.view.look(Look::After(shown), &study.snapshot());
        }
    }

    /// Notes what the engine says of the position shown, and lets it go on to the next when it
    /// goes through the game.
    pub(super) fn hear_study(&mut self) {
        if let Some(table) = self.tables.get_mut(self.front)
            && let Document::Study(study) = &mut table.document
        {
            let shown = table.view.shown(&study.snapshot());
            study.hear(shown);
            if let Some(next) = study.go_on(shown) {
                table.view.look(Look::After(next), &study.snapshot());
                study.attend(next);
            }
        }
    }

    /// Lets the engine of the game that is looked into think about the position shown.
    pub(super) fn attend(&self) {
        if let Some(table) = self.table()
            && let Some(study) = table.document.study()
        {
            study.attend(table.view.shown(&study.snapshot()));
        }
    }

    /// Leaves a table; with unsaved work or a running event on it, asks first.
    pub(super) fn leave(&mut self, index: usize) {
        match self.tables.get(index) {
            Some(table) if table.is_unsaved() => {
                self.dialog = Some(Dialog::Unsaved { table: table.number });
            }
            Some(table) if table.is_running() => {
                self.dialog = Some(Dialog::Running { table: table.number });
            }
            Some(_) => self.close(index),
            None => {}
        }
    }

    /// Leaves the table that was asked about, with all that is on it.
    pub(super) fn discard(&mut self) {
        if let Some(Dialog::Unsaved { table } | Dialog::Running { table }) = self.dialog {
            self.dialog = None;
            if let Some(index) = self.place_of(table) {
                self.close(index);
            }
        }
    }
}
