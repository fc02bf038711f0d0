//! What would be lost with a tab: both for the autosave and for the question before it is closed.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use tengen_record::formats::FormatLoss;

use super::Document;
use crate::app::model::OpenedGame;
use crate::app::storage::GameCollection;
use crate::app::storage::files::{format_of, holds_work};

/// The unsaved state of a document.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::app) struct UnsavedState {
    revision: u64,
    /// The file with an older state.
    path: Option<PathBuf>,
    /// Whether the user brought or changed it; closing anything else is not asked about.
    pub changed: bool,
}

impl Document {
    /// Whether closing it would lose what no file has.
    pub fn is_unsaved(&self) -> bool {
        self.unsaved().is_some_and(|unsaved| unsaved.changed)
    }

    /// Its unsaved state; none when nothing would be lost.
    pub(in crate::app) fn unsaved(&self) -> Option<UnsavedState> {
        let (path, changed) = match self {
            Document::Analysis(analysis) => (analysis.saved.path(), analysis.saved.is_unsaved()),
            Document::Editor(editor) if editor.stones().next().is_some() => {
                (editor.saved.path(), editor.saved.is_unsaved())
            }
            Document::Opened(OpenedGame { is_pasted: true, .. })
            | Document::Collection(GameCollection { path: None, .. }) => (None, true),
            _ => return None,
        };
        let path = path.map(Path::to_owned);
        (changed || path.is_none()).then_some(UnsavedState {
            revision: self.revision(),
            path,
            changed,
        })
    }

    /// Its revision; a document that cannot be changed has one.
    pub(in crate::app) fn revision(&self) -> u64 {
        match self {
            Document::Analysis(analysis) => analysis.saved.revision(),
            Document::Editor(editor) => editor.saved.revision(),
            _ => 0,
        }
    }

    /// Marks a revision as saved in a file of this format, with these losses.
    pub(in crate::app) fn note_saved(
        &mut self,
        path: &Path,
        revision: u64,
        lost: &BTreeSet<FormatLoss>,
    ) {
        if !format_of(path).is_ok_and(|format| holds_work(format, lost)) {
            return;
        }
        match self {
            Document::Analysis(analysis) => analysis.saved.note_saved(path, revision),
            Document::Editor(editor) => editor.saved.note_saved(path, revision),
            Document::Opened(opened) if opened.is_pasted => {
                opened.is_pasted = false;
                opened.path = Some(path.to_owned());
            }
            Document::Collection(games) => {
                games.path.get_or_insert_with(|| path.to_owned());
            }
            _ => {}
        }
    }
}
