//! Work with a database that can be stopped: reading a large one takes long.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use rusqlite::InterruptHandle;

use super::EventError;
use crate::Stop;

/// How soon a request to stop is seen.
const TICK: Duration = Duration::from_millis(10);

/// What came of work with a database; none where it was stopped.
///
/// # Errors
/// When the work fails by itself.
pub(super) fn until_stopped<T>(
    handle: &InterruptHandle,
    stop: &Stop,
    work: impl FnOnce() -> Result<T, EventError>,
) -> Result<Option<T>, EventError> {
    if stop.is_requested() {
        return Ok(None);
    }
    let is_done = AtomicBool::new(false);
    thread::scope(|scope| {
        let guard = scope.spawn(|| {
            while !is_done.load(Ordering::SeqCst) {
                // It ends the statement that runs, so that one after the other is ended.
                if stop.is_requested() {
                    handle.interrupt();
                }
                thread::park_timeout(TICK);
            }
        });
        let done = work();
        is_done.store(true, Ordering::SeqCst);
        guard.thread().unpark();
        match done {
            Err(_) if stop.is_requested() => Ok(None),
            done => done.map(Some),
        }
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use rusqlite::Connection;

    use super::*;
    use crate::StoreError;

    /// A query that never ends by itself.
    const ENDLESS: &str = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)
                           SELECT count(*) FROM n";

    fn ask(connection: &Connection, query: &str) -> Result<i64, EventError> {
        let error = |error| StoreError::new(Path::new("event.db"), &error).into();
        connection.query_row(query, [], |row| row.get(0)).map_err(error)
    }

    #[test]
    fn what_reads_for_long_obeys_a_stop() {
        let connection = Connection::open_in_memory().unwrap();
        let (handle, stop) = (connection.get_interrupt_handle(), Stop::new());
        let asked = || until_stopped(&handle, &stop, || ask(&connection, ENDLESS));
        let came = thread::scope(|scope| {
            scope.spawn(|| stop.request());
            asked()
        });
        assert!(matches!(came, Ok(None)), "{came:?}");
        assert!(matches!(asked(), Ok(None)), "and nothing is begun after it");
    }

    #[test]
    fn what_is_not_stopped_is_done_or_fails() {
        let connection = Connection::open_in_memory().unwrap();
        let (handle, stop) = (connection.get_interrupt_handle(), Stop::new());
        let asked = |query| until_stopped(&handle, &stop, || ask(&connection, query));
        assert_eq!(asked("SELECT 7").unwrap(), Some(7));
        assert!(asked("SELECT nothing").is_err());
    }
}
