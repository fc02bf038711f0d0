//! What would be lost with a table: said once, for what is kept after a crash and for what is asked
//! about before a table is left.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use tengen_record::formats::{Format, FormatLoss};

use super::files::format_of;
use super::{Document, GameCollection, OpenedGame};

/// What a file must hold for the work on a table to be saved in it.
const ESSENCE: [FormatLoss; 3] = [FormatLoss::Moves, FormatLoss::Variations, FormatLoss::Comments];

/// What of a document is in no file of the person's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct UnsavedState {
    /// Which state of it this is: another one has another number.
    revision: u64,
    /// The file that an older state of it is in.
    path: Option<PathBuf>,
    /// Whether somebody brought or changed it; what only the program began is left unasked.
    pub changed: bool,
}

/// Whether a file of a format that does not say this holds the work on a table. Only what can be
/// opened again does.
pub(super) fn holds_work(format: Format, lost: &BTreeSet<FormatLoss>) -> bool {
    format != Format::Pgn && ESSENCE.iter().all(|what| !lost.contains(what))
}

impl Document {
    /// Whether leaving it would lose what no file holds.
    pub fn is_unsaved(&self) -> bool {
        self.unsaved().is_some_and(|unsaved| unsaved.changed)
    }

    /// What of it is in no file; none when nothing would be lost.
    pub(super) fn unsaved(&self) -> Option<UnsavedState> {
        let (path, changed) = match self {
            Document::Analysis(analysis) => (analysis.path(), analysis.is_unsaved()),
            Document::Editor(draft) if draft.stones().next().is_some() => {
                (draft.path(), draft.is_unsaved())
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

    /// Which state of it this is; what cannot be changed has one.
    pub(super) fn revision(&self) -> u64 {
        match self {
            Document::Analysis(analysis) => analysis.revision(),
            Document::Editor(draft) => draft.revision(),
            _ => 0,
        }
    }

    /// Notes that a file holds that revision, but for what is lost in its format.
    pub(super) fn note_saved(&mut self, path: &Path, revision: u64, lost: &BTreeSet<FormatLoss>) {
        if !format_of(path).is_ok_and(|format| holds_work(format, lost)) {
            return;
        }
        match self {
            Document::Analysis(analysis) => analysis.note_saved(path, revision),
            Document::Editor(draft) => draft.note_saved(path, revision),
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
