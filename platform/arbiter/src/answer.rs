//! A legal answer to any question, for seats that the arbiter answers for.

use alloc::vec::Vec;

use tengen_rules::{Alike, Answer, Ask, Color, Move, Point, Position, Size, Zone, canonical};

/// A legal answer made of the earliest of `points` that allow one: a stone goes to the first empty
/// point of the zone, a forbidden one only if nothing else is left. A decision changes as little as
/// may be: colours stay, White is kept, the fewest fifth moves are declared.
///
/// There is none when no point of `points` will do. `offered` are the fifth moves on offer, when
/// one is to be picked.
///
/// ```
/// use tengen_arbiter::legal_answer;
/// use tengen_rules::{Answer, Ask, Move, Position, Rule, Size, Zone};
/// let position = Position::new(Rule::Renju, Size::STANDARD);
/// let points: Vec<_> = Size::STANDARD.points().collect();
/// let ask = Ask::Move { zone: Zone::Within(0) };
/// let answer = Answer::Move(Move::Stone("h8".parse().unwrap()));
/// assert_eq!(legal_answer(&position, ask, &[], &points), Some(answer));
/// ```
pub fn legal_answer(
    position: &Position,
    ask: Ask,
    offered: &[Point],
    points: &[Point],
) -> Option<Answer> {
    match ask {
        Ask::Place { canonical: true, zone, .. } => {
            canonical_opening(position.size(), zone, points)
        }
        Ask::Place { count, zone, .. } => {
            first(count, empty_in(position, zone, points)).map(Answer::Place)
        }
        Ask::Choose | Ask::ChooseOrPlace { .. } => Some(Answer::Choose(Color::White)),
        Ask::Swap => Some(Answer::Swap(false)),
        Ask::Declare { min, .. } => Some(Answer::Declare(min)),
        Ask::Offer { count } => unlike_fifths(position, count, points).map(Answer::Offer),
        Ask::Pick => points.iter().copied().find(|point| offered.contains(point)).map(Answer::Pick),
        Ask::Move { zone } | Ask::MoveOrOffer { zone, .. } => {
            let mut stones = empty_in(position, zone, points);
            let allowed = stones.clone().find(|point| position.foul_at(*point).is_none());
            allowed.or_else(|| stones.next()).map(|point| Answer::Move(Move::Stone(point)))
        }
    }
}

/// The points of a board from its centre outwards, each ring in the order of [`Point`].
pub(crate) fn outwards(size: Size) -> Vec<Point> {
    let center = size.center();
    let distance =
        |point: &Point| point.x().abs_diff(center.x()).max(point.y().abs_diff(center.y()));
    let mut points: Vec<Point> = size.points().collect();
    points.sort_by_key(distance);
    points
}

fn empty_in<'a>(
    position: &'a Position,
    zone: Zone,
    points: &'a [Point],
) -> impl Iterator<Item = Point> + Clone + 'a {
    let fits = move |point: &Point| {
        position.check(*point).is_ok() && zone.contains(*point, position.size())
    };
    points.iter().copied().filter(fits)
}

fn first(count: u8, points: impl Iterator<Item = Point>) -> Option<Vec<Point>> {
    let points: Vec<Point> = points.take(usize::from(count)).collect();
    (points.len() == usize::from(count)).then_some(points)
}

fn canonical_opening(size: Size, zone: Zone, points: &[Point]) -> Option<Answer> {
    let central =
        |point: &&Point| zone.contains(**point, size) && Zone::Within(2).contains(**point, size);
    let central = points.iter().filter(central);
    let pairs =
        central.clone().flat_map(|second| central.clone().map(move |third| (second, third)));
    pairs
        .map(|(&second, &third)| [size.center(), second, third])
        .find(|stones| canonical::recognise(size, *stones).is_some())
        .map(|stones| Answer::Place(stones.to_vec()))
}

/// Fifth moves with no two alike as shapes, which is the stricter of the two readings. Being alike
/// is transitive, so that taking them as they come finds as many as there are.
fn unlike_fifths(position: &Position, count: u8, points: &[Point]) -> Option<Vec<Point>> {
    let stones: Vec<Point> = position.moves().iter().filter_map(|mv| mv.point()).collect();
    let four: &[Point; 4] = stones.as_slice().try_into().ok()?;
    let mut fifths: Vec<Point> = Vec::with_capacity(usize::from(count));
    for point in empty_in(position, Zone::Anywhere, points) {
        if fifths.len() == usize::from(count) {
            break;
        }
        let alike = |other: &Point| Alike::Shape.holds(position.size(), four, *other, point);
        if !fifths.iter().any(alike) {
            fifths.push(point);
        }
    }
    (fifths.len() == usize::from(count)).then_some(fifths)
}
