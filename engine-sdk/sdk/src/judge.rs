use tengen_rules::{Board, Color, Point};

/// What a row of five points is worth to the one colour that has stones there, by their number.
const WORTH: [i32; 6] = [0, 1, 6, 30, 150, 10_000];

/// What the next move is worth when the stones are even.
const TEMPO: i32 = 12;

/// Half of the directions: to the right, up, and both diagonals.
const DIRECTIONS: [(i16, i16); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// How far Black is ahead once the side to move has played its best point. Rough, but enough for
/// positions of a few stones.
pub(crate) fn balance(board: &Board, to_move: Color) -> i32 {
    let empty = board.size().points().filter(|&point| board.is_empty(point));
    let best = empty.map(|point| gain(board, point, to_move)).max().unwrap_or(0);
    let lead = lead(board) - TEMPO * sign(to_move);
    lead + best * sign(to_move)
}

/// What a stone of the colour on the empty point adds to the colour's lead.
pub(crate) fn gain(board: &Board, point: Point, color: Color) -> i32 {
    let back = |(dx, dy), step: i16| shift(point, (dx, dy), -step);
    let rows = DIRECTIONS.into_iter().flat_map(|d| (0..5).map(move |step| (d, step)));
    let counts = rows.filter_map(|(d, step)| count(board, back(d, step)?, d));
    counts
        .map(|[black, white]| {
            let (own, other) = if color == Color::Black { (black, white) } else { (white, black) };
            match (own, other) {
                (own, 0) => WORTH[own + 1] - WORTH[own],
                (0, other) => WORTH[other],
                _ => 0,
            }
        })
        .sum()
}

/// What Black's rows are worth less what White's are.
fn lead(board: &Board) -> i32 {
    let starts = board.size().points();
    let rows = starts.flat_map(|start| DIRECTIONS.into_iter().map(move |d| (start, d)));
    let counts = rows.filter_map(|(start, d)| count(board, start, d));
    counts
        .map(|counts| match counts {
            [black, 0] => WORTH[black],
            [0, white] => -WORTH[white],
            _ => 0,
        })
        .sum()
}

/// The black and the white stones on the row of five points from `start`; none when it leaves the
/// board.
fn count(board: &Board, start: Point, direction: (i16, i16)) -> Option<[usize; 2]> {
    let end = shift(start, direction, 4)?;
    if !board.size().contains(start) || !board.size().contains(end) {
        return None;
    }
    let mut counts = [0; 2];
    for step in 0..5 {
        match board.get(shift(start, direction, step)?) {
            Some(Color::Black) => counts[0] += 1,
            Some(Color::White) => counts[1] += 1,
            None => {}
        }
    }
    Some(counts)
}

fn shift(point: Point, (dx, dy): (i16, i16), steps: i16) -> Option<Point> {
    let x = u8::try_from(i16::from(point.x()) + dx * steps).ok()?;
    let y = u8::try_from(i16::from(point.y()) + dy * steps).ok()?;
    Some(Point::new(x, y))
}

const fn sign(color: Color) -> i32 {
    match color {
        Color::Black => 1,
        Color::White => -1,
    }
}

#[cfg(test)]
mod tests {
    use tengen_rules::{Rule, Size};

    use super::*;

    fn board(points: &[&str]) -> Board {
        let mut position = tengen_rules::Position::new(Rule::Renju, Size::STANDARD);
        for point in points {
            position.play(point.parse().unwrap()).unwrap();
        }
        position.board().clone()
    }

    #[test]
    fn a_gain_is_the_difference_it_makes_to_the_lead() {
        let mut board = board(&["h8", "i9", "h10", "c3", "a1", "o15"]);
        for color in Color::ALL {
            for point in Size::STANDARD.points() {
                if board.is_empty(point) {
                    let gain = gain(&board, point, color) * sign(color);
                    let before = lead(&board);
                    board.place(point, color);
                    assert_eq!(lead(&board) - before, gain, "{point}");
                    board.remove(point);
                }
            }
        }
    }

    #[test]
    fn a_stone_in_the_corner_does_not_make_up_for_two_in_the_middle() {
        assert!(balance(&board(&["h8", "a1", "h9"]), Color::White) > 0);
        assert!(balance(&board(&["a1", "h8", "o15", "i9"]), Color::Black) < 0);
    }
}
