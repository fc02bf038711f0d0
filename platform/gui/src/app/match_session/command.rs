use crate::app::Phase;

/// What a spectator may ask of a running match. It is done when a later snapshot shows it; one that
/// does not fit the match's phase does nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MatchCommand {
    /// Stop before the next question is put; no clock runs until [`MatchCommand::Continue`].
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

impl MatchCommand {
    /// Whether it means anything now.
    pub fn fits(self, phase: Phase) -> bool {
        match self {
            MatchCommand::Pause => {
                matches!(phase, Phase::Starting | Phase::Playing | Phase::Between)
            }
            MatchCommand::Continue => matches!(phase, Phase::Pausing | Phase::Paused),
            MatchCommand::NewGame | MatchCommand::Stop => {
                !phase.is_over() && phase != Phase::Stopping
            }
            MatchCommand::NewMatch => phase.is_over(),
        }
    }
}
