//! The pings of one connection, and how long their answers take.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// When the last ping was sent that is not answered yet.
pub(super) struct Pings {
    began: Instant,
    /// In nanoseconds since then.
    sent: AtomicU64,
    /// Whether the client wants to hear that the server is there.
    pub has_beats: AtomicBool,
}

/// What `sent` is where no ping waits for its answer.
const NO_PING: u64 = u64::MAX;

impl Pings {
    pub fn new() -> Pings {
        let (sent, has_beats) = (AtomicU64::new(NO_PING), AtomicBool::new(false));
        Pings { began: Instant::now(), sent, has_beats }
    }

    pub fn next(&self) -> [u8; 8] {
        let nanos = u64::try_from(self.began.elapsed().as_nanos()).unwrap_or(NO_PING);
        self.sent.store(nanos, Ordering::SeqCst);
        nanos.to_le_bytes()
    }

    /// How long the way there and back takes, in milliseconds, by the answer to the last ping,
    /// which was read at that moment. Any other payload, and the same one again, says nothing.
    pub fn lag(&self, payload: &[u8], at: Instant) -> Option<u64> {
        let sent = u64::from_le_bytes(payload.try_into().ok()?);
        if sent == NO_PING {
            return None;
        }
        let taken = self.sent.compare_exchange(sent, NO_PING, Ordering::SeqCst, Ordering::SeqCst);
        taken.ok()?;
        let lag = at.checked_duration_since(self.began)?.checked_sub(Duration::from_nanos(sent))?;
        Some(u64::try_from(lag.as_millis()).unwrap_or(u64::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_answer_to_the_last_ping_says_the_lag_and_only_once() {
        let pings = Pings::new();
        assert_eq!(pings.lag(&NO_PING.to_le_bytes(), Instant::now()), None);
        assert_eq!(pings.lag(&0_u64.to_le_bytes(), Instant::now()), None);
        let old = pings.next();
        let last = loop {
            let next = pings.next();
            if next != old {
                break next;
            }
        };
        assert_eq!(pings.lag(&old, Instant::now()), None);
        assert_eq!(pings.lag(&last[..7], Instant::now()), None);
        assert!(pings.lag(&last, Instant::now()).is_some());
        assert_eq!(pings.lag(&last, Instant::now()), None);
    }
}
