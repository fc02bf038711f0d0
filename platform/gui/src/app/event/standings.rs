use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use tengen_tournament::{Summary, TestState};

use super::desk::Shared;
use super::live::lock;

/// How long standings stay as they are while games are finished all along. The sums and the frame
/// that shows them are paid by the machine that the engines play on.
const REST: Duration = Duration::from_millis(500);

/// Whether standings are to be made, asked by whoever finished a game and heard by the thread that
/// makes them: neither the window nor the event waits for the sums.
#[derive(Default)]
pub(super) struct Sums {
    wish: Mutex<Wish>,
    changed: Condvar,
}

#[derive(Default)]
struct Wish {
    is_stale: bool,
    is_closed: bool,
}

impl Sums {
    /// Games were finished.
    pub fn ask(&self) {
        lock(&self.wish).is_stale = true;
        self.changed.notify_all();
    }

    /// Waits for finished games; says no when there will be none any more.
    fn next(&self) -> bool {
        let idle = |wish: &mut Wish| !wish.is_stale && !wish.is_closed;
        let wish = self.changed.wait_while(lock(&self.wish), idle);
        let mut wish = wish.unwrap_or_else(PoisonError::into_inner);
        wish.is_stale = false;
        !wish.is_closed
    }

    fn rest(&self) {
        let goes_on = |wish: &mut Wish| !wish.is_closed;
        drop(self.changed.wait_timeout_while(lock(&self.wish), REST, goes_on));
    }
}

/// The time in which standings are kept; its end lets the thread end.
pub(super) struct Open<'a>(&'a Sums);

impl<'a> Open<'a> {
    pub fn new(sums: &'a Sums) -> Open<'a> {
        *lock(&sums.wish) = Wish::default();
        Open(sums)
    }
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        lock(&self.0.wish).is_closed = true;
        self.0.changed.notify_all();
    }
}

/// Keeps the standings until the event is left.
pub(super) fn keep(shared: &Shared) {
    while shared.sums.next() {
        sum_up(shared);
        shared.sums.rest();
    }
}

/// Makes the standings of all that is finished, and publishes them.
pub(super) fn sum_up(shared: &Shared) {
    let (tally, labels, dir, config, spoiled) = {
        let state = lock(&shared.state);
        let (labels, config) = (Arc::clone(&state.labels), Arc::clone(&state.config));
        (state.tally.clone(), labels, state.dir.clone(), config, state.spoiled.clone())
    };
    let sprt = config.sprt.map(|test| TestState::of(test.0, tally.pairs(0, 1)));
    let summary = Summary { sprt, spoiled, ..Summary::new(&tally, &labels, &dir) };
    shared.publish(|state| state.summary = Arc::new(summary));
}
