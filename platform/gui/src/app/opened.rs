use std::path::PathBuf;
use std::sync::Arc;

use super::{Snapshot, Written};

/// A game that is looked at after it was played: out of a file, off the clipboard, or of an event.
#[derive(Clone, Debug)]
pub struct Opened {
    /// The game.
    pub game: Written,
    /// Its file, if it has one of its own.
    pub path: Option<PathBuf>,
    /// Whether the window itself named the file: its players then say more.
    pub(super) is_own: bool,
    /// Whether it came off the clipboard: no file holds it.
    pub(super) is_pasted: bool,
    snapshot: Arc<Snapshot>,
}

impl Opened {
    /// Opens a game.
    ///
    /// # Errors
    /// When it is not that of a game under its own rules; says why.
    pub fn new(game: Written, path: Option<PathBuf>) -> Result<Opened, String> {
        let snapshot = Arc::new(game.snapshot()?);
        Ok(Opened { game, path, is_own: false, is_pasted: false, snapshot })
    }

    /// It, as one that came off the clipboard or from somewhere else.
    pub(super) fn pasted(self, is_pasted: bool) -> Opened {
        Opened { is_pasted, ..self }
    }

    /// What is shown of it.
    pub fn snapshot(&self) -> Arc<Snapshot> {
        Arc::clone(&self.snapshot)
    }
}
