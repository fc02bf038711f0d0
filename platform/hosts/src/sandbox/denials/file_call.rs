//! One call of a watched process: what it is about to open or to run.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// What every process finds itself in.
const OWN: &str = "/proc/self";
/// The longest path that the system takes.
const PATH: usize = 4096;
/// The request that makes the listener run on the caller's CPU while it answers, so that a busy
/// machine delays nothing. Kernels before 6.6 do not know it.
const SYNC_WAKE_UP: u64 = 1;

/// The calls that are asked about, with the place of the path among their arguments.
#[cfg(target_arch = "x86_64")]
pub(crate) const CALLS: &[(libc::c_long, usize)] = &[
    (libc::SYS_openat, 1),
    (libc::SYS_open, 0),
    (libc::SYS_creat, 0),
    (libc::SYS_execve, 0),
    (libc::SYS_execveat, 1),
];
/// The calls that are asked about, with the place of the path among their arguments.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) const CALLS: &[(libc::c_long, usize)] =
    &[(libc::SYS_openat, 1), (libc::SYS_execve, 0), (libc::SYS_execveat, 1)];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum RequestedAccess {
    Open { reads: bool, writes: bool },
    Run,
}

#[derive(Debug)]
pub(super) struct FileCall {
    pub path: PathBuf,
    pub requested: RequestedAccess,
    /// Whether a file that is not there is made.
    pub creates: bool,
    /// The process that makes it: a path may depend on that.
    pub process: u32,
}

/// What the kernel says of a call.
pub(super) struct Notification(libc::seccomp_notif);

/// A newer kernel may write more than is known here.
#[repr(C)]
union NotificationBuffer {
    notification: libc::seccomp_notif,
    room: [u64; 64],
}

/// Lets the listener and the process that it answers take turns on one CPU.
pub(super) fn set_sync_wake_up(listener: &OwnedFd) {
    let request = libc::SECCOMP_IOCTL_NOTIF_SET_FLAGS;
    // SAFETY: the argument of this request is a number. That it is unknown changes nothing.
    unsafe { libc::ioctl(listener.as_raw_fd(), request, SYNC_WAKE_UP) };
}

/// Waits for a call. False when no process is left that could make one.
pub(super) fn wait(listener: &OwnedFd) -> bool {
    let mut poll = libc::pollfd { fd: listener.as_raw_fd(), events: libc::POLLIN, revents: 0 };
    loop {
        // SAFETY: one struct that is valid for the call.
        if unsafe { libc::poll(&mut poll, 1, -1) } >= 0 {
            return poll.revents & libc::POLLIN != 0;
        }
        if io::Error::last_os_error().kind() != io::ErrorKind::Interrupted {
            return false;
        }
    }
}

impl Notification {
    /// The call that waits; None when its process has given it up meanwhile.
    pub(super) fn receive(listener: &OwnedFd) -> Option<Notification> {
        let mut room = NotificationBuffer { room: [0; 64] };
        // SAFETY: the room is zeroed, as the request asks, and larger than what any kernel writes
        // for one call.
        let code = unsafe {
            libc::ioctl(listener.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_RECV, &raw mut room)
        };
        // SAFETY: the struct is of integers, which any bytes are.
        let notification = Notification(unsafe { room.notification });
        (code == 0).then_some(notification)
    }

    pub(super) fn call(&self) -> libc::c_long {
        libc::c_long::from(self.0.data.nr)
    }

    /// Lets the call go on, to be allowed or denied by the sandbox.
    pub(super) fn allow(&self, listener: &OwnedFd) {
        self.answer(listener, 0, libc::SECCOMP_USER_NOTIF_FLAG_CONTINUE as u32);
    }

    /// The call is not made.
    pub(super) fn refuse(&self, listener: &OwnedFd) {
        self.answer(listener, -libc::EPERM, 0);
    }

    fn answer(&self, listener: &OwnedFd, error: i32, flags: u32) {
        let answer = libc::seccomp_notif_resp { id: self.0.id, val: 0, error, flags };
        // SAFETY: the struct is valid for the call. A caller that has stopped waiting needs no
        // answer.
        unsafe {
            libc::ioctl(listener.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_SEND, &raw const answer)
        };
    }

    /// Whether the call still waits, so that what was read of its process was indeed its own.
    fn is_waiting(&self, listener: &OwnedFd) -> bool {
        let request = libc::SECCOMP_IOCTL_NOTIF_ID_VALID;
        // SAFETY: the number is valid for the call.
        unsafe { libc::ioctl(listener.as_raw_fd(), request, &raw const self.0.id) == 0 }
    }
}

impl FileCall {
    /// What a call that waits is about; None where that cannot be read, or where it uses no file.
    pub(super) fn of(notification: &Notification, listener: &OwnedFd) -> Option<FileCall> {
        let Notification(libc::seccomp_notif { pid: thread, data, .. }) = notification;
        let call = libc::c_long::from(data.nr);
        let (_, place) = CALLS.iter().find(|(known, _)| *known == call)?;
        // A descriptor and flags are of 32 bits.
        let flags = data.args[place + 1] as i32;
        let (requested, creates) = match call {
            libc::SYS_execve | libc::SYS_execveat => (RequestedAccess::Run, false),
            _ if is_creat(call) => (RequestedAccess::Open { reads: false, writes: true }, true),
            // It gives a handle that neither reads nor writes.
            _ if flags & libc::O_PATH != 0 => return None,
            _ => {
                let access = flags & libc::O_ACCMODE;
                let requested = RequestedAccess::Open {
                    reads: access != libc::O_WRONLY,
                    writes: access != libc::O_RDONLY,
                };
                (requested, flags & libc::O_CREAT != 0)
            }
        };
        let named = read_path(*thread, data.args[*place])?;
        let base = match (named.is_absolute(), *place) {
            (true, _) => PathBuf::new(),
            (false, 1) if data.args[0] as i32 != libc::AT_FDCWD => {
                link(&format!("/proc/{thread}/fd/{}", data.args[0] as i32))?
            }
            (false, _) => link(&format!("/proc/{thread}/cwd"))?,
        };
        let path = base.join(named);
        let process = if path.starts_with(OWN) { process_of(*thread)? } else { *thread };
        let file_call = FileCall { path, requested, creates, process };
        notification.is_waiting(listener).then_some(file_call)
    }

    /// The path as this process finds what the other means.
    pub(super) fn real_path(&self) -> PathBuf {
        match self.path.strip_prefix(OWN) {
            Ok(rest) => Path::new("/proc").join(self.process.to_string()).join(rest),
            Err(_) => self.path.clone(),
        }
    }
}

#[cfg(target_arch = "x86_64")]
fn is_creat(call: libc::c_long) -> bool {
    call == libc::SYS_creat
}

#[cfg(not(target_arch = "x86_64"))]
fn is_creat(_: libc::c_long) -> bool {
    false
}

fn link(path: &str) -> Option<PathBuf> {
    fs::read_link(path).ok()
}

fn process_of(thread: u32) -> Option<u32> {
    let status = fs::read_to_string(format!("/proc/{thread}/status")).ok()?;
    status.lines().find_map(|line| line.strip_prefix("Tgid:")?.trim().parse().ok())
}

/// The path at that address of another process. None where it is a way to what is open already, or
/// to what no process here could open.
fn read_path(thread: u32, address: u64) -> Option<PathBuf> {
    let mut bytes = [MaybeUninit::<u8>::uninit(); PATH];
    let local = libc::iovec { iov_base: bytes.as_mut_ptr().cast(), iov_len: PATH };
    let remote = libc::iovec { iov_base: address as *mut libc::c_void, iov_len: PATH };
    let process = i32::try_from(thread).ok()?;
    // SAFETY: the local part is valid for the call; the remote one is the other's, and where it
    // cannot be read, less is.
    let count = unsafe { libc::process_vm_readv(process, &local, 1, &remote, 1, 0) };
    let count = usize::try_from(count).ok()?;
    // SAFETY: the kernel has written so many bytes.
    let bytes = unsafe { std::slice::from_raw_parts(bytes.as_ptr().cast::<u8>(), count) };
    let path = &bytes[..bytes.iter().position(|byte| *byte == 0)?];
    // None has a terminal.
    let ignored = [&b"/dev/fd/"[..], b"/dev/std", b"/dev/tty", b"/proc/self/fd/"];
    if path.is_empty() || ignored.iter().any(|begin| path.starts_with(begin)) {
        return None;
    }
    Some(PathBuf::from(OsString::from(OsStr::from_bytes(path))))
}
