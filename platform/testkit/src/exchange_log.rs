//! A log of what players saw and did.

use std::sync::{Arc, Mutex, PoisonError};

use tengen_arbiter::{Failure, GameResult, Limits, Nanos};
use tengen_players::{Reply, Timing};
use tengen_rules::{Ask, Seat};

/// What a player saw and did of one question, as it was at the table.
#[derive(Clone, Debug)]
pub struct LoggedExchange {
    pub seat: Seat,
    pub ask: Ask,
    /// What the player was allowed to use.
    pub limits: Limits,
    /// How long the host would wait.
    pub patience: Option<Nanos>,
    /// The plies on the board.
    pub plies: usize,
    /// What came of it.
    pub reply: Reply,
    /// What is known of its time.
    pub timing: Timing,
    /// Whether the player knows that its answer breaks the rules, or that it keeps them; none when
    /// it does not know.
    pub legal: Option<bool>,
}

/// What happened to a player, in order.
#[derive(Clone, Debug)]
pub enum PlayerEvent {
    /// It was to get ready for a game.
    Readied(Seat, Result<(), Failure>, Nanos),
    Asked(Box<LoggedExchange>),
    /// It was told how the game ended.
    Ended(Seat, GameResult),
}

/// What happened to the players of one table, in order, kept apart from what the arbiter makes of
/// it.
#[derive(Clone, Debug, Default)]
pub struct ExchangeLog {
    happenings: Arc<Mutex<Vec<PlayerEvent>>>,
}

impl ExchangeLog {
    pub fn new() -> ExchangeLog {
        ExchangeLog::default()
    }

    pub fn note(&self, happening: PlayerEvent) {
        self.happenings.lock().unwrap_or_else(PoisonError::into_inner).push(happening);
    }

    pub fn take(&self) -> Vec<PlayerEvent> {
        std::mem::take(&mut self.happenings.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
