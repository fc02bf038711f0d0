//! The commands to a match.

use crate::app::model::Phase;

/// A command to a match. It takes effect with a later snapshot; one that does not fit the phase
/// does nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MatchCommand {
    /// Pause before the next question; no clock runs until [`MatchCommand::Resume`].
    Pause,
    /// Resume after a pause.
    Resume,
    /// Stop the running game, uncounted, and start the next one.
    NewGame,
    /// Stop the running game and the match.
    Stop,
    /// Play the match again, once it is over.
    NewMatch,
}

impl MatchCommand {
    /// Whether it means something now.
    pub fn fits(self, phase: Phase) -> bool {
        match self {
            MatchCommand::Pause => {
                matches!(phase, Phase::Starting | Phase::Playing | Phase::Between)
            }
            MatchCommand::Resume => matches!(phase, Phase::Pausing | Phase::Paused),
            MatchCommand::NewGame | MatchCommand::Stop => {
                !phase.is_over() && phase != Phase::Stopping
            }
            MatchCommand::NewMatch => phase.is_over(),
        }
    }
}
