use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use tengen_arbiter::Failure;
use tengen_players::{Fault, Listener};

use crate::services::Outlet;
use crate::translate::{self, Best};
use crate::watchdog::Slot;
use crate::words::Words;

/// How many bytes of messages an engine may send for each second of a question.
const MESSAGES: u64 = 1 << 20;

/// What an engine in this process says unasked.
pub(super) struct Messages {
    words: Words,
    state: Mutex<State>,
    slot: Arc<Slot>,
}

struct State {
    listener: Option<Arc<dyn Listener>>,
    best: Best,
    bytes: u64,
    started: Instant,
    is_flood: bool,
}

impl Messages {
    /// `slot` stops the engine.
    pub(super) fn new(slot: Arc<Slot>) -> Messages {
        let started = Instant::now();
        let state =
            State { listener: None, best: Best::default(), bytes: 0, started, is_flood: false };
        Messages { words: Words::new(), state: Mutex::new(state), slot }
    }

    /// Forgets what a former instance said.
    pub(super) fn clear(&self) {
        self.words.clear();
    }

    /// Begins to count for a call at `now`.
    pub(super) fn begin(&self, now: Instant) {
        let mut state = self.state();
        state.best = Best::default();
        (state.bytes, state.started, state.is_flood) = (0, now, false);
    }

    /// Lets somebody hear what is said from now on, and the words that nobody heard.
    pub(super) fn hear(&self, listener: Option<&Arc<dyn Listener>>) {
        self.state().listener = listener.cloned();
        self.words.hear(listener);
    }

    pub(super) fn take_best(&self) -> Best {
        std::mem::take(&mut self.state().best)
    }

    pub(super) fn is_flood(&self) -> bool {
        self.state().is_flood
    }

    pub(super) fn flood(&self) -> Fault {
        let detail = "sent more than 1 MiB of messages in a second of one question".to_owned();
        let detail = self.with_last_words(detail);
        Fault { failure: Failure::ResourceLimit, detail }
    }

    /// What happened, and what the engine said last before it.
    pub(super) fn with_last_words(&self, detail: String) -> String {
        self.words.after(detail)
    }

    fn count(&self, bytes: usize) -> MutexGuard<'_, State> {
        let mut state = self.state();
        state.bytes += bytes as u64;
        if state.bytes > MESSAGES && !state.is_flood {
            let seconds = state.started.elapsed().as_secs();
            state.is_flood = state.bytes > MESSAGES * (1 + seconds);
            if state.is_flood {
                self.slot.fire();
            }
        }
        state
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Outlet for Arc<Messages> {
    fn log(&self, text: &[u8]) {
        drop(self.count(text.len()));
        self.words.log(text);
    }

    fn info(&self, message: &[u8]) {
        let mut state = self.count(message.len());
        state.best.hear(message);
        if let Some(listener) = state.listener.clone() {
            drop(state);
            translate::to_progress(message).into_iter().for_each(|said| listener.progress(said));
        }
    }
}
