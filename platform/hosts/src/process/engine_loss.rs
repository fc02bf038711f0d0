//! Why the process of an engine is lost, whatever protocol it speaks.

use std::path::Path;
use std::process::ExitStatus;
use std::time::Instant;

use tengen_arbiter::{CpuStats, Failure};
use tengen_players::Fault;

use super::sampler::{CpuSample, Sampler};
use crate::engine_log::EngineLog;
use crate::platform;
use crate::protocol::ProtocolError;
use crate::watchdog::{ChildExit, Excess, ExcessKind, StopTarget, Supervisor, WatchdogHandle};

/// Why no answer came. The process is gone then.
#[derive(Debug)]
pub(crate) enum EngineLoss {
    /// The deadline passed first.
    Late,
    Interrupted,
    Fault(Fault),
    /// The file is no engine that can be loaded here.
    Refused(String),
}

/// What went wrong in an exchange.
pub(super) enum ExchangeError {
    /// The other end of the pipe is closed.
    Gone,
    /// The answer came after the deadline.
    Late,
    /// Too many bytes of messages came beside the answer.
    Flood,
    /// The conversation cannot go on.
    Protocol(ProtocolError),
}

impl From<ProtocolError> for ExchangeError {
    fn from(error: ProtocolError) -> ExchangeError {
        ExchangeError::Protocol(error)
    }
}

impl ExchangeError {
    /// Kills the process and says why it was lost; `cpu_stats` becomes what is known of where its
    /// time went. Whether its time had run out, where it failed by itself, is for the game to
    /// decide.
    pub(super) fn kill_and_reap(
        self,
        program: &Path,
        watchdog: &WatchdogHandle,
        engine_log: &EngineLog,
        sampler: &Sampler,
        cpu_stats: &mut Option<CpuStats>,
    ) -> EngineLoss {
        let fired = watchdog.disarm();
        let alive = watchdog.read(Supervisor::sched_stats).map(|stats| (stats, Instant::now()));
        let mut exit = kill_and_reap(watchdog);
        let stopped = exit.as_mut().and_then(|exit| exit.final_stats.take()).map(|stats| *stats);
        if let Some((mut stats, at)) = stopped.or(alive) {
            // If its answer came after all, it waits for the next command, as it should.
            stats.reading &= !matches!(self, ExchangeError::Late);
            *cpu_stats = sampler.finish(CpuSample::with(Some(stats)), at);
        }
        let exceeded = exit.as_ref().and_then(|exit| exit.exceeded.clone());
        let (failure, detail) = match self {
            _ if watchdog.is_interrupted() => return EngineLoss::Interrupted,
            _ if engine_log.is_flood() => {
                (Failure::ResourceLimit, "printed more than 16 MiB in one game".to_owned())
            }
            ExchangeError::Protocol(ProtocolError::Refused(reason)) => {
                return EngineLoss::Refused(reason);
            }
            ExchangeError::Protocol(ProtocolError::Fault(fault)) => (fault.failure, fault.detail),
            _ if let Some(Excess { what, kind }) = exceeded => match kind {
                ExcessKind::Limit => (Failure::ResourceLimit, what),
                ExcessKind::Shortage => {
                    cpu_stats.get_or_insert_default().short = true;
                    (Failure::Crash, what)
                }
                ExcessKind::Unasked => (Failure::Unasked, what),
            },
            ExchangeError::Protocol(ProtocolError::Invalid(what)) => (Failure::ProtocolError, what),
            ExchangeError::Late => return EngineLoss::Late,
            ExchangeError::Gone if fired => return EngineLoss::Late,
            ExchangeError::Gone => died(program, exit, engine_log),
            ExchangeError::Flood => {
                let detail = "sent more than 1 MiB of messages in a second of one question";
                (Failure::ResourceLimit, detail.to_owned())
            }
        };
        EngineLoss::Fault(Fault { failure, detail: engine_log.with_last_words(detail) })
    }
}

/// Kills the whole process group and reaps the process, if there is one.
pub(super) fn kill_and_reap(watchdog: &WatchdogHandle) -> Option<ChildExit> {
    match watchdog.replace(StopTarget::Nothing) {
        StopTarget::Child(supervisor) => Some(supervisor.kill_and_reap()),
        _ => None,
    }
}

/// How the process of an engine ended, with the DLLs that its program lacks if it did not start.
pub(super) fn describe_exit(status: ExitStatus, program: &Path) -> String {
    let exit = platform::describe_exit(status);
    // STATUS_DLL_NOT_FOUND.
    if !cfg!(windows) || status.code() != Some(0xC000_0135_u32.cast_signed()) {
        return exit;
    }
    match tengen_packages::missing_dlls(program) {
        missing if missing.is_empty() => exit,
        missing => {
            let missing = missing.join(", ");
            format!("{exit}: {missing}; put it beside the program, or install what it comes with")
        }
    }
}

/// What a process that ended by itself died of.
fn died(program: &Path, exit: Option<ChildExit>, engine_log: &EngineLog) -> (Failure, String) {
    let Some(ChildExit { status: Some(status), shortage, .. }) = exit else {
        return (Failure::Crash, "is not running".to_owned());
    };
    let signal = platform::signal_of(status);
    let place = signal.map(|signal| engine_log.place_of(signal)).unwrap_or_default();
    let exit = describe_exit(status, program) + &place;
    match shortage {
        Some(shortage) => (Failure::ResourceLimit, format!("{exit} {shortage}")),
        None => (Failure::Crash, exit),
    }
}

/// The answer to a question that was interrupted.
pub(crate) fn interrupted() -> Fault {
    Fault { failure: Failure::Crash, detail: "interrupted".to_owned() }
}
