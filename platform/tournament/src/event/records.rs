//! The records of an event, read from the store and exported.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use tengen_arbiter::{Action, HistoryEntry, Termination};
use tengen_record::{GameRecord, Header, PlayerHeader, RecordWorker, UnpackError, unpack};
use tengen_rules::{Answer, BySeat, Move, Seat};

use super::{DISCARDED, Event, EventError, files};
use crate::store::StoredGame;
use crate::{EventConfig, FinishedGame, GameLine, Schedule, ScheduledGame, game_line};

impl Event {
    /// The records of the finished games in the order of their numbers, read as they are needed.
    ///
    /// Each item is an error when the database cannot be read, or a game in it is damaged.
    pub fn records(&self) -> impl Iterator<Item = Result<GameRecord, EventError>> + '_ {
        let (schedule, labels) = (self.schedule(), self.config.labels());
        self.store.games().map(move |game| {
            let game = game?;
            let scheduled = schedule.get(game.number);
            self.store.check(scheduled.is_some(), "it has a game that is not in the schedule")?;
            let scheduled = scheduled.expect("it was just checked");
            self.record(&labels, &scheduled, game)
        })
    }

    /// What is known of the finished games beside their moves, in the order of their numbers, read
    /// as it is needed.
    ///
    /// Each item is an error when the database cannot be read, or a game in it is damaged.
    pub fn finished(&self) -> impl Iterator<Item = Result<FinishedGame, EventError>> + '_ {
        self.store.games().map(|game| Ok(game?.finished()))
    }

    /// The finished games with their [lines](game_line), in the order of their numbers, read as
    /// they are needed.
    ///
    /// Each item is an error when the database cannot be read, or a game in it is damaged.
    pub fn lines(&self) -> impl Iterator<Item = Result<(FinishedGame, u64), EventError>> + '_ {
        let schedule = self.schedule();
        self.store.games().map(move |game| {
            let game = game?;
            let is_older = self.store.is_older();
            let line = if is_older { line(&self.config, &schedule, &game) } else { game.line };
            Ok((game.finished(), line))
        })
    }

    /// Shows what a list has of the finished games of all these engines and with this termination,
    /// where one is given, in the order of their numbers.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn list(
        &self,
        engines: &[usize],
        termination: Option<Termination>,
        see: impl FnMut(GameLine),
    ) -> Result<(), EventError> {
        Ok(self.store.list(engines, termination, see)?)
    }

    /// Whether the finished game of that number is no evidence: it, or the other game of its pair,
    /// is the same as a game of a pair with a lower number.
    pub fn is_again(&self, number: u64) -> bool {
        self.store.is_again(number)
    }

    /// The record of the game of that number, if it is finished and whole.
    ///
    /// # Errors
    /// When the game is damaged.
    pub fn game(&self, number: u64) -> Result<Option<GameRecord>, EventError> {
        let Some(scheduled) = self.schedule().get(number) else { return Ok(None) };
        let labels = self.config.labels();
        self.store.game(number).map(|game| self.record(&labels, &scheduled, game)).transpose()
    }

    /// Writes all finished games as JSON lines, in the order of their numbers. The file appears
    /// when it is whole, and replaces one of that name.
    ///
    /// # Errors
    /// When the file cannot be written, or the database not read.
    pub fn export_records(&self, path: &Path) -> Result<(), EventError> {
        self.export(path, |record, line| {
            record.write_json(line);
            line.push(b'\n');
            Ok(())
        })
    }

    /// Writes all finished games in some way.
    pub(super) fn export(
        &self,
        path: &Path,
        mut write: impl FnMut(&GameRecord, &mut Vec<u8>) -> io::Result<()>,
    ) -> Result<(), EventError> {
        let mut failed = None;
        let written = files::write_anywhere(path, &self.dir, |file| {
            let mut bytes = Vec::new();
            for record in self.records() {
                bytes.clear();
                match record {
                    Ok(record) => write(&record, &mut bytes)?,
                    Err(error) => {
                        failed = Some(error);
                        return Err(io::ErrorKind::InvalidData.into());
                    }
                }
                file.write_all(&bytes)?;
            }
            Ok(())
        });
        let refused = |source| {
            let (path, dir) = (path.to_owned(), self.dir.clone());
            EventError::Export { path, dir, source }
        };
        failed.map_or(written.map_err(refused), Err)
    }

    /// Writes the records of the games that were played again, and count nowhere, to the file
    /// `spoiled.jsonl` in the event's folder; there is none where there are none. Each says how
    /// often its game had been played before it.
    ///
    /// # Errors
    /// When the file cannot be written, or the database not read.
    pub fn keep_discarded(&self) -> Result<(), EventError> {
        let path = &self.dir.join(DISCARDED);
        if !self.store.has_discarded()? {
            return match fs::remove_file(path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    Err(EventError::file(path, "removed")(error))
                }
                _ => Ok(()),
            };
        }
        let (schedule, labels, mut failed) = (self.schedule(), self.config.labels(), None);
        files::write(path, |file| {
            let mut written = Ok(());
            let read = self.store.discarded(|game| {
                let Some(scheduled) = schedule.get(game.number) else { return };
                match self.record(&labels, &scheduled, game) {
                    Ok(record) if written.is_ok() => {
                        written = writeln!(file, "{}", record.to_json_line());
                    }
                    Ok(_) => {}
                    Err(error) => {
                        failed.get_or_insert(error);
                    }
                }
            });
            if let Err(error) = read {
                failed.get_or_insert(error.into());
            }
            written
        })?;
        failed.map_or(Ok(()), Err)
    }

    fn record(
        &self,
        labels: &[String],
        scheduled: &ScheduledGame,
        game: StoredGame,
    ) -> Result<GameRecord, EventError> {
        let (path, number) = (self.database(), game.number);
        let damaged = |source| EventError::Game { path, number, source };
        record(&self.config, labels, scheduled, game).map_err(damaged)
    }
}

/// The record of a game as it is stored. `labels` are those of the event: making them takes longer
/// with more engines, and a record must not.
pub(super) fn record(
    config: &EventConfig,
    labels: &[String],
    scheduled: &ScheduledGame,
    game: StoredGame,
) -> Result<GameRecord, UnpackError> {
    let header = header_with(config, labels, scheduled);
    Ok(GameRecord {
        header: scaled(header, game.worker.as_ref()),
        actions: unpack(&game.packed)?,
        result: game.result,
        detail: game.detail,
        conditions: game.conditions,
        worker: game.worker,
        ruling: game.ruling,
    })
}

/// The header of a game that was played with the times of its worker.
pub(super) fn scaled(mut header: Header, worker: Option<&RecordWorker>) -> Header {
    if let Some(RecordWorker { scale, .. }) = worker {
        Seat::ALL.into_iter().for_each(|seat| {
            let player = &mut header.seats[seat];
            player.time = scale.of(player.time);
        });
    }
    header
}

impl EventConfig {
    /// What the record of a game of such an event says of it before its first action.
    pub fn header(&self, scheduled: &ScheduledGame) -> Header {
        header(self, scheduled)
    }
}

/// What the record of a game says of it before its first action. The event is not named there, so
/// that the same seed gives the same record wherever it is played.
pub(crate) fn header(config: &EventConfig, scheduled: &ScheduledGame) -> Header {
    header_with(config, &config.labels(), scheduled)
}

fn header_with(config: &EventConfig, labels: &[String], scheduled: &ScheduledGame) -> Header {
    let game = config.game(scheduled);
    let known = |text: &String| (!text.is_empty()).then(|| text.clone());
    Header {
        event: None,
        round: Some(u32::try_from(scheduled.round).unwrap_or(u32::MAX)),
        game: Some(scheduled.number),
        rule: game.rule,
        size: game.size,
        opening: game.opening,
        seats: BySeat::from_fn(|seat| {
            let engine = &config.engines[scheduled.seats[seat]];
            let label = &labels[scheduled.seats[seat]];
            PlayerHeader {
                id: label.clone(),
                name: known(&engine.name).unwrap_or_else(|| label.clone()),
                version: known(&engine.version),
                hash: known(&engine.hash),
                options: engine.options.clone(),
                time: game.time[seat],
                margin: game.margin[seat],
                layers: engine.layers.clone(),
                opening_by_arbiter: engine.opening_by_arbiter,
                opening_engine: config.assistant_of(engine),
            }
        }),
        policies: game.policies,
        seed: scheduled.seed,
        handovers: Vec::new(),
        undo_left: None,
    }
}

/// The line of a game of these actions.
pub(super) fn line_of(
    config: &EventConfig,
    scheduled: &ScheduledGame,
    actions: &[HistoryEntry],
    winner: Option<Seat>,
) -> u64 {
    let book = config.game(scheduled).opening.book;
    game_line((config.rule, config.size), &book, actions, winner)
}

/// The line of a stored game, computed anew; none if the game cannot be read.
pub(super) fn line(config: &EventConfig, schedule: &Schedule, game: &StoredGame) -> u64 {
    let (scheduled, actions) = (schedule.get(game.number), unpack(&game.packed));
    let Some((scheduled, actions)) = scheduled.zip(actions.ok()) else { return game.line };
    line_of(config, &scheduled, &actions, game.result.winner)
}

/// The stones on the board at the end.
pub(super) fn stones(record: &GameRecord) -> u32 {
    let laid =
        record.actions.iter().filter(|action| action.legal).map(|action| match &action.action {
            Action::Answer(Answer::Place(points)) => points.len(),
            Action::Answer(Answer::Pick(_) | Answer::Move(Move::Stone(_))) => 1,
            _ => 0,
        });
    (record.header.opening.book.len() + laid.sum::<usize>()) as u32
}
