//! A database that may be read and not written: on a medium or in a folder that is read-only.

use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, ErrorCode, OpenFlags};
use tempfile::TempDir;

/// Whether the system refused to let a database be written.
pub(super) fn is_refused(error: &rusqlite::Error) -> bool {
    use ErrorCode::{CannotOpen, PermissionDenied, ReadOnly};
    matches!(error.sqlite_error_code(), Some(CannotOpen | PermissionDenied | ReadOnly))
}

/// A database that is read as it stands.
pub(super) struct FrozenStore {
    pub connection: Connection,
    /// Where its copy lies, if it had to be copied.
    pub copy: Option<TempDir>,
}

impl FrozenStore {
    /// Opens the database without any lock or file beside it. What is still in its log is read from
    /// a copy of both, for a log cannot be read without writing beside it.
    pub(super) fn open(path: &Path) -> Option<FrozenStore> {
        let log = beside(path, "-wal");
        if fs::metadata(&log).is_ok_and(|log| log.len() > 0) {
            let folder = tempfile::tempdir().ok()?;
            let copy = folder.path().join("event.db");
            fs::copy(path, &copy).ok()?;
            fs::copy(&log, beside(&copy, "-wal")).ok()?;
            let connection = super::schema::connect(&copy).ok()?;
            return Some(FrozenStore { connection, copy: Some(folder) });
        }
        // SQLite takes the path as a part of a URI.
        let absolute = fs::canonicalize(path).ok()?;
        let mut name = "file:".to_owned();
        for &byte in absolute.as_os_str().as_encoded_bytes() {
            match byte {
                b'/' | b'-' | b'_' | b'.' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => {
                    name.push(byte.into());
                }
                byte => name += &format!("%{byte:02X}"),
            }
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
            | OpenFlags::SQLITE_OPEN_URI
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(name + "?immutable=1", flags).ok()?;
        Some(FrozenStore { connection, copy: None })
    }
}

fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_the_file_and_in_the_log_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a %41?b#c.db");
        let connection = Connection::open(&path).unwrap();
        connection.pragma_update(None, "journal_mode", "WAL").unwrap();
        connection.execute_batch("CREATE TABLE t (x); INSERT INTO t VALUES (7)").unwrap();
        let read = |frozen: &FrozenStore| {
            frozen.connection.query_row("SELECT x FROM t", [], |row| row.get::<_, i64>(0)).unwrap()
        };
        // Its log is still there while it is open.
        let with_log = FrozenStore::open(&path).unwrap();
        assert!(with_log.copy.is_some() && read(&with_log) == 7);
        connection.close().unwrap();
        let without = FrozenStore::open(&path).unwrap();
        assert!(without.copy.is_none() && read(&without) == 7);
        let refused = without.connection.execute_batch("INSERT INTO t VALUES (8)").unwrap_err();
        assert!(is_refused(&refused), "{refused}");
    }
}
