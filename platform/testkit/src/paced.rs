use std::sync::Arc;

use tengen_arbiter::{GameResult, Nanos};
use tengen_players::{Fault, GameSetup, Player, Reply, Request, Time};

use crate::VirtualTime;

/// A player that takes the same virtual time for each answer, or falls silent where its patience is
/// shorter than that.
#[derive(Clone, Debug)]
pub struct Paced<P> {
    inner: P,
    think: Nanos,
    time: Arc<VirtualTime>,
}

impl<P> Paced<P> {
    /// Lets `inner` take `think` for each answer, on this clock, which must be the table's own.
    pub fn new(inner: P, think: Nanos, time: Arc<VirtualTime>) -> Paced<P> {
        Paced { inner, think, time }
    }
}

impl<P: Player> Player for Paced<P> {
    fn new_game(&mut self, game: &GameSetup) -> Result<(), Fault> {
        self.inner.new_game(game)
    }

    fn ask(&mut self, request: &Request<'_>, time: &dyn Time) -> Reply {
        let mut reply = self.inner.ask(request, time);
        let waited = request.patience.map_or(self.think, |patience| patience.min(self.think));
        self.time.advance(waited);
        if request.patience == Some(waited) {
            reply.outcome = Ok(None);
        }
        reply.answered_at = time.now();
        reply
    }

    fn end_game(&mut self, result: GameResult) {
        self.inner.end_game(result);
    }
}
