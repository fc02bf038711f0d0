//! The frames of a child that hosts an engine.

use std::hash::{BuildHasher, RandomState};

use super::ready::read_fault;
use super::wire::{FrameReader, Payload, answer, put_frame, tagged};
use super::{MessageTarget, Protocol, ProtocolError};
use crate::engine_log::EngineLog;
use crate::translate::{self, LatestInfo};

/// Of a hash, the upper 24 bits are a tag.
const TAG_SHIFT: u32 = 40;

/// The arbiter's side of the frames.
pub(crate) struct FrameProtocol {
    reader: FrameReader,
    output: Vec<u8>,
    tags: RandomState,
    /// The tag of the request whose answer is due, and the kind of that answer.
    tag: u32,
    expected: u32,
    latest: LatestInfo,
    message_bytes: u64,
}

impl FrameProtocol {
    pub(crate) fn new() -> FrameProtocol {
        FrameProtocol {
            reader: FrameReader::new(),
            output: Vec::new(),
            tags: RandomState::new(),
            tag: 0,
            expected: answer::DONE,
            latest: LatestInfo::default(),
            message_bytes: 0,
        }
    }

    /// Adds a frame that is not answered. It is sent with the next request.
    pub(crate) fn put(&mut self, kind: u32, fill: impl FnOnce(&mut Vec<u8>)) {
        put_frame(&mut self.output, kind, fill);
    }

    /// Adds a request that is answered by a frame of the kind `expected`. Its tag cannot be
    /// foreseen by the engine.
    pub(crate) fn put_request(
        &mut self,
        kind: u32,
        expected: u32,
        fill: impl FnOnce(&mut Vec<u8>),
    ) {
        self.tag = (self.tags.hash_one(self.tag) >> TAG_SHIFT) as u32;
        self.expected = expected;
        put_frame(&mut self.output, tagged(kind, self.tag), fill);
    }

    /// The payload of the answer that [`Protocol::next_event`] found.
    pub(crate) fn answer(&self) -> Payload<'_> {
        Payload(self.reader.last_payload())
    }

    /// What the engine reported of its search since this was last taken.
    pub(crate) fn take_latest(&mut self) -> LatestInfo {
        std::mem::take(&mut self.latest)
    }
}

impl Protocol for FrameProtocol {
    const RUNS_PROGRAM: bool = false;

    /// The answer is there: see [`FrameProtocol::answer`].
    type Event = ();

    fn restart(&mut self) {
        self.reader = FrameReader::new();
        self.output.clear();
        (self.tag, self.message_bytes) = (0, 0);
    }

    fn read_buffer(&mut self) -> &mut [u8] {
        self.reader.buffer()
    }

    fn received(&mut self, count: usize) {
        self.reader.received(count);
    }

    fn next_event(&mut self, target: &MessageTarget<'_>) -> Result<Option<()>, ProtocolError> {
        while let Some(frame) = self.reader.frame()? {
            if frame.kind == self.expected {
                if frame.tag != self.tag {
                    return Err(ProtocolError::sent("an answer to a question that was not open"));
                }
                return Ok(Some(()));
            }
            if frame.kind == answer::INFO {
                self.latest.update(frame.payload);
            }
            self.message_bytes += frame.payload.len() as u64;
            receive_message(frame.kind, frame.payload, self.expected, target)?;
        }
        Ok(None)
    }

    fn take_message_bytes(&mut self) -> u64 {
        std::mem::take(&mut self.message_bytes)
    }

    fn output(&self) -> &[u8] {
        &self.output
    }

    fn output_written(&mut self) {
        self.output.clear();
    }

    fn lost(&mut self, _: &EngineLog) {
        // What was not sent is for no other engine.
        self.output.clear();
    }
}

/// Takes a frame that came where an answer of the kind `expected` was due.
pub(crate) fn receive_message(
    kind: u32,
    payload: &[u8],
    expected: u32,
    target: &MessageTarget<'_>,
) -> Result<(), ProtocolError> {
    match kind {
        answer::INFO => {
            if let Some(listener) = target.listener
                && let Some(progress) = translate::to_progress(payload)
            {
                listener.progress(progress);
            }
        }
        answer::LOG => target.log.write_message(payload),
        answer::FAULT => return Err(ProtocolError::Fault(read_fault(Payload(payload))?)),
        answer::REFUSED => return Err(ProtocolError::Refused(Payload(payload).text())),
        kind => {
            let what = format_args!("an answer of kind {kind} where {expected} was due");
            return Err(ProtocolError::sent(what));
        }
    }
    Ok(())
}
