mod change;
mod error;
mod exports;
mod files;
mod job;
mod journal;
mod judged;
mod left_games;
mod live_test;
mod lock;
mod merge;
mod numbered;
mod pairings;
mod phase;
mod player_pool;
mod queue;
mod records;
mod referee;
mod repair;
mod roster;
mod run;
mod steer;
mod steering;
mod stopping;
mod trf;
mod watcher;
mod worker;
mod workforce;

use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::path::{Path, PathBuf};

use tengen_arbiter::Termination;
use tengen_record::read_text;

use crate::formats::Course;
use crate::store::{Store, StoredGame};
use crate::{
    EventConfig, Incident, Incidents, Schedule, SpoiledGames, Summary, Tally, WorkerSummary,
    affinity,
};

pub use change::{Change, ChangeKind};
pub use error::EventError;
pub use exports::GameExport;
pub use job::{GameJob, JobFault, JobTable, JobTables, NextJob, OpenJob, PlayedJob, TableCpus};
use journal::RecordsFile;
pub use judged::RecordFault;
pub use pairings::{PairedTable, Pairings};
pub use queue::GameQueue;
#[cfg(test)]
pub(crate) use records::header;
pub use referee::RefereeNote;
pub use repair::Repaired;
pub use roster::Roster;
pub use run::{EventProgress, RunOutcome};
pub use watcher::{Watcher, WatcherPair};
pub use worker::play_unsaved;
pub use workforce::{GameSink, LookAfter, Workforce};

const CONFIG: &str = "event.toml";
const DATABASE: &str = "event.db";
const LOCK: &str = "lock";
/// Says which process has the lock. On Windows no other process may read a locked file.
const LOCK_OWNER: &str = "lock-owner";
/// The exported records, where a run leaves them.
const RECORDS: &str = "games.jsonl";
/// The exported records of games that were played again.
const DISCARDED: &str = "spoiled.jsonl";
/// The end of the name of a file that is not whole yet.
const UNFINISHED: &str = ".tmp";
/// The end of the name of a file that was put aside because it was damaged.
const ASIDE: &str = ".damaged";

/// An event in its folder: the frozen configuration `event.toml`, and the database `event.db` with
/// every finished game. Everything that is reported about it is on the disk.
pub struct Event {
    dir: PathBuf,
    config: EventConfig,
    store: Store,
    tally: Tally,
    /// What is drawn so far.
    course: Course,
    spoiled: SpoiledGames,
    records: RecordsFile,
    /// The files that games are exported to, and what is in them.
    exports: Vec<GameExport>,
    exports_are: RecordsFile,
    /// The number of the last change that this knows.
    last_change: u64,
    /// Whether it knows of a change, and not yet of what was changed.
    is_outdated: bool,
    /// Whether a run waits for more engines when every game is finished.
    is_standing: bool,
}

impl Event {
    /// Makes a new event in `dir`, which is made too, or is empty.
    ///
    /// The configuration file is the last to appear, so that a folder with one is a whole event.
    ///
    /// # Errors
    /// When the configuration cannot be played, the folder has something in it, cannot be written,
    /// or another process makes an event in it. Nothing that was there is touched.
    pub fn create(dir: &Path, mut config: EventConfig) -> Result<Event, EventError> {
        config.validate()?;
        config.out = None;
        files::make_folder(dir)?;
        files::refuse_used(dir)?;
        let _lock = lock::try_lock(dir)?;
        // Another process may have made one since.
        files::refuse_used(dir)?;
        let text = config.to_toml();
        let database = dir.join(DATABASE);
        let unfinished = dir.join(format!("{DATABASE}{UNFINISHED}"));
        files::remove_left_over(dir)?;
        Store::create(&unfinished, &text, &config.labels(), &config.engines)?;
        files::rename(&unfinished, &database)?;
        freeze(dir, &text)?;
        Event::open(dir)
    }

    /// Refuses to go on where another process plays the event.
    ///
    /// # Errors
    /// Where one does, or the folder cannot be written.
    pub fn check_not_running(&self) -> Result<(), EventError> {
        lock::lock(&self.dir).map(drop)
    }

    /// What people call it.
    pub fn title(&self) -> String {
        self.config.title(&self.dir)
    }

    /// Whether a process plays the event at the moment.
    pub fn is_running(&self) -> bool {
        lock::is_locked(&self.dir)
    }

    /// Opens the event in `dir`, to go on with it or to report on it. It may be running, or just
    /// being made. A configuration file that is missing is written as it was, unless another
    /// process has the event in hand.
    ///
    /// # Errors
    /// When there is no event, it is damaged, or its configuration was changed.
    pub fn open(dir: &Path) -> Result<Event, EventError> {
        let path = dir.join(CONFIG);
        let found = match read_text(&path, EventConfig::MOST_BYTES) {
            Ok(text) => Some(text),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) if is_odd(&error) => {
                return Err(EventError::Frozen { path, reason: error.to_string() });
            }
            Err(error) => return Err(EventError::file(&path, "read")(error)),
        };
        if found.is_none() && !Event::exists(dir) {
            return Err(EventError::NoEvent { dir: dir.to_owned() });
        }
        let store = Store::open(&dir.join(DATABASE))?;
        // A change that is made in between is not known here yet.
        let last_change = store.last_change()?;
        let text = store.config()?;
        let config = match found {
            Some(found) => match unchanged(&path, &found, &text) {
                // A process was killed while changing it.
                Err(EventError::Changed { .. }) if is_former(&store, &path, &found, &text)? => {
                    if let Ok(_lock) = lock::try_lock(dir) {
                        freeze(dir, &text)?;
                    }
                    EventConfig::from_toml(&text, &path)?
                }
                config => config?,
            },
            None => {
                restore(dir, &text)?;
                EventConfig::from_toml(&text, &path)?
            }
        };
        config.validate()?;
        let mut tally = store.tally()?;
        store.check(tally.fits(config.engines.len()), "it counts games of unknown engines")?;
        let spoiled = store.spoiled()?;
        let course = course(&config, &store)?;
        if store.is_older() {
            let schedule = course.schedule();
            store.lend_evidence(schedule, &|game| records::line(&config, schedule, game))?;
            tally = store.tally()?;
        }
        let (dir, records) = (dir.to_owned(), RecordsFile::Unknown);
        let (exports, exports_are) = (Vec::new(), RecordsFile::Unknown);
        let (is_outdated, is_standing) = (false, false);
        Ok(Event {
            dir,
            config,
            store,
            tally,
            course,
            spoiled,
            records,
            exports,
            exports_are,
            last_change,
            is_outdated,
            is_standing,
        })
    }

    /// Whether an event lies in `dir`, whole or damaged.
    pub fn exists(dir: &Path) -> bool {
        [CONFIG, DATABASE].iter().any(|name| dir.join(name).is_file())
    }

    /// The folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    pub fn config(&self) -> &EventConfig {
        &self.config
    }

    /// Plays so many games at once from now on, instead of what the configuration says. It changes
    /// no result and is not kept.
    ///
    /// # Errors
    /// When the number is out of range.
    pub fn set_concurrency(&mut self, concurrency: usize) -> Result<(), EventError> {
        let config = EventConfig { concurrency, ..self.config.clone() };
        config.validate()?;
        self.config = config;
        Ok(())
    }

    /// The schedule, as far as it is drawn.
    pub fn schedule(&self) -> Schedule {
        self.course.schedule().clone()
    }

    /// The number of games, finished or still to be played: those of the schedule, except what was
    /// dropped with engines that were removed. Where rounds are drawn as the event goes on, it is
    /// what can be told by now, and may change.
    pub fn total(&self) -> u64 {
        match self.course.is_drawn() {
            true => self.course.total(),
            false => self.total_of(&self.config),
        }
    }

    /// Whether everything is played that is to be: every game, or what a test needs to decide.
    pub fn is_finished(&self) -> bool {
        let is_played = self.course.is_complete() && self.tally.len() == self.total();
        is_played || self.is_test_over()
    }

    /// Whether every test is over, or has played all its games.
    pub(crate) fn is_test_over(&self) -> bool {
        let games = u64::from(self.config.games);
        let is_played = |(one, other)| self.tally.finished(one, other) >= games;
        let mut open = self.config.open_tests(&self.tally).into_iter();
        self.config.sprt.is_some() && open.all(is_played)
    }

    /// The finished games, counted.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Counts the finished games anew, one by one. The same as [`Event::tally`], unless another
    /// program wrote to the database.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn recount(&self) -> Result<Tally, EventError> {
        let schedule = self.schedule();
        Ok(self.store.recount(|number| schedule.twin(number))?)
    }

    /// The warning before the games begin, if they have too few CPUs.
    pub fn warnings(&self) -> Vec<String> {
        let cpus = affinity::allowed_cpus().len();
        affinity::warning(&self.config, cpus).into_iter().collect()
    }

    /// The standings, the cross table and the terminations.
    pub fn summary(&self) -> Summary {
        let stages = self.course.stages(&self.config.labels());
        Summary::of_event(&self.config, &self.tally, self.spoiled.clone(), stages, &self.dir)
    }

    /// The finished games that were lost by a fault, spoiled or void, and those that were played
    /// again.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn incidents(&self) -> Result<Incidents, EventError> {
        let (mut incidents, labels) = (Incidents::default(), self.config.labels());
        let mut count = |game: &StoredGame, is_discarded| {
            if let Some(incident) = Incident::of(game, is_discarded) {
                incidents.add(&incident, &labels);
            }
        };
        let faults = Termination::ALL.into_iter().filter(|one| one.is_fault());
        self.store.ended_by(faults, |game| count(&game, false))?;
        self.store.discarded(|game| count(&game, true))?;
        Ok(incidents)
    }

    /// What each worker of another process played, by name; none where there was none.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn workers(&self) -> Result<Vec<WorkerSummary>, EventError> {
        let workers = self.store.by_worker()?;
        if workers.is_empty() {
            return Ok(Vec::new());
        }
        let mut spoiled = BTreeMap::new();
        let mut count = |game: StoredGame| {
            if let Some(worker) = game.worker.filter(|_| game.conditions.is_spoiled()) {
                *spoiled.entry(worker).or_default() += 1;
            }
        };
        self.store.remarkable(&mut count)?;
        self.store.discarded(&mut count)?;
        Ok(WorkerSummary::of(&workers, &spoiled, &self.config.labels()))
    }

    /// Whether every test is over, so that no more games are played.
    pub(crate) fn are_tests_over(&self) -> bool {
        self.config.are_tests_over(&self.tally)
    }

    pub(crate) fn database(&self) -> PathBuf {
        self.dir.join(DATABASE)
    }

    #[cfg(test)]
    pub(crate) fn store(&self) -> &Store {
        &self.store
    }
}

/// What is drawn from the finished games, which must be the ones that were played.
pub(super) fn course(config: &EventConfig, store: &Store) -> Result<Course, EventError> {
    let mut course = Course::begun(config);
    if !course.is_drawn() {
        return Ok(course);
    }
    store.at_one_moment(|| {
        let (mut games, mut ahead) = (store.games(), VecDeque::new());
        loop {
            while ahead.len() < course.reach()
                && let Some(game) = games.next()
            {
                ahead.push_back(game?.finished());
            }
            let Some(game) = ahead.front() else { break };
            if !course.note(game) {
                let is_drawn = course.grow_along(ahead.make_contiguous())
                    && ahead.front().is_some_and(|game| course.note(game));
                store.check(is_drawn, "it has a game that is not in the schedule")?;
            }
            ahead.pop_front();
        }
        course.grow();
        Ok(course)
    })?
}

/// Whether a file can be read, but is no text.
fn is_odd(error: &io::Error) -> bool {
    use io::ErrorKind::{FileTooLarge, InvalidData, InvalidInput};
    matches!(error.kind(), FileTooLarge | InvalidData | InvalidInput)
}

/// Whether a configuration file is one that the event had before a change.
fn is_former(store: &Store, path: &Path, found: &str, now: &str) -> Result<bool, EventError> {
    let found = EventConfig::from_toml(found, path)?;
    // How many games are played at once, and where, is never changed in the database.
    let EventConfig { concurrency, cpus, .. } = EventConfig::from_toml(now, path)?;
    Ok(store.is_former(&EventConfig { concurrency, cpus, ..found }.to_toml())?)
}

/// Reads the configuration file, which must say what the event began with.
fn unchanged(path: &Path, found: &str, began_with: &str) -> Result<EventConfig, EventError> {
    let frozen = |error: crate::ConfigError| EventError::Frozen {
        path: path.to_owned(),
        reason: error.to_string(),
    };
    let config = EventConfig::from_toml(found, path).map_err(frozen)?;
    let began_with = EventConfig::from_toml(began_with, path)?;
    // How many games are played at once, and where, changes no game.
    let (concurrency, cpus) = (config.concurrency, config.cpus.clone());
    let began_with = EventConfig { concurrency, cpus, ..began_with };
    if config != began_with {
        let place = first_change(found, &config, &began_with);
        return Err(EventError::Changed { path: path.to_owned(), place });
    }
    config.validate().map_err(frozen)?;
    Ok(config)
}

/// The first key of a configuration file that the event did not begin with, with its line.
fn first_change(text: &str, found: &EventConfig, began_with: &EventConfig) -> String {
    let [found, began_with] =
        [found, began_with].map(|config| toml::Table::try_from(config).unwrap_or_default());
    let keys = found.keys().chain(began_with.keys());
    let Some(key) = keys.into_iter().find(|key| found.get(*key) != began_with.get(*key)) else {
        return "something".to_owned();
    };
    let is_of_key = |line: &str| {
        let rest = line.trim_start().trim_start_matches('[').strip_prefix(key.as_str());
        rest.is_some_and(|rest| rest.trim_start().starts_with(['=', ']']))
    };
    match text.lines().position(is_of_key) {
        Some(line) => format!("line {}: {key}", line + 1),
        None => key.clone(),
    }
}

/// Writes the configuration file that an interrupted making left out, or that was removed. The
/// process that has the lock writes it, or may have just written it. In a folder that may only be
/// read it is not needed.
fn restore(dir: &Path, text: &str) -> Result<(), EventError> {
    let Ok(_lock) = lock::try_lock(dir) else { return Ok(()) };
    if dir.join(CONFIG).exists() { Ok(()) } else { freeze(dir, text) }
}

/// Writes the configuration file.
fn freeze(dir: &Path, text: &str) -> Result<(), EventError> {
    files::write(&dir.join(CONFIG), |file| io::Write::write_all(file, frozen(text).as_bytes()))
}

fn frozen(text: &str) -> String {
    format!("{FROZEN}{text}")
}

const FROZEN: &str = "\
# The event in this folder is played by this configuration, which may not change any more. To play
# another one, copy this file, change the copy, and give it to `tengen tournament run`.
";
