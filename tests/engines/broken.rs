//! An engine without the SDK, with `CHOOSE` as its `tengen_choose`: only the host reports what it
//! does there.
#![allow(dead_code, clippy::missing_safety_doc)]

use std::ffi::{c_char, c_void};

#[unsafe(no_mangle)]
extern "C" fn tengen_abi_v1() -> u32 {
    0
}

#[unsafe(no_mangle)]
extern "C" fn tengen_describe() -> *const c_char {
    c"name Broken\n".as_ptr()
}

#[unsafe(no_mangle)]
extern "C" fn tengen_create(_: *const c_void) -> *mut c_void {
    std::ptr::dangling_mut()
}

#[unsafe(no_mangle)]
extern "C" fn tengen_new_game(_: *mut c_void, _: *const c_void) -> i32 {
    0
}

#[unsafe(no_mangle)]
extern "C" fn tengen_set_position(_: *mut c_void, _: *const u16, _: u32) -> i32 {
    0
}

#[unsafe(no_mangle)]
extern "C" fn tengen_choose(_: *mut c_void, _: *const c_void, _: *mut c_void) -> i32 {
    CHOOSE
}

fn rows(row: i32) -> i32 {
    if row > 15 {
        panic!("no such row: {row}");
    }
    0
}
