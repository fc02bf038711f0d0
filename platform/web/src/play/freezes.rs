//! Spans in which the server stood still: its process was stopped, or its machine asleep. They are
//! charged to no player.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tengen_arbiter::Nanos;

/// How often the server notes that it runs, and after how long it was not running.
pub(super) const LOOK: Duration = Duration::from_millis(250);
const STILL: Nanos = 1_000_000_000;

/// How long the server stood still, in all.
#[derive(Debug, Default)]
pub(super) struct Freezes {
    /// When it was last known to run.
    seen: AtomicU64,
    total: AtomicU64,
}

impl Freezes {
    /// Notes that the server runs now; gives how long it has stood still since it was started.
    pub fn note(&self, now: Nanos) -> Nanos {
        let seen = self.seen.fetch_max(now, Ordering::SeqCst);
        let gap = now.saturating_sub(seen);
        if seen == 0 || gap < STILL {
            return self.total.load(Ordering::SeqCst);
        }
        let seconds = gap as f64 / 1e9;
        log::warn!("the server stood still for {seconds:.1} s; no player is charged for that");
        self.total.fetch_add(gap, Ordering::SeqCst).saturating_add(gap)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_long_gaps_count_and_each_once() {
        let (freezes, second) = (Freezes::default(), 1_000_000_000);
        assert_eq!(freezes.note(70 * second), 0, "that was before it was started");
        assert_eq!(freezes.note(70 * second + second / 4), 0);
        assert_eq!(freezes.note(75 * second + second / 4), 5 * second);
        assert_eq!(freezes.note(75 * second + second / 4), 5 * second);
        // One that looked at the clock earlier.
        assert_eq!(freezes.note(71 * second), 5 * second);
        assert_eq!(freezes.note(77 * second + second / 4), 7 * second);
    }
}
