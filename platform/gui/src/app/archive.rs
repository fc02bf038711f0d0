//! The games kept in a folder: `games` holds those that are over, `open` those that are not. A game
//! is written anew after each answer, beside the old file and then in its place, so that there is a
//! whole one whenever the program ends.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use tengen_arbiter::{Game, GameResult, HistoryEntry, Termination};
use tengen_record::{Conditions, GameRecord, Header, LINE_LIMIT, read_text};
use tengen_rules::{BySeat, Seat};

use super::files::write_file;
use super::{GameForm, PlayerSpec};

/// The folder of the games.
#[derive(Clone, Debug)]
pub struct GameArchive {
    dir: PathBuf,
}

/// The place of one game in the archive.
#[derive(Debug)]
pub struct GameFile {
    dir: PathBuf,
    name: String,
}

/// Why a game could not be kept, or read again.
#[derive(Debug, thiserror::Error)]
pub enum GameFileError {
    /// The system would not write.
    #[error("the game is not kept: {}: {source}", path.display())]
    Write {
        /// What was to be written.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A file cannot be read.
    #[error("{}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A file holds no game that can go on.
    #[error("{}: this is no game to go on with: {reason}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
}

impl GameFileError {
    /// The file it is about.
    pub fn path(&self) -> &Path {
        match self {
            GameFileError::Write { path, .. }
            | GameFileError::Read { path, .. }
            | GameFileError::Damaged { path, .. } => path,
        }
    }
}

/// A game as it is taken out of the archive to go on.
#[derive(Debug)]
pub struct ResumableGame {
    /// How it was set up.
    pub setup: GameForm,
    /// What was done in it so far.
    pub history: Vec<HistoryEntry>,
    /// Where it is kept on.
    pub sheet: GameFile,
}

impl GameArchive {
    /// The archive in this folder, which need not be there yet.
    pub fn new(dir: impl Into<PathBuf>) -> GameArchive {
        GameArchive { dir: dir.into() }
    }

    /// Whether a file is one of its games.
    pub(super) fn holds(&self, path: &Path) -> bool {
        std::path::absolute(&self.dir).is_ok_and(|dir| path.starts_with(dir.join(OVER)))
    }

    /// The folder that everything lies in.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The folder of what is in no file of the person's.
    pub(super) fn unsaved(&self) -> PathBuf {
        self.dir.join("unsaved")
    }

    /// A place for a new game, named by the moment.
    pub fn sheet(&self) -> GameFile {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let (stamp, process) = (since.as_millis(), std::process::id());
        GameFile { dir: self.dir.clone(), name: format!("{stamp}-{process}.jsonl") }
    }

    /// The games that are not over, oldest first. A damaged one is said and left where it is.
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
    /// What records call somebody at this window.
    pub const PERSON: &'static str = "person";

    /// Where the game lies once it is over.
    pub fn path(&self) -> PathBuf {
        self.dir.join(OVER).join(&self.name)
    }

    /// Writes the game as it stands; one that has a result moves to those that are over, and back
    /// when it goes on. A game in which nothing was done is not kept.
    ///
    /// # Errors
    /// When the system would not write; the file of before is as it was.
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

/// The record of a game as it stands. One that goes on has no result; it stands as one that was
/// given up here.
pub fn record(game: &Game, header: &Header, detail: Option<String>) -> GameRecord {
    let actions = game.history().to_vec();
    let open = GameResult { winner: None, termination: Termination::Aborted };
    let result = game.result().unwrap_or(open);
    let conditions = Conditions::default();
    GameRecord { header: header.clone(), actions, result, detail, conditions }
}

/// Puts a whole new file in place of an old one.
fn replace(path: &Path, line: &str) -> io::Result<()> {
    if let Some(dir) = path.parent() {
        fs::create_dir_all(dir)?;
    }
    // Written at every answer, it waits for no disk.
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

/// The set-up that a record is of; none if it is of no game that this window sets up.
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
