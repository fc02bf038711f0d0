//! An engine in a child process that exchanges frames with it.

use tengen_abi::{Game, Limits, MoveCode, Question, Reply, Verdict, Wire, names};
use tengen_arbiter::{Failure, Nanos};
use tengen_players::{Fault, Timing};

use super::lag::Lag;
use super::{EngineBackend, PositionUpdate, TimedExchange, WaitOptions};
use crate::process::{EngineLoss, EngineProcess};
use crate::protocol::wire::{Payload, answer, put_moves, put_u32, request};
use crate::protocol::{FrameProtocol, Ready};
use crate::{ExportSet, HostError, HostSettings, failure};
use tengen_packages::{EngineSpec, RestartPolicy};

/// An engine in a child process.
pub(crate) struct ChildBackend {
    pub process: EngineProcess<FrameProtocol>,
    exports: ExportSet,
    /// Whether the engine's file has been inspected.
    is_known: bool,
    /// What the last question took in the process.
    own: Option<Nanos>,
    /// What the way there and back took.
    lag: Lag,
}

impl ChildBackend {
    pub(crate) fn new(spec: EngineSpec, settings: HostSettings) -> ChildBackend {
        ChildBackend {
            process: EngineProcess::new(spec, settings, FrameProtocol::new()),
            exports: ExportSet::default(),
            is_known: false,
            own: None,
            lag: Lag::default(),
        }
    }

    /// Starts the engine, in place of a former one.
    pub(crate) fn start(&mut self) -> Result<Ready, HostError> {
        let ready = match self.is_known {
            true => self.process.start()?,
            false => self.process.inspect_and_start()?,
        };
        self.is_known = true;
        self.exports = ready.exports;
        Ok(ready)
    }

    /// Makes one call that is answered by its status alone, within the time for starting. An
    /// engine that takes longer is faulted.
    pub(crate) fn call(
        &mut self,
        kind: u32,
        name: &str,
        fill: impl FnOnce(&mut Vec<u8>),
    ) -> Result<i32, Fault> {
        self.try_call(kind, fill).map_err(|loss| self.process.fault(loss, name))
    }

    fn try_call(&mut self, kind: u32, fill: impl FnOnce(&mut Vec<u8>)) -> Result<i32, EngineLoss> {
        let startup = Some(self.process.settings().startup);
        self.process.protocol.put_request(kind, answer::DONE, fill);
        self.process.start_sample(startup);
        self.process.send(startup)?;
        let (code, _) = self.process.receive(|| 0, 0, |mut payload| payload.i32())?;
        Ok(code)
    }

    /// The limits with what is known of the lag.
    fn with_lag(&self, limits: &Limits) -> Limits {
        Limits { lag_us: self.lag.micros(), ..*limits }
    }

    /// Sends the request that was put into the output, and waits for its answer.
    fn exchange<T: Wire>(&mut self, options: WaitOptions<'_>) -> TimedExchange<(i32, T)> {
        let WaitOptions { patience, time, listener } = options;
        self.process.set_listener(listener);
        // Continuing a process that was stopped is nothing that it did, nor is looking at it.
        self.process.start_sample(patience);
        self.process.resume(None);
        // Read before the request goes out: where both run on one CPU, the child may have answered
        // by the time the write returns. A request is smaller than an empty pipe, so that the
        // write itself does not wait for the engine.
        let asked_at = time.now();
        self.own = None;
        let sent = self.process.send(patience);
        if let Some(move_now) = &self.process.settings().move_now {
            move_now.asked();
        }
        let received = sent.and_then(|()| {
            let read =
                |mut payload: Payload<'_>| Ok((payload.i32()?, payload.u64()?, payload.wire()?));
            self.process.receive(|| time.now(), asked_at, read)
        });
        if let Some(move_now) = &self.process.settings().move_now {
            move_now.answered();
        }
        let latest = self.process.protocol.take_latest();
        let (outcome, answered_at) = match received {
            Ok(((code, own, answer), at)) => {
                self.own = Some(own);
                self.lag.note(at.saturating_sub(asked_at.saturating_add(own)));
                let patience = patience.map(|span| span.as_nanos() as Nanos);
                self.process.correct_answer(at.saturating_sub(asked_at), patience);
                (Ok(Some((code, answer))), at)
            }
            Err(EngineLoss::Late) => (Ok(None), time.now()),
            Err(loss) => (Err(self.process.fault(loss, "answer")), time.now()),
        };
        TimedExchange { asked_at, answered_at, latest, outcome }
    }
}

fn put_update(out: &mut Vec<u8>, update: PositionUpdate<'_>) {
    let codes = update.codes();
    put_u32(out, update.keep as u32);
    put_u32(out, codes.len() as u32);
    put_moves(out, codes);
}

impl EngineBackend for ChildBackend {
    fn new_game(&mut self, game: &Game) -> Result<(), Fault> {
        let span = self.process.begin_ready();
        let is_reused =
            self.process.is_running_here() && self.process.restart() != RestartPolicy::On;
        if !is_reused {
            self.start().map_err(HostError::into_fault)?;
        }
        self.process.new_game();
        let send = |backend: &mut ChildBackend| {
            backend.call(request::NEW_GAME, "get ready for a game", |out| {
                out.extend_from_slice(&game.to_bytes());
            })
        };
        let code = match send(self) {
            // It may have died in the game before, or hang, or was ended for computing since.
            Err(Fault { failure: Failure::Crash | Failure::Stall | Failure::Unasked, .. })
                if is_reused && !self.process.settings().interrupt.is_raised() =>
            {
                self.start().map_err(HostError::into_fault)?;
                send(self)
            }
            code => code,
        }?;
        self.process.end_ready(span);
        failure::judge(names::NEW_GAME, code)
    }

    fn exports(&self) -> ExportSet {
        self.exports
    }

    fn choose(
        &mut self,
        update: PositionUpdate<'_>,
        limits: &Limits,
        options: WaitOptions<'_>,
    ) -> TimedExchange<(i32, Reply)> {
        let limits = self.with_lag(limits);
        self.process.protocol.put_request(request::CHOOSE, answer::REPLY, |out| {
            put_update(out, update);
            out.extend_from_slice(&limits.to_bytes());
        });
        self.exchange(options)
    }

    fn decide(
        &mut self,
        update: PositionUpdate<'_>,
        (question, candidates): (&Question, &[MoveCode]),
        limits: &Limits,
        options: WaitOptions<'_>,
    ) -> TimedExchange<(i32, Verdict)> {
        let limits = self.with_lag(limits);
        self.process.protocol.put_request(request::DECIDE, answer::VERDICT, |out| {
            put_update(out, update);
            out.extend_from_slice(&question.to_bytes());
            out.extend_from_slice(&limits.to_bytes());
            put_moves(out, candidates.iter().copied());
        });
        self.exchange(options)
    }

    fn timing(&self) -> Timing {
        Timing {
            own: self.own,
            cpu_stats: self.process.cpu_stats(),
            correction: self.process.correction(),
        }
    }

    fn take_said(&mut self) -> Vec<String> {
        let mut said = self.process.engine_log().denials().take_new();
        said.extend(self.process.take_threads_at_work());
        said
    }

    fn failed_unasked(&mut self) -> Option<Fault> {
        self.process.take_unasked()
    }

    fn end_game(&mut self, outcome: i32, reason: u32) {
        self.process.protocol.put(request::END_GAME, |out| {
            out.extend_from_slice(&outcome.to_le_bytes());
            put_u32(out, reason);
            put_u32(out, 0);
        });
    }

    fn fail(&mut self, fault: Fault) -> Fault {
        self.process.stop();
        Fault { detail: self.process.engine_log().with_last_words(fault.detail), ..fault }
    }
}
