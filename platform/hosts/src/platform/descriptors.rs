//! Sends descriptors to another process over a socket.

use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::net::UnixStream;

/// The room for a few descriptors and what the system puts before them.
const ROOM: usize = 64;

/// A buffer for ancillary data, aligned as its header is.
#[repr(align(8))]
struct Ancillary([u8; ROOM]);

/// Sends bytes, and a few descriptors with the first of them.
pub(crate) fn send(
    stream: &UnixStream,
    bytes: &[u8],
    descriptors: &[BorrowedFd<'_>],
) -> io::Result<()> {
    let mut room = Ancillary([0; ROOM]);
    let mut part = libc::iovec { iov_base: bytes.as_ptr().cast_mut().cast(), iov_len: bytes.len() };
    let size = size_of_val(descriptors) as u32;
    // SAFETY: a struct of integers and pointers may be zero.
    let mut message: libc::msghdr = unsafe { std::mem::zeroed() };
    (message.msg_iov, message.msg_iovlen) = (&mut part, 1);
    message.msg_control = room.0.as_mut_ptr().cast();
    // SAFETY: these only compute lengths.
    let (space, length) = unsafe { (libc::CMSG_SPACE(size), libc::CMSG_LEN(size)) };
    assert!(space as usize <= ROOM, "a few descriptors");
    message.msg_controllen = space as _;
    // SAFETY: the room is aligned, zeroed and no smaller than `space`, so that its header and the
    // descriptors fit; all that the message points to lives until the call returns.
    let sent = unsafe {
        let header = libc::CMSG_FIRSTHDR(&message);
        (*header).cmsg_level = libc::SOL_SOCKET;
        (*header).cmsg_type = libc::SCM_RIGHTS;
        (*header).cmsg_len = length as _;
        let mut place = libc::CMSG_DATA(header).cast::<RawFd>();
        for descriptor in descriptors {
            place.write_unaligned(descriptor.as_raw_fd());
            place = place.add(1);
        }
        libc::sendmsg(stream.as_raw_fd(), &message, libc::MSG_NOSIGNAL)
    };
    match usize::try_from(sent) {
        Ok(sent) if sent == bytes.len() => Ok(()),
        Ok(_) => Err(io::ErrorKind::WriteZero.into()),
        Err(_) => Err(io::Error::last_os_error()),
    }
}

/// Receives as many bytes, and the descriptors that come with the first of them.
///
/// # Errors
/// When the other end is closed, or sends something else.
pub(crate) fn receive(stream: &UnixStream, bytes: &mut [u8]) -> io::Result<Vec<OwnedFd>> {
    let mut room = Ancillary([0; ROOM]);
    let mut part = libc::iovec { iov_base: bytes.as_mut_ptr().cast(), iov_len: bytes.len() };
    // SAFETY: a struct of integers and pointers may be zero.
    let mut message: libc::msghdr = unsafe { std::mem::zeroed() };
    (message.msg_iov, message.msg_iovlen) = (&mut part, 1);
    message.msg_control = room.0.as_mut_ptr().cast();
    message.msg_controllen = ROOM as _;
    let flags = libc::MSG_CMSG_CLOEXEC | libc::MSG_WAITALL;
    // SAFETY: all that the message points to is valid for the call.
    let received = unsafe { libc::recvmsg(stream.as_raw_fd(), &mut message, flags) };
    if received < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: this only computes a length.
    let head = unsafe { libc::CMSG_LEN(0) } as usize;
    // SAFETY: the kernel has filled the room with whole headers, the first of which is looked at;
    // the descriptors that it brings are new, and nothing else's.
    let descriptors = unsafe {
        let header = libc::CMSG_FIRSTHDR(&message);
        let are_there = !header.is_null()
            && (*header).cmsg_level == libc::SOL_SOCKET
            && (*header).cmsg_type == libc::SCM_RIGHTS;
        let length = if are_there { (*header).cmsg_len as usize - head } else { 0 };
        let numbers = (0..length / size_of::<RawFd>())
            .map(|place| libc::CMSG_DATA(header).cast::<RawFd>().add(place).read_unaligned());
        numbers.map(|number| OwnedFd::from_raw_fd(number)).collect::<Vec<_>>()
    };
    match received as usize == bytes.len() {
        true => Ok(descriptors),
        false => Err(io::ErrorKind::InvalidData.into()),
    }
}
