//! What becomes of a configuration when its event grows or loses an engine.

use std::collections::BTreeSet;

use super::part::{EventPart, Places};
use super::{ConfigError, EngineEntry, EventConfig, EventFormat};

impl EventConfig {
    /// The parts of the event; one where it did not grow.
    pub(crate) fn parts_so_far(&self) -> Vec<EventPart> {
        if !self.parts.is_empty() {
            return self.parts.clone();
        }
        let is_gauntlet = self.format == EventFormat::Gauntlet;
        vec![EventPart {
            engines: Places((0..self.engines.len() as u16).collect()),
            challengers: is_gauntlet.then_some(self.challengers),
            games: self.games,
            meetings: 0,
            seed: self.seed,
            first_pair: 0,
        }]
    }

    /// The places of the engines that were removed.
    pub fn gone(&self) -> BTreeSet<usize> {
        let engines = self.engines.iter().enumerate();
        engines.filter(|(_, engine)| engine.removed.is_some()).map(|(place, _)| place).collect()
    }

    /// Refuses a change of who plays in an event whose schedule does not allow it.
    pub fn check_open(&self, option: &'static str) -> Result<(), ConfigError> {
        if self.sprt.is_some() {
            return Err(ConfigError::option(option, "a test is of the engines it began with"));
        }
        if !self.is_drawn_at_once() {
            let problem = format!(
                "the pairings of the format {} depend on everybody who began it; only a \
                 round-robin and a gauntlet can be changed so",
                self.format
            );
            return Err(ConfigError::option(option, problem));
        }
        Ok(())
    }

    /// Checks that a file is not that of an event that has grown: its parts have the games of that
    /// event, whatever else the file says.
    ///
    /// # Errors
    /// When it has parts, or an engine that was removed.
    pub fn check_new(&self) -> Result<(), ConfigError> {
        let has_removed = self.engines.iter().any(|engine| engine.removed.is_some());
        if self.parts.is_empty() && !has_removed {
            return Ok(());
        }
        let problem = "it is of an event that has grown; delete every [[parts]] and the engines \
                       that are `removed`";
        Err(ConfigError::option("parts", problem))
    }

    /// The same event with these engines too. Each meets all who play by then; in a gauntlet, the
    /// challengers.
    ///
    /// # Errors
    /// When the format does not allow that, or there would be too many.
    pub(crate) fn with_engines(&self, engines: &[EngineEntry]) -> Result<EventConfig, ConfigError> {
        self.check_open("engines")?;
        let mut config = EventConfig { parts: self.parts_so_far(), ..self.clone() };
        for engine in engines {
            let place = config.engines.len() as u16;
            let met = match self.format {
                EventFormat::Gauntlet => self.challengers as u16,
                _ => place,
            };
            let gone = config.gone();
            let present = (0..met).filter(|&other| !gone.contains(&usize::from(other)));
            let first_pair = config.parts.iter().map(EventPart::pairs).sum();
            config.parts.push(EventPart {
                engines: Places(std::iter::once(place).chain(present).collect()),
                challengers: Some(1),
                games: config.games,
                meetings: 0,
                seed: config.seed,
                first_pair,
            });
            config.engines.push(engine.clone());
        }
        config.validate()?;
        Ok(config)
    }

    /// The same event with so many games between every two who still play.
    ///
    /// # Errors
    /// When it has as many, or its last game is no part of a pair.
    pub(crate) fn with_games(&self, games: u32) -> Result<EventConfig, ConfigError> {
        let before = self.games;
        let refuse = |problem| Err(ConfigError::option("games", problem));
        if !self.is_drawn_at_once() {
            let what = match self.stages.is_empty() {
                true => self.format.to_string(),
                false => "an event with stages".to_owned(),
            };
            return refuse(format!(
                "rounds of {what} follow from each other, and cannot have more; only round-robin \
                 and gauntlet can"
            ));
        }
        if games <= before {
            return refuse(format!("every two engines play {before} already; name more"));
        }
        if before % 2 == 1 {
            return refuse(format!(
                "{before} games are an odd number, and the last one of each two engines is no \
                 part of a pair; only an event of pairs can have more"
            ));
        }
        let mut config = EventConfig { games, ..self.clone() };
        // Where nothing else was added, those that were played are the first of the new schedule.
        if !self.parts.is_empty() {
            self.check_open("games")?;
            let gone = self.gone();
            let is_present = |place: &u16| !gone.contains(&usize::from(*place));
            let challengers = match self.format {
                EventFormat::Gauntlet => {
                    let present = (0..self.challengers as u16).filter(is_present).count();
                    Some(present as u32)
                }
                _ => None,
            };
            let first_pair = self.parts.iter().map(EventPart::pairs).sum();
            config.parts.push(EventPart {
                engines: Places((0..self.engines.len() as u16).filter(is_present).collect()),
                challengers,
                games: games - before,
                meetings: before / 2,
                seed: self.seed,
                first_pair,
            });
        }
        config.validate()?;
        Ok(config)
    }

    /// The same event without that engine: the games it has played stay, the others are dropped.
    ///
    /// # Errors
    /// When the format does not allow that, or too few would be left.
    pub(crate) fn without_engine(
        &self,
        place: usize,
        reason: &str,
    ) -> Result<EventConfig, ConfigError> {
        self.check_open("engines")?;
        let mut config = self.clone();
        let label = self.labels().swap_remove(place);
        let refuse = |problem| Err(ConfigError::option("engines", problem));
        if self.engines[place].removed.is_some() {
            return refuse(format!("{label} was removed already"));
        }
        config.engines[place].removed = Some(reason.to_owned());
        let gone = config.gone();
        if config.engines.len() - gone.len() < 2 {
            return refuse(format!("without {label} fewer than two engines would play"));
        }
        let challengers = config.challengers as usize;
        let has_both = |split: usize| {
            !(0..split).all(|one| gone.contains(&one))
                && !(split..config.engines.len()).all(|one| gone.contains(&one))
        };
        if config.format == EventFormat::Gauntlet && !has_both(challengers) {
            return refuse(format!("{label} is the last challenger, or the last who meets one"));
        }
        // Games that are added later are then added without it.
        config.parts = config.parts_so_far();
        config.validate()?;
        Ok(config)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(engines: usize, games: u32) -> EventConfig {
        let engines = (0..engines).map(|engine| EngineEntry::new(format!("e{engine}"))).collect();
        EventConfig { engines, games, seed: 7, ..EventConfig::default() }
    }

    #[test]
    fn what_was_scheduled_keeps_its_numbers() {
        let began = event(3, 4);
        let grown = began.with_engines(&[EngineEntry::new("x"), EngineEntry::new("y")]).unwrap();
        assert_eq!(grown.schedule().len(), 12 + 12 + 16);
        assert!(grown.schedule().iter().take(12).eq(began.schedule().iter()));
        let longer = grown.with_games(6).unwrap();
        assert!(longer.schedule().iter().take(40).eq(grown.schedule().iter()));
        assert_eq!(longer.schedule().len(), 40 + 20);
        assert!(longer.schedule().iter().skip(40).all(|game| game.meeting == 3));
        let read = EventConfig::from_toml(&longer.to_toml(), "x".as_ref()).unwrap();
        assert_eq!(read, longer);
    }

    #[test]
    fn who_left_is_met_by_nobody_who_comes_later() {
        let left = event(3, 2).without_engine(1, "it left").unwrap();
        let gone = left.gone();
        assert_eq!(left.schedule().len_without(&gone), 2);
        let grown = left.with_engines(&[EngineEntry::new("x")]).unwrap();
        assert_eq!(grown.schedule().len(), 6 + 4);
        assert!(grown.schedule().iter().skip(6).all(|game| game.seat_of(1).is_none()));
        let again = grown.without_engine(1, "again").unwrap_err().to_string();
        assert!(again.contains("removed already"), "{again}");
        let few = event(2, 2).without_engine(0, "it left").unwrap_err().to_string();
        assert!(few.contains("fewer than two"), "{few}");
    }

    #[test]
    fn a_gauntlet_grows_by_opponents() {
        let format = EventFormat::Gauntlet;
        let began = EventConfig { format, challengers: 2, ..event(5, 2) };
        let grown = began.with_engines(&[EngineEntry::new("x")]).unwrap();
        assert_eq!(grown.schedule().len(), 12 + 4);
        let alone = EventConfig { format, challengers: 1, ..event(3, 2) };
        let error = alone.without_engine(0, "it left").unwrap_err().to_string();
        assert!(error.contains("last challenger"), "{error}");
    }

    #[test]
    fn formats_that_depend_on_everybody_are_not_changed() {
        let knockout = EventConfig { format: EventFormat::Knockout, ..event(4, 2) };
        let error = knockout.without_engine(0, "it left").unwrap_err().to_string();
        assert!(error.contains("knockout") && error.contains("engines"), "{error}");
        let test = "elo0=0,elo1=5".parse().ok();
        let test = EventConfig { sprt: test, ..event(2, 2) };
        assert!(test.with_engines(&[EngineEntry::new("x")]).is_err());
    }
}
