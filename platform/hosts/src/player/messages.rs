//! The messages of a WASM engine in the arbiter's own process.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use tengen_arbiter::Failure;
use tengen_players::{Fault, Listener};

use crate::LogTap;
use crate::engine_log::EngineLog;
use crate::host::services::MessageSink;
use crate::translate::{self, LatestInfo};
use crate::watchdog::Slot;

/// How many bytes of messages an engine may send for each second of a question.
const MESSAGES: u64 = 1 << 20;

/// The messages of an engine in this process.
pub(super) struct GuestMessages {
    engine_log: EngineLog,
    state: Mutex<MessageState>,
    slot: Arc<Slot>,
}

struct MessageState {
    listener: Option<Arc<dyn Listener>>,
    latest: LatestInfo,
    bytes: u64,
    started: Instant,
    is_flood: bool,
}

impl GuestMessages {
    /// `slot` stops the engine; `tap` gets all it says.
    pub(super) fn new(slot: Arc<Slot>, tap: Option<Arc<dyn LogTap>>) -> GuestMessages {
        let started = Instant::now();
        let state = MessageState {
            listener: None,
            latest: LatestInfo::default(),
            bytes: 0,
            started,
            is_flood: false,
        };
        GuestMessages { engine_log: EngineLog::tapped(tap), state: Mutex::new(state), slot }
    }

    /// Forgets the messages of a former instance.
    pub(super) fn clear(&self) {
        self.engine_log.clear();
    }

    /// A call begins: counts from zero.
    pub(super) fn start_call(&self, now: Instant) {
        let mut state = self.state();
        state.latest = LatestInfo::default();
        (state.bytes, state.started, state.is_flood) = (0, now, false);
    }

    /// Sends the messages to the listener from now on, and the lines that no listener got yet.
    pub(super) fn set_listener(&self, listener: Option<&Arc<dyn Listener>>) {
        self.state().listener = listener.cloned();
        self.engine_log.set_listener(listener);
    }

    pub(super) fn take_latest(&self) -> LatestInfo {
        std::mem::take(&mut self.state().latest)
    }

    pub(super) fn is_flood(&self) -> bool {
        self.state().is_flood
    }

    pub(super) fn flood(&self) -> Fault {
        let detail = "sent more than 1 MiB of messages in a second of one question".to_owned();
        let detail = self.with_last_words(detail);
        Fault { failure: Failure::ResourceLimit, detail }
    }

    /// What happened, and the last words of the engine before it.
    pub(super) fn with_last_words(&self, detail: String) -> String {
        self.engine_log.with_last_words(detail)
    }

    fn count(&self, bytes: usize) -> MutexGuard<'_, MessageState> {
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

    fn state(&self) -> MutexGuard<'_, MessageState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl MessageSink for Arc<GuestMessages> {
    fn log(&self, text: &[u8]) {
        drop(self.count(text.len()));
        self.engine_log.write_message(text);
    }

    fn info(&self, message: &[u8]) {
        let mut state = self.count(message.len());
        state.latest.update(message);
        if let Some(listener) = state.listener.clone() {
            drop(state);
            translate::to_progress(message).into_iter().for_each(|said| listener.progress(said));
        }
    }
}
