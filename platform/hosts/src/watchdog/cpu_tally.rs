//! The CPU time of the processes of an engine, those included that come and go.

use std::time::{Duration, Instant};

use crate::platform::JobCpu;

/// Adds up the CPU time that an engine uses from look to look. The account of a process that is not
/// reaped by its parent is lost when it ends, so its last known use is kept; a process that came
/// and went between two looks is charged with the time between them.
pub(super) struct CpuTally {
    known: Vec<KnownProcess>,
    /// What those have used that are gone.
    ended: u64,
    /// What processes of the engine had reaped when it began, and since.
    reaped: u64,
    reaped_since: u64,
    last_look: Instant,
}

struct KnownProcess {
    id: u32,
    cpu: u64,
    /// Whether it was there from the beginning.
    is_old: bool,
}

impl CpuTally {
    /// Begins with what is there.
    pub(super) fn new(job: &JobCpu, now: Instant) -> CpuTally {
        let known = job.processes.iter().map(|&(id, cpu)| KnownProcess { id, cpu, is_old: true });
        let reaped = job.reaped;
        CpuTally { known: known.collect(), ended: 0, reaped, reaped_since: 0, last_look: now }
    }

    /// Adds what is there now, and gives the whole, in nanoseconds.
    pub(super) fn look(&mut self, job: &JobCpu, now: Instant) -> u64 {
        let passed = now.saturating_duration_since(self.last_look);
        self.last_look = now;
        let mut ended = 0;
        self.known.retain(|known| {
            // A process that has used less than before is another one with the same number.
            let stays = job.processes.iter().any(|&(id, cpu)| id == known.id && cpu >= known.cpu);
            if !stays {
                ended += known.cpu + charge(known, passed);
            }
            stays
        });
        self.ended = self.ended.saturating_add(ended);
        for &(id, cpu) in &job.processes {
            match self.known.iter_mut().find(|known| known.id == id) {
                Some(known) => known.cpu = cpu,
                None => self.known.push(KnownProcess { id, cpu, is_old: false }),
            }
        }
        let alive = self.known.iter().fold(0_u64, |sum, known| sum.saturating_add(known.cpu));
        // A process that was reaped is in both.
        self.reaped_since = self.reaped_since.max(job.reaped.saturating_sub(self.reaped));
        alive.saturating_add(self.ended.max(self.reaped_since))
    }

    /// What those have used that are gone and were not reaped.
    pub(super) fn unreaped(&self) -> u64 {
        self.ended.saturating_sub(self.reaped_since)
    }
}

/// What a process may have used since it was last seen.
fn charge(known: &KnownProcess, passed: Duration) -> u64 {
    if known.is_old { 0 } else { passed.as_nanos() as u64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOOK: Duration = Duration::from_millis(10);
    const MS: u64 = 1_000_000;

    fn job(processes: &[(u32, u64)], reaped: u64) -> JobCpu {
        JobCpu { processes: processes.to_vec(), reaped }
    }

    #[test]
    fn what_one_process_uses_is_what_it_says() {
        let now = Instant::now();
        let mut tally = CpuTally::new(&job(&[(1, 5 * MS)], 7), now);
        assert_eq!(tally.look(&job(&[(1, 6 * MS)], 7), now + LOOK), 6 * MS);
        assert_eq!(tally.look(&job(&[(1, 6 * MS)], 17), now + 2 * LOOK), 6 * MS + 10);
    }

    #[test]
    fn helpers_that_come_and_go_are_charged_for_all_they_can_have_used() {
        let now = Instant::now();
        let mut tally = CpuTally::new(&job(&[(1, 0)], 0), now);
        let mut used = 0;
        for look in 1..=20 {
            used = tally.look(&job(&[(1, 0), (100 + look, 0)], 0), now + LOOK * look);
        }
        assert_eq!(used, 19 * 10 * MS, "it was not seen how long each of them ran");
        assert_eq!(tally.unreaped(), used);
    }

    #[test]
    fn a_helper_that_ends_keeps_what_it_used() {
        let now = Instant::now();
        let mut tally = CpuTally::new(&job(&[(1, 0), (2, 30 * MS)], 0), now);
        assert_eq!(tally.look(&job(&[(1, 0), (2, 40 * MS)], 0), now + LOOK), 40 * MS);
        assert_eq!(tally.look(&job(&[(1, MS)], 0), now + 2 * LOOK), 41 * MS);
        assert_eq!(tally.look(&job(&[(1, MS)], 40 * MS), now + 3 * LOOK), 41 * MS, "it was reaped");
        assert_eq!(tally.unreaped(), 0);
        // Another of the same number.
        assert_eq!(tally.look(&job(&[(1, MS), (2, MS)], 0), now + 4 * LOOK), 42 * MS);
    }
}
