//! Why a file failed, as a message.

use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use tengen_record::formats::FormatLoss;

use crate::app::model::{JournalError, JournalFile};
use crate::app::model::{Text, Translator};

/// Why a file or a text could not be read or written.
#[derive(Debug)]
pub enum FileProblem {
    /// A system error.
    System {
        /// The file.
        name: String,
        error: io::Error,
    },
    /// It is neither games nor an event.
    Unknown {
        /// The file.
        name: String,
    },
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

/// The text that names what a format loses.
fn text_of(loss: FormatLoss) -> Text {
    match loss {
        FormatLoss::Comments => Text::LostComments,
        FormatLoss::Decisions => Text::LostDecisions,
        FormatLoss::Termination => Text::LostEnding,
        FormatLoss::Names => Text::LostNames,
        FormatLoss::RefusedAnswers => Text::LostRefused,
        FormatLoss::Remarks => Text::LostRemarks,
        FormatLoss::EngineDetails => Text::LostEngines,
        FormatLoss::Policies => Text::LostPolicies,
        FormatLoss::LastWords => Text::LostWords,
        FormatLoss::Moves => Text::LostMoves,
        FormatLoss::Opening => Text::LostOpening,
        FormatLoss::Players => Text::LostPlayers,
        FormatLoss::Result => Text::LostResult,
        FormatLoss::Rule => Text::LostRule,
        FormatLoss::Seed => Text::LostSeed,
        FormatLoss::TimeControl => Text::LostControl,
        FormatLoss::MoveTimes => Text::LostTimes,
        FormatLoss::SeatTimes => Text::LostSeats,
        FormatLoss::Variations => Text::LostVariations,
        FormatLoss::SetUpStones => Text::LostSetUp,
        FormatLoss::Choices => Text::LostChoices,
    }
}

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
                self.fill(Text::Named, &[name, &self.system(error)])
            }
            FileProblem::Unknown { name } => self.fill(Text::FileUnknown, &[name]),
            FileProblem::Damaged { name, reason } => self.fill(Text::FileDamaged, &[name, reason]),
            FileProblem::Empty { name } => self.fill(Text::FileEmpty, &[name]),
            FileProblem::NoFormat { name } => self.fill(Text::FileNoFormat, &[name]),
            FileProblem::Exists { name } => self.fill(Text::FileExists, &[name]),
            FileProblem::Single { name } => self.fill(Text::FileSingle, &[name]),
            FileProblem::Unsupported { name, reason } => self.fill(Text::Named, &[name, reason]),
        }
    }

    /// Why a file that the window writes by itself cannot be used.
    pub fn journal_error(self, file: JournalFile, error: &JournalError) -> String {
        let [damaged, unreadable, unwritable] = match file {
            JournalFile::Settings => {
                [Text::SettingsDamaged, Text::SettingsUnreadable, Text::SettingsUnwritable]
            }
            JournalFile::EventForm => [Text::Named; 3],
            JournalFile::Game => [Text::GameDamaged, Text::Named, Text::AutosaveFailed],
            JournalFile::Tab => {
                [Text::AutosaveDamaged, Text::AutosaveUnclaimed, Text::AutosaveFailed]
            }
        };
        let (text, path, reason) = match error {
            JournalError::Damaged { path, reason } => (damaged, path, reason.clone()),
            JournalError::Unreadable { path, error } => (unreadable, path, self.system(error)),
            JournalError::Unwritable { path, error } => (unwritable, path, self.system(error)),
            JournalError::TooLarge => return self.text(Text::AutosaveTooLarge).to_owned(),
        };
        self.fill(text, &[&path.display().to_string(), &reason])
    }

    /// What a format loses, translated.
    pub fn lost(self, lost: &BTreeSet<FormatLoss>) -> String {
        let lost: Vec<&str> = lost.iter().map(|loss| self.text(text_of(*loss))).collect();
        lost.join(self.text(Text::ListSeparator))
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
