//! What an engine uses of the CPUs while it is paused: nothing, unless it has a way to go on by
//! itself.

use std::time::{Duration, Instant};

/// The CPU time, in nanoseconds, that an engine may use while it is paused. A signal does not stop
/// a thread before its call to the kernel is over.
const TOLERANCE: u64 = 20_000_000;
/// It grows by this part of the time that goes by, and never beyond what it was.
const PART: u64 = 100;
/// What is less than this at one look is nothing.
const NOTHING: u64 = 200_000;
/// The CPU time that each thread takes to come to its stop with cold caches.
const STOP: u64 = 50_000;
/// It must have used more at this many looks: one long system call shows only once.
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

struct Pause {
    began: Instant,
    base: u64,
    /// When it was last looked at, and the CPU time then.
    looked: Instant,
    last: u64,
    is_new: bool,
}

fn cpus() -> u64 {
    std::thread::available_parallelism().map_or(1, |cpus| cpus.get() as u64)
}

/// What the processes of an engine have used while they were paused.
#[derive(Default)]
pub(super) struct UnaskedUse {
    pause: Option<Pause>,
    /// What was used beyond what time has made good.
    spent: u64,
    /// What of that was beyond the tolerance and has not been charged yet.
    charge: u64,
    /// What it had used to ponder when it was paused for that.
    pondered: u64,
    /// At how many looks it had used more than nothing since then.
    times: u32,
    /// What hypervisors had taken when that was last looked at.
    stolen: Option<u64>,
}

impl UnaskedUse {
    /// It was paused at that moment, with that CPU time. `stolen` is as for a look.
    pub(super) fn begin(&mut self, cpu: u64, now: Instant, stolen: impl FnOnce() -> u64) {
        self.stolen.get_or_insert_with(stolen);
        self.pause = Some(Pause { began: now, base: cpu, looked: now, last: cpu, is_new: true });
    }

    pub(super) fn is_paused(&self) -> bool {
        self.pause.is_some()
    }

    /// It is paused because it was seen to ponder, and has used so much for that.
    pub(super) fn ponder(&mut self, used: u64) {
        self.pondered = used;
    }

    /// It may go on from that moment. Gives the CPU time that it is charged for what it did
    /// meanwhile, in nanoseconds, which is never more than the time that has gone by, and what it
    /// had used in all at the last look.
    pub(super) fn end(&mut self, now: Instant) -> (u64, Option<u64>) {
        let charge = std::mem::take(&mut self.charge);
        let pondered = std::mem::take(&mut self.pondered);
        let Some(pause) = self.pause.take() else { return (0, None) };
        let passed = now.saturating_duration_since(pause.began).as_nanos() as u64;
        (charge.min(passed).saturating_add(pondered), Some(pause.last))
    }

    /// Looks at it while it is paused, at that moment and with that CPU time. `threads` is how many
    /// it has, and `stolen` what hypervisors have taken of all CPUs, in nanoseconds: the kernel
    /// counts that as used by what ran there.
    pub(super) fn look(
        &mut self,
        cpu: u64,
        now: Instant,
        threads: impl FnOnce() -> u64,
        stolen: impl FnOnce() -> u64,
    ) -> PausedUse {
        let Some(pause) = &mut self.pause else { return PausedUse::Quiet };
        let passed = now.saturating_duration_since(pause.looked).as_nanos() as u64;
        let mut used = cpu.saturating_sub(pause.last);
        let is_quiet = used == 0;
        (pause.looked, pause.last) = (now, cpu);
        let is_new = std::mem::replace(&mut pause.is_new, false);
        if is_new && used >= NOTHING {
            used = used.saturating_sub(threads().saturating_mul(STOP));
        }
        if used >= NOTHING {
            let stolen = stolen();
            let before = self.stolen.replace(stolen).unwrap_or(stolen);
            // That may be long ago: what it used since the last look was taken since then.
            let most = passed.saturating_mul(cpus());
            used = used.saturating_sub(stolen.saturating_sub(before).min(most));
        }
        let rest = self.spent.saturating_sub(passed / PART);
        if rest == 0 {
            self.times = 0;
        }
        self.spent = rest.saturating_add(used).min(TOLERANCE);
        let beyond = rest.saturating_add(used) - self.spent;
        self.charge = self.charge.saturating_add(beyond);
        if used < NOTHING {
            return if is_quiet { PausedUse::Quiet } else { PausedUse::Moved };
        }
        self.times += 1;
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

    impl UnaskedUse {
        /// A look at an engine of one thread where nothing is stolen.
        fn see(&mut self, cpu: u64, now: Instant) -> PausedUse {
            self.look(cpu, now, || 1, || 0)
        }
    }

    /// Pauses an engine so many times for so many milliseconds, with a look at every so many of
    /// them and at the end. It uses so much of each millisecond, in nanoseconds. Gives the number
    /// of the pause in which it was caught.
    fn caught(pauses: u32, span: u64, every: u64, each: u64) -> Option<u32> {
        let (start, mut unasked) = (Instant::now(), UnaskedUse::default());
        let at = |ms: u64| start + Duration::from_millis(ms);
        (1..=pauses).find(|&number| {
            let begin = u64::from(number) * (span + 7);
            unasked.begin(begin * each, at(begin), || 0);
            let looks = (1..=span).filter(|ms| ms % every == 0 || *ms == span);
            let is_caught = looks
                .map(|ms| unasked.see((begin + ms) * each, at(begin + ms)))
                .any(|seen| matches!(seen, PausedUse::Unasked(..)));
            unasked.end(at(begin + span));
            is_caught
        })
    }

    #[test]
    fn computing_while_paused_is_caught_in_long_pauses_and_in_short_ones() {
        assert_eq!(caught(10, 520, 10, MS), Some(1), "one thread");
        assert_eq!(caught(10, 520, 10, MS / 3), Some(1), "a third of a CPU");
        assert_eq!(caught(10, 520, 10, MS / 20), Some(1), "a twentieth");
        assert_eq!(caught(10, 520, 250, 32 * MS), Some(1), "32 threads, and few looks");
        assert_eq!(caught(100, 20, 10, MS), Some(2));
        assert_eq!(caught(100, 5, 10, MS), Some(5), "no look but those at its questions");
        assert_eq!(caught(1000, 520, 10, 0), None);
        assert_eq!(caught(100, 520, 10, MS / 100), None, "it is worth nothing");
    }

    #[test]
    fn an_engine_that_only_comes_to_its_stop_is_never_caught() {
        let (start, mut unasked) = (Instant::now(), UnaskedUse::default());
        let at = |ms| start + Duration::from_millis(ms);
        let mut stolen = 0;
        for pause in 0..1000 {
            unasked.begin(0, at(pause * 30), || stolen);
            // A hundred threads, and a hypervisor that takes their CPU for a while.
            let taken = 8 * MS;
            stolen += taken;
            let used = taken + 100 * 20_000;
            let seen = unasked.look(used, at(pause * 30 + 10), || 100, || stolen);
            assert!(!matches!(seen, PausedUse::Unasked(..)), "{pause}: {seen:?}");
            assert_eq!(unasked.see(used, at(pause * 30 + 20)), PausedUse::Quiet);
            let (charge, _) = unasked.end(at(pause * 30 + 20));
            assert_eq!(charge, 0, "{pause}");
        }
    }

    #[test]
    fn one_long_call_is_charged_and_loses_nothing() {
        let (start, mut unasked) = (Instant::now(), UnaskedUse::default());
        let at = |ms| start + Duration::from_millis(ms);
        unasked.begin(0, at(0), || 0);
        assert_eq!(unasked.see(500 * MS, at(510)), PausedUse::Worked);
        assert_eq!(unasked.see(500 * MS, at(520)), PausedUse::Quiet);
        assert_eq!(unasked.see(500 * MS + 9, at(530)), PausedUse::Moved);
        // For what is beyond the tolerance, once.
        let (charge, cpu) = unasked.end(at(540));
        assert!((470 * MS..480 * MS).contains(&charge) && cpu == Some(500 * MS + 9), "{charge}");
        assert_eq!(unasked.end(at(550)), (0, None));
        unasked.begin(0, at(600), || 0);
        unasked.see(90 * MS, at(610));
        assert_eq!(unasked.end(at(620)).0, 20 * MS, "for no more than the time that passed");
    }

    #[test]
    fn an_engine_that_ponders_is_charged_once_for_all_of_it() {
        let (start, mut unasked) = (Instant::now(), UnaskedUse::default());
        unasked.begin(110 * MS, start, || 0);
        unasked.ponder(102 * MS);
        unasked.see(110 * MS, start + Duration::from_millis(10));
        assert_eq!(unasked.end(start + Duration::from_millis(20)).0, 102 * MS);
        unasked.begin(110 * MS, start, || 0);
        assert_eq!(unasked.end(start + Duration::from_millis(20)).0, 0);
    }

    #[test]
    fn the_figures_are_those_of_the_pause() {
        let (start, mut unasked) = (Instant::now(), UnaskedUse::default());
        unasked.begin(7, start, || 0);
        for look in 1..=2 {
            let at = start + Duration::from_millis(10 * look);
            assert_eq!(unasked.see(7 + look * 9 * MS, at), PausedUse::Worked);
        }
        let last = unasked.see(7 + 27 * MS, start + Duration::from_millis(30));
        assert_eq!(last, PausedUse::Unasked(27 * MS, Duration::from_millis(30)));
    }
}
