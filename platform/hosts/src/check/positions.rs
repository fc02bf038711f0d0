//! The positions on which engines are checked.

use tengen_random::Random;
use tengen_rules::{Color, Point, Position, Rule, Size, Symmetry};

/// How many stones lie on the positions that an engine is asked about.
const PLIES: [usize; 6] = [0, 1, 2, 7, 24, 61];

/// Positions that a game may reach, the same every time: neither side has won or fouled.
pub(super) fn positions(rule: Rule, size: Size) -> impl Iterator<Item = Position> {
    let fits = move |&plies: &usize| plies < size.area() / 2;
    PLIES.into_iter().filter(fits).map(move |plies| position(rule, size, plies))
}

/// A position of so many plies, or fewer where there is no room.
pub(super) fn position(rule: Rule, size: Size, plies: usize) -> Position {
    let mut random = Random::new(plies as u64);
    let mut position = Position::new(rule, size);
    while position.ply() < plies && extend(&mut position, &mut random) {}
    position
}

/// Plays on one ply that ends nothing, near the centre while there is room.
pub(crate) fn extend(position: &mut Position, random: &mut Random) -> bool {
    let center = position.size().center();
    let far = |point: &Point| {
        let distance = point.x().abs_diff(center.x()).max(point.y().abs_diff(center.y()));
        (u64::from(distance / 3), random.bits())
    };
    let mut points: Vec<Point> = position.size().points().collect();
    points.sort_by_cached_key(far);
    points.into_iter().any(|point| is_quiet(position, point) && position.play(point).is_ok())
}

/// Whether a stone of the side to move may be laid there and ends nothing.
pub(super) fn is_quiet(position: &Position, point: Point) -> bool {
    position.check(point).is_ok()
        && position.foul_at(point).is_none()
        && !position.board().wins(position.rule(), point, position.to_move())
}

/// Positions in which most of the board is full and neither side has a row: the points that are
/// left are on the right, at the top, and one point in the corner.
pub(super) fn full_boards(rule: Rule, size: Size) -> Vec<Position> {
    let (right, top) = (size.width() - 1, size.height() - 1);
    let rest: [&dyn Fn(Point) -> bool; 3] =
        [&|point| point.x() + 2 > right, &|point| point.y() + 2 > top, &|point| {
            point == Point::new(right, top)
        }];
    rest.into_iter().filter_map(|is_rest| filled(rule, size, is_rest)).collect()
}

/// A position with a stone on every point but the rest. Some points of the rest may have one too,
/// so that the colours alternate.
fn filled(rule: Rule, size: Size, is_rest: &dyn Fn(Point) -> bool) -> Option<Position> {
    // Pairs along the rows, turned over from row to row: no line holds three of a colour together.
    let is_black = |point: &Point| (point.x() / 2 + point.y()).is_multiple_of(2);
    let (rest, near): (Vec<Point>, Vec<Point>) = size.points().partition(|point| is_rest(*point));
    let is_last = rest.len() == 1;
    let (mut black, mut white): (Vec<_>, Vec<_>) = near.into_iter().partition(is_black);
    // Where one colour has fewer points, it takes some of the rest, or the other leaves some out.
    let mut spare = rest.into_iter().filter(|_| !is_last);
    while black.len() < white.len() {
        match spare.find(is_black) {
            Some(point) => black.push(point),
            None => drop(white.pop()),
        }
    }
    while white.len() + 1 < black.len() {
        match spare.find(|point| !is_black(point)) {
            Some(point) => white.push(point),
            None => drop(black.pop()),
        }
    }
    alternate(rule, size, &black, &white)
}

/// A position of these stones, Black's first, that ends nothing on its way.
fn alternate(rule: Rule, size: Size, black: &[Point], white: &[Point]) -> Option<Position> {
    let mut position = Position::new(rule, size);
    for ply in 0..black.len() + white.len() {
        let stones = if ply % 2 == 0 { black } else { white };
        let point = *stones.get(ply / 2)?;
        if !is_quiet(&position, point) {
            return None;
        }
        position.play(point).ok()?;
    }
    Some(position)
}

/// A position with a point that matters, and one that matters to the other side.
pub(super) struct Tactic {
    pub position: Position,
    /// Where the side to move makes five; or the point that is forbidden.
    pub point: Point,
    /// Where the other side would.
    pub theirs: Option<Point>,
}

/// By columns and rows from the centre.
type Offset = (i8, i8);

/// Stones by colour, the point that matters, and the other side's.
struct TacticPattern {
    black: &'static [Offset],
    white: &'static [Offset],
    point: Offset,
    theirs: Option<Offset>,
}

/// Both have four in a row that one more stone makes five, at one end alone.
const ROWS: TacticPattern = TacticPattern {
    black: &[(-2, -3), (-1, -3), (0, -3), (1, -3), (-3, 3)],
    white: &[(-2, 3), (-1, 3), (0, 3), (1, 3), (-3, -3)],
    point: (2, -3),
    theirs: Some((2, 3)),
};
/// One on a diagonal, with a gap.
const DIAGONAL: TacticPattern = TacticPattern {
    black: &[(-3, -3), (-2, -2), (-1, -1), (1, 1), (-4, 0)],
    white: &[(-4, -4), (3, -2), (-3, 2), (4, 1), (0, 4)],
    point: (0, 0),
    theirs: None,
};
/// Three forbidden points of renju that look good: two open threes, two fours, and a row of six.
const FORBIDDEN: [TacticPattern; 3] = [
    TacticPattern {
        black: &[(-1, 0), (-2, 0), (0, -1), (0, -2)],
        white: &[(4, 5), (-4, 4), (5, -4), (-5, -5)],
        point: (0, 0),
        theirs: None,
    },
    TacticPattern {
        black: &[(-3, 0), (-2, 0), (-1, 0), (0, -3), (0, -2), (0, -1)],
        white: &[(-4, 0), (0, -4), (4, 5), (-4, 4), (5, -4), (5, 2)],
        point: (0, 0),
        theirs: None,
    },
    TacticPattern {
        black: &[(-3, 0), (-2, 0), (-1, 0), (1, 0), (2, 0)],
        white: &[(4, 5), (-4, 4), (5, -4), (-5, -5), (0, 5)],
        point: (0, 0),
        theirs: None,
    },
];

/// Where the side to move can make five at one point: each colour, in all images that the board
/// has. Empty where the board is too small.
pub(super) fn fives(rule: Rule, size: Size) -> Vec<Tactic> {
    let mut tactics = images(&ROWS, rule, size, Color::Black);
    tactics.extend(images(&ROWS, rule, size, Color::White));
    tactics.extend(images(&DIAGONAL, rule, size, Color::Black));
    tactics
}

/// Positions in which Black is to move and a point is forbidden.
pub(super) fn forbidden(size: Size) -> Vec<Tactic> {
    FORBIDDEN.iter().flat_map(|pattern| images(pattern, Rule::Renju, size, Color::Black)).collect()
}

fn images(pattern: &TacticPattern, rule: Rule, size: Size, to_move: Color) -> Vec<Tactic> {
    let center = size.center();
    let place = |(dx, dy): Offset| {
        let (x, y) = (center.x().checked_add_signed(dx)?, center.y().checked_add_signed(dy)?);
        Some(Point::new(x, y)).filter(|&point| size.contains(point))
    };
    let image = |symmetry: Symmetry| {
        let map = |offset: Offset| place(offset).map(|point| symmetry.point(point, size));
        let map_all =
            |offsets: &[Offset]| offsets.iter().map(|&o| map(o)).collect::<Option<Vec<_>>>();
        let (mut black, white) = (map_all(pattern.black)?, map_all(pattern.white)?);
        let (mut point, mut theirs) = (map(pattern.point)?, pattern.theirs.and_then(map));
        if to_move == Color::White {
            black.push(map((5, 0))?);
            (point, theirs) = (theirs?, Some(point));
        }
        let position = alternate(rule, size, &black, &white)?;
        Some(Tactic { position, point, theirs })
    };
    let same = |symmetry: &Symmetry| symmetry.size(size) == size;
    Symmetry::ALL.into_iter().filter(same).filter_map(image).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_positions_are_as_long_as_they_should_be() {
        for rule in Rule::ALL {
            let plies: Vec<_> = positions(rule, Size::STANDARD).map(|p| p.ply()).collect();
            assert_eq!(plies, PLIES);
        }
    }

    #[test]
    fn the_tactics_are_what_they_claim() {
        for rule in Rule::ALL {
            let fives = fives(rule, Size::STANDARD);
            assert_eq!(fives.len(), 24);
            for Tactic { position, point, theirs } in fives {
                let wins = |point, color| position.board().wins(rule, point, color);
                assert!(wins(point, position.to_move()), "{rule} {point}");
                assert!(theirs.is_none_or(|point| wins(point, !position.to_move())));
            }
        }
        let forbidden = forbidden(Size::STANDARD);
        assert_eq!(forbidden.len(), 24);
        for Tactic { position, point, .. } in forbidden {
            assert!(position.foul_at(point).is_some(), "{point} of {:?}", position.moves());
        }
    }

    #[test]
    fn full_boards_leave_the_last_points() {
        for text in ["5", "15", "20x15", "15x20", "6x9", "32"] {
            let size: Size = text.parse().unwrap();
            for rule in Rule::ALL {
                let boards = full_boards(rule, size);
                assert_eq!(boards.len(), 3, "{rule} on {size}");
                let left = size.area() - boards[2].board().count();
                assert!((1..=8).contains(&left), "{left} on {size}");
            }
        }
    }
}
