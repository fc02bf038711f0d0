//! A file is an engine of the kind it is read as, with the ABI's mark, or refused with a reason.

use tengen_packages::{EngineKind, inspect_bytes};

pub(crate) fn check(bytes: &[u8]) {
    for kind in [EngineKind::Native, EngineKind::Wasm] {
        match inspect_bytes(bytes, kind) {
            Ok(exports) => {
                assert!(exports.has("tengen_abi_v1"));
                assert!(exports.names().is_sorted());
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}
