//! Plays a record again through the arbiter.

use tengen_arbiter::{
    Failure, Game, GameConfig, GameResult, Handled, HistoryEntry, Input, Nanos, Order, Termination,
};
use tengen_rules::{OpeningError, Seat};
use thiserror::Error;

use crate::GameRecord;

/// Why a record is not that of a game under its own rules.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ReplayError {
    /// The opening procedure does not go with the rule or the board.
    #[error("opening: {0}")]
    Opening(OpeningError),
    /// The game was over before this action.
    #[error("actions[{index}]: the game was over before it, by {}", result.termination)]
    AfterEnd {
        /// The action's place in the record, counted from 0.
        index: usize,
        /// How it was over.
        result: GameResult,
    },
    /// The arbiter judged an action otherwise than the record says.
    #[error(
        "actions[{index}]: the record says {}, replayed it is {}", show(recorded),
        replayed.as_deref().map_or("nothing".to_string(), show)
    )]
    Action {
        /// The action's place in the record, counted from 0.
        index: usize,
        /// What the record says of it.
        recorded: Box<HistoryEntry>,
        /// What it led to now; none if the arbiter did not use it.
        replayed: Option<Box<HistoryEntry>>,
    },
    /// The game goes on after the last action, and nothing the record says can have ended it.
    #[error("result: the game goes on after the last action and cannot have ended by {0}")]
    Unfinished(Termination),
    /// The game ended otherwise than the record says.
    #[error("result: the record says {}, replayed it is {}", tell(recorded), tell(replayed))]
    Result {
        /// What the record says.
        recorded: GameResult,
        /// What came of the game now.
        replayed: GameResult,
    },
}

/// An entry as it stands in a record.
fn show(entry: &HistoryEntry) -> String {
    serde_json::to_string(entry).expect("every key is a string")
}

fn tell(result: &GameResult) -> String {
    let winner = result.winner.map_or("neither wins", |seat| match seat {
        Seat::First => "first wins",
        Seat::Second => "second wins",
    });
    format!("{winner} by {}", result.termination)
}

impl ReplayError {
    /// The place of the action it is about, counted from 0; none when it is about the end.
    pub fn index(&self) -> Option<usize> {
        match self {
            ReplayError::AfterEnd { index, .. } | ReplayError::Action { index, .. } => Some(*index),
            _ => None,
        }
    }
}

/// Plays a recorded game again, each action at its recorded time, and returns the result, which is
/// that of the record. A failure, a silent timeout or an abort is no action, so the recorded result
/// says that it came.
///
/// # Errors
/// When an action, a clock or the result comes out otherwise than the record says.
pub fn replay(record: &GameRecord) -> Result<GameResult, ReplayError> {
    replay_game(record).map_err(ReplayError::Opening)?.1
}

/// The same, with the game as far as it could be played.
pub(crate) fn replay_game(
    record: &GameRecord,
) -> Result<(Game, Result<GameResult, ReplayError>), OpeningError> {
    let mut table = GameReplay::new(record.header.config())?;
    let replayed = table.play(record);
    Ok((table.game, replayed))
}

/// A game played from recorded actions, on a clock that only these move. It can be looked at
/// between two of them.
pub struct GameReplay {
    game: Game,
    now: Nanos,
}

impl GameReplay {
    /// Sets up the game.
    ///
    /// # Errors
    /// When the opening procedure does not go with the rule or the board, or its book is wrong.
    pub fn new(config: GameConfig) -> Result<GameReplay, OpeningError> {
        Ok(GameReplay { game: Game::new(config)?, now: 0 })
    }

    /// The game as far as it has come.
    pub fn game(&self) -> &Game {
        &self.game
    }

    fn play(&mut self, record: &GameRecord) -> Result<GameResult, ReplayError> {
        for (index, action) in record.actions.iter().enumerate() {
            if let Some(result) = self.game.result() {
                return Err(ReplayError::AfterEnd { index, result });
            }
            if !record.header.handovers.is_empty() {
                // What is asked again of a person loses for an engine.
                let player = record.header.player_of(index, action.seat);
                self.game.set_person(action.seat, player.is_person());
            }
            self.act(action);
            let replayed = self.game.history().get(index);
            if !replayed.is_some_and(|replayed| replayed.is_judged_as(action)) {
                let recorded = Box::new(action.judged());
                let replayed = replayed.map(|replayed| Box::new(replayed.judged()));
                return Err(ReplayError::Action { index, recorded, replayed });
            }
        }
        let recorded = record.played();
        if recorded.termination == Termination::Ruling {
            // No action leads to it.
            return Ok(recorded);
        }
        if self.game.result().is_none() {
            self.end_by(recorded);
        }
        match self.game.result() {
            None => Err(ReplayError::Unfinished(recorded.termination)),
            Some(replayed) if replayed != recorded => {
                Err(ReplayError::Result { recorded, replayed })
            }
            Some(_) => Ok(record.result),
        }
    }

    /// Does what a record says was done next.
    pub fn act(&mut self, action: &HistoryEntry) {
        let HistoryEntry { seat, action: done, correction, substituted, .. } = action;
        if let Some(ready) = action.ready {
            self.game.handle(self.now, *seat, Input::Ready(ready));
        }
        if let Some(answer) = self.game.replacement(action) {
            self.game.handle(self.now, *seat, answer);
            return;
        }
        self.ask(*seat);
        if let Some(info) = &action.info {
            self.game.handle(self.now, *seat, Input::Scored(info.score()));
        }
        self.game.handle(self.now, *seat, Input::Corrected(*correction));
        self.now = self.now.saturating_add(action.span());
        if *substituted {
            self.game.handle_timeout(self.now);
        } else {
            self.game.handle(self.now, *seat, Input::Act(done.clone()));
        }
    }

    /// Puts the question that the arbiter orders, if it is for this seat.
    fn ask(&mut self, seat: Seat) {
        let ordered = self.game.poll_order();
        debug_assert!(!matches!(ordered, Some(Order::End(_))), "the game is not over");
        let handled = self.game.handle(self.now, seat, Input::Asked);
        debug_assert!(matches!(handled, Handled::Accepted | Handled::Ignored));
    }

    /// Ends the game as the record says, if no action ended it.
    fn end_by(&mut self, result: GameResult) {
        if result.termination == Termination::Aborted {
            return self.game.abort(self.now);
        }
        let Some(loser) = result.winner.map(|winner| !winner) else {
            return;
        };
        if result.termination == Termination::Timeout {
            self.game.lose_on_unknown_clock(self.now, loser);
        }
        if self.game.result().is_some() {
            return;
        }
        if result.termination == Termination::Timeout
            && self.game.asked().is_none_or(|(asked, _)| asked != loser)
        {
            // A seat that is not asked can only have taken all its time to get ready.
            self.game.handle(self.now, loser, Input::Ready(Nanos::MAX));
            return;
        }
        self.ask(loser);
        if result.termination == Termination::Timeout {
            // A failure seen past the deadline is a timeout, whatever an event does about
            // players that are merely late.
            if let Some(late) = self.game.next_timeout() {
                self.game.handle(late, loser, Input::Failed(Failure::Stall));
            }
        } else if let Some(failure) = failure(result.termination) {
            self.game.handle(self.now, loser, Input::Failed(failure));
        }
    }
}

fn failure(termination: Termination) -> Option<Failure> {
    Failure::ALL.into_iter().find(|&failure| Termination::from(failure) == termination)
}
