//! What a dying process writes about its death: the signal, the faulting address, and the calls
//! that led there. Its parent looks up the names of the functions.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::os::fd::IntoRawFd;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicI32, Ordering};

use super::crash_report::{ENGINE, HOST, MARK, MOST_CALLS};

/// The signals by which machine code dies of its own fault.
const SIGNALS: [c_int; 6] =
    [libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGILL, libc::SIGTRAP, libc::SIGABRT];
/// A stack for the handler, for when the engine's own is full.
const STACK: usize = 256 << 10;
/// The longest line.
const MOST: usize = 4096;
/// The longest name of a library in it.
const MOST_NAME: usize = 64;

/// Where the line goes, whatever becomes of standard error.
static OUTPUT: AtomicI32 = AtomicI32::new(-1);
/// The file of the engine, as the loader has it.
static LIBRARY: OnceLock<CString> = OnceLock::new();

unsafe extern "C" {
    // The unwinder that the standard library is linked with.
    fn _Unwind_Backtrace(
        see: extern "C" fn(*mut c_void, *mut c_void) -> c_int,
        to: *mut c_void,
    ) -> c_int;
    fn _Unwind_GetIPInfo(context: *mut c_void, is_exact: *mut c_int) -> usize;
}

/// Makes this process write a line to standard error when it dies by a fault. An engine that
/// handles these signals itself replaces this handler.
pub(crate) fn report_crashes(library: &Path) {
    let Ok(output) = super::unix::duplicate_errors() else { return };
    OUTPUT.store(output.into_raw_fd(), Ordering::Relaxed);
    if let Ok(path) = CString::new(library.as_os_str().as_bytes()) {
        let _again = LIBRARY.set(path);
    }
    let stack = Box::leak(vec![0_u8; STACK].into_boxed_slice());
    let stack = libc::stack_t { ss_sp: stack.as_mut_ptr().cast(), ss_flags: 0, ss_size: STACK };
    // SAFETY: the stack is never freed, and nothing else uses it.
    if unsafe { libc::sigaltstack(&raw const stack, ptr::null_mut()) } != 0 {
        return;
    }
    // The unwinder makes itself ready here, and not while the process dies.
    let mut walk = Walk { calls: [0; MOST_CALLS], count: 0, fault: 0 };
    // SAFETY: `see` gets the walk, which outlives the call.
    unsafe { _Unwind_Backtrace(see, (&raw mut walk).cast()) };
    for signal in SIGNALS {
        // SAFETY: all of it may be zero.
        let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
        let handler: extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void) = write_down;
        action.sa_sigaction = handler as usize;
        // Whatever goes wrong in the handler, and the fault itself, which happens again after it,
        // end the process as they would without it.
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | libc::SA_RESETHAND;
        // SAFETY: the handler calls nothing that is not safe in one: see there.
        unsafe { libc::sigaction(signal, &raw const action, ptr::null_mut()) };
    }
}

/// The calls that lead to a fault, the innermost first.
struct Walk {
    calls: [usize; MOST_CALLS],
    count: usize,
    /// Where the fault is; what was called after it is this handler.
    fault: usize,
}

extern "C" fn see(context: *mut c_void, walk: *mut c_void) -> c_int {
    const GO_ON: c_int = 0;
    const STOP: c_int = 5;
    // SAFETY: the unwinder passes what it was given, to nothing else meanwhile.
    let walk = unsafe { &mut *walk.cast::<Walk>() };
    let mut is_exact = 0;
    // SAFETY: the context is the unwinder's own.
    let at = unsafe { _Unwind_GetIPInfo(context, &raw mut is_exact) };
    if walk.count == 0 && at != walk.fault {
        return GO_ON;
    }
    if at == 0 || walk.count == MOST_CALLS {
        return STOP;
    }
    // A return address is behind the call.
    walk.calls[walk.count] = if is_exact == 0 && walk.count > 0 { at - 1 } else { at };
    walk.count += 1;
    GO_ON
}

/// Runs while the process dies. It allocates nothing and takes no lock but that of the loader,
/// which its own thread may hold already.
extern "C" fn write_down(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    let mut line = ReportLine { bytes: [0; MOST], len: 0 };
    // SAFETY: the system passes both to a handler of this sort.
    let (code, address) = unsafe { ((*info).si_code, (*info).si_addr() as usize) };
    // SAFETY: likewise.
    let (at, stack) = unsafe { registers(context) };
    line.put(b"\n");
    line.put(MARK.as_bytes());
    for (name, value) in [("signal", signal as usize), ("code", code as u32 as usize)] {
        line.put(name.as_bytes());
        line.put(b" ");
        line.put_hex(value);
        line.put(b" ");
    }
    for (name, value) in [("address", address), ("stack", stack)] {
        line.put(name.as_bytes());
        line.put(b" ");
        line.put_hex(value);
        line.put(b" ");
    }
    line.put(b"at");
    line.put_call(at);
    line.write();
    if is_loaded(at) {
        let mut walk = Walk { calls: [0; MOST_CALLS], count: 0, fault: at };
        // SAFETY: as above. Where the stack is not what it should be, this ends the process, with
        // the signal that a fault in here has.
        unsafe { _Unwind_Backtrace(see, (&raw mut walk).cast()) };
        for &call in walk.calls[..walk.count].iter().skip(1) {
            line.put_call(call);
        }
    } else if stack != 0 && stack.abs_diff(address) > STACK {
        // It called what is no function, where the unwinder would look for one. What did so is on
        // the stack.
        // SAFETY: the stack is in use, and the fault was elsewhere.
        let caller = unsafe { *(stack as *const usize) };
        line.put_call(caller.wrapping_sub(1));
    }
    line.put(b"\n");
    line.write();
    // The kernel's own, but for a trap, comes again when this returns; `abort` sends it again.
    if code <= 0 || signal == libc::SIGTRAP {
        // SAFETY: the call takes a number; the signal is dealt with as it is by default now.
        unsafe { libc::raise(signal) };
    }
}

/// Where the process was, and the end of its stack; 0 where that is not known.
///
/// # Safety
/// The context must be that of a signal handler.
unsafe fn registers(context: *mut c_void) -> (usize, usize) {
    let context = context.cast::<libc::ucontext_t>();
    #[cfg(target_arch = "x86_64")]
    {
        // SAFETY: the caller's.
        let registers = unsafe { &(*context).uc_mcontext.gregs };
        let of = |place: c_int| registers[place as usize] as usize;
        (of(libc::REG_RIP), of(libc::REG_RSP))
    }
    #[cfg(target_arch = "aarch64")]
    {
        // SAFETY: the caller's.
        let machine = unsafe { &(*context).uc_mcontext };
        (machine.pc as usize, machine.sp as usize)
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    {
        let _ = context;
        (0, 0)
    }
}

/// A line that is made without memory of the heap.
struct ReportLine {
    bytes: [u8; MOST],
    len: usize,
}

impl ReportLine {
    fn put(&mut self, bytes: &[u8]) {
        let count = bytes.len().min(MOST - self.len);
        self.bytes[self.len..self.len + count].copy_from_slice(&bytes[..count]);
        self.len += count;
    }

    fn put_hex(&mut self, value: usize) {
        let digits = (usize::BITS - value.leading_zeros()).div_ceil(4).max(1);
        for digit in (0..digits).rev() {
            self.put(&[b"0123456789abcdef"[value >> (4 * digit) & 15]]);
        }
    }

    /// `LIBRARY+OFFSET`, with the offset in the library's file.
    fn put_call(&mut self, address: usize) {
        self.put(b" ");
        let mut place = LoadedPlace { address, offset: address, name: ptr::null() };
        // SAFETY: `locate` gets the place, which outlives the call.
        unsafe { libc::dl_iterate_phdr(Some(locate), (&raw mut place).cast()) };
        if place.name.is_null() {
            self.put(b"?");
        } else {
            // SAFETY: the loader's names end with a NUL, and nothing is unloaded meanwhile.
            self.put_name(unsafe { CStr::from_ptr(place.name) });
        }
        self.put(b"+");
        self.put_hex(place.offset);
    }

    fn put_name(&mut self, name: &CStr) {
        if LIBRARY.get().is_some_and(|library| library.as_c_str() == name) {
            return self.put(ENGINE.as_bytes());
        }
        let name = name.to_bytes();
        if name.is_empty() {
            return self.put(HOST.as_bytes());
        }
        let start = name.iter().rposition(|byte| *byte == b'/').map_or(0, |slash| slash + 1);
        for &byte in name[start..].iter().take(MOST_NAME) {
            let is_plain = byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
            self.put(&[if is_plain { byte } else { b'_' }]);
        }
    }

    fn write(&mut self) {
        // SAFETY: the bytes are the line's own. They need not be read.
        unsafe {
            libc::write(OUTPUT.load(Ordering::Relaxed), self.bytes.as_ptr().cast(), self.len)
        };
        self.len = 0;
    }
}

/// Which library an address is in.
struct LoadedPlace {
    address: usize,
    offset: usize,
    name: *const c_char,
}

fn is_loaded(address: usize) -> bool {
    let mut place = LoadedPlace { address, offset: 0, name: ptr::null() };
    // SAFETY: `locate` gets the place, which outlives the call.
    unsafe { libc::dl_iterate_phdr(Some(locate), (&raw mut place).cast()) };
    !place.name.is_null()
}

unsafe extern "C" fn locate(
    library: *mut libc::dl_phdr_info,
    _: usize,
    place: *mut c_void,
) -> c_int {
    // SAFETY: the loader passes what it was given, and a struct of its own.
    let (library, place) = unsafe { (&*library, &mut *place.cast::<LoadedPlace>()) };
    let base = library.dlpi_addr as usize;
    for number in 0..usize::from(library.dlpi_phnum) {
        // SAFETY: there are so many of them.
        let segment = unsafe { &*library.dlpi_phdr.add(number) };
        let start = base.wrapping_add(segment.p_vaddr as usize);
        let is_in = place.address.wrapping_sub(start) < segment.p_memsz as usize;
        if segment.p_type == libc::PT_LOAD && is_in {
            (place.name, place.offset) = (library.dlpi_name, place.address.wrapping_sub(base));
            return 1;
        }
    }
    0
}
