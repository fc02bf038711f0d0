//! Which opening each game begins from.

use std::collections::BTreeSet;

use tengen_random::output;
use tengen_record::formats::suite::images;
use tengen_rules::{Point, Size};

use super::{OpeningOrder, Symmetries};

/// Which position a meeting begins from: a pure function of the event's seed, so that every pairing
/// plays the same positions in the same order, and a resumed event goes on where it stopped.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpeningDraw {
    pub order: OpeningOrder,
    pub symmetries: Symmetries,
    pub seed: u64,
    pub size: Size,
    /// The first place in that order that is played, counted from 1, and how many from it on; none
    /// is from the first, and to the last.
    pub start: Option<u32>,
    pub count: Option<u32>,
}

impl OpeningDraw {
    /// The position of that meeting (counted from 0) out of a suite, which has one at least.
    pub fn position(&self, suite: &[Vec<Point>], meeting: u64) -> Vec<Point> {
        let count = suite.len() as u64;
        let (round, place) = (meeting / self.window(count).1, self.place(count, meeting));
        let stones = &suite[place as usize];
        let turn = match self.symmetries {
            Symmetries::None => return stones.clone(),
            Symmetries::Random => output(!self.seed, meeting),
            Symmetries::All => round,
        };
        let mut images = images(stones, self.size);
        images.swap_remove((turn % images.len() as u64) as usize)
    }

    /// How many of so many positions are played before one comes again.
    pub fn played(&self, count: u64) -> u64 {
        if count == 0 { 0 } else { self.window(count).1 }
    }

    /// Which part of an order of so many is played: the first place, counted from 0, and how many.
    fn window(&self, count: u64) -> (u64, u64) {
        let start = u64::from(self.start.unwrap_or(1)).saturating_sub(1).min(count - 1);
        let rest = count - start;
        (start, self.count.map_or(rest, |most| rest.min(u64::from(most).max(1))))
    }

    /// The place of that position among so many. Events with the same seed have the same order, so
    /// that two of them can each play a part of it.
    fn place(&self, count: u64, meeting: u64) -> u64 {
        let (start, length) = self.window(count);
        let (round, at) = (meeting / length, meeting % length);
        match self.order {
            OpeningOrder::Sequential => start + at,
            OpeningOrder::Random if length == count => {
                shuffled(at, count, output(self.seed, round))
            }
            OpeningOrder::Random => {
                let at =
                    if round == 0 { at } else { shuffled(at, length, output(self.seed, round)) };
                shuffled(start + at, count, output(self.seed, 0))
            }
        }
    }

    /// The places that so many meetings begin from.
    pub fn places(&self, count: u64, meetings: u64) -> BTreeSet<u64> {
        // In as many as there are, each comes once.
        (0..meetings.min(self.window(count).1)).map(|meeting| self.place(count, meeting)).collect()
    }
}

/// Where `place` comes to lie when `count` places are shuffled: four rounds of a Feistel network
/// over the least even number of bits that holds them, walked on until it hits one of them (Black
/// and Rogaway 2002). No list is kept, and any place is found at once.
fn shuffled(place: u64, count: u64, key: u64) -> u64 {
    let bits = u64::BITS - count.saturating_sub(1).leading_zeros();
    let half = bits.div_ceil(2);
    let mask = (1 << half) - 1;
    let mut at = place;
    loop {
        let (mut left, mut right) = (at >> half, at & mask);
        for round in 0..4 {
            let mixed = output(key.wrapping_add(round), right) & mask;
            (left, right) = (right, left ^ mixed);
        }
        at = left << half | right;
        if at < count {
            return at;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn suite(count: u8) -> Vec<Vec<Point>> {
        (0..count).map(|x| vec![Point::new(7, 7), Point::new(x, 3)]).collect()
    }

    fn draw(order: OpeningOrder, symmetries: Symmetries, seed: u64) -> OpeningDraw {
        OpeningDraw { order, symmetries, seed, size: Size::STANDARD, start: None, count: None }
    }

    #[test]
    fn a_round_by_lot_has_every_position_once() {
        for count in 1..=15 {
            let suite = suite(count);
            let draw = draw(OpeningOrder::Random, Symmetries::None, 5);
            for round in 0..4 {
                let meetings = round * u64::from(count)..(round + 1) * u64::from(count);
                let played: BTreeSet<_> =
                    meetings.map(|meeting| draw.position(&suite, meeting)).collect();
                assert_eq!(played, suite.iter().cloned().collect(), "{count} in round {round}");
            }
        }
    }

    #[test]
    fn the_seed_and_the_round_decide_the_order() {
        let suite = suite(15);
        let round = |seed, round: u64| -> Vec<_> {
            let draw = draw(OpeningOrder::Random, Symmetries::None, seed);
            (0..15).map(|place| draw.position(&suite, round * 15 + place)).collect()
        };
        assert_eq!(round(1, 0), round(1, 0));
        assert_ne!(round(1, 0), round(2, 0));
        assert_ne!(round(1, 0), round(1, 1));
        assert_ne!(round(1, 0), suite);
    }

    #[test]
    fn all_symmetries_come_in_turn() {
        let suite = vec![vec![Point::new(7, 7), Point::new(8, 10)]];
        let draw = draw(OpeningOrder::Sequential, Symmetries::All, 0);
        let played: Vec<_> = (0..16).map(|meeting| draw.position(&suite, meeting)).collect();
        assert_eq!(played[0], suite[0], "as it stands in the file at first");
        assert_eq!(played[..8].iter().collect::<BTreeSet<_>>().len(), 8);
        assert_eq!(played[..8], played[8..]);
    }

    #[test]
    fn two_windows_share_an_order_and_no_position() {
        let suite = suite(15);
        for order in [OpeningOrder::Sequential, OpeningOrder::Random] {
            let whole = draw(order, Symmetries::None, 3);
            let all: Vec<_> = (0..15).map(|meeting| whole.position(&suite, meeting)).collect();
            let of = |start, count| OpeningDraw { start, count, ..whole };
            let (one, other) = (of(None, Some(6)), of(Some(7), None));
            let played = |draw: &OpeningDraw, meetings: std::ops::Range<u64>| -> Vec<_> {
                meetings.map(|meeting| draw.position(&suite, meeting)).collect()
            };
            assert_eq!(played(&one, 0..6), all[..6], "{order}");
            assert_eq!(played(&other, 0..9), all[6..], "{order}");
            let again: BTreeSet<_> = played(&one, 6..12).into_iter().collect();
            assert_eq!(again, all[..6].iter().cloned().collect(), "{order}: a second round");
            assert_eq!((one.played(15), other.played(15)), (6, 9));
            assert_eq!(one.places(15, 100).len(), 6);
        }
    }

    #[test]
    fn lots_are_drawn_from_all_images() {
        let suite = vec![vec![Point::new(7, 7), Point::new(8, 10)]];
        let draw = draw(OpeningOrder::Sequential, Symmetries::Random, 9);
        let played: BTreeSet<_> = (0..200).map(|meeting| draw.position(&suite, meeting)).collect();
        assert_eq!(played.len(), 8);
    }
}
