use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::House;
use crate::app::files::{self, FileDialog, FileProblem, Purpose};
use crate::app::{Document, Study, Text};

impl House {
    /// Saves in the file it is out of what changes only here; anything else where the person says.
    pub(super) fn save(&mut self) {
        let own = |study: &Study| study.path().map(Path::to_owned);
        match self.table().and_then(|table| own(table.document.study()?)) {
            Some(path) => self.write_file(path, true),
            None => self.ask_file(Purpose::Save),
        }
    }

    /// Saves what is in front, and leaves it once all of it is saved.
    pub(super) fn save_and_close(&mut self) {
        self.dialog = None;
        self.files.leaving = self.table().map(|table| table.number);
        self.save();
    }

    /// Leaves the dialog of files, and whatever was to be done after it.
    pub(super) fn cancel_file(&mut self) {
        self.files.dialog = None;
        self.files.leaving = None;
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

    fn lost_in(&self, format: Option<tengen_record::formats::Format>) -> BTreeSet<&'static str> {
        let lost = || files::lost(&self.written()?, format?).ok();
        lost().unwrap_or_default()
    }

    /// Saves in the file that is named; one that is there already only when it is named twice.
    pub(super) fn save_file(&mut self, path: PathBuf) {
        let named = |dialog: &FileDialog| dialog.replaced.as_ref() == Some(&path);
        let replace = self.files.dialog.as_ref().is_some_and(named);
        self.write_file(path, replace);
    }

    fn write_file(&mut self, path: PathBuf, replace: bool) {
        let Some(table) = self.table() else { return };
        let Some(game) = table.document.written() else { return };
        let number = table.number;
        let revision = table.document.study().map(Study::revision);
        let file = path.clone();
        let arrive =
            move |house: &mut House, saved: Result<BTreeSet<&str>, FileProblem>| match saved {
                Ok(lost) => {
                    house.file_done(&file);
                    house.say_saved(&file, &lost);
                    house.note_saved(number, &file, revision, &lost);
                }
                Err(problem) => house.saving_failed(file, &problem),
            };
        self.on_thread(move || files::save(&game, &path, replace), arrive);
    }

    /// Notes that a table's work is in a file, and leaves the table if that was the wish.
    fn note_saved(
        &mut self,
        number: u64,
        path: &Path,
        revision: Option<u64>,
        lost: &BTreeSet<&str>,
    ) {
        let leaving = self.files.leaving.take() == Some(number);
        let Some(index) = self.tables.iter().position(|table| table.number == number) else {
            return;
        };
        let table = &mut self.tables[index];
        if let (Document::Study(study), Some(revision)) = (&mut table.document, revision) {
            study.note_saved(path, revision, lost);
        }
        if leaving && !table.is_unsaved() {
            self.close(index);
        }
    }

    fn saving_failed(&mut self, path: PathBuf, problem: &FileProblem) {
        self.file_failed(problem);
        match &mut self.files.dialog {
            Some(dialog) if matches!(problem, FileProblem::Exists { .. }) => {
                dialog.replaced = Some(path);
            }
            Some(_) => {}
            None => self.files.leaving = None,
        }
    }

    fn say_saved(&mut self, path: &Path, lost: &BTreeSet<&str>) {
        let (words, name) = (self.words(), path.display().to_string());
        self.notice = Some(if lost.is_empty() {
            words.fill(Text::Saved, &[&name])
        } else {
            words.fill(Text::SavedWithout, &[&name, &words.lost(lost)])
        });
    }

    /// Paints a picture, and writes it.
    pub fn save_picture(
        &mut self,
        path: PathBuf,
        paint: impl FnOnce() -> Vec<u8> + Send + 'static,
    ) {
        let file = path.clone();
        let arrive = move |house: &mut House, saved: Result<(), FileProblem>| match saved {
            Ok(()) => {
                house.file_done(&file);
                house.say_saved(&file, &BTreeSet::new());
            }
            Err(problem) => house.saving_failed(file, &problem),
        };
        let named = |dialog: &FileDialog| dialog.replaced.as_ref() == Some(&path);
        let replace = self.files.dialog.as_ref().is_some_and(named);
        self.on_thread(move || files::save_bytes(&paint(), &path, replace), arrive);
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
        let Some((dialog, game)) = self.files.dialog.as_ref().zip(self.written()) else { return };
        let name = dialog.name.trim().to_owned();
        let Some(format) = dialog.format else {
            self.file_failed(&FileProblem::NoFormat { name });
            return;
        };
        match files::text(&game, format) {
            Ok((text, lost)) => {
                self.cancel_file();
                self.files.copied = Some(text);
                let words = self.words();
                self.notice = Some(if lost.is_empty() {
                    words.fill(Text::Copied, &[format.name()])
                } else {
                    words.fill(Text::CopiedWithout, &[format.name(), &words.lost(&lost)])
                });
            }
            Err(reason) => self.file_failed(&FileProblem::Unsaid { name, reason }),
        }
    }
}
