use tengen_random::Random;

/// Random numbers for tests, which a seed reproduces.
#[derive(Clone, Debug)]
pub struct Dice(Random);

impl Dice {
    /// Dice that roll the same numbers for the same seed.
    pub const fn new(seed: u64) -> Dice {
        Dice(Random::new(seed))
    }

    pub fn roll(&mut self) -> u64 {
        self.0.bits()
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

    /// True once in `bound` times.
    pub fn once_in(&mut self, bound: u64) -> bool {
        self.below(bound) == 0
    }

    /// Puts a list into any order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        self.0.shuffle(items);
    }
}
