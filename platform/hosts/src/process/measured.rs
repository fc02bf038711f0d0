//! What the process of an engine takes of the machine.

use super::EngineProcess;
use crate::platform::Usage;
use crate::protocol::Protocol;

impl<P: Protocol> EngineProcess<P> {
    /// The CPU time of the engine so far, in nanoseconds, where the system tells it.
    pub(crate) fn cpu_time(&self) -> Option<u64> {
        self.watchdog.cpu_time()
    }

    /// Its memory and threads now, where the system tells them.
    pub(crate) fn usage(&self) -> Option<Usage> {
        self.watchdog.usage()
    }
}
