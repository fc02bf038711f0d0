//! Games and counts as rows of the database.

use rusqlite::{Connection, Row};
use tengen_arbiter::{Cause, CpuStats, ForfeitCause, GameResult, Nanos, Termination};
use tengen_record::{Conditions, RecordRuling, RecordWorker, unpack};
use tengen_rules::{BySeat, Seat};
use tengen_stats::Spread;

#[cfg(test)]
use crate::Schedule;
use crate::tally::{GameKey, PairKey, RepeatKey, VoidKey};
use crate::{EndedGame, FinishedGame, Tally};

/// What stands for the termination of void games, among the counts.
pub(super) const VOID: &str = "void";
/// What stands for the class of the longest way of an answer, among their counts.
pub(super) const LONGEST: i64 = -1;
/// Stands for the result of the other game where a game has none.
pub(super) const NO_OTHER: u8 = 3;

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
    pub packed: Vec<u8>,
    /// Its [line](crate::game_line).
    pub line: u64,
    /// Whether it is no evidence, as the database says where it was read: of a pair that has both
    /// games.
    pub is_again: bool,
    /// What there is to say about the end.
    pub detail: Option<String>,
    /// What the host had to do with it.
    pub conditions: Conditions,
    /// The worker of another process that played it.
    pub worker: Option<RecordWorker>,
    /// The ruling of a referee that stands for it.
    pub ruling: Option<RecordRuling>,
}

/// What a list has of a finished game. No checksum is computed: what is told of a game has to be
/// read from its record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameLine {
    pub number: u64,
    /// The event's engines by seat.
    pub seats: BySeat<usize>,
    pub result: GameResult,
    /// The stones on the board at the end.
    pub plies: u32,
    /// What all answers took together.
    pub duration: Nanos,
}

impl GameLine {
    /// A row of those columns, in this order.
    pub(super) fn read(row: &Row<'_>) -> rusqlite::Result<GameLine> {
        Ok(GameLine {
            number: row.get(0)?,
            seats: BySeat { first: index(row, 1)?, second: index(row, 2)? },
            result: GameResult { winner: winner(row, 3)?, termination: termination(row, 4)? },
            plies: row.get(5)?,
            duration: row.get(6)?,
        })
    }
}

/// Games that a table hands in at once. They are committed together or not at all.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GameBatch {
    /// One game, or both of a pair.
    pub(crate) games: Vec<StoredGame>,
    /// How long the answers of each engine took on their way.
    pub(crate) lags: Vec<Vec<Nanos>>,
    /// Those that were played before in their place, in order, and count nowhere.
    pub(crate) discarded: Vec<StoredGame>,
}

impl GameBatch {
    /// The numbers of its games.
    pub fn numbers(&self) -> impl Iterator<Item = u64> {
        self.games.iter().map(|game| game.number)
    }

    /// Whether the host spoiled one, or one that was played in its place.
    pub fn is_spoiled(&self) -> bool {
        self.games.iter().chain(&self.discarded).any(|game| game.conditions.is_spoiled())
    }
}

impl From<StoredGame> for GameBatch {
    fn from(game: StoredGame) -> GameBatch {
        let lags = vec![game.lags()];
        GameBatch { games: vec![game], lags, discarded: Vec::new() }
    }
}

#[cfg(test)]
impl StoredGame {
    /// A game of that schedule, of that line, as it may be stored.
    pub fn example(schedule: &Schedule, number: u64, line: u64) -> StoredGame {
        StoredGame {
            number,
            seats: schedule.get(number).unwrap().seats,
            result: GameResult { winner: Some(Seat::First), termination: Termination::Five },
            plies: 9,
            duration: 5,
            packed: vec![line as u8; 3],
            line,
            is_again: false,
            detail: None,
            conditions: Conditions::default(),
            worker: None,
            ruling: None,
        }
    }
}

impl StoredGame {
    pub fn ended(&self) -> EndedGame {
        let StoredGame { number, seats, result, line, .. } = *self;
        EndedGame { number, seats, winner: result.winner, line }
    }

    /// The columns that [`StoredGame::read`] expects, in their order.
    pub const COLUMNS: &str = "number, first, second, winner, termination, plies, duration_ns,
                               game, detail, cause, cpu_ns, waited_ns, suspended_ns, replays,
                               stopped_ns, void, began, line, sum, number IN again,
                               (SELECT about FROM played_by JOIN workers USING (worker)
                                WHERE game = number AND replay = replays),
                               (SELECT about FROM rulings
                                WHERE game = number AND replay = replays)";

    /// How long its answers took on their way, as far as that is known.
    pub fn lags(&self) -> Vec<Nanos> {
        let actions = unpack(&self.packed).unwrap_or_default();
        actions.iter().filter_map(|action| action.lag).collect()
    }

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
            line: row.get::<_, i64>(17)? as u64,
            is_again: row.get(19)?,
            detail: row.get(8)?,
            conditions: Conditions {
                forfeit: forfeit(row, 9)?,
                replays: row.get(13)?,
                stopped: row.get(14)?,
                is_void: row.get(15)?,
                began: row.get(16)?,
            },
            worker: worker(row, 20)?,
            ruling: ruling(row, 21)?,
        };
        if game.sum() as i64 != row.get::<_, i64>(18)? {
            let error = format!("game {} is not as it was written", game.number).into();
            let kind = rusqlite::types::Type::Integer;
            return Err(rusqlite::Error::FromSqlConversionFailure(18, kind, error));
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
        let (first, second) = (row.get(0)?, row.get(1)?);
        let count = row.get(4)?;
        if row.get_ref(3)?.as_str()? == VOID {
            tally.count_voids(VoidKey { first, second }, count);
            continue;
        }
        let (winner, termination) = (winner(row, 2)?, termination(row, 3)?);
        tally.count_games(GameKey { first, second, winner, termination }, count);
    }
    let mut statement =
        connection.prepare("SELECT one, other, earlier, later, pairs FROM pairs")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let key = PairKey {
            one: row.get(0)?,
            other: row.get(1)?,
            earlier: half_points(row, 2)?,
            later: half_points(row, 3)?,
        };
        tally.count_pairs(key, row.get(4)?);
    }
    let mut statement =
        connection.prepare("SELECT one, other, earlier, later, times FROM repeats")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let is_single = row.get::<_, u8>(3)? == NO_OTHER;
        let key = RepeatKey {
            one: row.get(0)?,
            other: row.get(1)?,
            earlier: half_points(row, 2)?,
            later: if is_single { None } else { Some(half_points(row, 3)?) },
        };
        tally.count_repeats(key, row.get(4)?);
    }
    tally.set_lags(read_lags(connection)?);
    Ok(tally)
}

/// The counts of the ways of answers. The longest way is beside them, under a class that is none.
fn read_lags(connection: &Connection) -> rusqlite::Result<Spread> {
    let (mut classes, mut longest) = (Vec::new(), 0);
    let mut statement = connection.prepare("SELECT class, answers FROM lags")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        match row.get::<_, i64>(0)? {
            LONGEST => longest = row.get(1)?,
            class => classes.push((usize::try_from(class).unwrap_or(usize::MAX), row.get(1)?)),
        }
    }
    Spread::from_classes(classes, longest).ok_or_else(|| unknown(0, "class"))
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

/// NULL where no worker of another process played the game.
pub(super) fn worker(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<RecordWorker>> {
    let Some(about) = row.get_ref(column)?.as_str_or_null()? else { return Ok(None) };
    serde_json::from_str(about).map(Some).map_err(|_| unknown(column, about))
}

/// NULL where no referee ruled on the game.
fn ruling(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<RecordRuling>> {
    let Some(about) = row.get_ref(column)?.as_str_or_null()? else { return Ok(None) };
    serde_json::from_str(about).map(Some).map_err(|_| unknown(column, about))
}

/// A ruling as it is stored.
pub(super) fn ruling_text(ruling: &RecordRuling) -> String {
    serde_json::to_string(ruling).expect("every key is a string")
}

/// Four columns, all NULL where no time was lost.
fn forfeit(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<ForfeitCause>> {
    let Some(name) = row.get_ref(column)?.as_str_or_null()? else { return Ok(None) };
    let cause = Cause::from_name(name).ok_or_else(|| unknown(column, name))?;
    let (cpu, waited) = (row.get(column + 1)?, row.get(column + 2)?);
    let suspended = row.get(column + 3)?;
    let (halted, short) = (cause == Cause::Halted, cause == Cause::Shortage);
    // How much of the time was asleep, and what it waited for, is only in the words.
    let cpu_stats = CpuStats { cpu, waited, suspended, halted, short, ..CpuStats::default() };
    Ok(Some(ForfeitCause { cause, cpu_stats }))
}

fn termination(row: &Row<'_>, column: usize) -> rusqlite::Result<Termination> {
    let name = row.get_ref(column)?.as_str()?;
    Termination::from_name(name).ok_or_else(|| unknown(column, name))
}

pub(super) fn index(row: &Row<'_>, column: usize) -> rusqlite::Result<usize> {
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
