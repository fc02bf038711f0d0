use std::io::{self, ErrorKind, Read, Write};
use std::process::{ChildStdin, ChildStdout};
use std::sync::Arc;
use std::time::Duration;

use tengen_gomocup::LineBuffer;

use crate::watchdog::Slot;
use crate::wire::MAX_PAYLOAD;
use crate::{LogTap, platform};

/// The longest line that is looked at; of a longer one the rest is dropped.
const LINE: usize = 16 << 10;
/// How much is read at a time.
const CHUNK: usize = 16 << 10;
/// How often a wait looks whether the process has been killed.
const LOOK: i32 = 500;

/// The conversation with a text engine.
pub(super) struct Pipes {
    input: ChildStdin,
    output: ChildStdout,
    lines: LineBuffer,
    chunk: Vec<u8>,
    tap: Option<Arc<dyn LogTap>>,
}

impl Pipes {
    pub(super) fn new(
        input: ChildStdin,
        output: ChildStdout,
        tap: Option<Arc<dyn LogTap>>,
    ) -> Pipes {
        Pipes { input, output, lines: LineBuffer::new(LINE), chunk: vec![0; CHUNK], tap }
    }

    /// Reads the frame that the child sends before it becomes the engine.
    pub(super) fn greeting(&mut self) -> io::Result<(u32, Vec<u8>)> {
        let mut header = [0; 8];
        self.output.read_exact(&mut header)?;
        let [a, b, c, d, kind @ ..] = header;
        let length = u32::from_le_bytes([a, b, c, d]) as usize;
        if length > MAX_PAYLOAD {
            return Err(ErrorKind::InvalidData.into());
        }
        let mut payload = vec![0; length];
        self.output.read_exact(&mut payload)?;
        Ok((u32::from_le_bytes(kind), payload))
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        let written = self.input.write_all(bytes);
        if let (Some(tap), Ok(())) = (&self.tap, &written) {
            tap.sent(bytes);
        }
        written
    }

    /// The next line that has been read and not looked at.
    pub(super) fn line(&mut self) -> Option<&[u8]> {
        let line = self.lines.pop();
        if let (Some(tap), Some(line)) = (&self.tap, line) {
            tap.received(line);
        }
        line
    }

    /// What has been read of a line that has no end yet.
    pub(super) fn unfinished(&self) -> &[u8] {
        self.lines.rest()
    }

    /// Waits until more can be read, or the pipe has ended; at most so long.
    pub(super) fn comes_within(&self, patience: Duration) -> bool {
        // Where a pipe cannot be looked into, to read might be to wait.
        let millis = patience.as_micros().div_ceil(1000).try_into().unwrap_or(i32::MAX);
        cfg!(unix) && platform::wait_for_input(&self.output, millis)
    }

    /// Whether more can be read at once.
    pub(super) fn has_more(&self) -> bool {
        self.comes_within(Duration::ZERO)
    }

    /// Waits for more and reads it. Gives how many bytes came; 0 is the end of the pipe, and none
    /// that `slot` has been fired, and yet something else holds the pipe open.
    pub(super) fn read(&mut self, slot: &Slot) -> Option<usize> {
        let mut was_fired = false;
        while !platform::wait_for_input(&self.output, LOOK) {
            if std::mem::replace(&mut was_fired, slot.has_fired()) {
                return None;
            }
        }
        loop {
            match self.output.read(&mut self.chunk) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return Some(0),
                Ok(count) => {
                    self.lines.push(&self.chunk[..count]);
                    return Some(count);
                }
            }
        }
    }
}
