//! Where the time of a question went: the engine's own work, a busy machine, or a suspended one.

use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use tengen_arbiter::{CpuStats, ForfeitCause, Nanos};

use super::contention::Contention;
use crate::platform::{self, SchedStats};

/// A question may use a sample from before it that is no older than this part of its time. One
/// takes some tens of system calls, and an engine that answers at once is asked every five
/// microseconds.
const PART: u32 = 64;
/// But no older than that.
const OLDEST: Duration = Duration::from_millis(50);

/// What the system reports at one moment.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct CpuSample {
    /// Of the process.
    pub child: SchedStats,
    /// For how long this thread has waited for a CPU.
    pub listener: Nanos,
    /// For how long the machine has slept.
    pub slept: Nanos,
}

impl CpuSample {
    /// The sample with that account of the process, for the thread that waits for it.
    pub(crate) fn with(child: Option<SchedStats>) -> Option<CpuSample> {
        let (child, listener) = (child?, platform::own_wait()?);
        Some(CpuSample { child, listener, slept: platform::slept() })
    }
}

/// Finds out where the time of a question went.
pub(crate) struct Sampler {
    base: Option<BaseSample>,
    /// When the question began.
    started: Instant,
}

struct BaseSample {
    reading: CpuSample,
    at: Instant,
    /// The thread whose waits it has.
    listener: ThreadId,
}

impl Sampler {
    pub(crate) fn new() -> Sampler {
        Sampler { base: None, started: Instant::now() }
    }

    /// Another process starts.
    pub(crate) fn reset(&mut self) {
        self.base = None;
    }

    /// A question begins that is given up after `patience`. `read` is called unless there is a
    /// sample that will do.
    pub(crate) fn start(
        &mut self,
        patience: Option<Duration>,
        read: impl FnOnce() -> Option<CpuSample>,
    ) {
        // Nobody asks where the time of the others went.
        let Some(patience) = patience else { return };
        let (now, listener) = (Instant::now(), thread::current().id());
        self.started = now;
        let oldest = (patience / PART).min(OLDEST);
        let serves = |base: &BaseSample| base.listener == listener && now - base.at < oldest;
        if !self.base.as_ref().is_some_and(serves) {
            self.base = read().map(|reading| BaseSample { reading, at: now, listener });
        }
    }

    /// The question was over at that moment, and took too long. `after` is a sample of then.
    pub(crate) fn finish(&self, after: Option<CpuSample>, at: Instant) -> Option<CpuStats> {
        let base = self.base.as_ref().filter(|base| base.listener == thread::current().id())?;
        let age = self.started.saturating_duration_since(base.at).as_nanos() as Nanos;
        let lasted = at.saturating_duration_since(base.at).as_nanos() as Nanos;
        Some(cpu_stats(&base.reading, &after?, lasted, age))
    }

    /// How many threads worked most of the question, those included that had to wait for a CPU;
    /// `after` is a sample of when it was over. Of threads that are gone only their CPU time tells.
    pub(crate) fn working(&self, after: Option<CpuSample>, at: Instant) -> Option<usize> {
        let base = self.base.as_ref().filter(|base| base.listener == thread::current().id())?;
        let lasted = at.saturating_duration_since(base.at).as_nanos() as Nanos;
        Some(working(&base.reading.child, &after?.child, lasted))
    }
}

fn working(before: &SchedStats, after: &SchedStats, lasted: Nanos) -> usize {
    let threads = after.threads_since(before);
    let seen = threads.iter().filter(|thread| thread.ran + thread.waited > lasted / 2).count();
    // Half a CPU is left for what an answer takes beside its search.
    let filled = (after.cpu_since(before) + lasted / 2) / lasted.max(1);
    seen.max(filled as usize)
}

/// What lies between two readings, `lasted` apart. The first is by `age` older than the question,
/// and whatever waiting there may have been in that time is not counted.
fn cpu_stats(before: &CpuSample, after: &CpuSample, lasted: Nanos, age: Nanos) -> CpuStats {
    let threads = after.child.threads_since(&before.child);
    let contention = Contention {
        lasted,
        cpus: after.child.cpus,
        cpu: after.child.cpu_since(&before.child),
        threads: threads.iter().map(|thread| (thread.ran, thread.waited)).collect(),
        stalled: after.child.stalled_since(&before.child),
        listener: after.listener.saturating_sub(before.listener),
        stolen: after.child.stolen_since(&before.child),
    };
    let slept = after.slept.saturating_sub(before.slept);
    CpuStats {
        cpu: contention.cpu,
        waited: contention.waited().saturating_sub(age),
        suspended: if slept >= ForfeitCause::SLEEP { slept } else { 0 },
        halted: after.child.halted,
        short: false,
    }
}

#[cfg(test)]
mod tests {
    use tengen_arbiter::Cause;

    use super::*;
    use crate::platform::{ProcessStats, ThreadStats};

    const SECOND: Nanos = 1_000_000_000;
    const PATIENCE: Option<Duration> = Some(Duration::from_secs(1));

    /// A machine of two CPUs on which the threads of a child ran and waited for so long, this
    /// thread waited, and everything slept.
    fn machine(threads: &[(Nanos, Nanos)], listener: Nanos, slept: Nanos) -> CpuSample {
        let cpu = threads.iter().map(|&(ran, _)| ran).sum();
        let threads = threads.iter().zip(1..);
        let threads = threads.map(|(&(ran, waited), id)| ThreadStats { id, ran, waited }).collect();
        let processes = vec![ProcessStats { id: 1, cpu }];
        let child = SchedStats { processes, threads, cpus: 2, ..SchedStats::default() };
        CpuSample { child, listener, slept }
    }

    /// The cause that is found when a question of one second ran out.
    fn cause(threads: &[(Nanos, Nanos)], listener: Nanos, slept: Nanos) -> Cause {
        let before: Vec<_> = threads.iter().map(|_| (5, 6)).collect();
        let after: Vec<_> = threads.iter().map(|&(ran, wait)| (ran + 5, wait + 6)).collect();
        let (before, after) = (machine(&before, 7, 8), machine(&after, listener + 7, slept + 8));
        ForfeitCause::judge(cpu_stats(&before, &after, SECOND, 0), SECOND, SECOND + 1).cause
    }

    #[test]
    fn threads_that_work_are_counted() {
        let before = machine(&[(5, 6), (0, 0), (0, 0)], 0, 0);
        let after = machine(&[(95, 16), (40, 50), (3, 3)], 0, 0);
        assert_eq!(working(&before.child, &after.child, 100), 2);
        // Those that have ended leave their CPU time.
        let ended = machine(&[(390, 16)], 0, 0);
        assert_eq!(working(&before.child, &ended.child, 100), 4);
        assert_eq!(working(&before.child, &machine(&[(100, 6)], 0, 0).child, 100), 1);
    }

    #[test]
    fn causes_are_told_apart() {
        assert_eq!(cause(&[(SECOND, 0)], 0, 0), Cause::Engine, "it computes");
        assert_eq!(cause(&[(0, 0)], 0, 0), Cause::Engine, "it sleeps");
        let half = SECOND / 2;
        assert_eq!(cause(&[(half, half)], 0, 0), Cause::Scheduling, "it waits");
        assert_eq!(cause(&[(half, 0)], half, 0), Cause::Scheduling, "we wait");
        assert_eq!(cause(&[(half, 0)], 0, SECOND), Cause::Suspend, "nobody runs");
    }

    #[test]
    fn the_first_thread_is_as_good_as_any() {
        let half = SECOND / 2;
        assert_eq!(cause(&[(0, 0), (half, half)], 0, 0), Cause::Scheduling, "another waits");
        assert_eq!(cause(&[(0, 0), (SECOND, 0)], 0, 0), Cause::Engine, "another computes");
        assert_eq!(cause(&[(half, half); 2], 0, 0), Cause::Scheduling, "both wait");
        let fifth = SECOND / 5;
        assert_eq!(cause(&[(fifth, 4 * fifth); 8], 0, 0), Cause::Scheduling, "all eight wait");
    }

    #[test]
    fn an_engine_that_keeps_itself_waiting_is_to_blame() {
        let quarter = SECOND / 4;
        assert_eq!(cause(&[(quarter, 3 * quarter); 8], 0, 0), Cause::Engine);
        assert_eq!(cause(&[(SECOND, 0)], SECOND / 2, 0), Cause::Engine);
    }

    #[test]
    fn a_virtual_machine_that_was_kept_from_running_is_no_fault_of_the_engines() {
        let judge = |stolen, spent| {
            let with = |ran, stolen: Nanos| {
                let mut sample = machine(&[(ran, 0)], 0, 0);
                sample.child.stolen = vec![(0, stolen), (1, 0)];
                sample
            };
            let (before, after) = (with(0, SECOND), with(spent, SECOND + stolen));
            ForfeitCause::judge(cpu_stats(&before, &after, spent, 0), SECOND, spent).cause
        };
        assert_eq!(judge(SECOND / 5, SECOND + SECOND / 10), Cause::Scheduling);
        assert_eq!(judge(SECOND / 5, 2 * SECOND), Cause::Engine, "late all the same");
        assert_eq!(judge(0, SECOND + 1), Cause::Engine, "nothing was taken");
    }

    #[test]
    fn what_lies_before_the_question_counts_for_nobody() {
        let after = machine(&[(9, 300)], 40, 0);
        let cpu_stats =
            cpu_stats(&CpuSample::default(), &CpuSample { listener: 0, ..after }, 1000, 60);
        assert_eq!(cpu_stats, CpuStats { cpu: 9, waited: 240, ..CpuStats::default() });
    }

    #[test]
    fn a_reading_serves_for_a_part_of_the_question() {
        let mut sampler = Sampler::new();
        assert_eq!(sampler.finish(Some(CpuSample::default()), Instant::now()), None);
        let mut reads = |age: Duration, patience: Option<Duration>| {
            sampler.start(PATIENCE, || Some(CpuSample::default()));
            sampler.base.as_mut().unwrap().at = Instant::now() - age;
            let mut is_read = false;
            sampler.start(patience, || {
                is_read = true;
                None
            });
            is_read
        };
        let (minute, hour) = (Duration::from_secs(60), Duration::from_secs(3600));
        assert!(!reads(Duration::ZERO, Some(hour)));
        assert!(reads(OLDEST, Some(hour)));
        assert!(reads(minute / PART, PATIENCE));
        assert!(!reads(minute, None), "it never ends");
    }

    #[test]
    fn another_threads_reading_does_not_serve() {
        let mut sampler = Sampler::new();
        sampler.start(PATIENCE, || Some(CpuSample::default()));
        let finish = move || sampler.finish(Some(CpuSample::default()), Instant::now());
        assert_eq!(thread::spawn(finish).join().unwrap(), None);
    }
}
