//! One target under libFuzzer: the one that the variable `TENGEN_FUZZ_TARGET` names.
#![no_main]

use std::env;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use tengen_fuzz::{FuzzTarget, TARGETS};

static TARGET: LazyLock<&FuzzTarget> = LazyLock::new(|| {
    let name = env::var("TENGEN_FUZZ_TARGET").unwrap_or_default();
    let named = TARGETS.iter().find(|target| target.name == name);
    named.unwrap_or_else(|| panic!("TENGEN_FUZZ_TARGET={name} names no target"))
});

fuzz_target!(|bytes: &[u8]| (TARGET.check)(bytes));
