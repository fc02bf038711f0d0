//! The records of finished games of tables: in files, and until those are written in memory.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tengen_record::GameRecord;

/// A longer file is no record.
const MOST_RECORD: u64 = 4 << 20;

/// A folder with a file for each finished game.
#[derive(Debug)]
pub(super) struct KeptGames {
    folder: PathBuf,
    /// Those that somebody may ask for before their files are there.
    unwritten: Mutex<HashMap<PathBuf, GameRecord>>,
}

impl KeptGames {
    pub fn new(folder: &Path) -> KeptGames {
        KeptGames { folder: folder.to_owned(), unwritten: Mutex::default() }
    }

    /// Keeps a game of a room, by a thread where waiting for the disk hurts nobody.
    pub fn keep(self: &Arc<Self>, room: &str, number: u64, record: GameRecord) {
        let (path, line) = (self.path(room, number), record.to_json_line() + "\n");
        self.unwritten().insert(path.clone(), record);
        let games = Arc::clone(self);
        let write = move || {
            if let Err(error) = tengen_files::write(&path, line.as_bytes(), true) {
                log::error!("{}: cannot be written: {error}", path.display());
            }
            games.unwritten().remove(&path);
        };
        match tokio::runtime::Handle::try_current() {
            Ok(runtime) => drop(runtime.spawn_blocking(write)),
            Err(_) => write(),
        }
    }

    /// A game that was kept.
    pub fn game(&self, room: &str, number: u64) -> Option<GameRecord> {
        let path = self.path(room, number);
        if let Some(record) = self.unwritten().get(&path) {
            return Some(record.clone());
        }
        let text = tengen_record::read_text(&path, MOST_RECORD).ok()?;
        GameRecord::from_json_line(text.trim_end()).ok()
    }

    /// The id of a room is a name of a file.
    fn path(&self, room: &str, number: u64) -> PathBuf {
        self.folder.join(format!("{room}-{number}.json"))
    }

    fn unwritten(&self) -> MutexGuard<'_, HashMap<PathBuf, GameRecord>> {
        self.unwritten.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use tengen_record::GameRecord;

    use super::*;

    const RECORD: &str = include_str!("kept_games/record.jsonl");

    /// The thread that writes has not begun: a game is there all the same, and in its file later.
    #[test]
    fn a_game_is_there_before_its_file() {
        let folder = tempfile::tempdir().unwrap();
        let games = Arc::new(KeptGames::new(folder.path()));
        let record = GameRecord::from_json_line(RECORD.trim_end()).unwrap();
        let runtime =
            tokio::runtime::Builder::new_current_thread().max_blocking_threads(1).build().unwrap();
        let (begin, begun) = std::sync::mpsc::channel::<()>();
        runtime.spawn_blocking(move || begun.recv());
        runtime.block_on(async { games.keep("r1", 7, record.clone()) });
        assert!(!folder.path().join("r1-7.json").exists());
        assert_eq!(games.game("r1", 7), Some(record.clone()));
        assert_eq!(games.game("r1", 8), None);
        begin.send(()).unwrap();
        runtime.block_on(async {
            while !games.unwritten().is_empty() {
                tokio::task::yield_now().await;
            }
        });
        assert_eq!(games.game("r1", 7), Some(record));
        assert!(folder.path().join("r1-7.json").exists());
    }
}
