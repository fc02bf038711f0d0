//! An event's database, as its readers see it.

mod changes;
mod checksum;
mod error;
mod evidence;
mod frozen;
mod identity;
mod line_set;
mod row;
mod rulings;
mod schema;
mod thread;
mod writer;

use std::collections::BTreeMap;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, InterruptHandle, params};
use tempfile::TempDir;
use tengen_arbiter::Termination;
use tengen_record::RecordWorker;
use tengen_rules::{BySeat, Seat};

use crate::summary::WorkerResults;
use crate::{EngineEntry, PairMaker, SpoiledGames, Tally};

pub(crate) use changes::{ChangeDraft, GameAct};
pub(crate) use checksum::Checksum;
pub use error::StoreError;
use frozen::{FrozenStore, is_refused};
pub(crate) use identity::FileIdentity;
pub use line_set::LineSet;
pub(crate) use row::StoredGame;
pub use row::{GameBatch, GameLine};
pub use rulings::Ruling;
pub(crate) use thread::StoreThread;
pub(crate) use writer::{Commit, StoreWriter};

/// Rows read at a time, so that reading needs no more memory for more games.
const PAGE: usize = 256;

/// The database or a file that SQLite keeps beside it, if it is a pipe or a device, which it might
/// wait for for ever, or leads elsewhere; with what is wrong. Each is asked for with one question:
/// a process that closes a database removes the files beside it. A copy of an event by hard links
/// is read: the database itself is written by [`StoreWriter`] alone.
fn odd_file(database: &Path) -> Option<(PathBuf, io::Error)> {
    let beside = ["-wal", "-shm", "-journal"].map(|end| {
        let mut name = database.as_os_str().to_owned();
        name.push(end);
        PathBuf::from(name)
    });
    let own = tengen_files::check_own(database).err();
    let own = own.map(|problem| (database.to_owned(), problem));
    own.or_else(|| {
        let odd = |path: &PathBuf| tengen_files::check_alone(path).err();
        beside.iter().find_map(|path| odd(path).map(|problem| (path.clone(), problem)))
    })
}

/// An event's database, as its readers see it. Games are written by [`StoreWriter`] alone.
pub(crate) struct Store {
    connection: Connection,
    path: PathBuf,
    is_frozen: bool,
    is_older: bool,
    /// Whether tables stand for others that the database lacks.
    is_lent: bool,
    /// What is read in its place, where it may not be written.
    _copy: Option<TempDir>,
}

impl Store {
    /// Makes a new database at `path`, whole and on the disk when this returns.
    pub fn create(
        path: &Path,
        config: &str,
        labels: &[String],
        engines: &[EngineEntry],
    ) -> Result<(), StoreError> {
        schema::create(path, config, labels, engines)
    }

    /// Opens the database that is there; where it may not be written, to be read as it stands.
    pub fn open(path: &Path) -> Result<Store, StoreError> {
        Store::open_as(path, true)
    }

    /// Opens the database that is there, which is about to be written.
    pub fn open_to_write(path: &Path) -> Result<Store, StoreError> {
        Store::open_as(path, false)
    }

    /// What ends a statement that another thread waits for.
    pub fn interrupt_handle(&self) -> InterruptHandle {
        self.connection.get_interrupt_handle()
    }

    /// Whether it lacks the tables that say which games are evidence.
    pub fn is_older(&self) -> bool {
        self.is_older
    }

    /// Whether it is to be opened again before it is written to: it shows only what was there when
    /// it was opened, or stands in for what is not there.
    pub fn is_only_read(&self) -> bool {
        self.is_frozen || self.is_lent
    }

    fn open_as(path: &Path, may_freeze: bool) -> Result<Store, StoreError> {
        if !path.exists() {
            return Err(StoreError::Missing { path: path.to_owned() });
        }
        if let Some((odd, problem)) = odd_file(path) {
            let reason = format!("{}: {problem}", odd.display());
            return Err(StoreError::Damaged { path: path.to_owned(), reason });
        }
        let error = |error: rusqlite::Error| StoreError::new(path, &error);
        let application_of = |connection: &Connection| -> rusqlite::Result<i64> {
            // A first read: where the database may not be written, it fails here.
            connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
            connection.pragma_query_value(None, "application_id", |row| row.get(0))
        };
        let opened = schema::connect(path)
            .and_then(|connection| application_of(&connection).map(|mark| (connection, mark)));
        let mut is_frozen = false;
        let (connection, application, copy) = match opened {
            Ok((connection, application)) => (connection, application, None),
            Err(refused) if may_freeze && is_refused(&refused) => {
                is_frozen = true;
                let FrozenStore { connection, copy } =
                    FrozenStore::open(path).ok_or_else(|| error(refused))?;
                let application = application_of(&connection).map_err(error)?;
                (connection, application, copy)
            }
            Err(other) => return Err(error(other)),
        };
        let number =
            |pragma| connection.pragma_query_value(None, pragma, |row| row.get::<_, i64>(0));
        let found = number("user_version").map_err(error)?;
        let (path, expected) = (path.to_owned(), schema::FORMAT);
        if application != schema::APPLICATION {
            return Err(StoreError::Damaged {
                path,
                reason: "it lacks the mark of one".to_owned(),
            });
        }
        // A database of another version states its format twice; a flipped bit changes only one.
        let is_older = found == schema::OLDER;
        if found != expected
            && row::read_sum(&connection, "format").is_ok_and(|said| said != found as u64)
        {
            return Err(StoreError::Damaged { path, reason: "its format is two".to_owned() });
        }
        if found != expected && !is_older {
            return Err(StoreError::Format { path, found, expected });
        }
        let add = || if may_freeze { Ok(()) } else { schema::add_younger(&connection) };
        let is_lent = schema::bound_memory(&connection)
            .and_then(|()| add())
            .and_then(|()| schema::lend_tables(&connection))
            .map_err(|error| StoreError::new(&path, &error))?;
        Ok(Store { connection, path, is_frozen, is_older, is_lent, _copy: copy })
    }

    /// Opens a database that is damaged, to read what is whole of it.
    pub fn salvage(path: &Path) -> Option<Store> {
        let connection = odd_file(path).is_none().then(|| schema::connect(path).ok())??;
        // What it cannot be asked then is found damaged.
        let _damaged = schema::lend_tables(&connection);
        let (path, is_frozen, is_older, is_lent) = (path.to_owned(), false, false, true);
        Some(Store { connection, path, is_frozen, is_older, is_lent, _copy: None })
    }

    /// The frozen configuration, as TOML.
    pub fn config(&self) -> Result<String, StoreError> {
        let query = "SELECT value FROM event WHERE key = 'config'";
        let text: String = self.wrap(self.connection.query_row(query, [], |row| row.get(0)))?;
        let sum = self.wrap(row::read_sum(&self.connection, "config"))?;
        self.check(sum == checksum::of_text(&text), "its configuration is not as it was written")?;
        Ok(text)
    }

    /// The games counted.
    pub fn tally(&self) -> Result<Tally, StoreError> {
        let read = || {
            // The counts and their sum as of one commit: another program may be writing.
            let snapshot = self.connection.unchecked_transaction()?;
            Ok((row::read_tally(&snapshot)?, row::read_sum(&snapshot, "tally")?))
        };
        let (tally, sum) = self.wrap(read())?;
        self.check(tally.sum() == sum, "its counts are not as they were written")?;
        Ok(tally)
    }

    /// Reads as of one moment, whatever another program writes meanwhile.
    pub fn at_one_moment<T>(&self, read: impl FnOnce() -> T) -> Result<T, StoreError> {
        let snapshot = self.wrap(self.connection.unchecked_transaction())?;
        let told = read();
        self.wrap(snapshot.finish())?;
        Ok(told)
    }

    /// Whether the database is whole: every page, every game, and every count.
    pub fn verify(&self, twin: impl Fn(u64) -> Option<u64>) -> Result<(), StoreError> {
        let query = |row: &rusqlite::Row<'_>| row.get::<_, String>(0);
        let told = self.wrap(self.connection.query_row("PRAGMA quick_check(1)", [], query))?;
        self.check(told == "ok", &told)?;
        self.check_evidence()?;
        let counted = self.recount(twin)? == self.tally()?;
        self.check(counted, "the games it has are not the ones it has counted")
    }

    /// The games counted anew from the rows themselves; with an honest database the same as
    /// [`Store::tally`].
    pub fn recount(&self, twin: impl Fn(u64) -> Option<u64>) -> Result<Tally, StoreError> {
        let mut tally = Tally::default();
        let mut pairs = PairMaker::default();
        for game in self.games() {
            let game = game?;
            tally.add_lags(game.lags());
            if game.conditions.is_void {
                tally.add_void(game.seats);
                continue;
            }
            tally.add_game(game.seats, game.result);
            if let Some(pair) = pairs.add(game.ended(), twin(game.number)) {
                pair.count(&mut tally);
                if game.is_again {
                    pair.repeat(&mut tally);
                }
            }
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

    /// The greatest number of a finished game; 0 without any.
    pub fn last(&self) -> Result<u64, StoreError> {
        let query = "SELECT coalesce(max(number), 0) FROM games";
        self.wrap(self.connection.query_row(query, [], |row| row.get(0)))
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

    /// Shows what a list has of the finished games of all these engines and with this termination,
    /// where one is given, in the order of their numbers.
    pub fn list(
        &self,
        engines: &[usize],
        termination: Option<Termination>,
        mut see: impl FnMut(GameLine),
    ) -> Result<(), StoreError> {
        let mut query = "SELECT number, first, second, winner, termination, plies, duration_ns
                         FROM games WHERE true"
            .to_owned();
        for engine in engines {
            query += &format!(" AND {engine} IN (first, second)");
        }
        if let Some(termination) = termination {
            query += &format!(" AND termination = '{}'", termination.name());
        }
        let read = || {
            let mut statement = self.connection.prepare(&(query + " ORDER BY number"))?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                see(GameLine::read(row)?);
            }
            Ok(())
        };
        self.wrap(read())
    }

    /// Counts the games that the host spoiled.
    pub fn spoiled(&self) -> Result<SpoiledGames, StoreError> {
        let mut spoiled = SpoiledGames::default();
        self.remarkable(|game| spoiled.add(&game.finished()))?;
        self.discarded(|game| spoiled.add_discarded(&game.finished()))?;
        Ok(spoiled)
    }

    /// Shows the games that count, or are void, and that the host had to do with, in order.
    pub fn remarkable(&self, see: impl FnMut(StoredGame)) -> Result<(), StoreError> {
        let columns = StoredGame::COLUMNS;
        // So worded, it is answered from the index of such games.
        let query = format!(
            "SELECT {columns} FROM games
             WHERE cause IS NOT NULL OR replays > 0 OR stopped_ns > 0 OR void ORDER BY number"
        );
        self.wrap(self.each(&query, see))
    }

    /// How the games that count ended, of each worker of another process that played some, by name.
    pub fn by_worker(&self) -> Result<Vec<WorkerResults>, StoreError> {
        let query = "SELECT about, first, second, winner, count(*)
                     FROM played_by JOIN workers USING (worker)
                     JOIN games ON number = played_by.game AND replays = replay
                     WHERE NOT void GROUP BY about, first, second, winner";
        let read = || {
            let mut statement = self.connection.prepare(query)?;
            let mut rows = statement.query([])?;
            let mut workers: BTreeMap<RecordWorker, WorkerResults> = BTreeMap::new();
            while let Some(row) = rows.next()? {
                let Some(worker) = row::worker(row, 0)? else { continue };
                let seats = BySeat { first: row::index(row, 1)?, second: row::index(row, 2)? };
                let results = workers.entry(worker.clone());
                let results =
                    results.or_insert_with(|| WorkerResults { worker, ..WorkerResults::default() });
                let score = results.games.entry([seats.first, seats.second]).or_default();
                let count = match row::winner(row, 3)? {
                    Some(Seat::First) => &mut score.wins,
                    None => &mut score.draws,
                    Some(Seat::Second) => &mut score.losses,
                };
                *count += row.get::<_, u64>(4)?;
            }
            Ok(workers.into_values().collect())
        };
        self.wrap(read())
    }

    /// Shows the games that ended so, and those that the host had to do with, in order.
    pub fn ended_by(
        &self,
        terminations: impl Iterator<Item = Termination>,
        see: impl FnMut(StoredGame),
    ) -> Result<(), StoreError> {
        let columns = StoredGame::COLUMNS;
        let names: Vec<_> = terminations.map(|one| format!("'{}'", one.name())).collect();
        let names = names.join(", ");
        let query = format!(
            "SELECT {columns} FROM games WHERE termination IN ({names})
             OR cause IS NOT NULL OR stopped_ns > 0 OR void ORDER BY number"
        );
        self.wrap(self.each(&query, see))
    }

    /// Whether any game was played again.
    pub fn has_discarded(&self) -> Result<bool, StoreError> {
        let query = "SELECT EXISTS (SELECT 1 FROM discarded)";
        self.wrap(self.connection.query_row(query, [], |row| row.get(0)))
    }

    /// Shows the games that were played again and count nowhere, in order.
    pub fn discarded(&self, see: impl FnMut(StoredGame)) -> Result<(), StoreError> {
        let columns = StoredGame::COLUMNS;
        let query = format!("SELECT {columns} FROM discarded ORDER BY number, replays");
        self.wrap(self.each(&query, see))
    }

    fn each(&self, query: &str, mut see: impl FnMut(StoredGame)) -> rusqlite::Result<()> {
        let mut statement = self.connection.prepare(query)?;
        for game in statement.query_map([], StoredGame::read)? {
            see(game?);
        }
        Ok(())
    }

    /// The game of that number, if it is there and whole.
    pub fn game(&self, number: u64) -> Option<StoredGame> {
        let columns = StoredGame::COLUMNS;
        let query = format!("SELECT {columns} FROM games WHERE number = ?1");
        let mut statement = self.connection.prepare_cached(&query).ok()?;
        statement.query_row([number], StoredGame::read).ok()
    }

    fn page(&self, after: u64) -> rusqlite::Result<Vec<StoredGame>> {
        let columns = StoredGame::COLUMNS;
        let query =
            format!("SELECT {columns} FROM games WHERE number > ?1 ORDER BY number LIMIT ?2");
        let mut statement = self.connection.prepare_cached(&query)?;
        let games = statement.query_map(params![after, PAGE as i64], StoredGame::read)?;
        games.collect()
    }

    /// Refuses a database that breaks an invariant.
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
