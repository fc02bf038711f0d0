//! The configuration of an event that grows or loses an engine.

use std::collections::{BTreeMap, BTreeSet};

use super::part::{EventPart, Places};
use super::{ConfigError, EngineEntry, EventConfig, EventFormat};

impl EventConfig {
    /// The parts of the event; one where it did not grow.
    pub(crate) fn parts_so_far(&self) -> Vec<EventPart> {
        if !self.parts.is_empty() {
            return self.parts.clone();
        }
        let is_gauntlet = self.own.format == EventFormat::Gauntlet;
        vec![EventPart {
            engines: Places((0..self.engines.len() as u16).collect()),
            challengers: is_gauntlet.then_some(self.own.challengers() as u32),
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

    /// Refuses new engines in an event whose schedule does not allow them.
    pub fn check_open(&self, option: &'static str) -> Result<(), ConfigError> {
        if self.sprt.is_some() {
            return Err(ConfigError::option(option, "a test is of the engines it began with"));
        }
        if !self.is_drawn_at_once() {
            let problem = format!(
                "the pairings of the format {} depend on the engines that it began with; only \
                 a round-robin and a gauntlet can be changed so",
                self.own.format
            );
            return Err(ConfigError::option(option, problem));
        }
        Ok(())
    }

    pub(super) fn validate_rounds(&self) -> Result<(), ConfigError> {
        let refuse = |problem| Err(ConfigError::option("rounds-by-hand", problem));
        match self.rounds_by_hand {
            Some(0) => refuse("expected at least 1: the first round is begun with the event"),
            Some(_) if self.is_drawn_at_once() => refuse(
                "every game is known before the first one here; choose a format whose rounds \
                 follow from each other, such as swiss or knockout",
            ),
            _ => Ok(()),
        }
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

    /// The same event with these engines too. Each meets all that play by then; in a gauntlet, the
    /// challengers.
    ///
    /// # Errors
    /// When the format does not allow that, or there would be too many.
    pub(crate) fn with_engines(&self, engines: &[EngineEntry]) -> Result<EventConfig, ConfigError> {
        self.check_open("engines")?;
        let mut config = EventConfig { parts: self.parts_so_far(), ..self.clone() };
        for engine in engines {
            let place = config.engines.len() as u16;
            let met = match self.own.format {
                EventFormat::Gauntlet => self.own.challengers() as u16,
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

    /// The same event with so many games between every two engines that still play.
    ///
    /// # Errors
    /// When it has as many, or its last game is no part of a pair.
    pub(crate) fn with_games(&self, games: u32) -> Result<EventConfig, ConfigError> {
        let before = self.games;
        let refuse = |problem| Err(ConfigError::option("games", problem));
        if !self.is_drawn_at_once() {
            let what = match self.stages.is_empty() {
                true => self.own.format.to_string(),
                false => "an event with stages".to_owned(),
            };
            return refuse(format!(
                "rounds of {what} follow from each other, and cannot have more; only round-robin \
                 and gauntlet can"
            ));
        }
        let all_play = self.games_of_all();
        let enough = format!("every two engines play {all_play} already; name more");
        let mut config = EventConfig { games, ..self.clone() };
        // Where nothing else was added, those that were played are the first of the new schedule.
        if self.parts.is_empty() {
            if games <= before {
                return refuse(enough);
            }
            if before % 2 == 1 {
                return refuse(format!(
                    "{before} games are an odd number, and the last one of each two engines is no \
                     part of a pair; only an event of pairs can have more"
                ));
            }
        } else {
            self.check_open("games")?;
            let parts = self.parts_up_to(games)?;
            if parts.is_empty() {
                return refuse(enough);
            }
            if games < before {
                return refuse(format!(
                    "some two engines play {before} already; name {before} or more"
                ));
            }
            config.parts.extend(parts);
        }
        config.validate()?;
        Ok(config)
    }

    /// How many games every two engines that are to meet, and still play, have at least. A merged
    /// event may have more than each of its sources.
    pub fn games_of_all(&self) -> u32 {
        if self.parts.is_empty() {
            return self.games;
        }
        self.pairs_to_meet().into_iter().map(|(_, games)| games).min().unwrap_or(self.games)
    }

    /// Every two that are to meet and still play, with the games that they have.
    fn pairs_to_meet(&self) -> Vec<([usize; 2], u32)> {
        let scheduled = Meetings::of(&self.parts, self.engines.len());
        let (gone, challengers) = (self.gone(), self.own.challengers());
        let present: Vec<usize> =
            (0..self.engines.len()).filter(|place| !gone.contains(place)).collect();
        let mut meetings = Vec::new();
        for (at, &one) in present.iter().enumerate() {
            for &other in &present[at + 1..] {
                let games = scheduled.games(one, other);
                // A challenger and another; and two that met in one of the events that were merged.
                let is_to_meet = self.own.format != EventFormat::Gauntlet
                    || (one < challengers) != (other < challengers)
                    || games > 0;
                if is_to_meet {
                    meetings.push(([one, other], games));
                }
            }
        }
        meetings
    }

    /// What to add so that every two engines that are to meet, and still play, have so many games.
    /// Merged events may have had different lengths and different engines.
    fn parts_up_to(&self, games: u32) -> Result<Vec<EventPart>, ConfigError> {
        // Those that have met equally often are added together.
        let mut short = BTreeMap::<u32, Vec<Vec<u16>>>::new();
        for ([one, other], before) in self.pairs_to_meet() {
            if before >= games {
                continue;
            }
            if before % 2 == 1 {
                let labels = self.labels();
                let problem = format!(
                    "{} and {} play {before}, an odd number, and the last one is no part of a \
                     pair; only an event of pairs can have more",
                    labels[one], labels[other]
                );
                return Err(ConfigError::option("games", problem));
            }
            let opponents =
                short.entry(before).or_insert_with(|| vec![Vec::new(); self.engines.len()]);
            opponents[one].push(other as u16);
        }
        let mut first_pair = self.parts.iter().map(EventPart::pairs).sum();
        let mut parts = Vec::new();
        for (before, opponents) in short {
            for (engines, challengers) in fields(opponents) {
                let part = EventPart {
                    engines: Places(engines),
                    challengers,
                    games: games - before,
                    meetings: before / 2,
                    seed: self.seed,
                    first_pair,
                };
                first_pair += part.pairs();
                parts.push(part);
            }
        }
        Ok(parts)
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
        let challengers = config.own.challengers();
        let has_both = |split: usize| {
            !(0..split).all(|one| gone.contains(&one))
                && !(split..config.engines.len()).all(|one| gone.contains(&one))
        };
        if config.own.format == EventFormat::Gauntlet && !has_both(challengers) {
            return refuse(format!("{label} is the last challenger, or the last to meet one"));
        }
        // Games that are added later are then added without it.
        config.parts = config.parts_so_far();
        config.validate()?;
        Ok(config)
    }
}

/// How many games every two engines have in some parts.
struct Meetings {
    engines: usize,
    games: Vec<u32>,
}

impl Meetings {
    fn of(parts: &[EventPart], engines: usize) -> Meetings {
        let mut meetings = Meetings { engines, games: vec![0; engines * engines] };
        for EventPart { engines: Places(places), challengers, games, .. } in parts {
            let challengers = challengers.map(|some| some as usize);
            for (at, &one) in places.iter().enumerate().take(challengers.unwrap_or(places.len())) {
                for &other in &places[challengers.unwrap_or(at + 1)..] {
                    for (one, other) in [(one, other), (other, one)] {
                        let place = usize::from(one) * engines + usize::from(other);
                        meetings.games[place] = meetings.games[place].saturating_add(*games);
                    }
                }
            }
        }
        meetings
    }

    fn games(&self, one: usize, other: usize) -> u32 {
        self.games[one * self.engines + other]
    }
}

/// Round-robins and gauntlets that together have these meetings and no others: of each engine with
/// some of those behind it. With each goes how many of its first engines meet the rest; none if all
/// meet all.
fn fields(mut opponents: Vec<Vec<u16>>) -> Vec<(Vec<u16>, Option<u32>)> {
    let mut fields = Vec::new();
    for one in 0..opponents.len() {
        let mut all = vec![one as u16];
        all.extend(&opponents[one]);
        if all.len() == 1 {
            continue;
        }
        let is_met_by_all = |at: usize| opponents[usize::from(all[at])].starts_with(&all[at + 1..]);
        if all.len() > 2 && (1..all.len()).all(is_met_by_all) {
            // All of these meet each other; some may meet others, too.
            for (at, &place) in all.iter().enumerate() {
                opponents[usize::from(place)].drain(..all.len() - at - 1);
            }
            fields.push((all, None));
            continue;
        }
        let met = std::mem::take(&mut opponents[one]);
        let mut challengers = vec![one as u16];
        for (other, theirs) in opponents.iter_mut().enumerate().skip(one + 1) {
            // The same opponents, and they do not meet each other.
            if *theirs == met {
                theirs.clear();
                challengers.push(other as u16);
            }
        }
        let count = challengers.len() as u32;
        challengers.extend(met);
        fields.push((challengers, Some(count)));
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::StageConfig;
    use crate::schedule::Part;

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

    /// Two events of the same two engines make one in which these play more games than in either.
    #[test]
    fn what_is_refused_says_how_many_games_all_have() {
        let mut merged = event(3, 4);
        let part = |engines: &[u16], games, first_pair| EventPart {
            engines: Places(engines.to_vec()),
            challengers: None,
            games,
            meetings: 0,
            seed: 7,
            first_pair,
        };
        merged.parts = vec![part(&[0, 1, 2], 4, 0), part(&[0, 1, 2], 4, 6)];
        assert_eq!(merged.games_of_all(), 8);
        let refused =
            |config: &EventConfig, games| config.with_games(games).unwrap_err().to_string();
        assert!(refused(&merged, 8).contains("play 8 already"), "{}", refused(&merged, 8));
        let longer = merged.with_games(10).unwrap();
        assert_eq!((longer.games_of_all(), longer.schedule().len()), (10, 30));
        // Some met in neither event, and still no two may have fewer games than others already
        // have.
        merged.parts = vec![part(&[0, 1], 4, 0)];
        assert_eq!(merged.games_of_all(), 0);
        let few = refused(&merged, 2);
        assert!(few.contains("some two engines play 4 already; name 4 or more"), "{few}");
        assert_eq!(merged.with_games(4).unwrap().games_of_all(), 4);
    }

    #[test]
    fn an_engine_that_left_is_met_by_none_that_comes_later() {
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
        let gauntlet = |challengers| StageConfig {
            challengers: Some(challengers),
            ..StageConfig::of(EventFormat::Gauntlet)
        };
        let began = EventConfig { own: gauntlet(2), ..event(5, 2) };
        let grown = began.with_engines(&[EngineEntry::new("x")]).unwrap();
        assert_eq!(grown.schedule().len(), 12 + 4);
        let alone = EventConfig { own: gauntlet(1), ..event(3, 2) };
        let error = alone.without_engine(0, "it left").unwrap_err().to_string();
        assert!(error.contains("last challenger"), "{error}");
    }

    /// Any graph of meetings becomes fields with these meetings, each once.
    #[test]
    fn fields_have_the_meetings_and_no_others() {
        let mut random = tengen_random::Random::new(5);
        for case in 0..400 {
            let engines = 2 + case % 9;
            let share = case % 7;
            let mut wanted = BTreeSet::new();
            let mut opponents = vec![Vec::new(); engines];
            for (one, behind) in opponents.iter_mut().enumerate() {
                for other in one + 1..engines {
                    if random.below(6) < share {
                        wanted.insert((one as u16, other as u16));
                        behind.push(other as u16);
                    }
                }
            }
            let mut met = BTreeSet::new();
            let fields = fields(opponents);
            if wanted.len() == engines * (engines - 1) / 2 {
                assert_eq!(fields.len(), 1);
            }
            for (places, challengers) in fields {
                let part = EventPart {
                    engines: Places(places),
                    challengers,
                    games: 1,
                    meetings: 0,
                    seed: 0,
                    first_pair: 0,
                };
                assert_eq!(part.problem(engines), None);
                let Part { schedule, engines, .. } = part.schedule();
                for game in schedule.iter() {
                    let seats = [game.seats.first, game.seats.second].map(|at| engines[at]);
                    let pair = (seats[0].min(seats[1]), seats[0].max(seats[1]));
                    assert!(met.insert(pair), "{pair:?} twice");
                }
            }
            assert_eq!(met, wanted);
        }
    }

    #[test]
    fn formats_that_depend_on_everybody_are_not_changed() {
        let knockout = EventConfig { own: StageConfig::of(EventFormat::Knockout), ..event(4, 2) };
        let error = knockout.without_engine(0, "it left").unwrap_err().to_string();
        assert!(error.contains("knockout") && error.contains("engines"), "{error}");
        let error = knockout.with_engines(&[EngineEntry::new("x")]).unwrap_err().to_string();
        assert!(error.contains("engines") && error.contains("the format knockout"), "{error}");
        let test = "elo0=0,elo1=5".parse().ok();
        let test = EventConfig { sprt: test, ..event(2, 2) };
        assert!(test.with_engines(&[EngineEntry::new("x")]).is_err());
    }
}
