//! The games of an event that the host spoiled.

use std::collections::BTreeMap;

use serde::Serialize;
use tengen_arbiter::Termination;
use tengen_stats::sign_test;

use crate::FinishedGame;

/// The games of an event that the host spoiled, and what became of them.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct SpoiledGames {
    /// How many games count that the host spoiled.
    pub games: u64,
    /// How many count that had been played before, because the host spoiled them or the other game
    /// of their pair.
    pub replayed: u64,
    /// How many do not count, because the host spoiled them, or their pair, again and again.
    pub void: u64,
    /// The numbers of the first that count though the host spoiled them.
    pub numbers: Vec<u64>,
    /// The numbers of the first that do not count.
    pub void_numbers: Vec<u64>,
    /// Which engines would have lost the spoiled games, those included that were played again.
    pub losers: Vec<SpoiledLoser>,
    /// How many that count each engine played, by its place in the event's list.
    #[serde(skip)]
    pub engines: BTreeMap<usize, u64>,
    /// How many each engine would have lost, and would have won because its opponent lost them, by
    /// its place in the event's list.
    #[serde(skip)]
    lost: BTreeMap<usize, (u64, u64)>,
}

/// An engine that would have lost games that the host spoiled.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SpoiledLoser {
    /// Its label.
    pub engine: String,
    /// How many of them it would have lost.
    pub lost: u64,
    /// How many its opponents would have lost against it.
    pub won: u64,
    /// How likely as many or more are if a spoiled game hits either side with the same chance: the
    /// p-value of the [sign test](sign_test), times the number of engines tested (Bonferroni), at
    /// most 1.
    pub p: f64,
}

impl SpoiledLoser {
    /// Whether it has significantly more spoiled games than its opponents: it may be causing them.
    pub fn is_suspicious(&self) -> bool {
        self.p < 0.01
    }
}

impl SpoiledGames {
    /// The most numbers that are kept.
    const NUMBERS: usize = 20;

    pub fn add(&mut self, game: &FinishedGame) {
        if game.result.termination == Termination::Ruling {
            // A referee has seen to it.
            return;
        }
        let FinishedGame { number, seats, conditions, .. } = game;
        self.add_loser(game);
        let note = |numbers: &mut Vec<u64>| {
            if numbers.len() < SpoiledGames::NUMBERS {
                numbers.push(*number);
            }
        };
        if conditions.is_void {
            self.void += 1;
            return note(&mut self.void_numbers);
        }
        self.replayed += u64::from(conditions.replays > 0);
        if conditions.is_spoiled() {
            self.games += 1;
            note(&mut self.numbers);
            for engine in [seats.first, seats.second] {
                *self.engines.entry(engine).or_default() += 1;
            }
        }
    }

    /// Counts a game that was played again: only which engine would have lost it.
    pub fn add_discarded(&mut self, game: &FinishedGame) {
        self.add_loser(game);
    }

    fn add_loser(&mut self, game: &FinishedGame) {
        let is_hosts = game.conditions.forfeit.is_some_and(|forfeit| forfeit.cause.is_host());
        let Some(winner) = game.result.winner.filter(|_| is_hosts) else { return };
        self.lost.entry(game.seats[!winner]).or_default().0 += 1;
        self.lost.entry(game.seats[winner]).or_default().1 += 1;
    }

    /// Whether more than one in a hundred of the finished games stayed spoiled, counted or not:
    /// then the standings say little.
    pub fn are_too_many(&self, finished: u64) -> bool {
        100 * (self.games + self.void) > finished
    }

    /// The same with the engines of these labels that would have lost spoiled games.
    pub fn labelled(mut self, labels: &[String]) -> SpoiledGames {
        let count = self.lost.len() as f64;
        let loser = |(&engine, &(lost, won)): (&usize, &(u64, u64))| {
            let engine = labels.get(engine).filter(|_| lost > 0)?.clone();
            Some(SpoiledLoser { engine, lost, won, p: (sign_test(lost, won) * count).min(1.0) })
        };
        self.losers = self.lost.iter().filter_map(loser).collect();
        self
    }
}

#[cfg(test)]
mod tests {
    use tengen_arbiter::{Cause, CpuStats, ForfeitCause, GameResult, Termination};
    use tengen_record::Conditions;
    use tengen_rules::{BySeat, Seat};

    use super::*;

    /// A game that engine 0 or another has lost by that cause.
    fn lost(by: usize, cause: Cause) -> FinishedGame {
        let seats = BySeat { first: by, second: if by == 0 { 1 } else { 0 } };
        let forfeit = Some(ForfeitCause { cause, cpu_stats: CpuStats::default() });
        FinishedGame {
            number: 1,
            seats,
            result: GameResult { winner: Some(Seat::Second), termination: Termination::Timeout },
            plies: 9,
            conditions: Conditions { forfeit, ..Conditions::default() },
        }
    }

    #[test]
    fn an_engine_with_far_more_spoiled_games_than_its_opponents_is_named() {
        let mut spoiled = SpoiledGames::default();
        for _ in 0..12 {
            spoiled.add_discarded(&lost(0, Cause::Shortage));
            spoiled.add(&lost(1, Cause::Engine));
        }
        spoiled.add(&lost(1, Cause::Suspend));
        spoiled.add(&lost(2, Cause::Suspend));
        let labels = ["a", "b", "c"].map(str::to_owned);
        let losers = spoiled.labelled(&labels).losers;
        let of = |index: usize| (&*losers[index].engine, losers[index].lost, losers[index].won);
        assert_eq!((of(0), of(1), of(2)), (("a", 12, 2), ("b", 1, 12), ("c", 1, 0)));
        // 106 of 2^14, three engines.
        assert!((losers[0].p - 3.0 * 106.0 / 16384.0).abs() < 1e-12, "{losers:?}");
        assert!(!losers[0].is_suspicious() && !losers[1].is_suspicious(), "{losers:?}");
        let mut spoiled = SpoiledGames::default();
        (0..12).for_each(|_| spoiled.add_discarded(&lost(0, Cause::Shortage)));
        let losers = spoiled.labelled(&labels).losers;
        assert!(losers.len() == 1 && losers[0].is_suspicious(), "{losers:?}");
    }
}
