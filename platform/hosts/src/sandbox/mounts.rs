//! The system calls that make and place mounts. They are those of Linux 5.12.

use std::ffi::{CStr, CString, c_int, c_uint};
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// A mount that may not have its place yet.
pub(super) struct Mount(OwnedFd);

/// How a mount may be used.
pub(super) const READ_ONLY: u64 = libc::MOUNT_ATTR_RDONLY;
/// No program there gives rights to the process that runs it.
pub(super) const NO_SUID: u64 = libc::MOUNT_ATTR_NOSUID;
pub(super) const NO_DEVICES: u64 = libc::MOUNT_ATTR_NODEV;
pub(super) const NO_PROGRAMS: u64 = libc::MOUNT_ATTR_NOEXEC;

impl Mount {
    /// A new file system of that kind.
    pub(super) fn new(kind: &CStr, settings: &[(&CStr, &str)], uses: u64) -> io::Result<Mount> {
        // SAFETY: the name is a string that ends with a NUL, and valid for the call.
        let made = unsafe { libc::syscall(libc::SYS_fsopen, kind.as_ptr(), libc::FSOPEN_CLOEXEC) };
        let system = descriptor(made)?;
        let set = libc::FSCONFIG_SET_STRING;
        for (key, value) in settings {
            configure(&system, set, Some((key, &CString::new(*value)?)))?;
        }
        configure(&system, libc::FSCONFIG_CMD_CREATE, None)?;
        let (flags, uses) = (libc::FSMOUNT_CLOEXEC, uses as c_uint);
        // SAFETY: the call takes a descriptor and two numbers.
        let made = unsafe { libc::syscall(libc::SYS_fsmount, system.as_raw_fd(), flags, uses) };
        Ok(Mount(descriptor(made)?))
    }

    /// Another mount of what is at that path, with all that is mounted below, used like that.
    pub(super) fn of(path: &Path, uses: u64) -> io::Result<Mount> {
        let path = text(path)?;
        let flags = libc::OPEN_TREE_CLONE
            | libc::OPEN_TREE_CLOEXEC as c_uint
            | libc::AT_RECURSIVE as c_uint;
        // SAFETY: the path is a string that ends with a NUL, and valid for the call.
        let made =
            unsafe { libc::syscall(libc::SYS_open_tree, libc::AT_FDCWD, path.as_ptr(), flags) };
        let mount = Mount(descriptor(made)?);
        if uses != 0 {
            restrict(mount.0.as_raw_fd(), c"", libc::AT_EMPTY_PATH | libc::AT_RECURSIVE, uses)?;
        }
        Ok(mount)
    }

    pub(super) fn place(&self, at: &Path) -> io::Result<()> {
        let (at, from) = (text(at)?, self.0.as_raw_fd());
        let (flags, here) = (libc::MOVE_MOUNT_F_EMPTY_PATH, libc::AT_FDCWD);
        // SAFETY: both paths are strings that end with a NUL, and valid for the call.
        let code = unsafe {
            libc::syscall(libc::SYS_move_mount, from, c"".as_ptr(), here, at.as_ptr(), flags)
        };
        done(code)
    }
}

/// Lets what is mounted at that path be used only like that from now on.
pub(super) fn restrict_at(path: &Path, uses: u64) -> io::Result<()> {
    restrict(libc::AT_FDCWD, &text(path)?, 0, uses)
}

fn restrict(place: c_int, path: &CStr, flags: c_int, uses: u64) -> io::Result<()> {
    // SAFETY: a struct of integers may be zero.
    let mut change: libc::mount_attr = unsafe { std::mem::zeroed() };
    change.attr_set = uses;
    let size = size_of::<libc::mount_attr>();
    // SAFETY: the path and the struct are valid for the call, and the struct is as large as said.
    let code = unsafe {
        let change = &raw const change;
        libc::syscall(libc::SYS_mount_setattr, place, path.as_ptr(), flags, change, size)
    };
    done(code)
}

/// Keeps all that is done with mounts from here on to this process's own namespace.
pub(super) fn keep_to_oneself() -> io::Result<()> {
    let flags = libc::MS_REC | libc::MS_PRIVATE;
    let none = std::ptr::null();
    // SAFETY: the path is a string that ends with a NUL; the others may be absent.
    let code = unsafe { libc::mount(none, c"/".as_ptr(), none, flags, none.cast()) };
    done(code.into())
}

/// Removes what is mounted at that path, with all that is mounted below.
pub(super) fn remove(path: &Path) -> io::Result<()> {
    let path = text(path)?;
    // SAFETY: the path is a string that ends with a NUL, and valid for the call.
    done(unsafe { libc::umount2(path.as_ptr(), libc::MNT_DETACH) }.into())
}

fn configure(
    system: &OwnedFd,
    command: libc::c_uint,
    setting: Option<(&CStr, &CStr)>,
) -> io::Result<()> {
    let (key, value) = setting.map_or((std::ptr::null(), std::ptr::null()), |(key, value)| {
        (key.as_ptr(), value.as_ptr())
    });
    // SAFETY: both are absent, or strings that end with a NUL and are valid for the call.
    let code =
        unsafe { libc::syscall(libc::SYS_fsconfig, system.as_raw_fd(), command, key, value, 0) };
    done(code)
}

fn descriptor(made: libc::c_long) -> io::Result<OwnedFd> {
    match c_int::try_from(made) {
        // SAFETY: the kernel has just made it, and nothing else has it.
        Ok(made) if made >= 0 => Ok(unsafe { OwnedFd::from_raw_fd(made) }),
        _ => Err(io::Error::last_os_error()),
    }
}

fn done(code: libc::c_long) -> io::Result<()> {
    if code == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

fn text(path: &Path) -> io::Result<CString> {
    Ok(CString::new(path.as_os_str().as_bytes())?)
}
