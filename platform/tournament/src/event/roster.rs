use tengen_players::Player;

use crate::EventConfig;

/// Where the players of an event come from.
pub trait Roster: Sync {
    /// Makes a player of the event's engine of that number. It plays one game after another on
    /// the threads of the event's tables, all of which live until the last of them has ended.
    fn player(&self, engine: usize) -> Box<dyn Player>;

    /// Makes a player that answers in place of illegal answers, where the event replaces those;
    /// none leaves them to the arbiter.
    fn substitute(&self) -> Option<Box<dyn Player>> {
        None
    }

    /// Makes every player that is being waited for return at once, with any answer. Called again
    /// and again until all have returned. Players that answer at once need not do anything.
    fn interrupt(&self) {}

    /// Takes two engines for a game, or for the two games of a pair, until they are
    /// [freed](Roster::free). With `nothing_else` no game is being played and no other one can be
    /// begun: an engine that was waited for long enough may be taken then, and loses.
    ///
    /// # Errors
    /// Names one of the two that cannot begin any game now. The game is put off then, and asked for
    /// again.
    fn take(&self, _seats: [usize; 2], _nothing_else: bool) -> Result<(), usize> {
        Ok(())
    }

    /// Frees two engines that were taken.
    fn free(&self, _seats: [usize; 2]) {}

    /// Whether an engine that was taken went away before it was ready for the game of that number.
    /// The game is put off then, whatever its player said. Asked after each engine was to get
    /// ready.
    fn was_missed(&self, _engine: usize, _game: u64) -> bool {
        false
    }

    /// Takes in the engines that were added while the event runs: those of this configuration
    /// beyond the ones it knows. Gives those that cannot play, each with the reason.
    fn join(&self, _config: &EventConfig) -> Vec<(usize, String)> {
        Vec::new()
    }

    /// Hears that an engine was removed while the event runs. It begins no more games; a running
    /// one goes on to its end.
    fn leave(&self, _engine: usize) {}
}
