//! Where the time of a question went: the engine's own work, a busy machine, or a suspended one.

use std::sync::Arc;
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use tengen_arbiter::{Correction, CpuStats, ForfeitCause, Nanos};

use super::contention::Contention;
use crate::platform::{self, SchedStats, ThreadStats};

/// A question may use a sample from before it that is no older than this part of its time. One
/// takes some tens of system calls, and an engine that answers at once is asked every five
/// microseconds.
const PART: u32 = 64;
/// But no older than that.
const OLDEST: Duration = Duration::from_millis(50);

/// An answer that took this long is worth a look at the scheduler's account, which takes some tens
/// of system calls: less than a hundredth of it.
pub(super) const WORTH_A_LOOK: Duration = Duration::from_millis(10);

/// A reading may be so much later than the moment that it is of, in nanoseconds.
const TICK: Nanos = 10_000_000;

/// How long something is watched to find out whether it runs now.
const WATCHED: Duration = Duration::from_millis(2);

/// What the system reports at one moment.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct CpuSample {
    /// Of the process.
    pub child: SchedStats,
    /// For how long the thread that listens to it has waited for a CPU.
    pub listener: Nanos,
    /// For how long this process has been kept from running, whatever stopped it.
    pub stopped: Nanos,
    /// For how long the machine has slept.
    pub slept: Nanos,
}

impl CpuSample {
    /// The sample with that account of the process, for the thread that waits for it.
    pub(crate) fn with(child: Option<SchedStats>) -> Option<CpuSample> {
        CpuSample::of(child, platform::own_thread()?)
    }

    /// The same for a thread of this process.
    fn of(child: Option<SchedStats>, listener: u32) -> Option<CpuSample> {
        let (child, listener) = (child?, platform::thread_wait(listener)?);
        let stopped = tengen_players::stopped();
        Some(CpuSample { child, listener, stopped, slept: platform::slept() })
    }
}

/// Finds out where the time of a question went.
pub(crate) struct Sampler {
    base: Option<Arc<BaseSample>>,
    /// When the question began.
    started: Instant,
    /// The most threads that the engine may use.
    threads: Option<u32>,
}

/// What the system reported before a question: what is lost since is counted from there.
#[derive(Debug)]
pub(crate) struct BaseSample {
    reading: CpuSample,
    at: Instant,
    /// The thread whose waits it has, and its number in the system.
    listener: ThreadId,
    thread: u32,
    /// The most threads that the engine may use.
    threads: Option<u32>,
}

impl Sampler {
    /// For an engine that may use so many threads.
    pub(crate) fn new(threads: Option<u32>) -> Sampler {
        Sampler { base: None, started: Instant::now(), threads }
    }

    /// Another process starts.
    pub(crate) fn reset(&mut self) {
        self.base = None;
    }

    /// A question begins that is given up after `patience`. `read` is called unless there is a
    /// sample that will do; a new one is given.
    pub(crate) fn start(
        &mut self,
        patience: Option<Duration>,
        read: impl FnOnce() -> Option<CpuSample>,
    ) -> Option<Arc<BaseSample>> {
        // The time of the others is not asked for.
        let patience = patience?;
        let (now, listener) = (Instant::now(), thread::current().id());
        self.started = now;
        let oldest = (patience / PART).min(OLDEST);
        let serves = |base: &Arc<BaseSample>| base.listener == listener && now - base.at < oldest;
        if self.base.as_ref().is_some_and(serves) {
            return None;
        }
        let (thread, threads) = (platform::own_thread().unwrap_or(0), self.threads);
        let new = |reading| BaseSample { reading, at: now, listener, thread, threads };
        self.base = read().map(|reading| Arc::new(new(reading)));
        self.base.clone()
    }

    /// The sample from before the question.
    pub(super) fn base(&self) -> Option<Arc<BaseSample>> {
        self.base.clone()
    }

    /// The question was over at that moment. `after` is a sample of then.
    pub(crate) fn finish(&self, after: Option<CpuSample>, at: Instant) -> Option<CpuStats> {
        Some(self.own_base()?.cpu_stats(&after?, self.started, at))
    }

    /// The question was answered after so long. Gives what of that is given back, and where the
    /// time went if it was too long. It was seen to wait so much while the question was open.
    /// `look` reads the engine's account, now and then a thorough one.
    pub(crate) fn answered(
        &self,
        spent: Nanos,
        patience: Option<Nanos>,
        seen_waiting: Nanos,
        look: impl Fn(bool) -> Option<SchedStats>,
    ) -> (Nanos, Option<CpuStats>) {
        let Some(patience) = patience else { return (0, None) };
        let is_late = spent >= patience;
        // What is not given back is no more than a small part of what is left, however often.
        let worth = (WORTH_A_LOOK.as_nanos() as Nanos).min(patience / Nanos::from(PART));
        if spent < worth {
            return (0, None);
        }
        let finish = |is_thorough| {
            let mut stats = self.finish(CpuSample::with(look(is_thorough)), Instant::now())?;
            // Reading the accounts takes time before and after the question. A wait in that time is
            // not reported, since the reader may have caused it; a wait that was seen before the
            // answer came is.
            let beside = (self.started.elapsed().as_nanos() as Nanos).saturating_sub(spent);
            stats.waited = stats.waited.saturating_sub(beside).max(seen_waiting);
            Some(stats)
        };
        // On a quiet machine that is all.
        let mut stats = finish(false);
        if is_late || given_back(stats) > 0 {
            stats = finish(true);
        }
        (given_back(stats).min(spent), stats.filter(|_| is_late))
    }

    /// How many threads worked most of the question, those included that had to wait for a CPU;
    /// `after` is a sample of when it was over. Of threads that are gone only their CPU time tells.
    pub(crate) fn working(&self, after: Option<CpuSample>, at: Instant) -> Option<usize> {
        let base = self.own_base()?;
        let lasted = at.saturating_duration_since(base.at).as_nanos() as Nanos;
        Some(working(&base.reading.child, &after?.child, lasted))
    }

    /// The sample from before the question, if this thread is the one that waits for the answer.
    fn own_base(&self) -> Option<&BaseSample> {
        self.base.as_deref().filter(|base| base.listener == thread::current().id())
    }
}

impl BaseSample {
    /// What has become of a question since, which began at `started`; `child` is the account of the
    /// process now. Any thread may ask.
    pub(crate) fn until_now(
        &self,
        child: Option<SchedStats>,
        started: Instant,
    ) -> Option<CpuStats> {
        let after = CpuSample::of(child, self.thread)?;
        Some(self.cpu_stats(&after, started, Instant::now()))
    }

    /// Whether the thread that waits for the answer could run and does not get to it.
    pub(crate) fn is_listener_queued(&self) -> bool {
        is_queued(
            || platform::is_thread_runnable(self.thread),
            || platform::thread_cpu_time(self.thread),
        )
    }

    /// The account of that thread, for an engine that runs on it.
    pub(crate) fn thread_stats(&self) -> Option<SchedStats> {
        platform::thread_stats(self.thread)
    }

    /// What lies between two readings. The first is older than the question, and whatever waiting
    /// there may have been in that time is not counted.
    fn cpu_stats(&self, after: &CpuSample, started: Instant, at: Instant) -> CpuStats {
        let age = started.saturating_duration_since(self.at).as_nanos() as Nanos;
        let lasted = at.saturating_duration_since(self.at).as_nanos() as Nanos;
        cpu_stats(&self.reading, after, Span { lasted, age, threads: self.threads })
    }
}

/// What is given back of a question with these figures.
pub(crate) fn given_back(stats: Option<CpuStats>) -> Nanos {
    stats.map_or(0, |stats| Correction::of_wait(stats.waited).given_back)
}

/// Whether something could run, and does not: it is watched for a moment.
pub(crate) fn is_queued(
    is_runnable: impl Fn() -> bool,
    cpu_time: impl Fn() -> Option<Nanos>,
) -> bool {
    let (since, before) = (Instant::now(), cpu_time());
    if !is_runnable() {
        return false;
    }
    thread::sleep(WATCHED);
    let ran = cpu_time().zip(before).map(|(now, then)| now.saturating_sub(then));
    ran.is_some_and(|ran| u128::from(ran) < since.elapsed().as_nanos() / 2)
}

fn working(before: &SchedStats, after: &SchedStats, lasted: Nanos) -> usize {
    let threads = after.threads_since(before);
    let seen = threads.iter().filter(|thread| thread.ran + thread.waited > lasted / 2).count();
    // Half a CPU is left for what an answer takes beside its search.
    let filled = (after.cpu_since(before) + lasted / 2) / lasted.max(1);
    seen.max(filled as usize)
}

/// What is known of the time between two readings.
#[derive(Clone, Copy)]
struct Span {
    /// How long it was.
    lasted: Nanos,
    /// How much of it was before the question.
    age: Nanos,
    /// The most threads that the engine may use.
    threads: Option<u32>,
}

/// What lies between two readings.
fn cpu_stats(before: &CpuSample, after: &CpuSample, span: Span) -> CpuStats {
    let threads = after.child.threads_since(&before.child);
    // What is longer than all that went by is from before.
    let plausible = |thread: &ThreadStats| match thread.ran + thread.waited <= span.lasted + TICK {
        true => thread.waited,
        false => 0,
    };
    // On a quiet machine more threads than it may use would have won it nothing.
    let ceiling = span.threads.map_or(u32::MAX, |threads| threads.max(1));
    let contention = Contention {
        lasted: span.lasted,
        cpus: after.child.cpus.min(ceiling),
        cpu: after.child.cpu_since(&before.child),
        threads: threads.iter().map(|thread| (thread.ran, plausible(thread))).collect(),
        stalled: after.child.stalled_since(&before.child),
        // Where it was stopped, the listener was kept waiting too.
        listener: (after.listener.saturating_sub(before.listener))
            .saturating_add(after.stopped.saturating_sub(before.stopped)),
        stolen: after.child.stolen_since(&before.child),
    };
    let slept = after.slept.saturating_sub(before.slept);
    let asleep = contention.asleep().saturating_sub(span.age);
    CpuStats {
        cpu: contention.cpu,
        waited: contention.waited().saturating_sub(span.age),
        asleep,
        suspended: if slept >= ForfeitCause::SLEEP { slept } else { 0 },
        halted: after.child.halted,
        // One that has just come to wait may have answered a moment too late.
        reading: after.child.reading && asleep >= ForfeitCause::SLEEP,
        short: false,
    }
}

#[cfg(test)]
mod tests {
    use tengen_arbiter::Cause;

    use super::*;
    use crate::platform::ProcessStats;

    const SECOND: Nanos = 1_000_000_000;
    const PATIENCE: Option<Duration> = Some(Duration::from_secs(1));

    /// A machine of two CPUs on which the threads of a child ran and waited for so long, this
    /// thread waited, and everything slept.
    fn machine(threads: &[(Nanos, Nanos)], listener: Nanos, slept: Nanos) -> CpuSample {
        let cpu = threads.iter().map(|&(ran, _)| ran).sum();
        let threads = threads.iter().zip(1..);
        let threads = threads
            .map(|(&(ran, waited), id)| ThreadStats { id, process: 1, ran, waited })
            .collect();
        let processes = vec![ProcessStats { id: 1, cpu }];
        let child = SchedStats { processes, threads, cpus: 2, ..SchedStats::default() };
        CpuSample { child, listener, stopped: 0, slept }
    }

    fn lasting(lasted: Nanos) -> Span {
        Span { lasted, age: 0, threads: None }
    }

    /// The cause that is found when a question of one second ran out; none where what was waited
    /// is given back.
    fn cause(threads: &[(Nanos, Nanos)], listener: Nanos, slept: Nanos) -> Option<Cause> {
        let before: Vec<_> = threads.iter().map(|_| (5, 6)).collect();
        let after: Vec<_> = threads.iter().map(|&(ran, wait)| (ran + 5, wait + 6)).collect();
        let (before, after) = (machine(&before, 7, 8), machine(&after, listener + 7, slept + 8));
        judge(cpu_stats(&before, &after, lasting(SECOND)), SECOND + 1)
    }

    fn judge(stats: CpuStats, spent: Nanos) -> Option<Cause> {
        let charged = Correction::of_wait(stats.waited).charge(spent);
        (charged > SECOND).then(|| ForfeitCause::judge(stats, SECOND).cause)
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
        assert_eq!(cause(&[(SECOND, 0)], 0, 0), Some(Cause::Engine), "it computes");
        assert_eq!(cause(&[(0, 0)], 0, 0), Some(Cause::Engine), "it sleeps");
        let half = SECOND / 2;
        assert_eq!(cause(&[(half, half)], 0, 0), None, "it waits");
        assert_eq!(cause(&[(half, 0)], half, 0), None, "we wait");
        assert_eq!(cause(&[(half, 0)], 0, SECOND), Some(Cause::Suspend), "no process runs");
    }

    #[test]
    fn the_first_thread_is_as_good_as_any() {
        let half = SECOND / 2;
        assert_eq!(cause(&[(0, 0), (half, half)], 0, 0), None, "another waits");
        assert_eq!(cause(&[(0, 0), (SECOND, 0)], 0, 0), Some(Cause::Engine), "another computes");
        assert_eq!(cause(&[(half, half); 2], 0, 0), None, "both wait");
        let fifth = SECOND / 5;
        assert_eq!(cause(&[(fifth, 4 * fifth); 8], 0, 0), None, "all eight wait");
    }

    #[test]
    fn an_engine_that_keeps_itself_waiting_is_to_blame() {
        let quarter = SECOND / 4;
        assert_eq!(cause(&[(quarter, 3 * quarter); 8], 0, 0), Some(Cause::Engine));
        assert_eq!(cause(&[(SECOND, 0)], SECOND / 2, 0), Some(Cause::Engine));
    }

    #[test]
    fn more_threads_than_were_allowed_win_nothing() {
        let half = SECOND / 2;
        let after = machine(&[(half, half); 2], 0, 0);
        let waited = |threads| {
            let span = Span { threads, ..lasting(SECOND) };
            cpu_stats(&machine(&[(0, 0); 2], 0, 0), &after, span).waited
        };
        assert_eq!((waited(None), waited(Some(2)), waited(Some(1))), (half, half, 0));
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
            judge(cpu_stats(&before, &after, lasting(spent)), spent)
        };
        assert_eq!(judge(SECOND / 5, SECOND + SECOND / 10), None);
        assert_eq!(judge(SECOND / 5, 2 * SECOND), Some(Cause::Engine), "late all the same");
        assert_eq!(judge(0, SECOND + 1), Some(Cause::Engine), "nothing was taken");
    }

    #[test]
    fn what_lies_before_the_question_is_not_counted() {
        let after = CpuSample { listener: 0, ..machine(&[(9, 300)], 40, 0) };
        let span = Span { age: 60, ..lasting(1000) };
        let found = cpu_stats(&CpuSample::default(), &after, span);
        // The rest of it slept.
        let expected = CpuStats { cpu: 9, waited: 240, asleep: 631, ..CpuStats::default() };
        assert_eq!(found, expected);
    }

    #[test]
    fn a_reading_serves_for_a_part_of_the_question() {
        let mut sampler = Sampler::new(None);
        assert_eq!(sampler.finish(Some(CpuSample::default()), Instant::now()), None);
        let mut reads = |age: Duration, patience: Option<Duration>| {
            sampler.start(PATIENCE, || Some(CpuSample::default()));
            let base = sampler.base.as_mut().and_then(Arc::get_mut);
            base.expect("it is not shared").at = Instant::now() - age;
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
        let mut sampler = Sampler::new(None);
        sampler.start(PATIENCE, || Some(CpuSample::default()));
        let finish = move || sampler.finish(Some(CpuSample::default()), Instant::now());
        assert_eq!(thread::spawn(finish).join().unwrap(), None);
    }
}
