//! Copies of this process in its own place: children of its parent.

use std::io;

/// Starts a process as this one is, which has one thread, as a child of this one's parent. Gives
/// its number, and nothing in the new process.
pub(crate) fn clone_sibling() -> io::Result<Option<u32>> {
    // SAFETY: a struct of integers may be zero.
    let mut args: libc::clone_args = unsafe { std::mem::zeroed() };
    args.flags = libc::CLONE_PARENT as u64;
    if let Some(place) = thread_number() {
        args.flags |= (libc::CLONE_CHILD_SETTID | libc::CLONE_CHILD_CLEARTID) as u64;
        args.child_tid = place;
    }
    let size = size_of::<libc::clone_args>();
    // SAFETY: without a stack and shared memory this is a fork, of a process that has one thread:
    // the child has a copy of all there is, and no thread holds a lock in it.
    let pid = unsafe { libc::syscall(libc::SYS_clone3, &raw const args, size) };
    match u32::try_from(pid) {
        Ok(0) => Ok(None),
        Ok(pid) => Ok(Some(pid)),
        Err(_) => Err(io::Error::last_os_error()),
    }
}

/// Where the C library keeps the number of this thread, which is another one in the new process.
fn thread_number() -> Option<u64> {
    const PR_GET_TID_ADDRESS: libc::c_int = 40;
    if !cfg!(target_env = "gnu") {
        return None;
    }
    let mut place = 0_u64;
    // SAFETY: the kernel writes one address to the place, which is valid for the call.
    let code = unsafe { libc::prctl(PR_GET_TID_ADDRESS, &raw mut place) };
    (code == 0 && place != 0).then_some(place)
}
