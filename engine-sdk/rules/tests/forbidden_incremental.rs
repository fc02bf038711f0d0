//! Kept up to date stone by stone = read from scratch = naive oracle.

mod oracle;
mod positions;

use oracle::Oracle;
use positions::Choices;
use proptest::prelude::*;
use tengen_rules::{Board, Color, Fouls, Point, Rule, Size};

/// Every point's verdict, and a few off the board, against the board read from scratch.
fn agree_everywhere(fouls: &Fouls) {
    let board = fouls.board();
    for point in board.size().points() {
        assert_eq!(fouls.foul(point), board.foul(point), "{point}:\n{board}");
        let five = board.is_empty(point) && board.wins(Rule::Renju, point, Color::Black);
        assert_eq!(fouls.makes_five(point), five, "{point}:\n{board}");
        assert!(!five || fouls.foul(point).is_none(), "five before foul, {point}:\n{board}");
    }
    for (x, y) in [(board.size().width(), 0), (0, board.size().height()), (32, 40), (255, 255)] {
        assert_eq!(fouls.foul(Point::new(x, y)), None);
        assert!(!fouls.makes_five(Point::new(x, y)));
    }
    assert_eq!(fouls, &Fouls::of(board));
    assert_eq!(fouls.forbidden(), board.forbidden());
}

/// Lays a stone on an empty point or takes one away, crowding a part of the board.
fn step(fouls: &mut Fouls, random: &mut Choices, black: usize, crowd: (u8, u8)) {
    let size = fouls.board().size();
    let x = random.below(usize::from(crowd.0.min(size.width()))) as u8;
    let y = random.below(usize::from(crowd.1.min(size.height()))) as u8;
    let point = Point::new(x, y);
    match fouls.board().get(point) {
        None => {
            let color = if random.permille(black) { Color::Black } else { Color::White };
            fouls.place(point, color);
        }
        Some(color) => assert_eq!(fouls.remove(point), color),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn incremental_is_from_scratch_after_every_stone(
        seed: u64, width in 5u8..=32, height in 5u8..=32,
        black in 400usize..=1000, crowd in (5u8..=13, 5u8..=13), steps in 1usize..120,
    ) {
        let mut fouls = Fouls::new(Size::new(width, height).unwrap());
        let mut random = Choices::new(seed);
        for _ in 0..steps {
            step(&mut fouls, &mut random, black, crowd);
            let board = fouls.board();
            let reached = |p: &Point| p.x() < crowd.0 + 6 && p.y() < crowd.1 + 6;
            for point in board.size().points().filter(reached) {
                prop_assert_eq!(fouls.foul(point), board.foul(point), "{}:\n{}", point, board);
            }
        }
        agree_everywhere(&fouls);
    }

    #[test]
    fn stones_taken_back_in_any_order_leave_no_trace(seed: u64) {
        let mut random = Choices::new(seed);
        let board = positions::scattered(&mut random);
        let mut fouls = Fouls::of(&board);
        let empty = |point: &Point| board.is_empty(*point);
        let mut laid: Vec<Point> = board.size().points().filter(empty).collect();
        while laid.len() > 12 {
            laid.swap_remove(random.below(laid.len()));
        }
        for point in &laid {
            fouls.place(*point, if random.permille(700) { Color::Black } else { Color::White });
        }
        while !laid.is_empty() {
            fouls.remove(laid.swap_remove(random.below(laid.len())));
        }
        prop_assert_eq!(fouls, Fouls::of(&board));
    }
}

#[test]
fn incremental_agrees_with_the_oracle() {
    let mut forbidden = 0;
    for seed in 0..1500 {
        let mut random = Choices::new(seed);
        let mut fouls = Fouls::new(positions::size(&mut random));
        let black = 500 + random.below(500);
        for _ in 0..20 + random.below(60) {
            step(&mut fouls, &mut random, black, (9, 9));
        }
        let board: &Board = fouls.board();
        let mut oracle = Oracle::of(board);
        for point in board.size().points() {
            assert_eq!(fouls.foul(point), oracle.foul(point), "seed {seed}, {point}:\n{board}");
            forbidden += u32::from(fouls.foul(point).is_some());
        }
    }
    assert!(forbidden > 2000, "only {forbidden}");
}
