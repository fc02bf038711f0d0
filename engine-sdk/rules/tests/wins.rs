//! Winning rows of all four rules, against the oracle.

mod oracle;
mod positions;

use oracle::Oracle;
use positions::Choices;
use tengen_rules::{Board, Color, Rule, Symmetry};

/// A board crowded enough for rows of every length, each with its own share of colours.
fn crowded(random: &mut Choices) -> Board {
    let mut board = Board::new(positions::size(random));
    let black = 200 + random.below(600);
    let empty = random.below(200);
    for point in board.size().points() {
        if !random.permille(empty) {
            let color = if random.permille(black) { Color::Black } else { Color::White };
            board.place(point, color);
        }
    }
    board
}

#[test]
fn wins_agree_with_the_oracle() {
    let mut won = [0; 4];
    for seed in 0..400 {
        let board = crowded(&mut Choices::new(seed));
        let mut oracle = Oracle::of(&board);
        for point in board.size().points() {
            for color in Color::ALL {
                if board.get(point) == Some(!color) {
                    continue;
                }
                for (won, rule) in won.iter_mut().zip(Rule::ALL) {
                    let wins = board.wins(rule, point, color);
                    let expected = oracle.wins(rule, point, color);
                    assert_eq!(wins, expected, "seed {seed}, {rule}, {color} {point}:\n{board}");
                    *won += u32::from(wins);
                }
            }
        }
    }
    assert!(won.into_iter().all(|count| count > 1000), "{won:?}");
}

#[test]
fn wins_are_the_same_turned_and_mirrored() {
    for seed in 0..60 {
        let board = crowded(&mut Choices::new(seed));
        for symmetry in Symmetry::ALL {
            let image = positions::turned(&board, symmetry);
            for point in board.size().points() {
                let turned = symmetry.point(point, board.size());
                for (rule, color) in Rule::ALL.into_iter().flat_map(|r| Color::ALL.map(|c| (r, c)))
                {
                    let wins = board.wins(rule, point, color);
                    assert_eq!(
                        image.wins(rule, turned, color),
                        wins,
                        "{symmetry:?}, {point}\n{board}"
                    );
                }
            }
        }
    }
}
