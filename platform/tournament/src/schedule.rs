//! Which engines play which game.

mod part;
mod staged;

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tengen_rules::{BySeat, Seat};

pub(crate) use part::Part;
use part::PlacedPart;
pub(crate) use staged::{PartGames, StagePart, Staged};

/// Which engines meet in which order: a pure function from a game's number to the game.
///
/// Every two engines meet in `games` games. They are played in pairs with the seats swapped: both
/// games of a pair have the same opening and the same seed, and stand next to each other. When
/// `games` is odd, the last game of every pairing is single. Rounds follow the circle method: in a
/// round every engine plays one pair (with an odd number of engines one sits out), so that at any
/// moment all have played about equally much. When every pairing has had a pair, the circle starts
/// again.
///
/// ```
/// use tengen_tournament::Schedule;
/// let schedule = Schedule::new(5, 4, 7);
/// assert_eq!(schedule.len(), 10 * 4);
/// let game = schedule.get(1).unwrap();
/// let twin = schedule.get(2).unwrap();
/// assert_eq!(game.pair, twin.pair);
/// assert_eq!(game.seed, twin.seed);
/// assert_eq!(game.seats.first, twin.seats.second);
/// ```
///
/// In a gauntlet the first engines, its challengers, meet each of the others, and no other two
/// meet: every opponent in turn plays a pair against each challenger, and when all have, they
/// begin again.
///
/// An event that grew has a schedule of parts, one behind the other, so that the games it had keep
/// their numbers.
/// Where a format draws its rounds as the event goes on, this is what is drawn so far.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Schedule {
    engines: u64,
    /// Those that meet all others in a gauntlet; none where all meet each other.
    challengers: Option<u64>,
    games: u64,
    seed: u64,
    /// The parts of an event that grew, in place of the rest; none where it did not.
    parts: Arc<[PlacedPart]>,
    /// What was drawn, in place of the rest; none where nothing is drawn.
    staged: Option<Arc<Staged>>,
}

/// One game of a schedule. Everything is counted from 1, engines from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScheduledGame {
    /// The game's own number, in the order in which games are begun.
    pub number: u64,
    pub round: u64,
    /// The pair of games with seats swapped.
    pub pair: u64,
    /// How often the two have met, this pair included.
    pub meeting: u64,
    /// The event's engines by seat.
    pub seats: BySeat<usize>,
    /// The pair's seed, below 2⁵³.
    pub seed: u64,
    /// The stage of the event, counted from 0.
    pub stage: u16,
    /// Whether it is a decider that is played by the shorter clock.
    pub is_fast: bool,
}

impl Schedule {
    /// A round-robin of so many engines, with so many games for every two of them.
    ///
    /// # Panics
    /// With fewer than two engines, or more than 65,535.
    pub fn new(engines: usize, games: u32, seed: u64) -> Schedule {
        assert!((2..=usize::from(u16::MAX)).contains(&engines), "an event has 2 to 65,535 engines");
        let (engines, challengers) = (engines as u64, None);
        let games = u64::from(games);
        Schedule { engines, challengers, games, seed, parts: Arc::default(), staged: None }
    }

    /// Parts, one behind the other.
    pub(crate) fn of_parts(parts: impl IntoIterator<Item = Part>) -> Schedule {
        Schedule { parts: PlacedPart::place(parts), ..Schedule::new(2, 0, 0) }
    }

    /// The games that were drawn so far.
    pub(crate) fn staged(staged: Arc<Staged>, seed: u64) -> Schedule {
        Schedule { staged: Some(staged), ..Schedule::new(2, 0, seed) }
    }

    /// A gauntlet of so many engines, of which the first `challengers` meet all others.
    ///
    /// # Panics
    /// With fewer than two engines, more than 65,535, no challenger, or none that they could
    /// meet.
    pub fn gauntlet(engines: usize, challengers: usize, games: u32, seed: u64) -> Schedule {
        assert!((1..engines).contains(&challengers), "challengers have opponents");
        let challengers = Some(challengers as u64);
        Schedule { challengers, ..Schedule::new(engines, games, seed) }
    }

    /// The number of games.
    pub fn len(&self) -> u64 {
        if let Some(staged) = &self.staged {
            return staged.len();
        }
        self.parts.last().map_or_else(|| self.pairings() * self.games, PlacedPart::end)
    }

    /// The number of games that none of these engines plays. Of what is drawn as the event goes on
    /// none is ever gone.
    pub fn len_without(&self, gone: &BTreeSet<usize>) -> u64 {
        match &self.parts[..] {
            _ if self.staged.is_some() => self.len(),
            [] => self.count_without(|engine| gone.contains(&engine)),
            parts => parts.iter().map(|part| part.len_without(gone)).sum(),
        }
    }

    fn count_without(&self, is_gone: impl Fn(usize) -> bool) -> u64 {
        let left = |from: u64, to: u64| (from..to).filter(|&one| !is_gone(one as usize)).count();
        let pairings = match self.challengers {
            Some(some) => left(0, some) * left(some, self.engines),
            None => {
                let left = left(0, self.engines);
                left * left.saturating_sub(1) / 2
            }
        };
        pairings as u64 * self.games
    }

    /// Whether there is no game.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The game of that number, from 1 to [`Schedule::len`].
    pub fn get(&self, number: u64) -> Option<ScheduledGame> {
        if let Some(staged) = &self.staged {
            return staged.get(self.seed, number);
        }
        if !self.parts.is_empty() {
            return PlacedPart::of(&self.parts, number)?.get(number);
        }
        let index = number.checked_sub(1).filter(|&index| index < self.len())?;
        let paired = self.games / 2 * 2 * self.pairings();
        let (pair, swapped) = match index.checked_sub(paired) {
            Some(single) => (paired / 2 + single, false),
            None => (index / 2, index % 2 == 1),
        };
        let (cycle, pairing) = (pair / self.pairings(), pair % self.pairings());
        let boards = self.challengers.unwrap_or(self.engines / 2);
        let rounds = self.pairings() / boards;
        let seats = self.seats(pairing / boards, pairing % boards);
        Some(ScheduledGame {
            number,
            round: cycle * rounds + pairing / boards + 1,
            pair: pair + 1,
            meeting: cycle + 1,
            seats: if swapped {
                BySeat { first: seats.second, second: seats.first }
            } else {
                seats
            },
            seed: pair_seed(self.seed, pair),
            stage: 0,
            is_fast: false,
        })
    }

    /// The number of the other game of the pair, if it has one.
    pub fn twin(&self, number: u64) -> Option<u64> {
        if let Some(staged) = &self.staged {
            return staged.twin(number);
        }
        if !self.parts.is_empty() {
            return PlacedPart::of(&self.parts, number)?.twin(number);
        }
        let paired = self.games / 2 * 2 * self.pairings();
        (1..=paired).contains(&number).then(|| ((number - 1) ^ 1) + 1)
    }

    pub fn iter(&self) -> impl Iterator<Item = ScheduledGame> + '_ {
        (1..=self.len()).filter_map(|number| self.get(number))
    }

    fn pairings(&self) -> u64 {
        match self.challengers {
            Some(challengers) => challengers * (self.engines - challengers),
            None => self.engines * (self.engines - 1) / 2,
        }
    }

    /// The circle method: one place is fixed, the others turn by one a round. With an odd number of
    /// engines none sits on the fixed place. The first seat alternates so that over a circle of
    /// single games no engine does so more than once oftener than it sits second.
    ///
    /// In a gauntlet a round has one opponent and all challengers.
    fn seats(&self, round: u64, board: u64) -> BySeat<usize> {
        if let Some(challengers) = self.challengers {
            let seats = BySeat { first: board as usize, second: (challengers + round) as usize };
            let is_swapped = (board + round) % 2 == 1;
            let swapped = BySeat { first: seats.second, second: seats.first };
            return if is_swapped { swapped } else { seats };
        }
        let turning = self.engines - 1 + self.engines % 2;
        let fixed_plays = self.engines.is_multiple_of(2);
        let board = if fixed_plays { board } else { board + 1 };
        let (one, other, swap) = if board == 0 {
            (round, turning, round % 2 == 1)
        } else {
            let one = (round + board) % turning;
            (one, (round + turning - board) % turning, board.is_multiple_of(2))
        };
        let seats = BySeat { first: one as usize, second: other as usize };
        if swap { BySeat { first: seats.second, second: seats.first } } else { seats }
    }
}

impl ScheduledGame {
    /// The seat of that engine, if it plays.
    pub fn seat_of(&self, engine: usize) -> Option<Seat> {
        Seat::ALL.into_iter().find(|&seat| self.seats[seat] == engine)
    }
}

/// The seed of a pair, counted from 0: number `pair` of the sequence that the event's seed begins.
/// Its upper 53 bits are kept, which every reader of JSON holds exactly.
fn pair_seed(event: u64, pair: u64) -> u64 {
    tengen_random::output(event, pair) >> 11
}

#[cfg(test)]
mod tests;
