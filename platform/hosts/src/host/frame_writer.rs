//! Writes the frames of a child process.

use std::fs::File;
use std::io::{self, Write};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tengen_players::Fault;

use crate::failure;
use crate::host::services::MessageSink;
use crate::protocol::wire::{answer, put_frame, put_u32, tagged};

/// The end of the pipe to the arbiter. Frames of several threads do not mix.
pub(super) struct FrameWriter {
    wire: Mutex<(File, Vec<u8>)>,
    /// The tag of the request that is being answered.
    tag: AtomicU32,
}

impl FrameWriter {
    pub(super) fn new(wire: File) -> FrameWriter {
        FrameWriter { wire: Mutex::new((wire, Vec::with_capacity(1024))), tag: AtomicU32::new(0) }
    }

    /// Sends one frame by one write.
    pub(super) fn put(&self, kind: u32, fill: impl FnOnce(&mut Vec<u8>)) -> io::Result<()> {
        let mut wire = self.wire.lock().unwrap_or_else(PoisonError::into_inner);
        let (file, frame) = &mut *wire;
        frame.clear();
        put_frame(frame, kind, fill);
        file.write_all(frame)
    }

    /// From now on the request of that tag is answered.
    pub(super) fn answers(&self, tag: u32) {
        self.tag.store(tag, Ordering::Relaxed);
    }

    /// Sends the answer to a request.
    pub(super) fn answer(&self, kind: u32, fill: impl FnOnce(&mut Vec<u8>)) -> io::Result<()> {
        self.put(tagged(kind, self.tag.load(Ordering::Relaxed)), fill)
    }

    /// Sends the status of a call.
    pub(super) fn done(&self, code: i32) -> io::Result<()> {
        self.answer(answer::DONE, |out| out.extend_from_slice(&code.to_le_bytes()))
    }

    /// Sends the end of the engine.
    pub(super) fn fault(&self, fault: &Fault) -> io::Result<()> {
        self.put(answer::FAULT, |out| {
            put_u32(out, failure::to_number(fault.failure));
            out.extend_from_slice(fault.detail.as_bytes());
        })
    }
}

/// A message that the arbiter does not read any more is lost: so will be this process.
impl MessageSink for Arc<FrameWriter> {
    fn log(&self, text: &[u8]) {
        let _ = self.put(answer::LOG, |out| out.extend_from_slice(text));
    }

    fn info(&self, message: &[u8]) {
        let _ = self.put(answer::INFO, |out| out.extend_from_slice(message));
    }
}
