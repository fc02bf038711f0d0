//! What a black stone on a point would make in each direction, and what follows from it.

use crate::Foul;
use crate::line::Direction;
use crate::pattern::Pattern;
use crate::word::Four;

/// What a black stone on one empty point would make: a byte for each direction.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Traits(u32);

impl Traits {
    const THREE: u32 = 0x01;
    const FOUR: u32 = 0x02;
    const TWO_FOURS: u32 = 0x04;
    const OVERLINE: u32 = 0x08;
    const FIVE: u32 = 0x10;
    /// A bit in the byte of every direction.
    const EVERY: u32 = 0x0101_0101;

    /// What the pattern of each direction says of its point at `bit`.
    #[inline]
    pub(crate) fn at(pattern: &Pattern<Four>, bit: u32) -> Traits {
        let bits = |mask: Four| (mask >> bit).0.map(|word| word & 1);
        let (three, four) = (bits(pattern.three), bits(pattern.four));
        let (two_fours, overline) = (bits(pattern.two_fours), bits(pattern.overline));
        let five = bits(pattern.five);
        let byte = |lane: usize| {
            let fours = four[lane] << 1 | two_fours[lane] << 2;
            (three[lane] | fours | overline[lane] << 3 | five[lane] << 4) << (8 * lane)
        };
        Traits(byte(0) | byte(1) | byte(2) | byte(3))
    }

    /// What the pattern of one direction says of its point at `bit`.
    #[inline]
    pub(crate) fn on(pattern: &Pattern, bit: u32, direction: Direction) -> Traits {
        let at = |mask: u32| mask >> bit & 1;
        let fours = at(pattern.four) << 1 | at(pattern.two_fours) << 2;
        let byte = at(pattern.three) | fours | at(pattern.overline) << 3 | at(pattern.five) << 4;
        Traits(byte << (8 * direction as u32))
    }

    /// Both together.
    #[inline]
    pub(crate) const fn and(self, other: Traits) -> Traits {
        Traits(self.0 | other.0)
    }

    /// What the other directions make.
    #[inline]
    pub(crate) const fn without(self, direction: Direction) -> Traits {
        Traits(self.0 & !(0xff << (8 * direction as u32)))
    }

    #[inline]
    pub(crate) const fn has_three(self, direction: Direction) -> bool {
        self.0 & Traits::THREE << (8 * direction as u32) != 0
    }

    #[inline]
    pub(crate) const fn makes_five(self) -> bool {
        self.has(Traits::FIVE)
    }

    /// Whether the stone makes a five, an overline or a four.
    #[inline]
    pub(crate) const fn makes_more_than_threes(self) -> bool {
        self.has(!Traits::THREE & 0xff)
    }

    const fn has(self, kinds: u32) -> bool {
        self.0 & (kinds * Traits::EVERY) != 0
    }

    const fn has_several(self, kind: u32) -> bool {
        let directions = self.0 & (kind * Traits::EVERY);
        directions & directions.wrapping_sub(1) != 0
    }

    /// Whether these decide the foul, or leave it to the threes' own legality: five beats
    /// forbidden, then an overline, then fours.
    #[inline]
    pub(crate) const fn judge(self) -> Judgement {
        if self.makes_five() {
            Judgement::Legal
        } else if self.has(Traits::OVERLINE) {
            Judgement::Foul(Foul::Overline)
        } else if self.has(Traits::TWO_FOURS) || self.has_several(Traits::FOUR) {
            Judgement::Foul(Foul::DoubleFour)
        } else if self.has_several(Traits::THREE) {
            Judgement::Threes
        } else {
            Judgement::Legal
        }
    }
}

/// What a point's [`Traits`] say of a black stone on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Judgement {
    Legal,
    Foul(Foul),
    /// Two or more lines with a three, if their straight fours may really be made.
    Threes,
}
