use tengen_abi::{Game, Limits, MoveCode, Question, Reply, Verdict, Wire, names};
use tengen_arbiter::{CpuStats, Failure, Nanos};
use tengen_players::{Fault, Timing};

use super::lag::Lag;
use super::{EngineBackend, Exchange, PositionUpdate, WaitOptions, interrupted};
use crate::denials::Denials;
use crate::probe::inspect_then_start;
use crate::process::{EngineLoss, EngineProcess, Ready};
use crate::wire::{Payload, answer, put_frame, put_moves, put_u32, request, tagged};
use crate::{ExportSet, HostError, HostSettings, failure};
use tengen_packages::EngineSpec;

/// An engine in a child process.
pub(crate) struct ChildBackend {
    spec: EngineSpec,
    settings: HostSettings,
    process: EngineProcess,
    exports: ExportSet,
    /// Whether the engine's file has been looked at.
    is_known: bool,
    /// Frames to write next; the end of a game waits here for company.
    out: Vec<u8>,
    /// What the last question took at the other end.
    own: Option<Nanos>,
    /// What the way there and back took.
    lag: Lag,
}

impl ChildBackend {
    pub(crate) fn new(spec: EngineSpec, settings: HostSettings) -> ChildBackend {
        let process = EngineProcess::new(&settings);
        ChildBackend {
            spec,
            settings,
            process,
            exports: ExportSet::default(),
            is_known: false,
            out: Vec::new(),
            own: None,
            lag: Lag::default(),
        }
    }

    /// Starts the engine, in place of a former one.
    pub(crate) fn start(&mut self) -> Result<Ready, HostError> {
        self.out.clear();
        let ready = if self.is_known {
            self.process.start(&self.spec, &self.settings)?
        } else {
            inspect_then_start(&mut self.process, &self.spec, &self.settings)?
        };
        self.is_known = true;
        self.exports = ready.exports;
        Ok(ready)
    }

    /// What its walls have denied it.
    pub(crate) fn denials(&self) -> &Denials {
        self.process.engine_log().denials()
    }

    /// Whether the engine has been started and has not failed since.
    pub(crate) fn is_running(&self) -> bool {
        self.process.is_running_here()
    }

    /// Makes one call that is answered by its status alone, within the time for starting. An
    /// engine that takes longer is faulted.
    pub(crate) fn call(
        &mut self,
        kind: u32,
        name: &str,
        fill: impl FnOnce(&mut Vec<u8>),
    ) -> Result<i32, Fault> {
        match self.try_call(kind, fill) {
            Ok(code) => Ok(code),
            Err(EngineLoss::Late) => Err(self.process.stall(name, self.settings.startup)),
            Err(loss) => Err(lost::<()>(loss).err().unwrap_or_else(interrupted)),
        }
    }

    fn try_call(&mut self, kind: u32, fill: impl FnOnce(&mut Vec<u8>)) -> Result<i32, EngineLoss> {
        self.put(kind, fill);
        self.process.start_sample(Some(self.settings.startup));
        let sent = self.process.send(&self.out);
        self.out.clear();
        sent?;
        self.process.arm(Some(self.settings.startup));
        let code = self.process.receive(answer::DONE, || 0, 0, |mut payload| payload.i32())?;
        Ok(code.0)
    }

    /// The limits with what is known of the way.
    fn to_tell(&self, limits: &Limits) -> Limits {
        Limits { lag_us: self.lag.micros(), ..*limits }
    }

    /// Reads what the last question took of the machine, which was answered too late.
    pub(crate) fn sample_late(&mut self) -> Option<CpuStats> {
        self.process.sample_late();
        self.process.cpu_stats()
    }

    /// Puts a request in line that is to be answered.
    fn put(&mut self, kind: u32, fill: impl FnOnce(&mut Vec<u8>)) {
        put_frame(&mut self.out, tagged(kind, self.process.renew_tag()), fill);
    }

    fn exchange<T: Wire>(&mut self, kind: u32, wait: WaitOptions<'_>) -> Exchange<(i32, T)> {
        let WaitOptions { patience, time, listener } = wait;
        self.process.set_listener(listener);
        // Continuing a process that was stopped is nothing that it did, nor is looking at it.
        self.process.rouse();
        self.process.start_sample(patience);
        // Read before the request goes out: where both run on one CPU, the child may have answered
        // by the time the write returns. A request is smaller than an empty pipe, so that the
        // write itself does not wait for the engine.
        let asked_at = time.now();
        self.own = None;
        let sent = self.process.send(&self.out);
        self.out.clear();
        let move_now = self.settings.move_now.as_ref();
        move_now.inspect(|move_now| move_now.asked());
        let received = sent.and_then(|()| {
            self.process.arm(patience);
            let read =
                |mut payload: Payload<'_>| Ok((payload.i32()?, payload.u64()?, payload.wire()?));
            self.process.receive(kind, || time.now(), asked_at, read)
        });
        move_now.inspect(|move_now| move_now.answered());
        let latest = self.process.take_latest();
        let (outcome, answered_at) = match received {
            Ok(((code, own, answer), at)) => {
                self.own = Some(own);
                self.lag.note(at.saturating_sub(asked_at.saturating_add(own)));
                let patience = patience.map_or(Nanos::MAX, |span| span.as_nanos() as Nanos);
                if at.saturating_sub(asked_at) >= patience {
                    self.process.sample_late();
                }
                (Ok(Some((code, answer))), at)
            }
            Err(loss) => (lost(loss), time.now()),
        };
        Exchange { asked_at, answered_at, latest, outcome }
    }
}

fn lost<T>(loss: EngineLoss) -> Result<Option<T>, Fault> {
    match loss {
        EngineLoss::Late => Ok(None),
        EngineLoss::Interrupted => Err(interrupted()),
        EngineLoss::Fault(fault) => Err(fault),
        EngineLoss::Refused(reason) => {
            Err(Fault { failure: Failure::ProtocolError, detail: reason })
        }
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
        let is_kept = self.is_running() && !self.settings.restart;
        if !is_kept {
            self.start().map_err(HostError::into_fault)?;
        }
        self.process.engine_log().new_game();
        let tell = |backend: &mut ChildBackend| {
            backend.call(request::NEW_GAME, "get ready for a game", |out| {
                out.extend_from_slice(&game.to_bytes());
            })
        };
        let code = match tell(self) {
            // It may have died long since, or hang, in the game before.
            Err(Fault { failure: Failure::Crash | Failure::Stall, .. })
                if is_kept && !self.settings.interrupt.is_raised() =>
            {
                self.start().map_err(HostError::into_fault)?;
                tell(self)
            }
            update => update,
        }?;
        failure::judge(names::NEW_GAME, code)
    }

    fn exports(&self) -> ExportSet {
        self.exports
    }

    fn choose(
        &mut self,
        update: PositionUpdate<'_>,
        limits: &Limits,
        wait: WaitOptions<'_>,
    ) -> Exchange<(i32, Reply)> {
        let limits = self.to_tell(limits);
        self.put(request::CHOOSE, |out| {
            put_update(out, update);
            out.extend_from_slice(&limits.to_bytes());
        });
        self.exchange(answer::REPLY, wait)
    }

    fn decide(
        &mut self,
        update: PositionUpdate<'_>,
        (question, candidates): (&Question, &[MoveCode]),
        limits: &Limits,
        wait: WaitOptions<'_>,
    ) -> Exchange<(i32, Verdict)> {
        let limits = self.to_tell(limits);
        self.put(request::DECIDE, |out| {
            put_update(out, update);
            out.extend_from_slice(&question.to_bytes());
            out.extend_from_slice(&limits.to_bytes());
            put_moves(out, candidates.iter().copied());
        });
        self.exchange(answer::VERDICT, wait)
    }

    fn timing(&self) -> Timing {
        Timing { own: self.own, cpu_stats: self.process.cpu_stats() }
    }

    fn end_game(&mut self, outcome: i32, reason: u32) {
        put_frame(&mut self.out, request::END_GAME, |out| {
            out.extend_from_slice(&outcome.to_le_bytes());
            put_u32(out, reason);
            put_u32(out, 0);
        });
    }

    fn fail(&mut self, fault: Fault) -> Fault {
        self.out.clear();
        self.process.stop();
        Fault { detail: self.process.engine_log().with_last_words(fault.detail), ..fault }
    }
}
