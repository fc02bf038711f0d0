//! Which CPU an engine's process is bound to.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::placement::ThreadPlacement;
use super::{StopTarget, Supervisor, WatchdogHandle};
use crate::platform::Cpus;

/// The process is not bound.
const ANYWHERE: usize = usize::MAX;

/// The CPU that an engine's process is bound to, if it is.
///
/// It is the CPU of the thread that asks the engine, as long as the engine answers at once. If a
/// question stays open from one check of the monitor to the next, the engine is searching and may
/// use all CPUs again.
pub(super) struct CpuBinding {
    cpu: AtomicUsize,
    last_check: Mutex<AtLastCheck>,
}

#[derive(Default)]
struct AtLastCheck {
    /// The question that was open at the last check of the monitor.
    open_question: Option<u64>,
    /// The CPUs that it may use when it is bound no more.
    allowed: Option<Cpus>,
}

impl CpuBinding {
    pub(super) fn new() -> CpuBinding {
        CpuBinding { cpu: AtomicUsize::new(ANYWHERE), last_check: Mutex::default() }
    }

    /// A new process is bound to none.
    pub(super) fn renew(&self) {
        self.cpu.store(ANYWHERE, Ordering::SeqCst);
    }

    fn last_check(&self) -> MutexGuard<'_, AtLastCheck> {
        self.last_check.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Releases a bound process if its question has been open since before the last check.
    pub(super) fn release_if_searching(&self, supervisor: &Supervisor, open_question: Option<u64>) {
        if self.cpu.load(Ordering::SeqCst) == ANYWHERE {
            return;
        }
        let mut last_check = self.last_check();
        if open_question.is_some() && last_check.open_question == open_question {
            if let Some(allowed) = last_check.allowed {
                supervisor.bind_to(&allowed);
            }
            self.cpu.store(ANYWHERE, Ordering::SeqCst);
        }
        last_check.open_question = open_question;
    }
}

impl WatchdogHandle {
    /// Binds a process that is about to get a question to the CPU of the thread that asks.
    #[cfg_attr(
        not(any(target_os = "linux", windows)),
        allow(unreachable_code, reason = "no CPU is known")
    )]
    pub(crate) fn bind_to(&self, placement: &ThreadPlacement) {
        let cpu_binding = &self.slot.cpu_binding;
        let cpu = placement.cpu().unwrap_or(ANYWHERE);
        if cpu_binding.cpu.load(Ordering::SeqCst) == cpu {
            return;
        }
        let target = self.slot.target();
        let (StopTarget::Child(supervisor), Some(allowed)) = (&*target, placement.allowed()) else {
            return;
        };
        *cpu_binding.last_check() = AtLastCheck { open_question: None, allowed: Some(allowed) };
        supervisor.bind_to(&placement.cpu().and_then(Cpus::one).unwrap_or(allowed));
        cpu_binding.cpu.store(cpu, Ordering::SeqCst);
    }
}
