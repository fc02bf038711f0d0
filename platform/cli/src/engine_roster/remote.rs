//! Engines of an event that play from other machines.

use anyhow::anyhow;
use tengen_tournament::{EngineEntry, EventConfig};

use super::decides_nothing;
use crate::WrongUse;

/// Takes in an engine that plays from another machine: nobody here can ask it what it is. Whether
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
const NO_WAY_IN: &str = "plays from another machine, and nobody can come in here; say where with \
                         --serve ADDRESS:PORT";

/// Those that play from other machines, where nobody can come in.
pub(super) fn without_server(config: &EventConfig) -> Vec<(usize, String)> {
    let entries = config.engines.iter().enumerate();
    let remote = entries.filter(|(_, entry)| entry.remote().is_some() && entry.removed.is_none());
    remote.map(|(place, _)| (place, NO_WAY_IN.to_owned())).collect()
}

/// Refuses an event with engines of other machines where nobody can come in.
pub(crate) fn refuse_remote(config: &EventConfig) -> anyhow::Result<()> {
    match without_server(config).into_iter().next() {
        Some((place, problem)) => {
            let id = &config.engines[place].id;
            Err(WrongUse(anyhow!("{id}: {problem}")).into())
        }
        None => Ok(()),
    }
}
