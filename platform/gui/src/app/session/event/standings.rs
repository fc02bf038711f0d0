//! Updates the standings of an event on a thread of its own.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::pause::lock;
use super::session::EventHandle;

/// The shortest time between two updates of the standings. Computing and drawing them costs CPU
/// time on the machine that the engines use.
const REST: Duration = Duration::from_millis(500);
/// How much longer it rests than an update has taken: with a thousand engines that takes a while.
const SHARE: u32 = 10;

/// Tells the standings thread that games were finished: neither the window nor the event waits for
/// it.
#[derive(Default)]
pub(super) struct StandingsSignal {
    state: Mutex<SignalState>,
    changed: Condvar,
}

#[derive(Default)]
struct SignalState {
    is_stale: bool,
    is_closed: bool,
}

impl StandingsSignal {
    /// Games were finished.
    pub fn ask(&self) {
        lock(&self.state).is_stale = true;
        self.changed.notify_all();
    }

    /// Waits for finished games. Returns `false` when there will be no more.
    fn next(&self) -> bool {
        let idle = |state: &mut SignalState| !state.is_stale && !state.is_closed;
        let state = self.changed.wait_while(lock(&self.state), idle);
        let mut state = state.unwrap_or_else(PoisonError::into_inner);
        state.is_stale = false;
        !state.is_closed
    }

    fn rest(&self, cost: Duration) {
        let goes_on = |state: &mut SignalState| !state.is_closed;
        let rest = REST.max(cost * SHARE);
        drop(self.changed.wait_timeout_while(lock(&self.state), rest, goes_on));
    }
}

/// Keeps the signal open; dropping it ends the standings thread.
pub(super) struct SignalGuard<'a>(&'a StandingsSignal);

impl<'a> SignalGuard<'a> {
    pub fn new(standings_signal: &'a StandingsSignal) -> SignalGuard<'a> {
        *lock(&standings_signal.state) = SignalState::default();
        SignalGuard(standings_signal)
    }
}

impl Drop for SignalGuard<'_> {
    fn drop(&mut self) {
        lock(&self.0.state).is_closed = true;
        self.0.changed.notify_all();
    }
}

/// Updates the standings until the run ends.
pub(super) fn keep(shared: &EventHandle) {
    while shared.standings_signal.next() {
        let begun = Instant::now();
        update_standings(shared);
        shared.standings_signal.rest(begun.elapsed());
    }
}

/// Computes and publishes the standings.
pub(super) fn update_standings(shared: &EventHandle) {
    let Some(follower) = shared.state.lock().follower.clone() else { return };
    let summary = Arc::new(follower.summary());
    shared.publish(|state| state.shown.summary = summary);
}
