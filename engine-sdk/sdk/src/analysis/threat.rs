//! What a stone threatens on its four lines together.

use super::rules::LineRule;
use super::shape::{Shape, Shapes};

/// What a stone of one colour on an empty point would threaten, all four lines together.
///
/// Ordered by worth for the side to move.
///
/// ```
/// use tengen_sdk::analysis::Threat;
/// assert!(Threat::Five > Threat::Four && Threat::Four > Threat::Three);
/// assert!(Threat::FOURS.contains(&Threat::StraightFour));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Threat {
    /// Forbidden for Black under renju by its lines alone: an overline or a double-four.
    Foul,
    /// Nothing that asks for an answer.
    Quiet,
    /// A three.
    Three,
    /// Two threes or more. For Black under renju it may be a foul: see
    /// [`Analysis::foul`](super::Analysis::foul).
    DoubleThree,
    /// A four that one reply stops.
    Four,
    /// A four and a three or more.
    FourThree,
    /// Two fours or more, which no reply stops.
    DoubleFour,
    /// A straight four, which no reply stops.
    StraightFour,
    /// The win.
    Five,
}

impl Threat {
    /// The number of threats; `threat as usize` is below it.
    pub const COUNT: usize = 9;

    /// Every threat, the least first.
    pub const ALL: [Threat; Threat::COUNT] = [
        Threat::Foul,
        Threat::Quiet,
        Threat::Three,
        Threat::DoubleThree,
        Threat::Four,
        Threat::FourThree,
        Threat::DoubleFour,
        Threat::StraightFour,
        Threat::Five,
    ];

    /// The threats that the opponent must answer at once, the greatest first.
    pub const FOURS: [Threat; 4] =
        [Threat::StraightFour, Threat::DoubleFour, Threat::FourThree, Threat::Four];

    /// The fours that no reply stops.
    pub const UNSTOPPABLE: [Threat; 2] = [Threat::StraightFour, Threat::DoubleFour];
}

/// How many shapes of each kind that makes a threat there are on the lines through a point, four
/// bits a count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct ShapeCounts(u32);

impl ShapeCounts {
    pub(super) fn new(shapes: Shapes) -> ShapeCounts {
        ShapeCounts(shapes.iter().map(|&shape| COUNTED[shape as usize]).sum())
    }

    /// Counts one shape instead of another; tells whether that made a difference.
    #[inline]
    pub(super) fn change(&mut self, before: Shape, after: Shape) -> bool {
        let (before, after) = (COUNTED[before as usize], COUNTED[after as usize]);
        self.0 = self.0 + after - before;
        before != after
    }

    /// The number of threes.
    #[inline]
    pub(super) fn threes(self) -> u32 {
        self.count(THREES)
    }

    #[inline]
    fn count(self, shift: u32) -> u32 {
        self.0 >> shift & 15
    }

    /// What all the lines threaten together.
    #[inline]
    pub(super) fn threat(self, rule: LineRule) -> Threat {
        if self.0 == 0 {
            return Threat::Quiet;
        }
        let renju = rule == LineRule::Renju;
        match (self.count(FIVES), self.count(FOURS), self.count(THREES)) {
            (1.., _, _) => Threat::Five,
            _ if renju && self.count(OVERLINES) > 0 => Threat::Foul,
            (_, 2.., _) if renju => Threat::Foul,
            _ if self.count(STRAIGHTS) > 0 => Threat::StraightFour,
            (_, 2.., _) => Threat::DoubleFour,
            (_, 1, 1..) => Threat::FourThree,
            (_, 1, _) => Threat::Four,
            (_, _, 2..) => Threat::DoubleThree,
            (_, _, 1) => Threat::Three,
            _ => Threat::Quiet,
        }
    }
}

const THREES: u32 = 0;
const FOURS: u32 = 4;
const STRAIGHTS: u32 = 8;
const FIVES: u32 = 12;
const OVERLINES: u32 = 16;

/// What each shape adds to a tally.
const COUNTED: [u32; Shape::COUNT] = {
    let mut counted = [0; Shape::COUNT];
    counted[Shape::Three as usize] = 1 << THREES;
    counted[Shape::Four as usize] = 1 << FOURS;
    counted[Shape::StraightFour as usize] = 1 << FOURS | 1 << STRAIGHTS;
    counted[Shape::DoubleFour as usize] = 2 << FOURS;
    counted[Shape::Overline as usize] = 1 << OVERLINES;
    counted[Shape::Five as usize] = 1 << FIVES;
    counted
};

#[cfg(test)]
mod tests {
    use super::*;
    use Shape::*;

    #[test]
    fn lines_add_up() {
        let threat = |rule, shapes| ShapeCounts::new(shapes).threat(rule);
        let free = LineRule::FiveOrMore;
        assert_eq!(threat(free, [Two, One, ClosedThree, Dead]), Threat::Quiet);
        assert_eq!(threat(free, [Three, Four, Dead, Dead]), Threat::FourThree);
        assert_eq!(threat(free, [Three, Three, Three, Three]), Threat::DoubleThree);
        assert_eq!(threat(free, [Four, Four, StraightFour, Dead]), Threat::StraightFour);
        assert_eq!(threat(LineRule::Renju, [Four, Four, Dead, Dead]), Threat::Foul);
        assert_eq!(threat(LineRule::Renju, [DoubleFour, Three, Dead, Dead]), Threat::Foul);
        assert_eq!(threat(LineRule::Renju, [Overline, Four, Five, Dead]), Threat::Five);
        assert_eq!(threat(LineRule::Exactly, [Overline, Four, Dead, Dead]), Threat::Four);
    }
}
