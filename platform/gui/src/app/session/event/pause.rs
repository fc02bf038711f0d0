//! How the window follows the games of an event, and makes them wait.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tengen_arbiter::{Game, Nanos};
use tengen_tournament::{Change, ScheduledGame, Stop, Watcher};

use super::session::EventHandle;

/// The shortest time between two updates of the window.
const TELL: Nanos = 500_000_000;

/// Wakes the window for what its follower has seen, and makes the games wait while it pauses them.
pub(super) struct PausingWatcher<'a> {
    pub shared: &'a EventHandle,
    pub stop: &'a Stop,
    /// When the window was woken last.
    pub updated_at: AtomicU64,
}

impl Watcher for PausingWatcher<'_> {
    fn look(&self, _table: usize, _scheduled: &ScheduledGame, game: &Game) {
        let EventHandle { time, boards_seen, state, pause, .. } = self.shared;
        let (now, updated_at) = (time.now(), self.updated_at.load(Ordering::Relaxed));
        if now >= updated_at.saturating_add(TELL)
            && boards_seen.load(Ordering::Relaxed)
            && self
                .updated_at
                .compare_exchange(updated_at, now, Ordering::Relaxed, Ordering::Relaxed)
                .is_ok()
        {
            boards_seen.store(false, Ordering::Relaxed);
            state.wake();
        }
        if game.result().is_none() {
            pause.wait_while_paused(self.stop);
        }
    }

    fn changed(&self, change: &Change) {
        self.shared.obey(change.kind);
    }
}

/// Pauses all workers before their next questions.
#[derive(Default)]
pub(super) struct PauseSwitch {
    wanted: AtomicBool,
    lock: Mutex<()>,
    changed: Condvar,
}

impl PauseSwitch {
    pub fn set(&self, wanted: bool) {
        let _guard = lock(&self.lock);
        self.wanted.store(wanted, Ordering::SeqCst);
        self.changed.notify_all();
    }

    pub fn is_wanted(&self) -> bool {
        self.wanted.load(Ordering::SeqCst)
    }

    /// Waits for this interval, and longer while paused, unless it is to go on.
    pub fn rest(&self, interval: Duration, goes_on: impl Fn() -> bool) {
        let end = Instant::now() + interval;
        let mut guard = lock(&self.lock);
        while !goes_on() {
            let left = match end.saturating_duration_since(Instant::now()) {
                _ if self.is_wanted() => Duration::MAX,
                Duration::ZERO => return,
                left => left,
            };
            let waited = self.changed.wait_timeout(guard, left);
            guard = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Blocks while paused, unless the event is to stop.
    pub fn wait_while_paused(&self, stop: &Stop) {
        if !self.is_wanted() {
            return;
        }
        let rests = |(): &mut ()| self.is_wanted() && !stop.is_requested();
        let waited = self.changed.wait_while(lock(&self.lock), rests);
        drop(waited.unwrap_or_else(PoisonError::into_inner));
    }
}

/// No invariant spans a panic: every value is whole.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
