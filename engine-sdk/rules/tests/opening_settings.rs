//! What an event may set about its openings, and what a swap does to the seats.

use tengen_rules::{
    Alike, Answer, Ask, Color, IllegalAnswer, IllegalMove, Move, Opening, OpeningError,
    OpeningSettings, Point, Procedure, Rule, Seat, Size, Zone,
};

fn points(text: &str) -> Vec<Point> {
    text.split_whitespace().map(|point| point.parse().expect("a point")).collect()
}

fn start(settings: &OpeningSettings) -> Result<Opening, OpeningError> {
    Opening::new(settings, Rule::Renju, Size::STANDARD)
}

fn settings(procedure: Procedure) -> OpeningSettings {
    OpeningSettings::new(procedure)
}

#[test]
fn renju_procedures_need_the_standard_board() {
    let size: Size = "20x15".parse().unwrap();
    for procedure in Procedure::ALL {
        let opening = Opening::new(&settings(procedure), Rule::Renju, size);
        match procedure {
            Procedure::Rif
            | Procedure::Contest
            | Procedure::Yamaguchi
            | Procedure::Soosorv8
            | Procedure::Taraguchi10 => {
                assert_eq!(opening, Err(OpeningError::BoardSize { procedure, size }));
            }
            _ => assert!(opening.is_ok(), "{procedure}"),
        }
    }
}

/// Every board: a stone outside the square has a place as soon as one side is longer than it, and
/// then another one is left should White take the first.
#[test]
fn pro_needs_room_outside_its_square() {
    for side in Size::MIN..=Size::MAX {
        for other in Size::MIN..=Size::MAX {
            let size = Size::new(side, other).unwrap();
            for (procedure, radius) in [(Procedure::Pro, 2), (Procedure::LongPro, 3)] {
                let opening = Opening::new(&settings(procedure), Rule::Freestyle, size);
                if side.max(other) > 2 * radius + 1 {
                    let zone = Zone::Beyond(radius);
                    let places = size.points().filter(|point| zone.contains(*point, size));
                    assert!(opening.is_ok() && places.count() > 1, "{procedure} on {size}");
                } else {
                    assert_eq!(opening, Err(OpeningError::NoRoom { procedure, size }));
                }
            }
        }
    }
}

#[test]
fn the_event_may_set_the_range_of_fifth_moves() {
    let with = |procedure, fifth_moves| {
        start(&OpeningSettings { fifth_moves: Some(fifth_moves), ..settings(procedure) })
    };
    let mut opening = with(Procedure::Contest, (3, 9)).unwrap();
    opening.answer(Seat::First, &Answer::Place(points("h8 i9 i8"))).unwrap();
    assert_eq!(opening.asked(), Some((Seat::First, Ask::Declare { min: 3, max: 9 })));
    let refusal = IllegalAnswer::OutOfRange { min: 3, max: 9, given: 2 };
    assert_eq!(opening.answer(Seat::First, &Answer::Declare(2)), Err(refusal));
    for (min, max) in [(0, 5), (4, 3), (1, 33)] {
        let error = OpeningError::FifthMoves { min, max };
        assert_eq!(with(Procedure::Contest, (min, max)), Err(error));
    }
    for procedure in Procedure::ALL {
        let declares =
            matches!(procedure, Procedure::Contest | Procedure::Yamaguchi | Procedure::Soosorv8);
        let expected = if declares { None } else { Some(OpeningError::NothingDeclared(procedure)) };
        assert_eq!(with(procedure, (2, 2)).err(), expected);
    }
}

#[test]
fn a_book_gives_the_stones_and_nothing_is_asked() {
    let with = |procedure, book: &str| {
        start(&OpeningSettings { book: points(book), ..settings(procedure) })
    };
    let opening = with(Procedure::Book, "h8 h9 c3").unwrap();
    assert_eq!(opening.asked(), None);
    assert_eq!(opening.stones(), points("h8 h9 c3"));
    let stone = |illegal| Err(OpeningError::BookStone(illegal));
    let [repeated, outside, fifth] = ["h8", "a16", "i8"].map(|text| text.parse().unwrap());
    assert_eq!(with(Procedure::Book, "h8 h9 h8"), stone(IllegalMove::Occupied(repeated)));
    assert_eq!(with(Procedure::Book, "h8 a16"), stone(IllegalMove::OffBoard(outside)));
    let five = with(Procedure::Book, "e8 a1 f8 c1 g8 e1 h8 g1 i8");
    assert_eq!(five, Err(OpeningError::BookEnds(fifth)));
    let error = OpeningError::NoBook(Procedure::Swap2);
    assert_eq!(with(Procedure::Swap2, "h8"), Err(error));
}

/// The contest opening up to the offer of `count` fifth moves.
fn offering(alike: Alike, four: &str, count: u8) -> Opening {
    let stones = points(four);
    let settings = OpeningSettings { alike, ..settings(Procedure::Contest) };
    let mut opening = start(&settings).unwrap();
    opening.answer(Seat::First, &Answer::Place(stones[..3].to_vec())).unwrap();
    opening.answer(Seat::First, &Answer::Declare(count)).unwrap();
    opening.answer(Seat::Second, &Answer::Swap(false)).unwrap();
    opening.answer(Seat::Second, &Answer::Move(Move::Stone(stones[3]))).unwrap();
    opening
}

#[test]
fn alike_fifth_moves_are_refused_as_the_event_reads_it() {
    // A square whose colours stand on opposite corners: as a shape it turns into itself, but the
    // board's centre is one of its corners.
    let offer = Answer::Offer(points("g7 a1 j10"));
    let [one, other] = ["g7", "j10"].map(|text| text.parse().unwrap());
    let mut by_shape = offering(Alike::Shape, "h8 h9 i9 i8", 3);
    let refusal = IllegalAnswer::TooAlike(one, other);
    assert_eq!(by_shape.answer(Seat::First, &offer), Err(refusal));
    let mut by_board = offering(Alike::Board, "h8 h9 i9 i8", 3);
    assert_eq!(by_board.answer(Seat::First, &offer), Ok(()));
    assert_eq!(by_board.offered(), points("g7 a1 j10"));

    let mirrored = Answer::Offer(points("d8 l8"));
    let [one, other] = ["d8", "l8"].map(|text| text.parse().unwrap());
    let refusal = IllegalAnswer::TooAlike(one, other);
    for alike in [Alike::Shape, Alike::Board] {
        let mut opening = offering(alike, "h8 h9 h10 h11", 2);
        assert_eq!(opening.answer(Seat::First, &mirrored), Err(refusal));
    }
}

#[test]
fn a_swap_exchanges_colours_and_leaves_the_stones() {
    let mut opening = start(&settings(Procedure::Taraguchi10)).unwrap();
    assert_eq!(opening.asked(), Some((Seat::First, Ask::Move { zone: Zone::Within(0) })));
    let center = Answer::Move(Move::Stone(Size::STANDARD.center()));
    opening.answer(Seat::First, &center).unwrap();
    opening.answer(Seat::Second, &Answer::Swap(true)).unwrap();
    assert_eq!(opening.colors()[Seat::First], Color::White);
    assert_eq!(opening.asked(), Some((Seat::First, Ask::Move { zone: Zone::Within(1) })));
    assert_eq!(opening.stones(), points("h8"));
}

#[test]
fn a_swap_after_taraguchis_fourth_stone_uses_up_the_offer_of_ten() {
    let mut opening = start(&settings(Procedure::Taraguchi10)).unwrap();
    for (index, stone) in points("h8 h9 i9 g8").into_iter().enumerate() {
        let (seat, _) = opening.asked().unwrap();
        opening.answer(seat, &Answer::Move(Move::Stone(stone))).unwrap();
        let (seat, ask) = opening.asked().unwrap();
        assert_eq!(ask, Ask::Swap);
        opening.answer(seat, &Answer::Swap(index == 3)).unwrap();
    }
    assert_eq!(opening.asked(), Some((Seat::Second, Ask::Move { zone: Zone::Within(4) })));
}

#[test]
fn the_chooser_takes_the_colour_it_names() {
    for color in Color::ALL {
        let mut opening = start(&settings(Procedure::Swap)).unwrap();
        opening.answer(Seat::First, &Answer::Place(points("h8 a1 b2"))).unwrap();
        opening.answer(Seat::Second, &Answer::Choose(color)).unwrap();
        assert_eq!(opening.colors()[Seat::Second], color);
        assert_eq!(opening.colors()[Seat::First], !color);
    }
}
