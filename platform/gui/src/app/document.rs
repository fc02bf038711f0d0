use std::sync::Arc;

use tengen_arbiter::Nanos;

use super::{Play, Session, Snapshot};

/// What lies on a table of the window.
pub enum Document {
    /// A match of engines, watched.
    Match(Session),
    /// A game that somebody plays.
    Game(Play),
}

impl Document {
    /// It at this moment.
    pub fn snapshot(&self) -> Arc<Snapshot> {
        match self {
            Document::Match(session) => session.snapshot(),
            Document::Game(play) => play.snapshot(),
        }
    }

    /// The moment now, on the clock of its snapshots.
    pub fn now(&self) -> Nanos {
        match self {
            Document::Match(session) => session.now(),
            Document::Game(play) => play.now(),
        }
    }

    /// Calls `wake` after each new snapshot.
    pub(super) fn on_change(&self, wake: impl Fn() + Send + Sync + 'static) {
        match self {
            Document::Match(session) => session.on_change(wake),
            Document::Game(play) => play.on_change(wake),
        }
    }
}
