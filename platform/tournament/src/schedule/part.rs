//! A part of the schedule of an event that grew.

use std::collections::BTreeSet;
use std::sync::Arc;

use tengen_rules::BySeat;

use super::{Schedule, ScheduledGame, pair_seed};

/// Games between some of an event's engines, which come behind those of the parts before it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Part {
    /// The same games between engines that are numbered from 0.
    pub schedule: Schedule,
    /// Which of the event's engines each of those is.
    pub engines: Arc<[u16]>,
    /// How often every two of them had met before.
    pub meetings: u64,
    /// The pair of the sequence of seeds that its first one is.
    pub first_pair: u64,
}

/// A part, and what is before it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct PlacedPart {
    part: Part,
    games: u64,
    pairs: u64,
    rounds: u64,
}

impl PlacedPart {
    /// Puts parts one behind the other.
    pub fn place(parts: impl IntoIterator<Item = Part>) -> Arc<[PlacedPart]> {
        let (mut games, mut pairs, mut rounds) = (0, 0, 0);
        let place = |part: Part| {
            let placed = PlacedPart { part, games, pairs, rounds };
            if let Some(last) = placed.part.schedule.get(placed.part.schedule.len()) {
                (games, pairs, rounds) =
                    (games + last.number, pairs + last.pair, rounds + last.round);
            }
            placed
        };
        parts.into_iter().map(place).collect()
    }

    /// The number of games of it and all before it.
    pub fn end(&self) -> u64 {
        self.games + self.part.schedule.len()
    }

    /// The part of the game of that number, if there is one.
    pub fn of(parts: &[PlacedPart], number: u64) -> Option<&PlacedPart> {
        parts.get(parts.partition_point(|part| part.end() < number)).filter(|_| number > 0)
    }

    pub fn get(&self, number: u64) -> Option<ScheduledGame> {
        let PlacedPart { part, games, pairs, rounds } = self;
        let game = part.schedule.get(number.checked_sub(*games)?)?;
        let engine = |place: usize| usize::from(part.engines[place]);
        Some(ScheduledGame {
            number,
            round: rounds + game.round,
            pair: pairs + game.pair,
            meeting: part.meetings + game.meeting,
            seats: BySeat { first: engine(game.seats.first), second: engine(game.seats.second) },
            seed: pair_seed(part.schedule.seed, part.first_pair + game.pair - 1),
            ..game
        })
    }

    pub fn twin(&self, number: u64) -> Option<u64> {
        Some(self.games + self.part.schedule.twin(number.checked_sub(self.games)?)?)
    }

    /// How many of its games none of these engines plays.
    pub fn len_without(&self, gone: &BTreeSet<usize>) -> u64 {
        let is_gone = |place: usize| gone.contains(&usize::from(self.part.engines[place]));
        self.part.schedule.count_without(is_gone)
    }
}
