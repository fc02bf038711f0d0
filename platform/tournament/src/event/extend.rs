//! Lets an event have more games than it began with.

use std::path::Path;

use super::run::lock;
use super::{Event, EventError, freeze};
use crate::{ConfigError, EventConfig};

impl Event {
    /// Gives an event that is not running more games for every two engines. Those that were played
    /// are the first of the new schedule. `date` is noted with the change in the event's log.
    ///
    /// The database has the new configuration first, and the old one beside it: whoever opens the
    /// event after a kill in between writes the file anew.
    ///
    /// # Errors
    /// When there is no event, it is running, or it cannot have so many games. Nothing is changed
    /// then.
    pub fn extend(dir: &Path, games: u32, date: &str) -> Result<Event, EventError> {
        drop(Event::open(dir)?);
        let lock = lock(dir)?;
        // Somebody may have changed it until the lock was there.
        let event = Event::open(dir)?;
        let before = event.config.games;
        let refuse = |problem: String| Err(ConfigError::option("games", problem).into());
        if event.course.is_drawn() {
            return refuse(format!(
                "rounds of {} follow from each other, and cannot have more; only round-robin and \
                 gauntlet can",
                if event.config.stages.is_empty() {
                    event.config.format.to_string()
                } else {
                    "an event with stages".to_owned()
                }
            ));
        }
        if games <= before {
            return refuse(format!("every two engines play {before} already; name more"));
        }
        if event.has_decided() {
            return refuse("the test has decided; it plays no more games".to_owned());
        }
        if before % 2 == 1 {
            return refuse(format!(
                "{before} games are an odd number, and the last one of each two engines is no \
                 part of a pair; only an event of pairs can have more"
            ));
        }
        let config = EventConfig { games, ..event.config.clone() };
        config.validate()?;
        let text = config.to_toml();
        let change = format!("{date}: {before} games for every two engines became {games}");
        event.store.change_config(&text, &change)?;
        freeze(dir, &text)?;
        drop(event);
        let event = Event::open(dir);
        drop(lock);
        event
    }

    /// What was changed since the event was made, a line for each change.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn changes(&self) -> Result<Vec<String>, EventError> {
        Ok(self.store.changes()?)
    }
}
