//! Autosaves the tabs, and opens them again after a crash.

use std::sync::Arc;

use super::{App, Tab};
use crate::app::controller::Document;
use crate::app::controller::unsaved::UnsavedState;
use crate::app::model::{GameData, JournalError, JournalFile, Navigation, OpenedGame, Text};
use crate::app::storage::autosave::{self, Autosave, AutosaveContent, AutosavedTab};
use crate::app::storage::files::GameCollection;

/// What is autosaved of a tab.
pub(super) struct AutosaveEntry {
    name: String,
    /// The state of its document.
    state: UnsavedState,
    /// Whether that state was sent to the queue.
    is_sent: bool,
}

impl App {
    /// Autosaves changed tabs once the user pauses, and deletes autosaves of what is in a file now.
    pub(super) fn autosave_changes(&mut self) {
        let wanted = self.autosave.as_ref().map(Autosave::take_wanted).unwrap_or_default();
        self.autosave(|name| wanted.contains(name));
        if let Some(problem) = self.autosave.as_ref().and_then(Autosave::take_problem) {
            self.notice = Some(self.tr().journal_error(JournalFile::Tab, &problem));
        }
    }

    /// Autosaves all changed tabs at once.
    pub(super) fn autosave_all(&mut self) {
        self.autosave(|_| true);
    }

    fn autosave(&mut self, is_wanted: impl Fn(&str) -> bool) {
        let Some(autosave) = &self.autosave else { return };
        for tab in &mut self.tabs {
            let known = tab.autosave_entry.take();
            let Some(now) = tab.document.unsaved() else {
                if let Some(entry) = known {
                    autosave.forget(&entry.name);
                }
                continue;
            };
            let mut entry = match known {
                Some(entry) if entry.state == now => entry,
                known => {
                    let name = known.map_or_else(|| autosave.name(), |entry| entry.name);
                    autosave.changed(&name);
                    AutosaveEntry { name, state: now, is_sent: false }
                }
            };
            if !entry.is_sent && is_wanted(&entry.name) {
                if let Some(work) = work(tab) {
                    autosave.keep(&entry.name, work);
                }
                entry.is_sent = true;
            }
            tab.autosave_entry = Some(entry);
        }
    }

    /// Whether closing the program would lose work.
    pub fn has_unsaved_work(&self) -> bool {
        let is_kept = |entry: &AutosaveEntry| {
            let autosave = self.autosave.as_ref();
            autosave.is_some_and(|autosave| !autosave.is_failing(&entry.name))
        };
        let mut tabs = self.tabs.iter();
        tabs.any(|tab| tab.is_unsaved() && !tab.autosave_entry.as_ref().is_some_and(is_kept))
    }

    /// Whether there is something to ask before the window is closed.
    pub fn asks_before_closing(&self) -> bool {
        self.has_unsaved_work() || self.has_people_at_tables()
    }

    /// Whether the window is to be closed.
    pub fn is_closing(&self) -> bool {
        self.is_closing
    }

    /// Deletes the autosave of a tab.
    pub(super) fn forget_autosave(&self, entry: Option<&AutosaveEntry>) {
        if let (Some(autosave), Some(entry)) = (&self.autosave, entry) {
            autosave.forget(&entry.name);
        }
    }

    /// Opens the autosaved work of the last run, as it is read. Returns whether there is any.
    pub(super) fn restore_unsaved(&mut self) -> bool {
        let (paths, problem) = self.autosave.as_mut().map(Autosave::claim).unwrap_or_default();
        if let Some(problem) = problem {
            self.notice = Some(self.tr().journal_error(JournalFile::Tab, &problem));
        }
        let found = !paths.is_empty();
        let read = move || paths.iter().map(|path| autosave::read(path)).collect::<Vec<_>>();
        self.spawn(read, |app, works| {
            let mut said = Vec::new();
            for found in works {
                match found.and_then(|found| app.restore_one(found)) {
                    Ok(false) => {}
                    Ok(true) => said.push(app.tr().text(Text::AutosaveOld).to_owned()),
                    Err(problem) => said.push(app.tr().journal_error(JournalFile::Tab, &problem)),
                }
            }
            if !said.is_empty() {
                app.notice = Some(said.join("\n"));
            }
        });
        found
    }

    /// Opens an autosaved tab. Returns whether it is an older state.
    fn restore_one(&mut self, found: AutosavedTab) -> Result<bool, JournalError> {
        let AutosavedTab { name, work, is_old } = found;
        let active = (!self.tabs.is_empty()).then_some(self.active);
        let trail = match &work {
            AutosaveContent::Analysis { trail, .. } => trail.clone(),
            _ => Vec::new(),
        };
        let document = self.document_of_work(work).map_err(|reason| match &self.autosave {
            Some(autosave) => autosave.move_aside(&name, reason),
            None => JournalError::Damaged { path: name.clone().into(), reason },
        })?;
        self.open_tab(document);
        let tab = &mut self.tabs[self.active];
        if let Document::Analysis(analysis) = &mut tab.document {
            let shown = analysis.follow(&trail);
            tab.view.look(Navigation::After(shown), &analysis.snapshot());
        }
        let state = tab.document.unsaved();
        tab.autosave_entry = state.map(|state| AutosaveEntry { name, state, is_sent: true });
        self.active = active.unwrap_or(self.active);
        Ok(is_old)
    }

    /// # Errors
    ///
    /// When it is not a game under its own rules; says why.
    fn document_of_work(&self, work: AutosaveContent) -> Result<Document, String> {
        match work {
            AutosaveContent::Editor(editor) => Ok(Document::Editor(editor)),
            AutosaveContent::Analysis { sheet, path, changed, .. } => {
                let game = GameData::Sheet(Arc::clone(&sheet));
                let mut analysis = self.new_analysis((*sheet).clone(), &game.snapshot()?);
                if changed {
                    analysis.saved.mark_unsaved(path);
                }
                Ok(Document::Analysis(analysis))
            }
            AutosaveContent::Games(mut games) => match (games.pop(), games.is_empty()) {
                (None, _) => Err("there is no game in it".to_owned()),
                (Some(game), true) => {
                    Ok(Document::Opened(OpenedGame::new(game, None)?.pasted(true)))
                }
                (Some(last), false) => {
                    let mut collection = GameCollection::default();
                    let games = games.into_iter().chain([last]);
                    games.for_each(|game| collection.take::<String>(Ok(game)));
                    Ok(Document::Collection(collection))
                }
            },
        }
    }
}

fn work(tab: &Tab) -> Option<AutosaveContent> {
    match &tab.document {
        Document::Analysis(analysis) => Some(AutosaveContent::Analysis {
            sheet: Arc::clone(analysis.sheet()),
            path: analysis.saved.path().map(std::path::Path::to_owned),
            changed: analysis.saved.is_unsaved(),
            trail: analysis.trail(tab.view.shown(&analysis.snapshot())),
        }),
        Document::Opened(opened) => Some(AutosaveContent::Games(vec![opened.game.clone()])),
        Document::Collection(games) => {
            let game = |index| games.game(index).and_then(Result::ok);
            Some(AutosaveContent::Games((0..games.len()).filter_map(game).collect()))
        }
        Document::Editor(editor) => Some(AutosaveContent::Editor(editor.clone())),
        _ => None,
    }
}
