//! What an engine's process and the arbiter send each other, without I/O: bytes in, events out,
//! and bytes to send.

mod dialects;
mod frames;
mod move_now;
mod ready;
mod record_lines;
mod text;
pub(crate) mod wire;

use std::sync::Arc;

use tengen_players::{Fault, Listener};

use crate::engine_log::EngineLog;
pub use dialects::Dialects;
pub(crate) use frames::{FrameProtocol, receive_message};
pub use move_now::MoveNow;
pub(crate) use ready::{HeldLayers, Ready, Unhosted, read_ready, read_started, read_unhosted};
pub(crate) use text::{TextEvent, TextProtocol};
use wire::{OversizedFrame, Truncated};

/// One side of a conversation over two pipes: the arbiter's.
pub(crate) trait Protocol {
    /// Whether the process turns into the engine's own program. That may start other programs,
    /// which hold its pipes open after its death, and it is told to end before it is killed.
    const RUNS_PROGRAM: bool;

    /// What the arbiter waits for.
    type Event;

    /// Another process starts.
    fn restart(&mut self);

    /// Room for the next bytes of the engine.
    fn read_buffer(&mut self) -> &mut [u8];

    /// So many bytes have been read into the buffer.
    fn received(&mut self, count: usize);

    /// The next event among the bytes that were received. Messages before it go to `target`.
    fn next_event(
        &mut self,
        target: &MessageTarget<'_>,
    ) -> Result<Option<Self::Event>, ProtocolError>;

    /// Whether the last line may be all that comes: then the wait ends when the engine stops
    /// working.
    fn is_in_doubt(&mut self) -> bool {
        false
    }

    /// What it means that nothing followed then.
    fn event_of_silence(&mut self) -> Option<Self::Event> {
        None
    }

    /// How many bytes of messages there were since this was last asked.
    fn take_message_bytes(&mut self) -> u64;

    /// The bytes to send next.
    fn output(&self) -> &[u8];

    /// The output was written, or never will be.
    fn output_written(&mut self);

    /// The process is to end: adds to the output what tells it so.
    fn stop(&mut self) {}

    /// The process is lost: logs what it did not finish.
    fn lost(&mut self, _log: &EngineLog) {}
}

/// Where the messages of an engine go.
pub(crate) struct MessageTarget<'a> {
    pub log: &'a EngineLog,
    pub listener: Option<&'a Arc<dyn Listener>>,
}

/// Why a conversation cannot go on.
pub(crate) enum ProtocolError {
    /// What came breaks the protocol.
    Invalid(String),
    Fault(Fault),
    /// The engine cannot be loaded.
    Refused(String),
}

impl ProtocolError {
    /// The process sent what it must not send.
    fn sent(what: impl std::fmt::Display) -> ProtocolError {
        ProtocolError::Invalid(format!("its process sent {what}"))
    }
}

impl From<OversizedFrame> for ProtocolError {
    fn from(frame: OversizedFrame) -> ProtocolError {
        ProtocolError::sent(format_args!("a frame of {} bytes", frame.claimed))
    }
}

impl From<Truncated> for ProtocolError {
    fn from(_: Truncated) -> ProtocolError {
        ProtocolError::sent("an answer that ends early")
    }
}
