//! In the place of an engine that does not start.

use tengen_arbiter::{Failure, GameResult};
use tengen_players::{Fault, GameSetup, Player, Reply, Request, Time};

/// Loses every game, for the engine in its place did not start before the event.
pub(super) struct AbsentPlayer {
    pub why: String,
}

impl AbsentPlayer {
    fn fault(&self) -> Fault {
        let detail = format!("did not start before the event: {}", self.why);
        Fault { failure: Failure::Crash, detail }
    }
}

impl Player for AbsentPlayer {
    fn new_game(&mut self, _: &GameSetup) -> Result<(), Fault> {
        Err(self.fault())
    }

    fn ask(&mut self, _: &Request<'_>, time: &dyn Time) -> Reply {
        let (asked_at, fault) = (time.now(), self.fault());
        Reply {
            asked_at,
            answered_at: asked_at,
            offers_draw: false,
            outcome: Err(fault),
            info: None,
            pv: Vec::new(),
        }
    }

    fn end_game(&mut self, _: GameResult) {}
}
