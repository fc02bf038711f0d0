use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use tengen_record::formats::{Format, FormatLoss};

use super::{App, Tab};
use crate::app::files::{self, FileProblem, FilePurpose};
use crate::app::{AnalysisSession, Dialog, Document, GameData, Text};

/// A file that is being written.
struct SaveRequest {
    path: PathBuf,
    /// Whether one that is there is replaced.
    replaces: bool,
    /// The dialog that it was named in.
    dialog: Option<u64>,
    /// The table whose work it is.
    tab: u64,
    /// Whether that table is left once all of its work is saved.
    leaves: bool,
}

impl App {
    /// Saves what is in front: in its own file what changes only here, else where the person says.
    pub(super) fn save(&mut self) {
        if let Some(number) = self.tab().map(|tab| tab.number) {
            self.save_table(number, false);
        }
    }

    /// Saves the table that was to be left, and leaves it once all of it is saved.
    pub(super) fn save_and_close(&mut self) {
        if let Some(Dialog::UnsavedTab { tab }) = self.dialog {
            self.dialog = None;
            self.save_table(tab, true);
        }
    }

    fn save_table(&mut self, number: u64, leaves: bool) {
        let Some(tab) = self.tab_by_id(number) else { return };
        let (analysis, name) = (tab.document.analysis(), self.proposed_name(tab, "sgf"));
        if let Document::Editor(draft) = &tab.document
            && let Err(problem) = draft.game()
        {
            let reason = self.tr().draft_problem(problem);
            self.file_failed(None, &FileProblem::Unsaid { name, reason });
            return;
        }
        if let Some(path) = analysis.and_then(AnalysisSession::fits_in).map(Path::to_owned) {
            self.write_file(SaveRequest {
                path,
                replaces: true,
                dialog: None,
                tab: number,
                leaves,
            });
            return;
        }
        // Its own file, if it has one, does not hold all of it: what is lost is told beforehand.
        let own = analysis.and_then(AnalysisSession::path).map(Path::to_owned);
        self.open_file_dialog_for(FilePurpose::Save, Some(number));
        if let Some(dialog) = &mut self.files.dialog {
            dialog.leaves = leaves;
        }
        if let Some(own) = own {
            self.set_file_name(own.display().to_string());
        }
    }

    /// Leaves the dialog of files, and whatever was to be done after it.
    pub(super) fn cancel_file(&mut self) {
        self.files.dialog = None;
    }

    /// Notes what is typed, and what the format named so does not say.
    pub(super) fn set_file_name(&mut self, name: String) {
        let known = self.files.dialog.as_ref().and_then(|dialog| dialog.format);
        let format = files::format_of(Path::new(name.trim())).ok();
        let lost = if format == known { None } else { Some(self.lost_in(format)) };
        let Some(dialog) = &mut self.files.dialog else { return };
        dialog.name = name;
        dialog.problem = None;
        if let Some(lost) = lost {
            (dialog.format, dialog.lost) = (format, lost);
        }
        self.read_dialog_folder();
    }

    /// What of the work that the dialog of files is about a format does not say.
    fn lost_in(&self, format: Option<Format>) -> BTreeSet<FormatLoss> {
        let document = self.dialog_tab().map(|tab| &tab.document);
        let Some((document, format)) = document.zip(format) else { return BTreeSet::new() };
        if let Document::Analysis(analysis) = document {
            return format.lost(analysis.sheet());
        }
        let lost = |game: &GameData| files::lost(game, format).unwrap_or_default();
        document.all_game_data().iter().flat_map(lost).collect()
    }

    /// The table that the dialog of files is about.
    pub(super) fn dialog_tab(&self) -> Option<&Tab> {
        self.tab_by_id(self.files.dialog.as_ref()?.tab?)
    }

    /// Saves in the file that is named; one that is there already only when it is named twice.
    pub(super) fn save_file(&mut self, path: PathBuf) {
        let Some(dialog) = &self.files.dialog else { return };
        let Some(tab) = dialog.tab else { return };
        let replaces = dialog.replaced.as_ref() == Some(&path);
        let (number, leaves) = (dialog.number, dialog.leaves);
        self.write_file(SaveRequest { path, replaces, dialog: Some(number), tab, leaves });
    }

    fn write_file(&mut self, saving: SaveRequest) {
        let Some(document) = self.tab_by_id(saving.tab).map(|tab| &tab.document) else {
            self.close_dialog(saving.dialog);
            return;
        };
        let (games, revision) = (document.all_game_data(), document.revision());
        self.set_file_busy(saving.dialog);
        let (path, replaces) = (saving.path.clone(), saving.replaces);
        let arrive =
            move |app: &mut App, saved: Result<BTreeSet<FormatLoss>, FileProblem>| match saved {
                Ok(lost) => {
                    app.finish_file(saving.dialog, &saving.path);
                    app.say_saved(&saving.path, &lost);
                    app.note_saved(&saving, revision, &lost);
                }
                Err(problem) => app.saving_failed(saving.dialog, saving.path, &problem),
            };
        self.spawn_save(move || files::save(&games, &path, replaces), arrive);
    }

    /// Notes that a table's work is in a file, and leaves the table if that was the wish.
    fn note_saved(&mut self, saving: &SaveRequest, revision: u64, lost: &BTreeSet<FormatLoss>) {
        let Some(index) = self.tab_index(saving.tab) else { return };
        let tab = &mut self.tabs[index];
        tab.document.note_saved(&saving.path, revision, lost);
        if saving.leaves && !tab.is_unsaved() {
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
        let (tr, name) = (self.tr(), path.display().to_string());
        if lost.is_empty() {
            self.show_status(tr.fill(Text::Saved, &[&name]));
        } else {
            self.show_status(tr.fill(Text::SavedWithout, &[&name, &tr.lost(lost)]));
        }
    }

    /// Paints a picture, and writes it.
    pub fn save_picture(
        &mut self,
        path: PathBuf,
        paint: impl FnOnce() -> Vec<u8> + Send + 'static,
    ) {
        let dialog =
            self.files.dialog.as_ref().filter(|dialog| dialog.purpose == FilePurpose::Picture);
        let replaces = dialog.is_some_and(|dialog| dialog.replaced.as_ref() == Some(&path));
        let asker = dialog.map(|dialog| dialog.number);
        let file = path.clone();
        let arrive = move |app: &mut App, saved: Result<(), FileProblem>| match saved {
            Ok(()) => {
                app.finish_file(asker, &file);
                app.say_saved(&file, &BTreeSet::new());
            }
            Err(problem) => app.saving_failed(asker, file, &problem),
        };
        self.set_file_busy(asker);
        self.spawn_save(move || files::save_bytes(&paint(), &path, replaces), arrive);
    }

    /// Copies the game in front as SGF.
    pub(super) fn copy_game(&mut self) {
        match self.game_data().map(|game| game.to_sgf()) {
            Some(Ok(text)) => self.files.copied = Some(text),
            Some(Err(reason)) => self.notice = Some(reason),
            None => {}
        }
    }

    /// Copies the game in front in the format that is named in the dialog.
    pub(super) fn copy_in_format(&mut self) {
        let game = self.dialog_tab().and_then(|tab| tab.document.game_data());
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
                let tr = self.tr();
                let name = format.name();
                if lost.is_empty() {
                    self.show_status(tr.fill(Text::Copied, &[name]));
                } else {
                    let text = tr.fill(Text::CopiedWithout, &[name, &tr.lost(&lost)]);
                    self.show_status(text);
                }
            }
            Err(reason) => self.file_failed(asker, &FileProblem::Unsaid { name, reason }),
        }
    }
}
