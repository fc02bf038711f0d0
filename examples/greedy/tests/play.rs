//! The engine plays sensibly, legally and repeatably.

use greedy::{Greedy, lines};
use tengen_sdk::rules::Ending;
use tengen_sdk::{Engine, GameInfo, Point, Position, Rule, Size, Thinking};

fn position(rule: Rule, points: &str) -> Position {
    let mut position = Position::new(rule, Size::STANDARD);
    for point in points.split_whitespace() {
        position.play(point.parse().unwrap()).unwrap();
    }
    position
}

fn chosen(position: &Position, seed: u64) -> Point {
    let game = GameInfo { seed, ..GameInfo::new(position.rule(), position.size()) };
    let choice = Greedy::default().choose(position, &Thinking::free().in_game(&game));
    choice.mv.point().expect("a stone")
}

#[test]
fn the_standard_board_has_572_lines() {
    assert_eq!(lines(Size::STANDARD).len(), 572);
    assert_eq!(lines(Size::new(20, 20).unwrap()).len(), 20 * 16 * 2 + 16 * 16 * 2);
    assert_eq!(lines(Size::new(5, 7).unwrap()).len(), 7 + 5 * 3 + 3 * 2);
}

#[test]
fn the_first_stone_goes_where_most_lines_meet() {
    for seed in 0..20 {
        let first = chosen(&position(Rule::Renju, ""), seed);
        assert!((4..11).contains(&first.x()) && (4..11).contains(&first.y()), "{first}");
    }
}

#[test]
fn five_is_made_before_a_four_is_stopped() {
    let both = position(Rule::Freestyle, "e8 e3 f8 f3 g8 g3 h8 h3");
    assert!(["d8", "i8"].contains(&chosen(&both, 1).to_string().as_str()));
    let theirs = position(Rule::Freestyle, "e8 e3 f8 f3 g8 g3 a1 h3 a3");
    assert!(["d3", "i3"].contains(&chosen(&theirs, 1).to_string().as_str()));
    let stop = position(Rule::Freestyle, "e8 e3 f8 f3 a15 g3 o1 h3");
    assert!(["d3", "i3"].contains(&chosen(&stop, 1).to_string().as_str()));
}

#[test]
fn black_leaves_a_forbidden_point_under_renju() {
    // h8 makes two open threes: f8 g8 and h6 h7.
    let stones = "f8 a1 g8 a15 h6 o1 h7 o15";
    assert_ne!(chosen(&position(Rule::Renju, stones), 1).to_string(), "h8");
    for seed in 0..50 {
        let mut game = Position::new(Rule::Renju, Size::STANDARD);
        // A few scattered stones, so that the games differ.
        for i in 0..6_u64 {
            let place = (seed * 37 + i * 61) % 225;
            let _ = game.play(Point::new((place % 15) as u8, (place / 15) as u8));
        }
        let mut ending = None;
        while ending.is_none() {
            ending = game.play(chosen(&game, seed)).expect("an empty point");
        }
        assert!(matches!(ending, Some(Ending::Five(_) | Ending::BoardFull)), "seed {seed}");
    }
}

#[test]
fn the_same_seed_gives_the_same_game() {
    let play = |seed| {
        let mut game = Position::new(Rule::Freestyle, Size::STANDARD);
        while game.play(chosen(&game, seed)).expect("an empty point").is_none() {}
        game.moves().to_vec()
    };
    assert_eq!(play(7), play(7));
    assert!((0..10).any(|seed| play(seed) != play(7)));
}

#[test]
fn it_plays_on_every_board() {
    for size in ["5", "7x32", "32"] {
        let mut game = Position::new(Rule::Caro, size.parse().unwrap());
        let mut engine = Greedy::default();
        for _ in 0..20 {
            let choice = engine.choose(&game, &Thinking::free());
            if game.play(choice.mv.point().unwrap()).expect("an empty point").is_some() {
                break;
            }
        }
    }
}
