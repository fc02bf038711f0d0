use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use tengen_record::formats::{Format, FormatLoss};

use super::{House, Table};
use crate::app::files::{self, FileProblem, Purpose};
use crate::app::{Dialog, Document, Study, Text, Written};

/// A file that is being written.
struct Saving {
    path: PathBuf,
    /// Whether one that is there is replaced.
    replaces: bool,
    /// The dialog that it was named in.
    dialog: Option<u64>,
    /// The table whose work it is.
    table: u64,
    /// Whether that table is left once all of its work is saved.
    leaves: bool,
}

impl House {
    /// Saves what is in front: in its own file what changes only here, else where the person says.
    pub(super) fn save(&mut self) {
        if let Some(number) = self.table().map(|table| table.number) {
            self.save_table(number, false);
        }
    }

    /// Saves the table that was to be left, and leaves it once all of it is saved.
    pub(super) fn save_and_close(&mut self) {
        if let Some(Dialog::Unsaved { table }) = self.dialog {
            self.dialog = None;
            self.save_table(table, true);
        }
    }

    fn save_table(&mut self, number: u64, leaves: bool) {
        let Some(table) = self.table_numbered(number) else { return };
        let (study, name) = (table.document.study(), self.proposed_name(table, "sgf"));
        if let Document::Draft(draft) = &table.document
            && let Err(problem) = draft.game()
        {
            let reason = self.words().draft_problem(problem);
            self.file_failed(None, &FileProblem::Unsaid { name, reason });
            return;
        }
        if let Some(path) = study.and_then(Study::fits_in).map(Path::to_owned) {
            self.write_file(Saving { path, replaces: true, dialog: None, table: number, leaves });
            return;
        }
        // Its own file, if it has one, does not hold all of it: what is lost is told beforehand.
        let own = study.and_then(Study::path).map(Path::to_owned);
        self.ask_file_for(Purpose::Save, Some(number));
        if let Some(dialog) = &mut self.files.dialog {
            dialog.leaves = leaves;
        }
        if let Some(own) = own {
            self.name_file(own.display().to_string());
        }
    }

    /// Leaves the dialog of files, and whatever was to be done after it.
    pub(super) fn cancel_file(&mut self) {
        self.files.dialog = None;
    }

    /// Notes what is typed, and what the format named so does not say.
    pub(super) fn name_file(&mut self, name: String) {
        let known = self.files.dialog.as_ref().and_then(|dialog| dialog.format);
        let format = files::format_of(Path::new(name.trim())).ok();
        let lost = if format == known { None } else { Some(self.lost_in(format)) };
        let Some(dialog) = &mut self.files.dialog else { return };
        dialog.name = name;
        dialog.problem = None;
        if let Some(lost) = lost {
            (dialog.format, dialog.lost) = (format, lost);
        }
        self.look_into_folder();
    }

    /// What of the work that the dialog of files is about a format does not say.
    fn lost_in(&self, format: Option<Format>) -> BTreeSet<FormatLoss> {
        let document = self.table_of_dialog().map(|table| &table.document);
        let Some((document, format)) = document.zip(format) else { return BTreeSet::new() };
        if let Document::Study(study) = document {
            return format.lost(study.sheet());
        }
        let lost = |game: &Written| files::lost(game, format).unwrap_or_default();
        document.all_written().iter().flat_map(lost).collect()
    }

    /// The table that the dialog of files is about.
    pub(super) fn table_of_dialog(&self) -> Option<&Table> {
        self.table_numbered(self.files.dialog.as_ref()?.table?)
    }

    /// Saves in the file that is named; one that is there already only when it is named twice.
    pub(super) fn save_file(&mut self, path: PathBuf) {
        let Some(dialog) = &self.files.dialog else { return };
        let Some(table) = dialog.table else { return };
        let replaces = dialog.replaced.as_ref() == Some(&path);
        let (number, leaves) = (dialog.number, dialog.leaves);
        self.write_file(Saving { path, replaces, dialog: Some(number), table, leaves });
    }

    fn write_file(&mut self, saving: Saving) {
        let Some(document) = self.table_numbered(saving.table).map(|table| &table.document) else {
            self.close_dialog(saving.dialog);
            return;
        };
        let (games, revision) = (document.all_written(), document.revision());
        self.begin_file(saving.dialog);
        let (path, replaces) = (saving.path.clone(), saving.replaces);
        let arrive = move |house: &mut House, saved: Result<BTreeSet<FormatLoss>, FileProblem>| {
            match saved {
                Ok(lost) => {
                    house.file_done(saving.dialog, &saving.path);
                    house.say_saved(&saving.path, &lost);
                    house.note_saved(&saving, revision, &lost);
                }
                Err(problem) => house.saving_failed(saving.dialog, saving.path, &problem),
            }
        };
        self.on_saver(move || files::save(&games, &path, replaces), arrive);
    }

    /// Notes that a table's work is in a file, and leaves the table if that was the wish.
    fn note_saved(&mut self, saving: &Saving, revision: u64, lost: &BTreeSet<FormatLoss>) {
        let Some(index) = self.place_of(saving.table) else { return };
        let table = &mut self.tables[index];
        table.document.note_saved(&saving.path, revision, lost);
        if saving.leaves && !table.is_unsaved() {
            self.close(index);
        }
    }

    fn saving_failed(&mut self, asker: Option<u64>, path: PathBuf, problem: &FileProblem) {
        self.file_failed(asker, problem);
        if let Some(dialog) = self.files.dialog.as_mut().filter(|d| Some(d.number) == asker)
            && matches!(problem, FileProblem::Exists { .. })
        {
            dialog.replaced = Some(path);
        }
    }

    fn say_saved(&mut self, path: &Path, lost: &BTreeSet<FormatLoss>) {
        let (words, name) = (self.words(), path.display().to_string());
        if lost.is_empty() {
            self.tell(words.fill(Text::Saved, &[&name]));
        } else {
            self.tell(words.fill(Text::SavedWithout, &[&name, &words.lost(lost)]));
        }
    }

    /// Paints a picture, and writes it.
    pub fn save_picture(
        &mut self,
        path: PathBuf,
        paint: impl FnOnce() -> Vec<u8> + Send + 'static,
    ) {
        let dialog = self.files.dialog.as_ref().filter(|dialog| dialog.purpose == Purpose::Picture);
        let replaces = dialog.is_some_and(|dialog| dialog.replaced.as_ref() == Some(&path));
        let asker = dialog.map(|dialog| dialog.number);
        let file = path.clone();
        let arrive = move |house: &mut House, saved: Result<(), FileProblem>| match saved {
            Ok(()) => {
                house.file_done(asker, &file);
                house.say_saved(&file, &BTreeSet::new());
            }
            Err(problem) => house.saving_failed(asker, file, &problem),
        };
        self.begin_file(asker);
        self.on_saver(move || files::save_bytes(&paint(), &path, replaces), arrive);
    }

    /// Copies the game in front as SGF.
    pub(super) fn copy_game(&mut self) {
        match self.written().map(|game| game.to_sgf()) {
            Some(Ok(text)) => self.files.copied = Some(text),
            Some(Err(reason)) => self.notice = Some(reason),
            None => {}
        }
    }

    /// Copies the game in front in the format that is named in the dialog.
    pub(super) fn copy_in_format(&mut self) {
        let game = self.table_of_dialog().and_then(|table| table.document.written());
        let Some((dialog, game)) = self.files.dialog.as_ref().zip(game) else { return };
        let (asker, name) = (Some(dialog.number), dialog.name.trim().to_owned());
        let Some(format) = dialog.format else {
            self.file_failed(asker, &FileProblem::NoFormat { name });
            return;
        };
        match files::text(&game, format) {
            Ok((text, lost)) => {
                self.cancel_file();
                self.files.copied = Some(text);
                let words = self.words();
                let name = format.name();
                if lost.is_empty() {
                    self.tell(words.fill(Text::Copied, &[name]));
                } else {
                    let text = words.fill(Text::CopiedWithout, &[name, &words.lost(&lost)]);
                    self.tell(text);
                }
            }
            Err(reason) => self.file_failed(asker, &FileProblem::Unsaid { name, reason }),
        }
    }
}
