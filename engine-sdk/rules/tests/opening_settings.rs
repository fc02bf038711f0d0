//! What an event may set about its openings.

use tengen_rules::{
    Answer, Ask, IllegalAnswer, IllegalMove, Move, Opening, OpeningError, OpeningSettings, Point,
    Procedure, Rule, Seat, Size, Zone,
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
        if procedure.needs_standard_board() {
            assert_eq!(opening, Err(OpeningError::BoardSize { procedure, size }));
        } else {
            assert!(opening.is_ok(), "{procedure}");
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
        let refusal = Some(OpeningError::NothingDeclared(procedure));
        let expected = if procedure.declares_fifths() { None } else { refusal };
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

#[test]
fn taraguchis_stones_lie_near_the_centre_and_a_swap_of_the_fourth_uses_up_the_offer_of_ten() {
    let mut opening = start(&settings(Procedure::Taraguchi10)).unwrap();
    for (index, stone) in (0..).zip(points("h8 h9 i9 g8")) {
        let (seat, ask) = opening.asked().unwrap();
        assert_eq!(ask, Ask::Move { zone: Zone::Within(index) });
        opening.answer(seat, &Answer::Move(Move::Stone(stone))).unwrap();
        let (seat, ask) = opening.asked().unwrap();
        assert_eq!(ask, Ask::Swap);
        opening.answer(seat, &Answer::Swap(index == 3)).unwrap();
    }
    assert_eq!(opening.asked(), Some((Seat::Second, Ask::Move { zone: Zone::Within(4) })));
}
