use tengen_rules::{BySeat, OpeningError, Seat};

use super::Game;
use crate::turn::Turn;
use crate::{Action, GameConfig, HistoryEntry, Input, Nanos};

impl Game {
    /// A game with the same settings as another, as that one stood after these entries of its
    /// history: the same position, the same clocks, the same question open. This is how moves are
    /// taken back; their time is given back with them. Entries after one that ended the game are
    /// left out.
    ///
    /// The scores of players are no part of a history, so a game that its event adjudicates stands
    /// with its windows empty.
    ///
    /// # Errors
    /// When the opening procedure does not go with the rule or the board, or its book is wrong.
    pub fn replay(config: GameConfig, history: &[HistoryEntry]) -> Result<Game, OpeningError> {
        let mut game = Game::new(config)?;
        let mut now: Nanos = 0;
        for entry in history {
            let known = game.history.len();
            if let Some(answer) = game.replacement(entry) {
                game.handle(now, entry.seat, answer);
                continue;
            }
            // The order is polled as at a table; a refused claim or an offer puts the question
            // again.
            let _ = game.poll_order();
            game.handle(now, entry.seat, Input::Asked);
            now = now.saturating_add(entry.span());
            game.handle(now, entry.seat, Input::Corrected(entry.correction));
            if entry.substituted {
                game.handle_timeout(now);
            } else {
                game.handle(now, entry.seat, Input::Act(entry.action.clone()));
            }
            if game.history.len() > known {
                game.add_search(entry.info, entry.pv.clone(), entry.lag);
                game.add_said(entry.said.clone());
            }
        }
        Ok(game)
    }

    /// The same for a game in which seats changed hands: a seat is asked again after each illegal
    /// answer, as a person is, even where an engine plays there now.
    ///
    /// # Errors
    /// When the opening procedure does not go with the rule or the board, or its book is wrong.
    pub fn replay_leniently(
        config: &GameConfig,
        history: &[HistoryEntry],
    ) -> Result<Game, OpeningError> {
        let mut config = config.clone();
        let persons = BySeat { first: true, second: true };
        let persons = core::mem::replace(&mut config.policies.persons, persons);
        let mut game = Game::replay(config, history)?;
        game.policies.persons = persons;
        Ok(game)
    }

    /// What to [handle](Game::handle) for an entry of a history that replaced an illegal answer;
    /// none for any other: a substitute for a late answer comes of the
    /// [timeout](Game::handle_timeout).
    pub fn replacement(&self, entry: &HistoryEntry) -> Option<Input> {
        let is_late = self.clocks[entry.seat].is_late(entry.spent);
        match &entry.action {
            Action::Answer(answer) if entry.substituted && !is_late => {
                Some(Input::Substitute(answer.clone()))
            }
            _ => None,
        }
    }

    /// Sets the open question aside, for instance for a pause: from `at` on its time is charged to
    /// neither seat, until [`Game::poll_order`] has ordered it again and it has been put. The time
    /// it took before stays charged.
    pub fn suspend(&mut self, at: Nanos) {
        if let Some(turn) = &mut self.turn {
            turn.set_aside(at);
        }
    }

    /// What the open question took before it was last set aside; what it takes now comes on top.
    pub fn used(&self) -> Nanos {
        self.turn.as_ref().map_or(0, Turn::used)
    }

    /// Seats a person, or an engine in a person's place; see [`Policies::persons`].
    ///
    /// [`Policies::persons`]: crate::Policies::persons
    pub fn set_person(&mut self, seat: Seat, is_person: bool) {
        self.policies.persons[seat] = is_person;
    }
}
