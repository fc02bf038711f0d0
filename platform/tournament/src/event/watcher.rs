use tengen_arbiter::Game;

use crate::ScheduledGame;

/// Looks on while an event is played.
///
/// It is called on the threads that play, where no clock runs, and must be quick: what it takes is
/// taken from the event. One that waits makes the table rest; when the event is to stop it must
/// return. It changes nothing of what is played.
pub trait Watcher: Sync {
    /// A game at the table of that number, counted from 0: when it is set up, each time a question
    /// is about to be put, and when it is over.
    fn look(&self, table: usize, scheduled: &ScheduledGame, game: &Game);
}

/// Nobody looks.
impl Watcher for () {
    fn look(&self, _: usize, _: &ScheduledGame, _: &Game) {}
}
