//! Engines that are started for a debugger.

use std::time::Duration;

use tengen_hosts::{DebugStart, EngineSpec, HostSettings};
use tengen_tournament::Seconds;

/// A time that no debugging session needs: a day.
pub const NO_HURRY: Seconds = Seconds(86_400_000_000_000);

/// Without a deadline, and never paused.
pub(crate) fn unhurried(settings: HostSettings) -> HostSettings {
    HostSettings { startup: Duration::from_nanos(NO_HURRY.0), ponder: true, ..settings }
}

/// How an engine is hosted that is debugged: nothing limits it, it is not paused, and it waits as
/// it starts.
pub fn debugged(start: DebugStart, settings: HostSettings) -> HostSettings {
    HostSettings { debug: Some(start), ..unhurried(settings) }
}

/// The same engine without limits.
pub(crate) fn unlimited(spec: &EngineSpec) -> EngineSpec {
    EngineSpec { memory_mib: None, ..spec.clone() }
}
