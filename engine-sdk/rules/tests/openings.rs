//! Every opening procedure walked through every sequence of choices, on sampled points.

mod positions;

use std::collections::BTreeSet;

use positions::Random;
use tengen_rules::{
    Alike, Answer, Ask, Color, IllegalAnswer, Move, Opening, OpeningSettings, Point, Procedure,
    Rule, Seat, Size, Zone, canonical,
};

const SIZE: Size = Size::STANDARD;

fn opening(procedure: Procedure) -> Opening {
    Opening::new(&OpeningSettings::new(procedure), Rule::Renju, SIZE).expect("fitting settings")
}

/// Empty points of the zone, in a random order.
fn empty(opening: &Opening, zone: Zone, random: &mut Random) -> Vec<Point> {
    let mut points: Vec<Point> = SIZE.points().filter(|p| zone.contains(*p, SIZE)).collect();
    points.retain(|point| !opening.stones().contains(point));
    for last in (1..points.len()).rev() {
        points.swap(last, random.below(last + 1));
    }
    points
}

fn offer(opening: &Opening, count: u8, random: &mut Random) -> Vec<Point> {
    let four = opening.stones().try_into().expect("four stones");
    let mut offer: Vec<Point> = Vec::new();
    for point in empty(opening, Zone::Anywhere, random) {
        if offer.len() == usize::from(count) {
            break;
        }
        if offer.iter().all(|other| !Alike::Shape.holds(SIZE, four, *other, point)) {
            offer.push(point);
        }
    }
    offer
}

/// One legal answer of every sort that the question allows.
fn legal(opening: &Opening, ask: Ask, random: &mut Random) -> Vec<Answer> {
    let stones = |zone, count: u8, random: &mut Random| {
        let mut points = empty(opening, zone, random);
        points.truncate(count.into());
        points
    };
    match ask {
        Ask::Place { count, canonical: true, .. } => {
            let opening = canonical::ALL[random.below(canonical::ALL.len())];
            assert_eq!(usize::from(count), opening.points.len());
            vec![Answer::Place(opening.points.to_vec())]
        }
        Ask::Place { count, zone, .. } => vec![Answer::Place(stones(zone, count, random))],
        Ask::Choose => Color::ALL.map(Answer::Choose).to_vec(),
        Ask::ChooseOrPlace { count } => vec![
            Answer::Choose(Color::Black),
            Answer::Choose(Color::White),
            Answer::Place(stones(Zone::Anywhere, count, random)),
        ],
        Ask::Swap => vec![Answer::Swap(false), Answer::Swap(true)],
        Ask::Declare { min, max } => (min..=max).map(Answer::Declare).collect(),
        Ask::Offer { count } => vec![Answer::Offer(offer(opening, count, random))],
        Ask::Pick => opening.offered().iter().copied().map(Answer::Pick).collect(),
        Ask::Move { zone } => vec![Answer::Move(stones(zone, 1, random)[0].into())],
        Ask::MoveOrOffer { zone, count } => vec![
            Answer::Move(stones(zone, 1, random)[0].into()),
            Answer::Offer(offer(opening, count, random)),
        ],
    }
}

/// Answers that are illegal now, each with the reason it must be refused for.
fn illegal(opening: &Opening, ask: Ask, random: &mut Random) -> Vec<(Answer, IllegalAnswer)> {
    let mut answers = wrong_kinds(ask);
    match ask {
        Ask::Place { count, zone, canonical } => {
            answers.extend(wrong_points(opening, zone, count, Answer::Place, random));
            let stones = ["h8", "h10", "h9"].map(|point| point.parse().unwrap());
            if canonical {
                let refusal = IllegalAnswer::NotCanonical(stones);
                answers.push((Answer::Place(stones.to_vec()), refusal));
            }
        }
        Ask::ChooseOrPlace { count } => {
            answers.extend(wrong_points(opening, Zone::Anywhere, count, Answer::Place, random));
        }
        Ask::Declare { min, max } => {
            for given in [0, max + 1] {
                let refusal = IllegalAnswer::OutOfRange { min, max, given };
                answers.push((Answer::Declare(given), refusal));
            }
        }
        Ask::Pick => {
            let other = *empty(opening, Zone::Anywhere, random)
                .iter()
                .find(|point| !opening.offered().contains(point))
                .expect("more points than are offered");
            answers.push((Answer::Pick(other), IllegalAnswer::NotOffered(other)));
        }
        _ => {}
    }
    if let Ask::Offer { count } | Ask::MoveOrOffer { count, .. } = ask {
        answers.extend(wrong_points(opening, Zone::Anywhere, count, Answer::Offer, random));
    }
    if let Ask::Move { zone } | Ask::MoveOrOffer { zone, .. } = ask {
        let one = |points: Vec<Point>| Answer::Move(points[0].into());
        let wrong = wrong_points(opening, zone, 1, one, random);
        let of_one = |(_, refusal): &(Answer, IllegalAnswer)| {
            !matches!(refusal, IllegalAnswer::WrongCount { .. })
        };
        answers.extend(wrong.into_iter().filter(of_one));
        answers.push((Answer::Move(Move::Pass), IllegalAnswer::Pass));
    }
    answers
}

fn wrong_kinds(ask: Ask) -> Vec<(Answer, IllegalAnswer)> {
    let point: Point = "a1".parse().unwrap();
    let answers = [
        Answer::Place(vec![point]),
        Answer::Declare(1),
        Answer::Swap(true),
        Answer::Choose(Color::Black),
        Answer::Offer(vec![point]),
        Answer::Pick(point),
        Answer::Move(point.into()),
    ];
    let fits = |answer: &Answer| match answer {
        Answer::Place(_) => matches!(ask, Ask::Place { .. } | Ask::ChooseOrPlace { .. }),
        Answer::Declare(_) => matches!(ask, Ask::Declare { .. }),
        Answer::Swap(_) => ask == Ask::Swap,
        Answer::Choose(_) => matches!(ask, Ask::Choose | Ask::ChooseOrPlace { .. }),
        Answer::Offer(_) => matches!(ask, Ask::Offer { .. } | Ask::MoveOrOffer { .. }),
        Answer::Pick(_) => ask == Ask::Pick,
        Answer::Move(_) => matches!(ask, Ask::Move { .. } | Ask::MoveOrOffer { .. }),
    };
    let wrong = answers.into_iter().filter(|answer| !fits(answer));
    wrong.map(|answer| (answer, IllegalAnswer::WrongKind { asked: ask })).collect()
}

/// As many points as are asked with one wrong among them, and too many or too few points.
fn wrong_points(
    opening: &Opening,
    zone: Zone,
    asked: u8,
    answer: impl Fn(Vec<Point>) -> Answer,
    random: &mut Random,
) -> Vec<(Answer, IllegalAnswer)> {
    let count = usize::from(asked);
    let right = empty(opening, zone, random);
    let with = |wrong: Point| {
        let mut points = right[..right.len().min(count) - 1].to_vec();
        points.push(wrong);
        answer(points)
    };
    let off_board = Point::new(15, 3);
    let mut answers = vec![(with(off_board), IllegalAnswer::OffBoard(off_board))];
    if let Some(stone) = opening.stones().last() {
        answers.push((with(*stone), IllegalAnswer::Occupied(*stone)));
    }
    if count > 1 {
        answers.push((with(right[0]), IllegalAnswer::Repeated(right[0])));
    }
    let mut everywhere = empty(opening, Zone::Anywhere, random).into_iter();
    if let Some(outside) = everywhere.find(|point| !zone.contains(*point, SIZE)) {
        answers.push((with(outside), IllegalAnswer::OutOfZone(outside, zone)));
    }
    let mut longer = empty(opening, Zone::Anywhere, random);
    longer.truncate(count + 1);
    let given = longer.len();
    answers.push((answer(longer.clone()), IllegalAnswer::WrongCount { asked, given }));
    longer.truncate(count - 1);
    if count > 1 {
        let given = longer.len();
        answers.push((answer(longer), IllegalAnswer::WrongCount { asked, given }));
    }
    answers
}

/// Walks on from here and adds the questions on the way to each end to `ways`.
fn walk(opening: &Opening, way: &str, ways: &mut BTreeSet<String>, random: &mut Random) {
    assert_ne!(opening.colors()[Seat::First], opening.colors()[Seat::Second]);
    let Some((seat, ask)) = opening.asked() else {
        let answer = Answer::Swap(true);
        for seat in Seat::ALL {
            let refused = opening.clone().answer(seat, &answer);
            assert_eq!(refused, Err(IllegalAnswer::OpeningOver));
        }
        ways.insert(format!("{way} {}", opening.stones().len()));
        return;
    };
    for (answer, reason) in illegal(opening, ask, random) {
        let mut next = opening.clone();
        assert_eq!(next.answer(seat, &answer), Err(reason), "{way}: {answer:?}");
        assert_eq!(&next, opening, "{way}: {answer:?} changed something");
    }
    let way = format!("{way} {}:{}", opening.colors()[seat], ask.name());
    for answer in legal(opening, ask, random) {
        let mut next = opening.clone();
        let refused = next.answer(!seat, &answer);
        assert_eq!(refused, Err(IllegalAnswer::NotAsked { asked: seat }));
        assert_eq!(next.answer(seat, &answer), Ok(()), "{way}: {answer:?}");
        assert!(next.stones().starts_with(opening.stones()), "{way}: stones stay");
        walk(&next, &way, ways, random);
    }
}

/// The questions of every way through the procedure, each with the colour that is asked, and at
/// last the number of stones laid.
fn check(procedure: Procedure, expected: &[&str]) {
    let mut ways = BTreeSet::new();
    for seed in 0..3 {
        walk(&opening(procedure), "", &mut ways, &mut Random(seed));
    }
    let expected: BTreeSet<String> = expected.iter().map(|way| format!(" {way}")).collect();
    assert_eq!(ways, expected, "{procedure}");
}

#[test]
fn none_and_an_empty_book_ask_nothing() {
    check(Procedure::None, &["0"]);
    check(Procedure::Book, &["0"]);
}

#[test]
fn pro_and_long_pro_lay_three_stones_by_turns() {
    check(Procedure::Pro, &["black:move white:move black:move 3"]);
    check(Procedure::LongPro, &["black:move white:move black:move 3"]);
}

#[test]
fn swap_lets_the_second_seat_choose() {
    check(Procedure::Swap, &["black:place white:choose 3"]);
}

#[test]
fn swap2_lets_choose_at_once_or_after_two_more() {
    check(
        Procedure::Swap2,
        &[
            "black:place white:choose_or_place 3",
            "black:place white:choose_or_place black:choose 5",
        ],
    );
}

#[test]
fn rif_offers_two_fifth_moves() {
    check(Procedure::Rif, &["black:place white:swap white:move black:offer white:pick 5"]);
}

#[test]
fn contest_and_yamaguchi_declare_before_the_swap() {
    let way = "black:place black:declare white:swap white:move black:offer white:pick 5";
    check(Procedure::Contest, &[way]);
    check(Procedure::Yamaguchi, &[way]);
}

#[test]
fn soosorv_declares_with_the_fourth_stone() {
    let way = "black:place white:swap white:move white:declare black:swap black:offer white:pick 5";
    check(Procedure::Soosorv8, &[way]);
}

#[test]
fn taraguchi_swaps_after_every_stone_or_offers_ten() {
    let four = "black:move white:swap white:move black:swap black:move white:swap white:move \
                black:swap";
    check(
        Procedure::Taraguchi10,
        &[
            &format!("{four} black:move white:swap 5"),
            &format!("{four} black:move_or_offer white:swap 5"),
            &format!("{four} black:move_or_offer white:pick 5"),
        ],
    );
}
