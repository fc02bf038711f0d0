//! A database that may be read but not written: on a read-only medium or in a read-only folder.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags};
use tempfile::TempDir;

/// How often copying is tried while another process may be writing to the files.
const COPIES: u32 = 5;

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
    /// Opens the database for reading. While a process writes to it, SQLite's files beside it
    /// exist, and a read sees one commit or the next. If they do not exist, no process writes, and
    /// the database is read without any lock or file beside it. If it still has a log, both are
    /// copied and read there, because SQLite cannot read a log without writing beside it.
    pub(super) fn open(path: &Path) -> Option<FrozenStore> {
        if let Some(connection) = read_only(path) {
            return Some(FrozenStore { connection, copy: None });
        }
        let log = beside(path, "-wal");
        if fs::metadata(&log).is_ok_and(|log| log.len() > 0) {
            let folder = tempfile::tempdir().ok()?;
            let copy = folder.path().join("event.db");
            copy_quiet([(path, &copy), (&log, &beside(&copy, "-wal"))], fs::copy)?;
            let connection = super::schema::connect(&copy).ok()?;
            return Some(FrozenStore { connection, copy: Some(folder) });
        }
        // The path becomes part of a URI for SQLite.
        let absolute = dunce::canonicalize(path).ok()?;
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

/// The database with the files beside it as they are, if they may be read so.
fn read_only(path: &Path) -> Option<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).ok()?;
    connection.busy_timeout(Duration::from_secs(10)).ok()?;
    connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(())).ok()?;
    Some(connection)
}

/// Copies files that belong together, if none of them is written to meanwhile.
fn copy_quiet(
    files: [(&Path, &Path); 2],
    mut copy: impl FnMut(PathBuf, PathBuf) -> io::Result<u64>,
) -> Option<()> {
    let seen = |from: &Path| {
        Some((fs::metadata(from).ok()?.len(), fs::metadata(from).ok()?.modified().ok()))
    };
    let seen = || files.map(|(from, _)| seen(from));
    for _ in 0..COPIES {
        let before = seen();
        for (from, to) in files {
            copy(from.to_owned(), to.to_owned()).ok()?;
        }
        if seen() == before {
            return Some(());
        }
    }
    None
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
        // Windows has no `?` in names.
        let name = if cfg!(windows) { "a %41&b#c.db" } else { "a %41?b#c.db" };
        let path = folder.path().join(name);
        let connection = Connection::open(&path).unwrap();
        connection.pragma_update(None, "journal_mode", "WAL").unwrap();
        connection.execute_batch("CREATE TABLE t (x); INSERT INTO t VALUES (7)").unwrap();
        let read = |frozen: &FrozenStore| {
            frozen.connection.query_row("SELECT x FROM t", [], |row| row.get::<_, i64>(0)).unwrap()
        };
        // While another process has it open, it is read where it is.
        let with_log = FrozenStore::open(&path).unwrap();
        assert!(with_log.copy.is_none() && read(&with_log) == 7);
        connection.execute("UPDATE t SET x = 9", []).unwrap();
        assert_eq!(read(&with_log), 9, "and what is written meanwhile is seen");
        drop(with_log);
        connection.execute("UPDATE t SET x = 7", []).unwrap();
        connection.close().unwrap();
        let without = FrozenStore::open(&path).unwrap();
        assert_eq!(read(&without), 7);
        let refused = without.connection.execute_batch("INSERT INTO t VALUES (8)").unwrap_err();
        assert!(is_refused(&refused), "{refused}");
    }

    /// A pair of files that are written to while they are copied is not taken for one.
    #[test]
    fn a_copy_of_files_that_change_is_not_taken() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("a"), "one").unwrap();
        fs::write(at("b"), "two").unwrap();
        let files = [(at("a"), at("c")), (at("b"), at("d"))];
        let pairs = files.each_ref().map(|(from, to)| (from.as_path(), to.as_path()));
        assert!(copy_quiet(pairs, fs::copy).is_some());
        assert_eq!(fs::read_to_string(at("d")).unwrap(), "two");
        let write_meanwhile = |from: PathBuf, to: PathBuf| {
            let copied = fs::copy(&from, to)?;
            fs::write(&from, vec![b'x'; copied as usize + 1])?;
            Ok(copied)
        };
        assert!(copy_quiet(pairs, write_meanwhile).is_none());
    }
}
