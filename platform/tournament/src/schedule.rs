//! Which engines play which game.

mod part;
mod staged;

use std::collections::BTreeSet;
use std::sync::Arc;

use tengen_rules::{BySeat, Seat};

pub(crate) use part::Part;
use part::PlacedPart;
pub(crate) use staged::{PartGames, StagePart, Staged};

/// Who meets whom in which order: a pure function from a game's number to the game.
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
/// In a gauntlet the first engines, its challengers, meet each of the others, and nobody else
/// meets: every opponent in turn plays a pair against each challenger, and when all have, they
/// begin again.
///
/// An event that grew has a schedule of parts, one behind the other, so that the games it had keep
/// their numbers.
/// Where a format draws its rounds as the event goes on, this is what is drawn so far.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Schedule {
    engines: u64,
    /// Those who meet all others in a gauntlet; none where everybody meets everybody.
    challengers: Option<u64>,
    games: u64,
    seed: u64,
    /// The parts of an event that grew, in place of the rest; none where it did not.
    parts: Arc<[PlacedPart]>,
    /// What was drawn, in place of the rest; none where nothing is drawn.
    staged: Option<Arc<Staged>>,
}

/// One game of a schedule. Everything is counted from 1, engines from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScheduledGame {
    /// The game's own number, in the order in which games are begun.
    pub number: u64,
    /// The round.
    pub round: u64,
    /// The pair of games with seats swapped.
    pub pair: u64,
    /// How often the two have met, this pair included.
    pub meeting: u64,
    /// Which of the event's engines sits where.
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
    /// With fewer than two engines, more than 65,535, no challenger, or nobody whom they could
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
    /// nobody is ever gone.
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

    /// Every game in order.
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
    /// engines nobody sits on the fixed place. Who sits first alternates so that over a circle of
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
mod tests {
    use super::*;
    use std::collections::{BTreeMap, BTreeSet};

    #[test]
    fn every_two_engines_meet_equally_often_on_both_seats() {
        for engines in 2..=9 {
            for games in 1..=5 {
                let schedule = Schedule::new(engines, games, 1);
                let mut met = BTreeMap::<(usize, usize), u32>::new();
                for game in schedule.iter() {
                    assert_ne!(game.seats.first, game.seats.second);
                    *met.entry((game.seats.first, game.seats.second)).or_default() += 1;
                }
                assert_eq!(schedule.iter().count() as u64, schedule.len());
                for a in 0..engines {
                    for b in 0..a {
                        let count = |a, b| met.get(&(a, b)).copied().unwrap_or(0);
                        assert_eq!(count(a, b) + count(b, a), games, "{a} {b} of {engines}");
                        assert_eq!(count(a, b).abs_diff(count(b, a)), games % 2);
                    }
                }
            }
        }
    }

    #[test]
    fn a_round_has_every_engine_once() {
        for engines in 2..=9 {
            let schedule = Schedule::new(engines, 4, 1);
            let mut rounds = BTreeMap::<u64, BTreeSet<(u64, usize)>>::new();
            for game in schedule.iter() {
                let round = rounds.entry(game.round).or_default();
                round.insert((game.pair, game.seats.first));
                round.insert((game.pair, game.seats.second));
            }
            for seats in rounds.values() {
                let playing: BTreeSet<usize> = seats.iter().map(|&(_, engine)| engine).collect();
                assert_eq!(playing.len(), seats.len(), "an engine plays one pair a round");
                assert_eq!(playing.len(), engines / 2 * 2);
            }
        }
    }

    #[test]
    fn single_games_share_the_seats_out() {
        for engines in 2..=9_usize {
            let mut balance = vec![0_i32; engines];
            for game in Schedule::new(engines, 1, 1).iter() {
                balance[game.seats.first] += 1;
                balance[game.seats.second] -= 1;
            }
            assert!(balance.iter().all(|seats| seats.abs() <= 1), "{engines}: {balance:?}");
        }
    }

    #[test]
    fn challengers_meet_everybody_else_and_nobody_else_meets() {
        for engines in 2..=9 {
            for challengers in 1..engines {
                for games in 1..=4 {
                    let schedule = Schedule::gauntlet(engines, challengers, games, 1);
                    let mut met = BTreeMap::<(usize, usize), u32>::new();
                    for game in schedule.iter() {
                        *met.entry((game.seats.first, game.seats.second)).or_default() += 1;
                    }
                    assert_eq!(met.values().sum::<u32>() as u64, schedule.len());
                    for one in 0..engines {
                        for other in 0..one {
                            let count = |a, b| met.get(&(a, b)).copied().unwrap_or(0);
                            let (there, back) = (count(one, other), count(other, one));
                            let meet = other < challengers && one >= challengers;
                            assert_eq!(there + back, if meet { games } else { 0 });
                            assert!(there.abs_diff(back) <= games % 2);
                        }
                    }
                    assert!(schedule.iter().zip(1..).all(|(game, number)| game.number == number));
                }
            }
        }
    }

    #[test]
    fn a_round_of_a_gauntlet_has_one_opponent() {
        let schedule = Schedule::gauntlet(6, 2, 4, 1);
        assert_eq!(schedule.len(), 2 * 4 * 4);
        let first: Vec<_> = schedule.iter().take(4).map(|game| game.seats).collect();
        assert_eq!(first[0], BySeat { first: 0, second: 2 });
        assert_eq!(first[1], BySeat { first: 2, second: 0 });
        assert_eq!(first[2], BySeat { first: 2, second: 1 });
        let rounds: Vec<_> = schedule.iter().map(|game| game.round).collect();
        assert_eq!((rounds[0], rounds[3], rounds[4], rounds[31]), (1, 1, 2, 8));
    }

    #[test]
    fn twins_are_the_two_games_of_a_pair() {
        for games in 1..=5 {
            let schedule = Schedule::new(4, games, 3);
            for game in schedule.iter() {
                let same_pair: Vec<u64> = schedule
                    .iter()
                    .filter(|other| other.pair == game.pair && other.number != game.number)
                    .map(|other| other.number)
                    .collect();
                assert_eq!(schedule.twin(game.number).as_slice(), same_pair);
            }
        }
    }

    #[test]
    fn seeds_are_those_of_splitmix64() {
        // The first outputs of the published generator from state 0.
        assert_eq!(pair_seed(0, 0), 0xe220_a839_7b1d_cdaf >> 11);
        assert_eq!(pair_seed(0, 1), 0x6e78_9e6a_a1b9_65f4 >> 11);
        assert_eq!(pair_seed(0, 2), 0x06c4_5d18_8009_454f >> 11);
    }

    #[test]
    fn parts_stand_one_behind_the_other() {
        let part = |schedule, engines: &[u16], meetings, first_pair| Part {
            schedule,
            engines: engines.into(),
            meetings,
            first_pair,
        };
        let before = Schedule::new(3, 4, 9);
        let newcomer = Schedule::gauntlet(4, 1, 4, 9);
        let more = Schedule::new(4, 3, 9);
        let grown = Schedule::of_parts([
            part(before.clone(), &[0, 1, 2], 0, 0),
            part(newcomer.clone(), &[3, 0, 1, 2], 0, 6),
            part(more.clone(), &[0, 1, 2, 3], 2, 12),
        ]);
        assert_eq!(grown.len(), 12 + 12 + 18);
        assert!(grown.iter().zip(1..).all(|(game, number)| game.number == number));
        assert!(grown.iter().take(12).eq(before.iter()), "what was there stays");
        let joined: Vec<_> = grown.iter().skip(12).take(12).collect();
        assert!(joined.iter().all(|game| game.seat_of(3).is_some()));
        assert_eq!(joined[0].seats.first + joined[0].seats.second, 3);
        let seeds: BTreeSet<u64> = grown.iter().map(|game| game.seed).collect();
        let pairs: BTreeSet<u64> = grown.iter().map(|game| game.pair).collect();
        assert_eq!((seeds.len(), pairs.len()), (24, 24), "every pair has its own");
        for game in grown.iter() {
            let same_pair =
                |other: &ScheduledGame| other.pair == game.pair && other.number != game.number;
            let twin = grown.iter().find(same_pair).map(|other| other.number);
            assert_eq!(grown.twin(game.number), twin);
        }
        let last = grown.get(42).unwrap();
        assert_eq!((last.meeting, grown.get(43), grown.get(0)), (4, None, None));
        for gone in [vec![], vec![3], vec![0, 2], vec![0, 1, 2, 3]] {
            let gone: BTreeSet<usize> = gone.into_iter().collect();
            let plays = |game: &ScheduledGame| gone.iter().all(|one| game.seat_of(*one).is_none());
            for schedule in [&grown, &before, &newcomer, &more] {
                let left = schedule.iter().filter(plays).count() as u64;
                assert_eq!(schedule.len_without(&gone), left, "without {gone:?}");
            }
        }
    }

    #[test]
    fn there_is_no_game_outside() {
        let schedule = Schedule::new(3, 2, 0);
        assert_eq!(schedule.get(0), None);
        assert!(schedule.get(6).is_some());
        assert_eq!(schedule.get(7), None);
        assert_eq!(schedule.get(u64::MAX), None);
    }
}
