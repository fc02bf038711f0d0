//! Changes an event from outside, whether it is running or not.
//!
//! A change is written to the event's database, with its number, in one transaction. The process
//! that plays the event looks there for changes that it does not know. Nothing else passes between
//! the processes, so a change is either there or not, whichever process is killed.

use std::path::Path;
use std::thread;
use std::time::Duration;

use super::lock::{run_of, try_lock};
use super::{Change, ChangeKind, Event, EventError, freeze};
use crate::store::{ChangeDraft, Store};
use crate::{ConfigError, EngineEntry, EventConfig};

/// How often it is looked whether an event has stopped.
const LOOK: Duration = Duration::from_millis(50);

impl Event {
    /// Gives an event more games for every two engines. Those that were scheduled keep their
    /// numbers. `date` is noted with the change.
    ///
    /// # Errors
    /// When there is no event, it cannot have so many games, or another process changed it at the
    /// same time. Nothing is changed then.
    pub fn extend(dir: &Path, games: u32, date: &str) -> Result<Event, EventError> {
        let event = Event::open(dir)?;
        if event.are_tests_over() {
            let problem = "the test has decided; it plays no more games";
            return Err(ConfigError::option("games", problem).into());
        }
        let config = event.config.with_games(games)?;
        let before = event.config.games;
        let text = match before == games {
            true => format!("every two engines have {games} games, also those that had fewer"),
            false => format!("{before} games for every two engines became {games}"),
        };
        event.change(ChangeKind::Extended, text, Some(&config), date)?;
        drop(event);
        Event::open(dir)
    }

    /// Adds engines; the entries must have everything that an event stores about an engine. Each
    /// plays all engines that play by then, in a gauntlet the challengers, after the scheduled
    /// games.
    ///
    /// # Errors
    /// As [`Event::extend`]; and when the event's format does not allow it.
    pub fn add(self, engines: &[EngineEntry], date: &str) -> Result<Event, EventError> {
        let config = self.config.with_engines(engines)?;
        let labels = config.labels();
        let games = config.schedule().len() - self.config.schedule().len();
        let names = labels[self.config.engines.len()..].join(", ");
        let text = format!("{names} joined, with {games} games");
        self.change(ChangeKind::Added, text, Some(&config), date)?;
        let dir = self.dir;
        drop(self.store);
        Event::open(&dir)
    }

    /// Removes the engine at that place. Its finished games stay, the others are dropped.
    ///
    /// # Errors
    /// As [`Event::extend`]; and when the event's format does not allow it.
    pub fn remove(self, place: usize, reason: &str, date: &str) -> Result<Event, EventError> {
        let left = self.total();
        let why = if reason.is_empty() { date.to_owned() } else { format!("{date}: {reason}") };
        let config = self.config.without_engine(place, &why)?;
        let after = self.total_of(&config);
        let label = &config.labels()[place];
        let reason = if reason.is_empty() { String::new() } else { format!(": {reason}") };
        let text = format!("{label} was removed, and {} games were dropped{reason}", left - after);
        self.change(ChangeKind::Removed(place), text, Some(&config), date)?;
        let dir = self.dir;
        drop(self.store);
        Event::open(&dir)
    }

    /// How many games an event with this configuration and these finished games would have.
    pub fn total_of(&self, config: &EventConfig) -> u64 {
        let gone = config.gone();
        config.schedule().len_without(&gone) + self.tally.games_of_any(&gone)
    }

    /// Tells the process that plays the event what to do, and why; the reason is empty for an order
    /// by a person.
    ///
    /// # Errors
    /// When no process plays it, or another one changed it at the same time.
    pub fn order(&self, kind: ChangeKind, reason: &str, date: &str) -> Result<(), EventError> {
        let text = match kind {
            ChangeKind::Paused => "it was paused: no game is begun",
            ChangeKind::Continued => "it was continued",
            ChangeKind::Stopped => "it was stopped, after the games that were being played",
            ChangeKind::StoppedNow => "it was stopped at once",
            _ => return Err(ConfigError::option("order", "not an order").into()),
        };
        match try_lock(&self.dir) {
            Err(EventError::Running { .. }) => {}
            Err(error) => return Err(error),
            Ok(_) => return Err(EventError::NotRunning { dir: self.dir.clone() }),
        }
        let text = if reason.is_empty() { text.to_owned() } else { format!("{text}: {reason}") };
        self.write(kind, text, None, date, run_of(&self.dir)).map(drop)
    }

    /// Blocks until no process plays the event in that folder.
    ///
    /// # Errors
    /// When its lock cannot be opened.
    pub fn wait_until_free(dir: &Path) -> Result<(), EventError> {
        loop {
            match try_lock(dir) {
                Ok(_) => return Ok(()),
                Err(EventError::Running { .. }) => thread::sleep(LOOK),
                Err(error) => return Err(error),
            }
        }
    }

    /// The process that plays the event in that folder, in words; none where none does.
    pub fn who_plays(dir: &Path) -> Option<String> {
        match try_lock(dir) {
            Err(EventError::Running { by, .. }) => Some(by),
            _ => None,
        }
    }

    /// What was changed since the event was made, in order.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn changes(&self) -> Result<Vec<Change>, EventError> {
        Ok(self.store.changes_after(0)?)
    }

    /// Writes a change of an event, running or not, and its configuration file where no process
    /// plays it: else that one writes it. After a kill in between, the next process that opens the
    /// event writes it.
    fn change(
        &self,
        kind: ChangeKind,
        text: String,
        config: Option<&EventConfig>,
        date: &str,
    ) -> Result<u64, EventError> {
        let lock = match try_lock(&self.dir) {
            Ok(lock) => Some(lock),
            Err(EventError::Running { .. }) => None,
            Err(error) => return Err(error),
        };
        let number = self.write(kind, text, config, date, None)?;
        if lock.is_some()
            && let Some(config) = config
        {
            freeze(&self.dir, &config.to_toml())?;
        }
        Ok(number)
    }

    /// A changed configuration as it is kept: how many games are played at once, and where, may be
    /// the file's, and is no change.
    pub(super) fn kept(&self, config: &EventConfig) -> Result<EventConfig, EventError> {
        let began = EventConfig::from_toml(&self.store.config()?, &self.dir)?;
        let (concurrency, cpus) = (began.concurrency, began.cpus);
        Ok(EventConfig { concurrency, cpus, ..config.clone() })
    }

    pub(super) fn write(
        &self,
        kind: ChangeKind,
        text: String,
        config: Option<&EventConfig>,
        date: &str,
        run: Option<String>,
    ) -> Result<u64, EventError> {
        let config = config.map(|config| self.kept(config)).transpose()?;
        let after = self.last_change;
        let config = config.as_ref();
        let (by, reason, act) = (None, None, None);
        let draft = ChangeDraft { after, date, kind, text, config, run, by, reason, act };
        let store = Store::open_to_write(&self.database())?;
        store.change(&draft)?.map_err(|change| {
            let (dir, change) = (self.dir.clone(), change.to_string());
            EventError::Stale { dir, change }
        })
    }
}
