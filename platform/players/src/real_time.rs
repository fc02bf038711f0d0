use std::time::{Instant, SystemTime, UNIX_EPOCH};

use tengen_arbiter::Nanos;

use crate::{Time, heartbeat};

/// The machine's monotonic clock, counted from when this value was made.
#[derive(Clone, Copy, Debug)]
pub struct RealTime {
    origin: Instant,
}

impl RealTime {
    /// A clock that begins at 0 now.
    pub fn new() -> RealTime {
        RealTime { origin: Instant::now() }
    }
}

impl Default for RealTime {
    fn default() -> RealTime {
        RealTime::new()
    }
}

impl Time for RealTime {
    fn now(&self) -> Nanos {
        // The number holds 584 years; after that the clock would stand still.
        Nanos::try_from(self.origin.elapsed().as_nanos()).unwrap_or(Nanos::MAX)
    }

    fn stopped(&self) -> Nanos {
        heartbeat::stopped()
    }

    fn slept(&self) -> Nanos {
        heartbeat::slept()
    }

    fn date(&self) -> Option<u64> {
        SystemTime::now().duration_since(UNIX_EPOCH).ok().map(|since| since.as_secs())
    }
}
