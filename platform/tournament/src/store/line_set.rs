//! The lines of the games of many events.

use rusqlite::{Connection, OptionalExtension, params};

use super::StoreError;
use crate::PlayedLines;

/// The lines of the games of many events and files. They are on the disk, so that
/// memory does not grow with games, and gone when this is dropped.
pub struct LineSet {
    connection: Connection,
}

impl LineSet {
    /// None yet.
    ///
    /// # Errors
    /// When there is no room for a temporary file.
    pub fn new() -> Result<LineSet, StoreError> {
        let open = || {
            // Without a name it is a temporary file.
            let connection = Connection::open("")?;
            let make = "CREATE TABLE lines (line INTEGER PRIMARY KEY, number INTEGER NOT NULL);
                        CREATE TABLE again (number INTEGER PRIMARY KEY);
                        BEGIN";
            connection.execute_batch(make)?;
            Ok(connection)
        };
        Ok(LineSet { connection: open().map_err(failed)? })
    }
}

impl PlayedLines for LineSet {
    type Error = StoreError;

    fn lowest(&mut self, line: u64) -> Result<Option<u64>, StoreError> {
        let query = "SELECT number FROM lines WHERE line = ?1";
        let asked = self.connection.prepare_cached(query);
        let found =
            asked.and_then(|mut it| it.query_row([line as i64], |row| row.get(0)).optional());
        found.map_err(failed)
    }

    fn set_lowest(&mut self, line: u64, number: u64) -> Result<(), StoreError> {
        let insert = "INSERT OR REPLACE INTO lines VALUES (?1, ?2)";
        let noted = self.connection.prepare_cached(insert);
        noted.and_then(|mut it| it.execute(params![line as i64, number])).map(drop).map_err(failed)
    }

    fn set_repeat(&mut self, number: u64) -> Result<bool, StoreError> {
        let insert = "INSERT OR IGNORE INTO again VALUES (?1)";
        let noted = self.connection.prepare_cached(insert);
        noted.and_then(|mut it| it.execute([number])).map(|rows| rows > 0).map_err(failed)
    }
}

fn failed(error: rusqlite::Error) -> StoreError {
    StoreError::new("a temporary file".as_ref(), &error)
}
