//! Final places: points, and what decides between equal ones.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use crate::{Met, Round, TieBreak};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlaceLine {
    pub player: usize,
    /// The place, from 1; players that are equal in everything share one.
    pub place: usize,
    pub halves: u32,
    /// The value of each tie-break in the order in which they decide, in quarters of a point.
    pub values: Vec<u64>,
    /// Rounds without an opponent.
    pub byes: u32,
}

/// The players in the order of their points, of the tie-breaks, and of their seeding, after these
/// rounds. A round without an opponent counts `bye` half points.
pub fn places(
    players: usize,
    rounds: &[Round],
    bye: u32,
    tie_breaks: &[TieBreak],
) -> Vec<PlaceLine> {
    let table = Results::new(players, rounds, bye);
    let mut lines: Vec<PlaceLine> = (0..players)
        .map(|player| PlaceLine {
            player,
            place: 0,
            halves: table.halves[player],
            values: Vec::new(),
            byes: table.byes[player],
        })
        .collect();
    lines.sort_by_key(|line| (Reverse(line.halves), line.player));
    for &tie_break in tie_breaks {
        for group in lines.chunk_by_mut(|a, b| (a.halves, &a.values) == (b.halves, &b.values)) {
            let among: BTreeSet<usize> = group.iter().map(|line| line.player).collect();
            for line in group.iter_mut() {
                let value = table.value(tie_break, line.player, &among);
                line.values.push(value);
            }
            group.sort_by_key(|line| (Reverse(line.values.last().copied()), line.player));
        }
    }
    let mut place = 0;
    for at in 0..lines.len() {
        let is_equal = at > 0
            && (lines[at - 1].halves, &lines[at - 1].values)
                == (lines[at].halves, &lines[at].values);
        if !is_equal {
            place = at + 1;
        }
        lines[at].place = place;
    }
    lines
}

struct Results {
    halves: Vec<u32>,
    byes: Vec<u32>,
    /// For each player its opponents, its half points against each, and the opponent's.
    met: Vec<Vec<(usize, u32, u32)>>,
    bye: u32,
}

impl Results {
    fn new(players: usize, rounds: &[Round], bye: u32) -> Results {
        let mut results = Results {
            halves: vec![0; players],
            byes: vec![0; players],
            met: vec![Vec::new(); players],
            bye,
        };
        for round in rounds {
            for &Met { players: [one, other], halves, .. } in &round.met {
                results.halves[one] += halves[0];
                results.halves[other] += halves[1];
                results.met[one].push((other, halves[0], halves[1]));
                results.met[other].push((one, halves[1], halves[0]));
            }
            if let Some(player) = round.bye {
                results.halves[player] += bye;
                results.byes[player] += 1;
            }
        }
        results
    }

    /// In quarters of a point.
    fn value(&self, tie_break: TieBreak, player: usize, equals: &BTreeSet<usize>) -> u64 {
        let own = u64::from(self.halves[player]);
        let halves = |&(other, _, _): &(usize, u32, u32)| u64::from(self.halves[other]);
        let byes = self.byes[player];
        let mut opponents: Vec<u64> = self.met[player].iter().map(halves).collect();
        opponents.extend((0..byes).map(|_| own));
        opponents.sort_unstable();
        let sum = |opponents: &[u64]| 2 * opponents.iter().sum::<u64>();
        match tie_break {
            TieBreak::Buchholz => sum(&opponents),
            TieBreak::BuchholzCut1 => sum(opponents.get(1..).unwrap_or_default()),
            TieBreak::MedianBuchholz => {
                let last = opponents.len().saturating_sub(1);
                sum(opponents.get(1..last).unwrap_or_default())
            }
            TieBreak::SonnebornBerger => {
                let played = self.met[player].iter().map(|met| halves(met) * u64::from(met.1));
                played.sum::<u64>() + u64::from(byes) * own * u64::from(self.bye)
            }
            TieBreak::Direct => {
                let met_all = |one: usize| {
                    let met: BTreeSet<usize> = self.met[one].iter().map(|met| met.0).collect();
                    equals.iter().all(|&other| other == one || met.contains(&other))
                };
                if equals.len() < 2 || !equals.iter().all(|&one| met_all(one)) {
                    return 0;
                }
                let among = self.met[player].iter().filter(|met| equals.contains(&met.0));
                2 * among.map(|met| u64::from(met.1)).sum::<u64>()
            }
            TieBreak::Wins => {
                4 * self.met[player].iter().filter(|(_, own, other)| own > other).count() as u64
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round(met: &[(usize, usize, u32)], bye: Option<usize>) -> Round {
        let met = met.iter().map(|&(one, other, halves)| Met {
            players: [one, other],
            halves: [halves, 2 - halves],
            is_odd: true,
        });
        Round { met: met.collect(), bye }
    }

    /// Four players, all against all: a table that can be checked by hand.
    #[test]
    fn sums_of_a_small_table() {
        let rounds = [
            round(&[(0, 3, 2), (1, 2, 2)], None),
            round(&[(3, 2, 1), (0, 1, 0)], None),
            round(&[(1, 3, 0), (2, 0, 0)], None),
        ];
        // Points: 0 has 2, 1 has 2, 3 has 1½, 2 has ½. 1 beat 0.
        let lines = places(4, &rounds, 2, &[TieBreak::Direct, TieBreak::SonnebornBerger]);
        let order: Vec<(usize, usize, u32)> =
            lines.iter().map(|line| (line.place, line.player, line.halves)).collect();
        assert_eq!(order, [(1, 1, 4), (2, 0, 4), (3, 3, 3), (4, 2, 1)]);
        assert_eq!(lines[0].values[0], 4, "one point of the game between the two");
        // 1 beat 0 (2 points) and 2 (½): 2½; 0 beat 3 (1½) and 2 (½): 2.
        assert_eq!([lines[0].values[1], lines[1].values[1]], [10, 8]);
        let wins = places(4, &rounds, 2, &[TieBreak::Wins]);
        assert_eq!(wins.iter().map(|line| line.values[0]).collect::<Vec<_>>(), [8, 8, 4, 0]);
        assert_eq!((wins[0].place, wins[1].place, wins[2].place), (1, 1, 3), "equal in all");
    }

    /// A bye counts as an opponent with the player's own points.
    #[test]
    fn opponents_points_with_a_bye() {
        let rounds = [round(&[(0, 1, 2)], Some(2)), round(&[(0, 2, 1)], Some(1))];
        // Points: 0 has 1½, 1 has 1, 2 has 1½.
        let all = [TieBreak::Buchholz, TieBreak::BuchholzCut1, TieBreak::MedianBuchholz];
        let lines = places(3, &rounds, 2, &all);
        let of = |player| lines.iter().find(|line| line.player == player).unwrap().values.clone();
        assert_eq!(of(0), [10, 6, 0], "1 + 1½; without the lowest 1½");
        assert_eq!(of(1), [10, 6, 0], "1½, and its own 1");
        assert_eq!(of(2), [12, 6, 0], "1½, and its own 1½");
        assert_eq!((lines[0].player, lines[0].byes), (2, 1));
    }

    #[test]
    fn who_has_not_met_all_equals_has_no_direct_encounter() {
        let rounds = [round(&[(0, 1, 1), (2, 3, 1)], None)];
        let lines = places(4, &rounds, 2, &[TieBreak::Direct]);
        assert!(lines.iter().all(|line| line.values == [0] && line.place == 1));
        assert!(lines.iter().map(|line| line.player).eq(0..4), "by seeding then");
    }
}
