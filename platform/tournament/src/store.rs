mod error;
mod writer;

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, Row, params};
use tengen_arbiter::{GameResult, Nanos, Termination};
use tengen_rules::{BySeat, Seat};

use crate::tally::{GameKey, PairKey};
use crate::{EngineEntry, Tally};

pub use error::StoreError;
pub(crate) use writer::{Told, Writer};

/// The format of the database; any change of the schema raises it.
const FORMAT: i64 = 1;
/// "Tngn": what the file is, for `file` and for ourselves.
const APPLICATION: i64 = 0x546e_676e;
/// Rows read at a time, so that reading needs no more memory for more games.
const PAGE: usize = 256;

/// `games.game` holds the packed actions. Who sat where follows from the number; it and the plies
/// and the duration are there for those who ask the database directly. `tallies` and `pairs` count
/// the rows of `games`.
const SCHEMA: &str = "
CREATE TABLE event (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE engines (
    engine INTEGER PRIMARY KEY, label TEXT NOT NULL, name TEXT NOT NULL, version TEXT NOT NULL,
    hash TEXT NOT NULL, layers TEXT NOT NULL);
CREATE TABLE games (
    number INTEGER PRIMARY KEY, first INTEGER NOT NULL, second INTEGER NOT NULL,
    winner TEXT, termination TEXT NOT NULL, plies INTEGER NOT NULL, duration_ns INTEGER NOT NULL,
    game BLOB NOT NULL, detail TEXT);
CREATE TABLE tallies (
    first INTEGER NOT NULL, second INTEGER NOT NULL, winner TEXT NOT NULL,
    termination TEXT NOT NULL, games INTEGER NOT NULL,
    PRIMARY KEY (first, second, winner, termination)) WITHOUT ROWID;
CREATE TABLE pairs (
    one INTEGER NOT NULL, other INTEGER NOT NULL, earlier INTEGER NOT NULL,
    later INTEGER NOT NULL, pairs INTEGER NOT NULL,
    PRIMARY KEY (one, other, earlier, later)) WITHOUT ROWID;
";

/// A finished game as the store keeps it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct StoredGame {
    pub number: u64,
    pub seats: BySeat<usize>,
    pub result: GameResult,
    /// The stones on the board at the end.
    pub plies: u32,
    /// What all answers took together.
    pub duration: Nanos,
    /// The packed actions.
    pub packed: Vec<u8>,
    /// What there is to say about the end.
    pub detail: Option<String>,
}

/// An event's database, as its readers see it. Games are written by the [`Writer`] alone.
pub(crate) struct Store {
    connection: Connection,
    path: PathBuf,
}

impl Store {
    /// Makes a new database at `path`, whole and on the disk when this returns.
    pub fn create(
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
            // Closing moves everything from the log into the file, which can then be renamed.
            connection.close().map_err(|(_, error)| error)
        };
        make().map_err(|error| StoreError::new(path, &error))
    }

    /// Opens the database that is there.
    pub fn open(path: &Path) -> Result<Store, StoreError> {
        let error = |error: rusqlite::Error| StoreError::new(path, &error);
        let connection = connect(path).map_err(error)?;
        let number =
            |pragma| connection.pragma_query_value(None, pragma, |row| row.get::<_, i64>(0));
        let application = number("application_id").map_err(error)?;
        let found = number("user_version").map_err(error)?;
        if application != APPLICATION {
            let reason = "it lacks the mark of one".to_owned();
            return Err(StoreError::Damaged { path: path.to_owned(), reason });
        }
        if found != FORMAT {
            return Err(StoreError::Format { path: path.to_owned(), found, expected: FORMAT });
        }
        Ok(Store { connection, path: path.to_owned() })
    }

    /// The frozen configuration, as TOML.
    pub fn config(&self) -> Result<String, StoreError> {
        let query = "SELECT value FROM event WHERE key = 'config'";
        self.wrap(self.connection.query_row(query, [], |row| row.get(0)))
    }

    /// The games counted.
    pub fn tally(&self) -> Result<Tally, StoreError> {
        self.wrap(read_tally(&self.connection))
    }

    /// The games counted anew from the rows themselves; with an honest database the same as
    /// [`Store::tally`].
    pub fn recount(&self, twin: impl Fn(u64) -> Option<u64>) -> Result<Tally, StoreError> {
        let mut tally = Tally::default();
        let mut last: Option<StoredGame> = None;
        for game in self.games() {
            let game = game?;
            tally.add_game(game.seats, game.result);
            if let Some(last) = &last
                && twin(game.number) == Some(last.number)
            {
                tally.add_pair(last.seats, last.result.winner, game.result.winner);
            }
            last = Some(game);
        }
        Ok(tally)
    }

    /// The numbers up to `len` that are not finished, in order. A finished event has none, a
    /// stopped one a few single ones and the rest.
    pub fn unfinished(&self, len: u64) -> Result<Vec<Range<u64>>, StoreError> {
        let mut gaps = Vec::new();
        let mut next = 1;
        let mut query = || -> rusqlite::Result<bool> {
            let order = "SELECT number FROM games ORDER BY number";
            let mut statement = self.connection.prepare(order)?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                let number = row.get::<_, u64>(0)?;
                if !(next..=len).contains(&number) {
                    return Ok(false);
                }
                gaps.extend((next < number).then_some(next..number));
                next = number + 1;
            }
            Ok(true)
        };
        let scheduled = self.wrap(query())?;
        self.check(scheduled, "it has a game that is not in the schedule")?;
        gaps.extend((next <= len).then_some(next..len + 1));
        Ok(gaps)
    }

    /// The games in the order of their numbers, read as they are needed.
    pub fn games(&self) -> impl Iterator<Item = Result<StoredGame, StoreError>> + '_ {
        let mut page = Vec::new().into_iter();
        let mut after = 0;
        let mut over = false;
        std::iter::from_fn(move || {
            if page.as_slice().is_empty() && !over {
                match self.wrap(self.page(after)) {
                    Ok(games) => page = games.into_iter(),
                    Err(error) => {
                        over = true;
                        return Some(Err(error));
                    }
                }
            }
            let game: Option<StoredGame> = page.next();
            match &game {
                Some(game) => after = game.number,
                None => over = true,
            }
            game.map(Ok)
        })
    }

    fn page(&self, after: u64) -> rusqlite::Result<Vec<StoredGame>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT number, first, second, winner, termination, plies, duration_ns, game,
                    detail
             FROM games WHERE number > ?1 ORDER BY number LIMIT ?2",
        )?;
        let games = statement.query_map(params![after, PAGE as i64], |row| {
            Ok(StoredGame {
                number: row.get(0)?,
                seats: BySeat { first: index(row, 1)?, second: index(row, 2)? },
                result: GameResult { winner: winner(row, 3)?, termination: termination(row, 4)? },
                plies: row.get(5)?,
                duration: row.get(6)?,
                packed: row.get(7)?,
                detail: row.get(8)?,
            })
        })?;
        games.collect()
    }

    /// Refuses a database in which something that always holds does not.
    pub fn check(&self, holds: bool, otherwise: &str) -> Result<(), StoreError> {
        if holds {
            return Ok(());
        }
        Err(StoreError::Damaged { path: self.path.clone(), reason: otherwise.to_owned() })
    }

    fn wrap<T>(&self, result: rusqlite::Result<T>) -> Result<T, StoreError> {
        result.map_err(|error| StoreError::new(&self.path, &error))
    }
}

fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(Duration::from_secs(10))?;
    Ok(connection)
}

fn read_tally(connection: &Connection) -> rusqlite::Result<Tally> {
    let mut tally = Tally::default();
    let mut statement =
        connection.prepare("SELECT first, second, winner, termination, games FROM tallies")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let key = GameKey {
            first: index(row, 0)?,
            second: index(row, 1)?,
            winner: winner(row, 2)?,
            termination: termination(row, 3)?,
        };
        tally.games.insert(key, row.get(4)?);
    }
    let mut statement =
        connection.prepare("SELECT one, other, earlier, later, pairs FROM pairs")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let key = PairKey {
            one: index(row, 0)?,
            other: index(row, 1)?,
            earlier: half_points(row, 2)?,
            later: half_points(row, 3)?,
        };
        tally.pairs.insert(key, row.get(4)?);
    }
    Ok(tally)
}

fn index(row: &Row<'_>, column: usize) -> rusqlite::Result<usize> {
    row.get::<_, u16>(column).map(usize::from)
}

fn half_points(row: &Row<'_>, column: usize) -> rusqlite::Result<u8> {
    let value: u8 = row.get(column)?;
    if value > 2 {
        Err(rusqlite::Error::IntegralValueOutOfRange(column, value.into()))
    } else {
        Ok(value)
    }
}

/// A draw is NULL in `games` and empty in `tallies`, where it is part of the key.
fn winner(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<Seat>> {
    match row.get_ref(column)?.as_str_or_null()?.unwrap_or_default() {
        "" => Ok(None),
        name => match Seat::ALL.into_iter().find(|seat| seat.name() == name) {
            Some(seat) => Ok(Some(seat)),
            None => Err(unknown(column, name)),
        },
    }
}

fn termination(row: &Row<'_>, column: usize) -> rusqlite::Result<Termination> {
    let name = row.get_ref(column)?.as_str()?;
    Termination::from_name(name).ok_or_else(|| unknown(column, name))
}

fn unknown(column: usize, word: &str) -> rusqlite::Error {
    let error = format!("unknown word `{word}`").into();
    rusqlite::Error::FromSqlConversionFailure(column, rusqlite::types::Type::Text, error)
}
