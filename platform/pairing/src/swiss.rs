//! The Swiss system: engines of like standing meet, nobody twice before it must be.
//!
//! The rules are those of the FIDE Handbook C.04.1 and C.04.3 (the Dutch system, as approved in
//! 2017), as far as they fit events of several games a meeting. A round is drawn as a whole, as the
//! matching of least cost, instead of bracket by bracket; the criteria are weighed in the order of
//! `CriterionBits` in `cost`.

mod cost;
mod past;

use tengen_random::Random;

use self::cost::RankedPlayers;
use self::past::{Float, Past, Strength};
use crate::least_cost_matching;

/// A Swiss event: its players, and the rounds that were played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Swiss {
    players: usize,
    bye: u32,
    seed: u64,
    rounds: Vec<Round>,
    pasts: Vec<Past>,
    /// How often every two have met, a row for each player.
    met: Vec<u16>,
}

/// A round that was played.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Round {
    /// Who met.
    pub met: Vec<Met>,
    /// Who had no opponent.
    pub bye: Option<usize>,
}

/// Two players who met, in one game or several.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Met {
    /// Who sat first in the first game, and who second.
    pub players: [usize; 2],
    /// The half points of each.
    pub halves: [u32; 2],
    /// Whether the number of games was odd, so that one of them sat first once more.
    pub is_odd: bool,
}

/// The draw of a round.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Draw {
    /// Who meets, best first; who sits first in the first game is named first.
    pub pairs: Vec<[usize; 2]>,
    /// Who has no opponent.
    pub bye: Option<usize>,
}

impl Swiss {
    /// An event of so many players, with so many half points for a round without an opponent.
    ///
    /// # Panics
    /// With more than 1000 players.
    pub fn new(players: usize, bye: u32, seed: u64) -> Swiss {
        assert!(players <= 1000, "a Swiss event has 1000 players at most");
        let pasts = vec![Past::default(); players];
        Swiss { players, bye, seed, rounds: Vec::new(), pasts, met: vec![0; players * players] }
    }

    /// Adds a round that was played.
    pub fn add(&mut self, round: Round) {
        self.note_floats(&round);
        for &Met { players: [first, second], halves, is_odd } in &round.met {
            for (player, other, halves, seat) in
                [(first, second, halves[0], 1), (second, first, halves[1], -1)]
            {
                let past = &mut self.pasts[player];
                past.halves += halves;
                past.seats.extend(is_odd.then_some(seat));
                past.difference += i32::from(if is_odd { seat } else { 0 });
                let met = &mut self.met[player * self.players + other];
                *met = met.saturating_add(1);
            }
        }
        if let Some(player) = round.bye {
            self.pasts[player].halves += self.bye;
            self.pasts[player].byes += 1;
        }
        self.rounds.push(round);
    }

    /// Notes who floats in a round, by the points before it.
    fn note_floats(&mut self, round: &Round) {
        for past in &mut self.pasts {
            past.floats = [None, past.floats[0]];
        }
        for &Met { players: [first, second], .. } in &round.met {
            let (mine, theirs) = (self.pasts[first].halves, self.pasts[second].halves);
            if mine != theirs {
                let (upper, lower) = if mine > theirs { (first, second) } else { (second, first) };
                self.pasts[upper].floats[0] = Some(Float::Down);
                self.pasts[lower].floats[0] = Some(Float::Up);
            }
        }
        if let Some(player) = round.bye {
            self.pasts[player].floats[0] = Some(Float::Down);
        }
    }

    /// The rounds that were played.
    pub fn rounds(&self) -> &[Round] {
        &self.rounds
    }

    /// The number of players.
    pub fn players(&self) -> usize {
        self.players
    }

    /// The half points for a round without an opponent.
    pub fn bye_halves(&self) -> u32 {
        self.bye
    }

    /// The half points of each player.
    pub fn halves(&self) -> Vec<u32> {
        self.pasts.iter().map(|past| past.halves).collect()
    }

    /// Draws the next round. The same past gives the same draw.
    pub fn next_round(&self) -> Draw {
        let pasts = &self.pasts[..];
        // Best first; among equals the seeding decides (A.2).
        let mut order: Vec<usize> = (0..self.players).collect();
        order.sort_by_key(|&player| (std::cmp::Reverse(pasts[player].halves), player));
        let field = RankedPlayers::new(&order, self);
        let count = self.players.next_multiple_of(2);
        let partners = least_cost_matching(count, |one, other| field.cost(one, other));
        let mut draw = Draw::default();
        for (one, &other) in partners.iter().enumerate().take(self.players) {
            if other >= self.players {
                draw.bye = Some(order[one]);
            } else if one < other {
                draw.pairs.push(self.seated([order[one], order[other]], pasts));
            }
        }
        draw
    }

    /// Who of the two, the better one named first, sits first: C.04.3 E.
    fn seated(&self, [better, other]: [usize; 2], pasts: &[Past]) -> [usize; 2] {
        let [mine, theirs] = [better, other].map(|player| pasts[player].preference());
        let is_first = match (mine, theirs) {
            // E.5: the seeding number decides, and a lot what odd numbers have.
            ((_, Strength::None), (_, Strength::None)) => {
                better.is_multiple_of(2) == Random::new(self.seed).coin()
            }
            ((_, Strength::None), (seat, _)) => seat < 0,
            ((seat, _), (_, Strength::None)) => seat > 0,
            // E.1: both have what they are to have.
            ((one, _), (two, _)) if one != two => one > 0,
            // E.2: the stronger preference, and of two absolute ones the wider difference.
            ((seat, strong), (_, other)) if strong != other => (seat > 0) == (strong > other),
            ((seat, _), _) if pasts[better].difference.abs() != pasts[other].difference.abs() => {
                let is_wider = pasts[better].difference.abs() > pasts[other].difference.abs();
                (seat > 0) == is_wider
            }
            ((seat, _), _) => {
                // E.3: the other way round than the last time their seats differed; E.4: the
                // better one has what it is to have.
                let recent = pasts[better].seats.iter().rev().zip(pasts[other].seats.iter().rev());
                match recent.into_iter().find(|(one, two)| one != two) {
                    Some((&one, _)) => one < 0,
                    None => seat > 0,
                }
            }
        };
        if is_first { [better, other] } else { [other, better] }
    }
}

#[cfg(test)]
mod tests;
