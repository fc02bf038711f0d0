//! Writes finished games to the database.

use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use rusqlite::{Connection, Statement, Transaction, TransactionBehavior, params};
use tengen_rules::{BySeat, Seat};
use tengen_stats::Spread;

use super::evidence::StoredLines;
use super::identity::FileIdentity;
use super::schema::{add_younger, bound_memory, connect, settle};
use super::{GameBatch, StoreError, StoredGame, row};
use crate::evidence::{EndedGame, EndedPair, PlayedLines};
use crate::tally::Counts;
use crate::{FinishedGame, Schedule, Tally};

/// The most games in one commit, and the bytes of games after which none is added to it, so that
/// its memory and its wait are bounded.
const BATCH: usize = 4096;
const BATCH_BYTES: usize = 4 << 20;

/// How long others can write between two commits where games never end coming.
const GAP: Duration = Duration::from_millis(1);

/// One commit, after it returned.
#[derive(Debug, Default)]
pub(crate) struct Commit {
    /// The games that are now durable, in the order in which they ended.
    pub games: Vec<FinishedGame>,
    /// The same as they are stored.
    pub stored: Vec<StoredGame>,
    /// Those that are played again in their place, and count nowhere.
    pub discarded: Vec<StoredGame>,
    /// The same, counted.
    pub tally: Tally,
}

/// An event's database, to be written to.
///
/// A game that is in the database already (its commit had reached the disk when the program was
/// killed, but it was not told) is passed over and counted nowhere.
pub(crate) struct StoreWriter {
    connection: Connection,
    path: PathBuf,
    identity: FileIdentity,
    schedule: Schedule,
    /// Whether its games are just played, and know of no earlier one in their place.
    is_live: bool,
}

impl StoreWriter {
    /// Opens the database that is there, to write games of this schedule to it.
    pub fn open(path: &Path, schedule: Schedule) -> Result<StoreWriter, StoreError> {
        let open = || {
            let connection = connect(path)?;
            connection.pragma_update(None, "synchronous", "FULL")?;
            bound_memory(&connection)?;
            add_younger(&connection)?;
            // The log is moved into the file every 8 MiB, and gives the room back.
            connection.pragma_update(None, "wal_autocheckpoint", 1024)?;
            connection.pragma_update(None, "journal_size_limit", 16 << 20)?;
            Ok(connection)
        };
        tengen_files::check_alone(path).map_err(|error| StoreError::refused(path, &error))?;
        let connection = open().map_err(|error| StoreError::new(path, &error))?;
        let identity = FileIdentity::of(path);
        let path = path.to_owned();
        Ok(StoreWriter { connection, path, identity, schedule, is_live: false })
    }

    /// The same for games that are just played: those that a referee had played again are numbered
    /// behind the earlier ones in their place.
    pub fn of_live_games(self) -> StoreWriter {
        StoreWriter { is_live: true, ..self }
    }

    /// One transaction, durable when this returns: the games, as they come, until there is none or
    /// the transaction is full.
    ///
    /// # Errors
    /// When the database failed. None of the games is in it then, as far as can be told.
    pub fn commit(&mut self, games: impl Iterator<Item = GameBatch>) -> Result<Commit, StoreError> {
        let commit = self.write(games).map_err(|error| StoreError::new(&self.path, &error))?;
        // A file that was deleted takes games as before, and they are gone with it.
        self.identity.check(&self.path)?;
        Ok(commit)
    }

    /// Which file it writes to.
    pub fn identity(&self) -> FileIdentity {
        self.identity
    }

    /// Closes the database in order.
    pub fn close(self) -> Result<(), StoreError> {
        let StoreWriter { connection, path, .. } = self;
        connection.close().map_err(|(_, error)| StoreError::new(&path, &error))
    }

    /// Closes the database with everything in its one file, which can then be renamed.
    pub fn settle(self) -> Result<(), StoreError> {
        settle(&self.connection).map_err(|error| StoreError::new(&self.path, &error))?;
        self.close()
    }

    fn write(&mut self, games: impl Iterator<Item = GameBatch>) -> rusqlite::Result<Commit> {
        // No lock on the database is held while waiting for more games: another process may want to
        // change the event.
        let (games, is_full) = one_commit(games);
        if is_full {
            thread::sleep(GAP);
        }
        let is_live = self.is_live;
        let transaction =
            self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let mut commit = Commit::default();
        {
            let mut statements = Statements::new(&transaction)?;
            for GameBatch { games, lags, discarded } in games {
                for (mut game, lags) in games.into_iter().zip(lags) {
                    if is_live {
                        statements.number_replay(&mut game)?;
                    }
                    if statements.insert(&self.schedule, &game, &mut commit)? {
                        commit.tally.add_lags(lags);
                        commit.games.push(game.finished());
                        commit.stored.push(game);
                    }
                }
                for mut game in discarded {
                    if is_live {
                        statements.number_replay(&mut game)?;
                    }
                    if write_row(&mut statements.discard, &game)? > 0 {
                        statements.note_about(&game)?;
                        commit.discarded.push(game);
                    }
                }
            }
            statements.lines.settle()?;
        }
        bump(&transaction, &commit.tally)?;
        transaction.commit()?;
        Ok(commit)
    }

    /// Simulates a full disk once the database has grown by so many pages.
    #[cfg(test)]
    pub fn leave_room_for(&self, pages: i64) {
        let count: i64 = self
            .connection
            .pragma_query_value(None, "page_count", |row| row.get(0))
            .expect("a database counts its pages");
        let pragma = format!("PRAGMA max_page_count = {}", count + pages);
        self.connection.query_row(&pragma, [], |_| Ok(())).expect("a limit");
    }

    /// Lets no more be written.
    #[cfg(test)]
    pub fn seal(&self) {
        self.connection.pragma_update(None, "query_only", true).expect("a pragma");
    }
}

struct Statements<'a> {
    insert: rusqlite::CachedStatement<'a>,
    discard: rusqlite::CachedStatement<'a>,
    worker: rusqlite::CachedStatement<'a>,
    played_by: rusqlite::CachedStatement<'a>,
    ruling: rusqlite::CachedStatement<'a>,
    replays: rusqlite::CachedStatement<'a>,
    seen: rusqlite::CachedStatement<'a>,
    lines: StoredLines<'a>,
}

impl Statements<'_> {
    fn new<'a>(transaction: &'a Transaction<'_>) -> rusqlite::Result<Statements<'a>> {
        Ok(Statements {
            insert: transaction.prepare_cached(&row_into("games"))?,
            discard: transaction.prepare_cached(&row_into("discarded"))?,
            worker: transaction
                .prepare_cached("INSERT INTO workers (about) VALUES (?1) ON CONFLICT DO NOTHING")?,
            played_by: transaction.prepare_cached(
                "INSERT INTO played_by SELECT ?1, ?2, worker FROM workers WHERE about = ?3",
            )?,
            ruling: transaction.prepare_cached("INSERT INTO rulings VALUES (?1, ?2, ?3, ?4)")?,
            replays: transaction
                .prepare_cached("SELECT max(replay) FROM rulings WHERE game = ?1 AND is_replay")?,
            seen: transaction.prepare_cached(
                "SELECT first, second, winner, line FROM games WHERE number = ?1 AND NOT void",
            )?,
            lines: StoredLines::new(transaction)?,
        })
    }

    /// Counts the times that a referee had a game played again, where it comes from a table.
    fn number_replay(&mut self, game: &mut StoredGame) -> rusqlite::Result<()> {
        let last: Option<u32> = self.replays.query_row([game.number], |row| row.get(0))?;
        game.conditions.replays += last.map_or(0, |last| last + 1);
        Ok(())
    }

    /// Notes which worker of another process played a game that was added, and what a referee
    /// ruled of it.
    fn note_about(&mut self, game: &StoredGame) -> rusqlite::Result<()> {
        if let Some(ruling) = &game.ruling {
            let (number, replays) = (game.number, game.conditions.replays);
            let is_replay = ruling.played.is_none();
            self.ruling.execute(params![number, replays, is_replay, row::ruling_text(ruling)])?;
        }
        let Some(worker) = &game.worker else { return Ok(()) };
        let about = serde_json::to_string(worker).expect("every key is a string");
        self.worker.execute([&about])?;
        self.played_by.execute(params![game.number, game.conditions.replays, about]).map(drop)
    }

    /// Adds and counts a game; false where it is there already.
    fn insert(
        &mut self,
        schedule: &Schedule,
        game: &StoredGame,
        commit: &mut Commit,
    ) -> rusqlite::Result<bool> {
        let inserted = write_row(&mut self.insert, game)?;
        if inserted == 0 {
            return Ok(false);
        }
        self.note_about(game)?;
        if game.conditions.is_void {
            commit.tally.add_void(game.seats);
            return Ok(true);
        }
        commit.tally.add_game(game.seats, game.result);
        let other = match schedule.twin(game.number) {
            None => None,
            Some(twin) => match seen(&mut self.seen, twin)? {
                None => return Ok(true),
                other => other,
            },
        };
        let pair = EndedPair::of(game.ended(), other);
        pair.count(&mut commit.tally);
        for number in self.lines.add(pair.earlier.number, &pair.lines())? {
            self.repeat(schedule, number, commit)?;
        }
        Ok(true)
    }

    /// Counts the pair or the single game of that number as no evidence.
    fn repeat(
        &mut self,
        schedule: &Schedule,
        number: u64,
        commit: &mut Commit,
    ) -> rusqlite::Result<()> {
        let Some(earlier) = seen(&mut self.seen, number)? else { return Ok(()) };
        let mut pair = EndedPair { earlier, later: None };
        if let Some(twin) = schedule.twin(number) {
            pair.later = seen(&mut self.seen, twin)?;
            if pair.later.is_none() {
                return Ok(());
            }
            self.lines.set_repeat(twin)?;
        }
        pair.repeat(&mut commit.tally);
        Ok(())
    }
}

/// What adds a row to a table of games, unless it is there.
pub(super) fn row_into(table: &str) -> String {
    format!(
        "INSERT INTO {table} VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14,
         ?15, ?16, ?17, ?18, ?19) ON CONFLICT DO NOTHING"
    )
}

/// Adds a row, and gives how many that made.
pub(super) fn write_row(
    statement: &mut Statement<'_>,
    game: &StoredGame,
) -> rusqlite::Result<usize> {
    let forfeit = game.conditions.forfeit;
    statement.execute(params![
        game.number,
        game.seats.first,
        game.seats.second,
        game.result.winner.map(Seat::name),
        game.result.termination.name(),
        game.plies,
        game.duration,
        game.packed,
        game.detail,
        forfeit.map(|forfeit| forfeit.cause.name()),
        forfeit.map(|forfeit| forfeit.cpu_stats.cpu),
        forfeit.map(|forfeit| forfeit.cpu_stats.waited),
        forfeit.map(|forfeit| forfeit.cpu_stats.suspended),
        game.conditions.replays,
        game.conditions.stopped,
        game.conditions.is_void,
        game.conditions.began,
        game.line as i64,
        game.sum() as i64,
    ])
}

/// A game that may not be finished yet.
fn seen(statement: &mut Statement<'_>, number: u64) -> rusqlite::Result<Option<EndedGame>> {
    let mut rows = statement.query([number])?;
    let Some(row) = rows.next()? else { return Ok(None) };
    let seats = BySeat { first: row::index(row, 0)?, second: row::index(row, 1)? };
    let line = row.get::<_, i64>(3)? as u64;
    Ok(Some(EndedGame { number, seats, winner: row::winner(row, 2)?, line }))
}

/// The games of one commit, and whether there may be more.
fn one_commit(mut games: impl Iterator<Item = GameBatch>) -> (Vec<GameBatch>, bool) {
    let (mut taken, mut number, mut bytes) = (Vec::new(), 0, 0);
    while number < BATCH && bytes < BATCH_BYTES {
        let Some(batch) = games.next() else { return (taken, false) };
        number += batch.games.len();
        bytes += batch.games.iter().map(|game| game.packed.len()).sum::<usize>();
        taken.push(batch);
    }
    (taken, true)
}

/// Adds to the counts.
pub(super) fn bump(transaction: &Connection, tally: &Tally) -> rusqlite::Result<()> {
    let mut games = transaction.prepare_cached(
        "INSERT INTO tallies VALUES (?1, ?2, ?3, ?4, ?5)
         ON CONFLICT DO UPDATE SET games = games + excluded.games",
    )?;
    let Counts { games: counted, pairs: paired, repeats, voids } = tally.counts();
    for (key, &count) in counted {
        games.execute(params![
            key.first,
            key.second,
            key.winner.map_or("", Seat::name),
            key.termination.name(),
            count,
        ])?;
    }
    for (key, &count) in voids {
        games.execute(params![key.first, key.second, "", row::VOID, count])?;
    }
    let mut pairs = transaction.prepare_cached(
        "INSERT INTO pairs VALUES (?1, ?2, ?3, ?4, ?5)
         ON CONFLICT DO UPDATE SET pairs = pairs + excluded.pairs",
    )?;
    for (key, &count) in paired {
        pairs.execute(params![key.one, key.other, key.earlier, key.later, count])?;
    }
    let mut again = transaction.prepare_cached(
        "INSERT INTO repeats VALUES (?1, ?2, ?3, ?4, ?5)
         ON CONFLICT DO UPDATE SET times = times + excluded.times",
    )?;
    for (key, &count) in repeats {
        let later = key.later.unwrap_or(row::NO_OTHER);
        again.execute(params![key.one, key.other, key.earlier, later, count])?;
    }
    bump_lags(transaction, tally.lags())?;
    let sum = row::read_sum(transaction, "tally")?.wrapping_add(tally.sum());
    let mut sums = transaction.prepare_cached("UPDATE sums SET sum = ?1 WHERE name = 'tally'")?;
    sums.execute([sum as i64]).map(drop)
}

fn bump_lags(transaction: &Connection, lags: &Spread) -> rusqlite::Result<()> {
    let Some(longest) = lags.max() else { return Ok(()) };
    let mut counts = transaction.prepare_cached(
        "INSERT INTO lags VALUES (?1, ?2)
         ON CONFLICT DO UPDATE SET answers = answers + excluded.answers",
    )?;
    for (class, count) in lags.classes() {
        counts.execute(params![class, count])?;
    }
    let mut most = transaction.prepare_cached(
        "INSERT INTO lags VALUES (?1, ?2)
         ON CONFLICT DO UPDATE SET answers = max(answers, excluded.answers)",
    )?;
    most.execute(params![row::LONGEST, longest]).map(drop)
}
