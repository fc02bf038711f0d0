//! Pipes to and from a child process whose end in this process can be waited for.

use std::fs::File;
use std::io;
use std::os::windows::io::{AsHandle, AsRawHandle, FromRawHandle, OwnedHandle};
use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use windows_sys::Win32::Foundation::{
    ERROR_IO_PENDING, GENERIC_READ, GENERIC_WRITE, GetLastError, INVALID_HANDLE_VALUE,
    WAIT_OBJECT_0,
};
use windows_sys::Win32::Security::SECURITY_ATTRIBUTES;
use windows_sys::Win32::Storage::FileSystem::{
    CreateFileW, FILE_FLAG_FIRST_PIPE_INSTANCE, FILE_FLAG_OVERLAPPED, OPEN_EXISTING,
    PIPE_ACCESS_INBOUND, PIPE_ACCESS_OUTBOUND, ReadFile,
};
use windows_sys::Win32::System::IO::{CancelIoEx, GetOverlappedResult, OVERLAPPED};
use windows_sys::Win32::System::Pipes::{
    CreateNamedPipeW, PIPE_REJECT_REMOTE_CLIENTS, PIPE_TYPE_BYTE, PIPE_WAIT, PeekNamedPipe,
};
use windows_sys::Win32::System::Threading::{CreateEventW, INFINITE, WaitForSingleObject};

use super::wide;

/// The bytes that a pipe holds.
const CAPACITY: u32 = 65536;

/// Which end of a pipe a child has: that to read from, or that to write to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum PipeEnd {
    ChildReads,
    ChildWrites,
}

/// A new pipe: the end of this process, which the standard library's types of pipes can take, and
/// the end that a child inherits if it is told to.
///
/// Nothing else can wait for what is read: so this is a pipe with a name, which only the first may
/// take, and which this process has taken before a child could learn it.
pub(super) fn pipe(end: PipeEnd) -> io::Result<(OwnedHandle, OwnedHandle)> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let (process, count) = (std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
    // An engine that guesses it could take the name first, and no engine would start any more.
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let name = format!(r"\\.\pipe\tengen.{process}.{count}.{:x}", now.as_nanos());
    let name = wide(name.as_ref());
    let (own_access, child_access) = match end {
        PipeEnd::ChildReads => (PIPE_ACCESS_OUTBOUND, GENERIC_READ),
        PipeEnd::ChildWrites => (PIPE_ACCESS_INBOUND, GENERIC_WRITE),
    };
    let own = handle(|| {
        // SAFETY: The name ends with a zero, and there are no attributes.
        unsafe {
            CreateNamedPipeW(
                name.as_ptr(),
                own_access | FILE_FLAG_FIRST_PIPE_INSTANCE | FILE_FLAG_OVERLAPPED,
                PIPE_TYPE_BYTE | PIPE_WAIT | PIPE_REJECT_REMOTE_CLIENTS,
                1,
                CAPACITY,
                CAPACITY,
                0,
                ptr::null(),
            )
        }
    })?;
    let child = open(&name, child_access)?;
    Ok((own, child))
}

/// Opens what a child inherits.
fn open(name: &[u16], access: u32) -> io::Result<OwnedHandle> {
    let inherited = SECURITY_ATTRIBUTES {
        nLength: std::mem::size_of::<SECURITY_ATTRIBUTES>() as u32,
        lpSecurityDescriptor: ptr::null_mut(),
        bInheritHandle: 1,
    };
    handle(|| {
        // SAFETY: The name ends with a zero, and the attributes live as long as the call.
        unsafe {
            CreateFileW(name.as_ptr(), access, 0, &inherited, OPEN_EXISTING, 0, ptr::null_mut())
        }
    })
}

fn handle(
    open: impl FnOnce() -> windows_sys::Win32::Foundation::HANDLE,
) -> io::Result<OwnedHandle> {
    let handle = open();
    if handle == INVALID_HANDLE_VALUE {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: The call has just opened it, for its caller alone.
    Ok(unsafe { OwnedHandle::from_raw_handle(handle) })
}

/// Waits until something can be read from a pipe of [`pipe`], or it has ended; at most so many
/// milliseconds, or for ever if they are negative.
pub(crate) fn wait_for_input<P: AsHandle>(pipe: &P, millis: i32) -> bool {
    let pipe = pipe.as_handle().as_raw_handle();
    // SAFETY: It has no name and no attributes.
    let event = unsafe { CreateEventW(ptr::null(), 1, 0, ptr::null()) };
    if event.is_null() {
        return true;
    }
    // SAFETY: As above.
    let event = unsafe { OwnedHandle::from_raw_handle(event) };
    let mut read = OVERLAPPED { hEvent: event.as_raw_handle(), ..OVERLAPPED::default() };
    // To read nothing ends when there is something to read.
    // SAFETY: Nothing is read, and `read` lives until the call is over, which is waited for below.
    let is_done = unsafe { ReadFile(pipe, ptr::null_mut(), 0, ptr::null_mut(), &mut read) } != 0;
    // SAFETY: It reads what this thread's last call left.
    if is_done || unsafe { GetLastError() } != ERROR_IO_PENDING {
        return true;
    }
    // SAFETY: The event is open.
    let patience = u32::try_from(millis).unwrap_or(INFINITE);
    let waited = unsafe { WaitForSingleObject(event.as_raw_handle(), patience) };
    if waited != WAIT_OBJECT_0 {
        // SAFETY: `read` is the call that is to be given up.
        unsafe { CancelIoEx(pipe, &read) };
    }
    let mut count = 0;
    // It may have ended just before it was given up.
    // SAFETY: `read` is that of the call, which this waits for.
    let is_done = unsafe { GetOverlappedResult(pipe, &read, &mut count, 1) } != 0;
    waited == WAIT_OBJECT_0 || is_done
}

/// Whether something has come that was not read yet.
pub(crate) fn has_input(pipe: &File) -> bool {
    let mut count = 0;
    // SAFETY: Nothing is read but how much there is.
    let is_open = unsafe {
        PeekNamedPipe(
            pipe.as_raw_handle(),
            ptr::null_mut(),
            0,
            ptr::null_mut(),
            &mut count,
            ptr::null_mut(),
        )
    };
    is_open != 0 && count > 0
}
