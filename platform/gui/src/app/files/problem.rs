use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use tengen_record::formats::FormatLoss;

use crate::app::archive::GameFileError;
use crate::app::{Text, Translator};

/// Why a file or a text was not taken, or not written.
#[derive(Debug)]
pub enum FileProblem {
    /// The system would not.
    System {
        /// The file.
        name: String,
        /// What the system says.
        error: io::Error,
    },
    /// It is something else than games, or an event.
    Unknown {
        /// The file.
        name: String,
    },
    /// It is such a thing, and broken.
    Damaged {
        /// The file.
        name: String,
        /// What is wrong with it, and where.
        reason: String,
    },
    /// There is no game in it.
    Empty {
        /// The file.
        name: String,
    },
    /// The name does not end like that of any format.
    NoFormat {
        /// The file.
        name: String,
    },
    /// A file of that name is there, and was not named twice.
    Exists {
        /// The file.
        name: String,
    },
    /// The format holds one game, and there are more.
    Single {
        /// The file.
        name: String,
    },
    /// A format cannot say this game.
    Unsaid {
        /// The file.
        name: String,
        /// What it cannot say.
        reason: String,
    },
}

impl FileProblem {
    /// What turns a system's refusal into a problem.
    pub fn system(path: &Path) -> impl Fn(io::Error) -> FileProblem {
        let name = path.display().to_string();
        move |error| FileProblem::System { name: name.clone(), error }
    }
}

impl Translator {
    /// What is wrong with a file, in a sentence.
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
            FileProblem::Unsaid { name, reason } => self.fill(Text::FileUnsaid, &[name, reason]),
        }
    }

    /// Why a game is not kept, or cannot be gone on with.
    pub fn save_error(self, problem: &GameFileError) -> String {
        let path = problem.path().display().to_string();
        match problem {
            GameFileError::Write { source, .. } => {
                self.fill(Text::GameNotSaved, &[&path, &self.system(source)])
            }
            GameFileError::Read { source, .. } => {
                self.fill(Text::FileSystem, &[&path, &self.system(source)])
            }
            GameFileError::Damaged { reason, .. } => self.fill(Text::GameDamaged, &[&path, reason]),
        }
    }

    /// What a format cannot hold, in the language of the window.
    pub fn lost(self, lost: &BTreeSet<FormatLoss>) -> String {
        let lost: Vec<&str> = lost.iter().map(|loss| self.text(text_of(*loss))).collect();
        lost.join(self.text(Text::ListSeparator))
    }

    /// What the system says, in the language of the window where it is said often.
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
