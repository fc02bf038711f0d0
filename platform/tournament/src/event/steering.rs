//! How a run follows changes that others make to its event.

use std::collections::BTreeSet;

use super::ChangeKind;
use super::queue::GameQueue;
use super::run::RunContext;
use crate::store::Store;
use crate::{FinishedGame, Schedule, Tally};

/// How many games an event has, also as engines leave it.
pub(super) struct Extent {
    schedule: Schedule,
    gone: BTreeSet<usize>,
    /// The games without an engine that has left.
    left: u64,
    /// The others that are finished.
    kept: u64,
}

impl Extent {
    pub fn new(schedule: Schedule, gone: BTreeSet<usize>, tally: &Tally) -> Extent {
        let (left, kept) = (schedule.len_without(&gone), tally.games_of_any(&gone));
        Extent { schedule, gone, left, kept }
    }

    pub fn total(&self) -> u64 {
        self.left + self.kept
    }

    pub fn add(&mut self, games: &[FinishedGame]) {
        if !self.gone.is_empty() {
            let is_gone = |engine| self.gone.contains(&engine);
            let kept =
                games.iter().filter(|game| is_gone(game.seats.first) || is_gone(game.seats.second));
            self.kept += kept.count() as u64;
        }
    }

    pub fn remove(&mut self, engines: Vec<usize>, tally: &Tally) {
        self.gone.extend(engines);
        *self = Extent::new(self.schedule.clone(), std::mem::take(&mut self.gone), tally);
    }
}

/// Obeys what others write into the database while games are played.
pub(super) struct Steering<'a> {
    pub run: RunContext<'a>,
    pub store: &'a Store,
    pub last_change: &'a mut u64,
    pub is_outdated: &'a mut bool,
    /// Whether a referee ruled on a game since the phase began.
    pub is_overruled: bool,
}

impl Steering<'_> {
    /// Obeys what is new, and gives the engines that were removed by it.
    pub fn obey(&mut self, queue: &GameQueue<'_>) -> Vec<usize> {
        let mut gone = Vec::new();
        let changes = self.store.changes_after(*self.last_change).unwrap_or_else(|error| {
            log::warn!("cannot look for changes of the event: {error}");
            Vec::new()
        });
        for change in changes {
            *self.last_change = change.number;
            log::info!("change {}: {}", change.number, change.text);
            if !self.run.is_for(&change) {
                continue;
            }
            if change.kind.is_of_running_game() {
                queue.order(&change);
            }
            self.run.obey(&change);
            *self.is_outdated |= !change.kind.is_order();
            self.is_overruled |= change.kind.is_ruling();
            if let ChangeKind::Removed(engine) = change.kind {
                queue.remove(engine);
                gone.push(engine);
            }
        }
        queue.pause(self.run.is_paused.get());
        gone
    }
}
