//! Analyses in tabs, and closing tabs.

use std::sync::Arc;

use super::App;
use crate::app::controller::{Dialog, Document};
use crate::app::model::{GameData, Navigation, OpenedGame};
use crate::app::session::{AnalysisCommand, AnalysisSession};

impl App {
    /// Opens an analysis of the active game in a new tab.
    pub(super) fn analyse(&mut self) {
        let Some(tab) = self.tab() else { return };
        let Some(snapshot) = tab.document.snapshot() else { return };
        let shown = tab.view.shown(&snapshot);
        let game = match &tab.document {
            Document::Opened(OpenedGame { game: GameData::Sheet(sheet), .. }) => {
                GameData::Sheet(sheet.clone())
            }
            _ => GameData::of_snapshot(&snapshot),
        };
        if let Ok(sheet) = game.sheet() {
            self.open_tab(Document::Analysis(self.new_analysis(sheet, &snapshot)));
            let snapshot = self.snapshot().unwrap_or(snapshot);
            self.tabs[self.active].view.look(Navigation::After(shown), &snapshot);
        }
    }

    /// The document of an opened game: an analysis if it has variations or comments.
    pub(super) fn new_document(&self, opened: OpenedGame) -> Document {
        match opened.game {
            GameData::Sheet(ref sheet) if AnalysisSession::has_variations(sheet) => {
                let mut analysis = self.new_analysis((**sheet).clone(), &opened.snapshot());
                match opened.path {
                    Some(path) => analysis.saved.note_saved(&path, analysis.saved.revision()),
                    None if opened.is_pasted => analysis.saved.mark_unsaved(None),
                    None => {}
                }
                Document::Analysis(analysis)
            }
            _ => Document::Opened(opened),
        }
    }

    pub(super) fn new_analysis(
        &self,
        sheet: tengen_record::formats::ScoreSheet,
        snapshot: &crate::app::model::Snapshot,
    ) -> AnalysisSession {
        let (provider, time) =
            (Arc::clone(&self.services.provider), Arc::clone(&self.services.time));
        AnalysisSession::new(sheet, snapshot, provider, time)
    }

    pub(super) fn is_analysis(&self) -> bool {
        self.tab().is_some_and(|tab| tab.document.analysis().is_some())
    }

    pub(super) fn analysis(&mut self, command: AnalysisCommand) {
        let first = self.engine_list().engines.first().map(|engine| engine.id.clone());
        let Some(tab) = self.tabs.get_mut(self.active) else { return };
        if let Document::Analysis(analysis) = &mut tab.document {
            if command == AnalysisCommand::AnalyseAll && analysis.status().engine.is_none() {
                analysis.apply(AnalysisCommand::Engine(first), 0);
            }
            let shown = analysis.apply(command, tab.view.shown(&analysis.snapshot()));
            tab.view.look(Navigation::After(shown), &analysis.snapshot());
        }
    }

    /// Records what the engine says of the position shown, and moves on when it analyses the whole
    /// game.
    pub(super) fn update_analysis(&mut self) {
        if let Some(tab) = self.tabs.get_mut(self.active)
            && let Document::Analysis(analysis) = &mut tab.document
        {
            let shown = tab.view.shown(&analysis.snapshot());
            analysis.record(shown);
            if let Some(next) = analysis.advance(shown) {
                tab.view.look(Navigation::After(next), &analysis.snapshot());
                analysis.set_position(next);
            }
        }
    }

    /// Lets the engine think about the position shown.
    pub(super) fn set_position(&self) {
        if let Some(tab) = self.tab()
            && let Some(analysis) = tab.document.analysis()
        {
            analysis.set_position(tab.view.shown(&analysis.snapshot()));
        }
    }

    /// Closes a tab; asks first if it has unsaved work, a running event or people at a table.
    pub(super) fn close_or_ask(&mut self, index: usize) {
        match self.tabs.get(index) {
            Some(tab) if tab.is_unsaved() => {
                self.dialog = Some(Dialog::UnsavedTab { tab: tab.number });
            }
            Some(tab) if tab.is_running() => {
                self.dialog = Some(Dialog::RunningEvent { tab: tab.number });
            }
            Some(_) if self.is_missed(index) => self.ask_to_leave(index),
            Some(_) => self.close(index),
            None => {}
        }
    }

    /// Closes the tab that was asked about, without saving.
    pub(super) fn discard(&mut self) {
        if let Some(
            Dialog::UnsavedTab { tab } | Dialog::RunningEvent { tab } | Dialog::LeaveTable { tab },
        ) = self.dialog
        {
            self.dialog = None;
            if let Some(index) = self.tab_index(tab) {
                self.close(index);
            }
        }
    }
}
