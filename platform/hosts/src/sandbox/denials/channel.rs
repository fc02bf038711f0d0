//! How a child hands over the descriptor that it is watched by: over a socket, with its number and
//! what it may reach.

use std::io::{self, Read, Write};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::net::UnixStream;

use super::grants::Grants;
use crate::platform::descriptors;

/// The number and the length of what follows.
const HEAD: usize = 12;
/// The longest list of paths; the child may be an engine that sends anything.
const MOST: usize = 1 << 20;
const DONE: [u8; 1] = [1];

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
    descriptors::send(stream, &head, &[listener.as_fd()])?;
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
    let listener = descriptors::receive(stream, &mut head)?.pop();
    let listener = listener.ok_or(io::ErrorKind::InvalidData)?;
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
