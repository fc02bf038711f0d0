use std::sync::atomic::{AtomicU64, Ordering};

use tengen_arbiter::Nanos;
use tengen_players::Time;

/// A clock that stands until it is advanced: tests of an hour take no time, and tests of a
/// nanosecond are exact.
#[derive(Debug, Default)]
pub struct VirtualTime {
    now: AtomicU64,
}

impl VirtualTime {
    pub const fn starting_at(now: Nanos) -> VirtualTime {
        VirtualTime { now: AtomicU64::new(now) }
    }

    pub fn advance(&self, by: Nanos) {
        self.now.fetch_add(by, Ordering::Relaxed);
    }
}

impl Time for VirtualTime {
    fn now(&self) -> Nanos {
        self.now.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_passes_only_when_told() {
        let time = VirtualTime::starting_at(5);
        assert_eq!(time.now(), 5);
        time.advance(3);
        assert_eq!(time.now(), 8);
    }
}
