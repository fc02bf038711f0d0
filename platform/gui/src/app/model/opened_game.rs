//! A finished game in a tab.

use std::path::PathBuf;
use std::sync::Arc;

use super::{GameData, Snapshot};

/// A finished game: from a file, the clipboard, or an event.
#[derive(Clone, Debug)]
pub struct OpenedGame {
    pub game: GameData,
    /// Its own file, if any.
    pub path: Option<PathBuf>,
    /// Whether the window named the file: the players then make a better title.
    pub(in crate::app) is_own: bool,
    /// Whether it is from the clipboard: no file has it.
    pub(in crate::app) is_pasted: bool,
    snapshot: Arc<Snapshot>,
}

impl OpenedGame {
    /// Opens a game.
    ///
    /// # Errors
    /// When it is not a game under its own rules; says why.
    pub fn new(game: GameData, path: Option<PathBuf>) -> Result<OpenedGame, String> {
        let snapshot = Arc::new(game.snapshot()?);
        Ok(OpenedGame { game, path, is_own: false, is_pasted: false, snapshot })
    }

    /// The same game, marked as pasted or not.
    pub(in crate::app) fn pasted(self, is_pasted: bool) -> OpenedGame {
        OpenedGame { is_pasted, ..self }
    }

    pub fn snapshot(&self) -> Arc<Snapshot> {
        Arc::clone(&self.snapshot)
    }
}
