//! The commands to a game.

use tengen_arbiter::Action;
use tengen_rules::Seat;

use crate::app::model::{Phase, PlayerSpec, Snapshot};

/// A command to a game. It takes effect with a later snapshot; one that does not fit does nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GameCommand {
    /// The person who is asked does this.
    Act {
        /// The number of the question, so that no other one is answered by mistake.
        question: u64,
        action: Action,
    },
    /// Show why the last click was not accepted; none removes the message.
    ShowRefusal(Option<String>),
    /// Pause the game.
    Pause,
    /// Resume after a pause or a stop.
    Resume,
    Resign(Seat),
    /// Stop the game without a result.
    Stop,
    /// Take back the last answer of a person at this window and everything after it; of anybody
    /// where no person plays.
    TakeBack,
    /// Take back everything after so many plies.
    TakeBackTo(usize),
    /// Change the player of a seat.
    SetPlayer(Seat, PlayerSpec),
    /// Name the person on a seat.
    NamePerson(Seat, String),
    /// Ask that engine what it would answer.
    Hint(String),
    /// Remove the hint.
    ForgetHint,
}

impl GameCommand {
    /// Whether it means something now.
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
            GameCommand::Resume => {
                matches!(phase, Phase::Pausing | Phase::Paused) || snapshot.is_open()
            }
            GameCommand::Resign(_) | GameCommand::Stop => !over,
            GameCommand::SetPlayer(..) => phase != Phase::Stopping && snapshot.result.is_none(),
            GameCommand::NamePerson(seat, name) => {
                snapshot.seats[*seat].is_person && !name.trim().is_empty()
            }
            GameCommand::TakeBack => snapshot.undo_left != Some(0) && snapshot.can_take_back(),
            GameCommand::TakeBackTo(plies) => {
                snapshot.undo_left != Some(0) && *plies < snapshot.rows.len()
            }
            GameCommand::Hint(_) => person.is_some(),
            GameCommand::ForgetHint => snapshot.hint.is_some(),
        }
    }
}

impl Snapshot {
    /// Whether a person at this window has answered; where no person plays, anybody.
    fn can_take_back(&self) -> bool {
        let persons = Seat::ALL.into_iter().any(|seat| self.seats[seat].is_person);
        let theirs = |seat: Seat| !persons || self.seats[seat].is_person;
        Seat::ALL.into_iter().any(|seat| self.answered[seat] && theirs(seat))
    }
}
