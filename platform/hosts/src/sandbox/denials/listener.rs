//! Receives the file calls of engines and notes those that the sandbox denies. Landlock answers a
//! forbidden call with an error that names no path, and reports it nowhere else. So a second filter
//! of system calls makes the kernel ask this process about every call that opens or runs a file
//! (`seccomp_unotify(2)`). This process lets each of them go on. It decides nothing, so a path that
//! changes meanwhile can spoil no more than a line of text. For a library, the kernel also asks
//! about every call that is not on the list. Those calls are refused by their numbers alone, and by
//! the kernel itself if this process is gone.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener, UnixStream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use super::file_call::{self, FileCall};
use super::grants::Grants;
use super::{Denial, DenialRecorder, ReportAddress, channel};
use crate::sandbox::calls::names;
use crate::shared_instance::SharedInstance;

/// How long a child may take to hand over the descriptor of its filter.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);
const PAUSE: Duration = Duration::from_millis(10);
/// What a thread of a few loops needs of stack.
const STACK: usize = 256 << 10;

type DenialRecorders = Mutex<HashMap<u64, DenialRecorder>>;

/// Where the child processes of this process report. It ends with the last engine.
pub(crate) struct DenialListener {
    /// The name of its socket, of the abstract kind.
    name: String,
    listener: UnixListener,
    recorders: Arc<DenialRecorders>,
    registered: AtomicU64,
}

impl DenialListener {
    /// The listener of this process. Without one, engines play all the same.
    pub(crate) fn share() -> Option<Arc<DenialListener>> {
        static SHARED: SharedInstance<DenialListener> = SharedInstance::new();
        let listener = SHARED.get(DenialListener::start);
        listener
            .inspect_err(|error| log::debug!("what engines are denied is not seen: {error}"))
            .ok()
    }

    fn start() -> io::Result<DenialListener> {
        let unheard_of = RandomState::new().hash_one(std::process::id());
        let name = format!("tengen-{}-{unheard_of:016x}", std::process::id());
        let listener = UnixListener::bind_addr(&address(&name)?)?;
        let recorders = Arc::new(DenialRecorders::default());
        let (socket, shared) = (listener.try_clone()?, Arc::clone(&recorders));
        thread::Builder::new().name("denials".to_owned()).stack_size(STACK).spawn(move || {
            loop {
                let stream = match socket.accept() {
                    Ok((stream, _)) => stream,
                    // It was shut down.
                    Err(error) if error.kind() == io::ErrorKind::InvalidInput => return,
                    Err(_) => {
                        // Too many files are open, for the time being.
                        thread::sleep(PAUSE);
                        continue;
                    }
                };
                let recorders = Arc::clone(&shared);
                let serve = move || {
                    if let Err(error) = serve(&stream, &recorders) {
                        log::debug!("an engine's calls are not looked at: {error}");
                    }
                };
                let thread = thread::Builder::new().name("denials".to_owned());
                // Its socket closes with it, and the child does without.
                let _ = thread.stack_size(STACK).spawn(serve);
            }
        })?;
        Ok(DenialListener { name, listener, recorders, registered: AtomicU64::new(0) })
    }

    /// Registers a child process. Its denials go to `recorder`.
    pub(crate) fn register(&self, recorder: DenialRecorder) -> ReportAddress {
        let number = self.registered.fetch_add(1, Ordering::Relaxed);
        let mut recorders = self.recorders.lock().unwrap_or_else(PoisonError::into_inner);
        // One that never reported would be expected for ever.
        recorders.retain(|_, other| !other.is_of_same_engine(&recorder));
        recorders.insert(number, recorder);
        (self.name.clone(), number)
    }
}

impl Drop for DenialListener {
    fn drop(&mut self) {
        // SAFETY: the descriptor is open as long as its owner is there.
        unsafe { libc::shutdown(self.listener.as_raw_fd(), libc::SHUT_RDWR) };
    }
}

pub(super) fn address(name: &str) -> io::Result<SocketAddr> {
    SocketAddr::from_abstract_name(name)
}

/// Checks the calls of one child and what it starts, until all of them are gone.
fn serve(stream: &UnixStream, recorders: &DenialRecorders) -> io::Result<()> {
    if !channel::is_own_user(stream) {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    stream.set_read_timeout(Some(PATIENCE))?;
    // From here on the child gets answers.
    channel::acknowledge(stream)?;
    let (number, listener, grants) = channel::receive(stream)?;
    let recorder = recorders.lock().unwrap_or_else(PoisonError::into_inner).remove(&number);
    let recorder = recorder.ok_or(io::ErrorKind::NotFound)?;
    recorder.open();
    channel::acknowledge(stream)?;
    record_denials(&listener, &grants, &recorder);
    Ok(())
}

fn record_denials(listener: &OwnedFd, grants: &Grants, recorder: &DenialRecorder) {
    file_call::set_sync_wake_up(listener);
    while file_call::wait(listener) {
        let Some(notification) = file_call::Notification::receive(listener) else { continue };
        let call = notification.call();
        if !grants.allows_call(call) {
            // Before the answer, so that it is in the log of the move it was tried in.
            recorder.note(Denial::Call(names::name(call)));
            notification.refuse(listener);
            continue;
        }
        // Before the answer, for its memory is another's after it.
        let file_call =
            if recorder.has_room() { FileCall::of(&notification, listener) } else { None };
        notification.allow(listener);
        let denial = file_call.and_then(|file_call| grants.denial(&file_call));
        if let Some(denial) = denial {
            recorder.note(denial);
        }
    }
}
