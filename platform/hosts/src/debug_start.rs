//! Starts an engine for a debugger.

use std::fmt;
use std::sync::Arc;

/// How to start an engine for a debugger: without the sandbox. A function gets the number of its
/// process, and no code of the engine runs before that function has returned.
#[derive(Clone)]
pub struct DebugStart(Arc<dyn Fn(u32) + Send + Sync>);

impl DebugStart {
    /// Waits by calling `wait` with the number of the process.
    pub fn new(wait: impl Fn(u32) + Send + Sync + 'static) -> DebugStart {
        DebugStart(Arc::new(wait))
    }

    pub(crate) fn wait(&self, process: u32) {
        (self.0)(process);
    }
}

impl fmt::Debug for DebugStart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DebugStart")
    }
}
