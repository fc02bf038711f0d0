//! What a text engine does from its answer to its next question, and when it is paused.
//!
//! Many engines have one thread that reads and another that searches, and print their move before
//! the second has told the first that it is done. An engine paused between the two would still be
//! searching when the next command comes, and drop it. So an engine is paused once all its threads
//! wait, one of them for input, or when it has worked on for so long that it plainly ponders. The
//! CPU time that it may use until then is not renewed with each answer: otherwise an engine could
//! work a little in every turn of its opponent for free.

use std::time::{Duration, Instant};

use crate::platform::Activity;

/// The CPU time, in nanoseconds, that an engine may use after its answer: twice the longest known
/// among engines that only finish something. An engine that ponders gets it once in an event, and
/// nothing from then on.
const GRACE: u64 = 100_000_000;
/// And this part of the time that goes by, for the threads that a virtual machine keeps.
const UPKEEP: u64 = 50;

/// The CPU time, in nanoseconds, that an engine may use after its answer until so much time has
/// gone by. If it uses more, it is charged for all of it.
pub(crate) fn idle_allowance(passed: Duration) -> u64 {
    GRACE + passed.as_nanos() as u64 / UPKEEP
}

/// What is left to an engine of the CPU time that it may use after its answers, in nanoseconds.
#[derive(Clone, Copy)]
pub(super) struct IdleAccount {
    left: u64,
    /// Up to when time has added to it.
    filled: Instant,
}

impl IdleAccount {
    pub(super) fn new(now: Instant) -> IdleAccount {
        IdleAccount { left: GRACE, filled: now }
    }

    /// Takes so much from it at that moment, and gives whether it was there.
    fn take(&mut self, cpu: u64, now: Instant) -> bool {
        let passed = now.saturating_duration_since(self.filled).as_nanos() as u64;
        self.filled = now;
        let left = self.left.saturating_add(passed / UPKEEP).min(GRACE);
        self.left = left.saturating_sub(cpu);
        cpu <= left
    }
}

/// For so long an engine must have done nothing, where nothing shows what it waits for.
const STILL: Duration = Duration::from_millis(100);
/// The CPU time between two checks that counts as nothing.
const NOTHING: u64 = 20_000;
/// The threads are read at each of the first checks, up to this many; after that at every so many.
const EARLY_CHECKS: u32 = 64;
const EVERY: u32 = 16;

/// What follows from a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum IdleVerdict {
    /// Nothing.
    Open,
    /// It waits for its next question, and should not be paused.
    Settled,
    /// The same, and it may be paused.
    Stop,
    /// It ponders, and is to be paused wherever it is.
    Ponders,
}

pub(super) struct IdlePeriod {
    pub number: u64,
    began: Instant,
    /// The CPU time when it began, at the last check, and when its threads were last read.
    base: u64,
    seen: u64,
    last: u64,
    /// Since when it has done nothing.
    still: Instant,
    checks: u32,
}

impl IdlePeriod {
    /// It begins at that moment and with that CPU time.
    pub(super) fn new(number: u64, cpu: u64, now: Instant) -> IdlePeriod {
        IdlePeriod { number, began: now, base: cpu, seen: cpu, last: cpu, still: now, checks: 0 }
    }

    /// What it has used in this period at that moment, in nanoseconds: no more than the time that
    /// has gone by.
    pub(super) fn used(&self, cpu: u64, now: Instant) -> u64 {
        let passed = now.saturating_duration_since(self.began);
        cpu.saturating_sub(self.base).min(passed.as_nanos() as u64)
    }

    /// Takes what it has used since that was last done, and gives whether it may use that.
    fn take(&mut self, account: &mut IdleAccount, cpu: u64, now: Instant) -> bool {
        let used = cpu.saturating_sub(self.seen);
        self.seen = cpu;
        account.take(used, now)
    }

    /// What it is charged for this period, in nanoseconds, if it ends at that moment and with that
    /// CPU time: nothing, or all that it has used.
    pub(super) fn end(&mut self, account: &mut IdleAccount, cpu: u64, now: Instant) -> u64 {
        if self.take(account, cpu, now) { 0 } else { self.used(cpu, now) }
    }

    /// Another check. `activity` is called only where it is to be paused once it has settled.
    pub(super) fn check(
        &mut self,
        account: &mut IdleAccount,
        cpu: u64,
        now: Instant,
        is_due: bool,
        activity: impl FnOnce() -> Option<Activity>,
    ) -> IdleVerdict {
        if !self.take(account, cpu, now) {
            return IdleVerdict::Ponders;
        }
        self.checks = self.checks.saturating_add(1);
        if !is_due || self.checks > EARLY_CHECKS && !self.checks.is_multiple_of(EVERY) {
            return IdleVerdict::Open;
        }
        let is_idle = cpu.saturating_sub(self.last) <= NOTHING;
        self.last = cpu;
        match activity() {
            Some(Activity::Reading) => IdleVerdict::Stop,
            Some(Activity::Polling) => IdleVerdict::Settled,
            Some(Activity::Asleep | Activity::Napping) | None if is_idle => {
                let is_still = now.saturating_duration_since(self.still) >= STILL;
                if is_still { IdleVerdict::Stop } else { IdleVerdict::Open }
            }
            _ => {
                self.still = now;
                IdleVerdict::Open
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TICK: Duration = Duration::from_millis(10);

    /// Checks an engine that uses so much CPU time from check to check and does that, until
    /// something follows or for so many checks.
    fn check_repeatedly(
        checks: u32,
        step: u64,
        is_due: bool,
        activity: Option<Activity>,
    ) -> (u32, IdleVerdict) {
        let began = Instant::now();
        let mut account = IdleAccount::new(began);
        let mut idle = IdlePeriod::new(7, 500, began);
        for check in 1..=checks {
            let (cpu, now) = (500 + u64::from(check) * step, began + TICK * check);
            let verdict = idle.check(&mut account, cpu, now, is_due, || activity);
            if verdict != IdleVerdict::Open {
                return (check, verdict);
            }
        }
        (checks, IdleVerdict::Open)
    }

    #[test]
    fn an_engine_that_reads_is_stopped_at_the_first_look_if_that_is_due() {
        assert_eq!(check_repeatedly(3, 0, true, Some(Activity::Reading)), (1, IdleVerdict::Stop));
        assert_eq!(
            check_repeatedly(3, 0, true, Some(Activity::Polling)),
            (1, IdleVerdict::Settled)
        );
        assert_eq!(
            check_repeatedly(500, 0, false, Some(Activity::Reading)),
            (500, IdleVerdict::Open)
        );
    }

    #[test]
    fn an_engine_that_works_on_has_a_grace() {
        let of_a_core = 10_000_000;
        assert_eq!(
            check_repeatedly(500, of_a_core, true, Some(Activity::Working)),
            (11, IdleVerdict::Ponders)
        );
        assert_eq!(check_repeatedly(500, of_a_core, false, None), (11, IdleVerdict::Ponders));
        // An engine that gets no CPU does not ponder, nor does a virtual machine with its
        // housekeeping.
        assert_eq!(
            check_repeatedly(500, 0, true, Some(Activity::Working)),
            (500, IdleVerdict::Open)
        );
        assert_eq!(
            check_repeatedly(5000, 200_000, true, Some(Activity::Working)),
            (5000, IdleVerdict::Open)
        );
    }

    #[test]
    fn a_little_work_after_each_answer_is_more_than_a_little() {
        let first_seen = |step: u64, turns: u32| {
            let began = Instant::now();
            let mut account = IdleAccount::new(began);
            (0..turns).find(|turn| {
                // In each turn of a tenth of a second it works at first.
                let now = began + 10 * TICK * *turn;
                let mut idle = IdlePeriod::new((*turn).into(), 0, now);
                let seen = idle.check(&mut account, step, now + TICK, true, || None);
                seen == IdleVerdict::Ponders
            })
        };
        let ms = 1_000_000;
        assert_eq!(first_seen(90 * ms, 100), Some(1));
        assert_eq!(first_seen(12 * ms, 100), Some(9));
        assert_eq!(first_seen(2 * ms, 1000), None, "it notes that it has answered");
    }

    #[test]
    fn where_nothing_tells_what_it_waits_for_a_tenth_of_a_second_of_rest_does() {
        assert_eq!(
            check_repeatedly(500, 0, true, Some(Activity::Napping)),
            (10, IdleVerdict::Stop)
        );
        assert_eq!(check_repeatedly(500, 0, true, Some(Activity::Asleep)), (10, IdleVerdict::Stop));
        assert_eq!(check_repeatedly(500, 0, true, None), (10, IdleVerdict::Stop));
        assert_eq!(
            check_repeatedly(500, 100_000, true, Some(Activity::Asleep)),
            (500, IdleVerdict::Open)
        );
    }
}
