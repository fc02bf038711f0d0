//! What is seen of a text engine from its answer to its next question, and when it is stopped.
//!
//! Many have one thread that reads and another that searches, and print their move before the
//! second has told the first that it is done. One that were stopped between the two would still
//! think when the next command comes, and drop it. So an engine is stopped once all its threads
//! wait, one of them for input; or when it has worked on for so long that it plainly ponders.

use std::time::{Duration, Instant};

use crate::platform::Activity;

/// The CPU time, in nanoseconds, that an engine may use after its answer: twice what the longest
/// tail of those that only finish something is known to be, and once in an event for one that
/// ponders, which has no time at all from then on.
const GRACE: u64 = 100_000_000;
/// And this part of the time that goes by, for the threads that a virtual machine keeps.
const UPKEEP: u64 = 50;
/// For so long one must have done nothing of which it cannot be seen what it waits for.
const STILL: Duration = Duration::from_millis(100);
/// The CPU time in which a look finds that nothing was done since the last one.
const NOTHING: u64 = 20_000;
/// It is looked so often what the threads do; from then on at every so many looks.
const LOOKS: u32 = 64;
const EVERY: u32 = 16;

/// What follows from a look.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Finding {
    /// Nothing.
    Open,
    /// It waits for its next question, and is better not stopped.
    Settled,
    /// The same, and it may be stopped.
    Stop,
    /// It ponders, and is to be stopped wherever it is.
    Ponders,
}

/// One wait of an engine for its next question.
pub(super) struct Wait {
    pub number: u64,
    began: Instant,
    /// The CPU time at the first look.
    base: u64,
    last: u64,
    /// Since when it has done nothing that can be seen.
    still: Instant,
    looks: u32,
}

impl Wait {
    /// The first look, at that moment and with that CPU time.
    pub(super) fn new(number: u64, cpu: u64, now: Instant) -> Wait {
        Wait { number, began: now, base: cpu, last: cpu, still: now, looks: 0 }
    }

    /// Another look. What its threads do is asked where it is to be stopped once it has settled.
    pub(super) fn look(
        &mut self,
        cpu: u64,
        now: Instant,
        is_due: bool,
        activity: impl FnOnce() -> Option<Activity>,
    ) -> Finding {
        let passed = now.saturating_duration_since(self.began).as_nanos() as u64;
        if cpu.saturating_sub(self.base) > GRACE + passed / UPKEEP {
            return Finding::Ponders;
        }
        self.looks = self.looks.saturating_add(1);
        if !is_due || self.looks > LOOKS && !self.looks.is_multiple_of(EVERY) {
            return Finding::Open;
        }
        let is_idle = cpu.saturating_sub(self.last) <= NOTHING;
        self.last = cpu;
        match activity() {
            Some(Activity::Reading) => Finding::Stop,
            Some(Activity::Polling) => Finding::Settled,
            Some(Activity::Asleep | Activity::Napping) | None if is_idle => {
                let is_still = now.saturating_duration_since(self.still) >= STILL;
                if is_still { Finding::Stop } else { Finding::Open }
            }
            _ => {
                self.still = now;
                Finding::Open
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TICK: Duration = Duration::from_millis(10);

    /// Looks at an engine that uses so much CPU time from look to look and does that, until
    /// something follows or for so many looks.
    fn looked(looks: u32, step: u64, is_due: bool, activity: Option<Activity>) -> (u32, Finding) {
        let began = Instant::now();
        let mut wait = Wait::new(7, 500, began);
        for look in 1..=looks {
            let finding =
                wait.look(500 + u64::from(look) * step, began + TICK * look, is_due, || activity);
            if finding != Finding::Open {
                return (look, finding);
            }
        }
        (looks, Finding::Open)
    }

    #[test]
    fn whoever_reads_is_stopped_at_the_first_look_if_that_is_due() {
        assert_eq!(looked(3, 0, true, Some(Activity::Reading)), (1, Finding::Stop));
        assert_eq!(looked(3, 0, true, Some(Activity::Polling)), (1, Finding::Settled));
        assert_eq!(looked(500, 0, false, Some(Activity::Reading)), (500, Finding::Open));
    }

    #[test]
    fn whoever_works_on_has_a_grace() {
        let of_a_core = 10_000_000;
        assert_eq!(looked(500, of_a_core, true, Some(Activity::Working)), (11, Finding::Ponders));
        assert_eq!(looked(500, of_a_core, false, None), (11, Finding::Ponders));
        // One that gets no CPU ponders as little as the keeping of a virtual machine.
        assert_eq!(looked(500, 0, true, Some(Activity::Working)), (500, Finding::Open));
        assert_eq!(looked(5000, 200_000, true, Some(Activity::Working)), (5000, Finding::Open));
    }

    #[test]
    fn where_nothing_tells_what_it_waits_for_a_tenth_of_a_second_of_rest_does() {
        assert_eq!(looked(500, 0, true, Some(Activity::Napping)), (10, Finding::Stop));
        assert_eq!(looked(500, 0, true, Some(Activity::Asleep)), (10, Finding::Stop));
        assert_eq!(looked(500, 0, true, None), (10, Finding::Stop));
        assert_eq!(looked(500, 100_000, true, Some(Activity::Asleep)), (500, Finding::Open));
    }
}
