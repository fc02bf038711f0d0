//! The lines of the games of many events.

use rusqlite::Connection;

use super::StoreError;
use crate::CountedLines;

/// The lines that are counted of the games of many events and files. They are on the disk, so that
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
            let make = "CREATE TABLE lines (line INTEGER PRIMARY KEY); BEGIN";
            connection.execute_batch(make)?;
            Ok(connection)
        };
        Ok(LineSet { connection: open().map_err(failed)? })
    }
}

impl CountedLines for LineSet {
    type Error = StoreError;

    fn has(&mut self, line: u64) -> Result<bool, StoreError> {
        let query = "SELECT EXISTS (SELECT 1 FROM lines WHERE line = ?1)";
        let asked = self.connection.prepare_cached(query);
        asked.and_then(|mut it| it.query_row([line as i64], |row| row.get(0))).map_err(failed)
    }

    fn note(&mut self, line: u64) -> Result<(), StoreError> {
        let insert = "INSERT INTO lines VALUES (?1) ON CONFLICT DO NOTHING";
        let noted = self.connection.prepare_cached(insert);
        noted.and_then(|mut it| it.execute([line as i64])).map(drop).map_err(failed)
    }
}

fn failed(error: rusqlite::Error) -> StoreError {
    StoreError::new("a temporary file".as_ref(), &error)
}
