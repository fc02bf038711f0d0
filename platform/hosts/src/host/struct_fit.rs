//! Structs of the ABI as an engine gets them: in a game in this host's own sizes, and in others, as
//! another version of it would send them, for `tengen engines check`.

use tengen_abi::{Game, Limits, Question, Wire};
use tengen_arbiter::Failure;
use tengen_players::Fault;

/// How many bytes longer a later version of a struct is. Later versions only append fields.
const MORE: usize = 32;
/// The alignment of every struct of the ABI.
const ALIGN: usize = 8;
/// How many bytes behind a struct are watched, where any are.
const GUARD: usize = 64;
/// What lies there, and where a shorter struct ends: nothing that an engine may rely on.
const FILLER: u8 = 0xA5;

/// The sizes in which structs are passed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum StructFit {
    /// As this host knows them.
    #[default]
    Plain,
    /// The same sizes, with bytes behind the answers that are looked at afterwards.
    Guarded,
    /// As a later host would: longer than an engine of today knows them.
    Larger,
    /// As an earlier host would: without the last fields, which are zero then.
    Smaller,
}

impl StructFit {
    /// As it travels.
    pub(crate) const fn to_number(self) -> u32 {
        self as u32
    }

    /// As it came.
    pub(crate) fn from_number(number: u32) -> Option<StructFit> {
        use StructFit::{Guarded, Larger, Plain, Smaller};
        [Plain, Guarded, Larger, Smaller].into_iter().find(|fit| fit.to_number() == number)
    }

    /// A struct for the engine to read.
    pub(crate) fn input<T: Shrinks>(self, value: &T) -> FittedStruct {
        let claimed = match self {
            StructFit::Larger => T::SIZE + MORE,
            StructFit::Smaller => T::SMALLER,
            StructFit::Plain | StructFit::Guarded => T::SIZE,
        };
        let mut fitted = FittedStruct::new(value, claimed, self.guard());
        // A later host's fields are unknown to the engine, whatever is in them.
        fitted.bytes_mut()[claimed.min(T::SIZE)..].fill(FILLER);
        fitted
    }

    /// A struct for the engine to fill. No host has a shorter one.
    pub(crate) fn output<T: Wire>(self, value: &T) -> FittedStruct {
        let more = if self == StructFit::Larger { MORE } else { 0 };
        FittedStruct::new(value, T::SIZE + more, self.guard())
    }

    /// How many bytes behind a struct are watched. In a game none are lent but its own.
    fn guard(self) -> usize {
        if self == StructFit::Plain { 0 } else { GUARD }
    }
}

/// A struct that an earlier host may send without its last fields, which are zero by default.
pub(crate) trait Shrinks: Wire {
    /// Its size in minor version 0: no host sends less.
    const SMALLER: usize;
}

impl Shrinks for Game {
    const SMALLER: usize = Game::SIZE;
}

impl Shrinks for Limits {
    /// Minor version 0, without `lag_us`.
    const SMALLER: usize = 56;
}

impl Shrinks for Question {
    const SMALLER: usize = Question::SIZE;
}

/// A struct of the ABI that claims a size, aligned, and what lies behind it.
pub(crate) struct FittedStruct {
    bytes: Vec<u8>,
    /// Where it begins: at the first aligned address.
    start: usize,
    claimed: usize,
}

impl FittedStruct {
    fn new<T: Wire>(value: &T, claimed: usize, guard: usize) -> FittedStruct {
        let length = claimed.max(T::SIZE).next_multiple_of(8) + guard;
        let bytes = vec![0; length + ALIGN];
        let start = bytes.as_ptr().align_offset(ALIGN);
        let mut fitted = FittedStruct { bytes, start, claimed };
        let bytes = fitted.bytes_mut();
        bytes[..T::SIZE].copy_from_slice(value.to_bytes().as_ref());
        bytes[..4].copy_from_slice(&(claimed as u32).to_le_bytes());
        bytes[claimed..].fill(FILLER);
        fitted
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes[self.start..self.bytes.len() - ALIGN + self.start]
    }

    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        let end = self.bytes.len() - ALIGN + self.start;
        &mut self.bytes[self.start..end]
    }

    /// What the engine made of it, unless it wrote behind it.
    pub(crate) fn read<T: Wire>(&self, call: &str) -> Result<T, Fault> {
        if self.bytes()[self.claimed..].iter().any(|&byte| byte != FILLER) {
            let size = self.claimed;
            let detail = format!(
                "{call} wrote past the end of its answer, for which there are {size} bytes, as \
                 its field size says"
            );
            return Err(Fault { failure: Failure::ProtocolError, detail });
        }
        let mut bytes = self.bytes()[..T::SIZE].to_vec();
        bytes[..4].copy_from_slice(&(T::SIZE as u32).to_le_bytes());
        T::from_bytes(&bytes).map_err(|error| {
            let detail = format!("{call}: {error}");
            Fault { failure: Failure::ProtocolError, detail }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_abi::Reply;

    #[test]
    fn a_struct_claims_its_size_and_keeps_its_fields() {
        let limits = Limits { nodes: 7, lag_us: 9, ..Limits::default() };
        assert_eq!(StructFit::Plain.input(&limits).bytes().len(), Limits::SIZE);
        for (fit, size, lag_us) in [
            (StructFit::Plain, 64, 9),
            (StructFit::Guarded, 64, 9),
            (StructFit::Larger, 96, 9),
            (StructFit::Smaller, 56, 0),
        ] {
            let fitted = fit.input(&limits);
            assert_eq!(fitted.bytes().as_ptr().align_offset(ALIGN), 0);
            assert_eq!(fitted.bytes()[..4], u32::to_le_bytes(size), "{fit:?}");
            let read = Limits::from_bytes(fitted.bytes()).unwrap();
            assert_eq!((read.nodes, read.lag_us), (7, lag_us), "{fit:?}");
            assert_eq!(StructFit::from_number(fit.to_number()), Some(fit));
        }
    }

    #[test]
    fn what_is_written_behind_an_answer_is_seen() {
        for fit in [StructFit::Guarded, StructFit::Larger] {
            let mut fitted = fit.output(&Reply { nodes: 5, ..Reply::default() });
            assert_eq!(fitted.read::<Reply>("x").unwrap().nodes, 5);
            let end = fitted.claimed;
            fitted.bytes_mut()[end] = 0;
            let fault = fitted.read::<Reply>("tengen_choose").unwrap_err();
            assert!(fault.detail.contains("past the end"), "{fit:?}: {}", fault.detail);
        }
    }
}
