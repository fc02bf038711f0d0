use std::time::Duration;

use tengen_abi::{Game, Limits, MoveCode, Question, Reply, Verdict, Wire, names};
use tengen_players::{Fault, Time};

use super::{Heard, Line, Told, interrupted};
use crate::link::{Link, Loss};
use crate::package::EngineSpec;
use crate::wire::{Payload, answer, put_frame, put_moves, put_u32, request};
use crate::{ExportSet, HostSettings, failure};

/// An engine in a child process.
pub(super) struct ChildLine {
    spec: EngineSpec,
    settings: HostSettings,
    link: Link,
    exports: ExportSet,
    /// Frames to write next; the end of a game waits here for company.
    out: Vec<u8>,
}

impl ChildLine {
    pub(super) fn new(spec: EngineSpec, settings: HostSettings) -> ChildLine {
        let link = Link::new(&settings);
        ChildLine { spec, settings, link, exports: ExportSet::default(), out: Vec::new() }
    }

    fn start(&mut self) -> Result<(), Fault> {
        self.out.clear();
        let ready = self.link.start(&self.spec, &self.settings);
        self.exports = ready.map_err(crate::HostError::into_fault)?.exports;
        Ok(())
    }

    fn tell_game(&mut self, game: &Game) -> Result<i32, Loss> {
        put_frame(&mut self.out, request::NEW_GAME, |out| {
            out.extend_from_slice(&game.to_bytes());
        });
        let sent = self.link.send(&self.out);
        self.out.clear();
        sent?;
        self.link.arm(Some(self.settings.startup));
        let code = self.link.receive(answer::DONE, || 0, 0, |mut payload| payload.i32())?;
        Ok(code.0)
    }

    fn exchange<T: Wire>(
        &mut self,
        kind: u32,
        patience: Option<Duration>,
        time: &dyn Time,
    ) -> Heard<(i32, T)> {
        let sent = self.link.send(&self.out);
        self.out.clear();
        let asked_at = time.now();
        let received = sent.and_then(|()| {
            self.link.arm(patience);
            let read = |mut payload: Payload<'_>| Ok((payload.i32()?, payload.wire()?));
            self.link.receive(kind, || time.now(), asked_at, read)
        });
        let info = self.link.take_info();
        let (outcome, answered_at) = match received {
            Ok((answer, at)) => (Ok(Some(answer)), at),
            Err(loss) => (lost(loss), time.now()),
        };
        Heard { asked_at, answered_at, info, outcome }
    }
}

fn lost<T>(loss: Loss) -> Result<Option<T>, Fault> {
    match loss {
        Loss::Late => Ok(None),
        Loss::Interrupted => Err(interrupted()),
        Loss::Fault(fault) => Err(fault),
        Loss::Refused(reason) => {
            Err(Fault { failure: tengen_arbiter::Failure::ProtocolError, detail: reason })
        }
    }
}

fn put_told(out: &mut Vec<u8>, told: Told<'_>) {
    let codes = told.codes();
    put_u32(out, told.keep as u32);
    put_u32(out, codes.len() as u32);
    put_moves(out, codes);
}

impl Line for ChildLine {
    fn new_game(&mut self, game: &Game) -> Result<(), Fault> {
        let is_kept = self.link.is_running_here() && !self.settings.restart;
        if !is_kept {
            self.start()?;
        }
        self.link.words().new_game();
        let told = match self.tell_game(game) {
            // It may have died long since, in the game before.
            Err(Loss::Fault(_)) if is_kept => {
                self.start()?;
                self.tell_game(game)
            }
            told => told,
        };
        match told {
            Ok(code) => failure::judge(names::NEW_GAME, code),
            Err(Loss::Late) => Err(self.link.stall("get ready for a game", self.settings.startup)),
            Err(loss) => lost::<()>(loss).map(|_| ()),
        }
    }

    fn exports(&self) -> ExportSet {
        self.exports
    }

    fn choose(
        &mut self,
        told: Told<'_>,
        limits: &Limits,
        patience: Option<Duration>,
        time: &dyn Time,
    ) -> Heard<(i32, Reply)> {
        put_frame(&mut self.out, request::CHOOSE, |out| {
            put_told(out, told);
            out.extend_from_slice(&limits.to_bytes());
        });
        self.exchange(answer::REPLY, patience, time)
    }

    fn decide(
        &mut self,
        told: Told<'_>,
        (question, candidates): (&Question, &[MoveCode]),
        limits: &Limits,
        patience: Option<Duration>,
        time: &dyn Time,
    ) -> Heard<(i32, Verdict)> {
        put_frame(&mut self.out, request::DECIDE, |out| {
            put_told(out, told);
            out.extend_from_slice(&question.to_bytes());
            out.extend_from_slice(&limits.to_bytes());
            put_moves(out, candidates.iter().copied());
        });
        self.exchange(answer::VERDICT, patience, time)
    }

    fn end_game(&mut self, outcome: i32, reason: u32) {
        put_frame(&mut self.out, request::END_GAME, |out| {
            out.extend_from_slice(&outcome.to_le_bytes());
            put_u32(out, reason);
            put_u32(out, 0);
        });
    }

    fn stop(&mut self) {
        self.out.clear();
        self.link.stop();
    }
}
