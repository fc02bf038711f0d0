//! Analyses every position of a line.

use tengen_arbiter::Nanos;

use super::AnalysisSession;

/// An analysis of every position of a line, from its end to its beginning, so that the engine knows
/// what comes later when it sees what led to it.
pub(super) struct FullAnalysis {
    /// After how many plies the engine thinks now.
    at: usize,
    /// Since when; none while the engine starts.
    since: Option<Nanos>,
}

impl AnalysisSession {
    /// How long the engine thinks about each position.
    pub const TIME_PER_MOVE: Nanos = 2_000_000_000;
    /// How often to check whether the engine is ready.
    const READY_POLL: Nanos = 100_000_000;

    /// Whether an engine analyses every move of the line shown.
    pub fn is_analysing_all(&self) -> bool {
        self.full_analysis.is_some()
    }

    /// The time until the next position.
    pub fn next_step_in(&self) -> Option<Nanos> {
        let due =
            |since: Nanos| (since + AnalysisSession::TIME_PER_MOVE).saturating_sub(self.time.now());
        self.full_analysis
            .as_ref()
            .map(|full_analysis| full_analysis.since.map_or(AnalysisSession::READY_POLL, due))
    }

    /// Starts at the end of the line, or stops. Returns how many plies to show.
    pub(super) fn toggle_full_analysis(&mut self, plies: usize) -> usize {
        if self.full_analysis.take().is_some() || self.status().engine.is_none() {
            return plies;
        }
        let at = self.snapshot.rows.len();
        self.full_analysis = Some(FullAnalysis { at, since: None });
        at
    }

    /// Moves on to the next position when it is time, and returns how many plies to show. Stops at
    /// the beginning, and when the user looks at another position.
    pub(in crate::app) fn advance(&mut self, plies: usize) -> Option<usize> {
        let (now, has_started) = (self.time.now(), self.has_started(plies));
        let full_analysis = self.full_analysis.as_mut()?;
        if full_analysis.at != plies || full_analysis.at <= self.set_up.len() {
            self.full_analysis = None;
            return None;
        }
        if full_analysis.since.is_none() && has_started {
            full_analysis.since = Some(now);
        }
        if full_analysis.since.is_none_or(|since| now < since + AnalysisSession::TIME_PER_MOVE) {
            return None;
        }
        (full_analysis.at, full_analysis.since) = (full_analysis.at - 1, None);
        Some(full_analysis.at)
    }

    /// Whether the engine thinks about the position, has done so, or never will.
    fn has_started(&self, plies: usize) -> bool {
        let output = self.output();
        output.is_thinking()
            || !output.lines(plies).is_empty()
            || self.status().problem.is_some()
            || AnalysisSession::question(&self.snapshot, plies).is_none()
    }
}
