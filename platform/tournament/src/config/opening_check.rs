use tengen_arbiter::Game;
use tengen_rules::{BySeat, Procedure};

use super::{ConfigError, EventConfig, OpeningOrder, OpeningPolicy, Openings, Symmetries};

impl EventConfig {
    /// Whether the openings can be played, and something is there to answer for engines.
    pub(super) fn validate_openings(&self) -> Result<(), ConfigError> {
        if self.opening_engine.is_some() && self.opening_policy != OpeningPolicy::Arbiter {
            let problem = "it assists the arbiter, which answers for no engine here; add the \
                           opening policy arbiter";
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
        self.validate_opening_keys(positions)?;
        self.validate_window(positions as u64)?;
        let used = self.opening_draw().places((positions as u64).max(1), self.meetings());
        used.into_iter().try_for_each(|place| self.validate_position(place as usize, positions))
    }

    /// Whether the keys about positions go with the opening.
    fn validate_opening_keys(&self, positions: usize) -> Result<(), ConfigError> {
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
            (false, 0) if self.openings_symmetries.is_some_and(|way| way != Symmetries::None) => {
                let problem = "there are no positions to turn; name a file of them with openings, \
                               and use the opening book";
                return Err(ConfigError::option("openings-symmetries", problem));
            }
            (false, 0) if self.openings_start.or(self.openings_count).is_some() => {
                let problem = "there are no positions to choose from; name a file of them with \
                               openings, and use the opening book";
                return Err(ConfigError::option("openings-start", problem));
            }
            _ => {}
        }
        Ok(())
    }

    /// Whether a game can begin from the position of that place, counted from 0.
    fn validate_position(&self, place: usize, positions: usize) -> Result<(), ConfigError> {
        let number = place + 1;
        let error = |error: String| {
            let place = if positions > 0 { format!("position {number}: ") } else { String::new() };
            ConfigError::option("opening", format!("{place}{error}"))
        };
        let book = self.openings.positions().get(place).cloned().unwrap_or_default();
        if positions > 0 && book.is_empty() {
            return Err(error("it has no stones, or could not be read".to_owned()));
        }
        let game = Game::new(self.game_with(BySeat { first: 0, second: 1 }, book))
            .map_err(|problem| error(problem.to_string()))?;
        if game.result().is_none() {
            return Ok(());
        }
        let place = match positions {
            0 | 1 => "the position".to_owned(),
            _ => format!("position {number}"),
        };
        let stones = game.position().board().count();
        let problem =
            format!("{place} has {stones} stones, so that its games are drawn before a move");
        Err(ConfigError::option("move-limit", problem))
    }

    /// How many of its positions the event plays before one comes again, where it was told that.
    pub(crate) fn opening_window(&self) -> Option<u64> {
        let start = self.openings_start.or(self.openings_count.map(|_| 1))?;
        let rest = || (self.openings.positions().len() as u64).saturating_sub(u64::from(start) - 1);
        Some(self.openings_count.map_or_else(rest, u64::from))
    }

    /// Whether there are as many positions as are to be played.
    fn validate_window(&self, positions: u64) -> Result<(), ConfigError> {
        let start = u64::from(self.openings_start.unwrap_or(1));
        if self.openings_start.is_some() && !(1..=positions).contains(&start) {
            let problem = format!("expected 1 to {positions}, the number of positions");
            return Err(ConfigError::option("openings-start", problem));
        }
        let Some(count) = self.openings_count else { return Ok(()) };
        let rest = positions.saturating_sub(start - 1);
        if !(1..=rest).contains(&u64::from(count)) {
            let problem =
                format!("expected 1 to {rest}, the positions from number {start} to the last one");
            return Err(ConfigError::option("openings-count", problem));
        }
        Ok(())
    }
}
