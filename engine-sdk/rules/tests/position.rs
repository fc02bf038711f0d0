//! A position that is played and taken back, set up from text, or written wrongly.

mod positions;

use positions::Choices;
use proptest::prelude::*;
use tengen_rules::{
    Board, Color, Ending, Foul, IllegalMove, Move, Point, Position, Rule, Setup, SetupError, Size,
};

fn point(text: &str) -> Point {
    text.parse().expect("a point")
}

fn points(text: &str) -> Vec<Point> {
    text.split_whitespace().map(point).collect()
}

/// Plays the points one after the other and gives back the last one's ending.
fn play(rule: Rule, size: Size, text: &str) -> (Position, Option<Ending>) {
    let mut position = Position::new(rule, size);
    let mut ending = None;
    for point in points(text) {
        assert_eq!(ending, None, "before {point}");
        ending = position.play(point).expect("a legal move");
    }
    (position, ending)
}

proptest! {
    #[test]
    fn undo_takes_back_what_was_played(
        seed: u64, width in 5u8..=32, height in 5u8..=32, rule in 0usize..4, plies in 0usize..200
    ) {
        let size = Size::new(width, height).unwrap();
        let mut random = Choices::new(seed);
        let mut position = Position::new(Rule::ALL[rule], size);
        let mut before = Vec::new();
        for _ in 0..plies.min(size.area()) {
            let earlier = position.clone();
            if random.permille(50) {
                position.pass();
            } else {
                let empty: Vec<Point> =
                    size.points().filter(|point| position.check(*point).is_ok()).collect();
                position.play(empty[random.below(empty.len())]).unwrap();
            }
            before.push((earlier, position.last()));
        }
        while let Some((earlier, last)) = before.pop() {
            prop_assert_eq!(position.board(), &afresh(&position));
            prop_assert_eq!(position.undo(), last);
            prop_assert_eq!(&position, &earlier);
        }
        prop_assert_eq!(position.undo(), None);
    }
}

/// The board of a position that was not set up, from its moves alone.
fn afresh(position: &Position) -> Board {
    let mut board = Board::new(position.size());
    for (ply, mv) in position.moves().iter().enumerate() {
        if let Move::Stone(point) = mv {
            board.place(*point, Color::of_ply(ply));
        }
    }
    board
}

#[test]
fn a_foul_ends_the_game_and_stays_on_the_board() {
    let six = "e8 a1 f8 c1 g8 e1 i8 g1 j8 a3 h8";
    let (mut position, ending) = play(Rule::Renju, Size::STANDARD, six);
    assert_eq!(ending, Some(Ending::Foul(Foul::Overline)));
    assert_eq!(position.board().get(point("h8")), Some(Color::Black));
    assert_eq!(position.play(point("c3")), Ok(None), "play may go on where no foul is claimed");
    assert_eq!(play(Rule::Freestyle, Size::STANDARD, six).1, Some(Ending::Five(Color::Black)));
    assert_eq!(play(Rule::Standard, Size::STANDARD, six).1, None);
}

#[test]
fn a_full_board_and_two_passes_are_draws() {
    let size = Size::new(5, 5).unwrap();
    // No line of this board has one colour from end to end.
    let order = "a1 b1 c1 d1 e1 a2 b2 c2 d2 e2 b3 a3 d3 c3 a4 e3 c4 b4 e4 d4 a5 b5 c5 d5 e5";
    let (position, ending) = play(Rule::Freestyle, size, order);
    assert_eq!(ending, Some(Ending::BoardFull), "\n{}", position.board());
    let mut position = Position::new(Rule::Freestyle, size);
    assert_eq!(position.pass(), None);
    assert_eq!(position.play(point("a1")), Ok(None));
    assert_eq!(position.pass(), None);
    assert_eq!(position.pass(), Some(Ending::Passes));
    assert_eq!(position.to_move(), Color::Black);
}

#[test]
fn an_illegal_move_changes_nothing() {
    let (mut position, _) = play(Rule::Renju, Size::STANDARD, "h8 h9");
    let before = position.clone();
    assert_eq!(position.play(point("h9")), Err(IllegalMove::Occupied(point("h9"))));
    assert_eq!(position.play(point("p1")), Err(IllegalMove::OffBoard(point("p1"))));
    assert_eq!(position, before);
}

#[test]
fn a_setup_is_checked_before_it_is_a_position() {
    let setup = |black: &str, white: &str, moves: &str| {
        let mut setup = Setup::new(Rule::Renju, Size::STANDARD);
        setup.black = points(black);
        setup.white = points(white);
        setup.moves = points(moves).into_iter().map(Move::Stone).collect();
        Position::try_from(setup)
    };
    let position = setup("h8 i9", "h9", "a1 b2").unwrap();
    assert_eq!((position.to_move(), position.ply(), position.moves().len()), (Color::White, 5, 2));
    assert_eq!(position.board().get(point("a1")), Some(Color::White));
    let error = |result: Result<Position, SetupError>| result.unwrap_err();
    let occupied = IllegalMove::Occupied(point("h8"));
    assert_eq!(error(setup("h8", "h8", "")), SetupError::Stone(occupied));
    assert_eq!(error(setup("", "h8", "")), SetupError::Uneven { black: 0, white: 1 });
    assert_eq!(error(setup("a1 b1", "", "")), SetupError::Uneven { black: 2, white: 0 });
    let illegal = IllegalMove::OffBoard(point("a16"));
    assert_eq!(error(setup("", "", "a1 a16")), SetupError::Move { index: 1, illegal });
    assert_eq!(error(setup("", "", "a1 a16")).to_string(), "move 2: a16 is not on the board");
}
