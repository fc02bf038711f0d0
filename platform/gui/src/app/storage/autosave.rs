//! Autosave: the contents of tabs that are in no file (analyses, edited positions, pasted games). A
//! thread writes every change to a folder, each as a new file that replaces the old one. After a
//! crash the next window opens them again.

mod file_format;
mod folders;
mod queue;

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tengen_record::formats::ScoreSheet;

use super::journal;
use crate::app::model::{GameData, JournalError, PositionEditor};
use queue::{AutosaveJob, AutosaveThread};

/// The folders of unsaved work, one for each window, and the thread that writes into them.
pub(in crate::app) struct Autosave {
    writer: AutosaveThread,
    root: PathBuf,
    /// The name of this window's folder.
    own: String,
    /// Locks, held while this window is open, on folders that it took over from other windows.
    claims: Vec<File>,
}

/// The unsaved contents of a tab.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::app) enum AutosaveContent {
    Analysis {
        /// The game and its variations.
        sheet: Arc<ScoreSheet>,
        /// The file that holds an older state.
        path: Option<PathBuf>,
        /// Whether there are changes that no file has.
        changed: bool,
        /// The path to the position shown: which branch at each move.
        trail: Vec<usize>,
    },
    /// Opened games.
    Games(Vec<GameData>),
    /// An edited position.
    Editor(PositionEditor),
}

/// The size limit of one autosaved tab, in bytes.
const MOST_BYTES: u64 = 16 << 20;
/// The first line of a file that holds an older state.
const OLD: &str = "# An older state: the last one was too large.\n";
/// The size limit of a file, with that line.
const LONGEST: u64 = MOST_BYTES + OLD.len() as u64;
/// The extension of autosave files.
const EXTENSION: &str = "toml";

impl Autosave {
    /// Autosave into folders below `root`, which need not exist yet. `wake` is called when contents
    /// are wanted or something failed.
    pub(in crate::app) fn new(root: PathBuf, wake: crate::app::model::Wake) -> Autosave {
        let own = journal::unique_name();
        let writer = AutosaveThread::start(root.clone(), own.clone(), wake);
        Autosave { writer, root, own, claims: Vec::new() }
    }

    /// A new unique name, in the order of time.
    pub(in crate::app) fn name(&self) -> String {
        format!("{}/{}", self.own, journal::unique_name())
    }

    /// Notes that the tab of this name has changed: its contents are wanted soon.
    pub(in crate::app) fn changed(&self, name: &str) {
        self.writer.send(AutosaveJob::Changed(name.to_owned()));
    }

    /// The names of the tabs whose contents are wanted now.
    pub(in crate::app) fn take_wanted(&self) -> BTreeSet<String> {
        self.writer.take_wanted()
    }

    /// Saves these contents under a name.
    pub(in crate::app) fn keep(&self, name: &str, work: AutosaveContent) {
        self.writer.send(AutosaveJob::Save(name.to_owned(), Some(Box::new(work))));
    }

    /// Deletes what is saved under a name.
    pub(in crate::app) fn forget(&self, name: &str) {
        self.writer.send(AutosaveJob::Save(name.to_owned(), None));
    }

    /// What failed since the last call.
    pub(in crate::app) fn take_problem(&self) -> Option<JournalError> {
        self.writer.take_problem()
    }

    /// Whether the tab of that name could not be saved.
    pub(in crate::app) fn is_failing(&self, name: &str) -> bool {
        self.writer.is_failing(name)
    }

    /// Takes over the files that other windows left behind, oldest first, and says what failed.
    pub(in crate::app) fn claim(&mut self) -> (Vec<PathBuf>, Option<JournalError>) {
        let (claims, found, problem) = folders::claim(&self.root);
        self.claims.extend(claims);
        (found, problem)
    }

    /// Moves a damaged file aside.
    pub(in crate::app) fn move_aside(&self, name: &str, reason: String) -> JournalError {
        journal::move_aside(&self.root.join(name).with_extension(EXTENSION), reason)
    }
}

pub(in crate::app) struct AutosavedTab {
    pub name: String,
    pub work: AutosaveContent,
    /// Whether this is an older state, because the last one was too large.
    pub is_old: bool,
}

/// Reads an autosaved file. A damaged file is moved aside and never lost.
///
/// # Errors
/// When it cannot be read.
pub(in crate::app) fn read(path: &Path) -> Result<AutosavedTab, JournalError> {
    let work = match journal::read(path, LONGEST) {
        Ok(text) => {
            let text = text.unwrap_or_default();
            file_format::parse(&text).map(|work| (work, text.starts_with(OLD)))
        }
        Err(JournalError::Damaged { reason, .. }) => Err(reason),
        Err(error) => return Err(error),
    };
    let part = |part: Option<&OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
    let folder = part(path.parent().and_then(Path::file_name));
    let name = format!("{folder}/{}", part(path.file_stem()));
    match work {
        Ok((work, is_old)) => Ok(AutosavedTab { name, work, is_old }),
        Err(reason) => Err(journal::move_aside(path, reason)),
    }
}
