use std::fmt::Display;
use std::path::{Path, PathBuf};

use super::{FileProblem, GameLine, Written, reading};

/// The games of a file or a text, one or many. Of a file of records no more is kept than a line of
/// each; a game is read again when it is looked at.
#[derive(Clone, Debug, Default)]
pub struct Collection {
    /// The file, if they are out of one.
    pub path: Option<PathBuf>,
    lines: Vec<GameLine>,
    games: Games,
    /// How many more are damaged.
    pub bad: u64,
    /// What is wrong with the first of these.
    pub first_bad: Option<String>,
}

/// Where the games are.
#[derive(Clone, Debug)]
enum Games {
    Here(Vec<Written>),
    /// In the file, from that byte so many.
    There(PathBuf, Vec<(u64, usize)>),
}

impl Default for Games {
    fn default() -> Games {
        Games::Here(Vec::new())
    }
}

impl Collection {
    /// An empty one, whose games stay in the file.
    pub(super) fn of_file(path: &Path) -> Collection {
        let games = Games::There(path.to_owned(), Vec::new());
        Collection { path: Some(path.to_owned()), games, ..Collection::default() }
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
    pub fn lines(&self) -> &[GameLine] {
        &self.lines
    }

    /// A game, counted from 0.
    ///
    /// # Errors
    /// When the file changed since.
    pub fn game(&self, index: usize) -> Option<Result<Written, FileProblem>> {
        match &self.games {
            Games::Here(games) => games.get(index).cloned().map(Ok),
            Games::There(path, places) => {
                let &(offset, length) = places.get(index)?;
                Some(reading::record_at(path, offset, length))
            }
        }
    }

    /// Adds a game that was read, or notes what is wrong with it.
    pub(in crate::app) fn take<E: Display>(&mut self, game: Result<Written, E>) {
        self.take_at(game, 0, 0);
    }

    /// Adds a game that was read there.
    pub(super) fn take_at<E: Display>(
        &mut self,
        game: Result<Written, E>,
        offset: u64,
        length: usize,
    ) {
        match game {
            Ok(game) => {
                self.lines.push(game.line(self.lines.len() as u64 + 1));
                match &mut self.games {
                    Games::Here(games) => games.push(game),
                    Games::There(_, places) => places.push((offset, length)),
                }
            }
            Err(error) => {
                self.bad += 1;
                self.first_bad.get_or_insert_with(|| error.to_string());
            }
        }
    }

    /// It, unless nothing in it is a game.
    pub(super) fn checked(self, name: &str) -> Result<Collection, FileProblem> {
        let name = name.to_owned();
        match (self.is_empty(), &self.first_bad) {
            (false, _) => Ok(self),
            (true, Some(reason)) => Err(FileProblem::Damaged { name, reason: reason.clone() }),
            (true, None) => Err(FileProblem::Empty { name }),
        }
    }
}
