//! Makes a damaged event whole again.

use std::fmt;
use std::io::BufReader;
use std::iter;
use std::path::{Path, PathBuf};

use tengen_record::{GameRecord, Records, open_file, read_text, unpack};

use super::judged::judged;
use super::lock::lock;
use super::{CONFIG, DATABASE, Event, EventError, RECORDS, UNFINISHED, course, files, records};
use crate::store::{GameBatch, Store, StoreWriter, StoredGame};
use crate::{EventConfig, Schedule, SpoiledOption, StoreError};

/// What came of repairing an event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Repaired {
    pub dir: PathBuf,
    /// The games that were whole, and are kept.
    pub kept: u64,
    /// The games of the event.
    pub total: u64,
    /// Copies of the files as they were found.
    pub aside: Vec<PathBuf>,
}

impl fmt::Display for Repaired {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Repaired { dir, kept, total, aside } = self;
        write!(
            f,
            "{}: repaired; {kept} of {total} games are whole and kept, and the others are played \
             again",
            dir.display()
        )?;
        let aside: Vec<String> = aside.iter().map(|path| path.display().to_string()).collect();
        match aside[..] {
            [] => Ok(()),
            _ => write!(f, "; what was found is in {}", aside.join(" and ")),
        }
    }
}

impl Event {
    /// Makes a damaged event whole: with the configuration it began with, and with every game that
    /// is as it was written. Games are looked for in the database, in copies of it that an earlier
    /// repair has put aside, and in the exported records. Nothing is done, and nothing returned,
    /// when the event is whole already.
    ///
    /// The files that are replaced are copied first, and are replaced when everything else is done,
    /// so that a repair may be cut short and begun again.
    ///
    /// # Errors
    /// When there is no event, it is running, files cannot be read or written, or neither the
    /// database nor `event.toml` has the configuration.
    pub fn repair(dir: &Path) -> Result<Option<Repaired>, EventError> {
        if !Event::exists(dir) {
            return Err(EventError::NoEvent { dir: dir.to_owned() });
        }
        let _lock = lock(dir)?;
        match Event::open(dir).and_then(|mut event| event.take_stock()) {
            Ok(_) => return Ok(None),
            Err(error) if error.is_damage() => {}
            Err(error) => return Err(error),
        }
        let (database, toml) = (dir.join(DATABASE), dir.join(CONFIG));
        let mut aside = Vec::new();
        aside.extend(files::copy_aside(&database, &["", "-wal"])?);
        let copies: Vec<Store> = files::copies_aside(&database)
            .iter()
            .rev()
            .filter_map(|at| Store::salvage(at))
            .collect();
        let config = original(&copies, &toml)?;
        let text = config.to_toml();
        let unfinished = dir.join(format!("{DATABASE}{UNFINISHED}"));
        files::remove_left_over(dir)?;
        Store::create(&unfinished, &text, &config.labels(), &config.engines)?;
        let changes = copies.iter().rev().map(Store::whole_changes).max_by_key(Vec::len);
        Store::open_to_write(&unfinished)?.adopt_changes(changes.unwrap_or_default())?;
        let mut schedule = config.schedule();
        let mut kept = fill(&unfinished, &config, &schedule, &copies, &dir.join(RECORDS))?;
        // Where rounds follow from each other, complete rounds determine what was played after
        // them.
        let course = loop {
            let course = course(&config, &Store::open(&unfinished)?)?;
            if *course.schedule() == schedule {
                break course;
            }
            schedule = course.schedule().clone();
            kept += fill(&unfinished, &config, &schedule, &copies, &dir.join(RECORDS))?;
        };
        keep_discarded(&unfinished, &schedule, &copies)?;
        drop(copies);
        // The log of the old database must not be taken for that of the new one.
        files::remove_logs(&database)?;
        files::rename(&unfinished, &database)?;
        if !read_text(&toml, EventConfig::MOST_BYTES)
            .is_ok_and(|found| found == super::frozen(&text))
        {
            aside.extend(files::copy_aside(&toml, &[""])?);
            super::freeze(dir, &text)?;
        }
        let total = course.total();
        Ok(Some(Repaired { dir: dir.to_owned(), kept, total, aside }))
    }
}

impl EventError {
    /// Whether it says that a file of the event is not as it was written, as [`Event::repair`]
    /// mends it.
    pub fn is_damage(&self) -> bool {
        let store = |error: &StoreError| {
            matches!(error, StoreError::Damaged { .. } | StoreError::Missing { .. })
        };
        match self {
            EventError::Store(error) => store(error),
            EventError::Frozen { .. } | EventError::Changed { .. } => true,
            _ => false,
        }
    }
}

/// The configuration the event began with: a database's, which has a checksum, or else the file's.
fn original(copies: &[Store], toml: &Path) -> Result<EventConfig, EventError> {
    let whole = |text: String| {
        let config = EventConfig::from_toml(&text, toml)?;
        config.validate()?;
        Ok(config)
    };
    // The newest first; an older one may not have all the games that were added later.
    let configs = copies.iter().filter_map(|store| whole(store.config().ok()?).ok());
    let size = |config: &EventConfig| (config.schedule().len(), config.gone().len());
    let kept = configs.reduce(|kept, older| if size(&older) > size(&kept) { older } else { kept });
    match kept {
        Some(config) => Ok(config),
        None => {
            let text = read_text(toml, EventConfig::MOST_BYTES);
            whole(text.map_err(EventError::file(toml, "read"))?)
        }
    }
}

/// Writes every game of the schedule that is found whole to the new database, and gives the number
/// of those that were not there.
fn fill(
    database: &Path,
    config: &EventConfig,
    schedule: &Schedule,
    copies: &[Store],
    exported: &Path,
) -> Result<u64, EventError> {
    let stored = schedule.iter().filter_map(|scheduled| {
        let fits =
            |game: &StoredGame| game.seats == scheduled.seats && unpack(&game.packed).is_ok();
        let game = copies.iter().find_map(|store| store.game(scheduled.number).filter(fits))?;
        // An older database has other lines.
        Some(StoredGame { line: records::line(config, schedule, &game), ..game })
    });
    let records = open_file(exported).map(|file| Records::new(BufReader::new(file)));
    let exported = records.into_iter().flatten().filter_map(|record| {
        let mut record: GameRecord = record.ok()?;
        let scheduled = schedule.get(record.header.game?)?;
        // What was played is judged, whatever a referee ruled.
        let (played, result, ruling) = (record.played(), record.result, record.ruling.take());
        record.result = played;
        let game = judged(record, config, &scheduled).ok()?;
        Some(StoredGame { result, ruling, ..game })
    });
    let of_pairs = config.spoiled == SpoiledOption::ReplayPair;
    let stored = whole_pairs(stored, schedule, of_pairs);
    let mut games = stored.chain(whole_pairs(exported, schedule, of_pairs)).peekable();
    let mut writer = StoreWriter::open(database, schedule.clone())?;
    let mut kept = 0;
    while let Some(game) = games.next() {
        // A game that is there already is passed over.
        kept += writer.commit(iter::once(game).chain(&mut games).map(GameBatch::from))?.games.len()
            as u64;
    }
    writer.settle()?;
    Ok(kept)
}

/// Writes the games that were played again, as far as they are whole, to the new database.
fn keep_discarded(
    database: &Path,
    schedule: &Schedule,
    copies: &[Store],
) -> Result<(), EventError> {
    let mut discarded = Vec::new();
    for store in copies {
        // The rows before a damaged one are there.
        let _damaged = store.discarded(|game| {
            let seats = schedule.get(game.number).map(|scheduled| scheduled.seats);
            if seats == Some(game.seats) {
                discarded.push(game);
            }
        });
    }
    let mut writer = StoreWriter::open(database, schedule.clone())?;
    writer.commit(iter::once(GameBatch { discarded, ..GameBatch::default() }))?;
    Ok(writer.settle()?)
}

/// The games, or, where pairs are played again as such, those of whole pairs alone: the other game
/// of a pair could be spoiled. They come in the order of their numbers.
fn whole_pairs(
    games: impl Iterator<Item = StoredGame>,
    schedule: &Schedule,
    of_pairs: bool,
) -> impl Iterator<Item = StoredGame> {
    let mut games = games.peekable();
    let mut second = None;
    iter::from_fn(move || {
        loop {
            if let Some(game) = second.take() {
                return Some(game);
            }
            let game = games.next()?;
            let twin = schedule.twin(game.number).filter(|_| of_pairs);
            second = games.next_if(|next| Some(next.number) == twin);
            if twin.is_none() || second.is_some() {
                return Some(game);
            }
        }
    })
}
