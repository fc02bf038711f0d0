//! Changes that the program itself makes to an event that is played.

use std::path::Path;

use tengen_tournament::{Event, EventError};

/// How often a change is tried again that came at the same time as another one.
const MOST_TRIES: u32 = 5;

/// The date as it is noted with a change.
pub fn date() -> String {
    jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

fn is_removed(dir: &Path, place: usize) -> bool {
    Event::open(dir).is_ok_and(|event| event.config().engines[place].removed.is_some())
}

/// Removes an engine from an event that is played, for that reason.
pub fn set_aside(dir: &Path, place: usize, reason: &str) -> Result<(), EventError> {
    let mut tries = 0;
    loop {
        match Event::open(dir)?.remove(place, reason, &date()) {
            // Another process changed the event at the same moment.
            Err(EventError::Stale { .. }) if tries < MOST_TRIES => tries += 1,
            // Another process has removed it.
            Err(_) if is_removed(dir, place) => return Ok(()),
            removed => return removed.map(drop),
        }
    }
}
