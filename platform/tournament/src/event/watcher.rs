use tengen_arbiter::Game;

use super::Change;
use crate::{GameEnd, ScheduledGame};

/// Watches the games of an event while they are played.
///
/// It is called on the threads that play, while no clock runs, and must be quick: it delays the
/// event. One that waits pauses the worker; when the event is to stop it must return. It changes
/// nothing of what is played.
pub trait Watcher: Sync {
    /// A game of the worker of that number, counted from 0: when it is set up, unless an engine
    /// plays from another machine, each time a question is about to be put, and when it is over.
    fn look(&self, table: usize, scheduled: &ScheduledGame, game: &Game);

    /// A game that is over, and what is known of its end.
    fn over(&self, table: usize, scheduled: &ScheduledGame, game: &Game, _end: &GameEnd) {
        self.look(table, scheduled, game);
    }

    /// Somebody changed the event, and this run goes by it from now on. Called on the thread that
    /// tells of finished games.
    fn changed(&self, _change: &Change) {}
}

/// Watches nothing.
impl Watcher for () {
    fn look(&self, _: usize, _: &ScheduledGame, _: &Game) {}
}
