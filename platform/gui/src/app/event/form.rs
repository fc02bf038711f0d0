use std::fs;
use std::path::{Path, PathBuf};

use tengen_arbiter::TimeControl;
use tengen_rules::{Procedure, Size};
use tengen_tournament::{EngineEntry, EventConfig, Openings};

/// The form of a new event: a configuration as files have it, and the fields that are typed. What
/// the form does not ask stays as the file had it.
#[derive(Clone, PartialEq, Debug)]
pub struct EventForm {
    /// The configuration.
    pub config: EventConfig,
    /// The board's columns.
    pub width: u8,
    /// The board's rows.
    pub height: u8,
    /// The time control as it is typed: `10+0.1`.
    pub tc: String,
    /// The file of opening positions as it is typed.
    pub openings: String,
}

impl Default for EventForm {
    fn default() -> EventForm {
        EventForm::new(EventConfig::default())
    }
}

impl EventForm {
    /// The form with this in it.
    pub fn new(config: EventConfig) -> EventForm {
        let openings = match &config.openings {
            Openings::File(path) => path.display().to_string(),
            Openings::Positions(_) => String::new(),
        };
        let (width, height) = (config.size.width(), config.size.height());
        EventForm { width, height, tc: config.tc.to_string(), openings, config }
    }

    /// The form that was filled in last; as at first where there is none.
    pub fn remembered(folder: &Path) -> EventForm {
        EventConfig::read(&file(folder)).map(EventForm::new).unwrap_or_default()
    }

    /// Keeps it for the next time: a file that `tengen tournament run` plays too.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn remember(&self, folder: &Path) -> std::io::Result<()> {
        let Ok(mut config) = self.filled() else { return Ok(()) };
        // The file lies elsewhere than where the path was typed.
        if let Openings::File(path) = &mut config.openings {
            *path = std::path::absolute(&path)?;
        }
        fs::create_dir_all(folder)?;
        let beside = file(folder).with_extension("new");
        fs::write(&beside, config.to_toml())?;
        fs::rename(beside, file(folder))
    }

    /// How often an engine plays.
    pub fn seats(&self, id: &str) -> usize {
        self.config.engines.iter().filter(|engine| engine.id == id).count()
    }

    /// Lets an engine play, or not.
    pub fn seat(&mut self, id: &str, plays: bool) {
        if plays {
            self.config.engines.push(EngineEntry::new(id));
        } else {
            self.config.engines.retain(|engine| engine.id != id);
        }
    }

    /// The configuration that the form says, its openings still to be read.
    ///
    /// # Errors
    /// What cannot be played, in words.
    pub fn filled(&self) -> Result<EventConfig, String> {
        let told = |error: &dyn std::fmt::Display| error.to_string();
        let size = Size::new(self.width, self.height).map_err(|error| told(&error))?;
        let tc: TimeControl = self.tc.trim().parse().map_err(|error| told(&error))?;
        let mut config = EventConfig { size, tc, ..self.config.clone() };
        let typed = self.openings.trim();
        if config.opening != Procedure::Book {
            config.openings = Openings::default();
        } else if !typed.is_empty() {
            config.openings = Openings::File(PathBuf::from(typed));
        }
        // A file is read when the event begins; everything else is looked at now.
        let read = !matches!(config.openings, Openings::File(_));
        let looked_at = EventConfig {
            openings: if read { config.openings.clone() } else { Openings::default() },
            opening: if read { config.opening } else { Procedure::None },
            ..config.clone()
        };
        looked_at.validate().map_err(|error| told(&error))?;
        Ok(config)
    }
}

fn file(folder: &Path) -> PathBuf {
    folder.join("form.toml")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_filled_in_is_there_again_and_is_a_file_of_events() {
        let folder = tempfile::tempdir().unwrap();
        let mut form = EventForm::remembered(folder.path());
        assert!(form.filled().unwrap_err().contains("engines"));
        form.seat("one", true);
        form.seat("two", true);
        form.tc = "5+0.5".to_owned();
        form.config.games = 6;
        form.remember(folder.path()).unwrap();
        let config = EventConfig::read(&folder.path().join("form.toml")).unwrap();
        assert_eq!(config, form.filled().unwrap());
        let again = EventForm::remembered(folder.path());
        assert_eq!((again.tc.as_str(), again.config.games, again.seats("two")), ("5+0.5", 6, 1));
        form.seat("two", false);
        assert_eq!(form.seats("two"), 0);
        form.tc = "soon".to_owned();
        assert!(form.filled().is_err());
    }

    #[test]
    fn a_file_of_openings_is_found_again_wherever_the_form_lies() {
        let folder = tempfile::tempdir().unwrap();
        let text = "engines = ['a', 'b']\nopening = 'book'\nopenings = 'suite.pos'\n";
        let form = EventForm::new(EventConfig::from_toml(text, "cup.toml".as_ref()).unwrap());
        assert_eq!(form.openings, "suite.pos");
        form.remember(folder.path()).unwrap();
        let here = std::path::absolute("suite.pos").unwrap();
        assert_eq!(EventForm::remembered(folder.path()).openings, here.display().to_string());
    }

    #[test]
    fn what_a_file_says_beyond_the_form_stays() {
        let text = "engines = [{ id = 'a', options = { Depth = '6' } }, 'b']\nseed = 7\n";
        let config = EventConfig::from_toml(text, "cup.toml".as_ref()).unwrap();
        let filled = EventForm::new(config.clone()).filled().unwrap();
        assert_eq!(filled, config);
    }
}
