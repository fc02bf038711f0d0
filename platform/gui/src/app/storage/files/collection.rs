//! A list of games from a file or a text.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use tengen_record::{Unread, UnreadCost};

use super::{FileProblem, reading};
use crate::app::model::{GameData, GameSummary};

/// The games of a file or a text. Of a file of records only a summary of each game is kept; the
/// game is read again when it is opened.
#[derive(Clone, Debug, Default)]
pub struct GameCollection {
    /// The file they are from, if any.
    pub path: Option<PathBuf>,
    lines: Vec<GameSummary>,
    games: GameSource,
    /// How many games are damaged.
    pub damaged: u64,
    /// What is wrong with the first of these.
    pub first_damaged: Option<String>,
    /// What else was not read as it stands, and costs no game.
    pub unread: u64,
    /// The first of that, with its place.
    pub first_unread: Option<String>,
}

/// Where the games are.
#[derive(Clone, Debug)]
enum GameSource {
    InMemory(Vec<GameData>),
    /// In the file, at this offset and length.
    InFile(PathBuf, Vec<(u64, usize)>),
}

impl Default for GameSource {
    fn default() -> GameSource {
        GameSource::InMemory(Vec::new())
    }
}

impl GameCollection {
    /// An empty list whose games stay in the file.
    pub(super) fn of_file(path: &Path) -> GameCollection {
        let games = GameSource::InFile(path.to_owned(), Vec::new());
        GameCollection { path: Some(path.to_owned()), games, ..GameCollection::default() }
    }

    /// How many games there are.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The summaries of the games.
    pub fn lines(&self) -> &[GameSummary] {
        &self.lines
    }

    /// A game, by index.
    ///
    /// # Errors
    /// When the file has changed.
    pub fn game(&self, index: usize) -> Option<Result<GameData, FileProblem>> {
        match &self.games {
            GameSource::InMemory(games) => games.get(index).cloned().map(Ok),
            GameSource::InFile(path, places) => {
                let &(offset, length) = places.get(index)?;
                Some(reading::record_at(path, offset, length))
            }
        }
    }

    /// Adds a game, or notes what is wrong with it.
    pub(in crate::app) fn take<E: Display>(&mut self, game: Result<GameData, E>) {
        self.take_at(game, 0, 0);
    }

    /// Adds a game, or notes what was not read.
    pub(super) fn take_read(&mut self, game: Result<GameData, Unread>) {
        match game {
            Err(unread) if unread.cost == UnreadCost::Part => {
                self.unread += 1;
                self.first_unread.get_or_insert_with(|| unread.to_string());
            }
            game => self.take(game),
        }
    }

    /// Adds a game at this place of the file.
    pub(super) fn take_at<E: Display>(
        &mut self,
        game: Result<GameData, E>,
        offset: u64,
        length: usize,
    ) {
        match game {
            Ok(game) => {
                self.lines.push(game.line(self.lines.len() as u64 + 1));
                match &mut self.games {
                    GameSource::InMemory(games) => games.push(game),
                    GameSource::InFile(_, places) => places.push((offset, length)),
                }
            }
            Err(error) => {
                self.damaged += 1;
                self.first_damaged.get_or_insert_with(|| error.to_string());
            }
        }
    }

    /// The list, unless it has no game.
    pub(super) fn checked(self, name: &str) -> Result<GameCollection, FileProblem> {
        let name = name.to_owned();
        match (self.is_empty(), &self.first_damaged) {
            (false, _) => Ok(self),
            (true, Some(reason)) => Err(FileProblem::Damaged { name, reason: reason.clone() }),
            (true, None) => Err(FileProblem::Empty { name }),
        }
    }
}
