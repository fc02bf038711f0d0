//! Serves one engine: reads requests, calls the engine, and writes answers.

use std::fs::File;
use std::io;
use std::sync::Arc;
use std::time::Instant;

use tengen_abi::{MoveCode, Wire};
use tengen_players::Fault;

use super::HostArgs;
use super::frame_writer::FrameWriter;
use crate::ExportSet;
use crate::host::guest::{Guest, LoadError};
use crate::host::guest_session::GuestSession;
use crate::host::services::HostServices;
use crate::host::struct_fit::StructFit;
use crate::protocol::HeldLayers;
use crate::protocol::wire::{
    Frame, FrameReader, OversizedFrame, Payload, Truncated, answer, put_u32, request,
};
use crate::sandbox::Sandbox;

/// Why a child process stops serving.
enum ServeStop {
    /// The arbiter is gone, or what it sends makes no sense.
    Hangup,
    /// The engine is dead.
    Fault(Fault),
}

impl From<Fault> for ServeStop {
    fn from(fault: Fault) -> ServeStop {
        ServeStop::Fault(fault)
    }
}

impl From<Truncated> for ServeStop {
    fn from(_: Truncated) -> ServeStop {
        ServeStop::Hangup
    }
}

impl From<OversizedFrame> for ServeStop {
    fn from(_: OversizedFrame) -> ServeStop {
        ServeStop::Hangup
    }
}

impl From<io::Error> for ServeStop {
    fn from(_: io::Error) -> ServeStop {
        ServeStop::Hangup
    }
}

/// Makes the engine, sends that it is ready, and answers until the pipe ends.
pub(super) fn serve<G: Guest>(
    guest: G,
    services: &Arc<HostServices>,
    args: &HostArgs,
    requests: File,
    writer: &FrameWriter,
) -> Result<(), LoadError> {
    let (minor, exports) = (guest.minor(), guest.exports());
    let (session, description) = GuestSession::open(guest, Arc::clone(services), &args.options)?;
    if send_ready(writer, minor, exports, &description).is_err() {
        return Ok(());
    }
    match serve_requests(session, services, requests, writer) {
        Err(ServeStop::Fault(fault)) => Err(LoadError::Failed(fault)),
        Err(ServeStop::Hangup) | Ok(()) => Ok(()),
    }
}

/// Sends what the sandbox is, before anything of the engine runs.
pub(super) fn send_sandbox(writer: &FrameWriter, sandbox: &Sandbox) -> io::Result<()> {
    writer.put(answer::SANDBOX, |out| {
        HeldLayers::put(out, &sandbox.held().join(" "), sandbox.gaps());
    })
}

pub(super) fn send_ready(
    writer: &FrameWriter,
    minor: u32,
    exports: ExportSet,
    description: &str,
) -> io::Result<()> {
    writer.put(answer::READY, |out| {
        put_u32(out, minor);
        put_u32(out, exports.to_bits());
        out.extend_from_slice(description.as_bytes());
    })
}

fn serve_requests<G: Guest>(
    mut session: GuestSession<G>,
    services: &HostServices,
    mut requests: File,
    writer: &FrameWriter,
) -> Result<(), ServeStop> {
    let mut reader = FrameReader::new();
    let mut candidates = Vec::new();
    while reader.fill(&mut requests)? > 0 {
        while let Some(frame) = reader.frame()? {
            services.set_move_wanted(frame.is_followed);
            writer.answers(frame.tag);
            answer_frame(&mut session, frame, &mut candidates, writer)?;
        }
    }
    Ok(())
}

fn answer_frame<G: Guest>(
    session: &mut GuestSession<G>,
    frame: Frame<'_>,
    candidates: &mut Vec<MoveCode>,
    writer: &FrameWriter,
) -> Result<(), ServeStop> {
    let mut payload = Payload(frame.payload);
    match frame.kind {
        request::CHOOSE => {
            let (keep, count) = (payload.u32()? as usize, payload.u32()?);
            let (tail, limits) = (payload.moves(count)?, payload.wire()?);
            let now = Instant::now();
            let (code, reply) = session.choose(keep, tail, &limits, now)?;
            return put_struct(writer, answer::REPLY, code, now, &reply);
        }
        request::DECIDE => {
            let (keep, count) = (payload.u32()? as usize, payload.u32()?);
            let tail = payload.moves(count)?;
            let (question, limits) = (payload.wire::<tengen_abi::Question>()?, payload.wire()?);
            candidates.clear();
            candidates.extend(payload.moves(question.candidates)?);
            let now = Instant::now();
            let (code, verdict) =
                session.decide(keep, tail, &question, candidates, &limits, now)?;
            return put_struct(writer, answer::VERDICT, code, now, &verdict);
        }
        request::END_GAME => {
            let (outcome, reason, told) = (payload.i32()?, payload.u32()?, payload.u32()?);
            let code = session.guest().end_game(outcome, reason)?;
            if told == 0 {
                return Ok(());
            }
            writer.done(code)
        }
        // The question that it came with has been answered.
        request::MOVE_NOW => return Ok(()),
        request::NEW_GAME => writer.done(session.new_game(&payload.wire()?)?),
        request::SET_OPTION => {
            let text = payload.text();
            let (name, value) = text.split_once('\0').ok_or(ServeStop::Hangup)?;
            writer.done(session.guest().set_option(name, value)?)
        }
        request::PLAY => writer.done(session.play(MoveCode(payload.u16()?))?),
        request::SET_POSITION => {
            let count = payload.u32()?;
            writer.done(session.set_position(payload.moves(count)?)?)
        }
        request::RESIZE => {
            let fit = StructFit::from_number(payload.u32()?).ok_or(ServeStop::Hangup)?;
            session.guest().set_fit(fit);
            writer.done(tengen_abi::status::OK)
        }
        request::UNDO => writer.done(session.undo(payload.u32()?)?),
        request::DESTROY => writer.done(session.guest().destroy()?),
        _ => return Err(ServeStop::Hangup),
    }
    .map_err(ServeStop::from)
}

/// Sends the answer to a question that was read at `since`.
fn put_struct<T: Wire>(
    writer: &FrameWriter,
    kind: u32,
    code: i32,
    since: Instant,
    value: &T,
) -> Result<(), ServeStop> {
    let own = u64::try_from(since.elapsed().as_nanos()).unwrap_or(u64::MAX);
    writer.answer(kind, |out| {
        out.extend_from_slice(&code.to_le_bytes());
        out.extend_from_slice(&own.to_le_bytes());
        out.extend_from_slice(value.to_bytes().as_ref());
    })?;
    Ok(())
}
