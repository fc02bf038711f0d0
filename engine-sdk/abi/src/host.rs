use core::ffi::{c_char, c_void};

/// The services a native engine is given: three functions, for ever. In WebAssembly the host is
/// an opaque number and the services are imports.
///
/// It grows at the end only: check `size` before newer fields.
///
/// ```
/// use core::ffi::c_void;
/// use tengen_abi::{Host, MINOR};
///
/// unsafe extern "C" fn untimed(_: *mut c_void) -> i64 {
///     i64::MAX
/// }
///
/// let host = Host {
///     size: size_of::<Host>() as u32,
///     minor: MINOR,
///     context: core::ptr::null_mut(),
///     left_us: Some(untimed),
///     send: None,
///     fetch: None,
/// };
/// // SAFETY: the function takes any context.
/// assert_eq!(unsafe { host.left_us.unwrap()(host.context) }, i64::MAX);
/// ```
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Host {
    /// The size of the struct as the host knows it.
    pub size: u32,
    /// The host's minor version.
    pub minor: u32,
    /// Passed back in every call.
    pub context: *mut c_void,
    /// Microseconds left for the running question; 0 or less: answer now; `i64::MAX`: no limit.
    pub left_us: Option<unsafe extern "C" fn(context: *mut c_void) -> i64>,
    /// Sends a message of a kind of [`crate::send`].
    pub send: Option<
        unsafe extern "C" fn(context: *mut c_void, kind: u32, data: *const c_void, len: u32) -> i32,
    >,
    /// Reads a file of the engine's own package; returns the file's whole size, or a negative
    /// status.
    pub fetch: Option<
        unsafe extern "C" fn(
            context: *mut c_void,
            name: *const c_char,
            offset: u64,
            to: *mut c_void,
            len: u32,
        ) -> i64,
    >,
}
