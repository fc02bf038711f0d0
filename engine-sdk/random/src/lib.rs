//! Reproducible random numbers: the same numbers from the same seed, on every machine, natively
//! and in WebAssembly.
//!
//! The generator is [SplitMix64](https://doi.org/10.1145/2714064.2660195) (Steele, Lea and Flood
//! 2014). The feature `rand_core` implements the traits of that crate.
//!
//! ```
//! use tengen_random::{Random, output};
//! let mut random = Random::new(7);
//! assert_eq!([random.bits(), random.bits()], [output(7, 0), output(7, 1)]);
//! assert!(random.below(100) < 100);
//! ```
#![warn(missing_docs)]
#![no_std]
#![forbid(unsafe_code)]

/// A generator of random numbers.
///
/// ```
/// use tengen_random::Random;
/// let (mut one, mut other) = (Random::new(7), Random::new(7));
/// assert_eq!(one.below(100), other.below(100));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Random {
    state: u64,
}

impl Random {
    /// A generator: the same seed gives the same numbers.
    pub const fn new(seed: u64) -> Random {
        Random { state: seed }
    }

    /// The next 64 bits.
    pub const fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(GAMMA);
        finalise(self.state)
    }

    /// A number from 0 up to, not including, `bound`.
    ///
    /// # Panics
    /// When `bound` is 0.
    pub const fn below(&mut self, bound: usize) -> usize {
        assert!(bound > 0, "there is no number below 0");
        // The high half of the product: no number is likelier than another by more than `bound`
        // in 2^64.
        ((self.bits() as u128 * bound as u128) >> 64) as usize
    }

    /// True or false, equally likely.
    pub const fn coin(&mut self) -> bool {
        self.bits() >> 63 == 1
    }

    /// Puts the items into a random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }

    /// Fills a buffer with random bytes.
    pub fn fill(&mut self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(8) {
            chunk.copy_from_slice(&self.bits().to_le_bytes()[..chunk.len()]);
        }
    }
}

/// Number `index`, counted from 0, of the sequence that [`Random::new`] begins with this seed.
///
/// ```
/// use tengen_random::output;
/// assert_eq!(output(1, 5), output(1, 5));
/// assert_ne!(output(1, 5), output(1, 6));
/// ```
#[inline]
pub const fn output(seed: u64, index: u64) -> u64 {
    finalise(seed.wrapping_add(index.wrapping_add(1).wrapping_mul(GAMMA)))
}

/// A number with its bits well mixed: different inputs give different, unrelated outputs.
///
/// ```
/// use tengen_random::mix;
/// assert_ne!(mix(1), mix(2));
/// ```
#[inline]
pub const fn mix(number: u64) -> u64 {
    output(0, number)
}

const GAMMA: u64 = 0x9E37_79B9_7F4A_7C15;

const fn finalise(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(any(test, feature = "rand_core"))]
impl rand_core::TryRng for Random {
    type Error = core::convert::Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        Ok((self.bits() >> 32) as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        Ok(self.bits())
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Self::Error> {
        self.fill(bytes);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_is_that_of_the_published_generator() {
        let mut random = Random::new(1_234_567);
        assert_eq!(random.bits(), 6_457_827_717_110_365_317);
        assert_eq!(random.bits(), 3_203_168_211_198_807_973);
        assert_eq!(output(0, 2), 0x06c4_5d18_8009_454f);
        assert_eq!(mix(5), output(0, 5));
    }

    #[test]
    fn a_shuffle_keeps_every_item() {
        let mut items = [0; 50];
        items.iter_mut().zip(0..).for_each(|(item, number)| *item = number);
        let sorted = items;
        Random::new(3).shuffle(&mut items);
        assert_ne!(items, sorted);
        items.sort_unstable();
        assert_eq!(items, sorted);
    }

    #[test]
    fn every_number_below_the_bound_occurs() {
        let mut random = Random::new(3);
        let mut counts = [0; 7];
        for _ in 0..700 {
            counts[random.below(7)] += 1;
        }
        assert!(counts.iter().all(|count| *count > 50), "{counts:?}");
    }

    #[test]
    fn the_traits_of_rand_core_give_the_same_numbers() {
        use rand_core::Rng as _;
        let mut random = Random::new(9);
        assert_eq!(random.next_u64(), output(9, 0));
        let mut bytes = [0; 9];
        random.fill_bytes(&mut bytes);
        assert_eq!(bytes[..8], output(9, 1).to_le_bytes());
        assert_eq!(bytes[8], output(9, 2) as u8);
    }
}
