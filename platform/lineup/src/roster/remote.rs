//! Engines of an event that play from other machines.

use anyhow::anyhow;
use tengen_tournament::{EngineEntry, EventConfig};

use super::decides_nothing;
use crate::WrongUse;

/// Takes in an engine that plays from another machine: it cannot be asked here what it is. Whether
/// the entry is one.
pub(super) fn enroll_remote(entry: &mut EngineEntry, config: &EventConfig) -> bool {
    let Some(name) = entry.remote().map(str::to_owned) else { return false };
    entry.label.get_or_insert(name);
    entry.layers = vec![EngineEntry::REMOTE_LAYER.to_owned()];
    entry.opening_by_arbiter = decides_nothing(entry, config);
    true
}

/// Whether an engine is started on this machine.
pub(super) fn is_here(entry: &EngineEntry) -> bool {
    entry.absent.is_none() && entry.removed.is_none() && entry.remote().is_none()
}

/// What is said of remote engines where there is no server.
const NO_WAY_IN: &str = "plays from another machine, and this event is not served";
/// What to do about it at the command line.
pub const SERVE: &str = "serve it with --serve ADDRESS:PORT";

/// Those that play from other machines, in an event that is not served.
pub(super) fn without_server(config: &EventConfig) -> Vec<(usize, String)> {
    let entries = config.engines.iter().enumerate();
    let remote = entries.filter(|(_, entry)| entry.remote().is_some() && entry.removed.is_none());
    remote.map(|(place, _)| (place, format!("{NO_WAY_IN}; {SERVE}"))).collect()
}

/// Refuses an event with engines of other machines that is not served, with that advice.
pub fn refuse_remote(config: &EventConfig, advice: &str) -> anyhow::Result<()> {
    match without_server(config).first() {
        Some(&(place, _)) => {
            let id = &config.engines[place].id;
            Err(WrongUse(anyhow!("{id}: {NO_WAY_IN}; {advice}")).into())
        }
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_said_which_engine_is_refused_and_what_to_do() {
        let engines = vec![EngineEntry::new("remote:a"), EngineEntry::new("builtin:alphabeta")];
        let config = EventConfig { engines, ..EventConfig::default() };
        let refused = refuse_remote(&config, SERVE).unwrap_err().to_string();
        assert!(refused.starts_with("remote:a: plays from another machine"), "{refused}");
        assert!(refused.ends_with(SERVE), "{refused}");
        assert!(refuse_remote(&EventConfig::default(), SERVE).is_ok());
    }
}
