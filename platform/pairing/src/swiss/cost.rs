//! What it costs that two players meet.

use super::Swiss;
use super::past::{Float, Past, Strength};
use crate::Cost;

/// What a pairing costs by each criterion of C.04.3. Each has room for the sum of all pairs: of 500
/// pairs, or once for the bye.
struct CriterionBits;

/// Where they begin in the number that decides, in bits, the least important one first.
impl CriterionBits {
    /// Who has the same upfloat as two rounds before (C.15).
    const UP_BEFORE: u32 = 0;
    /// Who has the same downfloat as two rounds before (C.14).
    const DOWN_BEFORE: u32 = 10;
    /// Who has the same upfloat as in the last round (C.13).
    const UP: u32 = 20;
    /// Who has the same downfloat as in the last round (C.12).
    const DOWN: u32 = 30;
    /// Two who are to have the same seat, and rather strongly (C.11).
    const STRONG_SEAT: u32 = 40;
    /// Two who are to have the same seat (C.10).
    const SEAT: u32 = 50;
    /// How far apart the groups are, squared (C.5 and C.6).
    const GROUP: u32 = 60;
    /// How high the group is from which one has the bye (C.6).
    const BYE: u32 = 84;
    /// Two who must have the same seat (C.3).
    const ABSOLUTE: u32 = 94;
    /// How often they have met, or had a bye, before (C.1 and C.2).
    const AGAIN: u32 = 104;
}

/// The same in the number that decides where the first one is equal.
impl CriterionBits {
    /// How pairs sit beside their places in the halves of their group, squared.
    const ORDER: u32 = 0;
    /// Both of the upper or both of the lower half (exchanges, D.2).
    const EXCHANGE: u32 = 25;
    /// Floaters that are not the last of their group, and do not meet the first of the next.
    const FLOAT: u32 = 34;
}

/// The players in the order of their standing, and the groups of equal points they are in.
pub(super) struct RankedPlayers<'a> {
    pasts: Vec<&'a Past>,
    /// The seats they are to have.
    preferences: Vec<(i8, Strength)>,
    numbers: &'a [usize],
    swiss: &'a Swiss,
    group: Vec<usize>,
    /// Where each group begins.
    begins: Vec<usize>,
}

impl<'a> RankedPlayers<'a> {
    pub(super) fn new(order: &'a [usize], swiss: &'a Swiss) -> RankedPlayers<'a> {
        let pasts: Vec<&Past> = order.iter().map(|&player| &swiss.pasts[player]).collect();
        let preferences = pasts.iter().map(|past| past.preference()).collect();
        let (mut group, mut begins) = (Vec::new(), Vec::new());
        for (at, past) in pasts.iter().enumerate() {
            if at == 0 || pasts[at - 1].halves != past.halves {
                begins.push(at);
            }
            group.push(begins.len() - 1);
        }
        begins.push(order.len());
        RankedPlayers { pasts, preferences, numbers: order, swiss, group, begins }
    }

    fn size(&self, group: usize) -> usize {
        self.begins[group + 1] - self.begins[group]
    }

    /// What it costs that these two meet, the better one first; beyond the last is nobody.
    pub(super) fn cost(&self, one: usize, other: usize) -> Cost {
        let (one, other) = (one.min(other), one.max(other));
        let square = |distance: usize, most: usize| (distance.min(most) as i128).pow(2);
        let past = self.pasts[one];
        if other >= self.pasts.len() {
            let last = self.pasts.len() - 1;
            let height = self.group[last] - self.group[one];
            let first = i128::from(past.byes.min(511)) << CriterionBits::AGAIN
                | (height as i128) << CriterionBits::BYE
                | RankedPlayers::floats_again(past, Float::Down);
            return Cost { first, second: square(last - one, 255) << CriterionBits::ORDER };
        }
        let players = [one, other].map(|place| self.numbers[place]);
        let met = self.swiss.met[players[0] * self.swiss.players + players[1]];
        let ((seat, strength), (theirs, strong)) = (self.preferences[one], self.preferences[other]);
        let is_same = seat == theirs && seat != 0;
        let weaker = strength.min(strong);
        let seats = i128::from(met.min(511)) << CriterionBits::AGAIN
            | i128::from(is_same && weaker == Strength::Absolute) << CriterionBits::ABSOLUTE
            | i128::from(is_same) << CriterionBits::SEAT
            | i128::from(is_same && weaker > Strength::Mild) << CriterionBits::STRONG_SEAT;
        let (upper, lower) = (self.group[one], self.group[other]);
        if upper == lower {
            let begin = self.begins[upper];
            let half = self.size(upper) / 2;
            let is_exchange = (one - begin < half) == (other - begin < half);
            let second = i128::from(is_exchange) << CriterionBits::EXCHANGE
                | square((other - one).abs_diff(half.max(1)), 181) << CriterionBits::ORDER;
            return Cost { first: seats, second };
        }
        let (above, below) = (self.begins[upper + 1] - 1 - one, other - self.begins[lower]);
        let first = seats
            | square(lower - upper, 127) << CriterionBits::GROUP
            | RankedPlayers::floats_again(past, Float::Down)
            | RankedPlayers::floats_again(self.pasts[other], Float::Up);
        let second = ((above.min(255) + below.min(255)) as i128) << CriterionBits::FLOAT;
        Cost { first, second }
    }

    /// What it costs that a player floats so, as it may have done before.
    fn floats_again(past: &Past, float: Float) -> i128 {
        let [last, before] = past.floats.map(|known| i128::from(known == Some(float)));
        match float {
            Float::Down => last << CriterionBits::DOWN | before << CriterionBits::DOWN_BEFORE,
            Float::Up => last << CriterionBits::UP | before << CriterionBits::UP_BEFORE,
        }
    }
}
