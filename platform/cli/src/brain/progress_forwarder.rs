//! Sends an engine's search progress to the manager.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use tengen_brain::ThinkerOutput;
use tengen_gomocup::{Coords, PvMove, SearchReport};
use tengen_lineup::lock;
use tengen_players::{Listener, SearchProgress};
use tengen_rules::{Move, Size};

/// The shortest time between two reports of a search at the same depth.
const INTERVAL: Duration = Duration::from_millis(250);

/// Passes on what an engine says while it thinks about one question.
#[derive(Debug)]
pub(super) struct ProgressForwarder {
    output: ThinkerOutput,
    size: Size,
    last: Mutex<LastProgress>,
}

#[derive(Debug, Default)]
struct LastProgress {
    depth: u32,
    at: Option<Instant>,
    /// The best line of play that the engine named last.
    pv: Vec<PvMove>,
}

impl ProgressForwarder {
    pub(super) fn new(output: ThinkerOutput, size: Size) -> ProgressForwarder {
        ProgressForwarder { output, size, last: Mutex::default() }
    }

    /// The best line of play that the engine named last.
    pub(super) fn best_line(&self) -> Vec<PvMove> {
        lock(&self.last).pv.clone()
    }

    fn pv(&self, moves: &[Move]) -> Vec<PvMove> {
        // The engine's word: a point off the board has no coordinates, and ends the line.
        let stones = moves.iter().map_while(|&mv| match mv {
            Move::Stone(point) if self.size.contains(point) => Some(Coords::of(point, self.size)),
            _ => None,
        });
        stones.map(PvMove::Coords).collect()
    }
}

impl Listener for ProgressForwarder {
    fn progress(&self, progress: SearchProgress) {
        if progress.line > 1 {
            return;
        }
        let pv = self.pv(&progress.pv);
        let mut last = lock(&self.last);
        if !pv.is_empty() {
            last.pv.clone_from(&pv);
        }
        let is_deeper = progress.info.depth > last.depth;
        if !is_deeper && last.at.is_some_and(|at| at.elapsed() < INTERVAL) {
            return;
        }
        (last.depth, last.at) = (last.depth.max(progress.info.depth), Some(Instant::now()));
        let time_ms = (progress.elapsed > 0).then_some(progress.elapsed / 1_000_000);
        self.output.report(SearchReport { info: progress.info, time_ms, pv });
    }

    fn message(&self, text: &str) {
        text.lines()
            .filter(|line| !line.trim().is_empty())
            .for_each(|line| self.output.debug(line));
    }
}
