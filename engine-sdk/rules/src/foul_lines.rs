//! What a forbidden move made, for those who look at it.

use alloc::vec::Vec;

use crate::board::row_through;
use crate::line::{Direction, bits};
use crate::{Board, Color, Foul, Point};

impl Board {
    /// The stones of each line that made the black stone on the point forbidden under renju
    /// (RIF 9): of an overline its row, of fours and threes those that count, each in the order of
    /// [`Point`]. None where the stone is no foul.
    ///
    /// ```
    /// use tengen_rules::{Board, Color, Point, Size};
    /// let mut board = Board::new(Size::STANDARD);
    /// for point in ["g8", "i8", "h7", "h9", "h8"] {
    ///     board.place(point.parse().unwrap(), Color::Black);
    /// }
    /// let points = |texts: [&str; 3]| texts.map(|text| text.parse::<Point>().unwrap()).to_vec();
    /// let lines = [points(["h7", "h8", "h9"]), points(["g8", "h8", "i8"])];
    /// assert!(lines.iter().all(|line| board.foul_lines("h8".parse().unwrap()).contains(line)));
    /// ```
    pub fn foul_lines(&self, point: Point) -> Vec<Vec<Point>> {
        if self.get(point) != Some(Color::Black) {
            return Vec::new();
        }
        let mut before = self.clone();
        before.remove(point);
        let Some(foul) = before.foul(point) else { return Vec::new() };
        let mut lines = Vec::new();
        for direction in Direction::ALL {
            let (line, bit) = (direction.through(point), direction.bit(point));
            let (black, empty) = self.black_and_empty(line);
            let row = |stones: u32, bit| (row_through(stones, bit) >> 1) as u32;
            let mut found: Vec<u32> = Vec::new();
            match foul {
                Foul::Overline => {
                    found.extend(Some(row(black, bit)).filter(|row| row.count_ones() > 5));
                }
                Foul::DoubleFour | Foul::DoubleThree => {
                    for more in bits(empty) {
                        let whole = row(black | 1 << more, more);
                        let is_of_it = whole >> bit & 1 == 1;
                        let makes = match foul {
                            Foul::DoubleFour => whole.count_ones() == 5,
                            // A three is one if the fourth stone makes a straight four, and may be
                            // laid.
                            _ => {
                                let ends = [
                                    whole.trailing_zeros().wrapping_sub(1),
                                    32 - whole.leading_zeros(),
                                ];
                                let is_end = |end: u32| {
                                    end < 32
                                        && empty >> end & 1 == 1
                                        && row(black | 1 << more, end).count_ones() == 5
                                };
                                whole.count_ones() == 4
                                    && ends.into_iter().all(is_end)
                                    && self.foul(line.point(more)).is_none()
                            }
                        };
                        let stones = whole & !(1 << more);
                        if is_of_it && makes && !found.contains(&stones) {
                            found.push(stones);
                        }
                    }
                }
            }
            lines.extend(found.into_iter().map(|stones| {
                let mut points: Vec<Point> = bits(stones).map(|bit| line.point(bit)).collect();
                points.sort_unstable();
                points
            }));
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Size;
    use alloc::string::{String, ToString};

    /// The lines of a foul at the last of these black stones, as text.
    fn lines(black: &str, white: &str) -> Vec<String> {
        let mut board = Board::new(Size::STANDARD);
        let points = |text: &str| {
            text.split_whitespace().map(|one| one.parse::<Point>().unwrap()).collect::<Vec<_>>()
        };
        points(white).into_iter().for_each(|point| board.place(point, Color::White));
        let black = points(black);
        black.iter().for_each(|point| board.place(*point, Color::Black));
        let text =
            |line: Vec<Point>| line.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        let mut lines: Vec<_> =
            board.foul_lines(*black.last().unwrap()).into_iter().map(text).collect();
        lines.sort_unstable();
        lines
    }

    #[test]
    fn each_foul_is_shown_by_its_lines() {
        assert_eq!(lines("b8 c8 d8 f8 g8 e8", ""), ["b8 c8 d8 e8 f8 g8"]);
        // A three that is broken, beside one that is not, and a line that is none.
        assert_eq!(lines("f8 i8 h6 h7 i9 h8", "j10"), ["f8 h8 i8", "h6 h7 h8"]);
        // Two fours on one line.
        assert_eq!(lines("b8 d8 e8 h8 f8", ""), ["b8 d8 e8 f8", "d8 e8 f8 h8"]);
        assert_eq!(lines("e8 f8 g8 h5 h6 h7 h8", "d8 h4"), ["e8 f8 g8 h8", "h5 h6 h7 h8"]);
        assert_eq!(lines("g8 i8 h7 h8", ""), [""; 0]);
        assert_eq!(lines("g8 i8 h7 h9 h8", "f8"), [""; 0]);
        assert!(Board::new(Size::STANDARD).foul_lines("h8".parse().unwrap()).is_empty());
    }

    #[test]
    fn what_is_shown_is_what_is_judged() {
        let mut state = 7_u64;
        let mut next = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % below
        };
        let mut seen = [0; 3];
        for _ in 0..20_000 {
            let mut board = Board::new(Size::new(11, 11).unwrap());
            for _ in 0..40 {
                let point = Point::new(next(11) as u8, next(11) as u8);
                let color = if next(3) == 0 { Color::White } else { Color::Black };
                if board.is_empty(point) {
                    board.place(point, color);
                }
            }
            let point = Point::new(next(11) as u8, next(11) as u8);
            let Some(foul) = board.foul(point) else { continue };
            board.place(point, Color::Black);
            let lines = board.foul_lines(point);
            assert!(lines.iter().all(|line| line.contains(&point)), "{board}{point} {lines:?}");
            let stones =
                |from: usize, to: usize| lines.iter().all(|one| (from..=to).contains(&one.len()));
            let (kind, holds) = match foul {
                Foul::Overline => (0, !lines.is_empty() && stones(6, 11)),
                Foul::DoubleFour => (1, lines.len() >= 2 && stones(4, 4)),
                Foul::DoubleThree => (2, lines.len() >= 2 && stones(3, 3)),
            };
            seen[kind] += 1;
            assert!(holds, "{board}{point} {foul:?} {lines:?}");
        }
        assert!(seen.into_iter().all(|count| count > 20), "{seen:?}");
    }
}
