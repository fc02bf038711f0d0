//! Games and counts as rows of the database.

use rusqlite::{Connection, Row};
use tengen_arbiter::{Cause, CpuStats, ForfeitCause, GameResult, Nanos, Termination};
use tengen_record::Conditions;
use tengen_rules::{BySeat, Seat};

use crate::tally::{GameKey, PairKey};
use crate::{FinishedGame, Tally};

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
    /// What the host had to do with it.
    pub conditions: Conditions,
}

/// Games that a table hands in at once. They are committed together or not at all.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct GameBatch {
    /// One game, or both of a pair.
    pub games: Vec<StoredGame>,
    /// Those that were played before in their place, in order, and count nowhere.
    pub discarded: Vec<StoredGame>,
}

impl From<StoredGame> for GameBatch {
    fn from(game: StoredGame) -> GameBatch {
        GameBatch { games: vec![game], discarded: Vec::new() }
    }
}

impl StoredGame {
    /// The columns that [`StoredGame::read`] expects, in their order.
    pub const COLUMNS: &str = "number, first, second, winner, termination, plies, duration_ns,
                               game, detail, cause, cpu_ns, waited_ns, suspended_ns, replays,
                               sum";

    /// What is told of it.
    pub fn finished(&self) -> FinishedGame {
        let StoredGame { number, seats, result, plies, conditions, .. } = *self;
        FinishedGame { number, seats, result, plies, conditions }
    }

    /// A row of `games`, which must be as it was written.
    pub fn read(row: &Row<'_>) -> rusqlite::Result<StoredGame> {
        let game = StoredGame {
            number: row.get(0)?,
            seats: BySeat { first: index(row, 1)?, second: index(row, 2)? },
            result: GameResult { winner: winner(row, 3)?, termination: termination(row, 4)? },
            plies: row.get(5)?,
            duration: row.get(6)?,
            packed: row.get(7)?,
            detail: row.get(8)?,
            conditions: Conditions { forfeit: forfeit(row, 9)?, replays: row.get(13)? },
        };
        if game.sum() as i64 != row.get::<_, i64>(14)? {
            let error = format!("game {} is not as it was written", game.number).into();
            let kind = rusqlite::types::Type::Integer;
            return Err(rusqlite::Error::FromSqlConversionFailure(14, kind, error));
        }
        Ok(game)
    }
}

/// The counts, as they stand.
pub(super) fn read_tally(connection: &Connection) -> rusqlite::Result<Tally> {
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

/// The checksum of that name.
pub(super) fn read_sum(connection: &Connection, name: &str) -> rusqlite::Result<u64> {
    let mut statement = connection.prepare_cached("SELECT sum FROM sums WHERE name = ?1")?;
    statement.query_row([name], |row| row.get::<_, i64>(0)).map(|sum| sum as u64)
}

/// A draw is NULL in `games` and empty in `tallies`, where it is part of the key.
pub(super) fn winner(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<Seat>> {
    match row.get_ref(column)?.as_str_or_null()?.unwrap_or_default() {
        "" => Ok(None),
        name => match Seat::ALL.into_iter().find(|seat| seat.name() == name) {
            Some(seat) => Ok(Some(seat)),
            None => Err(unknown(column, name)),
        },
    }
}

/// Four columns, all NULL where no time was lost.
fn forfeit(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<ForfeitCause>> {
    let Some(name) = row.get_ref(column)?.as_str_or_null()? else { return Ok(None) };
    let cause = Cause::from_name(name).ok_or_else(|| unknown(column, name))?;
    let (cpu, waited) = (row.get(column + 1)?, row.get(column + 2)?);
    let suspended = row.get(column + 3)?;
    Ok(Some(ForfeitCause { cause, cpu_stats: CpuStats { cpu, waited, suspended } }))
}

fn termination(row: &Row<'_>, column: usize) -> rusqlite::Result<Termination> {
    let name = row.get_ref(column)?.as_str()?;
    Termination::from_name(name).ok_or_else(|| unknown(column, name))
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

fn unknown(column: usize, word: &str) -> rusqlite::Error {
    let error = format!("unknown word `{word}`").into();
    rusqlite::Error::FromSqlConversionFailure(column, rusqlite::types::Type::Text, error)
}
