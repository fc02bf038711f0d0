//! What a referee rules of finished games.

use rusqlite::{OptionalExtension, params};
use serde::{Deserialize, Serialize};
use tengen_arbiter::{GameResult, Termination};
use tengen_record::{OverruledResult, RecordRuling};
use tengen_rules::Seat;

use super::writer::{bump, row_into, write_row};
use super::{Store, StoreError, StoredGame, row};
use crate::Schedule;

/// What a referee rules of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ruling {
    /// The player of this seat wins it; none is a draw.
    Result(Option<Seat>),
    /// It counts for neither player.
    Void,
    /// It is played again from its start.
    Replay,
}

impl StoredGame {
    /// The same game as a referee ruled: with a result by hand, or void.
    pub fn ruled(self, ruling: Ruling, about: RecordRuling) -> StoredGame {
        let former = OverruledResult {
            result: self.result,
            detail: self.detail.clone(),
            is_void: self.conditions.is_void,
        };
        // What was played stays known, however often it is ruled on.
        let played = self.ruling.as_ref().and_then(|ruling| ruling.played.clone());
        let winner = if let Ruling::Result(winner) = ruling { winner } else { None };
        let mut ruled = StoredGame {
            result: GameResult { winner, termination: Termination::Ruling },
            detail: Some(format!("{}: {}", about.by, about.reason)),
            ruling: Some(RecordRuling { played: Some(played.unwrap_or(former)), ..about }),
            ..self
        };
        ruled.conditions.is_void = ruling == Ruling::Void;
        ruled
    }
}

impl Store {
    /// Changes the row of a game as a referee ruled. The counts follow with [`Store::count_anew`].
    pub(super) fn rule(
        &self,
        game: StoredGame,
        ruling: Ruling,
        about: RecordRuling,
    ) -> Result<(), StoreError> {
        self.remove(game.number, game.conditions.replays)?;
        match ruling {
            Ruling::Replay => self.insert("discarded", &StoredGame { ruling: Some(about), ..game }),
            _ => self.insert("games", &game.ruled(ruling, about)),
        }
    }

    /// Takes back what a referee ruled of a game: it is as it was played. False where that game is
    /// not there any more, or has been played again.
    pub(super) fn take_back(&self, change: u64, number: u64) -> Result<bool, StoreError> {
        let is_it =
            |game: &StoredGame| game.ruling.as_ref().is_some_and(|ruling| ruling.change == change);
        if let Some(game) = self.game(number).filter(&is_it) {
            let played = game.ruling.as_ref().and_then(|ruling| ruling.played.clone());
            let Some(played) = played else { return Ok(false) };
            let OverruledResult { result, detail, is_void } = played;
            self.remove(number, game.conditions.replays)?;
            let mut game = StoredGame { result, detail, ruling: None, ..game };
            game.conditions.is_void = is_void;
            return self.insert("games", &game).map(|()| true);
        }
        let mut found = None;
        self.discarded(|game| {
            if game.number == number && is_it(&game) {
                found = Some(game);
            }
        })?;
        let Some(game) = found.filter(|_| self.game(number).is_none()) else { return Ok(false) };
        let remove = "DELETE FROM discarded WHERE number = ?1 AND replays = ?2";
        self.wrap(self.connection.execute(remove, params![number, game.conditions.replays]))?;
        self.remove(number, game.conditions.replays)?;
        self.insert("games", &StoredGame { ruling: None, ..game })?;
        Ok(true)
    }

    fn remove(&self, number: u64, replays: u32) -> Result<(), StoreError> {
        let remove = || -> rusqlite::Result<()> {
            self.connection.execute("DELETE FROM games WHERE number = ?1", [number])?;
            let ruling = "DELETE FROM rulings WHERE game = ?1 AND replay = ?2";
            self.connection.execute(ruling, params![number, replays]).map(drop)
        };
        self.wrap(remove())
    }

    fn insert(&self, table: &str, game: &StoredGame) -> Result<(), StoreError> {
        let insert = || -> rusqlite::Result<usize> {
            if let Some(ruling) = &game.ruling {
                let (number, replays) = (game.number, game.conditions.replays);
                self.connection.execute(
                    "INSERT INTO rulings VALUES (?1, ?2, ?3, ?4)",
                    params![number, replays, table == "discarded", row::ruling_text(ruling)],
                )?;
            }
            write_row(&mut *self.connection.prepare_cached(&row_into(table))?, game)
        };
        self.check(self.wrap(insert())? == 1, "a game that was ruled on is there twice")
    }

    /// Counts all games anew, with what is evidence, in place of what was counted.
    pub(super) fn count_anew(&self, schedule: &Schedule) -> Result<(), StoreError> {
        let clear = "DELETE FROM tallies; DELETE FROM pairs; DELETE FROM repeats;
                     DELETE FROM lags; DELETE FROM again; DELETE FROM lines;
                     UPDATE sums SET sum = 0 WHERE name IN ('tally', 'evidence')";
        self.wrap(self.connection.execute_batch(clear))?;
        self.find_evidence(schedule, &|game| game.line)?;
        let tally = self.recount(|number| schedule.twin(number))?;
        self.wrap(bump(&self.connection, &tally))
    }

    /// The change by which a referee ruled last on that game, or on one in whose place it is played
    /// again.
    pub fn last_ruling(&self, number: u64) -> Result<Option<RecordRuling>, StoreError> {
        let query = "SELECT about FROM rulings WHERE game = ?1 ORDER BY replay DESC LIMIT 1";
        let about = self.connection.query_row(query, [number], |row| row.get::<_, String>(0));
        let about = self.wrap(about.optional())?;
        Ok(about.and_then(|about| serde_json::from_str(&about).ok()))
    }
}
