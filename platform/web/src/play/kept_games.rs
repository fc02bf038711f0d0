//! The records of finished games of tables: in files, and until those are written in memory.

use std::collections::BTreeMap;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tengen_files::{AtomicFile, UNFINISHED};
use tengen_record::GameRecord;

/// A longer file is no record.
const MOST_RECORD: u64 = 4 << 20;

/// The records that are kept in memory because they cannot be written.
const MOST_UNWRITTEN: usize = 1000;

/// A folder with a file for each finished game.
#[derive(Debug)]
pub(super) struct KeptGames {
    folder: PathBuf,
    /// Games without their files.
    unwritten: Mutex<BTreeMap<PathBuf, GameRecord>>,
    /// Held by the thread that writes.
    writing: Mutex<()>,
}

impl KeptGames {
    pub fn new(folder: &Path) -> KeptGames {
        let (unwritten, writing) = (Mutex::default(), Mutex::default());
        KeptGames { folder: folder.to_owned(), unwritten, writing }
    }

    /// Keeps a game of a table, by a thread that may wait for the disk. Until it is
    /// [written](KeptGames::write) the table's file has to have it, too.
    pub fn keep(self: &Arc<Self>, table: &str, number: u64, record: GameRecord) {
        self.unwritten().insert(self.path(table, number), record);
        let games = Arc::clone(self);
        let write = move || games.write_all();
        match tokio::runtime::Handle::try_current() {
            Ok(runtime) => drop(runtime.spawn_blocking(write)),
            Err(_) => write(),
        }
    }

    /// Writes a game, if that was not done: the table's file is about to forget it. Gives whether
    /// the game's file is there.
    pub fn write(&self, table: &str, number: u64) -> bool {
        self.write_one(&self.path(table, number))
    }

    /// Writes all that wait, also those that could not be written before.
    fn write_all(&self) {
        let waiting: Vec<PathBuf> = self.unwritten().keys().cloned().collect();
        for path in waiting {
            if !self.write_one(&path) {
                break;
            }
        }
    }

    /// Whether its file is there.
    fn write_one(&self, path: &Path) -> bool {
        if !self.unwritten().contains_key(path) {
            return true;
        }
        let _writing = lock(&self.writing);
        // Another thread may have written it first.
        let Some(line) = self.unwritten().get(path).map(GameRecord::to_json_line) else {
            return true;
        };
        // Without the lock on the games: the disk may be slow, and tables must not wait for it.
        let written = write(path, (line + "\n").as_bytes());
        let mut unwritten = self.unwritten();
        match &written {
            Err(error) if unwritten.len() > MOST_UNWRITTEN => log::error!(
                "{}: cannot be written: {error}; too many games wait, and this one is lost",
                path.display()
            ),
            Err(error) => {
                log::error!("{}: cannot be written: {error}; it is tried again", path.display());
                return false;
            }
            Ok(()) => {}
        }
        unwritten.remove(path);
        true
    }

    pub fn game(&self, table: &str, number: u64) -> Option<GameRecord> {
        let path = self.path(table, number);
        if let Some(record) = self.unwritten().get(&path) {
            return Some(record.clone());
        }
        let text = tengen_record::read_text(&path, MOST_RECORD).ok()?;
        GameRecord::from_json_line(text.trim_end()).ok()
    }

    /// The id of a table is a name of a file.
    fn path(&self, table: &str, number: u64) -> PathBuf {
        self.folder.join(format!("{table}-{number}.json"))
    }

    fn unwritten(&self) -> MutexGuard<'_, BTreeMap<PathBuf, GameRecord>> {
        lock(&self.unwritten)
    }
}

/// Writes a file of the server's folder, whole and on the disk.
fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = AtomicFile::create_own(path, &path.with_added_extension(UNFINISHED))?;
    file.write_all(bytes)?;
    file.finish_on_disk()
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
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

    #[test]
    fn a_game_that_cannot_be_written_is_kept_and_written_with_the_next_one() {
        let folder = tempfile::tempdir().unwrap();
        let games = Arc::new(KeptGames::new(&folder.path().join("games")));
        let record = GameRecord::from_json_line(RECORD.trim_end()).unwrap();
        games.keep("r1", 1, record.clone());
        assert_eq!(games.game("r1", 1), Some(record.clone()));
        std::fs::create_dir(folder.path().join("games")).unwrap();
        games.keep("r2", 5, record.clone());
        assert!(games.unwritten().is_empty());
        for name in ["r1-1.json", "r2-5.json"] {
            assert!(folder.path().join("games").join(name).exists(), "{name}");
        }
    }
}
