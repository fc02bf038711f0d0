//! An opening takes answers made from bytes: it asks one seat at a time, an illegal answer changes
//! nothing, fifth moves are alike where the oracle finds them so, and the answers it took lead
//! through it once more to the same end.

use tengen_rules::{
    Alike, Answer, Ask, Color, IllegalAnswer, Move, Opening, OpeningSettings, Point, Procedure,
    Rule, Seat, Size, canonical,
};

use crate::alike;
use crate::bytes::ByteChoices;

pub(crate) fn check(bytes: &[u8]) {
    let mut bytes = ByteChoices(bytes);
    let (rule, size) = (bytes.one_of(&Rule::ALL), bytes.size());
    let settings = settings(&mut bytes);
    let Ok(mut opening) = Opening::new(&settings, rule, size) else { return };
    let start = opening.clone();
    let mut taken = Vec::new();
    while let Some((seat, ask)) = opening.asked() {
        if bytes.is_empty() {
            return;
        }
        let before = opening.clone();
        assert_asked_rightly(&before, seat, ask);
        let answer = answer(&mut bytes, &opening, ask, size);
        let wrong_seat = Err(IllegalAnswer::NotAsked { asked: seat });
        assert_eq!(opening.answer(!seat, &answer), wrong_seat);
        let outcome = opening.answer(seat, &answer);
        check_alike(&settings, size, &before, &answer, outcome);
        match outcome {
            Err(_) => assert_eq!(opening, before, "{answer:?} was illegal and changed something"),
            Ok(()) => {
                assert!(opening.stones().starts_with(before.stones()));
                taken.push((seat, answer));
            }
        }
    }
    let mut again = start;
    for (seat, answer) in taken {
        assert_eq!(again.answer(seat, &answer), Ok(()));
    }
    assert_eq!(again, opening);
    assert!(opening.stones().iter().all(|stone| size.contains(*stone)));
}

fn settings(bytes: &mut ByteChoices<'_>) -> OpeningSettings {
    let mut settings = OpeningSettings::new(bytes.one_of(&Procedure::ALL));
    settings.alike = bytes.one_of(&[Alike::Shape, Alike::Board]);
    if bytes.byte().is_multiple_of(4) {
        settings.fifth_moves = Some((bytes.byte() % 34, bytes.byte() % 34));
    }
    if settings.procedure == Procedure::Book {
        settings.book = (0..bytes.byte() % 16).map(|_| bytes.point()).collect();
    }
    settings
}

/// The seat that lays or offers a stone holds the colour that is to move; fifth moves are on offer
/// while one is to be kept, and only then.
fn assert_asked_rightly(opening: &Opening, seat: Seat, ask: Ask) {
    let colors = opening.colors();
    assert_ne!(colors.first, colors.second);
    let to_move = Color::of_ply(opening.stones().len());
    let lays = matches!(
        ask,
        Ask::Place { .. } | Ask::Move { .. } | Ask::Offer { .. } | Ask::MoveOrOffer { .. }
    );
    assert!(!lays || colors[seat] == to_move, "{ask:?} of {}", colors[seat]);
    assert_eq!(opening.offered().is_empty(), ask != Ask::Pick);
}

/// An answer of the kind asked, most often, and now and then of any other.
fn answer(bytes: &mut ByteChoices<'_>, opening: &Opening, ask: Ask, size: Size) -> Answer {
    let choice = bytes.byte();
    let kind = if choice >= 240 { choice % 7 } else { kind(ask, choice) };
    let count = match ask {
        Ask::Place { count, .. }
        | Ask::ChooseOrPlace { count }
        | Ask::Offer { count }
        | Ask::MoveOrOffer { count, .. } => count,
        _ => choice % 4,
    };
    match kind {
        0 => Answer::Place(match ask {
            Ask::Place { canonical: true, .. } if choice < 200 => {
                bytes.one_of(&canonical::ALL).points.to_vec()
            }
            _ => (0..count).map(|_| bytes.point()).collect(),
        }),
        1 => Answer::Declare(bytes.byte() % 34),
        2 => Answer::Swap(choice.is_multiple_of(2)),
        3 => Answer::Choose(bytes.one_of(&Color::ALL)),
        4 => Answer::Offer((0..count).map(|_| bytes.point()).collect()),
        5 => match opening.offered() {
            [] => Answer::Pick(bytes.point()),
            offered => Answer::Pick(bytes.one_of(offered)),
        },
        _ if choice % 16 == 15 => Answer::Move(Move::Pass),
        // Near the centre, where the zones are.
        _ => {
            let (center, byte) = (size.center(), bytes.byte());
            let x = center.x() + byte % 16;
            let y = center.y() + byte / 16;
            Answer::Move(Point::new(x.saturating_sub(7), y.saturating_sub(7)).into())
        }
    }
}

fn kind(ask: Ask, choice: u8) -> u8 {
    match ask {
        Ask::Place { .. } => 0,
        Ask::Declare { .. } => 1,
        Ask::Swap => 2,
        Ask::Choose => 3,
        Ask::ChooseOrPlace { .. } => 3 * (choice % 2),
        Ask::Offer { .. } => 4,
        Ask::Pick => 5,
        Ask::Move { .. } => 6,
        Ask::MoveOrOffer { .. } => 4 + 2 * (choice % 2),
    }
}

/// Of fifth moves that nothing else is wrong with, the first two that the oracle finds alike are
/// refused, and where it finds none they are taken.
fn check_alike(
    settings: &OpeningSettings,
    size: Size,
    before: &Opening,
    answer: &Answer,
    outcome: Result<(), IllegalAnswer>,
) {
    let (Answer::Offer(points), Ok(four)) = (answer, before.stones().try_into()) else { return };
    if !matches!(outcome, Ok(()) | Err(IllegalAnswer::TooAlike(..))) {
        return;
    }
    let alike = |one, other| match settings.alike {
        Alike::Shape => alike::by_shape(four, one, other),
        Alike::Board => alike::by_board(size, four, one, other),
    };
    let pairs = points
        .iter()
        .enumerate()
        .flat_map(|(index, later)| points[..index].iter().map(move |earlier| (*earlier, *later)));
    let refused = pairs.into_iter().find(|&(one, other)| alike(one, other));
    let expected = refused.map_or(Ok(()), |(one, other)| Err(IllegalAnswer::TooAlike(one, other)));
    assert_eq!(outcome, expected, "{four:?} {points:?}");
}
