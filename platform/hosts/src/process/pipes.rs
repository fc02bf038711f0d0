//! The pipes of an engine's process.

use std::io::{ErrorKind, Read, Write};
use std::process::{ChildStdin, ChildStdout};
use std::time::Duration;

use super::ExchangeError;
use crate::platform;
use crate::protocol::ProtocolError;
use crate::protocol::wire::{MAX_PAYLOAD, OversizedFrame};
use crate::watchdog::Slot;

/// How often, in milliseconds, a wait looks whether the process has been killed.
const KILL_CHECK: i32 = 500;

pub(super) struct Pipes {
    /// None once it is closed.
    input: Option<ChildStdin>,
    output: ChildStdout,
    /// Whether a process that it started may hold the output open when the process itself is gone.
    may_be_held: bool,
}

impl Pipes {
    pub(super) fn new(input: ChildStdin, output: ChildStdout) -> Pipes {
        Pipes { input: Some(input), output, may_be_held: true }
    }

    /// All that it starts ends with the process, so that a read alone ends then, too.
    pub(super) fn set_unheld(&mut self) {
        self.may_be_held = false;
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<(), ExchangeError> {
        let input = self.input.as_mut().ok_or(ExchangeError::Gone)?;
        input.write_all(bytes).map_err(|_| ExchangeError::Gone)
    }

    /// Lets the process see the end of its input.
    pub(super) fn close_input(&mut self) {
        self.input = None;
    }

    /// Reads into the buffer, and gives how many bytes came; 0 is the end of the pipe.
    pub(super) fn read(&mut self, buffer: &mut [u8]) -> usize {
        loop {
            match self.output.read(buffer) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return 0,
                Ok(count) => return count,
            }
        }
    }

    /// Reads one frame and not a byte more: what follows it may be no frame. Gives its kind and its
    /// payload.
    pub(super) fn read_frame(&mut self) -> Result<(u32, Vec<u8>), ExchangeError> {
        let mut header = [0; 8];
        self.output.read_exact(&mut header).map_err(|_| ExchangeError::Gone)?;
        let [a, b, c, d, kind @ ..] = header;
        let length = u32::from_le_bytes([a, b, c, d]);
        if length as usize > MAX_PAYLOAD {
            return Err(ProtocolError::from(OversizedFrame { claimed: length }).into());
        }
        let mut payload = vec![0; length as usize];
        self.output.read_exact(&mut payload).map_err(|_| ExchangeError::Gone)?;
        Ok((u32::from_le_bytes(kind), payload))
    }

    /// Waits until something can be read, or the pipe has ended; at most so long.
    pub(super) fn is_readable_within(&self, patience: Duration) -> bool {
        let millis = patience.as_micros().div_ceil(1000).try_into().unwrap_or(i32::MAX);
        platform::wait_for_input(&self.output, millis)
    }

    /// Waits until something can be read, or the pipe has ended, where a read alone might not end.
    /// Gives false when the process has been killed, and yet something else holds the pipe open.
    pub(super) fn wait_until_readable(&self, slot: &Slot) -> bool {
        let mut was_fired = false;
        while self.may_be_held && !platform::wait_for_input(&self.output, KILL_CHECK) {
            if std::mem::replace(&mut was_fired, slot.has_fired()) {
                return false;
            }
        }
        true
    }
}
