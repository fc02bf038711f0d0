//! Numbered folders for events.

use std::fs;
use std::path::Path;

use super::{Event, EventError};
use crate::EventConfig;

impl Event {
    /// Makes an event in the first free folder `NNN-first-vs-second…` of `parent`.
    ///
    /// # Errors
    /// As [`Event::create`].
    pub fn create_numbered(parent: &Path, config: &EventConfig) -> Result<Event, EventError> {
        config.validate()?;
        let name = config.labels()[..2].join("-vs-").replace(|c: char| !is_plain(c), "-");
        let more = if config.engines.len() > 2 { "-and-others" } else { "" };
        let mut number = newest_number(parent) + 1;
        loop {
            let dir = parent.join(format!("{number:03}-{name}{more}"));
            match Event::create(&dir, config.clone()) {
                Err(
                    EventError::Exists { .. }
                    | EventError::NotEmpty { .. }
                    | EventError::Running { .. },
                ) => number += 1,
                made => return made,
            }
        }
    }
}

fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || "-_.".contains(c)
}

/// The greatest number that begins the name of a folder in `parent`; 0 when there is none.
fn newest_number(parent: &Path) -> u64 {
    let names = fs::read_dir(parent).into_iter().flatten().flatten();
    let number = |entry: fs::DirEntry| {
        let name = entry.file_name();
        name.to_str()?.split('-').next()?.parse().ok()
    };
    names.filter_map(number).max().unwrap_or(0)
}
