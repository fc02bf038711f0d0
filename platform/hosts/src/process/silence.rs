//! Why a program says nothing: it may have printed its answer, and not have flushed it.

use std::time::Duration;

use tengen_players::Fault;

use super::{Running, TextProcess};

/// The most of what was sent that is kept.
const MOST_SENT: usize = 64 << 10;
/// The most that is read of what it prints at its end.
const MOST_READ: usize = 64 << 10;
/// How long it may take to answer and to end.
const PATIENCE: Duration = Duration::from_secs(2);
const UNFLUSHED: &str = "it printed its answer only when its input was closed, for it does not \
                         flush its standard output: call fflush(stdout) after each line, or \
                         print(..., flush=True) in Python";

/// What was said between the arbiter and the program that runs.
#[derive(Default)]
pub(super) struct SpokenSoFar {
    sent: Vec<u8>,
    /// Whether anything has come from it.
    pub is_heard: bool,
}

impl SpokenSoFar {
    pub(super) fn sent(&mut self, bytes: &[u8]) {
        let room = MOST_SENT.saturating_sub(self.sent.len());
        self.sent.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }
}

impl TextProcess {
    /// Finds out whether an engine that was silent answers when its input is closed. Its process
    /// must be gone.
    pub(crate) fn explain_silence(&mut self, fault: &mut Fault) {
        if self.is_unflushed() {
            fault.detail = format!("{UNFLUSHED}; {}", fault.detail);
        }
    }

    /// Starts it again, sends the same and then the end of the input: what it has printed and not
    /// flushed comes when it ends by that.
    fn is_unflushed(&mut self) -> bool {
        let SpokenSoFar { sent, is_heard } = std::mem::take(&mut self.spoken);
        let is_asked = !sent.is_empty() && sent.len() < MOST_SENT;
        if !is_asked || self.settings.debug.is_some() || self.start().is_err() {
            return false;
        }
        self.watchdog.arm(Some(PATIENCE));
        let mut said = Vec::new();
        if let Some(Running { pipes, .. }) = self.running.as_mut()
            && pipes.write(&sent).is_ok()
        {
            pipes.close_input();
            let mut bytes = [0; 4096];
            while said.len() < MOST_READ
                && pipes.wait_until_readable(self.watchdog.slot())
                && let count @ 1.. = pipes.read(&mut bytes)
            {
                said.extend_from_slice(&bytes[..count]);
            }
        }
        self.kill();
        match is_heard {
            false => !said.trim_ascii().is_empty(),
            // All but the move was flushed.
            true => said.split(|byte| *byte == b'\n').any(self.protocol.kind.is_move),
        }
    }
}
