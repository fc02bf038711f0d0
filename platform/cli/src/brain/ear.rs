use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use tengen_brain::Voice;
use tengen_gomocup::{Coords, PvMove, SearchReport};
use tengen_players::{Listener, Progress};
use tengen_rules::{Move, Size};

/// How often a manager is told of a search that has not become deeper.
const INTERVAL: Duration = Duration::from_millis(250);

/// Passes on what an engine says while it thinks about one question.
#[derive(Debug)]
pub(super) struct Ear {
    voice: Voice,
    size: Size,
    told: Mutex<Told>,
}

#[derive(Debug, Default)]
struct Told {
    depth: u32,
    at: Option<Instant>,
    /// The best line of play that the engine named last.
    pv: Vec<PvMove>,
}

impl Ear {
    pub(super) fn new(voice: Voice, size: Size) -> Ear {
        Ear { voice, size, told: Mutex::default() }
    }

    /// The best line of play that the engine named last.
    pub(super) fn best_line(&self) -> Vec<PvMove> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner).pv.clone()
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

impl Listener for Ear {
    fn progress(&self, progress: Progress) {
        if progress.line > 1 {
            return;
        }
        let pv = self.pv(&progress.pv);
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if !pv.is_empty() {
            told.pv.clone_from(&pv);
        }
        let is_deeper = progress.info.depth > told.depth;
        if !is_deeper && told.at.is_some_and(|at| at.elapsed() < INTERVAL) {
            return;
        }
        (told.depth, told.at) = (told.depth.max(progress.info.depth), Some(Instant::now()));
        let time_ms = (progress.elapsed > 0).then_some(progress.elapsed / 1_000_000);
        self.voice.report(SearchReport { info: progress.info, time_ms, pv });
    }

    fn message(&self, text: &str) {
        text.lines().filter(|line| !line.trim().is_empty()).for_each(|line| self.voice.debug(line));
    }
}
