//! The changes of an event since it was made: numbered, and each written together with what it
//! changes.

use rusqlite::{Connection, Transaction, TransactionBehavior, params};

use tengen_record::RecordRuling;

use super::{Ruling, Store, StoreError, checksum};
use crate::event::{Change, ChangeKind};
use crate::{EngineEntry, EventConfig, Schedule};

/// The keys of changes, and those of the sums of the configurations before them.
const CHANGES: &str = "key GLOB 'change [0-9]*'";

pub(crate) struct ChangeDraft<'a> {
    /// The number of the last change that its author knows.
    pub after: u64,
    /// When it is made.
    pub date: &'a str,
    pub kind: ChangeKind,
    pub text: String,
    /// The configuration from then on, where that is another one.
    pub config: Option<&'a EventConfig>,
    /// The run that it is an order to, where that is known.
    pub run: Option<String>,
    /// The referee that makes it.
    pub by: Option<String>,
    /// Why, where that is kept apart.
    pub reason: Option<String>,
    /// What it does to a game.
    pub act: Option<GameAct<'a>>,
}

/// What a referee does to a finished game.
pub(crate) struct GameAct<'a> {
    pub number: u64,
    /// What is ruled; none takes back what the change of that number ruled.
    pub ruling: Result<Ruling, u64>,
    pub reason: &'a str,
    pub schedule: &'a Schedule,
}

impl Store {
    /// The number of the last change; 0 where there was none.
    pub fn last_change(&self) -> Result<u64, StoreError> {
        self.wrap(last_change(&self.connection))
    }

    /// The changes behind that number, in order.
    pub fn changes_after(&self, number: u64) -> Result<Vec<Change>, StoreError> {
        let changes = self.wrap(self.read_changes(number))?.into_iter().map(|value| {
            let change = read_one(&value);
            self.check(change.is_some(), "a change is not as it was written")?;
            Ok(change.expect("it was just checked"))
        });
        changes.collect()
    }

    /// The changes that are as they were written, in order, of a database that may be damaged.
    pub fn whole_changes(&self) -> Vec<Change> {
        let values = self.read_changes(0).unwrap_or_default();
        values.iter().filter_map(|value| read_one(value)).collect()
    }

    /// Appends changes of other databases, with new numbers. Their effects are already in the data.
    pub fn adopt_changes(&self, changes: Vec<Change>) -> Result<(), StoreError> {
        let write = || {
            let begun = TransactionBehavior::Immediate;
            let transaction = Transaction::new_unchecked(&self.connection, begun)?;
            let last = last_change(&transaction)?;
            for (number, change) in (last + 1..).zip(changes) {
                write_one(&transaction, &Change { number, ..change })?;
            }
            transaction.commit()
        };
        self.wrap(write())
    }

    fn read_changes(&self, after: u64) -> rusqlite::Result<Vec<String>> {
        let query = format!("SELECT value FROM event WHERE {CHANGES} AND key > ?1 ORDER BY key");
        let mut statement = self.connection.prepare_cached(&query)?;
        statement.query_map([key("change", after)], |row| row.get(0))?.collect()
    }

    /// Writes a change, and with it what it changes, on the disk when this returns: all or nothing.
    /// Gives the first change that its author does not know, if there is one; nothing is written
    /// then.
    pub fn change(&self, draft: &ChangeDraft<'_>) -> Result<Result<u64, Change>, StoreError> {
        let written = self.write_change(draft)?;
        match written {
            Some(number) => Ok(Ok(number)),
            None => {
                let unknown = self.changes_after(draft.after)?.into_iter().next();
                self.check(unknown.is_some(), "its changes are not numbered as they were")?;
                Ok(Err(unknown.expect("it was just checked")))
            }
        }
    }

    fn write_change(&self, draft: &ChangeDraft<'_>) -> Result<Option<u64>, StoreError> {
        self.wrap(self.connection.pragma_update(None, "synchronous", "FULL"))?;
        // From its beginning no other process can write.
        let begun = TransactionBehavior::Immediate;
        let transaction = self.wrap(Transaction::new_unchecked(&self.connection, begun))?;
        let last = self.wrap(last_change(&transaction))?;
        if last != draft.after {
            return Ok(None);
        }
        let number = last + 1;
        self.wrap(write_draft(&transaction, draft, number))?;
        if let Some(act) = &draft.act {
            self.act(act, draft, number)?;
        }
        self.wrap(transaction.commit())?;
        Ok(Some(number))
    }

    /// Does to a game what a change says, and counts anew.
    fn act(
        &self,
        act: &GameAct<'_>,
        draft: &ChangeDraft<'_>,
        change: u64,
    ) -> Result<(), StoreError> {
        let game = self.game(act.number);
        match act.ruling {
            Ok(ruling) => {
                self.check(game.is_some(), "a game that is ruled on is not as it was written")?;
                let about = RecordRuling {
                    change,
                    by: draft.by.clone().unwrap_or_default(),
                    date: draft.date.to_owned(),
                    reason: act.reason.to_owned(),
                    played: None,
                };
                self.rule(game.expect("it was just checked"), ruling, about)?;
            }
            Err(change) => {
                let is_back = self.take_back(change, act.number)?;
                self.check(is_back, "a ruling that is undone is not as it was written")?;
            }
        }
        self.count_anew(act.schedule)
    }

    /// Whether the event had that configuration before one of its changes.
    pub fn is_former(&self, text: &str) -> Result<bool, StoreError> {
        let query = "SELECT EXISTS (SELECT 1 FROM event WHERE key GLOB 'former [0-9]*'
                     AND value = ?1)";
        let sum = format!("{:016x}", checksum::of_text(text));
        self.wrap(self.connection.query_row(query, [sum], |row| row.get(0)))
    }
}

fn write_draft(
    transaction: &Transaction<'_>,
    draft: &ChangeDraft<'_>,
    number: u64,
) -> rusqlite::Result<()> {
    let ChangeDraft { date, kind, text, config, run, by, reason, .. } = draft;
    let (date, text) = ((*date).to_owned(), text.clone());
    let (run, by, reason) = (run.clone(), by.clone(), reason.clone());
    write_one(transaction, &Change { number, date, kind: *kind, text, run, by, reason })?;
    let Some(config) = config else { return Ok(()) };
    let query = "SELECT value FROM event WHERE key = 'config'";
    let former: String = transaction.query_row(query, [], |row| row.get(0))?;
    let former = format!("{:016x}", checksum::of_text(&former));
    let insert = "INSERT INTO event VALUES (?1, ?2)";
    transaction.execute(insert, [key("former", number), former])?;
    let text = config.to_toml();
    transaction.execute("UPDATE event SET value = ?1 WHERE key = 'config'", [&text])?;
    let sum = checksum::of_text(&text) as i64;
    transaction.execute("UPDATE sums SET sum = ?1 WHERE name = 'config'", [sum])?;
    write_engines(transaction, config)
}

fn last_change(connection: &Connection) -> rusqlite::Result<u64> {
    let query = format!("SELECT count(*) FROM event WHERE {CHANGES}");
    connection.query_row(&query, [], |row| row.get(0))
}

/// Adds a change under its number.
fn write_one(connection: &Connection, change: &Change) -> rusqlite::Result<usize> {
    let json = serde_json::to_string(change).expect("a change has text keys");
    let value = format!("{:016x} {json}", checksum::of_text(&json));
    let mut insert = connection.prepare_cached("INSERT INTO event VALUES (?1, ?2)")?;
    insert.execute([key("change", change.number), value])
}

/// The change that stands there, if it is as it was written.
fn read_one(value: &str) -> Option<Change> {
    let (sum, text) = value.split_once(' ')?;
    let is_whole = u64::from_str_radix(sum, 16) == Ok(checksum::of_text(text));
    is_whole.then(|| serde_json::from_str(text).ok())?
}

/// The engines as a table, for a person who asks the database directly.
fn write_engines(transaction: &Transaction<'_>, config: &EventConfig) -> rusqlite::Result<()> {
    let mut insert = transaction
        .prepare("INSERT INTO engines VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO NOTHING")?;
    for (number, (label, engine)) in config.labels().iter().zip(&config.engines).enumerate() {
        let EngineEntry { name, version, hash, layers, .. } = engine;
        insert.execute(params![number, label, name, version, hash, layers.join(" ")])?;
    }
    Ok(())
}

/// In the order of their numbers as texts.
fn key(kind: &str, number: u64) -> String {
    format!("{kind} {number:09}")
}
