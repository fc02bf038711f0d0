//! Asks an engine for its move before its time is over.

use std::fmt;
use std::io::Write;
use std::process::ChildStdin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::protocol::wire::{put_frame, request};

/// Asks an engine to answer at once: from then on `left_us` gives it no time. The engine may ignore
/// that. Clones act on the same engine, which runs in a child process.
#[derive(Clone, Default)]
pub struct MoveNow(Arc<Mutex<MoveNowState>>);

#[derive(Default)]
struct MoveNowState {
    /// Where requests to the engine go.
    pipe: Option<ChildStdin>,
    /// Whether a question is outstanding.
    is_asked: bool,
    /// Whether the answer to the question is wanted at once.
    is_wanted: bool,
}

impl MoveNow {
    /// For an engine that is still to be started.
    pub fn new() -> MoveNow {
        MoveNow::default()
    }

    /// A question is about to be asked, which may take its time.
    pub fn reset(&self) {
        self.state().is_wanted = false;
    }

    /// The answer to the question is wanted now, whether it has already been asked or is about to
    /// be.
    pub fn request(&self) {
        let mut state = self.state();
        if !std::mem::replace(&mut state.is_wanted, true) && state.is_asked {
            state.send();
        }
    }

    /// A new process reads requests from there.
    pub(crate) fn attach(&self, pipe: ChildStdin) {
        let mut state = self.state();
        state.pipe = Some(pipe);
        state.is_asked = false;
    }

    /// The question has been written.
    pub(crate) fn asked(&self) {
        let mut state = self.state();
        state.is_asked = true;
        if state.is_wanted {
            state.send();
        }
    }

    /// It has been answered, or never will be.
    pub(crate) fn answered(&self) {
        self.state().is_asked = false;
    }

    fn state(&self) -> MutexGuard<'_, MoveNowState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl MoveNowState {
    fn send(&mut self) {
        let mut frame = Vec::new();
        put_frame(&mut frame, request::MOVE_NOW, |_| ());
        // So short a frame is written whole. A process that is gone needs none.
        let _ = self.pipe.as_mut().map(|pipe| pipe.write_all(&frame));
    }
}

impl fmt::Debug for MoveNow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("MoveNow").field(&self.state().is_wanted).finish()
    }
}
