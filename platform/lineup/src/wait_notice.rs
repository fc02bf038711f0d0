//! What is waited for, said once that takes long.

use std::io::{self, IsTerminal};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use crate::NOTICE;

/// How long a wait needs no explanation.
const LONG: Duration = Duration::from_secs(1);

/// Says on a terminal what is waited for, if it is not there after a second. To drop it is to have
/// waited.
pub struct WaitNotice {
    _done: Option<Sender<()>>,
}

impl WaitNotice {
    pub fn new(what: String) -> WaitNotice {
        if !io::stderr().is_terminal() {
            return WaitNotice { _done: None };
        }
        let (done, is_done) = mpsc::channel::<()>();
        let watches = move || {
            if is_done.recv_timeout(LONG) == Err(RecvTimeoutError::Timeout) {
                log::info!(target: NOTICE, "waiting for {what}");
            }
        };
        // Without a thread nothing is said, and no less is done.
        let started = thread::Builder::new().name("waiting".to_owned()).spawn(watches);
        WaitNotice { _done: started.is_ok().then_some(done) }
    }
}
