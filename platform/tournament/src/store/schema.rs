//! The tables of the database, and how it is opened.

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, ffi, params};

use super::{StoreError, checksum};
use crate::EngineEntry;

/// The format of the database; any change of the schema raises it.
pub(super) const FORMAT: i64 = 4;
/// "Tngn": what the file is, for `file` and for ourselves.
pub(super) const APPLICATION: i64 = 0x546e_676e;

/// `games.game` holds the packed actions. Who sat where follows from the number; it and the plies
/// and the duration are there for those who ask the database directly. Games of the same `line` are
/// the same game again. `tallies`, `pairs` and `lags` count the rows of `games`. `discarded` holds
/// the games that the host spoiled, and those of their pairs, which were played again and count
/// nowhere. A game's `sum` is that of its row; `sums` has those of the configuration and of all
/// counts together, and the format once more.
const SCHEMA: &str = "
CREATE TABLE event (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE engines (
    engine INTEGER PRIMARY KEY, label TEXT NOT NULL, name TEXT NOT NULL, version TEXT NOT NULL,
    hash TEXT NOT NULL, layers TEXT NOT NULL);
CREATE TABLE games (
    number INTEGER PRIMARY KEY, first INTEGER NOT NULL, second INTEGER NOT NULL,
    winner TEXT, termination TEXT NOT NULL, plies INTEGER NOT NULL, duration_ns INTEGER NOT NULL,
    game BLOB NOT NULL, detail TEXT, cause TEXT, cpu_ns INTEGER, waited_ns INTEGER,
    suspended_ns INTEGER, replays INTEGER NOT NULL, stopped_ns INTEGER NOT NULL,
    void INTEGER NOT NULL, began INTEGER, line INTEGER NOT NULL, sum INTEGER NOT NULL);
CREATE INDEX remarkable ON games (number)
    WHERE cause IS NOT NULL OR replays > 0 OR stopped_ns > 0 OR void;
CREATE TABLE discarded (
    number INTEGER NOT NULL, first INTEGER NOT NULL, second INTEGER NOT NULL,
    winner TEXT, termination TEXT NOT NULL, plies INTEGER NOT NULL, duration_ns INTEGER NOT NULL,
    game BLOB NOT NULL, detail TEXT, cause TEXT, cpu_ns INTEGER, waited_ns INTEGER,
    suspended_ns INTEGER, replays INTEGER NOT NULL, stopped_ns INTEGER NOT NULL,
    void INTEGER NOT NULL, began INTEGER, line INTEGER NOT NULL, sum INTEGER NOT NULL,
    PRIMARY KEY (number, replays)) WITHOUT ROWID;
CREATE TABLE tallies (
    first INTEGER NOT NULL, second INTEGER NOT NULL, winner TEXT NOT NULL,
    termination TEXT NOT NULL, games INTEGER NOT NULL,
    PRIMARY KEY (first, second, winner, termination)) WITHOUT ROWID;
CREATE TABLE pairs (
    one INTEGER NOT NULL, other INTEGER NOT NULL, earlier INTEGER NOT NULL,
    later INTEGER NOT NULL, pairs INTEGER NOT NULL,
    PRIMARY KEY (one, other, earlier, later)) WITHOUT ROWID;
CREATE TABLE lags (class INTEGER PRIMARY KEY, answers INTEGER NOT NULL);
CREATE TABLE sums (name TEXT PRIMARY KEY, sum INTEGER NOT NULL) WITHOUT ROWID;
";

/// Makes a new database at `path`, whole and on the disk when this returns.
pub(super) fn create(
    path: &Path,
    config: &str,
    labels: &[String],
    engines: &[EngineEntry],
) -> Result<(), StoreError> {
    let make = || -> rusqlite::Result<()> {
        let mut connection = Connection::open(path)?;
        connection.pragma_update(None, "page_size", 8192)?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        let transaction = connection.transaction()?;
        transaction.execute_batch(SCHEMA)?;
        transaction.pragma_update(None, "user_version", FORMAT)?;
        transaction.pragma_update(None, "application_id", APPLICATION)?;
        transaction.execute(
            "INSERT INTO event VALUES ('config', ?1), ('program', ?2)",
            params![config, env!("CARGO_PKG_VERSION")],
        )?;
        transaction.execute(
            "INSERT INTO sums VALUES ('format', ?1), ('config', ?2), ('tally', 0)",
            [FORMAT, checksum::of_text(config) as i64],
        )?;
        for (number, (label, engine)) in labels.iter().zip(engines).enumerate() {
            transaction.execute(
                "INSERT INTO engines VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                params![
                    number,
                    label,
                    engine.name,
                    engine.version,
                    engine.hash,
                    engine.layers.join(" "),
                ],
            )?;
        }
        transaction.commit()?;
        settle(&connection)?;
        connection.close().map_err(|(_, error)| error)
    };
    make().map_err(|error| StoreError::new(path, &error))
}

/// Moves everything from the log into the file, which can then be renamed. Closing a database does
/// so too, but does not tell when it could not.
pub(super) fn settle(connection: &Connection) -> rusqlite::Result<()> {
    let checkpoint = "PRAGMA wal_checkpoint(TRUNCATE)";
    match connection.query_row(checkpoint, [], |row| row.get::<_, i64>(0))? {
        0 => Ok(()),
        _ => Err(rusqlite::Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_BUSY), None)),
    }
}

/// Half a MiB, in KiB as SQLite counts it. Games are appended, and read in their order, so that
/// this holds the pages that are still in use. More would fill with those that are not, and the
/// memory of the program would grow with its event.
const CACHE: i64 = -512;

/// Bounds what a database that is whole keeps in memory.
pub(super) fn bound_memory(connection: &Connection) -> rusqlite::Result<()> {
    connection.pragma_update(None, "cache_size", CACHE)
}

/// Opens the database that is there, and makes none.
pub(super) fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(Duration::from_secs(10))?;
    Ok(connection)
}
