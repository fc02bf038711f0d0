//! The lines of the games in the database, and which games are evidence.

use rusqlite::{
    CachedStatement, Connection, OptionalExtension, Transaction, TransactionBehavior, params,
};

use super::checksum::Checksum;
use super::{Store, StoreError, StoredGame, row, schema, writer};
use crate::evidence::{PairMaker, PlayedLines};
use crate::{Schedule, Tally};

/// The lines of the games in a database, to be written to.
pub(super) struct StoredLines<'a> {
    connection: &'a Connection,
    lowest: CachedStatement<'a>,
    set_lowest: CachedStatement<'a>,
    set_repeat: CachedStatement<'a>,
    /// What their checksum grows by.
    sum: u64,
}

impl<'a> StoredLines<'a> {
    pub fn new(connection: &'a Connection) -> rusqlite::Result<StoredLines<'a>> {
        let set_repeat = "INSERT INTO again VALUES (?1) ON CONFLICT DO NOTHING";
        Ok(StoredLines {
            connection,
            lowest: connection.prepare_cached("SELECT number FROM lines WHERE line = ?1")?,
            set_lowest: connection
                .prepare_cached("INSERT OR REPLACE INTO lines VALUES (?1, ?2)")?,
            set_repeat: connection.prepare_cached(set_repeat)?,
            sum: 0,
        })
    }

    /// Writes the checksum of what was noted.
    pub fn settle(&mut self) -> rusqlite::Result<()> {
        let sum = row::read_sum(self.connection, "evidence")?.wrapping_add(self.sum);
        self.sum = 0;
        let update = "UPDATE sums SET sum = ?1 WHERE name = 'evidence'";
        self.connection.prepare_cached(update)?.execute([sum as i64]).map(drop)
    }
}

impl PlayedLines for StoredLines<'_> {
    type Error = rusqlite::Error;

    fn lowest(&mut self, line: u64) -> rusqlite::Result<Option<u64>> {
        self.lowest.query_row([line as i64], |row| row.get(0)).optional()
    }

    fn set_lowest(&mut self, line: u64, number: u64) -> rusqlite::Result<()> {
        if let Some(before) = self.lowest(line)? {
            self.sum = self.sum.wrapping_sub(weight_of_line(line, before));
        }
        self.set_lowest.execute(params![line as i64, number])?;
        self.sum = self.sum.wrapping_add(weight_of_line(line, number));
        Ok(())
    }

    fn set_repeat(&mut self, number: u64) -> rusqlite::Result<bool> {
        let is_new = self.set_repeat.execute([number])? > 0;
        if is_new {
            self.sum = self.sum.wrapping_add(weight_of_repeat(number));
        }
        Ok(is_new)
    }
}

fn weight_of_line(line: u64, number: u64) -> u64 {
    let mut sum = Checksum::new();
    sum.number(line);
    sum.number(number);
    sum.finish()
}

fn weight_of_repeat(number: u64) -> u64 {
    let mut sum = Checksum::new();
    sum.number(number);
    sum.bytes(b"again");
    sum.finish()
}

impl Store {
    /// The lowest number of the pairs that have that line.
    pub fn lowest(&self, line: u64) -> Result<Option<u64>, StoreError> {
        self.wrap(StoredLines::new(&self.connection).and_then(|mut lines| lines.lowest(line)))
    }

    /// Whether the game of that number is noted as none.
    pub fn is_again(&self, number: u64) -> bool {
        let query = "SELECT EXISTS (SELECT 1 FROM again WHERE number = ?1)";
        let mut statement = self.connection.prepare_cached(query).ok();
        let asked = statement.as_mut().and_then(|it| it.query_row([number], |row| row.get(0)).ok());
        asked.unwrap_or(false)
    }

    /// Whether what is noted of games that are evidence, and of those that are none, is as it was
    /// written.
    pub(super) fn check_evidence(&self) -> Result<(), StoreError> {
        let read = || {
            let mut sum = 0_u64;
            let mut statement = self.connection.prepare("SELECT line, number FROM lines")?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                let line = row.get::<_, i64>(0)? as u64;
                sum = sum.wrapping_add(weight_of_line(line, row.get(1)?));
            }
            let mut statement = self.connection.prepare("SELECT number FROM again")?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                sum = sum.wrapping_add(weight_of_repeat(row.get(0)?));
            }
            Ok(sum == row::read_sum(&self.connection, "evidence")?)
        };
        let is_whole = self.wrap(read())?;
        self.check(is_whole, "the lines of its games are not as they were written")
    }

    /// Finds out which games of an older database are evidence, for this reader: the database stays
    /// as it is. `line` gives a game's line.
    pub fn lend_evidence(
        &self,
        schedule: &Schedule,
        line: &dyn Fn(&StoredGame) -> u64,
    ) -> Result<(), StoreError> {
        let transaction = self.wrap(self.connection.unchecked_transaction())?;
        let sums = "CREATE TEMP TABLE sums AS SELECT * FROM main.sums;
                    INSERT INTO temp.sums VALUES ('evidence', 0)";
        self.wrap(self.connection.execute_batch(sums))?;
        self.bump_evidence(schedule, line)?;
        self.wrap(transaction.commit())
    }

    /// Brings an older database up to date, on the disk when this returns.
    pub fn bring_up_to_date(
        &self,
        schedule: &Schedule,
        line: &dyn Fn(&StoredGame) -> u64,
    ) -> Result<(), StoreError> {
        self.wrap(self.connection.pragma_update(None, "synchronous", "FULL"))?;
        let begun = TransactionBehavior::Immediate;
        let transaction = self.wrap(Transaction::new_unchecked(&self.connection, begun))?;
        // The temporary tables for readers would hide the ones to be written.
        let lent = "DROP TABLE temp.again; DROP TABLE temp.lines; DROP TABLE temp.repeats;
                    DROP TABLE IF EXISTS temp.sums";
        self.wrap(self.connection.execute_batch(lent))?;
        self.wrap(schema::add_evidence(&transaction))?;
        self.bump_evidence(schedule, line)?;
        let mut lines = Vec::new();
        for game in self.games() {
            let mut game = game?;
            game.line = line(&game);
            lines.push((game.number, game.line as i64, game.sum() as i64));
        }
        let number = schema::FORMAT;
        let finish = || {
            // Code that compares lines must not have to know their format.
            for (number, line, sum) in lines {
                let update = "UPDATE games SET line = ?1, sum = ?2 WHERE number = ?3";
                transaction.execute(update, params![line, sum, number])?;
            }
            let update = "UPDATE sums SET sum = ?1 WHERE name = 'format'";
            transaction.execute(update, [number])?;
            transaction.pragma_update(None, "user_version", number)
        };
        self.wrap(finish())?;
        self.wrap(transaction.commit())
    }

    /// Notes which games are evidence, and adds that to the counts.
    fn bump_evidence(
        &self,
        schedule: &Schedule,
        line: &dyn Fn(&StoredGame) -> u64,
    ) -> Result<(), StoreError> {
        let repeats = self.find_evidence(schedule, line)?;
        self.wrap(writer::bump(&self.connection, &repeats))
    }

    /// Notes which games are evidence, and counts those that are none. The games come in the order
    /// of their numbers.
    pub(super) fn find_evidence(
        &self,
        schedule: &Schedule,
        line: &dyn Fn(&StoredGame) -> u64,
    ) -> Result<Tally, StoreError> {
        let mut lines = self.wrap(StoredLines::new(&self.connection))?;
        let (mut tally, mut pairs) = (Tally::default(), PairMaker::default());
        for game in self.games() {
            let mut game = game?;
            if game.conditions.is_void {
                continue;
            }
            game.line = line(&game);
            let Some(pair) = pairs.add(game.ended(), schedule.twin(game.number)) else { continue };
            // In this order it is always the one that is added.
            if !self.wrap(lines.add(pair.earlier.number, &pair.lines()))?.is_empty() {
                if let Some(later) = pair.later {
                    self.wrap(lines.set_repeat(later.number))?;
                }
                pair.repeat(&mut tally);
            }
        }
        self.wrap(lines.settle())?;
        Ok(tally)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::store::{GameBatch, StoreWriter};

    /// Turns a database into one of the format before, with other lines for its games.
    fn make_older(path: &Path) {
        let connection = Connection::open(path).unwrap();
        connection
            .execute_batch("DROP TABLE again; DROP TABLE lines; DELETE FROM repeats")
            .unwrap();
        let tally = row::read_tally(&connection).unwrap();
        let sum = "UPDATE sums SET sum = ?1 WHERE name = 'tally'";
        connection.execute(sum, [tally.sum() as i64]).unwrap();
        connection
            .execute_batch(
                "DROP TABLE repeats; DELETE FROM sums WHERE name = 'evidence';
                 UPDATE sums SET sum = 4 WHERE name = 'format'; PRAGMA user_version = 4",
            )
            .unwrap();
        connection.execute("UPDATE games SET line = 77", []).unwrap();
    }

    #[test]
    fn an_older_database_is_read_and_brought_up_to_date() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("event.db");
        Store::create(&path, "", &[], &[]).unwrap();
        let schedule = Schedule::new(2, 11, 0);
        let lines = [1, 2, 3, 4, 1, 2, 3, 5, 6];
        let games =
            (1..).zip(lines).map(|(number, line)| StoredGame::example(&schedule, number, line));
        let mut writer = StoreWriter::open(&path, schedule.clone()).unwrap();
        writer.commit(games.map(GameBatch::from)).unwrap();
        writer.settle().unwrap();
        let twin = |number| schedule.twin(number);
        let known = Store::open(&path).unwrap().tally().unwrap();
        assert_eq!((known.counted(), known.repeated()), (9, 4));

        make_older(&path);
        // Its rows are whole with their lines.
        let connection = Connection::open(&path).unwrap();
        for (number, line) in (1..).zip(lines) {
            let sum = StoredGame { line: 77, ..StoredGame::example(&schedule, number, line) }.sum()
                as i64;
            let query = "UPDATE games SET sum = ?1 WHERE number = ?2";
            connection.execute(query, params![sum, number]).unwrap();
        }
        drop(connection);
        let line = |game: &StoredGame| u64::from(game.packed[0]);
        let older = Store::open(&path).unwrap();
        assert!(older.is_older() && older.tally().unwrap().repeated() == 0);
        older.lend_evidence(&schedule, &line).unwrap();
        assert_eq!(older.tally().unwrap(), known);
        older.verify(twin).unwrap();
        drop(older);
        assert!(Store::open(&path).unwrap().is_older(), "it stays as it was");
        Store::open_to_write(&path).unwrap().bring_up_to_date(&schedule, &line).unwrap();
        let newer = Store::open(&path).unwrap();
        assert!(!newer.is_older());
        assert_eq!(newer.tally().unwrap(), known);
        newer.verify(twin).unwrap();
        assert_eq!(newer.game(9).unwrap().line, 6, "its pair waits for another game");
        drop(newer);
        let mut writer = StoreWriter::open(&path, schedule.clone()).unwrap();
        writer
            .commit([10, 11].map(|n| StoredGame::example(&schedule, n, n).into()).into_iter())
            .unwrap();
        writer.close().unwrap();
        Store::open(&path).unwrap().verify(twin).unwrap();
    }

    #[test]
    fn a_lost_line_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("event.db");
        Store::create(&path, "", &[], &[]).unwrap();
        let schedule = Schedule::new(2, 2, 0);
        let mut writer = StoreWriter::open(&path, schedule.clone()).unwrap();
        writer
            .commit([1, 2].map(|n| StoredGame::example(&schedule, n, n).into()).into_iter())
            .unwrap();
        writer.close().unwrap();
        let store = Store::open(&path).unwrap();
        store.verify(|number| schedule.twin(number)).unwrap();
        let connection = Connection::open(&path).unwrap();
        connection
            .execute("DELETE FROM lines WHERE rowid = (SELECT min(line) FROM lines)", [])
            .unwrap();
        assert!(store.verify(|number| schedule.twin(number)).is_err());
    }
}
