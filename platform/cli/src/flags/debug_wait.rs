//! `--debug-engine`: an engine that a debugger is attached to.

use std::io;
use std::thread;
use std::time::Duration;

use clap::Args as ClapArgs;
use tengen_hosts::{DebugStart, EngineSpec, HostSettings};
use tengen_tournament::Seconds;

use crate::report::tell;

/// Longer than any debugging session.
pub(crate) const NO_HURRY: Seconds = Seconds(86_400_000_000_000);

/// How long an engine waits for a debugger.
#[derive(Clone, Copy, Debug, Default, ClapArgs)]
pub(crate) struct DebugWaitArgs {
    /// Let the debugged engine go on after this time, instead of after Enter
    #[arg(long, value_name = "SECONDS", help_heading = "Engines", hide_short_help = true)]
    pub debug_wait: Option<Seconds>,
}

impl DebugWaitArgs {
    /// What the user is to do to end the wait.
    pub(crate) fn until(self) -> String {
        match self.debug_wait {
            None => "press Enter".to_owned(),
            Some(span) => format!("wait {} s", span.get()),
        }
    }

    /// Waits for it.
    pub(crate) fn wait(self) {
        match self.debug_wait {
            Some(span) => thread::sleep(Duration::from_nanos(span.0)),
            // The end of the input goes on, too.
            None => drop(io::stdin().read_line(&mut String::new())),
        }
    }

    /// How that engine is hosted: nothing limits it, it is not paused, and it waits as it starts.
    pub(crate) fn settings(self, engine: &str, settings: HostSettings) -> HostSettings {
        let engine = engine.to_owned();
        let wait = move |process| {
            tell(format_args!(
                "tengen: {engine} is process {process}, without a sandbox, and has not been loaded \
                 yet: attach a debugger (gdb -p {process}), let it continue, then {}",
                self.until()
            ));
            self.wait();
        };
        HostSettings { debug: Some(DebugStart::new(wait)), ..unhurried(settings) }
    }
}

/// Without a deadline, and never paused.
pub(crate) fn unhurried(settings: HostSettings) -> HostSettings {
    HostSettings { startup: Duration::from_nanos(NO_HURRY.0), ponder: true, ..settings }
}

/// The same engine without limits.
pub(crate) fn unlimited(spec: &EngineSpec) -> EngineSpec {
    EngineSpec { memory_mib: None, ..spec.clone() }
}
