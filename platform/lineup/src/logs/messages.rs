use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex};

use crate::lock::lock;

/// How much is kept of a game that is being played, in bytes.
const MOST: usize = 4 << 20;

/// What engines have said in the games that are being played.
#[derive(Clone, Debug, Default)]
pub struct GameMessages(Arc<Mutex<BTreeMap<u64, String>>>);

impl GameMessages {
    /// What was said in a game, a line each, and forgets it.
    pub fn take(&self, game: u64) -> String {
        lock(&self.0).remove(&game).unwrap_or_default()
    }

    /// The engine of that name was asked for the move of that number, and says this meanwhile.
    pub(super) fn add(&self, game: u64, ply: usize, engine: &str, text: &str) {
        let mut games = lock(&self.0);
        let said = games.entry(game).or_default();
        if said.len() + text.len() <= MOST {
            let _ = writeln!(said, "{ply}) {engine}: {text}");
        }
    }

    /// The game begins, or begins again.
    pub(super) fn begin(&self, game: u64) {
        lock(&self.0).insert(game, String::new());
    }
}
