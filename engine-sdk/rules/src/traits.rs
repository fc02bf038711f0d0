use crate::Foul;
use crate::line::Direction;

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

    pub(crate) fn has_three(self, direction: Direction) -> bool {
        self.has(Traits::three(direction).0)
    }

    pub(crate) const fn makes_five(self) -> bool {
        self.has(Traits::FIVE)
    }

    pub(crate) const fn makes_overline(self) -> bool {
        self.has(Traits::OVERLINE)
    }

    pub(crate) const fn makes_four(self) -> bool {
        self.fours() != 0
    }

    const fn has(self, traits: u16) -> bool {
        self.0 & traits != 0
    }

    const fn threes(self) -> u16 {
        self.0 & 0b1111
    }

    const fn fours(self) -> u16 {
        self.0 >> 4 & 0b1111
    }

    fn makes_double_four(self) -> bool {
        self.has(0b1111 << 8) || is_several(self.fours())
    }

    /// Whether these decide the foul, or leave it to the threes' own legality: five beats
    /// forbidden, then an overline, then fours.
    pub(crate) fn judge(self) -> Judgement {
        if self.makes_five() {
            Judgement::Legal
        } else if self.makes_overline() {
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
