//! Engines that play from other machines.

use std::collections::BTreeSet;

use tengen_arbiter::Nanos;

use super::{ConfigError, EngineEntry, EventConfig};

/// How long to wait for an engine that is away, unless the event says otherwise.
const USUAL_WAIT: Nanos = 600_000_000_000;
/// The most characters of its name.
const MOST_NAME: usize = 32;

impl EventConfig {
    /// How long to wait for an engine of another machine that is away.
    pub fn remote_wait(&self) -> Nanos {
        self.remote_wait.map_or(USUAL_WAIT, |wait| wait.0)
    }

    /// Whether an engine plays from another machine, by now.
    pub fn has_remote(&self) -> bool {
        self.engines.iter().any(|engine| engine.remote().is_some() && engine.removed.is_none())
    }

    /// Refuses settings that have no effect on engines of other machines.
    pub(super) fn validate_remote(&self) -> Result<(), ConfigError> {
        let refuse = |problem: String| Err(ConfigError::option("engines", problem));
        let mut names = BTreeSet::new();
        for engine in &self.engines {
            let (Some(name), id) = (engine.remote(), &engine.id) else { continue };
            let is_sign = |sign: char| sign.is_alphanumeric() || "-_. ".contains(sign);
            if name.trim() != name || name.is_empty() || !name.chars().all(is_sign) {
                return refuse(format!(
                    "{id}: expected a name of letters, digits, `-`, `_`, `.` and spaces after `{}`",
                    EngineEntry::REMOTE
                ));
            }
            if name.chars().count() > MOST_NAME {
                return refuse(format!("{id}: a name has at most {MOST_NAME} characters"));
            }
            if engine.removed.is_none() && !names.insert(name) {
                return refuse(format!("{id}: there are two of them; one team has one key"));
            }
            let is_set_here = !engine.options.is_empty()
                || engine.memory_mib.is_some()
                || engine.threads.is_some()
                || engine.path.is_some();
            if is_set_here {
                return refuse(format!(
                    "{id}: its options, memory and threads are set on the machine that runs it"
                ));
            }
            if self.require_sandbox {
                let problem = format!("{id} runs elsewhere, and its sandbox is not known here");
                return Err(ConfigError::option("require-sandbox", problem));
            }
        }
        if self.opening_engine.as_ref().is_some_and(|engine| engine.remote().is_some()) {
            let problem = "the engine that assists the arbiter has to be on this machine";
            return Err(ConfigError::option("opening-engine", problem));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str) -> Result<(), ConfigError> {
        EventConfig::from_toml(text, "event.toml".as_ref())?.validate()
    }

    #[test]
    fn an_engine_of_another_machine_has_a_name_of_its_own_and_nothing_that_is_set_here() {
        check("engines = ['remote:Team A', { id = 'remote:b', label = 'B', tc = '60+1' }]")
            .unwrap();
        for (text, word) in [
            ("engines = ['remote:', 'a']", "a name"),
            ("engines = ['remote:a/b', 'a']", "a name"),
            ("engines = ['remote:a', 'remote:a']", "two of them"),
            (
                "engines = [{ id = 'remote:a', threads = 2 }, 'b']",
                "set on the machine that runs it",
            ),
            ("require-sandbox = true\nengines = ['remote:a', 'b']", "require-sandbox"),
            ("opening-engine = 'remote:c'\nengines = ['remote:a', 'b']", "opening-engine"),
        ] {
            let error = check(text).unwrap_err().to_string();
            assert!(error.contains(word), "{text}: {error}");
        }
        let long = format!("engines = ['remote:{}', 'b']", "x".repeat(33));
        assert!(check(&long).unwrap_err().to_string().contains("32 characters"));
    }

    #[test]
    fn one_that_is_away_is_waited_for_as_long_as_the_event_says() {
        let read = |text| EventConfig::from_toml(text, "event.toml".as_ref()).unwrap();
        assert_eq!(read("engines = ['remote:a', 'b']").remote_wait(), USUAL_WAIT);
        let config = read("remote-wait = 2.5\nengines = ['remote:a', 'b']");
        assert_eq!(config.remote_wait(), 2_500_000_000);
        assert!(config.has_remote());
        assert!(!read("engines = ['a', 'b']").has_remote());
    }
}
