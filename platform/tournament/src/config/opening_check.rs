use tengen_arbiter::Game;
use tengen_rules::{BySeat, Procedure};

use super::{ConfigError, EventConfig, OpeningOrder, OpeningPolicy, Openings, Symmetries};

impl EventConfig {
    /// Whether the openings can be played, and somebody is there to answer for others.
    pub(super) fn validate_openings(&self) -> Result<(), ConfigError> {
        if self.opening_engine.is_some() && self.opening_policy != OpeningPolicy::Arbiter {
            let problem = "it assists the arbiter, which answers for nobody; add the opening \
                           policy arbiter";
            return Err(ConfigError::option("opening-engine", problem));
        }
        let positions = self.openings.positions().len();
        match &self.openings {
            Openings::File(file) => {
                let problem = format!("{} has not been read", file.display());
                return Err(ConfigError::option("openings", problem));
            }
            Openings::Balanced => {
                return Err(ConfigError::option("openings", "the suite has not been read"));
            }
            Openings::Positions(_) => {}
        }
        match (self.opening == Procedure::Book, positions) {
            (true, 0) => {
                let problem = "book needs positions; name a file of them with openings";
                return Err(ConfigError::option("opening", problem));
            }
            (false, 1..) => {
                let problem = format!("{} plays none; add the opening book", self.opening);
                return Err(ConfigError::option("openings", problem));
            }
            (false, 0) if self.openings_order != OpeningOrder::default() => {
                let problem = "there are no positions to put in order; name a file of them with \
                               openings, and use the opening book";
                return Err(ConfigError::option("openings-order", problem));
            }
            (false, 0) if self.openings_symmetries != Symmetries::default() => {
                let problem = "there are no positions to turn; name a file of them with openings, \
                               and use the opening book";
                return Err(ConfigError::option("openings-symmetries", problem));
            }
            _ => {}
        }
        let used = self.opening_draw().places((positions as u64).max(1), self.meetings());
        for number in used.into_iter().map(|place| place as usize) {
            let error = |error: String| {
                let place = if positions > 0 {
                    format!("position {}: ", number + 1)
                } else {
                    String::new()
                };
                ConfigError::option("opening", format!("{place}{error}"))
            };
            let book = self.openings.positions().get(number).cloned().unwrap_or_default();
            if positions > 0 && book.is_empty() {
                return Err(error("it has no stones, or could not be read".to_owned()));
            }
            let game = Game::new(self.game_with(BySeat { first: 0, second: 1 }, book))
                .map_err(|problem| error(problem.to_string()))?;
            if game.result().is_some() {
                let place = if positions > 1 {
                    format!("position {}", number + 1)
                } else {
                    "the position".to_owned()
                };
                let stones = game.position().board().count();
                let problem = format!(
                    "{place} has {stones} stones, so that its games are drawn before a move"
                );
                return Err(ConfigError::option("move-limit", problem));
            }
        }
        Ok(())
    }
}
