//! Reading a large database takes long, and may be stopped.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use rusqlite::InterruptHandle;

use super::EventError;
use crate::Stop;

const TICK: Duration = Duration::from_millis(10);

/// What came of work with a database; none where it was stopped.
///
/// # Errors
/// When the work fails by itself.
pub(super) fn until_stopped<T>(
    handle: &InterruptHandle,
    stop: &Stop,
    work: impl FnOnce() -> Result<T, EventError>,
) -> Result<Option<T>, EventError> {
    if stop.is_requested() {
        return Ok(None);
    }
    let is_done = AtomicBool::new(false);
    thread::scope(|scope| {
        let guard = scope.spawn(|| {
            while !is_done.load(Ordering::SeqCst) {
                // It ends the statement that runs, so that one after the other is ended.
                if stop.is_requested() {
                    handle.interrupt();
                }
                thread::park_timeout(TICK);
            }
        });
        let done = work();
        is_done.store(true, Ordering::SeqCst);
        guard.thread().unpark();
        match done {
            Err(_) if stop.is_requested() => Ok(None),
            done => done.map(Some),
        }
    })
}
