//! What a process of an engine takes over from the one before because it takes long to make.
//! Nothing of the earlier process is left in it.

use std::fs::File;
use std::io;
use std::sync::Arc;

use super::Running;
use crate::platform::{self, Inside};
use crate::protocol::Ready;
use crate::sandbox::{MOUNT_NS, NET_NS, PID_NS};
use crate::watchdog::ScratchDir;

/// What the next process is to get.
#[derive(Default)]
pub(super) struct ReusedParts {
    /// The folder in which it begins, as it is outside. What it writes there is in memory.
    scratch: Option<Arc<ScratchDir>>,
    /// The network namespace that its processes are in, one after the other. Each process checks
    /// whether the one before has left something there.
    net_ns: Option<File>,
}

impl ReusedParts {
    /// An empty folder that no other engine has.
    pub(super) fn take_scratch(&mut self) -> io::Result<Arc<ScratchDir>> {
        let kept = self.scratch.take();
        let kept = kept.filter(|kept| Arc::strong_count(kept) == 1 && kept.is_empty());
        kept.map_or_else(|| ScratchDir::new().map(Arc::new), Ok)
    }

    pub(super) fn net_ns(&self) -> Option<&File> {
        self.net_ns.as_ref()
    }

    /// These processes are about to go on, and nothing of the engine has run.
    pub(super) fn started(&mut self, inside: Option<Inside>) {
        if self.net_ns.is_none() {
            self.net_ns = inside.and_then(|inside| platform::net_ns(inside.init));
        }
    }

    /// Nothing is kept that something of this process might be left in.
    pub(super) fn keep(&mut self, ready: &Ready, running: Option<&Running>) {
        if !(ready.holds(NET_NS) && ready.holds(PID_NS)) {
            self.net_ns = None;
        }
        let running = running.filter(|_| ready.holds(MOUNT_NS) && ready.holds(PID_NS));
        self.scratch = running.and_then(|running| running.scratch.clone());
    }
}
