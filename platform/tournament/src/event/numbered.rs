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
        let name: Vec<String> = config.labels()[..2].iter().map(|label| plain(label)).collect();
        let name = name.join("-vs-");
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

/// The most bytes of an engine's name in a folder's name. Most systems allow 255 in all, for two
/// engines and a number.
const MOST: usize = 60;

/// An engine's name as a part of a folder's name, in any script. A long name, such as a command, is
/// cut in the middle.
fn plain(label: &str) -> String {
    let mut name = String::new();
    for c in label.strip_prefix("cmd:").unwrap_or(label).chars() {
        match c {
            c if c.is_alphanumeric() || c == '_' => name.push(c),
            // What begins with a dot is hidden, or the folder above.
            '.' if !name.is_empty() && !name.ends_with('-') => name.push('.'),
            _ if name.ends_with('-') => {}
            _ => name.push('-'),
        }
    }
    let name = name.trim_matches(['-', '.']);
    if name.len() <= MOST {
        return if name.is_empty() { "engine".to_owned() } else { name.to_owned() };
    }
    let half = (MOST - 1) / 2;
    let (head, tail) = (name.floor_char_boundary(half), name.ceil_char_boundary(name.len() - half));
    format!("{}-{}", name[..head].trim_end_matches('-'), name[tail..].trim_start_matches('-'))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_can_be_read_and_has_room_in_a_folder() {
        for (label, name) in [
            ("e0", "e0"),
            ("天元", "天元"),
            ("Été-2.1", "Été-2.1"),
            ("cmd:python3 ./my.py --depth 6", "python3-my.py-depth-6"),
            ("../a/libmine.so", "a-libmine.so"),
            ("mine#2", "mine-2"),
            ("???", "engine"),
            ("..", "engine"),
            (r"cmd:C:\My Engines\x.exe -a", "C-My-Engines-x.exe-a"),
            ("Nul.", "Nul"),
        ] {
            assert_eq!(plain(label), name);
            assert!(tengen_files::check_name(&format!("001-{name}-vs-{name}")).is_ok());
        }
        for long in ["x".repeat(300), "天".repeat(300), format!("a{}", "元".repeat(99))] {
            let name = plain(&long);
            assert!((MOST - 8..=MOST).contains(&name.len()), "{name}");
        }
    }
}
