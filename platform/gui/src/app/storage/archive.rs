//! The games of this window in a folder: `games` holds finished games, `open` those that are not
//! finished. A game is written after each answer, on its own thread, before the next question.

use std::path::{Path, PathBuf};

use tengen_arbiter::{Game, GameResult, Termination};
use tengen_record::{Conditions, GameRecord, Header, LINE_LIMIT, PlayerHeader};
use tengen_rules::{BySeat, Seat};

use super::journal::{self, Durability};
use crate::app::model::{GameForm, JournalError, PlayerSpec};

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
    /// How it was set up, as far as the form of a new game can say it.
    pub setup: GameForm,
    /// The game so far; it is played on under the settings of its header.
    pub record: GameRecord,
    /// Where it is saved.
    pub file: GameFile,
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
    pub fn new_file(&self) -> GameFile {
        let name = format!("{}.{EXTENSION}", journal::unique_name());
        GameFile { dir: self.dir.clone(), name }
    }

    /// The unfinished games, oldest first. A damaged one is reported and stays where it is.
    pub fn open_games(&self) -> Vec<Result<ResumableGame, JournalError>> {
        let paths = journal::list(&self.dir.join(OPEN), EXTENSION).unwrap_or_default();
        paths.iter().map(|path| self.reopen(path)).collect()
    }

    fn reopen(&self, path: &Path) -> Result<ResumableGame, JournalError> {
        let damaged = |reason: String| JournalError::Damaged { path: path.to_owned(), reason };
        let text = journal::read(path, LINE_LIMIT as u64)?.unwrap_or_default();
        let record = GameRecord::from_json_line(text.trim_end())
            .map_err(|error| damaged(error.to_string()))?;
        tengen_record::replay(&record).map_err(|error| damaged(error.to_string()))?;
        Ok(self.resumable(record, Some(path)))
    }

    /// A game to be continued: in its own file if that is one of the archive, else in a new one.
    pub(in crate::app) fn resumable(
        &self,
        record: GameRecord,
        path: Option<&Path>,
    ) -> ResumableGame {
        let name = |path: &Path| Some(path.file_name()?.to_string_lossy().into_owned());
        let own = path.and_then(name).map(|name| GameFile { dir: self.dir.clone(), name });
        let file = own.unwrap_or_else(|| self.new_file());
        ResumableGame { setup: setup(&record.header), record, file }
    }

    /// The points of the first and of the second of two players, from every finished game between
    /// them; none if there is none. Games that others played on do not count.
    pub(in crate::app) fn score(&self, players: [&str; 2]) -> Option<[f64; 2]> {
        let paths = journal::list(&self.dir.join(OVER), EXTENSION).unwrap_or_default();
        let mut score = None;
        for path in paths {
            let Ok(Some(text)) = journal::read(&path, LINE_LIMIT as u64) else { continue };
            let Ok(record) = GameRecord::from_json_line(text.trim_end()) else { continue };
            let GameRecord { header, result, .. } = record;
            let is_shared = !header.handovers.is_empty();
            if is_shared || result.termination == Termination::Aborted {
                continue;
            }
            let seated = header.seats.as_ref().map(PlayerHeader::label);
            let Some(first) =
                Seat::ALL.into_iter().find(|seat| [seated[*seat], seated[!*seat]] == players)
            else {
                continue;
            };
            let score = score.get_or_insert([0.0; 2]);
            match result.winner {
                Some(winner) => score[usize::from(winner != first)] += 1.0,
                None => score.iter_mut().for_each(|points| *points += 0.5),
            }
        }
        score
    }
}

const OPEN: &str = "open";
const OVER: &str = "games";
const EXTENSION: &str = "jsonl";

impl GameFile {
    /// Where the game is saved once it is finished.
    pub fn path(&self) -> PathBuf {
        self.dir.join(OVER).join(&self.name)
    }

    /// Writes the game. A finished game moves to the finished games, and back when it goes on. A
    /// game without any answer is not saved.
    ///
    /// # Errors
    /// When the system cannot write; the old file is unchanged.
    pub fn write(&self, record: &GameRecord, is_over: bool) -> Result<(), JournalError> {
        let [here, there] = if is_over { [OVER, OPEN] } else { [OPEN, OVER] };
        let path = self.dir.join(here).join(&self.name);
        let other = self.dir.join(there).join(&self.name);
        if record.actions.is_empty() {
            journal::remove(&path)?;
        } else {
            // It is written at every answer and does not wait for the disk.
            journal::write(&path, &(record.to_json_line() + "\n"), Durability::Program)?;
        }
        journal::remove(&other)
    }
}

/// The record of a game as it stands. An unfinished game is recorded as aborted.
pub fn record(game: &Game, header: &Header, detail: Option<String>) -> GameRecord {
    let actions = game.history().to_vec();
    let open = GameResult { winner: None, termination: Termination::Aborted };
    let result = game.result().unwrap_or(open);
    let conditions = Conditions::default();
    let header = header.clone();
    GameRecord { header, actions, result, detail, conditions, worker: None, ruling: None }
}

/// The settings of a recorded game, as far as the form of a new game can say them.
fn setup(header: &Header) -> GameForm {
    let spec = |seat: Seat| match header.last_player(seat).id.as_str() {
        PlayerHeader::PERSON => PlayerSpec::Person,
        id => PlayerSpec::Engine(id.to_owned()),
    };
    let mut setup = GameForm {
        seats: BySeat::from_fn(spec),
        rule: header.rule,
        width: header.size.width(),
        height: header.size.height(),
        opening: header.opening.procedure,
        book: header.opening.book.clone(),
        illegal: header.policies.illegal,
        passing: header.policies.passing,
        undo: header.undo_left,
        ..GameForm::default()
    };
    let _is_whole = setup.set_time(header.seats.first.time);
    setup
}
