//! Seats the engines of the window's events, like the command line.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tengen_gui::app::{EngineSettings, EventChange, EventHost, EventPlayers};
use tengen_tournament::{EngineEntry, Event, EventConfig};

use super::NOT_IN_WINDOW;
use super::engine_folder::EngineFolder;
use crate::engine_roster::{EngineRoster, refuse_remote};
use crate::report::causes;
use crate::steer::{date, newcomer};

/// Plays events of the engines that the window knows.
pub(super) struct Events {
    /// The engines, and the user's options.
    pub provider: Arc<EngineFolder>,
    /// The folder in which new events are created.
    pub folder: PathBuf,
}

impl EventHost for Events {
    fn enroll(&self, config: &mut EventConfig) -> Result<EventPlayers, String> {
        if config.dir == EventConfig::default().dir {
            self.provider.dir().clone_into(&mut config.dir);
        }
        let kept = self.provider.kept();
        for entry in &mut config.engines {
            furnish(entry, &kept, |id| self.provider.name(id));
        }
        refuse_remote(config, NOT_IN_WINDOW).map_err(|error| format!("{error:#}"))?;
        let roster = EngineRoster::enroll(config).map_err(|error| format!("{error:#}"))?;
        config.engines.iter_mut().for_each(shorten);
        Ok(Arc::new(roster))
    }

    fn gather(&self, config: &EventConfig) -> Result<EventPlayers, String> {
        refuse_remote(config, NOT_IN_WINDOW).map_err(|error| format!("{error:#}"))?;
        let roster = EngineRoster::gather(config).map_err(|error| format!("{error:#}"))?;
        Ok(Arc::new(roster))
    }

    fn change(&self, dir: &Path, change: &EventChange) -> Result<(), String> {
        let text = |error: anyhow::Error| causes(&error);
        let event = Event::open(dir).map_err(|error| error.to_string())?;
        let changed = match change {
            EventChange::Add(id) => {
                let mut entry = EngineEntry::new(id);
                furnish(&mut entry, &self.provider.kept(), |id| self.provider.name(id));
                // The event may have another folder of engines than the window.
                let is_far = event.config().dir != self.provider.dir() && is_plain(id);
                let folder = is_far.then(|| self.provider.dir());
                let mut entry = newcomer(event.config(), entry, folder).map_err(text)?;
                shorten(&mut entry);
                event.add(&[entry], &date())
            }
            EventChange::Remove(place) => event.remove(*place, "", &date()),
            EventChange::Extend(games) => Event::extend(dir, *games, &date()),
        };
        changed.map(drop).map_err(|error| error.to_string())
    }

    fn folder(&self) -> PathBuf {
        self.folder.clone()
    }
}

/// Whether that is the name of an engine in a folder, and no path or command.
fn is_plain(id: &str) -> bool {
    !id.starts_with("cmd:") && !Path::new(id).is_absolute()
}

/// Applies the user's options where the event has none, and gives an engine added by its path a
/// short label.
fn furnish(entry: &mut EngineEntry, kept: &EngineSettings, name: impl Fn(&str) -> Option<String>) {
    for (name, value) in kept.options.get(&entry.id).into_iter().flatten() {
        entry.options.entry(name.clone()).or_insert_with(|| value.clone());
    }
    if entry.label.is_none() && kept.added.contains(&entry.id) {
        entry.label = name(&entry.id);
    }
}

/// Labels a command by the engine's name, and a file by its file name: tables have no room for
/// either as typed.
fn shorten(entry: &mut EngineEntry) {
    if entry.label.is_some() {
        return;
    }
    let path = Path::new(&entry.id);
    entry.label = match entry.id.starts_with("cmd:") {
        true => Some(entry.name.clone()).filter(|name| !name.is_empty()),
        false if path.is_absolute() => {
            path.file_name().map(|name| name.to_string_lossy().into_owned())
        }
        false => None,
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_have_short_names() {
        let label = |id: &str, name: &str| {
            let mut entry = EngineEntry { name: name.to_owned(), ..EngineEntry::new(id) };
            shorten(&mut entry);
            entry.label
        };
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(label("cmd:python3 far/away.py stay", "Swap2"), some("Swap2"));
        assert_eq!(label("cmd:python3 far/away.py", ""), None);
        let path = std::env::temp_dir().join("pbrain-plain");
        assert_eq!(label(&path.display().to_string(), "Plain"), some("pbrain-plain"));
        assert_eq!(label("greedy", "Greedy"), None);
    }

    #[test]
    fn an_engine_brings_what_was_set_on_it_and_a_short_name() {
        let kept: EngineSettings = toml::from_str(
            "added = ['/far/away/libfast.so']\n\
             [options.'/far/away/libfast.so']\nDepth = '6'\nHash = '16'",
        )
        .unwrap();
        let mut added = EngineEntry::new("/far/away/libfast.so");
        added.options.insert("Depth".to_owned(), "2".to_owned());
        let name = |id: &str| id.ends_with("libfast.so").then(|| "fast".to_owned());
        furnish(&mut added, &kept, name);
        assert_eq!(added.label.as_deref(), Some("fast"));
        assert_eq!(added.options["Depth"], "2", "what the event says stays");
        assert_eq!(added.options["Hash"], "16");
        let mut other = EngineEntry::new("greedy");
        furnish(&mut other, &kept, name);
        assert_eq!(other, EngineEntry::new("greedy"));
    }
}
