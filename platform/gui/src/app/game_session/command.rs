use tengen_arbiter::Action;
use tengen_rules::Seat;

use crate::app::{Phase, PlayerSpec, Snapshot};

/// What may be asked of a game that is played. It is done when a later snapshot shows it; one that
/// does not fit does nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GameCommand {
    /// What the person who is asked does.
    Act {
        /// The number of the question it answers, so that none is answered unseen.
        question: u64,
        /// What it does.
        action: Action,
    },
    /// What was just tried is not allowed, for this reason; none takes the last reason away.
    ShowRefusal(Option<String>),
    /// Let the game rest.
    Pause,
    /// Go on after a pause.
    Continue,
    /// Give up the game for a seat.
    Resign(Seat),
    /// End the game without a result.
    Stop,
    /// Take back the last answer of a person at this window and all that came after it; where none
    /// plays, the last answer.
    TakeBack,
    /// Take back all that came after so many plies.
    TakeBackTo(usize),
    /// Put somebody else on a seat.
    SetPlayer(Seat, PlayerSpec),
    /// Let the engine of that id say what it would answer to the open question.
    Hint(String),
    /// Forget what it said.
    ForgetHint,
}

impl GameCommand {
    /// Whether it means anything now.
    pub fn fits(&self, snapshot: &Snapshot) -> bool {
        let phase = snapshot.phase;
        let over = phase.is_over() || phase == Phase::Stopping;
        let person = snapshot.asks_person();
        match self {
            GameCommand::Act { question, .. } => {
                person.is_some_and(|asked| asked.number == *question)
            }
            GameCommand::ShowRefusal(_) => person.is_some(),
            GameCommand::Pause => matches!(phase, Phase::Starting | Phase::Playing),
            GameCommand::Continue => matches!(phase, Phase::Pausing | Phase::Paused),
            GameCommand::Resign(_) | GameCommand::Stop => !over,
            GameCommand::SetPlayer(..) => phase != Phase::Stopping && snapshot.result.is_none(),
            GameCommand::TakeBack => snapshot.can_take_back(),
            GameCommand::TakeBackTo(plies) => *plies < snapshot.rows.len(),
            GameCommand::Hint(_) => person.is_some(),
            GameCommand::ForgetHint => snapshot.hint.is_some(),
        }
    }
}

impl Snapshot {
    /// Whether somebody at this window has answered anything; where nobody plays there, anybody.
    fn can_take_back(&self) -> bool {
        let persons = Seat::ALL.into_iter().any(|seat| self.seats[seat].is_person);
        let theirs = |seat: Seat| !persons || self.seats[seat].is_person;
        Seat::ALL.into_iter().any(|seat| self.answered[seat] && theirs(seat))
    }
}
