//! The thread that checks the processes of engines from outside.

use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use super::{Slot, StopTarget, WatchdogShared};
use crate::platform;

/// How often every process is checked.
const PERIOD: Duration = Duration::from_millis(10);
/// The thread sleeps this many times as long as the CPU time of its checks. Not their whole
/// duration: otherwise an engine that keeps the machine busy would be checked less often.
const SHARE: u32 = 20;
/// But never longer than that, even where killing a process took long.
const LONGEST: Duration = Duration::from_millis(250);

impl WatchdogShared {
    /// Body of the thread that checks the processes: whether they are idle while they should be,
    /// and what they use.
    pub(super) fn monitor(&self) {
        let mut slots: Vec<Arc<Slot>> = Vec::new();
        let mut pause = PERIOD;
        let own_cpu = || platform::own_cpu_time().map(Duration::from_nanos);
        loop {
            let state = self.lock();
            let asleep = |state: &mut super::WatchdogState| !state.quit;
            let woken = self.quits.wait_timeout_while(state, pause, asleep);
            let state = woken.unwrap_or_else(PoisonError::into_inner).0;
            if state.quit {
                return;
            }
            slots.clone_from(&state.slots);
            drop(state);
            let (began, cpu) = (Instant::now(), own_cpu());
            slots.iter().for_each(|slot| slot.check());
            slots.clear();
            let used = own_cpu().zip(cpu).map(|(after, before)| after - before);
            pause = (used.unwrap_or_else(|| began.elapsed()) * SHARE).clamp(PERIOD, LONGEST);
        }
    }
}

impl Slot {
    /// Checks the process, if there is one, and stops one that uses more than it may.
    fn check(&self) {
        let mut target = self.target();
        let StopTarget::Child(supervisor) = &mut *target else { return };
        self.cpu_binding.release_if_searching(supervisor, self.pause_state.open_question());
        if supervisor.check(&self.pause_state) {
            self.stop(&mut target);
        }
    }
}
