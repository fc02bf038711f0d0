//! The structs of the ABI: reading the written bytes gives the same struct, as far as the writer's
//! struct went; the rest is zero.

use std::fmt::Debug;

use tengen_abi::{CodecError, Game, Info, Limits, Question, Reply, Verdict, Wire};

pub(crate) fn check(bytes: &[u8]) {
    let Some((which, bytes)) = bytes.split_first() else { return };
    match which % 6 {
        0 => check_struct::<Game>(bytes),
        1 => check_struct::<Limits>(bytes),
        2 => check_struct::<Question>(bytes),
        3 => check_struct::<Reply>(bytes),
        4 => check_struct::<Verdict>(bytes),
        _ => check_struct::<Info>(bytes),
    }
}

fn check_struct<T: Wire + PartialEq + Debug>(bytes: &[u8]) {
    let claimed = bytes.first_chunk().map(|head| u32::from_le_bytes(*head));
    match (T::from_bytes(bytes), claimed) {
        (Ok(value), Some(claimed)) => {
            let written = value.to_bytes();
            let written = written.as_ref();
            let read = T::SIZE.min(claimed as usize);
            assert_eq!(written.len(), T::SIZE);
            assert_eq!(&written[4..read], &bytes[4..read]);
            assert!(written[read..].iter().all(|byte| *byte == 0));
            assert_eq!(T::from_bytes(written), Ok(value));
        }
        (Err(CodecError::TooSmall { size }), Some(claimed)) => {
            assert!(size == claimed && claimed < 4);
        }
        (Err(CodecError::Truncated { size, have }), claimed) => {
            assert_eq!(have, bytes.len());
            assert_eq!(size, claimed.unwrap_or(4));
            assert!(size as usize > have);
        }
        (outcome, claimed) => panic!("{outcome:?} of a struct that claims {claimed:?} bytes"),
    }
}
