//! Why a file failed, as a message.

use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use crate::app::model::GameFileError;
use crate::app::model::{Text, Translator};

/// Why a file or a text could not be read or written.
#[derive(Debug)]
pub enum FileProblem {
    /// A system error.
    System {
        /// The file.
        name: String,
        /// The error.
        error: io::Error,
    },
    /// It is neither games nor an event.
    Unknown {
        /// The file.
        name: String,
    },
    /// It is damaged.
    Damaged {
        /// The file.
        name: String,
        /// What is wrong with it, and where.
        reason: String,
    },
    /// It has no game.
    Empty {
        /// The file.
        name: String,
    },
    /// The extension is of no known format.
    NoFormat {
        /// The file.
        name: String,
    },
    /// The file exists, and replacing it was not confirmed.
    Exists {
        /// The file.
        name: String,
    },
    /// The format holds one game, and there are more.
    Single {
        /// The file.
        name: String,
    },
    /// The format cannot hold this game.
    Unsupported {
        /// The file.
        name: String,
        /// What it cannot hold.
        reason: String,
    },
}

/// What formats lose, by the names they use.
const LOSSES: [(&str, Text); 21] = [
    ("the moves", Text::LostMoves),
    ("variations", Text::LostVariations),
    ("comments", Text::LostComments),
    ("remarks of other programs", Text::LostRemarks),
    ("the opening procedure", Text::LostOpening),
    ("who chose what in the opening", Text::LostChoices),
    ("how the game ended", Text::LostEnding),
    ("the result", Text::LostResult),
    ("the players", Text::LostPlayers),
    ("the rule", Text::LostRule),
    ("the time control", Text::LostControl),
    ("the time of each move", Text::LostTimes),
    ("decisions other than moves", Text::LostDecisions),
    ("refused answers", Text::LostRefused),
    ("the event's policies", Text::LostPolicies),
    ("the seed", Text::LostSeed),
    ("names beside ids", Text::LostNames),
    ("the engines' versions, hashes and sandboxes", Text::LostEngines),
    ("times of either seat", Text::LostSeats),
    ("the last words", Text::LostWords),
    (super::writing::SET_UP, Text::LostSetUp),
];

impl FileProblem {
    /// Makes a system error into a problem.
    pub fn system(path: &Path) -> impl Fn(io::Error) -> FileProblem {
        let name = path.display().to_string();
        move |error| FileProblem::System { name: name.clone(), error }
    }
}

impl Translator {
    /// A message about a file.
    pub fn file_problem(self, problem: &FileProblem) -> String {
        match problem {
            FileProblem::System { name, error } => {
                self.fill(Text::FileSystem, &[name, &self.system(error)])
            }
            FileProblem::Unknown { name } => self.fill(Text::FileUnknown, &[name]),
            FileProblem::Damaged { name, reason } => self.fill(Text::FileDamaged, &[name, reason]),
            FileProblem::Empty { name } => self.fill(Text::FileEmpty, &[name]),
            FileProblem::NoFormat { name } => self.fill(Text::FileNoFormat, &[name]),
            FileProblem::Exists { name } => self.fill(Text::FileExists, &[name]),
            FileProblem::Single { name } => self.fill(Text::FileSingle, &[name]),
            FileProblem::Unsupported { name, reason } => {
                self.fill(Text::FileUnsupported, &[name, reason])
            }
        }
    }

    /// Why a game is not saved, or cannot be continued.
    pub fn save_error(self, problem: &GameFileError) -> String {
        let path = problem.path().display().to_string();
        match problem {
            GameFileError::Write { source, .. } => {
                self.fill(Text::AutosaveFailed, &[&path, &self.system(source)])
            }
            GameFileError::Read { source, .. } => {
                self.fill(Text::FileSystem, &[&path, &self.system(source)])
            }
            GameFileError::Damaged { reason, .. } => self.fill(Text::GameDamaged, &[&path, reason]),
        }
    }

    /// What a format loses, translated.
    pub fn lost(self, lost: &BTreeSet<&str>) -> String {
        let known = |what: &str| LOSSES.iter().find(|(name, _)| *name == what);
        let said: Vec<&str> = lost
            .iter()
            .map(|what| known(what).map_or(*what, |(_, text)| self.text(*text)))
            .collect();
        said.join(self.text(Text::ListSeparator))
    }

    /// A system error, translated where it is a common one.
    pub fn system(self, error: &io::Error) -> String {
        let text = match error.kind() {
            io::ErrorKind::NotFound => Text::SystemNotFound,
            io::ErrorKind::PermissionDenied => Text::SystemDenied,
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Text::SystemFull,
            io::ErrorKind::ReadOnlyFilesystem => Text::SystemReadOnly,
            io::ErrorKind::IsADirectory => Text::SystemFolder,
            io::ErrorKind::NotADirectory => Text::SystemNoFolder,
            _ => return error.to_string(),
        };
        self.text(text).to_owned()
    }
}
