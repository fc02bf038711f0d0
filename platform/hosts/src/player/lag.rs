//! How long the way to an engine and back takes.

use tengen_arbiter::Nanos;

/// What is longer than this says nothing of the next question.
const LONGEST: Nanos = 1_000_000_000;

/// How long the way to an engine and back takes: the longest of late, where each answer counts
/// less than the one after it.
#[derive(Default)]
pub(super) struct Lag(Nanos);

impl Lag {
    /// A question was answered.
    pub(super) fn note(&mut self, lag: Nanos) {
        self.0 = lag.min(LONGEST).max(self.0 / 4 * 3);
    }

    /// As it is sent to an engine.
    pub(super) fn micros(&self) -> i64 {
        (self.0 / 1000).cast_signed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_lag_is_forgotten_little_by_little() {
        let mut lag = Lag::default();
        assert_eq!(lag.micros(), 0);
        for (seen, told) in [(8_000_000, 8000), (100, 6000), (7_000_000, 7000), (100, 5250)] {
            lag.note(seen);
            assert_eq!(lag.micros(), told);
        }
        lag.note(60 * LONGEST);
        assert_eq!(lag.micros(), 1_000_000);
    }
}
