use std::ffi::{CStr, c_void};

use tengen_abi as abi;

/// The host's three services.
pub(crate) struct HostFunctions(imp::Functions);

impl HostFunctions {
    /// Takes the host's services; none when one of them is missing.
    ///
    /// # Safety
    /// Natively, `host` is null or points to a host struct that is valid, with its context, as
    /// long as these services are used.
    pub(crate) unsafe fn new(host: *const abi::Host) -> Option<HostFunctions> {
        // SAFETY: passed on.
        unsafe { imp::Functions::new(host) }.map(HostFunctions)
    }

    pub(crate) fn left_us(&self) -> i64 {
        self.0.left_us()
    }

    /// Sends a message. The host's answer is ignored: no message is needed for play.
    pub(crate) fn send(&self, kind: u32, bytes: &[u8]) {
        if let Ok(len) = u32::try_from(bytes.len()) {
            self.0.send(kind, bytes.as_ptr().cast(), len);
        }
    }

    /// Reads a part of a file of the package into `to`; returns the file's whole size, or a
    /// negative status.
    pub(crate) fn fetch(&self, name: &CStr, offset: u64, to: &mut [u8]) -> i64 {
        let Ok(len) = u32::try_from(to.len()) else { return abi::status::ARGUMENT.into() };
        self.0.fetch(name, offset, to.as_mut_ptr().cast(), len)
    }
}

#[cfg(not(target_family = "wasm"))]
mod imp {
    use super::*;
    use std::ffi::c_char;

    pub(super) struct Functions {
        context: *mut c_void,
        left_us: unsafe extern "C" fn(*mut c_void) -> i64,
        send: unsafe extern "C" fn(*mut c_void, u32, *const c_void, u32) -> i32,
        fetch: unsafe extern "C" fn(*mut c_void, *const c_char, u64, *mut c_void, u32) -> i64,
    }

    // SAFETY: the ABI lets any thread of the engine call left_us and send; fetch is reached only
    // through Package, which stays on its thread.
    unsafe impl Send for Functions {}
    // SAFETY: as above.
    unsafe impl Sync for Functions {}

    impl Functions {
        pub(super) unsafe fn new(host: *const abi::Host) -> Option<Functions> {
            if host.is_null() || !host.is_aligned() {
                return None;
            }
            // SAFETY: the host is valid by the caller's contract; only its size is read.
            let size = unsafe { (&raw const (*host).size).read() };
            if (size as usize) < size_of::<abi::Host>() {
                return None;
            }
            // SAFETY: the host is as large as it must be, and valid by the caller's contract.
            let host = unsafe { &*host };
            Some(Functions {
                context: host.context,
                left_us: host.left_us?,
                send: host.send?,
                fetch: host.fetch?,
            })
        }

        pub(super) fn left_us(&self) -> i64 {
            // SAFETY: the host's function with the host's context, valid by the contract of `new`.
            unsafe { (self.left_us)(self.context) }
        }

        pub(super) fn send(&self, kind: u32, data: *const c_void, len: u32) -> i32 {
            // SAFETY: as above; `data` has `len` readable bytes.
            unsafe { (self.send)(self.context, kind, data, len) }
        }

        pub(super) fn fetch(&self, name: &CStr, offset: u64, to: *mut c_void, len: u32) -> i64 {
            // SAFETY: as above; `to` has `len` writable bytes.
            unsafe { (self.fetch)(self.context, name.as_ptr(), offset, to, len) }
        }
    }
}

#[cfg(target_family = "wasm")]
mod imp {
    use super::*;
    use std::ffi::c_char;

    #[link(wasm_import_module = "tengen")]
    unsafe extern "C" {
        fn left_us(host: *const abi::Host) -> i64;
        fn send(host: *const abi::Host, kind: u32, data: *const c_void, len: u32) -> i32;
        fn fetch(
            host: *const abi::Host,
            name: *const c_char,
            offset: u64,
            to: *mut c_void,
            len: u32,
        ) -> i64;
    }

    /// The host's handle: a number that only the host understands, 0 included.
    #[derive(Clone, Copy)]
    pub(super) struct Functions(*const abi::Host);

    // SAFETY: the handle is never dereferenced, and the host's functions may be called from any
    // thread of the engine.
    unsafe impl Send for Functions {}
    // SAFETY: as above.
    unsafe impl Sync for Functions {}

    impl Functions {
        pub(super) unsafe fn new(host: *const abi::Host) -> Option<Functions> {
            let services = Functions(host);
            log_panics(services);
            Some(services)
        }

        pub(super) fn left_us(&self) -> i64 {
            // SAFETY: an import that takes the handle.
            unsafe { left_us(self.0) }
        }

        pub(super) fn send(&self, kind: u32, data: *const c_void, len: u32) -> i32 {
            // SAFETY: an import; `data` has `len` readable bytes.
            unsafe { send(self.0, kind, data, len) }
        }

        pub(super) fn fetch(&self, name: &CStr, offset: u64, to: *mut c_void, len: u32) -> i64 {
            // SAFETY: an import; `to` has `len` writable bytes.
            unsafe { fetch(self.0, name.as_ptr(), offset, to, len) }
        }
    }

    /// A panic is a trap here, so its message must leave before.
    fn log_panics(services: Functions) {
        // The text of a panic begins with "panicked at".
        std::panic::set_hook(Box::new(move |panic| {
            // The whole wrapper moves in: its handle alone is not Send.
            let services = &services;
            let mut text = format!("the engine {panic}");
            // Not std's whole sentence: by that one, Tengen recognises a module that uses std's
            // clock.
            if text.contains("time not implemented on") {
                text += "; WebAssembly has no clock: ask Thinking::left";
            }
            services.send(abi::send::LOG, text.as_ptr().cast(), text.len() as u32);
        }));
    }
}
