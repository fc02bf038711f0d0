use tengen_arbiter::Nanos;

use super::Study;

/// A way through the line shown, from its end to its beginning: what comes later is known when an
/// engine looks at what led to it.
pub(super) struct Sweep {
    /// After how many plies the engine thinks now.
    at: usize,
    /// When it goes one ply back.
    due: Nanos,
}

impl Study {
    /// How long an engine thinks about each position of a line that it goes through.
    pub const SWEEP: Nanos = 2_000_000_000;

    /// Whether an engine goes through the line shown.
    pub fn sweeps(&self) -> bool {
        self.sweep.is_some()
    }

    /// After how long it goes to the next position.
    pub fn sweeps_in(&self) -> Option<Nanos> {
        self.sweep.as_ref().map(|sweep| sweep.due.saturating_sub(self.time.now()))
    }

    /// Begins at the end of the line, or stops. Returns how many plies are shown then.
    pub(super) fn toggle_sweep(&mut self, plies: usize) -> usize {
        if self.sweep.take().is_some() || self.advising().engine.is_none() {
            return plies;
        }
        let at = self.snapshot.rows.len();
        self.sweep = Some(Sweep { at, due: self.time.now() + Study::SWEEP });
        at
    }

    /// Goes on when it is time, and says how many plies are shown then. It stops at the beginning,
    /// and when another position is looked at.
    pub(in crate::app) fn go_on(&mut self, plies: usize) -> Option<usize> {
        let now = self.time.now();
        let sweep = self.sweep.as_mut()?;
        if sweep.at != plies || sweep.at <= self.set_up.len() {
            self.sweep = None;
            return None;
        }
        if now < sweep.due {
            return None;
        }
        (sweep.at, sweep.due) = (sweep.at - 1, now + Study::SWEEP);
        Some(sweep.at)
    }
}
