//! What engines are denied, seen from outside: Landlock answers a forbidden call with an error that
//! names no path, and tells nobody else. So a second filter of system calls has the kernel ask this
//! process about every call that opens or runs a file (`seccomp_unotify(2)`). It lets each of them
//! go on: it decides nothing, so a path that changes under its eyes can deceive nobody about more
//! than a line of text.

mod attempt;
mod channel;
mod reach;
mod target;

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener, UnixStream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread;
use std::time::Duration;

use crate::denials::{Invitation, Watch};
use attempt::Attempt;
pub(crate) use reach::Grants;
pub(crate) use target::Target;

/// How long a child may take to hand over what it is watched by.
const PATIENCE: Duration = Duration::from_secs(10);
const PAUSE: Duration = Duration::from_millis(10);
/// What a thread of a few loops needs of stack.
const STACK: usize = 256 << 10;

type Watches = Mutex<HashMap<u64, Watch>>;

/// Whom the children of this process report to. It goes with the last engine.
pub(crate) struct Supervisor {
    /// The name of its socket, of the abstract kind.
    name: String,
    listener: UnixListener,
    watches: Arc<Watches>,
    invited: AtomicU64,
}

impl Supervisor {
    /// The supervisor of this process. Without one, engines play all the same.
    pub(crate) fn share() -> Option<Arc<Supervisor>> {
        static SHARED: Mutex<Weak<Supervisor>> = Mutex::new(Weak::new());
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(supervisor) = shared.upgrade() {
            return Some(supervisor);
        }
        match Supervisor::start() {
            Ok(supervisor) => {
                let supervisor = Arc::new(supervisor);
                *shared = Arc::downgrade(&supervisor);
                Some(supervisor)
            }
            Err(error) => {
                log::debug!("what engines are denied is not seen: {error}");
                None
            }
        }
    }

    fn start() -> io::Result<Supervisor> {
        let unheard_of = RandomState::new().hash_one(std::process::id());
        let name = format!("tengen-{}-{unheard_of:016x}", std::process::id());
        let listener = UnixListener::bind_addr(&address(&name)?)?;
        let watches = Arc::new(Watches::default());
        let (ear, known) = (listener.try_clone()?, Arc::clone(&watches));
        thread::Builder::new().name("supervisor".to_owned()).stack_size(STACK).spawn(
            move || {
                loop {
                    let stream = match ear.accept() {
                        Ok((stream, _)) => stream,
                        // It was shut down.
                        Err(error) if error.kind() == io::ErrorKind::InvalidInput => return,
                        Err(_) => {
                            // Too many files are open, for the time being.
                            thread::sleep(PAUSE);
                            continue;
                        }
                    };
                    let known = Arc::clone(&known);
                    let serve = move || {
                        if let Err(error) = serve(&stream, &known) {
                            log::debug!("an engine's calls are not looked at: {error}");
                        }
                    };
                    let thread = thread::Builder::new().name("denials".to_owned());
                    // Its socket closes with it, and the child does without.
                    let _ = thread.stack_size(STACK).spawn(serve);
                }
            },
        )?;
        Ok(Supervisor { name, listener, watches, invited: AtomicU64::new(0) })
    }

    /// Expects a child. What is seen of it goes to `watch`.
    pub(crate) fn invite(&self, watch: Watch) -> Invitation {
        let number = self.invited.fetch_add(1, Ordering::Relaxed);
        let mut watches = self.watches.lock().unwrap_or_else(PoisonError::into_inner);
        // One that never came would be expected for ever.
        watches.retain(|_, other| !other.is_of_same_engine(&watch));
        watches.insert(number, watch);
        (self.name.clone(), number)
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        // SAFETY: the descriptor is open as long as its owner is there.
        unsafe { libc::shutdown(self.listener.as_raw_fd(), libc::SHUT_RDWR) };
    }
}

fn address(name: &str) -> io::Result<SocketAddr> {
    SocketAddr::from_abstract_name(name)
}

/// Looks at the calls of one child and what it starts, until all of them are gone.
fn serve(stream: &UnixStream, watches: &Watches) -> io::Result<()> {
    if !channel::is_own_user(stream) {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    stream.set_read_timeout(Some(PATIENCE))?;
    // From here on somebody is there to answer.
    channel::acknowledge(stream)?;
    let (number, listener, grants) = channel::receive(stream)?;
    let watch = watches.lock().unwrap_or_else(PoisonError::into_inner).remove(&number);
    let watch = watch.ok_or(io::ErrorKind::NotFound)?;
    watch.open();
    channel::acknowledge(stream)?;
    look(&listener, &grants, &watch);
    Ok(())
}

fn look(listener: &OwnedFd, grants: &Grants, watch: &Watch) {
    attempt::wake_at_once(listener);
    while attempt::wait(listener) {
        let Some(notice) = attempt::Notice::receive(listener) else { continue };
        // Before the answer, for its memory is another's after it.
        let attempt = if watch.has_room() { Attempt::of(&notice, listener) } else { None };
        notice.let_go_on(listener);
        let denial = attempt.and_then(|attempt| grants.denial(&attempt));
        if let Some(denial) = denial {
            watch.note(denial);
        }
    }
}
