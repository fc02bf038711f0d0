//! The functions that an engine exports, as a table of function pointers.

use core::ffi::{c_char, c_void};

use crate::{Game, Host, Limits, MoveCode, Question, Reply, Verdict};

/// An engine as the host sees it: a pointer it only passes back.
///
/// ```
/// use tengen_abi::{Engine, Exports};
/// /// Ends an engine that may have no function for it.
/// fn end(exports: &Exports, engine: *mut Engine) {
///     if let Some(destroy) = exports.destroy {
///         // SAFETY: `create` of the same exports made the engine, and it is not used again.
///         unsafe { destroy(engine) };
///     }
/// }
/// ```
#[repr(C)]
pub struct Engine {
    _opaque: [u8; 0],
}

/// The functions an engine exports, as a table: filled from the symbols of a loaded library, or
/// from an engine that is linked in, and called alike.
///
/// Every function may be called only as `tengen.h` allows: from one thread, never nested, with
/// pointers that are valid for the call.
///
/// ```
/// use tengen_abi::Exports;
/// /// Whether positions can be sent as changes.
/// fn takes_changes(exports: &Exports) -> bool {
///     exports.play.is_some() && exports.undo.is_some()
/// }
/// ```
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "tengen.h documents the functions; names say which is which")]
pub struct Exports {
    pub abi_v1: unsafe extern "C" fn() -> u32,
    pub describe: unsafe extern "C" fn() -> *const c_char,
    pub create: unsafe extern "C" fn(*const Host) -> *mut Engine,
    pub new_game: unsafe extern "C" fn(*mut Engine, *const Game) -> i32,
    pub set_position: unsafe extern "C" fn(*mut Engine, *const MoveCode, u32) -> i32,
    pub choose: unsafe extern "C" fn(*mut Engine, *const Limits, *mut Reply) -> i32,
    pub destroy: Option<unsafe extern "C" fn(*mut Engine)>,
    pub set_option: Option<unsafe extern "C" fn(*mut Engine, *const c_char, *const c_char) -> i32>,
    pub play: Option<unsafe extern "C" fn(*mut Engine, MoveCode) -> i32>,
    pub undo: Option<unsafe extern "C" fn(*mut Engine, u32) -> i32>,
    pub decide: Option<
        unsafe extern "C" fn(
            *mut Engine,
            *const Question,
            *const MoveCode,
            *const Limits,
            *mut Verdict,
        ) -> i32,
    >,
    pub ponder: Option<unsafe extern "C" fn(*mut Engine, *const Limits) -> i32>,
    pub end_game: Option<unsafe extern "C" fn(*mut Engine, i32, u32) -> i32>,
    pub extra:
        Option<unsafe extern "C" fn(*mut Engine, u32, *const c_void, u32, *mut c_void, u32) -> i32>,
}
