//! `--debug-engine`: an engine that a debugger is attached to.

use std::io;
use std::thread;
use std::time::Duration;

use clap::Args as ClapArgs;
use tengen_hosts::DebugStart;
use tengen_tournament::Seconds;

use crate::report::tell;

/// How long an engine waits for a debugger.
#[derive(Clone, Copy, Debug, Default, ClapArgs)]
pub(crate) struct DebugWaitArgs {
    /// Let the debugged engine go on after this time, instead of after Enter
    #[arg(long, value_name = "SECONDS", help_heading = "Engines", hide_short_help = true)]
    pub debug_wait: Option<Seconds>,
}

impl DebugWaitArgs {
    /// How to debug a process that waits, and to end the wait.
    pub(crate) fn advice(self, process: u32) -> String {
        let until = match self.debug_wait {
            None => "press Enter".to_owned(),
            Some(span) => format!("wait {} s", span.get()),
        };
        let debuggers: &[&str] = if cfg!(windows) { &["windbg"] } else { &["gdb", "lldb"] };
        let debuggers: Vec<_> =
            debuggers.iter().map(|name| format!("{name} -p {process}")).collect();
        let debuggers = debuggers.join(", ");
        format!("attach a debugger ({debuggers}), let it continue, then {until}")
    }

    /// Waits for it.
    pub(crate) fn wait(self) {
        match self.debug_wait {
            Some(span) => thread::sleep(Duration::from_nanos(span.0)),
            // The end of the input goes on, too.
            None => drop(io::stdin().read_line(&mut String::new())),
        }
    }

    /// How that engine is started: it waits before it is loaded.
    pub(crate) fn start(self, engine: &str) -> DebugStart {
        let engine = engine.to_owned();
        DebugStart::new(move |process| {
            tell(format_args!(
                "tengen: {engine} is process {process}, without a sandbox, and has not been loaded \
                 yet: {}",
                self.advice(process)
            ));
            self.wait();
        })
    }
}
