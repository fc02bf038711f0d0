use std::path::PathBuf;
use std::sync::Arc;

use super::{GameData, Snapshot};

/// A game that is looked at after it was played: out of a file, off the clipboard, or of an event.
#[derive(Clone, Debug)]
pub struct OpenedGame {
    /// The game.
    pub game: GameData,
    /// Its file, if it has one of its own.
    pub path: Option<PathBuf>,
    /// Whether the window itself named the file: its players then say more.
    pub(super) is_own: bool,
    /// Whether it came off the clipboard: no file holds it.
    pub(super) is_pasted: bool,
    snapshot: Arc<Snapshot>,
}

impl OpenedGame {
    /// Opens a game.
    ///
    /// # Errors
    /// When it is not that of a game under its own rules; says why.
    pub fn new(game: GameData, path: Option<PathBuf>) -> Result<OpenedGame, String> {
        let snapshot = Arc::new(game.snapshot()?);
        Ok(OpenedGame { game, path, is_own: false, is_pasted: false, snapshot })
    }

    /// It, as one that came off the clipboard or from somewhere else.
    pub(super) fn pasted(self, is_pasted: bool) -> OpenedGame {
        OpenedGame { is_pasted, ..self }
    }

    /// What is shown of it.
    pub fn snapshot(&self) -> Arc<Snapshot> {
        Arc::clone(&self.snapshot)
    }
}
