use std::sync::Arc;

use tengen_arbiter::Game;
use tengen_players::Listener;

use super::Change;
use crate::{GameEnd, ScheduledGame};

/// Watches the games of an event while they are played.
///
/// It is called on the threads that play, while no clock runs, and must be quick: it delays the
/// event. It may wait, which pauses the worker, but must return when the event is to stop. It does
/// not change what is played.
pub trait Watcher: Sync {
    /// A game of the worker of that number, counted from 0: when it is set up, unless an engine
    /// plays from another machine, each time a question is about to be put, and when it is over.
    fn look(&self, table: usize, scheduled: &ScheduledGame, game: &Game);

    /// A game that is over, and what is known of its end.
    fn over(&self, table: usize, scheduled: &ScheduledGame, game: &Game, _end: &GameEnd) {
        self.look(table, scheduled, game);
    }

    /// Every game that was drawn is finished, and a referee is to begin the next round, or has now
    /// begun it. Called on the same thread.
    fn awaits(&self, _is_awaited: bool) {}

    /// What hears the engines of a worker's next game while they think; to listen makes some of
    /// them say more. It must return at once.
    fn listener(&self, _table: usize) -> Option<Arc<dyn Listener>> {
        None
    }

    /// The event was changed, and this run goes by it from now on. Called on the thread that
    /// tells of finished games.
    fn changed(&self, _change: &Change) {}
}

/// Two watchers of the same games, one after the other. The first one listens, if it does.
pub struct WatcherPair<'a>(pub &'a dyn Watcher, pub &'a dyn Watcher);

impl Watcher for WatcherPair<'_> {
    fn look(&self, table: usize, scheduled: &ScheduledGame, game: &Game) {
        self.0.look(table, scheduled, game);
        self.1.look(table, scheduled, game);
    }

    fn over(&self, table: usize, scheduled: &ScheduledGame, game: &Game, end: &GameEnd) {
        self.0.over(table, scheduled, game, end);
        self.1.over(table, scheduled, game, end);
    }

    fn awaits(&self, is_awaited: bool) {
        self.0.awaits(is_awaited);
        self.1.awaits(is_awaited);
    }

    fn listener(&self, table: usize) -> Option<Arc<dyn Listener>> {
        self.0.listener(table).or_else(|| self.1.listener(table))
    }

    fn changed(&self, change: &Change) {
        self.0.changed(change);
        self.1.changed(change);
    }
}

impl Watcher for () {
    fn look(&self, _: usize, _: &ScheduledGame, _: &Game) {}
}
