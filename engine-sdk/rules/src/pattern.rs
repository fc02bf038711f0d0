/// What one more black stone would make on one line, for every empty point of it at once.
///
/// Each mask has a bit for each point of the line. Windows of five (or four, or six) neighbouring
/// points are judged in parallel too, each at the bit of its lowest point.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Pattern {
    /// Points that make exactly five.
    pub(crate) five: u32,
    /// Points that make six or more.
    pub(crate) overline: u32,
    /// Points that make a four.
    pub(crate) four: u32,
    /// Points that make two fours, each of other stones (RIF 9.2: also on one line).
    pub(crate) two_fours: u32,
    /// Points from which one more stone makes a straight four, that one's own legality aside.
    pub(crate) three: u32,
    /// Windows of four that two stones on their two empty points turn into a straight four.
    pub(crate) straight: u32,
}

impl Pattern {
    /// Whether the line has too few black stones for any pattern.
    #[inline]
    pub(crate) const fn is_void(black: u32) -> bool {
        black & black.wrapping_sub(1) == 0
    }

    /// Reads a line from its black stones and its empty points; all else is white or off the board.
    #[inline]
    pub(crate) fn of(black: u32, empty: u32) -> Pattern {
        if Pattern::is_void(black) {
            return Pattern::default();
        }
        let open = black | empty;
        let open4 = open & open >> 1 & open >> 2 & open >> 3;
        let [ones, twos, fours] = count4(black);

        // Both completions of a straight four must be exactly five, hence the two outer points.
        let ends = empty << 1 & empty >> 4 & !(black << 2) & !(black >> 5);
        let straight = open4 & ends & twos & !ones;

        let open5 = open4 & open >> 4;
        let [ones, twos, fours] = add([ones, twos, fours], black >> 4);
        let exact = open5 & !(black << 1) & !(black >> 5);
        let with_three = exact & twos & ones;
        let with_four = exact & fours & !ones;

        let open6 = open5 & open >> 5;
        let [ones, _, fours] = add([ones, twos, fours], black >> 5);
        let with_five = open6 & fours & ones;

        let (four, two_fours) = self::fours(with_three, empty);
        Pattern {
            five: spread::<5>(with_four) & empty,
            overline: spread::<6>(with_five) & empty,
            four,
            two_fours,
            three: spread::<4>(straight) & empty,
            straight,
        }
    }
}

/// The points that make one four or more, and those that make two or more. A window of exactly five
/// with three stones and two empty points is a four for either of them; two windows are the same
/// four if they differ only in the point that completes it, as with a straight four.
fn fours(with_three: u32, empty: u32) -> (u32, u32) {
    let (mut one, mut two) = (0, 0);
    for shift in 0..5 {
        let window = with_three << shift;
        two |= one & window;
        one |= window;
    }
    let straight = with_three & with_three >> 1 & empty & empty >> 5;
    (one & empty, two & empty & !(spread::<4>(straight) << 1))
}

/// Every point of the windows of `N` points that start at the set bits.
#[inline]
fn spread<const N: u32>(windows: u32) -> u32 {
    (0..N).fold(0, |points, shift| points | windows << shift)
}

/// How many of each four neighbouring bits are set, as three bits of a number.
#[inline]
fn count4(word: u32) -> [u32; 3] {
    (0..4).fold([0; 3], |sum, shift| add(sum, word >> shift))
}

#[inline]
fn add([ones, twos, fours]: [u32; 3], bit: u32) -> [u32; 3] {
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
    fn check(line: &str, mask: impl Fn(Pattern) -> u32, expected: &str) {
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
