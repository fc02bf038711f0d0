//! Packed actions unpack to what packs to them again.

use tengen_record::{pack, unpack};

pub(crate) fn check(bytes: &[u8]) {
    match unpack(bytes) {
        Ok(actions) => {
            let packed = pack(&actions);
            assert!(packed.len() <= bytes.len(), "packing is no longer than any other way");
            assert_eq!(unpack(&packed), Ok(actions));
        }
        Err(error) => {
            assert!(error.at <= bytes.len());
            assert!(!error.problem.is_empty());
        }
    }
}
