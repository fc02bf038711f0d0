//! What went wrong with an event's database.

use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

/// What went wrong with an event's database. Whatever was told before is still in it.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// No room for another game.
    #[error(
        "{}: the disk is full; free some space and try again, with `tengen tournament resume` if \
         the event had begun: every game told so far is saved",
        path.display()
    )]
    Full { path: PathBuf },
    /// The file is no database, or a broken one.
    #[error(
        "{}: damaged, or not an event's database ({reason}); restore it from a copy, or go on with \
         `tengen tournament resume {} --repair`, which keeps every game that is whole and plays \
         the others again",
        path.display(), folder(path)
    )]
    Damaged {
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// There is no such file.
    #[error(
        "{}: is not there; put it back, or go on with `tengen tournament resume {} --repair`, \
         which keeps the games of games.jsonl and plays the others again",
        path.display(), folder(path)
    )]
    Missing { path: PathBuf },
    /// The file was there, and is not any more.
    #[error(
        "{}: was deleted or replaced while the event ran, so no game can be saved any more; put it \
         back, or go on with `tengen tournament resume {} --repair`, which keeps the games of \
         games.jsonl and plays the others again",
        path.display(), folder(path)
    )]
    Lost { path: PathBuf },
    /// The database is of another version of the program.
    #[error(
        "{}: written in format {found}, and this program reads format {expected}; use the version \
         of tengen that wrote it",
        path.display()
    )]
    Format {
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
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// Another program holds the database.
    #[error("{}: in use by another program; close that one and try again", path.display())]
    Busy { path: PathBuf },
    /// Anything else.
    #[error(
        "{}: {reason}; check the disk and try again, with `tengen tournament resume` if the event \
         had begun: every game told so far is saved",
        path.display()
    )]
    Failed {
        path: PathBuf,
        /// What the database says.
        reason: String,
    },
}

impl StoreError {
    /// For a file that is not as the program has written it.
    pub(crate) fn refused(path: &Path, error: &std::io::Error) -> StoreError {
        StoreError::Refused { path: path.to_owned(), reason: error.to_string() }
    }

    pub(crate) fn new(path: &Path, error: &rusqlite::Error) -> StoreError {
        let path = path.to_owned();
        let reason = error.to_string();
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => StoreError::Full { path },
            // The statements are always the same, so if they do not fit, the schema or a type is
            // wrong.
            Some(
                ErrorCode::NotADatabase
                | ErrorCode::DatabaseCorrupt
                | ErrorCode::TypeMismatch
                | ErrorCode::Unknown,
            ) => StoreError::Damaged { path, reason },
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::Busy { path },
            Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => {
                StoreError::Refused { path, reason }
            }
            Some(_) => StoreError::Failed { path, reason },
            // If the database gives no code, the row itself was not as written.
            None => StoreError::Damaged { path, reason },
        }
    }
}

fn folder(path: &Path) -> std::path::Display<'_> {
    path.parent().unwrap_or(path).display()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rusqlite::Connection;

    fn error_of(connection: &Connection, sql: &str) -> StoreError {
        StoreError::new(Path::new("event.db"), &connection.execute_batch(sql).unwrap_err())
    }

    #[test]
    fn a_full_disk_says_what_to_do() {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch("PRAGMA max_page_count = 3; CREATE TABLE t (x)").unwrap();
        let error = error_of(&connection, "INSERT INTO t VALUES (zeroblob(100000))");
        assert!(matches!(error, StoreError::Full { .. }));
        let text = error.to_string();
        assert!(text.starts_with("event.db: the disk is full; free some space"), "{text}");
    }

    #[test]
    fn a_database_that_may_not_be_written_is_told_from_one_in_use() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("event.db");
        let connection = Connection::open(&path).unwrap();
        connection.execute_batch("CREATE TABLE t (x); BEGIN IMMEDIATE").unwrap();
        let other = Connection::open(&path).unwrap();
        other.busy_timeout(std::time::Duration::ZERO).unwrap();
        assert!(matches!(error_of(&other, "INSERT INTO t VALUES (1)"), StoreError::Busy { .. }));
        other.pragma_update(None, "query_only", true).unwrap();
        let refused = error_of(&other, "INSERT INTO t VALUES (1)");
        assert!(matches!(refused, StoreError::Refused { .. }), "{refused}");
    }
}
