//! How often something may be done.

use std::time::{Duration, Instant};

/// The rounding error of sums of fractions.
const ROUNDING: f64 = 1e-6;

/// So many at once, and so many more each second.
#[derive(Debug)]
pub(super) struct RateLimiter {
    burst: f64,
    per_second: f64,
    tokens: f64,
    filled: Instant,
}

impl RateLimiter {
    pub fn new(burst: f64, per_second: f64) -> RateLimiter {
        RateLimiter { burst, per_second, tokens: burst, filled: Instant::now() }
    }

    /// Whether it may be done once more now.
    pub fn allows(&mut self, now: Instant) -> bool {
        self.take(now).is_ok()
    }

    /// Whether nothing of the burst is used, as if it were new.
    pub fn is_full(&self, now: Instant) -> bool {
        let more = now.saturating_duration_since(self.filled).as_secs_f64() * self.per_second;
        self.tokens + more >= self.burst
    }

    /// How long it has to wait before it may be done once more.
    pub fn wait(&self, now: Instant) -> Duration {
        let more = now.saturating_duration_since(self.filled).as_secs_f64() * self.per_second;
        let lacks = 1.0 - (self.tokens + more).min(self.burst);
        if lacks > ROUNDING {
            Duration::from_secs_f64(lacks / self.per_second)
        } else {
            Duration::ZERO
        }
    }

    /// Does it once more, or says how long that has to wait.
    pub fn take(&mut self, now: Instant) -> Result<(), Duration> {
        let more = now.saturating_duration_since(self.filled).as_secs_f64() * self.per_second;
        (self.tokens, self.filled) = ((self.tokens + more).min(self.burst), now);
        if self.tokens < 1.0 - ROUNDING {
            return Err(Duration::from_secs_f64((1.0 - self.tokens) / self.per_second));
        }
        self.tokens = (self.tokens - 1.0).max(0.0);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_is_allowed_and_then_so_many_a_second() {
        let mut rate = RateLimiter::new(3.0, 2.0);
        let now = Instant::now();
        assert_eq!((0..9).filter(|_| rate.allows(now)).count(), 3);
        let later = now + Duration::from_secs(1);
        assert_eq!((0..9).filter(|_| rate.allows(later)).count(), 2);
    }
}
