//! How a child hands over the descriptor that it is watched by: over a socket, with its number and
//! what it may reach.

use std::io::{self, Read, Write};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::net::UnixStream;

use super::grants::Grants;

/// The number and the length of what follows.
const HEAD: usize = 12;
/// The longest list of paths.
const MOST: usize = 1 << 20;
/// The room for one descriptor and what the system puts before it.
const ROOM: usize = 64;
const DONE: [u8; 1] = [1];

/// A buffer for ancillary data, aligned as its header is.
#[repr(align(8))]
struct Ancillary([u8; ROOM]);

/// Sends the descriptor, and waits until it has arrived.
pub(super) fn send(
    mut stream: &UnixStream,
    number: u64,
    listener: &OwnedFd,
    grants: &Grants,
) -> io::Result<()> {
    let grants = grants.to_bytes();
    let mut head = number.to_le_bytes().to_vec();
    head.extend_from_slice(&u32::try_from(grants.len()).map_err(io::Error::other)?.to_le_bytes());
    send_with(stream, &head, listener.as_raw_fd())?;
    stream.write_all(&grants)?;
    wait(stream)
}

/// Waits for what [`acknowledge`] sends.
pub(super) fn wait(mut stream: &UnixStream) -> io::Result<()> {
    stream.read_exact(&mut [0])
}

/// Receives what [`send`] sends.
pub(super) fn receive(mut stream: &UnixStream) -> io::Result<(u64, OwnedFd, Grants)> {
    let mut head = [0; HEAD];
    let listener = receive_with(stream, &mut head)?;
    let [a, b, c, d, e, f, g, h, length @ ..] = head;
    let length = u32::from_le_bytes(length) as usize;
    if length > MOST {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let mut grants = vec![0; length];
    stream.read_exact(&mut grants)?;
    Ok((u64::from_le_bytes([a, b, c, d, e, f, g, h]), listener, Grants::from_bytes(&grants)))
}

/// Tells the child that it can go on.
pub(super) fn acknowledge(mut stream: &UnixStream) -> io::Result<()> {
    stream.write_all(&DONE)
}

fn send_with(stream: &UnixStream, bytes: &[u8], descriptor: RawFd) -> io::Result<()> {
    let mut room = Ancillary([0; ROOM]);
    let mut part = libc::iovec { iov_base: bytes.as_ptr().cast_mut().cast(), iov_len: bytes.len() };
    let size = size_of::<RawFd>() as u32;
    // SAFETY: a struct of integers and pointers may be zero.
    let mut message: libc::msghdr = unsafe { std::mem::zeroed() };
    (message.msg_iov, message.msg_iovlen) = (&mut part, 1);
    message.msg_control = room.0.as_mut_ptr().cast();
    // SAFETY: these only compute lengths.
    let (space, length) = unsafe { (libc::CMSG_SPACE(size), libc::CMSG_LEN(size)) };
    message.msg_controllen = space as _;
    // SAFETY: the room is aligned, zeroed and larger than `space`, so that its header and one
    // descriptor fit; all that the message points to lives until the call returns.
    let sent = unsafe {
        let header = libc::CMSG_FIRSTHDR(&message);
        (*header).cmsg_level = libc::SOL_SOCKET;
        (*header).cmsg_type = libc::SCM_RIGHTS;
        (*header).cmsg_len = length as _;
        libc::CMSG_DATA(header).cast::<RawFd>().write_unaligned(descriptor);
        libc::sendmsg(stream.as_raw_fd(), &message, libc::MSG_NOSIGNAL)
    };
    match usize::try_from(sent) {
        Ok(sent) if sent == bytes.len() => Ok(()),
        Ok(_) => Err(io::ErrorKind::WriteZero.into()),
        Err(_) => Err(io::Error::last_os_error()),
    }
}

fn receive_with(stream: &UnixStream, bytes: &mut [u8]) -> io::Result<OwnedFd> {
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
    // SAFETY: the kernel has filled the room with whole headers, the first of which is looked at; a
    // descriptor that it brings is new, and nobody else's.
    let descriptor = unsafe {
        let header = libc::CMSG_FIRSTHDR(&message);
        let is_one = !header.is_null()
            && (*header).cmsg_level == libc::SOL_SOCKET
            && (*header).cmsg_type == libc::SCM_RIGHTS;
        is_one
            .then(|| OwnedFd::from_raw_fd(libc::CMSG_DATA(header).cast::<RawFd>().read_unaligned()))
    };
    match descriptor {
        Some(descriptor) if received as usize == bytes.len() => Ok(descriptor),
        _ => Err(io::ErrorKind::InvalidData.into()),
    }
}

/// Whether this process's own user is at the other end.
pub(super) fn is_own_user(stream: &UnixStream) -> bool {
    // SAFETY: a struct of integers may be zero.
    let mut peer: libc::ucred = unsafe { std::mem::zeroed() };
    let mut length = size_of::<libc::ucred>() as libc::socklen_t;
    // SAFETY: the place is as large as `length` says, and valid for the call.
    let code = unsafe {
        libc::getsockopt(
            stream.as_raw_fd(),
            libc::SOL_SOCKET,
            libc::SO_PEERCRED,
            (&raw mut peer).cast(),
            &mut length,
        )
    };
    code == 0 && peer.uid == rustix::process::geteuid().as_raw()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_descriptor_arrives_with_what_is_said_of_it() {
        let (here, there) = UnixStream::pair().unwrap();
        assert!(is_own_user(&here));
        let (reader, mut writer) = io::pipe().unwrap();
        let grants = Grants::from_bytes(b"r/usr\0w/tmp/x y\0");
        let sender = std::thread::spawn({
            let grants = grants.clone();
            move || send(&there, 17, &OwnedFd::from(reader), &grants).map(drop)
        });
        let (number, listener, arrived) = receive(&here).unwrap();
        acknowledge(&here).unwrap();
        sender.join().unwrap().unwrap();
        assert_eq!((number, arrived), (17, grants));
        writer.write_all(b"through").unwrap();
        drop(writer);
        let mut text = String::new();
        std::fs::File::from(listener).read_to_string(&mut text).unwrap();
        assert_eq!(text, "through");
    }

    #[test]
    fn one_that_goes_away_is_no_descriptor() {
        let (here, there) = UnixStream::pair().unwrap();
        (&there).write_all(&[0; HEAD]).unwrap();
        assert!(receive(&here).is_err());
        drop(there);
        assert!(receive(&here).is_err());
    }
}
