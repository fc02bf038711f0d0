//! Bits of one line, or of four lines side by side.

use core::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr};

/// Lines read at once: one word of bits, or four of them side by side.
pub(crate) trait Word:
    Copy
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    const ZERO: Self;
}

impl Word for u32 {
    const ZERO: u32 = 0;
}

/// Four words that every operation treats alike, which the compiler turns into vectors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Four(pub(crate) [u32; 4]);

impl Word for Four {
    const ZERO: Four = Four([0; 4]);
}

macro_rules! bitwise {
    ($($operator:ident $operation:ident $sign:tt),*) => {$(
        impl $operator for Four {
            type Output = Four;

            #[inline]
            fn $operation(self, other: Four) -> Four {
                let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
                Four([a $sign e, b $sign f, c $sign g, d $sign h])
            }
        }
    )*};
}
bitwise!(BitAnd bitand &, BitOr bitor |, BitXor bitxor ^);

impl Not for Four {
    type Output = Four;

    #[inline]
    fn not(self) -> Four {
        Four(self.0.map(|word| !word))
    }
}

impl Shl<u32> for Four {
    type Output = Four;

    #[inline]
    fn shl(self, count: u32) -> Four {
        Four(self.0.map(|word| word << count))
    }
}

impl Shr<u32> for Four {
    type Output = Four;

    #[inline]
    fn shr(self, count: u32) -> Four {
        Four(self.0.map(|word| word >> count))
    }
}
