//! Forbidden moves after RIF 9, exact and recursive.

use crate::line::{Direction, bits};
use crate::pattern::{Pattern, extensions};
use crate::{Board, Color, Foul, Point};

/// What a black stone on one empty point would make, in every direction.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Traits(u16);

impl Traits {
    const THREE: u16 = 1;
    const FOUR: u16 = 1 << 4;
    const TWO_FOURS: u16 = 1 << 8;
    const FIVE: u16 = 1 << 12;
    const OVERLINE: u16 = 1 << 13;
    /// The traits that a direction has for itself.
    const DIRECTED: u16 = Traits::THREE | Traits::FOUR | Traits::TWO_FOURS;

    pub(crate) fn three(direction: Direction) -> Traits {
        Traits(Traits::THREE << direction as u16)
    }

    pub(crate) fn four(direction: Direction) -> Traits {
        Traits(Traits::FOUR << direction as u16)
    }

    pub(crate) fn two_fours(direction: Direction) -> Traits {
        Traits(Traits::TWO_FOURS << direction as u16)
    }

    pub(crate) const fn five() -> Traits {
        Traits(Traits::FIVE)
    }

    pub(crate) const fn overline() -> Traits {
        Traits(Traits::OVERLINE)
    }

    /// Both together.
    pub(crate) const fn and(self, other: Traits) -> Traits {
        Traits(self.0 | other.0)
    }

    /// What the other directions make. A five or an overline has no direction of its own; where
    /// this is asked, the direction left out holds neither.
    pub(crate) fn without(self, direction: Direction) -> Traits {
        Traits(self.0 & !(Traits::DIRECTED << direction as u16))
    }

    fn has(self, traits: u16) -> bool {
        self.0 & traits != 0
    }

    fn threes(self) -> u16 {
        self.0 & 0b1111
    }

    fn fours(self) -> u16 {
        self.0 >> 4 & 0b1111
    }

    fn makes_double_four(self) -> bool {
        self.has(0b1111 << 8) || is_several(self.fours())
    }

    /// Whether these decide the foul, or leave it to the threes' own legality: five beats
    /// forbidden, then an overline, then fours.
    pub(crate) fn judge(self) -> Judgement {
        if self.has(Traits::FIVE) {
            Judgement::Legal
        } else if self.has(Traits::OVERLINE) {
            Judgement::Foul(Foul::Overline)
        } else if self.makes_double_four() {
            Judgement::Foul(Foul::DoubleFour)
        } else if is_several(self.threes()) {
            Judgement::Threes
        } else {
            Judgement::Legal
        }
    }
}

fn is_several(bits: u16) -> bool {
    bits & bits.wrapping_sub(1) != 0
}

/// What a point's [`Traits`] say of a black stone on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Judgement {
    Legal,
    Foul(Foul),
    /// Two or more lines with a three, if their straight fours may really be made.
    Threes,
}

/// Where the traits of points and the straight windows of lines are looked up: read from the board
/// at once, or from a survey of all its lines.
pub(crate) trait Facts {
    /// The traits of an empty point, this direction left out.
    fn traits_without(&self, point: Point, direction: Direction) -> Traits;

    /// [`Pattern::straight`] of the line through the point.
    fn straight(&self, point: Point, direction: Direction) -> u32;
}

impl Facts for Board {
    fn traits_without(&self, point: Point, direction: Direction) -> Traits {
        Direction::ALL
            .into_iter()
            .filter(|other| *other != direction)
            .fold(Traits::default(), |traits, other| traits.and(self.traits_on(point, other)))
    }

    fn straight(&self, point: Point, direction: Direction) -> u32 {
        let (black, empty) = self.black_and_empty(direction.through(point));
        Pattern::of(black, empty).straight
    }
}

impl Board {
    /// Why a black stone on the empty point is forbidden under renju (RIF 9), if it is. None for a
    /// point that has a stone or is off the board.
    ///
    /// ```
    /// use tengen_rules::{Board, Color, Foul, Size};
    /// let mut board = Board::new(Size::STANDARD);
    /// for point in ["g8", "i8", "h7", "h9"] {
    ///     board.place(point.parse().unwrap(), Color::Black);
    /// }
    /// assert_eq!(board.foul("h8".parse().unwrap()), Some(Foul::DoubleThree));
    /// ```
    pub fn foul(&self, point: Point) -> Option<Foul> {
        if !self.is_empty(point) {
            return None;
        }
        let traits = Direction::ALL.into_iter().fold(Traits::default(), |traits, direction| {
            traits.and(self.traits_on(point, direction))
        });
        self.foul_of(point, traits, self)
    }

    /// The foul of an empty point whose traits are known.
    pub(crate) fn foul_of(&self, point: Point, traits: Traits, facts: &impl Facts) -> Option<Foul> {
        match traits.judge() {
            Judgement::Legal => None,
            Judgement::Foul(foul) => Some(foul),
            Judgement::Threes => {
                self.is_double_three(point, traits, facts).then_some(Foul::DoubleThree)
            }
        }
    }

    /// What a black stone on the empty point would make in one direction.
    fn traits_on(&self, point: Point, direction: Direction) -> Traits {
        let (black, empty) = self.black_and_empty(direction.through(point));
        let pattern = Pattern::of(black, empty);
        let bit = direction.bit(point);
        let when = |mask: u32, traits: Traits| {
            if mask >> bit & 1 == 1 { traits } else { Traits::default() }
        };
        when(pattern.five, Traits::five())
            .and(when(pattern.overline, Traits::overline()))
            .and(when(pattern.four, Traits::four(direction)))
            .and(when(pattern.two_fours, Traits::two_fours(direction)))
            .and(when(pattern.three, Traits::three(direction)))
    }

    /// Whether two or more of the point's threes are real (RIF 9.3).
    fn is_double_three(&self, point: Point, traits: Traits, facts: &impl Facts) -> bool {
        let is_real = |direction: Direction| {
            let line = direction.through(point);
            let (_, empty) = self.black_and_empty(line);
            let straight = facts.straight(point, direction);
            bits(extensions(straight, empty, direction.bit(point)))
                .any(|bit| self.may_extend(point, line.point(bit), direction, facts))
        };
        let threes = Direction::ALL
            .into_iter()
            .filter(|direction| traits.has(Traits::three(*direction).0))
            .filter(|direction| is_real(*direction));
        threes.take(2).count() == 2
    }

    /// Whether Black, with a stone on `point`, may go on to `extension` and so make a straight four
    /// in this direction, without a five anywhere.
    ///
    /// On the line itself the extension makes that straight four and nothing else: one four, no
    /// three. The other lines through it do not meet `point`, so their traits are those of the
    /// board without it; only what lies a step deeper needs the stone on the board.
    fn may_extend(
        &self,
        point: Point,
        extension: Point,
        direction: Direction,
        facts: &impl Facts,
    ) -> bool {
        let others = facts.traits_without(extension, direction);
        if others.has(Traits::FIVE | Traits::OVERLINE) || others.fours() != 0 {
            return false;
        }
        if others.judge() != Judgement::Threes {
            return true;
        }
        let mut deeper = self.clone();
        deeper.place(point, Color::Black);
        !deeper.is_double_three(extension, others, &deeper)
    }
}
