//! How long this process did not run at all, whoever stopped it: a signal, a debugger, a frozen
//! container.
//!
//! A thread of its own sleeps for a moment again and again. Where it wakes up much later than it
//! should, and did not wait for a CPU meanwhile, the whole process stood still.

use std::fs;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use tengen_arbiter::{ForfeitCause, Nanos};

/// How long the thread sleeps.
const BEAT: Duration = Duration::from_millis(25);
/// A process that was stopped is waited for no longer than this until it has noticed.
const NOTICE: Duration = Duration::from_secs(1);

static HEARTBEAT: OnceLock<Heartbeat> = OnceLock::new();

struct Heartbeat {
    origin: Instant,
    /// When the thread last woke up, in nanoseconds from the origin.
    last: AtomicU64,
    /// For how long the process stood still in all.
    stopped: AtomicU64,
}

/// For how long the process has stood still since this was first asked.
pub(crate) fn stopped() -> Nanos {
    let heartbeat = HEARTBEAT.get_or_init(|| {
        let heart = thread::Builder::new().name("heartbeat".to_owned());
        if let Err(error) = heart.spawn(beat) {
            log_less(&error);
        }
        let origin = Instant::now();
        Heartbeat { origin, last: AtomicU64::new(0), stopped: AtomicU64::new(0) }
    });
    heartbeat.settle();
    heartbeat.stopped.load(Ordering::SeqCst)
}

/// Without the thread nothing is noticed, and games are judged as if nothing had stopped.
fn log_less(error: &std::io::Error) {
    eprintln!("tengen: warning: cannot watch whether this program is stopped: {error}");
}

impl Heartbeat {
    fn now(&self) -> Nanos {
        Nanos::try_from(self.origin.elapsed().as_nanos()).unwrap_or(Nanos::MAX)
    }

    /// Waits until the thread has noticed a stop that has just ended: whoever wakes up first after
    /// one may be who asks.
    fn settle(&self) {
        let is_stale = || {
            let since = self.now().saturating_sub(self.last.load(Ordering::SeqCst));
            since > BEAT.as_nanos() as Nanos + ForfeitCause::SLEEP
        };
        // Asked twice for each move, so that the clock is read no more than it has to be.
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
    let (mut woke, mut waited) = (Instant::now(), own_wait());
    loop {
        thread::sleep(BEAT);
        let (now, wait) = (Instant::now(), own_wait());
        let still = stood_still(now - woke, wait.saturating_sub(waited));
        heartbeat.stopped.fetch_add(still, Ordering::SeqCst);
        heartbeat.last.store(heartbeat.now(), Ordering::SeqCst);
        (woke, waited) = (now, wait);
    }
}

/// How long the process stood still, where a beat took so long and the thread waited so long for a
/// CPU.
fn stood_still(beat: Duration, waited: Nanos) -> Nanos {
    let late = beat.saturating_sub(BEAT).as_nanos() as Nanos;
    let still = late.saturating_sub(waited);
    if still >= ForfeitCause::SLEEP { still } else { 0 }
}

/// For how long the calling thread has waited for a CPU; 0 where the system does not tell.
fn own_wait() -> Nanos {
    let text = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split_whitespace().nth(1).and_then(|waited| waited.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Nanos = 1_000_000_000;

    #[test]
    fn a_stop_is_told_from_a_wait_for_a_cpu() {
        let beat = |seconds| BEAT + Duration::from_secs(seconds);
        assert_eq!(stood_still(beat(0), 0), 0);
        assert_eq!(stood_still(beat(20), 0), 20 * SECOND);
        assert_eq!(stood_still(beat(20), 20 * SECOND), 0, "it was hungry");
        assert_eq!(stood_still(beat(20), SECOND), 19 * SECOND);
        assert_eq!(stood_still(BEAT + Duration::from_millis(99), 0), 0, "a late timer");
    }

    #[test]
    fn a_process_that_runs_has_not_stood_still_for_long() {
        let before = stopped();
        assert!(stopped() >= before, "it only grows");
        assert!(stopped() - before < 60 * SECOND, "the test was not stopped");
    }
}
