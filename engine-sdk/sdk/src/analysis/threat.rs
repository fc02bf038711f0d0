use super::rules::LineRule;
use super::shape::{Shape, Shapes};

/// What a stone of one colour on an empty point would threaten, all four lines together.
///
/// Ordered by worth for the side to move.
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

    pub(super) fn new(rule: LineRule, shapes: Shapes) -> Threat {
        let sum = shapes.iter().map(|&shape| TALLY[shape as usize]).fold(0, u32::wrapping_add);
        let count = |shift: u32| sum >> shift & 15;
        let renju = rule == LineRule::Renju;
        match (count(FIVES), count(FOURS), count(THREES)) {
            (1.., _, _) => Threat::Five,
            _ if renju && count(OVERLINES) > 0 => Threat::Foul,
            (_, 2.., _) if renju => Threat::Foul,
            _ if count(STRAIGHTS) > 0 => Threat::StraightFour,
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

/// What each shape adds to the counts, four bits a count.
const TALLY: [u32; Shape::COUNT] = {
    let mut tally = [0; Shape::COUNT];
    tally[Shape::Three as usize] = 1 << THREES;
    tally[Shape::Four as usize] = 1 << FOURS;
    tally[Shape::StraightFour as usize] = 1 << FOURS | 1 << STRAIGHTS;
    tally[Shape::DoubleFour as usize] = 2 << FOURS;
    tally[Shape::Overline as usize] = 1 << OVERLINES;
    tally[Shape::Five as usize] = 1 << FIVES;
    tally
};

/// The number of threes among the shapes.
pub(super) fn threes(shapes: Shapes) -> usize {
    shapes.iter().filter(|&&shape| shape == Shape::Three).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use Shape::*;

    #[test]
    fn lines_add_up() {
        let threat = |rule, shapes| Threat::new(rule, shapes);
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
