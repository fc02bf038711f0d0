//! The tables of the database, and how it is opened.

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, ffi, params};

use super::{StoreError, checksum};
use crate::EngineEntry;

/// The format of the database; any change of the schema raises it.
pub(super) const FORMAT: i64 = 5;
/// The format that lacks [`EVIDENCE`]; it is read, and brought up to date where it is written.
pub(super) const OLDER: i64 = 4;
/// "Tngn": what the file is, for `file` and for ourselves.
pub(super) const APPLICATION: i64 = 0x546e_676e;

/// `games.game` holds the packed actions. The seats follow from the number; they and the plies
/// and the duration are there for people who ask the database directly. `tallies`, `pairs`,
/// `repeats` and `lags` count the rows of `games`. `discarded` holds
/// the games that the host spoiled, and those of their pairs, which were played again and count
/// nowhere. A game's `sum` is that of its row; `sums` has those of the configuration, of all counts
/// together and of [`EVIDENCE`], and the format once more.
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

/// `lines` has the line of every game of a pair, and the number of the first pair that has it; and
/// `again` the numbers of the games that are no evidence: of a pair both. `repeats` counts them; a
/// game that has no other one has 3 for `later`.
const EVIDENCE: &str = "
CREATE TABLE again (number INTEGER PRIMARY KEY);
CREATE TABLE lines (line INTEGER PRIMARY KEY, number INTEGER NOT NULL);
CREATE TABLE repeats (
    one INTEGER NOT NULL, other INTEGER NOT NULL, earlier INTEGER NOT NULL,
    later INTEGER NOT NULL, times INTEGER NOT NULL,
    PRIMARY KEY (one, other, earlier, later)) WITHOUT ROWID;
";

/// Which worker of another process played a game, or one that was played again in its place, where
/// it was one: `about` is a worker as records have it.
const WORKERS: &str = "
CREATE TABLE IF NOT EXISTS workers (worker INTEGER PRIMARY KEY, about TEXT NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS played_by (
    game INTEGER NOT NULL, replay INTEGER NOT NULL, worker INTEGER NOT NULL,
    PRIMARY KEY (game, replay)) WITHOUT ROWID;
";

/// What a referee ruled of a game, or of one that is played again in its place: `about` is a ruling
/// as records have it.
const RULINGS: &str = "
CREATE TABLE IF NOT EXISTS rulings (
    game INTEGER NOT NULL, replay INTEGER NOT NULL, is_replay INTEGER NOT NULL,
    about TEXT NOT NULL, PRIMARY KEY (game, replay)) WITHOUT ROWID;
";

/// Makes the tables of [`WORKERS`] and [`RULINGS`] where they are not there.
pub(super) fn add_younger(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch(WORKERS)?;
    connection.execute_batch(RULINGS)
}

/// Makes the tables of [`EVIDENCE`], empty.
pub(super) fn add_evidence(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch(EVIDENCE)?;
    connection.execute("INSERT INTO sums VALUES ('evidence', 0)", []).map(drop)
}

/// Makes them, and those of [`WORKERS`] and [`RULINGS`], for this connection alone where the
/// database, an older one, has none. The connection sees these from then on. Whether any was lent.
pub(super) fn lend_tables(connection: &Connection) -> rusqlite::Result<bool> {
    let mut lent = false;
    let query = "SELECT EXISTS (SELECT 1 FROM main.sqlite_schema WHERE name = 'again')";
    if !connection.query_row(query, [], |row| row.get::<_, bool>(0))? {
        connection.execute_batch(&EVIDENCE.replace("CREATE TABLE", "CREATE TEMP TABLE"))?;
        lent = true;
    }
    for (table, younger) in [("played_by", WORKERS), ("rulings", RULINGS)] {
        let query = "SELECT EXISTS (SELECT 1 FROM main.sqlite_schema WHERE name = ?1)";
        if !connection.query_row(query, [table], |row| row.get::<_, bool>(0))? {
            connection.execute_batch(&younger.replace("CREATE TABLE", "CREATE TEMP TABLE"))?;
            lent = true;
        }
    }
    Ok(lent)
}

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
        add_evidence(&transaction)?;
        add_younger(&transaction)?;
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
