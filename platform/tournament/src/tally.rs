//! Finished games, counted.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use tengen_arbiter::{GameResult, Termination};
use tengen_rules::{BySeat, Seat};
use tengen_stats::{Pentanomial, PlayerOutcome, WinDrawLoss};

/// Finished games, counted: all that standings are made from. Its size depends on the number of
/// engines, never on the number of games, and tallies of parts add up to the tally of the whole.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Games by who sat where and how it ended.
    pub(crate) games: BTreeMap<GameKey, u64>,
    /// Pairs of games of which both are finished.
    pub(crate) pairs: BTreeMap<PairKey, u64>,
}

/// Games that count as one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct GameKey {
    pub first: usize,
    pub second: usize,
    pub winner: Option<Seat>,
    pub termination: Termination,
}

/// Pairs that count as one: what engine `one`, which sat first in the earlier game, made in each,
/// in half points.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct PairKey {
    pub one: usize,
    pub other: usize,
    pub earlier: u8,
    pub later: u8,
}

impl Tally {
    /// Counts a game.
    pub fn add_game(&mut self, seats: BySeat<usize>, result: GameResult) {
        let GameResult { winner, termination } = result;
        let key = GameKey { first: seats.first, second: seats.second, winner, termination };
        *self.games.entry(key).or_default() += 1;
    }

    /// Counts a pair of which both games are counted already: who sat where in the earlier of the
    /// two, and who won each.
    pub fn add_pair(&mut self, seats: BySeat<usize>, earlier: Option<Seat>, later: Option<Seat>) {
        let key = PairKey {
            one: seats.first,
            other: seats.second,
            earlier: outcome(earlier, Seat::First).half_points() as u8,
            later: outcome(later, Seat::Second).half_points() as u8,
        };
        *self.pairs.entry(key).or_default() += 1;
    }

    /// The number of games.
    pub fn len(&self) -> u64 {
        self.games.values().sum()
    }

    /// Whether no game is finished.
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// Whether nothing is counted of engines beyond this number.
    pub(crate) fn fits(&self, engines: usize) -> bool {
        let games = self.games.keys().all(|key| key.first.max(key.second) < engines);
        games && self.pairs.keys().all(|key| key.one.max(key.other) < engines)
    }

    /// The score of `engine` against `opponent`.
    pub fn score(&self, engine: usize, opponent: usize) -> WinDrawLoss {
        let mut score = WinDrawLoss::default();
        for (seat, key) in [(Seat::First, (engine, opponent)), (Seat::Second, (opponent, engine))] {
            for (game, &count) in &self.games {
                if (game.first, game.second) == key {
                    add(&mut score, outcome(game.winner, seat), count);
                }
            }
        }
        score
    }

    /// The finished pairs of `engine` against `opponent`.
    pub fn pairs(&self, engine: usize, opponent: usize) -> Pentanomial {
        self.paired(|one, other| (one, other) == (engine, opponent)).0
    }

    /// All finished pairs of an engine, and its score in the games that belong to no finished pair.
    pub fn pairs_and_singles(&self, engine: usize) -> (Pentanomial, WinDrawLoss) {
        let mut singles = WinDrawLoss::default();
        for (game, &count) in &self.games {
            for (seat, sitting) in [(Seat::First, game.first), (Seat::Second, game.second)] {
                if sitting == engine {
                    add(&mut singles, outcome(game.winner, seat), count);
                }
            }
        }
        let (pairs, paired) = self.paired(|one, _| one == engine);
        singles.wins -= paired.wins.min(singles.wins);
        singles.draws -= paired.draws.min(singles.draws);
        singles.losses -= paired.losses.min(singles.losses);
        (pairs, singles)
    }

    /// How often each termination ended a game.
    pub fn terminations(&self) -> BTreeMap<Termination, u64> {
        self.count_terminations(|_| true)
    }

    /// How often an engine lost by each termination.
    pub fn losses_by_termination(&self, engine: usize) -> BTreeMap<Termination, u64> {
        self.count_terminations(|game| match game.winner {
            Some(Seat::First) => game.second == engine,
            Some(Seat::Second) => game.first == engine,
            None => false,
        })
    }

    fn count_terminations(&self, counts: impl Fn(&GameKey) -> bool) -> BTreeMap<Termination, u64> {
        let mut terminations = BTreeMap::new();
        for (game, &count) in self.games.iter().filter(|(game, _)| counts(game)) {
            *terminations.entry(game.termination).or_default() += count;
        }
        terminations
    }

    /// The pairs whose engines, in either order, the filter takes, as counted for the first engine
    /// it is given; and their games.
    fn paired(&self, takes: impl Fn(usize, usize) -> bool) -> (Pentanomial, WinDrawLoss) {
        let mut pairs = Pentanomial::default();
        let mut games = WinDrawLoss::default();
        for (key, &count) in &self.pairs {
            for (one, other, halves) in [
                (key.one, key.other, [key.earlier, key.later]),
                (key.other, key.one, [2 - key.earlier, 2 - key.later]),
            ] {
                if takes(one, other) {
                    pairs.counts[usize::from(halves[0] + halves[1])] += count;
                    for half in halves {
                        add(
                            &mut games,
                            [PlayerOutcome::Loss, PlayerOutcome::Draw, PlayerOutcome::Win]
                                [usize::from(half)],
                            count,
                        );
                    }
                }
            }
        }
        (pairs, games)
    }
}

impl AddAssign<&Tally> for Tally {
    fn add_assign(&mut self, other: &Tally) {
        for (&key, &count) in &other.games {
            *self.games.entry(key).or_default() += count;
        }
        for (&key, &count) in &other.pairs {
            *self.pairs.entry(key).or_default() += count;
        }
    }
}

/// How a game went for the player on `seat`.
fn outcome(winner: Option<Seat>, seat: Seat) -> PlayerOutcome {
    match winner {
        None => PlayerOutcome::Draw,
        Some(winner) if winner == seat => PlayerOutcome::Win,
        Some(_) => PlayerOutcome::Loss,
    }
}

fn add(score: &mut WinDrawLoss, outcome: PlayerOutcome, count: u64) {
    match outcome {
        PlayerOutcome::Win => score.wins += count,
        PlayerOutcome::Draw => score.draws += count,
        PlayerOutcome::Loss => score.losses += count,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn five(winner: Option<Seat>) -> GameResult {
        let termination = if winner.is_some() { Termination::Five } else { Termination::BoardFull };
        GameResult { winner, termination }
    }

    #[test]
    fn counts_games_for_both_sides() {
        let mut tally = Tally::default();
        tally.add_game(BySeat { first: 0, second: 1 }, five(Some(Seat::First)));
        tally.add_game(BySeat { first: 1, second: 0 }, five(None));
        tally.add_game(BySeat { first: 2, second: 0 }, five(Some(Seat::First)));
        assert_eq!(tally.len(), 3);
        assert_eq!(tally.score(0, 1), WinDrawLoss { wins: 1, draws: 1, losses: 0 });
        assert_eq!(tally.score(1, 0), WinDrawLoss { wins: 0, draws: 1, losses: 1 });
        assert_eq!(tally.score(0, 2), WinDrawLoss { wins: 0, draws: 0, losses: 1 });
        assert_eq!(tally.losses_by_termination(0), BTreeMap::from([(Termination::Five, 1)]));
        assert_eq!(
            tally.terminations(),
            BTreeMap::from([(Termination::Five, 2), (Termination::BoardFull, 1)])
        );
    }

    #[test]
    fn a_finished_pair_leaves_the_singles() {
        let mut tally = Tally::default();
        let seats = BySeat { first: 0, second: 1 };
        tally.add_game(seats, five(Some(Seat::First)));
        assert_eq!(
            tally.pairs_and_singles(0),
            (Pentanomial::default(), WinDrawLoss { wins: 1, draws: 0, losses: 0 })
        );
        tally.add_game(BySeat { first: 1, second: 0 }, five(None));
        tally.add_pair(seats, Some(Seat::First), None);
        let one_and_a_half = Pentanomial { counts: [0, 0, 0, 1, 0] };
        assert_eq!(tally.pairs_and_singles(0), (one_and_a_half, WinDrawLoss::default()));
        assert_eq!(tally.pairs_and_singles(1), (one_and_a_half.reversed(), WinDrawLoss::default()));
        assert_eq!(tally.pairs(1, 0), one_and_a_half.reversed());
    }
}
