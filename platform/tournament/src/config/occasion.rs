//! What an event is called, where and when it is played.

use std::path::Path;

use super::{ConfigError, EventConfig};

/// The longest of these, in characters.
const MOST: usize = 120;

impl EventConfig {
    /// What people call the event in that folder.
    pub fn title(&self, dir: &Path) -> String {
        let named = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
        let named = || named(dir).or_else(|| named(&dunce::canonicalize(dir).ok()?));
        self.title.clone().or_else(named).unwrap_or_else(|| "event".to_owned())
    }

    /// Where and when it is played, in a line; empty where that is not told.
    pub fn occasion(&self) -> String {
        let told = [&self.place, &self.date].into_iter().flatten();
        told.map(String::as_str).collect::<Vec<_>>().join(", ")
    }

    pub(super) fn validate_occasion(&self) -> Result<(), ConfigError> {
        for (name, words) in [("title", &self.title), ("place", &self.place), ("date", &self.date)]
        {
            if words.as_ref().is_some_and(|words| !is_line(words)) {
                let problem = format!("expected a line of 1 to {MOST} characters");
                return Err(ConfigError::option(name, &problem));
            }
        }
        Ok(())
    }
}

fn is_line(words: &str) -> bool {
    (1..=MOST).contains(&words.trim().chars().count()) && !words.chars().any(char::is_control)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_called_as_it_says_or_as_its_folder() {
        let config = EventConfig { date: Some("May 2027".to_owned()), ..EventConfig::default() };
        assert_eq!((&*config.title("cups/may".as_ref()), &*config.occasion()), ("may", "May 2027"));
        let (title, place) = (Some("May Cup".to_owned()), Some("Brno".to_owned()));
        let config = EventConfig { title, place, ..config };
        assert_eq!(config.title("cups/may".as_ref()), "May Cup");
        assert_eq!(config.occasion(), "Brno, May 2027");
        assert_eq!(EventConfig::from_toml(&config.to_toml(), "x".as_ref()).unwrap(), config);
        config.validate_occasion().unwrap();
        for wrong in ["", " ", "two\nlines", &*"x".repeat(MOST + 1)] {
            let config = EventConfig { place: Some(wrong.to_owned()), ..EventConfig::default() };
            let error = config.validate_occasion().unwrap_err().to_string();
            assert!(error.contains("place"), "{error}");
        }
    }
}
