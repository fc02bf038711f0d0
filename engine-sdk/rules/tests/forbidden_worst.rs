//! Boards that are expensive to judge, and a hill climber that looks for worse ones.

mod oracle;
mod positions;

use std::hint::black_box;
use std::time::{Duration, Instant};

use oracle::Oracle;
use positions::Choices;
use tengen_rules::{Board, Color, Fouls, Point, Size};

/// The largest side for which the oracle, which glances at nothing, is done in a second or two.
const ORACLE_SIDE: u8 = 15;

/// The lower left part of a board, so that the oracle can judge it.
fn corner(board: &Board) -> Board {
    let side = |side: u8| side.min(ORACLE_SIDE);
    let size = Size::new(side(board.size().width()), side(board.size().height()));
    let mut corner = Board::new(size.expect("no smaller than it was"));
    for (point, color) in board.stones() {
        if corner.size().contains(point) {
            corner.place(point, color);
        }
    }
    corner
}

#[test]
fn dear_boards_agree_with_the_oracle() {
    let boards = positions::dear();
    assert!(boards.len() >= 5, "only {} boards", boards.len());
    let mut deepest = 0;
    for board in boards {
        let corner = corner(&board);
        let (map, mut oracle) = (corner.forbidden(), Oracle::of(&corner));
        for point in corner.size().points() {
            assert_eq!(map.get(point), oracle.foul(point), "{point}:\n{corner}");
        }
        deepest = deepest.max(oracle.refused.deepest);
    }
    assert!(deepest >= 12, "only {deepest}");
}

#[test]
fn dear_boards_are_judged_the_same_in_every_way() {
    for board in positions::dear() {
        let (map, fouls) = (board.forbidden(), Fouls::of(&board));
        assert!(!map.is_empty());
        for point in board.size().points() {
            assert_eq!(map.get(point), board.foul(point), "{point}:\n{board}");
            assert_eq!(map.get(point), fouls.foul(point), "{point}:\n{board}");
        }
    }
}

/// Changes a stone or two.
fn neighbor(board: &Board, random: &mut Choices) -> Board {
    let (mut changed, size) = (board.clone(), board.size());
    for _ in 0..1 + random.below(2) {
        let x = random.below(size.width().into()) as u8;
        let y = random.below(size.height().into()) as u8;
        let point = Point::new(x, y);
        if changed.get(point).is_some() {
            changed.remove(point);
        } else {
            let color = if random.permille(700) { Color::Black } else { Color::White };
            changed.place(point, color);
        }
    }
    changed
}

/// What the map costs, as well as a clock can tell.
fn cost(board: &Board) -> Duration {
    let once = || {
        let start = Instant::now();
        black_box(black_box(board).forbidden());
        start.elapsed()
    };
    (0..3).map(|_| once()).min().expect("three times")
}

/// Climbs from each dear board for a minute and prints what is dearer:
/// `cargo test --release --package tengen-rules --test forbidden_worst -- --ignored --nocapture`.
#[test]
#[ignore = "it looks for worse boards for minutes, and tells what it finds"]
fn climb() {
    for (seed, start) in (0..).zip(positions::dear()) {
        let (mut random, mut board, mut dearest) =
            (Choices::new(seed), start.clone(), start.clone());
        let (before, began) = (cost(&start), Instant::now());
        let (mut price, mut highest) = (before, before);
        while began.elapsed() < Duration::from_secs(60) {
            let next = neighbor(&board, &mut random);
            let next_price = cost(&next);
            // A board that is almost as expensive may lead on to a worse one.
            if next_price * 51 >= price * 50 {
                (board, price) = (next, next_price);
            }
            if price > highest {
                (dearest, highest) = (board.clone(), price);
            }
        }
        println!("from {before:?} to {highest:?}\n{dearest}");
    }
}
