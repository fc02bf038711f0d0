//! The games of this window in a folder: `games` holds finished games, `open` those that are not
//! finished. A game is written after each answer, to a new file that then replaces the old one, so
//! that there is a whole file whenever the program ends.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use tengen_arbiter::{Game, GameResult, HistoryEntry, Termination};
use tengen_record::{Conditions, GameRecord, Header, LINE_LIMIT, read_text};
use tengen_rules::{BySeat, Seat};

use super::files::write_file;
use crate::app::model::{GameFileError, GameForm, PlayerSpec};

/// The folder of the games.
#[derive(Clone, Debug)]
pub struct GameArchive {
    dir: PathBuf,
}

/// The file of one game in the archive.
#[derive(Debug)]
pub struct GameFile {
    dir: PathBuf,
    name: String,
}

/// A saved game that can be continued.
#[derive(Debug)]
pub struct ResumableGame {
    /// How it was set up.
    pub setup: GameForm,
    /// Its history so far.
    pub history: Vec<HistoryEntry>,
    /// Where it is saved.
    pub sheet: GameFile,
}

impl GameArchive {
    /// An archive in this folder, which need not exist yet.
    pub fn new(dir: impl Into<PathBuf>) -> GameArchive {
        GameArchive { dir: dir.into() }
    }

    /// Whether a file is one of its finished games.
    pub(in crate::app) fn holds(&self, path: &Path) -> bool {
        std::path::absolute(&self.dir).is_ok_and(|dir| path.starts_with(dir.join(OVER)))
    }

    /// The folder itself.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The folder of unsaved work.
    pub(in crate::app) fn unsaved(&self) -> PathBuf {
        self.dir.join("unsaved")
    }

    /// A file for a new game, named by the time.
    pub fn sheet(&self) -> GameFile {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let (stamp, process) = (since.as_millis(), std::process::id());
        GameFile { dir: self.dir.clone(), name: format!("{stamp}-{process}.jsonl") }
    }

    /// The unfinished games, oldest first. A damaged one is reported and stays where it is.
    pub fn open_games(&self) -> Vec<Result<ResumableGame, GameFileError>> {
        let Ok(entries) = fs::read_dir(self.dir.join(OPEN)) else {
            return Vec::new();
        };
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
        paths.sort();
        paths.iter().map(|path| self.reopen(path)).collect()
    }

    fn reopen(&self, path: &Path) -> Result<ResumableGame, GameFileError> {
        let damaged = |reason: String| GameFileError::Damaged { path: path.to_owned(), reason };
        let text = read_text(path, LINE_LIMIT as u64)
            .map_err(|source| GameFileError::Read { path: path.to_owned(), source })?;
        let record = GameRecord::from_json_line(text.trim_end())
            .map_err(|error| damaged(error.to_string()))?;
        tengen_record::replay(&record).map_err(|error| damaged(error.to_string()))?;
        let setup = setup(&record.header).ok_or_else(|| damaged("its clock is unknown".into()))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let sheet = GameFile { dir: self.dir.clone(), name };
        Ok(ResumableGame { setup, history: record.actions, sheet })
    }
}

const OPEN: &str = "open";
const OVER: &str = "games";

impl GameFile {
    /// The id of a person in records.
    pub const PERSON: &'static str = "person";

    /// Where the game is saved once it is finished.
    pub fn path(&self) -> PathBuf {
        self.dir.join(OVER).join(&self.name)
    }

    /// Writes the game. A finished game moves to the finished games, and back when it goes on. A
    /// game without any answer is not saved.
    ///
    /// # Errors
    /// When the system cannot write; the old file is unchanged.
    pub fn write(&self, record: &GameRecord, is_over: bool) -> Result<(), GameFileError> {
        let [here, there] = if is_over { [OVER, OPEN] } else { [OPEN, OVER] };
        let path = self.dir.join(here).join(&self.name);
        let other = self.dir.join(there).join(&self.name);
        if !record.actions.is_empty() {
            replace(&path, &record.to_json_line())
                .map_err(|source| GameFileError::Write { path: path.clone(), source })?;
        } else {
            remove(&path)?;
        }
        remove(&other)
    }
}

/// The record of a game as it stands. An unfinished game is recorded as aborted.
pub fn record(game: &Game, header: &Header, detail: Option<String>) -> GameRecord {
    let actions = game.history().to_vec();
    let open = GameResult { winner: None, termination: Termination::Aborted };
    let result = game.result().unwrap_or(open);
    let conditions = Conditions::default();
    GameRecord { header: header.clone(), actions, result, detail, conditions }
}

/// Replaces a file.
fn replace(path: &Path, line: &str) -> io::Result<()> {
    if let Some(dir) = path.parent() {
        fs::create_dir_all(dir)?;
    }
    // It is written at every answer and does not wait for the disk.
    write_file(path, format!("{line}\n").as_bytes(), false)
}

fn remove(path: &Path) -> Result<(), GameFileError> {
    match fs::remove_file(path) {
        Err(source) if source.kind() != io::ErrorKind::NotFound => {
            Err(GameFileError::Write { path: path.to_owned(), source })
        }
        _ => Ok(()),
    }
}

/// The settings of a recorded game; none if this window could not have set it up.
fn setup(header: &Header) -> Option<GameForm> {
    let time = header.seats.first.time;
    let spec = |seat: Seat| match header.seats[seat].id.as_str() {
        GameFile::PERSON => PlayerSpec::Person,
        id => PlayerSpec::Engine(id.to_owned()),
    };
    let mut setup = GameForm {
        seats: BySeat::from_fn(spec),
        rule: header.rule,
        width: header.size.width(),
        height: header.size.height(),
        opening: header.opening.procedure,
        book: header.opening.book.clone(),
        ..GameForm::default()
    };
    let is_game_or_event = setup.set_time(time) && setup.check().is_ok();
    is_game_or_event.then_some(setup)
}
