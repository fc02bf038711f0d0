//! What one more black stone would make on a line, for all its points at once.

use crate::word::{Four, Word};

/// What one more black stone would make on one line, for every empty point of it at once.
///
/// Each mask has a bit for each point of the line. Windows of five (or four, or six) neighbouring
/// points are judged in parallel too, each at the bit of its lowest point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Pattern<W = u32> {
    /// Points that make exactly five.
    pub(crate) five: W,
    /// Points that make six or more.
    pub(crate) overline: W,
    /// Points that make a four.
    pub(crate) four: W,
    /// Points that make two fours, each of other stones (RIF 9.2: also on one line).
    pub(crate) two_fours: W,
    /// Points from which one more stone makes a straight four, that one's own legality aside.
    pub(crate) three: W,
    /// Windows of four that two stones on their two empty points turn into a straight four.
    pub(crate) straight: W,
}

impl<W: Word> Pattern<W> {
    /// Reads a line from its black stones and its empty points; all else is white or off the board.
    //
    // Inlined into its callers, the four-line version is no longer turned into vectors.
    #[inline(never)]
    pub(crate) fn of(black: W, empty: W) -> Pattern<W> {
        let open = black | empty;
        let open2 = open & open >> 1;
        let open4 = open2 & open2 >> 2;
        let [ones, twos, fours] = count4(black);

        // Both completions of a straight four must be exactly five, hence the two outer points.
        let ends = empty << 1 & empty >> 4 & !(black << 2 | black >> 5);
        let straight = open4 & ends & twos & !ones;

        let open5 = open4 & open >> 4;
        let [ones, twos, fours] = add([ones, twos, fours], black >> 4);
        let exact = open5 & !(black << 1 | black >> 5);
        let with_three = exact & twos & ones;
        let with_four = exact & fours & !ones;

        let open6 = open5 & open >> 5;
        let [ones, _, fours] = add([ones, twos, fours], black >> 5);
        let with_five = open6 & fours & ones;

        let (four, two_fours) = self::fours(with_three, empty);
        let pairs = with_four | with_four << 1;
        let triples = with_five | with_five << 1 | with_five << 2;
        Pattern {
            five: (pairs | pairs << 2 | with_four << 4) & empty,
            overline: (triples | triples << 3) & empty,
            four,
            two_fours,
            three: spread4(straight) & empty,
            straight,
        }
    }
}

impl Pattern {
    /// The pattern of a line without black stones.
    pub(crate) const NONE: Pattern =
        Pattern { five: 0, overline: 0, four: 0, two_fours: 0, three: 0, straight: 0 };

    /// Whether a line has too few black stones for any pattern.
    #[inline]
    pub(crate) const fn is_void(black: u32) -> bool {
        black & black.wrapping_sub(1) == 0
    }
}

impl Pattern<Four> {
    /// The pattern of one of the four lines.
    #[inline]
    pub(crate) fn lane(&self, lane: usize) -> Pattern {
        Pattern {
            five: self.five.0[lane],
            overline: self.overline.0[lane],
            four: self.four.0[lane],
            two_fours: self.two_fours.0[lane],
            three: self.three.0[lane],
            straight: self.straight.0[lane],
        }
    }
}

/// The points that make one four or more, and those that make two or more. A window of exactly five
/// with three stones and two empty points is a four for either of them; two windows are the same
/// four if they differ only in the point that completes it, as with a straight four.
#[inline]
fn fours<W: Word>(with_three: W, empty: W) -> (W, W) {
    let (mut one, mut two) = (with_three, W::ZERO);
    for shift in 1..5 {
        let window = with_three << shift;
        two = two | one & window;
        one = one | window;
    }
    let straight = with_three & with_three >> 1 & empty & empty >> 5;
    (one & empty, two & empty & !(spread4(straight) << 1))
}

/// Every point of the windows of four points that start at the set bits.
#[inline]
fn spread4<W: Word>(windows: W) -> W {
    let pairs = windows | windows << 1;
    pairs | pairs << 2
}

/// How many of each four neighbouring bits are set, as three bits of a number.
#[inline]
fn count4<W: Word>(word: W) -> [W; 3] {
    let next = word >> 1;
    let (ones, twos) = (word ^ next, word & next);
    let carry = ones & ones >> 2;
    let (twos, both) = (twos ^ twos >> 2, twos & twos >> 2);
    [ones ^ ones >> 2, twos ^ carry, both | twos & carry]
}

#[inline]
fn add<W: Word>([ones, twos, fours]: [W; 3], bit: W) -> [W; 3] {
    let carry = ones & bit;
    [ones ^ bit, twos ^ carry, fours | twos & carry]
}

/// The points that, together with the point at `bit`, fill one of the straight windows.
#[inline]
pub(crate) fn extensions(straight: u32, empty: u32, bit: u32) -> u32 {
    let mut windows = straight & ((0b1111u64 << bit) >> 3) as u32;
    let mut points = 0;
    while windows != 0 {
        points |= empty & 0b1111 << windows.trailing_zeros();
        windows &= windows - 1;
    }
    points & !(1 << bit)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Draws a mask over the line: `*` where a bit is set.
    fn check(line: &str, mask: impl Fn(Pattern<u32>) -> u32, expected: &str) {
        let read =
            |letter| line.chars().rev().fold(0, |bits, c| bits << 1 | u32::from(c == letter));
        let mask = mask(Pattern::of(read('X'), read('.')));
        let starred = expected.chars().rev().fold(0, |bits, c| bits << 1 | u32::from(c == '*'));
        assert_eq!(mask, starred, "{line}: {mask:b}");
    }

    #[test]
    fn five_is_exact() {
        check("XXXX....", |p| p.five, "....*...");
        check("XX.XX.X.", |p| p.five, "..*.....");
        check("XXX.XX..", |p| p.five, "........");
        check("OXXXX.X.", |p| p.five, "........");
    }

    #[test]
    fn six_or_more_are_an_overline() {
        check("XXX.XX..", |p| p.overline, "...*....");
        check("XXXX.XXXX", |p| p.overline, "....*....");
        check("XXXX.X...", |p| p.overline, "....*....");
        check("XXX.OXX..", |p| p.overline, ".........");
    }

    #[test]
    fn fours_are_counted_by_their_stones() {
        check("..XXX....", |p| p.four, "**...**..");
        check("..XXX....", |p| p.two_fours, ".........");
        check("X.X.X.X..", |p| p.two_fours, "...*.....");
        check("XX.X..XX.", |p| p.two_fours, "....*....");
        check("XXX...XXX", |p| p.two_fours, "....*....");
    }

    #[test]
    fn a_three_needs_two_exact_completions() {
        check("...XX....", |p| p.three, ".**..**..");
        check("..XX.O...", |p| p.three, ".........");
        check("X..XX..X.", |p| p.three, ".........");
    }

    #[test]
    fn the_last_bits_of_a_word_are_no_neighbours_of_the_first() {
        let full = Pattern::of(0b1111 << 28, !(0b1111 << 28));
        assert_eq!((full.five, full.overline), (1 << 27, 0));
        let split = Pattern::of(0b11 | 0b11 << 30, !(0b11 | 0b11 << 30));
        assert_eq!(split.four | split.five | split.three, 0);
    }
}
