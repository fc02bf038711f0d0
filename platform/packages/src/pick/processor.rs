//! What this machine's processor can run.

/// Instruction sets as file names have them, the older first.
pub(super) const SETS: [&str; 11] = [
    "sse",
    "sse2",
    "ssse3",
    "sse41",
    "popcnt",
    "avx",
    "bmi2",
    "avx2",
    "avxvnni",
    "avx512",
    "avx512vnni",
];

/// What a processor can run, as far as the names of programs tell them apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Processor {
    /// Whether it runs 64-bit programs.
    pub is_64_bit: bool,
    /// One bit for each of [`SETS`].
    sets: u16,
}

impl Processor {
    /// A 64-bit processor with no instruction set beyond those that every one has.
    pub const PLAIN_64: Processor = Processor { is_64_bit: true, sets: 0b11 };
    /// A 32-bit processor without any.
    pub const PLAIN_32: Processor = Processor { is_64_bit: false, sets: 0 };

    pub fn here() -> Processor {
        let is_64_bit = cfg!(target_pointer_width = "64");
        let held = held();
        let bits = held.iter().enumerate().map(|(place, held)| u16::from(*held) << place);
        Processor { is_64_bit, sets: bits.sum() }
    }

    /// With the instruction sets of these names too; names unheard of are passed over.
    #[must_use]
    pub fn with(mut self, sets: &[&str]) -> Processor {
        for (place, set) in SETS.iter().enumerate() {
            self.sets |= u16::from(sets.contains(set)) << place;
        }
        self
    }

    pub(super) fn has(self, set: usize) -> bool {
        self.sets >> set & 1 == 1
    }
}

/// Which of [`SETS`] this processor has, in their order.
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
fn held() -> [bool; SETS.len()] {
    use std::arch::is_x86_feature_detected as has;
    [
        has!("sse"),
        has!("sse2"),
        has!("ssse3"),
        has!("sse4.1"),
        has!("popcnt"),
        has!("avx"),
        has!("bmi2"),
        has!("avx2"),
        has!("avxvnni"),
        has!("avx512f") && has!("avx512bw"),
        has!("avx512vnni"),
    ]
}

/// Other processors have none of them.
#[cfg(not(any(target_arch = "x86_64", target_arch = "x86")))]
fn held() -> [bool; SETS.len()] {
    [false; SETS.len()]
}
