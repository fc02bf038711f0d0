//! The child's side: it installs the filter before it becomes or loads the engine.

use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::net::UnixStream;

use libc::{c_long, sock_filter, sock_fprog};

use super::grants::Grants;
use super::listener::{PATIENCE, address};
use super::{ReportAddress, channel};

/// Where the number of the call and the architecture are in the data of a filter.
const CALL: u32 = 0;
const ARCHITECTURE: u32 = 4;
#[cfg(target_arch = "x86_64")]
const HERE: Option<u32> = Some(0xC000_003E);
#[cfg(target_arch = "aarch64")]
const HERE: Option<u32> = Some(0xC000_00B7);
#[cfg(target_arch = "riscv64")]
const HERE: Option<u32> = Some(0xC000_00F3);
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64")))]
const HERE: Option<u32> = None;

/// A child that is connected to the listener.
#[derive(Debug)]
pub(crate) struct DenialReporter {
    stream: UnixStream,
    number: u64,
}

impl DenialReporter {
    /// Connects to the listener, before the sandbox forbids it. None where there is no listener:
    /// then it does without.
    pub(crate) fn connect((name, number): &ReportAddress) -> Option<DenialReporter> {
        HERE?;
        let stream = UnixStream::connect_addr(&address(name).ok()?).ok()?;
        stream.set_read_timeout(Some(PATIENCE)).ok()?;
        channel::wait(&stream).ok()?;
        Some(DenialReporter { stream, number: *number })
    }

    /// The descriptor that the filter's is sent by.
    pub(crate) fn channel(&self) -> RawFd {
        self.stream.as_raw_fd()
    }

    /// Has every call from now on that opens or runs a file reported, and what `others` asks about.
    /// Gives whether that could be done.
    ///
    /// # Errors
    /// When it waits for answers that will not come, so that it must not go on.
    pub(crate) fn install(self, grants: &Grants, others: &[sock_filter]) -> io::Result<bool> {
        // Where the kernel cannot do it, or another process has such a filter already, it does
        // without.
        match listen(grants.calls(), others) {
            Some(listener) => {
                channel::send(&self.stream, self.number, &listener, grants).map(|()| true)
            }
            None => Ok(false),
        }
    }
}

/// Installs the filter. Gives the descriptor on which its calls are received.
fn listen(calls: &[c_long], others: &[sock_filter]) -> Option<OwnedFd> {
    let mut filter = filter(HERE?, calls);
    filter.extend_from_slice(others);
    let length = u16::try_from(filter.len()).ok()?;
    let program = sock_fprog { len: length, filter: filter.as_mut_ptr() };
    let plain = libc::SECCOMP_FILTER_FLAG_NEW_LISTENER;
    // A signal that comes while a call is checked does not restart it. Linux 5.19 has this flag.
    let [steady, plain] = [plain | libc::SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV, plain];
    [steady, plain].into_iter().find_map(|flags| {
        // SAFETY: the program and its instructions are valid for the call.
        let descriptor = unsafe {
            libc::syscall(
                libc::SYS_seccomp,
                libc::SECCOMP_SET_MODE_FILTER,
                flags,
                &raw const program,
            )
        };
        let descriptor = i32::try_from(descriptor).ok().filter(|descriptor| *descriptor >= 0)?;
        // SAFETY: the kernel has just made it, and nothing else has it.
        Some(unsafe { OwnedFd::from_raw_fd(descriptor) })
    })
}

/// The end of a filter that lets every other call go.
pub(crate) const OTHERS_GO: [sock_filter; 1] = [sock_filter {
    code: (libc::BPF_RET | libc::BPF_K) as u16,
    jt: 0,
    jf: 0,
    k: libc::SECCOMP_RET_ALLOW,
}];

/// Asks about these calls. What comes after it decides about the others.
fn filter(here: u32, calls: &[c_long]) -> Vec<sock_filter> {
    let instruction = |code: u32, jt, jf, k| sock_filter { code: code as u16, jt, jf, k };
    let load = |place| instruction(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0, place);
    let give = |answer| instruction(libc::BPF_RET | libc::BPF_K, 0, 0, answer);
    let jump =
        |value, jt, jf| instruction(libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K, jt, jf, value);
    let mut filter =
        vec![load(ARCHITECTURE), jump(here, 1, 0), give(libc::SECCOMP_RET_ALLOW), load(CALL)];
    for (place, call) in calls.iter().enumerate() {
        let is_last = place + 1 == calls.len();
        let left = (calls.len() - place - 1) as u8;
        filter.push(jump(*call as u32, left, is_last.into()));
    }
    if !calls.is_empty() {
        filter.push(give(libc::SECCOMP_RET_USER_NOTIF));
    }
    filter
}
