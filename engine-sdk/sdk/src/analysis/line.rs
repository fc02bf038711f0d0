//! Tables of the shape that a stone makes on a line.

use super::half::{HALVES, Half, HalfEnd, REACH};
use super::rules::LineRule;
use super::shape::Shape;

/// The shape of every pair of halves around a point, for one line rule.
pub(super) struct LineTable {
    shapes: [Shape; HALVES * HALVES],
}

impl LineTable {
    /// Works out every pair, those with more stones first.
    pub(super) fn new(rule: LineRule) -> LineTable {
        let mut shapes = [None; HALVES * HALVES];
        for index in 0..shapes.len() {
            fill(&mut shapes, rule, index / HALVES, index % HALVES);
        }
        LineTable { shapes: shapes.map(|shape| shape.expect("every pair was filled")) }
    }

    /// The shape a stone makes between the halves with these numbers.
    #[inline]
    pub(super) fn shape(&self, before: u8, after: u8) -> Shape {
        self.shapes[usize::from(before) * HALVES + usize::from(after)]
    }
}

/// The shape of one pair, worked out from the pairs with one more stone. A line reads the same from
/// both ends.
fn fill(shapes: &mut [Option<Shape>], rule: LineRule, before: usize, after: usize) -> Shape {
    if let Some(shape) = shapes[before * HALVES + after] {
        return shape;
    }
    let line = LineWindow::new(Half::from_index(before), Half::from_index(after));
    let shape = line.now(rule).unwrap_or_else(|| {
        let mut best = Shape::Dead;
        for (grown, other) in [(before, after), (after, before)] {
            let half = Half::from_index(grown);
            for k in (0..half.length).filter(|k| half.own >> k & 1 == 0) {
                let more = Half { own: half.own | 1 << k, ..half }.index();
                best = best.max(aims(rule, fill(shapes, rule, more, other)));
            }
        }
        best
    });
    shapes[before * HALVES + after] = Some(shape);
    shapes[after * HALVES + before] = Some(shape);
    shape
}

/// The shape of a line that one more stone turns into this shape.
fn aims(rule: LineRule, next: Shape) -> Shape {
    match next {
        Shape::StraightFour => Shape::Three,
        Shape::DoubleFour if rule != LineRule::Renju => Shape::Three,
        Shape::Four => Shape::ClosedThree,
        Shape::Three => Shape::Two,
        Shape::ClosedThree => Shape::ClosedTwo,
        Shape::Two => Shape::One,
        Shape::ClosedTwo => Shape::ClosedOne,
        _ => Shape::Dead,
    }
}

/// Eleven points with an own stone in the middle; bit `REACH` of a mask is the middle.
#[derive(Clone, Copy)]
struct LineWindow {
    own: u32,
    empty: u32,
    opponent: u32,
}

const MIDDLE: usize = REACH;

impl LineWindow {
    fn new(before: Half, after: Half) -> LineWindow {
        let mut line = LineWindow { own: 1 << MIDDLE, empty: 0, opponent: 0 };
        for k in 0..REACH {
            line.mark(before, k, MIDDLE - 1 - k);
            line.mark(after, k, MIDDLE + 1 + k);
        }
        line
    }

    fn mark(&mut self, half: Half, k: usize, bit: usize) {
        if k < half.length {
            *if half.own >> k & 1 == 1 { &mut self.own } else { &mut self.empty } |= 1 << bit;
        } else if k == half.length && half.end == HalfEnd::Opponent {
            self.opponent |= 1 << bit;
        }
    }

    /// The shape, if it is a four or more.
    fn now(self, rule: LineRule) -> Option<Shape> {
        let (first, last) = self.row();
        if self.five(rule) {
            return Some(Shape::Five);
        }
        if rule.caps_length() && last - first >= 5 {
            return Some(Shape::Overline);
        }
        match self.completions(rule) {
            0 => None,
            _ if !self.unstoppable(rule) => Some(Shape::Four),
            _ if last - first == 3 => Some(Shape::StraightFour),
            _ => Some(Shape::DoubleFour),
        }
    }

    /// The first and the last bit of the row through the middle.
    fn row(self) -> (usize, usize) {
        let mut first = MIDDLE;
        while first > 0 && self.own >> (first - 1) & 1 == 1 {
            first -= 1;
        }
        let mut last = MIDDLE;
        while self.own >> (last + 1) & 1 == 1 {
            last += 1;
        }
        (first, last)
    }

    fn five(self, rule: LineRule) -> bool {
        let (first, last) = self.row();
        let blocked = |bit: usize| self.opponent >> bit & 1 == 1;
        let before = first > 0 && blocked(first - 1);
        rule.wins((last - first + 1) as u32, (before, blocked(last + 1)))
    }

    fn completions(self, rule: LineRule) -> usize {
        let grown = |bit: &usize| LineWindow { own: self.own | 1 << bit, ..self }.five(rule);
        self.empties().filter(grown).count()
    }

    /// Whether a five remains after any stone of the opponent on the line.
    fn unstoppable(self, rule: LineRule) -> bool {
        self.empties().all(|bit| {
            let empty = self.empty & !(1 << bit);
            LineWindow { empty, opponent: self.opponent | 1 << bit, ..self }.completions(rule) > 0
        })
    }

    fn empties(self) -> impl Iterator<Item = usize> {
        (0..=2 * REACH).filter(move |bit| self.empty >> bit & 1 == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The shape of a line of eleven points, `X` own, `O` the opponent's, `#` off the board, with
    /// the point in question in the middle.
    fn shape(rule: LineRule, text: &str) -> Shape {
        let points: Vec<char> = text.chars().collect();
        assert_eq!(points.len(), 2 * REACH + 1, "{text}");
        let half = |points: &mut dyn Iterator<Item = char>| {
            let mut half = Half { length: 0, own: 0, end: HalfEnd::Open };
            for c in points {
                match c {
                    'X' => half.own |= 1 << half.length,
                    'O' => return Half { end: HalfEnd::Opponent, ..half },
                    '#' => return Half { end: HalfEnd::Edge, ..half },
                    _ => {}
                }
                half.length += 1;
            }
            half
        };
        let before = half(&mut points[..MIDDLE].iter().rev().copied()).index();
        let after = half(&mut points[MIDDLE + 1..].iter().copied()).index();
        LineTable::new(rule).shape(before as u8, after as u8)
    }

    #[test]
    fn shapes_have_their_names() {
        use LineRule::*;
        use Shape::*;
        for (rule, line, expected) in [
            (FiveOrMore, "...........", One),
            (FiveOrMore, "....X......", Two),
            (FiveOrMore, "...X.......", Two),
            (FiveOrMore, "...XX......", Three),
            (FiveOrMore, "..X.X......", Three),
            (FiveOrMore, "..XXX......", StraightFour),
            (FiveOrMore, ".OXXX......", Four),
            (FiveOrMore, "..OXX......", ClosedThree),
            (FiveOrMore, "..OX.......", ClosedTwo),
            (FiveOrMore, "....O......", ClosedOne),
            (FiveOrMore, "...O....O..", Dead),
            (FiveOrMore, ".XXXX......", Five),
            (FiveOrMore, "XXXXX......", Five),
            (FiveOrMore, "..X.X.X.X..", DoubleFour),
            (FiveOrMore, ".X.X...X...", Three),
            (FiveOrMore, "##O........", One),
            (Exactly, "XXXXX......", Overline),
            (Exactly, ".OXXX..X...", Dead),
            (Exactly, ".OXXX.X....", Five),
            (Exactly, "X.XXX......", Four),
            (Exactly, "..X.X.X.X..", DoubleFour),
            (Exactly, ".X.X...X...", Three),
            (Renju, ".X.X...X...", ClosedThree),
            (Caro, "..XXX......", StraightFour),
            (Caro, "O.XXX......", Four),
            (Caro, "#.XXX..####", StraightFour),
            (Caro, "O.XXX.O....", Dead),
            (Caro, "OXXXX......", Five),
            (Caro, "OXXXX.O....", Dead),
            (Caro, "OXXXX.XO...", Five),
            (Caro, "#XXXX.#####", Five),
        ] {
            assert_eq!(shape(rule, line), expected, "{rule:?} {line}");
        }
    }
}
