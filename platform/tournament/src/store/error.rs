use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

/// What went wrong with an event's database. Whatever was told before is still in it.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// No room for another game.
    #[error(
        "{}: the disk is full; free some space and go on with `tengen tournament resume`: every \
         game told so far is saved",
        path.display()
    )]
    Full {
        /// The database.
        path: PathBuf,
    },
    /// The file is no database, or a broken one.
    #[error(
        "{}: damaged, or not an event's database ({reason}); restore it from a copy, or save what \
         can be read with `sqlite3 {} .recover`",
        path.display(), path.display()
    )]
    Damaged {
        /// The database.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The database is of another version of the program.
    #[error(
        "{}: written in format {found}, and this program reads format {expected}; use the program \
         that wrote it, or a newer one",
        path.display()
    )]
    Format {
        /// The database.
        path: PathBuf,
        /// Its format.
        found: i64,
        /// The format of this program.
        expected: i64,
    },
    /// The file may not be opened or written.
    #[error(
        "{}: cannot be opened for writing ({reason}); check that the file exists and that you may \
         write to it and its folder",
        path.display()
    )]
    Refused {
        /// The database.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// Another program holds the database.
    #[error("{}: in use by another program; close that one and try again", path.display())]
    Busy {
        /// The database.
        path: PathBuf,
    },
    /// Anything else.
    #[error(
        "{}: {reason}; check the disk, then go on with `tengen tournament resume`: every game told \
         so far is saved",
        path.display()
    )]
    Failed {
        /// The database.
        path: PathBuf,
        /// What the database says.
        reason: String,
    },
}

impl StoreError {
    pub(crate) fn new(path: &Path, error: &rusqlite::Error) -> StoreError {
        let path = path.to_owned();
        let reason = error.to_string();
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => StoreError::Full { path },
            Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => {
                StoreError::Damaged { path, reason }
            }
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::Busy { path },
            Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => {
                StoreError::Refused { path, reason }
            }
            Some(_) => StoreError::Failed { path, reason },
            // Without a code of the database the row itself was not as written.
            None => StoreError::Damaged { path, reason },
        }
    }
}
