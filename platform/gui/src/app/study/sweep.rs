use tengen_arbiter::Nanos;

use super::Study;

/// A way through the line shown, from its end to its beginning: what comes later is known when an
/// engine looks at what led to it.
pub(super) struct Sweep {
    /// After how many plies the engine thinks now.
    at: usize,
    /// Since when; none while the engine is made ready.
    since: Option<Nanos>,
}

impl Study {
    /// How long an engine thinks about each position of a line that it goes through.
    pub const SWEEP: Nanos = 2_000_000_000;
    /// How often it is looked whether an engine is ready.
    const GLANCE: Nanos = 100_000_000;

    /// Whether an engine goes through the line shown.
    pub fn sweeps(&self) -> bool {
        self.sweep.is_some()
    }

    /// After how long it goes to the next position.
    pub fn sweeps_in(&self) -> Option<Nanos> {
        let due = |since: Nanos| (since + Study::SWEEP).saturating_sub(self.time.now());
        self.sweep.as_ref().map(|sweep| sweep.since.map_or(Study::GLANCE, due))
    }

    /// Begins at the end of the line, or stops. Returns how many plies are shown then.
    pub(super) fn toggle_sweep(&mut self, plies: usize) -> usize {
        if self.sweep.take().is_some() || self.advising().engine.is_none() {
            return plies;
        }
        let at = self.snapshot.rows.len();
        self.sweep = Some(Sweep { at, since: None });
        at
    }

    /// Goes on when it is time, and says how many plies are shown then. It stops at the beginning,
    /// and when another position is looked at.
    pub(in crate::app) fn go_on(&mut self, plies: usize) -> Option<usize> {
        let (now, is_heard) = (self.time.now(), self.is_heard(plies));
        let sweep = self.sweep.as_mut()?;
        if sweep.at != plies || sweep.at <= self.set_up.len() {
            self.sweep = None;
            return None;
        }
        if sweep.since.is_none() && is_heard {
            sweep.since = Some(now);
        }
        if sweep.since.is_none_or(|since| now < since + Study::SWEEP) {
            return None;
        }
        (sweep.at, sweep.since) = (sweep.at - 1, None);
        Some(sweep.at)
    }

    /// Whether the engine thinks about a position or has done so, or never will.
    fn is_heard(&self, plies: usize) -> bool {
        let live = self.live();
        live.thinks()
            || !live.lines(plies).is_empty()
            || self.advising().problem.is_some()
            || Study::question(&self.snapshot, plies).is_none()
    }
}
