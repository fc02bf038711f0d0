//! Eight numbers side by side, computed with SIMD instructions.
//!
//! In WebAssembly these are the instructions of `simd128`, where the module is built with `-C
//! target-feature=+simd128`: the functions of `std::arch::wasm32` that take no pointer are safe
//! there, for a module with `simd128` loads only where it is. Natively it is plain Rust over arrays
//! of eight. The compiler turns it into SSE2 on x86-64 and NEON on AArch64, which all such
//! processors have.

/// Eight numbers of 16 bits.
#[derive(Clone, Copy)]
pub(crate) struct Lanes(imp::Eight);

impl Lanes {
    pub(crate) const COUNT: usize = 8;

    pub(crate) fn new(numbers: [i16; 8]) -> Lanes {
        Lanes(imp::new(numbers))
    }

    /// The sums.
    #[inline]
    pub(crate) fn add(self, other: Lanes) -> Lanes {
        Lanes(imp::add(self.0, other.0))
    }

    /// The differences.
    #[inline]
    pub(crate) fn sub(self, other: Lanes) -> Lanes {
        Lanes(imp::sub(self.0, other.0))
    }

    /// Each number, but at least 0 and at most `most`.
    #[inline]
    pub(crate) fn clamp(self, most: i16) -> Lanes {
        Lanes(imp::clamp(self.0, most))
    }

    /// The sum of the eight products.
    #[inline]
    pub(crate) fn dot(self, other: Lanes) -> i32 {
        imp::dot(self.0, other.0)
    }
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod imp {
    use std::arch::wasm32::*;

    pub(super) type Eight = v128;

    pub(super) fn new(n: [i16; 8]) -> Eight {
        i16x8(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7])
    }

    #[inline]
    pub(super) fn add(a: Eight, b: Eight) -> Eight {
        i16x8_add(a, b)
    }

    #[inline]
    pub(super) fn sub(a: Eight, b: Eight) -> Eight {
        i16x8_sub(a, b)
    }

    #[inline]
    pub(super) fn clamp(a: Eight, most: i16) -> Eight {
        i16x8_min(i16x8_max(a, i16x8_splat(0)), i16x8_splat(most))
    }

    #[inline]
    pub(super) fn dot(a: Eight, b: Eight) -> i32 {
        let four = i32x4_dot_i16x8(a, b);
        i32x4_extract_lane::<0>(four)
            + i32x4_extract_lane::<1>(four)
            + i32x4_extract_lane::<2>(four)
            + i32x4_extract_lane::<3>(four)
    }
}

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
mod imp {
    /// Where a register can load them at once.
    #[derive(Clone, Copy)]
    #[repr(align(16))]
    pub(super) struct Eight([i16; 8]);

    pub(super) fn new(numbers: [i16; 8]) -> Eight {
        Eight(numbers)
    }

    #[inline]
    pub(super) fn add(a: Eight, b: Eight) -> Eight {
        Eight(std::array::from_fn(|lane| a.0[lane].wrapping_add(b.0[lane])))
    }

    #[inline]
    pub(super) fn sub(a: Eight, b: Eight) -> Eight {
        Eight(std::array::from_fn(|lane| a.0[lane].wrapping_sub(b.0[lane])))
    }

    #[inline]
    pub(super) fn clamp(a: Eight, most: i16) -> Eight {
        Eight(a.0.map(|number| number.max(0).min(most)))
    }

    #[inline]
    pub(super) fn dot(a: Eight, b: Eight) -> i32 {
        a.0.iter().zip(&b.0).map(|(&a, &b)| i32::from(a) * i32::from(b)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_reckon_as_single_numbers_do() {
        let (a, b) = ([1, -2, 300, 0, 5, -6000, 7, 32_000], [9, 8, -70, 60, -5, 4, 3, 2]);
        let (left, right) = (Lanes::new(a), Lanes::new(b));
        let products = |a: [i16; 8], b: [i16; 8]| -> i32 {
            a.iter().zip(&b).map(|(&a, &b)| i32::from(a) * i32::from(b)).sum()
        };
        assert_eq!(left.dot(right), products(a, b));
        // One lane at a time shows each number.
        for lane in 0..8 {
            let mut one = [0; 8];
            one[lane] = 1;
            let number = |lanes: Lanes| lanes.dot(Lanes::new(one));
            assert_eq!(number(left.add(right)), i32::from(a[lane] + b[lane]));
            assert_eq!(number(left.sub(right)), i32::from(a[lane] - b[lane]));
            assert_eq!(number(left.clamp(255)), i32::from(a[lane].clamp(0, 255)));
        }
    }
}
