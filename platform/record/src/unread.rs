//! What was not read of a file, and where.

use std::fmt;

use serde::Serialize;
use thiserror::Error;

use crate::ReadError;

/// A part of a text that was not read, or was read by a guess: where, why, and what that cost.
///
/// Readers of many games give one of these in place of each game that is lost, and one behind a
/// game for everything else.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{error}")]
pub struct Unread {
    pub cost: UnreadCost,
    /// The place, and what is wrong there.
    pub error: ReadError,
}

/// What is lost by something that was not read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum UnreadCost {
    /// A whole file.
    File,
    /// One game.
    Game,
    /// No game: a text between games, a value that was cut off, a charset that was guessed.
    Part,
}

impl Unread {
    /// A game that is lost.
    pub fn game(error: ReadError) -> Unread {
        Unread { cost: UnreadCost::Game, error }
    }

    /// Something that costs no game.
    pub fn part(error: ReadError) -> Unread {
        Unread { cost: UnreadCost::Part, error }
    }
}

/// What was not read of files: how much of it, and the first hundred places of each sort.
#[derive(Clone, Debug, Default, Serialize)]
pub struct UnreadList {
    #[serde(rename = "bad_files")]
    files: u64,
    #[serde(rename = "bad_games")]
    games: u64,
    /// Files and games.
    bad: Vec<UnreadItem>,
    #[serde(rename = "unread_parts")]
    parts: u64,
    /// What costs no game.
    unread: Vec<UnreadItem>,
}

/// One of a list.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct UnreadItem {
    /// The file, where there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The game, counted from 1 in its file, if it is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<u64>,
    pub cost: UnreadCost,
    /// The place in the file, and what is wrong there.
    pub error: String,
}

impl UnreadList {
    /// The most that are listed of a sort, so that memory does not grow with files.
    pub const MOST_LISTED: usize = 100;

    pub fn add(&mut self, item: UnreadItem) {
        let (count, list) = match item.cost {
            UnreadCost::File => (&mut self.files, &mut self.bad),
            UnreadCost::Game => (&mut self.games, &mut self.bad),
            UnreadCost::Part => (&mut self.parts, &mut self.unread),
        };
        *count += 1;
        if list.len() < UnreadList::MOST_LISTED {
            list.push(item);
        }
    }

    /// How many are of this cost, those that are not listed among them.
    pub fn count(&self, cost: UnreadCost) -> u64 {
        match cost {
            UnreadCost::File => self.files,
            UnreadCost::Game => self.games,
            UnreadCost::Part => self.parts,
        }
    }

    /// The first of them: files and games, then what costs none.
    pub fn listed(&self) -> impl Iterator<Item = &UnreadItem> {
        self.bad.iter().chain(&self.unread)
    }

    pub fn is_empty(&self) -> bool {
        self.listed().next().is_none()
    }
}

/// The file, the game where the error names no line, and the error.
impl fmt::Display for UnreadItem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{file}: ")?;
        }
        if let Some(game) = self.game.filter(|_| !self.error.starts_with("line ")) {
            write!(f, "game {game}: ")?;
        }
        f.write_str(&self.error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_counts_everything_and_keeps_the_first() {
        let mut list = UnreadList::default();
        assert!(list.is_empty());
        for game in 1..=150 {
            let error = ReadError::of_text("move 3: h8 is occupied").to_string();
            list.add(UnreadItem { file: None, game: Some(game), cost: UnreadCost::Game, error });
        }
        let file = Some("a.sgf".to_owned());
        let error = Unread::part(ReadError::of_line(7, "text between games")).to_string();
        list.add(UnreadItem { file, game: Some(3), cost: UnreadCost::Part, error });
        let count = |cost| list.count(cost);
        assert_eq!((count(UnreadCost::Game), count(UnreadCost::Part)), (150, 1));
        let listed: Vec<String> = list.listed().map(UnreadItem::to_string).collect();
        assert_eq!((listed.len(), &*listed[1]), (101, "game 2: move 3: h8 is occupied"));
        assert_eq!(listed[100], "a.sgf: line 7: text between games");
    }

    #[test]
    fn an_item_names_its_file_and_its_place() {
        let item = |error: ReadError| UnreadItem {
            file: Some("a.sgf".to_owned()),
            game: Some(2),
            cost: UnreadCost::Game,
            error: Unread::game(error).to_string(),
        };
        let placed = item(ReadError::of_column(4, "no move").in_line(3));
        assert_eq!(placed.to_string(), "a.sgf: line 3, column 4: no move");
        assert_eq!(item(ReadError::of_text("no rule")).to_string(), "a.sgf: game 2: no rule");
        let json = serde_json::to_string(&placed).unwrap();
        let expected =
            r#"{"file":"a.sgf","game":2,"cost":"game","error":"line 3, column 4: no move"}"#;
        assert_eq!(json, expected);
    }
}
