//! Which changes of a document are saved.

use std::path::{Path, PathBuf};

/// The changes of a document, and the file it is saved in.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SavedState {
    /// Counts the changes.
    revision: u64,
    /// The revision that is saved, or the first one.
    saved: u64,
    path: Option<PathBuf>,
}

impl SavedState {
    /// The revision: every change gives a new number.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Whether there are changes that no file has.
    pub fn is_unsaved(&self) -> bool {
        self.revision != self.saved
    }

    /// The file it is saved in, if any.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Counts a change.
    pub(in crate::app) fn change(&mut self) {
        self.revision += 1;
    }

    /// Marks a revision as saved in a file.
    pub(in crate::app) fn note_saved(&mut self, path: &Path, revision: u64) {
        self.path = Some(path.to_owned());
        self.saved = revision;
    }

    /// Marks it as changed since it was saved, perhaps in this file.
    pub(in crate::app) fn mark_unsaved(&mut self, path: Option<PathBuf>) {
        self.path = path;
        self.revision += 1;
    }
}
