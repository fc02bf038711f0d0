//! State that threads and the window share.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use crate::app::model::Snapshot;

/// The state of a session, shared by its threads and the window.
pub(super) struct SharedState<T> {
    state: Mutex<T>,
    changed: Condvar,
    on_change: OnceLock<Box<dyn Fn() + Send + Sync>>,
}

impl<T> SharedState<T> {
    pub fn new(state: T) -> SharedState<T> {
        let (state, changed) = (Mutex::new(state), Condvar::new());
        SharedState { state, changed, on_change: OnceLock::new() }
    }

    /// Calls `wake` after each change. May be called once.
    pub fn on_change(&self, wake: Box<dyn Fn() + Send + Sync>) {
        let first = self.on_change.set(wake).is_ok();
        debug_assert!(first, "one window watches a session");
    }

    /// No invariant spans a panic: every change of the state is one assignment.
    pub fn lock(&self) -> MutexGuard<'_, T> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Wakes the waiting threads and the window.
    pub fn notify(&self) {
        self.changed.notify_all();
        self.wake();
    }

    /// Wakes the window.
    pub fn wake(&self) {
        if let Some(wake) = self.on_change.get() {
            wake();
        }
    }

    /// Waits while the condition holds.
    pub fn wait_while<'a>(
        &'a self,
        state: MutexGuard<'a, T>,
        condition: impl FnMut(&mut T) -> bool,
    ) -> MutexGuard<'a, T> {
        self.changed.wait_while(state, condition).unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a change, until the timeout if there is one.
    pub fn wait<'a>(
        &'a self,
        state: MutexGuard<'a, T>,
        timeout: Option<Duration>,
    ) -> MutexGuard<'a, T> {
        match timeout {
            Some(timeout) => {
                let waited = self.changed.wait_timeout(state, timeout);
                waited.unwrap_or_else(PoisonError::into_inner).0
            }
            None => self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
        }
    }
}

/// A state that the window shows as snapshots.
impl<T: AsRef<Arc<Snapshot>>> SharedState<T> {
    pub fn snapshot(&self) -> Arc<Snapshot> {
        Arc::clone(self.lock().as_ref())
    }

    /// Waits for a snapshot that fits. One that is replaced at once may be missed.
    pub fn wait_until(&self, condition: impl Fn(&Snapshot) -> bool) {
        drop(self.wait_while(self.lock(), |state| !condition((*state).as_ref())));
    }
}
