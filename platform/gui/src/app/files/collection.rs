use std::fmt::Display;
use std::path::{Path, PathBuf};

use super::{FileProblem, GameData, GameSummary, reading};

/// The games of a file or a text, one or many. Of a file of records no more is kept than a line of
/// each; a game is read again when it is looked at.
#[derive(Clone, Debug, Default)]
pub struct GameCollection {
    /// The file, if they are out of one.
    pub path: Option<PathBuf>,
    lines: Vec<GameSummary>,
    games: GameSource,
    /// How many more are damaged.
    pub bad: u64,
    /// What is wrong with the first of these.
    pub first_bad: Option<String>,
}

/// Where the games are.
#[derive(Clone, Debug)]
enum GameSource {
    InMemory(Vec<GameData>),
    /// In the file, from that byte so many.
    InFile(PathBuf, Vec<(u64, usize)>),
}

impl Default for GameSource {
    fn default() -> GameSource {
        GameSource::InMemory(Vec::new())
    }
}

impl GameCollection {
    /// An empty one, whose games stay in the file.
    pub(super) fn of_file(path: &Path) -> GameCollection {
        let games = GameSource::InFile(path.to_owned(), Vec::new());
        GameCollection { path: Some(path.to_owned()), games, ..GameCollection::default() }
    }

    /// How many games there are.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The games in lines.
    pub fn lines(&self) -> &[GameSummary] {
        &self.lines
    }

    /// A game, counted from 0.
    ///
    /// # Errors
    /// When the file changed since.
    pub fn game(&self, index: usize) -> Option<Result<GameData, FileProblem>> {
        match &self.games {
            GameSource::InMemory(games) => games.get(index).cloned().map(Ok),
            GameSource::InFile(path, places) => {
                let &(offset, length) = places.get(index)?;
                Some(reading::record_at(path, offset, length))
            }
        }
    }

    /// Adds a game that was read, or notes what is wrong with it.
    pub(in crate::app) fn take<E: Display>(&mut self, game: Result<GameData, E>) {
        self.take_at(game, 0, 0);
    }

    /// Adds a game that was read there.
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
                self.bad += 1;
                self.first_bad.get_or_insert_with(|| error.to_string());
            }
        }
    }

    /// It, unless nothing in it is a game.
    pub(super) fn checked(self, name: &str) -> Result<GameCollection, FileProblem> {
        let name = name.to_owned();
        match (self.is_empty(), &self.first_bad) {
            (false, _) => Ok(self),
            (true, Some(reason)) => Err(FileProblem::Damaged { name, reason: reason.clone() }),
            (true, None) => Err(FileProblem::Empty { name }),
        }
    }
}
