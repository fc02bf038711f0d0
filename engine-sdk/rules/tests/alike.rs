//! Alike fifth moves against an oracle, and what follows for openings: there are always enough
//! fifth moves to offer, and none of them can be a foul.

#[path = "oracle/alike.rs"]
mod oracle;
mod positions;

use std::collections::{BTreeMap, BTreeSet};

use positions::Choices;
use proptest::prelude::*;
use tengen_rules::{Alike, Board, Color, OpeningSettings, Point, Rule, Size, canonical};

/// Four stones close together, so that many are symmetric.
fn four_stones(size: Size, random: &mut Choices) -> [Point; 4] {
    let side = random.within(2, 4);
    let (left, bottom) = match random.below(3) {
        // Round the centre, where a symmetry of the board may keep them.
        0 => (size.center().x() - side / 2, size.center().y() - side / 2),
        _ => (random.within(0, size.width() - side), random.within(0, size.height() - side)),
    };
    let mut stones = BTreeSet::new();
    let mut order = Vec::new();
    while order.len() < 4 {
        let point =
            Point::new(left + random.within(0, side - 1), bottom + random.within(0, side - 1));
        if stones.insert(point) {
            order.push(point);
        }
    }
    order.try_into().expect("four stones")
}

/// Every two empty points near the four stones.
fn pairs(size: Size, four: [Point; 4]) -> impl Iterator<Item = (Point, Point)> {
    let near = move |point: &Point| {
        let distance = |x: u8, y: u8| point.x().abs_diff(x).max(point.y().abs_diff(y));
        !four.contains(point) && four.iter().any(|stone| distance(stone.x(), stone.y()) <= 2)
    };
    let points: Vec<Point> = size.points().filter(near).collect();
    let second = points.clone();
    points.into_iter().flat_map(move |one| second.clone().into_iter().map(move |o| (one, o)))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..Default::default() })]

    #[test]
    fn both_readings_are_the_oracles(seed: u64, width in 5u8..=20, height in 5u8..=20) {
        let size = Size::new(width, height).unwrap();
        let four = four_stones(size, &mut Choices::new(seed));
        for (one, other) in pairs(size, four) {
            let by_shape = Alike::Shape.holds(size, &four, one, other);
            prop_assert_eq!(by_shape, oracle::by_shape(&four, one, other), "{:?} {:?}", four, one);
            let by_board = Alike::Board.holds(size, &four, one, other);
            let expected = oracle::by_board(size, &four, one, other);
            prop_assert_eq!(by_board, expected, "{:?} {} {}", four, one, other);
            prop_assert!(by_shape || !by_board, "the weaker reading refuses no more");
        }
    }

    /// So that the order in which fifth moves are named does not matter.
    #[test]
    fn being_alike_is_mutual_and_passes_on(seed: u64) {
        let four = four_stones(Size::STANDARD, &mut Choices::new(seed));
        let mut classes: BTreeMap<_, Point> = BTreeMap::new();
        for (one, other) in pairs(Size::STANDARD, four) {
            for reading in [Alike::Shape, Alike::Board] {
                let alike = |one, other| reading.holds(Size::STANDARD, &four, one, other);
                prop_assert_eq!(alike(one, other), alike(other, one));
                prop_assert!(alike(one, one));
            }
            let first = *classes.entry(oracle::shape(&four, one)).or_insert(one);
            prop_assert!(Alike::Shape.holds(Size::STANDARD, &four, first, one));
        }
    }
}

/// The four stones of every procedure that offers fifth moves: a canonical opening, since
/// Taraguchi-10 lays no others, and White's stone anywhere.
fn fours() -> impl Iterator<Item = [Point; 4]> {
    canonical::ALL.iter().flat_map(|opening| {
        let [first, second, third] = opening.points;
        Size::STANDARD
            .points()
            .filter(move |point| !opening.points.contains(point))
            .map(move |fourth| [first, second, third, fourth])
    })
}

#[test]
fn no_question_asks_more_fifth_moves_than_there_are() {
    let mut fewest = usize::MAX;
    for four in fours() {
        let fifths = Size::STANDARD.points().filter(|point| !four.contains(point));
        let mut sizes = BTreeMap::<_, usize>::new();
        for fifth in fifths {
            *sizes.entry(oracle::shape(&four, fifth)).or_default() += 1;
        }
        // White's two stones go to themselves or to each other, with a mirroring or without.
        assert!(sizes.values().all(|alike| *alike <= 4), "{four:?}");
        fewest = fewest.min(sizes.len());
    }
    assert_eq!(fewest, 62, "where the four stones lie on a diagonal, evenly");
    assert!(fewest >= usize::from(OpeningSettings::MOST_FIFTH_MOVES));
}

#[test]
fn blacks_third_stone_neither_wins_nor_is_forbidden() {
    for four in fours() {
        let mut board = Board::new(Size::STANDARD);
        for (ply, stone) in four.into_iter().enumerate() {
            board.place(stone, Color::of_ply(ply));
        }
        assert!(board.forbidden().is_empty(), "\n{board}");
        let wins = |point: Point| board.wins(Rule::Freestyle, point, Color::Black);
        assert!(!Size::STANDARD.points().any(|point| board.is_empty(point) && wins(point)));
    }
}
