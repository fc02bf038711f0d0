use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{StopTarget, Supervisor, WatchdogHandle};
use crate::placement::ThreadPlacement;
use crate::platform::Cpus;

/// On every CPU that it may use.
const ANYWHERE: usize = usize::MAX;

/// The CPU that an engine's process is bound to, if it is.
///
/// It is the table's, as long as the engine answers at once. One that is asked for longer than from
/// one look of the patrol to the next searches, and goes where there is room.
pub(super) struct CpuBinding {
    cpu: AtomicUsize,
    last_check: Mutex<LastCheck>,
}

#[derive(Default)]
struct LastCheck {
    /// The question that was open at the last look of the patrol.
    open_question: Option<u64>,
    /// The CPUs to go back to.
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

    fn last_check(&self) -> MutexGuard<'_, LastCheck> {
        self.last_check.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets a child go anywhere that is bound and has been asked since before the last look.
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
    /// Puts a child, which is about to be asked, where the table is.
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
        *cpu_binding.last_check() = LastCheck { open_question: None, allowed: Some(allowed) };
        supervisor.bind_to(&placement.cpu().and_then(Cpus::one).unwrap_or(allowed));
        cpu_binding.cpu.store(cpu, Ordering::SeqCst);
    }
}
