//! Which opening each game begins from.

use std::collections::BTreeSet;

use tengen_random::output;
use tengen_rules::{Point, Size, Symmetry};

use super::{OpeningOrder, Symmetries};

/// Which position a meeting begins from: a pure function of the event's seed, so that every pairing
/// plays the same positions in the same order, and a resumed event goes on where it stopped.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpeningDraw {
    pub order: OpeningOrder,
    pub symmetries: Symmetries,
    pub seed: u64,
    pub size: Size,
}

impl OpeningDraw {
    /// The position of that meeting (counted from 0) out of a suite, which has one at least.
    pub fn position(&self, suite: &[Vec<Point>], meeting: u64) -> Vec<Point> {
        let count = suite.len() as u64;
        let (round, place) = (meeting / count, self.place(count, meeting));
        let stones = &suite[place as usize];
        let turn = match self.symmetries {
            Symmetries::None => return stones.clone(),
            Symmetries::Random => output(!self.seed, meeting),
            Symmetries::All => round,
        };
        let mut images = images(stones, self.size);
        images.swap_remove((turn % images.len() as u64) as usize)
    }
}

impl OpeningDraw {
    /// The place of that position among so many.
    fn place(&self, count: u64, meeting: u64) -> u64 {
        let (round, place) = (meeting / count, meeting % count);
        match self.order {
            OpeningOrder::Sequential => place,
            OpeningOrder::Random => shuffled(place, count, output(self.seed, round)),
        }
    }

    /// The places that so many meetings begin from.
    pub fn places(&self, count: u64, meetings: u64) -> BTreeSet<u64> {
        // In as many as there are, each comes once.
        (0..meetings.min(count)).map(|meeting| self.place(count, meeting)).collect()
    }
}

/// The position in every orientation that fits the board and is not one of the others.
fn images(stones: &[Point], size: Size) -> Vec<Vec<Point>> {
    let mut images: Vec<Vec<Point>> = Vec::with_capacity(Symmetry::ALL.len());
    let fitting = Symmetry::ALL.into_iter().filter(|symmetry| symmetry.size(size) == size);
    for symmetry in fitting {
        let image = stones.iter().map(|&stone| symmetry.point(stone, size)).collect();
        if !images.contains(&image) {
            images.push(image);
        }
    }
    images
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
        OpeningDraw { order, symmetries, seed, size: Size::STANDARD }
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
    fn images_that_are_alike_or_off_the_board_are_none() {
        assert_eq!(images(&[Point::new(7, 7)], Size::STANDARD).len(), 1);
        assert_eq!(images(&[Point::new(7, 7), Point::new(7, 8)], Size::STANDARD).len(), 4);
        let size = Size::new(20, 15).unwrap();
        let images = images(&[Point::new(19, 1)], size);
        assert_eq!(images.len(), 4);
        assert!(images.iter().flatten().all(|&stone| size.contains(stone)));
    }

    #[test]
    fn lots_are_drawn_from_all_images() {
        let suite = vec![vec![Point::new(7, 7), Point::new(8, 10)]];
        let draw = draw(OpeningOrder::Sequential, Symmetries::Random, 9);
        let played: BTreeSet<_> = (0..200).map(|meeting| draw.position(&suite, meeting)).collect();
        assert_eq!(played.len(), 8);
    }
}
