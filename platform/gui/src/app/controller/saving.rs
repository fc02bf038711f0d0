//! Saves the contents of tabs.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use tengen_record::formats::{Format, FormatLoss};

use super::files::ending_of;
use super::{App, Tab};
use crate::app::controller::{Dialog, Document};
use crate::app::model::{GameData, Text};
use crate::app::session::AnalysisSession;
use crate::app::storage::files::{self, FileProblem, FilePurpose};

/// A file that is being written.
struct SaveRequest {
    path: PathBuf,
    /// Whether it replaces an existing file.
    replaces: bool,
    /// The dialog it was named in.
    dialog: Option<u64>,
    /// The tab whose contents it holds.
    tab: u64,
    /// Whether to close the tab once everything is saved.
    leaves: bool,
}

impl App {
    /// Saves the active tab: in its own file if it has one, else asks for a name.
    pub(super) fn save(&mut self) {
        if let Some(number) = self.tab().map(|tab| tab.number) {
            self.save_table(number, false);
        }
    }

    /// Saves the tab that was to be closed, and closes it once everything is saved.
    pub(super) fn save_and_close(&mut self) {
        if let Some(Dialog::UnsavedTab { tab }) = self.dialog {
            self.dialog = None;
            self.save_table(tab, true);
        }
    }

    fn save_table(&mut self, number: u64, leaves: bool) {
        let Some(tab) = self.tab_by_id(number) else { return };
        let (analysis, name) = (tab.document.analysis(), self.proposed_name(tab, ending_of(tab)));
        if let Document::Editor(editor) = &tab.document
            && let Err(problem) = editor.game()
        {
            let reason = self.tr().editor_problem(problem);
            self.file_failed(None, &FileProblem::Unsupported { name, reason });
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
        // If it has a file, the file's format cannot hold everything: the dialog says what is lost.
        let own = analysis.and_then(|analysis| analysis.saved.path()).map(Path::to_owned);
        self.open_file_dialog_for(FilePurpose::Save, Some(number));
        if let Some(dialog) = &mut self.files.dialog {
            dialog.leaves = leaves;
        }
        if let Some(own) = own {
            self.set_file_name(own.display().to_string());
        }
    }

    /// Closes the file dialog.
    pub(super) fn cancel_file(&mut self) {
        self.files.dialog = None;
    }

    /// Sets the typed name, and computes what its format would lose.
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

    /// What a format would lose of the tab that the file dialog is about.
    fn lost_in(&self, format: Option<Format>) -> BTreeSet<FormatLoss> {
        let document = self.dialog_tab().map(|tab| &tab.document);
        let Some((document, format)) = document.zip(format) else { return BTreeSet::new() };
        if let Document::Analysis(analysis) = document {
            return format.lost(analysis.sheet());
        }
        let lost = |game: &GameData| files::lost(game, format).unwrap_or_default();
        document.all_game_data().iter().flat_map(lost).collect()
    }

    /// The tab that the file dialog is about.
    pub(super) fn dialog_tab(&self) -> Option<&Tab> {
        self.tab_by_id(self.files.dialog.as_ref()?.tab?)
    }

    /// Saves to the named file; an existing one is replaced only when it is confirmed.
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

    /// Notes that a tab is saved, and closes it if that was asked for.
    fn note_saved(&mut self, saving: &SaveRequest, revision: u64, lost: &BTreeSet<FormatLoss>) {
        let Some(index) = self.tab_index(saving.tab) else { return };
        let tab = &mut self.tabs[index];
        tab.document.note_saved(&saving.path, revision, lost);
        if saving.leaves && !tab.is_unsaved() {
            self.close(index);
        }
    }

    fn saving_failed(&mut self, dialog_id: Option<u64>, path: PathBuf, problem: &FileProblem) {
        self.file_failed(dialog_id, problem);
        if let Some(dialog) = self.files.dialog.as_mut().filter(|d| Some(d.number) == dialog_id)
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

    /// Paints a picture and writes it.
    pub fn save_picture(
        &mut self,
        path: PathBuf,
        paint: impl FnOnce() -> Vec<u8> + Send + 'static,
    ) {
        let dialog =
            self.files.dialog.as_ref().filter(|dialog| dialog.purpose == FilePurpose::Picture);
        let replaces = dialog.is_some_and(|dialog| dialog.replaced.as_ref() == Some(&path));
        let dialog_id = dialog.map(|dialog| dialog.number);
        let file = path.clone();
        let arrive = move |app: &mut App, saved: Result<(), FileProblem>| match saved {
            Ok(()) => {
                app.finish_file(dialog_id, &file);
                app.say_saved(&file, &BTreeSet::new());
            }
            Err(problem) => app.saving_failed(dialog_id, file, &problem),
        };
        self.set_file_busy(dialog_id);
        self.spawn_save(move || files::save_bytes(&paint(), &path, replaces), arrive);
    }

    /// Copies the active game as SGF.
    pub(super) fn copy_game(&mut self) {
        match self.game_data().map(|game| game.to_sgf()) {
            Some(Ok(text)) => self.files.copied = Some(text),
            Some(Err(reason)) => self.notice = Some(reason),
            None => {}
        }
    }

    /// Copies the active game in the format chosen in the dialog.
    pub(super) fn copy_in_format(&mut self) {
        let game = self.dialog_tab().and_then(|tab| tab.document.game_data());
        let Some((dialog, game)) = self.files.dialog.as_ref().zip(game) else { return };
        let (dialog_id, name) = (Some(dialog.number), dialog.name.trim().to_owned());
        let Some(format) = dialog.format else {
            self.file_failed(dialog_id, &FileProblem::NoFormat { name });
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
            Err(reason) => self.file_failed(dialog_id, &FileProblem::Unsupported { name, reason }),
        }
    }
}
