/// What a spectator may ask of a running match. It is done when a later snapshot shows it; one that
/// does not fit the match's phase does nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Command {
    /// Stop before the next question is put; no clock runs until [`Command::Continue`].
    Pause,
    /// Go on after a pause.
    Continue,
    /// Give up the game that is played, which then does not count, and begin the next one.
    NewGame,
    /// Give up the game that is played, and with it the match.
    Stop,
    /// Play the match again from its first game, once it is over.
    NewMatch,
}
