//! Fast detector = naive oracle, on random positions and in all eight symmetries.

mod oracle;
mod positions;

use std::ops::Range;
use std::thread;

use oracle::{Oracle, RefusalCounts};
use positions::Choices;
use tengen_rules::{Board, Color, Ending, Foul, Position, Rule, Size, Symmetry};

const SEED: u64 = 0x7e_2e_9e;
const POSITIONS: u64 = 10_000;

/// What the oracle met, so that the positions are shown to be worth the comparison.
#[derive(Default, Debug)]
struct FoulCounts {
    overlines: u32,
    double_fours: u32,
    double_threes: u32,
    refused: RefusalCounts,
}

impl FoulCounts {
    fn count(&mut self, foul: Option<Foul>) {
        match foul {
            None => {}
            Some(Foul::Overline) => self.overlines += 1,
            Some(Foul::DoubleFour) => self.double_fours += 1,
            Some(Foul::DoubleThree) => self.double_threes += 1,
        }
    }

    fn add(&mut self, refused: RefusalCounts) {
        self.refused.five += refused.five;
        self.refused.overline += refused.overline;
        self.refused.double_four += refused.double_four;
        self.refused.double_three += refused.double_three;
        self.refused.deepest = self.refused.deepest.max(refused.deepest);
    }
}

/// Compares one position with the oracle, and its seven images with itself.
fn compare(board: &Board, seed: u64, tally: &mut FoulCounts) {
    let size = board.size();
    let map = board.forbidden();
    let mut oracle = Oracle::of(board);
    for point in size.points() {
        let foul = oracle.foul(point);
        assert_eq!(map.get(point), foul, "seed {seed:#x}, {point}:\n{board}");
        assert_eq!(board.foul(point), foul, "seed {seed:#x}, {point} alone:\n{board}");
        tally.count(foul);
    }
    tally.add(oracle.refused);
    for symmetry in Symmetry::ALL {
        let image = positions::turned(board, symmetry).forbidden();
        let same =
            map.iter().all(|(point, foul)| image.get(symmetry.point(point, size)) == Some(foul));
        assert!(same && image.len() == map.len(), "seed {seed:#x}, {symmetry:?}:\n{board}");
    }
}

#[test]
fn scattered_positions_agree_with_the_oracle() {
    let half = |seeds: Range<u64>| {
        let mut tally = FoulCounts::default();
        seeds.for_each(|seed| {
            compare(&positions::scattered(&mut Choices::new(seed)), seed, &mut tally)
        });
        tally
    };
    let (first, second) = thread::scope(|scope| {
        let first = scope.spawn(|| half(SEED..SEED + POSITIONS / 2));
        let second = half(SEED + POSITIONS / 2..SEED + POSITIONS);
        (first.join().expect("the first half agrees"), second)
    });
    for tally in [first, second] {
        let RefusalCounts { five, overline, double_four, double_three, deepest } = tally.refused;
        assert!(tally.overlines > 1000 && tally.double_fours > 1000, "{tally:?}");
        assert!(tally.double_threes > 1000, "{tally:?}");
        assert!(five > 1000 && overline > 1000 && double_four > 1000, "{tally:?}");
        assert!(double_three > 1000 && deepest >= 6, "{tally:?}");
    }
}

#[test]
fn positions_of_games_agree_with_the_oracle() {
    let mut tally = FoulCounts::default();
    for seed in 0..100 {
        let random = &mut Choices::new(seed);
        let stones = 20 + random.below(60);
        let board = positions::of_a_game(random, stones);
        compare(&board, seed, &mut tally);
    }
    assert!(tally.double_threes > 40, "{tally:?}");
}

#[test]
fn a_full_board_and_an_empty_one_forbid_nothing() {
    let mut board = Board::new(Size::STANDARD);
    assert!(board.forbidden().is_empty());
    for point in board.size().points() {
        board.place(point, Color::Black);
    }
    assert!(board.forbidden().is_empty());
}

#[test]
fn white_never_fouls_and_black_fouls_where_the_map_says() {
    let mut fouls = 0;
    for seed in 0..300 {
        let mut random = Choices::new(seed);
        let mut position = Position::new(Rule::Renju, Size::new(9, 9).expect("a board"));
        while !position.board().is_full() {
            let (color, map) = (position.to_move(), position.board().forbidden());
            let empty: Vec<_> =
                position.size().points().filter(|it| position.check(*it).is_ok()).collect();
            let point = empty[random.below(empty.len())];
            let wins = position.board().wins(Rule::Renju, point, color);
            let foul = map.get(point).filter(|_| color == Color::Black);
            let ending = position.play(point).expect("an empty point");
            match ending {
                Some(Ending::Five(winner)) => assert!(wins && winner == color && foul.is_none()),
                Some(Ending::Foul(kind)) => assert!(!wins && foul == Some(kind)),
                Some(Ending::BoardFull) | None => assert!(!wins && foul.is_none()),
                Some(Ending::Passes) => unreachable!("no player passed"),
            }
            fouls += u32::from(foul.is_some());
        }
    }
    assert!(fouls > 300, "only {fouls}");
}
