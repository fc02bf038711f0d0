/// A small seeded generator of well-mixed numbers (SplitMix64: Steele, Lea and Flood 2014), for
/// tests that a seed must bring back.
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// Dice that fall the same way for the same seed.
    pub const fn new(seed: u64) -> Dice {
        Dice(seed)
    }

    /// The next number.
    pub fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, and 0 when that is 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.roll()) * u128::from(bound)) >> 64) as u64
    }

    /// A place in a list of that length, and 0 when it is empty.
    pub fn index(&mut self, len: usize) -> usize {
        self.below(len as u64) as usize
    }

    /// One of the things on the list, which is not empty.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.index(from.len())]
    }

    /// True `of_a_thousand` times in a thousand.
    pub fn chance(&mut self, of_a_thousand: u64) -> bool {
        self.below(1000) < of_a_thousand
    }

    /// Puts a list into any order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.index(last + 1));
        }
    }
}
