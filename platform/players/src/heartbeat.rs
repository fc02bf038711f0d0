//! Measures how long this process did not run at all, whatever stopped it: a signal, a debugger, a
//! frozen container.
//!
//! A thread of its own sleeps for a moment, again and again. If it wakes up much too late and did
//! not wait for a CPU meanwhile, the whole process stood still.

#[cfg(not(windows))]
use std::fs;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use tengen_arbiter::{ForfeitCause, Nanos};

/// How long the thread sleeps.
const BEAT: Duration = Duration::from_millis(25);
/// The longest wait until a process that was stopped has noticed it.
const NOTICE: Duration = Duration::from_secs(1);

static HEARTBEAT: OnceLock<Heartbeat> = OnceLock::new();

struct Heartbeat {
    origin: Instant,
    /// When the thread last woke up, in nanoseconds from the origin.
    last: AtomicU64,
    /// For how long the process stood still in all.
    stopped: AtomicU64,
    /// For how long the machine slept in all.
    slept: AtomicU64,
}

/// For how long the process has stood still since this was first asked.
pub fn stopped() -> Nanos {
    let heartbeat = heartbeat();
    heartbeat.settle();
    heartbeat.stopped.load(Ordering::SeqCst)
}

/// For how long the machine has slept since this was first asked.
pub(crate) fn slept() -> Nanos {
    heartbeat().slept.load(Ordering::SeqCst)
}

fn heartbeat() -> &'static Heartbeat {
    HEARTBEAT.get_or_init(|| {
        let heart = thread::Builder::new().name("heartbeat".to_owned());
        if let Err(error) = heart.spawn(beat) {
            log_less(&error);
        }
        let origin = Instant::now();
        let zero = || AtomicU64::new(0);
        Heartbeat { origin, last: zero(), stopped: zero(), slept: zero() }
    })
}

/// Without the thread nothing is noticed, and games are judged as if nothing had stopped.
fn log_less(error: &std::io::Error) {
    eprintln!("tengen: warning: cannot watch whether this program is stopped: {error}");
}

impl Heartbeat {
    fn now(&self) -> Nanos {
        Nanos::try_from(self.origin.elapsed().as_nanos()).unwrap_or(Nanos::MAX)
    }

    /// Waits until the thread has noticed a stop that has just ended: the caller may wake up before
    /// it.
    fn settle(&self) {
        let is_stale = || {
            let since = self.now().saturating_sub(self.last.load(Ordering::SeqCst));
            since > BEAT.as_nanos() as Nanos + ForfeitCause::SLEEP
        };
        // This is called twice for each move, so it reads the clock only if it has to.
        if !is_stale() {
            return;
        }
        let begun = Instant::now();
        while is_stale() && begun.elapsed() < NOTICE {
            thread::sleep(Duration::from_millis(1));
        }
    }
}

fn beat() {
    let heartbeat = HEARTBEAT.wait();
    let (mut woke, mut before) = (Instant::now(), BeatReading::now());
    loop {
        thread::sleep(BEAT);
        let (now, reading) = (Instant::now(), BeatReading::now());
        let still = stood_still(now - woke, &before, &reading);
        heartbeat.stopped.fetch_add(still, Ordering::SeqCst);
        let slept = slept_between(now - woke, &before, &reading);
        heartbeat.slept.fetch_add(slept, Ordering::SeqCst);
        heartbeat.last.store(heartbeat.now(), Ordering::SeqCst);
        (woke, before) = (now, reading);
    }
}

/// What the system tells of the thread and of the machine at a beat.
#[derive(Clone, Copy, Default)]
struct BeatReading {
    /// For how long the thread has waited for a CPU. Windows does not tell that: there, for how
    /// long CPUs were busy, which it may have waited for.
    waited: Nanos,
    /// How often it waited for a page that had to be read from a disk first.
    faults: u64,
    /// For how long the machine has been there, asleep or not, if that was read.
    uptime: Option<Nanos>,
}

impl BeatReading {
    /// Zero is what the system does not tell.
    #[cfg(windows)]
    fn now() -> BeatReading {
        BeatReading { waited: busy().unwrap_or(0), ..BeatReading::default() }
    }

    #[cfg(not(windows))]
    fn now() -> BeatReading {
        let read = |file: &str| fs::read_to_string(format!("/proc/{file}")).unwrap_or_default();
        let number = |text: &str, place: usize| {
            text.split_whitespace()
                .nth(place)
                .and_then(|word| word.parse::<u64>().ok())
                .unwrap_or(0)
        };
        let stat = read("thread-self/stat");
        // The name, in brackets, may be anything. `majflt` is the tenth word after it.
        let faults = stat.rsplit(')').next().map_or(0, |rest| number(rest, 9));
        let uptime = read("uptime");
        let seconds = uptime.split_whitespace().next().and_then(|word| word.parse::<f64>().ok());
        let waited = number(&read("thread-self/schedstat"), 1);
        BeatReading { waited, faults, uptime: seconds.map(|seconds| (seconds * 1e9) as Nanos) }
    }
}

/// For how long CPUs were busy since the machine was started, all of them together: one of them may
/// be the only one that this process may use.
#[cfg(windows)]
fn busy() -> Option<Nanos> {
    let (idle, kernel, user) = winsafe::GetSystemTimes().ok()?;
    let [idle, kernel, user] = [idle, kernel, user]
        .map(|time| u64::from(time.dwHighDateTime) << 32 | u64::from(time.dwLowDateTime));
    Some(busy_time(idle, kernel, user))
}

/// The same, by what the system counts in tenths of a microsecond: what the kernel used has the
/// idle time in it.
#[cfg(any(windows, test))]
fn busy_time(idle: u64, kernel: u64, user: u64) -> Nanos {
    const TICK: Nanos = 100;
    (kernel + user).saturating_sub(idle) * TICK
}

/// How long the process stood still during a beat that took so long. Waits of the thread for a CPU,
/// or for its own pages, do not count: engines that use the whole machine can cause both.
fn stood_still(beat: Duration, before: &BeatReading, after: &BeatReading) -> Nanos {
    let late = beat.saturating_sub(BEAT).as_nanos() as Nanos;
    let still = late.saturating_sub(after.waited.saturating_sub(before.waited));
    if still >= ForfeitCause::SLEEP && after.faults == before.faults { still } else { 0 }
}

/// How long the machine slept during a beat that took so long of its waking time.
fn slept_between(beat: Duration, before: &BeatReading, after: &BeatReading) -> Nanos {
    let uptimes = after.uptime.zip(before.uptime);
    let passed = uptimes.map_or(0, |(after, before)| after.saturating_sub(before));
    let slept = passed.saturating_sub(beat.as_nanos() as Nanos);
    if slept >= ForfeitCause::SLEEP { slept } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Nanos = 1_000_000_000;

    #[test]
    fn a_stop_is_told_from_a_wait_for_a_cpu() {
        let beat = |seconds| BEAT + Duration::from_secs(seconds);
        let stood_still = |beat, waited| {
            stood_still(
                beat,
                &BeatReading::default(),
                &BeatReading { waited, ..Default::default() },
            )
        };
        assert_eq!(stood_still(beat(0), 0), 0);
        assert_eq!(stood_still(beat(20), 0), 20 * SECOND);
        assert_eq!(stood_still(beat(20), 20 * SECOND), 0, "it was hungry");
        assert_eq!(stood_still(beat(20), SECOND), 19 * SECOND);
        assert_eq!(stood_still(BEAT + Duration::from_millis(99), 0), 0, "a late timer");
    }

    #[test]
    fn cpus_are_busy_for_what_the_kernel_and_programs_use() {
        assert_eq!(busy_time(70, 100, 20), 5_000);
        assert_eq!(busy_time(90, 80, 5), 0, "the three are not read at one moment");
    }

    #[cfg(windows)]
    #[test]
    fn a_thread_that_works_keeps_a_cpu_busy() {
        let (before, begun) = (BeatReading::now(), Instant::now());
        while begun.elapsed() < Duration::from_millis(200) {
            std::hint::spin_loop();
        }
        let busy = BeatReading::now().waited - before.waited;
        let cpus = thread::available_parallelism().unwrap().get() as u64;
        assert!((50_000_000..cpus * 60 * SECOND).contains(&busy), "{busy}");
    }

    #[test]
    fn a_wait_for_its_own_pages_is_no_stop() {
        let (before, beat) = (BeatReading::now(), BEAT + Duration::from_secs(2));
        assert_eq!(stood_still(beat, &before, &before), 2 * SECOND);
        let after = BeatReading { faults: before.faults + 1, ..before };
        assert_eq!(stood_still(beat, &before, &after), 0);
    }

    #[test]
    fn a_sleep_of_the_machine_is_what_no_clock_of_a_game_counts() {
        let reading = |uptime| BeatReading { uptime, ..BeatReading::default() };
        let before = reading(Some(50 * SECOND));
        let after = |span| reading(Some(50 * SECOND + span));
        assert_eq!(slept_between(BEAT, &before, &after(9 * SECOND)), 9 * SECOND - 25_000_000);
        assert_eq!(slept_between(BEAT, &before, &after(120_000_000)), 0, "hundredths");
        assert_eq!(slept_between(BEAT, &before, &before), 0);
        assert!(!cfg!(target_os = "linux") || BeatReading::now().uptime > Some(0));
        // One was not read.
        assert_eq!(slept_between(BEAT, &reading(None), &before), 0);
    }

    #[test]
    fn a_process_that_runs_has_not_stood_still_for_long() {
        let before = stopped();
        assert!(stopped() >= before, "it only grows");
        assert!(stopped() - before < 60 * SECOND, "the test was not stopped");
    }
}
