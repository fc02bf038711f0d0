//! A board with its stones and marks, and its star points.

use tengen_arbiter::Termination;
use tengen_rules::{Color, Foul, Move, Point, Size};

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
    /// Where the colour to move may not play.
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
        Diagram {
            size: snapshot.size,
            row: match stones.last() {
                Some(last) if is_live && won => {
                    position.board().winning_row(snapshot.rule, last.point)
                }
                _ => Vec::new(),
            },
            forbidden: match is_over {
                true => Vec::new(),
                false => position.forbidden().iter().collect(),
            },
            offered: if is_live { snapshot.offered.clone() } else { Vec::new() },
            stones,
        }
    }
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
    use std::sync::Arc;

    use tengen_record::formats::{Node, ScoreSheet};
    use tengen_rules::Rule;

    use super::*;
    use crate::app::model::GameData;

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
    #[test]
    fn a_blocked_five_of_caro_is_not_marked() {
        let mut sheet = ScoreSheet::new(Size::STANDARD);
        sheet.rule = Some(Rule::Caro);
        let moves = "b1 a1 c1 g1 d1 o15 e1 o13 f2 o11 f3 o9 f4 o7 f5 o5 f1";
        let mut last = sheet.tree.root();
        for (ply, point) in moves.split(' ').enumerate() {
            let played = Some((Color::of_ply(ply), Move::Stone(point.parse().unwrap())));
            last = sheet.tree.add(last, Node { played, ..Node::default() });
        }
        let snapshot = GameData::Sheet(Arc::new(sheet)).snapshot().unwrap();
        let marked = |plies| {
            let row = Diagram::new(&snapshot, plies).row;
            row.iter().map(Point::to_string).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(marked(17), "f1 f2 f3 f4 f5");
        assert_eq!(marked(16), "", "only the end shows the row");
    }
}
