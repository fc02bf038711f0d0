use std::fs::File;
use std::io;
use std::sync::Arc;
use std::time::Instant;

use tengen_abi::{MoveCode, Wire};
use tengen_players::Fault;

use super::Job;
use super::outbox::Outbox;
use crate::ExportSet;
use crate::guest::{Guest, LoadError};
use crate::sandbox::Walls;
use crate::services::Services;
use crate::session::Session;
use crate::wire::{Frame, Inbox, Oversize, Payload, Short, answer, put_u32, request};

/// Why a child stops serving.
enum End {
    /// The arbiter is gone, or what it says makes no sense.
    Hangup,
    /// The engine is dead.
    Fault(Fault),
}

impl From<Fault> for End {
    fn from(fault: Fault) -> End {
        End::Fault(fault)
    }
}

impl From<Short> for End {
    fn from(_: Short) -> End {
        End::Hangup
    }
}

impl From<Oversize> for End {
    fn from(_: Oversize) -> End {
        End::Hangup
    }
}

impl From<io::Error> for End {
    fn from(_: io::Error) -> End {
        End::Hangup
    }
}

/// Makes the engine, says that it is ready, and answers until the pipe ends.
pub(super) fn serve<G: Guest>(
    guest: G,
    services: &Arc<Services>,
    job: &Job,
    walls: &Walls,
    requests: File,
    outbox: &Outbox,
) -> Result<(), LoadError> {
    let (minor, exports) = (guest.minor(), guest.exports());
    let (session, description) = Session::open(guest, Arc::clone(services), &job.options)?;
    if say_ready(outbox, minor, exports, walls, &description).is_err() {
        return Ok(());
    }
    match converse(session, services, requests, outbox) {
        Err(End::Fault(fault)) => Err(LoadError::Failed(fault)),
        Err(End::Hangup) | Ok(()) => Ok(()),
    }
}

/// Says that the engine is ready, and what holds it.
pub(super) fn say_ready(
    outbox: &Outbox,
    minor: u32,
    exports: ExportSet,
    walls: &Walls,
    description: &str,
) -> io::Result<()> {
    let put_text = |out: &mut Vec<u8>, text: &str| {
        put_u32(out, text.len() as u32);
        out.extend_from_slice(text.as_bytes());
    };
    outbox.put(answer::READY, |out| {
        put_u32(out, minor);
        put_u32(out, exports.to_bits());
        put_text(out, &walls.held().join(" "));
        put_u32(out, walls.gaps().len() as u32);
        for gap in walls.gaps() {
            put_text(out, &gap.layer);
            put_text(out, &gap.reason);
        }
        out.extend_from_slice(description.as_bytes());
    })
}

fn converse<G: Guest>(
    mut session: Session<G>,
    services: &Services,
    mut requests: File,
    outbox: &Outbox,
) -> Result<(), End> {
    let mut inbox = Inbox::new();
    let mut candidates = Vec::new();
    while inbox.fill(&mut requests)? > 0 {
        while let Some(frame) = inbox.frame()? {
            services.hear_haste(frame.is_followed);
            outbox.answers(frame.tag);
            answer_frame(&mut session, frame, &mut candidates, outbox)?;
        }
    }
    Ok(())
}

fn answer_frame<G: Guest>(
    session: &mut Session<G>,
    frame: Frame<'_>,
    candidates: &mut Vec<MoveCode>,
    outbox: &Outbox,
) -> Result<(), End> {
    let mut payload = Payload(frame.payload);
    match frame.kind {
        request::CHOOSE => {
            let (keep, count) = (payload.u32()? as usize, payload.u32()?);
            let (tail, limits) = (payload.moves(count)?, payload.wire()?);
            let now = Instant::now();
            let (code, reply) = session.choose(keep, tail, &limits, now)?;
            return put_struct(outbox, answer::REPLY, code, now, &reply);
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
            return put_struct(outbox, answer::VERDICT, code, now, &verdict);
        }
        request::END_GAME => {
            let (outcome, reason, told) = (payload.i32()?, payload.u32()?, payload.u32()?);
            let code = session.guest().end_game(outcome, reason)?;
            if told == 0 {
                return Ok(());
            }
            outbox.done(code)
        }
        // The question that it came with has been answered.
        request::HURRY => return Ok(()),
        request::NEW_GAME => outbox.done(session.new_game(&payload.wire()?)?),
        request::SET_OPTION => {
            let text = payload.text();
            let (name, value) = text.split_once('\0').ok_or(End::Hangup)?;
            outbox.done(session.guest().set_option(name, value)?)
        }
        request::PLAY => outbox.done(session.play(MoveCode(payload.u16()?))?),
        request::UNDO => outbox.done(session.undo(payload.u32()?)?),
        request::DESTROY => outbox.done(session.guest().destroy()?),
        _ => return Err(End::Hangup),
    }
    .map_err(End::from)
}

/// Sends what came of a question that was read at `since`.
fn put_struct<T: Wire>(
    outbox: &Outbox,
    kind: u32,
    code: i32,
    since: Instant,
    value: &T,
) -> Result<(), End> {
    let own = u64::try_from(since.elapsed().as_nanos()).unwrap_or(u64::MAX);
    outbox.answer(kind, |out| {
        out.extend_from_slice(&code.to_le_bytes());
        out.extend_from_slice(&own.to_le_bytes());
        out.extend_from_slice(value.to_bytes().as_ref());
    })?;
    Ok(())
}
