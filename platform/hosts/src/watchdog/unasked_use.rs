//! What an engine uses of the CPUs while it is paused: nothing, unless it has a way to go on by
//! itself.

use std::time::{Duration, Instant};

/// The CPU time, in nanoseconds, that an engine may use while it is paused. A signal stops a thread
/// within microseconds, but not before a call to the kernel is over, and a hypervisor may take the
/// CPU meanwhile, which counts as the engine's.
const TOLERANCE: u64 = 20_000_000;
/// It grows by this part of the time that goes by, and never beyond what it was.
const PART: u64 = 100;
/// What is less than this at one look is the end of what was begun before.
const NOTHING: u64 = 1_000_000;
/// At so many looks it must have used more: one call, or one pause of the hypervisor, is seen once.
const TIMES: u32 = 3;

/// What follows from a look at a paused engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PausedUse {
    /// It has used nothing since the last look.
    Quiet,
    /// It has run: it is to be paused again.
    Moved,
    /// It has worked: it is to be paused so that it cannot go on.
    Worked,
    /// It computes, whatever is done to pause it: in one pause so much CPU time, in nanoseconds, in
    /// that time.
    Unasked(u64, Duration),
}

/// One pause of an engine.
struct Pause {
    began: Instant,
    base: u64,
    /// When it was last looked at, and the CPU time then.
    looked: Instant,
    last: u64,
}

/// What the processes of an engine have used while they were paused.
#[derive(Default)]
pub(super) struct UnaskedUse {
    pause: Option<Pause>,
    /// What was used beyond what time has made good.
    spent: u64,
    /// What of that was beyond the tolerance and has not been charged yet.
    charge: u64,
    /// At how many looks it had used more than nothing since then.
    times: u32,
}

impl UnaskedUse {
    /// It was paused at that moment, with that CPU time.
    pub(super) fn begin(&mut self, cpu: u64, now: Instant) {
        self.pause = Some(Pause { began: now, base: cpu, looked: now, last: cpu });
    }

    pub(super) fn is_paused(&self) -> bool {
        self.pause.is_some()
    }

    /// It may go on from that moment. Gives the CPU time that it is charged for what it did
    /// meanwhile, in nanoseconds, which is never more than the time that has gone by, and what it
    /// had used in all at the last look.
    pub(super) fn end(&mut self, now: Instant) -> (u64, Option<u64>) {
        let charge = std::mem::take(&mut self.charge);
        let Some(pause) = self.pause.take() else { return (0, None) };
        let passed = now.saturating_duration_since(pause.began).as_nanos() as u64;
        (charge.min(passed), Some(pause.last))
    }

    /// Looks at it while it is paused, at that moment and with that CPU time.
    pub(super) fn look(&mut self, cpu: u64, now: Instant) -> PausedUse {
        let Some(pause) = &mut self.pause else { return PausedUse::Quiet };
        let passed = now.saturating_duration_since(pause.looked).as_nanos() as u64;
        let used = cpu.saturating_sub(pause.last);
        (pause.looked, pause.last) = (now, cpu);
        self.spent = self.spent.saturating_sub(passed / PART).saturating_add(used);
        if self.spent == used {
            self.times = 0;
        }
        if used < NOTHING {
            return if used == 0 { PausedUse::Quiet } else { PausedUse::Moved };
        }
        self.times += 1;
        let beyond = self.spent.saturating_sub(TOLERANCE);
        self.spent -= beyond;
        self.charge = self.charge.saturating_add(beyond);
        if beyond == 0 || self.times < TIMES {
            return PausedUse::Worked;
        }
        let passed = now.saturating_duration_since(pause.began);
        PausedUse::Unasked(cpu.saturating_sub(pause.base), passed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;

    /// Pauses an engine so many times for so many milliseconds, with a look at every so many of
    /// them and at the end. It uses so much of each millisecond, in nanoseconds. Gives the number
    /// of the pause in which it was caught.
    fn caught(pauses: u32, span: u64, every: u64, each: u64) -> Option<u32> {
        let (start, mut unasked) = (Instant::now(), UnaskedUse::default());
        let at = |ms: u64| start + Duration::from_millis(ms);
        (1..=pauses).find(|&number| {
            let begin = u64::from(number) * (span + 7);
            unasked.begin(begin * each, at(begin));
            let looks = (1..=span).filter(|ms| ms % every == 0 || *ms == span);
            let is_caught = looks
                .map(|ms| unasked.look((begin + ms) * each, at(begin + ms)))
                .any(|seen| matches!(seen, PausedUse::Unasked(..)));
            unasked.end(at(begin + span));
            is_caught
        })
    }

    #[test]
    fn who_computes_while_it_is_paused_is_caught_in_long_pauses_and_in_short_ones() {
        assert_eq!(caught(10, 520, 10, MS), Some(1), "one thread");
        assert_eq!(caught(10, 520, 10, MS / 3), Some(1), "a third of a CPU");
        assert_eq!(caught(10, 520, 250, 32 * MS), Some(1), "32 threads, and few looks");
        assert_eq!(caught(100, 20, 10, MS), Some(2));
        assert_eq!(caught(100, 5, 10, MS), Some(5), "no look but those at its questions");
    }

    #[test]
    fn what_is_nothing_is_never_too_much() {
        assert_eq!(caught(1000, 520, 10, 0), None);
        // A CPU that was taken away while a thread came to its stop.
        let (start, mut once) = (Instant::now(), UnaskedUse::default());
        let at = |ms| start + Duration::from_millis(ms);
        for pause in 0..1000 {
            once.begin(0, at(pause * 100));
            let stolen = if pause % 10 == 0 { 8 * MS } else { 40_000 };
            let seen = once.look(stolen, at(pause * 100 + 80));
            assert!(!matches!(seen, PausedUse::Unasked(..)), "{pause}: {seen:?}");
            once.end(at(pause * 100 + 80));
        }
        once.begin(0, at(200_000));
        assert_eq!(once.look(500 * MS, at(200_010)), PausedUse::Worked, "one call to the kernel");
        assert_eq!(once.look(500 * MS, at(200_020)), PausedUse::Quiet);
        assert_eq!(once.look(500 * MS + 9, at(200_030)), PausedUse::Moved);
        // It is charged for what is beyond the tolerance, once, and for no more than has passed.
        assert_eq!(once.end(at(200_300)), (300 * MS, Some(500 * MS + 9)));
        assert_eq!(once.end(at(200_400)), (0, None));
    }

    #[test]
    fn the_figures_are_those_of_the_pause() {
        let (start, mut unasked) = (Instant::now(), UnaskedUse::default());
        unasked.begin(7, start);
        for look in 1..=2 {
            let at = start + Duration::from_millis(10 * look);
            assert_eq!(unasked.look(7 + look * 9 * MS, at), PausedUse::Worked);
        }
        let last = unasked.look(7 + 27 * MS, start + Duration::from_millis(30));
        assert_eq!(last, PausedUse::Unasked(27 * MS, Duration::from_millis(30)));
    }
}
