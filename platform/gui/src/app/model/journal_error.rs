//! What fails with the files that the window writes by itself.

use std::io;
use std::path::PathBuf;

/// Why a file that the window writes by itself cannot be used. The program goes on.
#[derive(Debug)]
pub enum JournalError {
    Damaged {
        /// Where it is now.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// It cannot be read now, and may be good.
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system's error.
        error: io::Error,
    },
    /// It cannot be written; the old file is unchanged.
    Unwritable {
        /// The file.
        path: PathBuf,
        /// The system's error.
        error: io::Error,
    },
    /// Its contents are too large.
    TooLarge,
}

/// What a file holds that the window writes by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum JournalFile {
    Settings,
    /// A game of this window.
    Game,
    /// The unsaved contents of a tab.
    Tab,
    /// The form of the last event.
    EventForm,
}
