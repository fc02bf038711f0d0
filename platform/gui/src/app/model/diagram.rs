//! A board with its stones and marks, and its star points.

use tengen_arbiter::Termination;
use tengen_rules::{Board, Color, Foul, Move, Point, Rule, Size};

use super::Snapshot;

/// What a board shows after some ply of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagram {
    /// The board.
    pub size: Size,
    /// The stones in the order they were played.
    pub stones: Vec<Stone>,
    /// The winning row, when the game is over and its end is shown.
    pub row: Vec<Point>,
    /// Where Black may not play, when Black is to move under Renju.
    pub forbidden: Vec<(Point, Foul)>,
    /// The fifth moves on offer.
    pub offered: Vec<Point>,
}

/// A stone on a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stone {
    pub point: Point,
    /// Its colour.
    pub color: Color,
    /// The number of its ply, from 1; 0 if it was set up.
    pub ply: usize,
}

impl Diagram {
    /// The board after the first `plies` plies of a game.
    pub fn new(snapshot: &Snapshot, plies: usize) -> Diagram {
        let (position, _) = snapshot.position(plies).expect("the game's arbiter laid it there");
        let rows = &snapshot.rows[..plies.min(snapshot.rows.len())];
        let stones = rows.iter().filter_map(|row| match row.mv {
            Move::Stone(point) => Some(Stone { point, color: row.color, ply: row.ply }),
            Move::Pass => None,
        });
        let stones: Vec<_> = stones.collect();
        let is_live = rows.len() == snapshot.rows.len();
        let won = snapshot.result.is_some_and(|end| end.termination == Termination::Five);
        let is_over = is_live && snapshot.result.is_some();
        let judged = position.rule() == Rule::Renju && position.to_move() == Color::Black;
        Diagram {
            size: snapshot.size,
            row: match stones.last() {
                Some(last) if is_live && won => row_through(position.board(), snapshot.rule, last),
                _ => Vec::new(),
            },
            forbidden: if judged && !is_over {
                position.board().forbidden().iter().collect()
            } else {
                Vec::new()
            },
            offered: if is_live { snapshot.offered.clone() } else { Vec::new() },
            stones,
        }
    }
}

/// The stones of every winning row through `last`.
fn row_through(board: &Board, rule: Rule, last: &Stone) -> Vec<Point> {
    let exact = rule == Rule::Standard || (rule == Rule::Renju && last.color == Color::Black);
    let mut points = Vec::new();
    for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
        let mut line: Vec<Point> = ray(board, last, -dx, -dy).collect();
        line.push(last.point);
        line.extend(ray(board, last, dx, dy));
        if line.len() == 5 || (line.len() > 5 && !exact) {
            points.extend(line);
        }
    }
    points.sort();
    points.dedup();
    points
}

/// The stones of `last`'s colour next to it in one direction, up to the first other point.
fn ray<'a>(board: &'a Board, last: &Stone, dx: i16, dy: i16) -> impl Iterator<Item = Point> + 'a {
    let Stone { point, color, .. } = *last;
    (1_i16..)
        .map_while(move |step| {
            let x = u8::try_from(i16::from(point.x()) + step * dx).ok()?;
            let y = u8::try_from(i16::from(point.y()) + step * dy).ok()?;
            Some(Point::new(x, y))
        })
        .take_while(move |&at| board.size().contains(at) && board.get(at) == Some(color))
}

/// The star points of a board: the crossings of the fourth lines (third on a small board), the
/// centre, and on large odd sides the middles of the fourth lines.
pub fn star_points(size: Size) -> Vec<Point> {
    let (across, up) = (marks(size.width()), marks(size.height()));
    let center = size.center();
    let has_center = !size.width().is_multiple_of(2) && !size.height().is_multiple_of(2);
    let mut points: Vec<Point> =
        across.iter().flat_map(|&x| up.iter().map(move |&y| Point::new(x, y))).collect();
    if has_center && !points.contains(&center) {
        // Smaller boards have the centre, but not the middles of the sides.
        points.push(center);
    }
    points.sort();
    points
}

fn marks(side: u8) -> Vec<u8> {
    let edge = match side {
        0..9 => return Vec::new(),
        9..13 => 2,
        13.. => 3,
    };
    let far = side - 1 - edge;
    if side >= 19 && !side.is_multiple_of(2) { vec![edge, side / 2, far] } else { vec![edge, far] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_marked_where_players_know_it() {
        let marked = |size: &str| {
            let points = star_points(size.parse().unwrap());
            points.iter().map(Point::to_string).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(marked("15"), "d4 d12 h8 l4 l12");
        assert_eq!(marked("19"), "d4 d10 d16 j4 j10 j16 p4 p10 p16");
        assert_eq!(marked("9"), "c3 c7 e5 g3 g7");
        assert_eq!(marked("20"), "d4 d17 q4 q17");
        assert_eq!(marked("20x15"), "d4 d12 q4 q12");
        assert_eq!(marked("5"), "c3");
    }
}
