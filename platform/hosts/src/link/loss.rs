//! What becomes of a child that is lost, whatever language it speaks.

use std::time::Instant;

use tengen_arbiter::{CpuStats, Failure};
use tengen_players::Fault;

use super::gauge::{Gauge, Reading};
use crate::platform;
use crate::watchdog::{End, Target, Watched};
use crate::words::Words;

/// Why no answer came. The child is gone then.
#[derive(Debug)]
pub(crate) enum Loss {
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
pub(crate) enum Trouble {
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

impl Trouble {
    /// Buries the child and says what it died of; `cpu_stats` becomes what is known of where its
    /// time went. Whether that had run out, when it failed by itself, is for the table to say.
    pub(crate) fn bury(
        self,
        watched: &Watched,
        words: &Words,
        gauge: &Gauge,
        cpu_stats: &mut Option<CpuStats>,
    ) -> Loss {
        let fired = watched.disarm();
        let alive = watched.load().map(|load| (load, Instant::now()));
        let mut end = bury(watched);
        let stopped = end.as_mut().and_then(|end| end.load.take()).map(|load| *load);
        if let Some((load, at)) = stopped.or(alive) {
            *cpu_stats = gauge.end(Reading::with(Some(load)), at);
        }
        let breach = end.as_ref().and_then(|end| end.breach.clone());
        let (failure, detail) = match self {
            _ if watched.is_interrupted() => return Loss::Interrupted,
            _ if words.is_flood() => {
                (Failure::ResourceLimit, "printed more than 16 MiB in one game".to_owned())
            }
            Trouble::Refused(reason) => return Loss::Refused(reason),
            Trouble::Fault(fault) => (fault.failure, fault.detail),
            _ if let Some(breach) = breach => (Failure::ResourceLimit, breach),
            Trouble::Garbage(what) => (Failure::ProtocolError, what),
            Trouble::Late => return Loss::Late,
            Trouble::Gone if fired => return Loss::Late,
            Trouble::Gone => died(end),
            Trouble::Flood => {
                let detail = "sent more than 1 MiB of messages in a second of one question";
                (Failure::ResourceLimit, detail.to_owned())
            }
        };
        Loss::Fault(Fault { failure, detail: words.after(detail) })
    }
}

/// Kills a child's whole group and reaps it, if there is one.
pub(crate) fn bury(watched: &Watched) -> Option<End> {
    match watched.replace(Target::Nothing) {
        Target::Child(ward) => Some(ward.bury()),
        _ => None,
    }
}

/// What a child died of that ended by itself.
fn died(end: Option<End>) -> (Failure, String) {
    let Some(End { status: Some(status), shortage, .. }) = end else {
        return (Failure::Crash, "is not running".to_owned());
    };
    let exit = platform::describe_exit(status);
    match shortage {
        Some(shortage) => (Failure::ResourceLimit, format!("{exit} {shortage}")),
        None => (Failure::Crash, exit),
    }
}
