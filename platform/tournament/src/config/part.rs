//! The parts of an event that grew, as `event.toml` has them.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::{ParseOptionError, text};
use crate::Schedule;
use crate::schedule::Part;

/// Games of some of an event's engines. An event that grew, or that was merged from two, has one
/// part for what it began with and one for each addition, in the order in which their games are
/// numbered.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct EventPart {
    #[serde(with = "text")]
    pub engines: Places,
    /// How many of the first of these meet all the others; none if all meet all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub challengers: Option<u32>,
    /// The number of games between every two.
    pub games: u32,
    /// How often every two of them had met before, two games at a time.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub meetings: u32,
    pub seed: u64,
    /// How many pairs of that seed were there before.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub first_pair: u64,
}

fn is_zero<T: Default + PartialEq>(number: &T) -> bool {
    *number == T::default()
}

impl EventPart {
    /// What is wrong with it in an event of so many engines.
    pub(super) fn problem(&self, engines: usize) -> Option<String> {
        let Places(places) = &self.engines;
        let most = |&place: &u16| usize::from(place) >= engines;
        if let Some(place) = places.iter().find(|place| most(place)) {
            return Some(format!("there is no engine {place}; they are counted from 0"));
        }
        let challengers = self.challengers.map(|some| some as usize);
        if places.len() < 2 || challengers.is_some_and(|some| !(1..places.len()).contains(&some)) {
            return Some("a part has two engines or more, and fewer challengers".to_owned());
        }
        (self.games == 0).then(|| "a part has one game or more".to_owned())
    }

    /// Which engines meet in it.
    pub(super) fn schedule(&self) -> Part {
        let Places(places) = &self.engines;
        let schedule = match self.challengers {
            Some(some) => Schedule::gauntlet(places.len(), some as usize, self.games, self.seed),
            None => Schedule::new(places.len(), self.games, self.seed),
        };
        Part {
            schedule,
            engines: places.as_slice().into(),
            meetings: self.meetings.into(),
            first_pair: self.first_pair,
        }
    }

    /// The number of its games.
    pub(crate) fn len(&self) -> u64 {
        self.schedule().schedule.len()
    }

    /// The number of its pairs, a single game among them.
    pub(super) fn pairs(&self) -> u64 {
        let schedule = self.schedule().schedule;
        schedule.get(schedule.len()).map_or(0, |last| last.pair)
    }
}

/// Places in an event's list of engines, counted from 0, in an order: `3,0-2`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Places(pub Vec<u16>);

impl FromStr for Places {
    type Err = ParseOptionError;

    fn from_str(text: &str) -> Result<Places, ParseOptionError> {
        read(text).map(Places).ok_or_else(|| {
            ParseOptionError::new(text, "places of engines, counted from 0, each once, as in 3,0-2")
        })
    }
}

fn read(text: &str) -> Option<Vec<u16>> {
    let mut places = Vec::new();
    for range in text.split(',') {
        let (from, to) = range.split_once('-').unwrap_or((range, range));
        let (from, to) = (from.parse::<u16>().ok()?, to.parse::<u16>().ok()?);
        if from > to {
            return None;
        }
        places.extend(from..=to);
    }
    let mut sorted = places.clone();
    sorted.sort_unstable();
    sorted.dedup();
    (sorted.len() == places.len()).then_some(places)
}

impl fmt::Display for Places {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = &self.0[..];
        while let Some(&from) = rest.first() {
            let run = rest.iter().zip(from..).take_while(|(place, next)| *place == next).count();
            let end = rest[run - 1];
            rest = &rest[run..];
            let comma = if rest.is_empty() { "" } else { "," };
            match run {
                1 => write!(f, "{from}{comma}")?,
                _ => write!(f, "{from}-{end}{comma}")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_read_as_they_are_written() {
        for text in ["0", "3,0-2", "0-999", "1,3,5-6"] {
            assert_eq!(text.parse::<Places>().unwrap().to_string(), text);
        }
        assert_eq!("0,1,2".parse::<Places>().unwrap().to_string(), "0-2");
        for text in ["", "2-1", "1,1", "0-3,2", "-1", "a"] {
            assert!(text.parse::<Places>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_part_that_cannot_be_played_is_refused() {
        let part = |engines: &str, challengers, games| EventPart {
            engines: engines.parse().unwrap(),
            challengers,
            games,
            meetings: 0,
            seed: 0,
            first_pair: 0,
        };
        assert_eq!(part("3,0-2", Some(1), 4).problem(4), None);
        for (part, word) in [
            (part("0-3", None, 4), "no engine 3"),
            (part("0", None, 4), "two engines"),
            (part("0-2", Some(3), 4), "fewer challengers"),
            (part("0-2", None, 0), "one game"),
        ] {
            assert!(part.problem(3).is_some_and(|problem| problem.contains(word)));
        }
    }
}
