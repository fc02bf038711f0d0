//! The Swiss system: players of like standing meet, no two of them twice before it must be.
//!
//! The rules are those of the FIDE Handbook C.04.1 and C.04.3 (the Dutch system), as far as they
//! fit events of several games a meeting. Criteria have their numbers in the version of 2017. The
//! version of 2025 puts the points of the player with the bye before all pairs, as this does; from
//! C.8 on its numbers are higher by two. A round is drawn as a whole, as the matching of least
//! cost, instead of bracket by bracket; the criteria are weighed in the order of [`CriterionBits`].
//! So what C.7 asks, floaters that leave good pairs to the next bracket, follows for all brackets
//! at once from C.5 and C.6.

use tengen_random::Random;

use crate::{Cost, least_cost_matching};

/// A Swiss event: its players, and the rounds that were played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Swiss {
    players: usize,
    bye: u32,
    seed: u64,
    /// How many rounds there are to be.
    length: usize,
    rounds: Vec<Round>,
    pasts: Vec<Past>,
    /// How often every two have met, a row for each player.
    met: Vec<u16>,
}

/// A round that was played.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Round {
    pub met: Vec<Met>,
    pub bye: Option<usize>,
}

/// Two players that met, in one game or several.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Met {
    /// The player that sat first in the first game, and the one that sat second.
    pub players: [usize; 2],
    /// The half points of each.
    pub halves: [u32; 2],
    /// Whether the number of games was odd, so that one of them sat first once more.
    pub is_odd: bool,
}

/// The draw of a round.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Draw {
    /// The pairs, best first; the player that sits first in the first game is named first.
    pub pairs: Vec<[usize; 2]>,
    pub bye: Option<usize>,
}

/// What a player's past rounds say about its next one.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Past {
    halves: u32,
    byes: u32,
    /// The rounds in which it sat first once more (1) or second (−1); even meetings are none.
    seats: Vec<i8>,
    /// The difference between the seats first and second.
    difference: i32,
    /// How it floated in the last round and in the one before: down where it met a player with
    /// fewer points or had the bye, up where it met one with more.
    floats: [Option<Float>; 2],
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Float {
    Down,
    Up,
}

/// Which seat a player is to have next, and how strongly: C.04.3 A.6.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
enum Strength {
    #[default]
    None,
    Mild,
    Strong,
    Absolute,
}

impl Past {
    /// The seat it is to have (1 is first), and how strongly.
    fn preference(&self) -> (i8, Strength) {
        let Some(&last) = self.seats.last() else { return (0, Strength::None) };
        let twice = self.seats.len() > 1 && self.seats[self.seats.len() - 2] == last;
        match self.difference {
            2.. => (-1, Strength::Absolute),
            ..=-2 => (1, Strength::Absolute),
            _ if twice => (-last, Strength::Absolute),
            1 => (-1, Strength::Strong),
            -1 => (1, Strength::Strong),
            _ => (-last, Strength::Mild),
        }
    }
}

/// What a pairing costs by each criterion of C.04.3. Each has room for the sum of all pairs: of 500
/// pairs, or once for the bye. So an event has at most 1000 players.
struct CriterionBits;

/// Where the criteria begin in the number that decides, in bits, the least important one first.
impl CriterionBits {
    /// Players with the same upfloat as in the last round (C.13).
    const UP: u32 = 0;
    /// Players with the same downfloat as in the last round (C.12).
    const DOWN: u32 = 10;
    /// Pairs of which both strongly prefer the same seat (C.11).
    const STRONG_SEAT: u32 = 20;
    /// Pairs of which both prefer the same seat (C.10).
    const SEAT: u32 = 30;
    /// Topscorers and their opponents that get a seat three times in a row (C.9).
    const TOP_IN_A_ROW: u32 = 40;
    /// The same players, if they get one seat three times more often than the other (C.8).
    const TOP_DIFFERENCE: u32 = 50;
    /// How far apart the groups are, squared (C.5 and C.6, and with them C.7).
    const GROUP: u32 = 60;
    /// How high the group is from which one has the bye (C.5 of 2025).
    const BYE: u32 = 84;
    /// Pairs of which both must have the same seat (C.3).
    const ABSOLUTE: u32 = 94;
    /// How often they have met, or had a bye, before (C.1 and C.2).
    const AGAIN: u32 = 104;
}

/// The same in the number that decides where the first one is equal.
impl CriterionBits {
    /// How far apart two players are if one of them has the same upfloat as two rounds before,
    /// squared (C.19).
    const FAR_UP_BEFORE: u32 = 0;
    /// The same of the same downfloat (C.18).
    const FAR_DOWN_BEFORE: u32 = 24;
    /// How far apart two players are if one of them has the same upfloat as in the last round,
    /// squared (C.17).
    const FAR_UP: u32 = 48;
    /// The same of the same downfloat (C.16).
    const FAR_DOWN: u32 = 72;
    /// Players with the same upfloat as two rounds before (C.15).
    const UP_BEFORE: u32 = 96;
    /// Players with the same downfloat as two rounds before (C.14).
    const DOWN_BEFORE: u32 = 106;
}

/// The same in the number that decides where both are equal.
impl CriterionBits {
    /// How pairs sit beside their places in the halves of their group, squared.
    const ORDER: u32 = 0;
    /// Both of the upper or both of the lower half (exchanges, D.2).
    const EXCHANGE: u32 = 25;
    /// Floaters that are not the last of their group, and do not meet the first of the next.
    const FLOAT: u32 = 34;
}

/// The square of a distance, which has room 500 times where a criterion has 24 bits.
fn square(distance: usize) -> i128 {
    (distance.min(181) as i128).pow(2)
}

impl Swiss {
    /// An event of so many players and rounds. A round without an opponent brings as many half
    /// points, `bye`, as one in which all games are won.
    ///
    /// # Panics
    /// With more than 1000 players.
    pub fn new(players: usize, length: usize, bye: u32, seed: u64) -> Swiss {
        assert!(players <= 1000, "a Swiss event has 1000 players at most");
        let pasts = vec![Past::default(); players];
        let met = vec![0; players * players];
        Swiss { players, bye, seed, length, rounds: Vec::new(), pasts, met }
    }

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

    /// Notes how the players float in a round, by the points before it.
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

    /// The half points of each player.
    pub fn halves(&self) -> Vec<u32> {
        self.pasts.iter().map(|past| past.halves).collect()
    }

    /// Whether that player is a topscorer (A.7): the next round is the last one, and it has made
    /// more than half of all points that it could have.
    fn is_topscorer(&self, player: usize) -> bool {
        let most = self.bye as usize * self.rounds.len();
        self.rounds.len() + 1 == self.length && 2 * self.pasts[player].halves as usize > most
    }

    /// Draws the next round. The same past gives the same draw.
    pub fn next_round(&self) -> Draw {
        let pasts = &self.pasts[..];
        // Best first; among equals the seeding decides (A.2).
        let mut order: Vec<usize> = (0..self.players).collect();
        order.sort_by_key(|&player| (std::cmp::Reverse(pasts[player].halves), player));
        let field = SwissField::new(&order, self);
        let count = self.players.next_multiple_of(2);
        let partners = least_cost_matching(count, |one, other| field.cost(one, other));
        let mut draw = Draw::default();
        for (one, &other) in partners.iter().enumerate().take(self.players) {
            if other >= self.players {
                draw.bye = Some(order[one]);
            } else if one < other {
                draw.pairs.push(self.seated([order[one], order[other]]));
            }
        }
        draw
    }

    /// Which of the two, the better one named first, sits first: C.04.3 E.
    fn seated(&self, [better, other]: [usize; 2]) -> [usize; 2] {
        let pasts = &self.pasts;
        let [mine, theirs] = [better, other].map(|player| pasts[player].preference());
        let is_first = match (mine, theirs) {
            // E.5: the seeding number decides; a draw by lot says what odd numbers have.
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

/// The players in the order of their standing, and the groups of equal points they are in.
struct SwissField<'a> {
    pasts: Vec<&'a Past>,
    /// The seats they are to have.
    preferences: Vec<(i8, Strength)>,
    is_topscorer: Vec<bool>,
    numbers: &'a [usize],
    swiss: &'a Swiss,
    group: Vec<usize>,
    /// Where each group begins.
    begins: Vec<usize>,
}

impl<'a> SwissField<'a> {
    fn new(order: &'a [usize], swiss: &'a Swiss) -> SwissField<'a> {
        let pasts: Vec<&Past> = order.iter().map(|&player| &swiss.pasts[player]).collect();
        let preferences = pasts.iter().map(|past| past.preference()).collect();
        let is_topscorer = order.iter().map(|&player| swiss.is_topscorer(player)).collect();
        let (mut group, mut begins) = (Vec::new(), Vec::new());
        for (at, past) in pasts.iter().enumerate() {
            if at == 0 || pasts[at - 1].halves != past.halves {
                begins.push(at);
            }
            group.push(begins.len() - 1);
        }
        begins.push(order.len());
        SwissField { pasts, preferences, is_topscorer, numbers: order, swiss, group, begins }
    }

    fn size(&self, group: usize) -> usize {
        self.begins[group + 1] - self.begins[group]
    }

    /// What it costs that these two meet, the better one first; beyond the last is the bye.
    fn cost(&self, one: usize, other: usize) -> Cost {
        let (one, other) = (one.min(other), one.max(other));
        let past = self.pasts[one];
        if other >= self.pasts.len() {
            let last = self.pasts.len() - 1;
            let height = self.group[last] - self.group[one];
            let mut cost = SwissField::floats_again(past, Float::Down, height + 1);
            cost.first |= i128::from(past.byes.min(511)) << CriterionBits::AGAIN
                | (height as i128) << CriterionBits::BYE;
            cost.third = square(last - one) << CriterionBits::ORDER;
            return cost;
        }
        let players = [one, other].map(|place| self.numbers[place]);
        let met = self.swiss.met[players[0] * self.swiss.players + players[1]];
        let mut cost = Cost { first: self.seats(one, other), ..Cost::default() };
        cost.first |= i128::from(met.min(511)) << CriterionBits::AGAIN;
        let (upper, lower) = (self.group[one], self.group[other]);
        if upper == lower {
            let begin = self.begins[upper];
            let half = self.size(upper) / 2;
            let is_exchange = (one - begin < half) == (other - begin < half);
            cost.third = i128::from(is_exchange) << CriterionBits::EXCHANGE
                | square((other - one).abs_diff(half.max(1))) << CriterionBits::ORDER;
            return cost;
        }
        let (above, below) = (self.begins[upper + 1] - 1 - one, other - self.begins[lower]);
        cost.first |= square(lower - upper) << CriterionBits::GROUP;
        cost.third = ((above.min(255) + below.min(255)) as i128) << CriterionBits::FLOAT;
        cost + SwissField::floats_again(past, Float::Down, lower - upper)
            + SwissField::floats_again(self.pasts[other], Float::Up, lower - upper)
    }

    /// What the seats cost if these two meet: C.3 and C.8 to C.11.
    fn seats(&self, one: usize, other: usize) -> i128 {
        let ((seat, strength), (theirs, strong)) = (self.preferences[one], self.preferences[other]);
        if seat != theirs || seat == 0 {
            return 0;
        }
        let weaker = strength.min(strong);
        let cost = 1 << CriterionBits::SEAT
            | i128::from(weaker > Strength::Mild) << CriterionBits::STRONG_SEAT;
        if weaker != Strength::Absolute {
            return cost;
        }
        if !self.is_topscorer[one] && !self.is_topscorer[other] {
            return cost | 1 << CriterionBits::ABSOLUTE;
        }
        // One of them gets the seat that it must not have.
        let players = [one, other].map(|place| self.numbers[place]);
        let [first, second] = self.swiss.seated(players);
        let past = &self.swiss.pasts[if seat > 0 { second } else { first }];
        let is_third = past.seats.iter().rev().take(2).filter(|&&had| had == -seat).count() == 2;
        cost | i128::from(past.difference.abs() >= 2) << CriterionBits::TOP_DIFFERENCE
            | i128::from(is_third) << CriterionBits::TOP_IN_A_ROW
    }

    /// What it costs that a player floats this way and so far, which it may have done before.
    fn floats_again(past: &Past, float: Float, distance: usize) -> Cost {
        let [last, before] = past.floats.map(|known| i128::from(known == Some(float)));
        let far = square(distance);
        let (first, second) = match float {
            Float::Down => (
                last << CriterionBits::DOWN,
                before << CriterionBits::DOWN_BEFORE
                    | (last * far) << CriterionBits::FAR_DOWN
                    | (before * far) << CriterionBits::FAR_DOWN_BEFORE,
            ),
            Float::Up => (
                last << CriterionBits::UP,
                before << CriterionBits::UP_BEFORE
                    | (last * far) << CriterionBits::FAR_UP
                    | (before * far) << CriterionBits::FAR_UP_BEFORE,
            ),
        };
        Cost { first, second, third: 0 }
    }
}

#[cfg(test)]
mod tests;
