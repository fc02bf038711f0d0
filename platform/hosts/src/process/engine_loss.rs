//! What becomes of a child that is lost, whatever language it speaks.

use std::time::Instant;

use tengen_arbiter::{CpuStats, Failure};
use tengen_players::Fault;

use super::sampler::{CpuSample, Sampler};
use crate::engine_log::EngineLog;
use crate::platform;
use crate::watchdog::{ChildExit, StopTarget, WatchdogHandle};

/// Why no answer came. The child is gone then.
#[derive(Debug)]
pub(crate) enum EngineLoss {
    /// The deadline passed first.
    Late,
    /// Everything was interrupted.
    Interrupted,
    /// The engine failed.
    Fault(Fault),
    /// The file is no engine that can be loaded here.
    Refused(String),
}

/// What went wrong on the pipe.
pub(crate) enum ExchangeError {
    /// Nobody is at its other end.
    Gone,
    /// The answer came after the deadline.
    Late,
    /// What came breaks the protocol.
    Garbage(String),
    /// Too much came beside the answer.
    Flood,
    /// The child says that its engine failed.
    Fault(Fault),
    /// The child says that it cannot load the engine.
    Refused(String),
}

impl ExchangeError {
    /// Buries the child and says what it died of; `cpu_stats` becomes what is known of where its
    /// time went. Whether that had run out, when it failed by itself, is for the table to say.
    pub(crate) fn kill_and_reap(
        self,
        watchdog: &WatchdogHandle,
        engine_log: &EngineLog,
        sampler: &Sampler,
        cpu_stats: &mut Option<CpuStats>,
    ) -> EngineLoss {
        let fired = watchdog.disarm();
        let alive = watchdog.sched_stats().map(|stats| (stats, Instant::now()));
        let mut exit = kill_and_reap(watchdog);
        let stopped = exit.as_mut().and_then(|exit| exit.final_stats.take()).map(|stats| *stats);
        if let Some((stats, at)) = stopped.or(alive) {
            *cpu_stats = sampler.finish(CpuSample::with(Some(stats)), at);
        }
        let exceeded = exit.as_ref().and_then(|exit| exit.exceeded.clone());
        let (failure, detail) = match self {
            _ if watchdog.is_interrupted() => return EngineLoss::Interrupted,
            _ if engine_log.is_flood() => {
                (Failure::ResourceLimit, "printed more than 16 MiB in one game".to_owned())
            }
            ExchangeError::Refused(reason) => return EngineLoss::Refused(reason),
            ExchangeError::Fault(fault) => (fault.failure, fault.detail),
            _ if let Some(exceeded) = exceeded => (Failure::ResourceLimit, exceeded),
            ExchangeError::Garbage(what) => (Failure::ProtocolError, what),
            ExchangeError::Late => return EngineLoss::Late,
            ExchangeError::Gone if fired => return EngineLoss::Late,
            ExchangeError::Gone => died(exit),
            ExchangeError::Flood => {
                let detail = "sent more than 1 MiB of messages in a second of one question";
                (Failure::ResourceLimit, detail.to_owned())
            }
        };
        EngineLoss::Fault(Fault { failure, detail: engine_log.with_last_words(detail) })
    }
}

/// Kills a child's whole group and reaps it, if there is one.
pub(crate) fn kill_and_reap(watchdog: &WatchdogHandle) -> Option<ChildExit> {
    match watchdog.replace(StopTarget::Nothing) {
        StopTarget::Child(supervisor) => Some(supervisor.kill_and_reap()),
        _ => None,
    }
}

/// What a child died of that ended by itself.
fn died(exit: Option<ChildExit>) -> (Failure, String) {
    let Some(ChildExit { status: Some(status), shortage, .. }) = exit else {
        return (Failure::Crash, "is not running".to_owned());
    };
    let exit = platform::describe_exit(status);
    match shortage {
        Some(shortage) => (Failure::ResourceLimit, format!("{exit} {shortage}")),
        None => (Failure::Crash, exit),
    }
}
