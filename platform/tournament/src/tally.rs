//! Finished games, counted.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::AddAssign;

use tengen_arbiter::{GameResult, Nanos, Termination};
use tengen_rules::{BySeat, Seat};
use tengen_stats::{Pentanomial, PlayerOutcome, Spread, WinDrawLoss};

/// Finished games, counted: all that standings are made from. Its size depends on the number of
/// engines, never on the number of games, and tallies of parts add up to the tally of the whole.
///
/// Besides the counts themselves it keeps what follows from them for each engine, so that no query
/// during an event takes longer with more engines.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Games by seats and how they ended.
    games: BTreeMap<GameKey, u64>,
    /// Pairs of games of which both are finished.
    pairs: BTreeMap<PairKey, u64>,
    /// Those of these pairs, and of the single games, that show nothing new: see [`PlayedLines`].
    ///
    /// [`PlayedLines`]: crate::PlayedLines
    repeats: BTreeMap<RepeatKey, u64>,
    /// Games that the host spoiled again and again, and that do not count, by seats.
    voids: BTreeMap<VoidKey, u64>,
    /// How long the way to the engines and back took.
    lags: Spread,
    counted: u64,
    void: u64,
    repeated: u64,
    engines: Vec<EngineTally>,
    terminations: BTreeMap<Termination, u64>,
}

/// What follows from the counts for one engine.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct EngineTally {
    score: WinDrawLoss,
    pairs: Pentanomial,
    /// The games of these pairs.
    paired: WinDrawLoss,
    /// Those of its pairs that say nothing new.
    repeated_pairs: Pentanomial,
    /// Its single games that do not.
    repeated_singles: WinDrawLoss,
    losses: BTreeMap<Termination, u64>,
}

/// Games that count as one. Their order is by the engines first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct GameKey {
    pub first: u16,
    pub second: u16,
    pub winner: Option<Seat>,
    pub termination: Termination,
}

/// Pairs that count as one: what engine `one`, which sat first in the earlier game, made in each,
/// in half points. Their order is by the engines first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct PairKey {
    pub one: u16,
    pub other: u16,
    pub earlier: u8,
    pub later: u8,
}

/// A pair that shows nothing new, as in [`PairKey`], or a single game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct RepeatKey {
    pub one: u16,
    pub other: u16,
    pub earlier: u8,
    pub later: Option<u8>,
}

/// Games that do not count.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct VoidKey {
    pub first: u16,
    pub second: u16,
}

impl Tally {
    pub fn add_game(&mut self, seats: BySeat<usize>, result: GameResult) {
        let GameResult { winner, termination } = result;
        let (first, second) = (number(seats.first), number(seats.second));
        self.count_games(GameKey { first, second, winner, termination }, 1);
    }

    /// Notes a game that does not count.
    pub fn add_void(&mut self, seats: BySeat<usize>) {
        let (first, second) = (number(seats.first), number(seats.second));
        self.count_voids(VoidKey { first, second }, 1);
    }

    /// Counts a pair of which both games are counted already: the seats in the earlier of the
    /// two, and the winner of each.
    pub fn add_pair(&mut self, seats: BySeat<usize>, earlier: Option<Seat>, later: Option<Seat>) {
        let key = PairKey {
            one: number(seats.first),
            other: number(seats.second),
            earlier: half_points(earlier, Seat::First),
            later: half_points(later, Seat::Second),
        };
        self.count_pairs(key, 1);
    }

    /// Notes that such a pair, which is counted already, says nothing new.
    pub fn repeat_pair(
        &mut self,
        seats: BySeat<usize>,
        earlier: Option<Seat>,
        later: Option<Seat>,
    ) {
        self.repeat(seats, earlier, Some(half_points(later, Seat::Second)));
    }

    /// Notes that such a game, which is counted already and has no other one, says nothing new.
    pub fn repeat_single(&mut self, seats: BySeat<usize>, winner: Option<Seat>) {
        self.repeat(seats, winner, None);
    }

    fn repeat(&mut self, seats: BySeat<usize>, earlier: Option<Seat>, later: Option<u8>) {
        let (one, other) = (number(seats.first), number(seats.second));
        let earlier = half_points(earlier, Seat::First);
        self.count_repeats(RepeatKey { one, other, earlier, later }, 1);
    }

    /// Counts how long the way of an answer took.
    pub fn add_lags(&mut self, lags: impl IntoIterator<Item = Nanos>) {
        self.lags.extend(lags);
    }

    /// The number of games that are finished, those that do not count included.
    pub fn len(&self) -> u64 {
        self.counted + self.void
    }

    /// The number of games that count.
    pub fn counted(&self) -> u64 {
        self.counted
    }

    /// The number of finished games that do not count.
    pub fn void(&self) -> u64 {
        self.void
    }

    /// The number of games that count and say nothing new.
    pub fn repeated(&self) -> u64 {
        self.repeated
    }

    /// Whether no game is finished.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How long the way to the engines and back took.
    pub fn lags(&self) -> &Spread {
        &self.lags
    }

    /// Whether nothing is counted of engines beyond this number.
    pub(crate) fn fits(&self, engines: usize) -> bool {
        let voids = self.voids.keys().map(|key| key.first.max(key.second)).max();
        let beyond = voids.is_some_and(|most| usize::from(most) >= engines);
        self.engines.len() <= engines && !beyond
    }

    /// The number of finished games that any of these engines played, those that do not count
    /// included.
    pub fn games_of_any(&self, engines: &BTreeSet<usize>) -> u64 {
        if engines.is_empty() {
            return 0;
        }
        let is_one = |engine: u16| engines.contains(&usize::from(engine));
        let games = self.games.iter().map(|(key, count)| (key.first, key.second, count));
        let voids = self.voids.iter().map(|(key, count)| (key.first, key.second, count));
        let of_any = games.chain(voids).filter(|(one, other, _)| is_one(*one) || is_one(*other));
        of_any.map(|(_, _, count)| count).sum()
    }

    /// The score of `engine` in all its games.
    pub fn total(&self, engine: usize) -> WinDrawLoss {
        self.of(engine).score
    }

    /// The engine with the most points, and its points; the first of them where several have.
    pub fn leader(&self) -> Option<(usize, f64)> {
        let points = |tally: &EngineTally| 2 * tally.score.wins + tally.score.draws;
        let engines = self.engines.iter().enumerate().rev();
        let best = engines.max_by_key(|(_, tally)| points(tally));
        best.map(|(engine, tally)| (engine, tally.score.points()))
    }

    pub fn score(&self, engine: usize, opponent: usize) -> WinDrawLoss {
        let mut score = WinDrawLoss::default();
        for (seat, (first, second)) in
            [(Seat::First, (engine, opponent)), (Seat::Second, (opponent, engine))]
        {
            for (game, &count) in self.games_of(first, second) {
                add(&mut score, outcome(game.winner, seat), count);
            }
        }
        score
    }

    /// The finished games of two engines, those that do not count included.
    pub(crate) fn finished(&self, one: usize, other: usize) -> u64 {
        let (first, second) = (number(one), number(other));
        let void = |first, second| self.voids.get(&VoidKey { first, second }).copied().unwrap_or(0);
        self.score(one, other).games() + void(first, second) + void(second, first)
    }

    /// The scores of so many engines against each other, in one pass: the same as [`Tally::score`]
    /// of every two. Engines that joined since are left out.
    pub fn scores(&self, engines: usize) -> Vec<Vec<WinDrawLoss>> {
        let mut scores = vec![vec![WinDrawLoss::default(); engines]; engines];
        for (game, &count) in &self.games {
            let (first, second) = (usize::from(game.first), usize::from(game.second));
            if first.max(second) >= engines {
                continue;
            }
            add(&mut scores[first][second], outcome(game.winner, Seat::First), count);
            add(&mut scores[second][first], outcome(game.winner, Seat::Second), count);
        }
        scores
    }

    /// What the first seat made of the games of every two engines that met in that order, in the
    /// order of the engines; without the games that say nothing new.
    pub fn meetings(&self) -> Vec<(BySeat<usize>, WinDrawLoss)> {
        let mut meetings: Vec<(BySeat<usize>, WinDrawLoss)> = Vec::new();
        for (game, &count) in &self.games {
            let seats = BySeat { first: game.first.into(), second: game.second.into() };
            if meetings.last().is_none_or(|(last, _)| *last != seats) {
                meetings.push((seats, WinDrawLoss::default()));
            }
            if let Some((_, score)) = meetings.last_mut() {
                add(score, outcome(game.winner, Seat::First), count);
            }
        }
        for (repeat, &count) in &self.repeats {
            let (one, other) = (repeat.one.into(), repeat.other.into());
            let mut less = |first, second, halves| {
                let at = |(seats, _): &(BySeat<usize>, _)| (seats.first, seats.second);
                if let Ok(place) = meetings.binary_search_by_key(&(first, second), at) {
                    let score = &mut meetings[place].1;
                    let mut repeated = WinDrawLoss::default();
                    add(&mut repeated, of_halves(halves), count);
                    *score = *score - repeated;
                }
            };
            less(one, other, repeat.earlier);
            if let Some(later) = repeat.later {
                less(other, one, 2 - later);
            }
        }
        meetings
    }

    /// The pairs of `engine` against `opponent` that are evidence: each once.
    pub fn pairs(&self, engine: usize, opponent: usize) -> Pentanomial {
        let mut repeated = Pentanomial::default();
        for (one, other, is_turned) in [(engine, opponent, false), (opponent, engine, true)] {
            let (one, other) = (number(one), number(other));
            let key = |half, later| RepeatKey { one, other, earlier: half, later };
            for (key, &count) in self.repeats.range(key(0, None)..=key(2, Some(2))) {
                let Some(later) = key.later else { continue };
                let halves = usize::from(key.earlier + later);
                repeated.counts[if is_turned { 4 - halves } else { halves }] += count;
            }
        }
        self.played_pairs(engine, opponent) - repeated
    }

    /// The finished pairs of `engine` against `opponent`, each as often as it was played.
    pub fn played_pairs(&self, engine: usize, opponent: usize) -> Pentanomial {
        let mut pairs = Pentanomial::default();
        for (one, other, is_turned) in [(engine, opponent, false), (opponent, engine, true)] {
            let (one, other) = (number(one), number(other));
            let key = |half| PairKey { one, other, earlier: half, later: half };
            for (key, &count) in self.pairs.range(key(0)..=key(2)) {
                let halves = usize::from(key.earlier + key.later);
                pairs.counts[if is_turned { 4 - halves } else { halves }] += count;
            }
        }
        pairs
    }

    /// The finished pairs of an engine, and its score in the games that belong to no finished pair;
    /// of both, what is evidence.
    pub fn pairs_and_singles(&self, engine: usize) -> (Pentanomial, WinDrawLoss) {
        let EngineTally { score, pairs, paired, repeated_pairs, repeated_singles, .. } =
            *self.of(engine);
        (pairs - repeated_pairs, score - paired - repeated_singles)
    }

    /// How often each termination ended a game.
    pub fn terminations(&self) -> BTreeMap<Termination, u64> {
        self.terminations.clone()
    }

    /// How often an engine lost by each termination.
    pub fn losses_by_termination(&self, engine: usize) -> BTreeMap<Termination, u64> {
        self.of(engine).losses.clone()
    }

    fn of(&self, engine: usize) -> &EngineTally {
        static NOTHING: EngineTally = EngineTally {
            score: WinDrawLoss { wins: 0, draws: 0, losses: 0 },
            pairs: Pentanomial { counts: [0; 5] },
            paired: WinDrawLoss { wins: 0, draws: 0, losses: 0 },
            repeated_pairs: Pentanomial { counts: [0; 5] },
            repeated_singles: WinDrawLoss { wins: 0, draws: 0, losses: 0 },
            losses: BTreeMap::new(),
        };
        self.engines.get(engine).unwrap_or(&NOTHING)
    }

    fn of_mut(&mut self, engine: u16) -> &mut EngineTally {
        let engine = usize::from(engine);
        if self.engines.len() <= engine {
            self.engines.resize_with(engine + 1, EngineTally::default);
        }
        &mut self.engines[engine]
    }

    fn games_of(&self, first: usize, second: usize) -> impl Iterator<Item = (&GameKey, &u64)> {
        let (first, second) = (number(first), number(second));
        let from = GameKey { first, second, winner: None, termination: Termination::ALL[0] };
        let of_them = move |key: &GameKey| (key.first, key.second) == (first, second);
        let from = Termination::ALL
            .into_iter()
            .map(|termination| GameKey { termination, ..from })
            .min()
            .unwrap_or(from);
        self.games.range(from..).take_while(move |(key, _)| of_them(key))
    }

    pub(crate) fn count_games(&mut self, key: GameKey, count: u64) {
        *self.games.entry(key).or_default() += count;
        *self.terminations.entry(key.termination).or_default() += count;
        self.counted += count;
        for (seat, engine) in [(Seat::First, key.first), (Seat::Second, key.second)] {
            let tally = self.of_mut(engine);
            let outcome = outcome(key.winner, seat);
            add(&mut tally.score, outcome, count);
            if outcome == PlayerOutcome::Loss {
                *tally.losses.entry(key.termination).or_default() += count;
            }
        }
    }

    pub(crate) fn count_pairs(&mut self, key: PairKey, count: u64) {
        *self.pairs.entry(key).or_default() += count;
        let PairKey { one, other, earlier, later } = key;
        for (engine, halves) in [(one, [earlier, later]), (other, [2 - earlier, 2 - later])] {
            let tally = self.of_mut(engine);
            tally.pairs.counts[usize::from(halves[0] + halves[1])] += count;
            for half in halves {
                add(&mut tally.paired, of_halves(half), count);
            }
        }
    }

    pub(crate) fn count_repeats(&mut self, key: RepeatKey, count: u64) {
        *self.repeats.entry(key).or_default() += count;
        let RepeatKey { one, other, earlier, later } = key;
        self.repeated += count * (1 + u64::from(later.is_some()));
        for (engine, earlier, later) in
            [(one, earlier, later), (other, 2 - earlier, later.map(|half| 2 - half))]
        {
            let tally = self.of_mut(engine);
            match later {
                Some(later) => tally.repeated_pairs.counts[usize::from(earlier + later)] += count,
                None => add(&mut tally.repeated_singles, of_halves(earlier), count),
            }
        }
    }

    pub(crate) fn count_voids(&mut self, key: VoidKey, count: u64) {
        *self.voids.entry(key).or_default() += count;
        self.void += count;
    }

    pub(crate) fn set_lags(&mut self, lags: Spread) {
        self.lags = lags;
    }

    /// The counts themselves, as they are stored.
    pub(crate) fn counts(&self) -> Counts<'_> {
        let Tally { games, pairs, repeats, voids, .. } = self;
        Counts { games, pairs, repeats, voids }
    }
}

/// The counts of a tally, as they are stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Counts<'a> {
    pub games: &'a BTreeMap<GameKey, u64>,
    pub pairs: &'a BTreeMap<PairKey, u64>,
    pub repeats: &'a BTreeMap<RepeatKey, u64>,
    pub voids: &'a BTreeMap<VoidKey, u64>,
}

impl AddAssign<&Tally> for Tally {
    fn add_assign(&mut self, other: &Tally) {
        for (&key, &count) in &other.games {
            self.count_games(key, count);
        }
        for (&key, &count) in &other.pairs {
            self.count_pairs(key, count);
        }
        for (&key, &count) in &other.repeats {
            self.count_repeats(key, count);
        }
        for (&key, &count) in &other.voids {
            self.count_voids(key, count);
        }
        self.lags += &other.lags;
    }
}

/// An engine's number as it is kept: a schedule has no more than 65,535.
fn number(engine: usize) -> u16 {
    u16::try_from(engine).unwrap_or(u16::MAX)
}

/// How a game went for the player on `seat`.
fn outcome(winner: Option<Seat>, seat: Seat) -> PlayerOutcome {
    match winner {
        None => PlayerOutcome::Draw,
        Some(winner) if winner == seat => PlayerOutcome::Win,
        Some(_) => PlayerOutcome::Loss,
    }
}

/// What the player on `seat` made, in half points.
fn half_points(winner: Option<Seat>, seat: Seat) -> u8 {
    outcome(winner, seat).half_points() as u8
}

/// How a game went for an engine that made so many half points in it.
fn of_halves(halves: u8) -> PlayerOutcome {
    match halves {
        0 => PlayerOutcome::Loss,
        1 => PlayerOutcome::Draw,
        _ => PlayerOutcome::Win,
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
mod tests;
