//! Ends the engines of an arbiter that is killed itself. Its child processes die with it, but not
//! what they have started.

use std::ffi::OsStr;
use std::io::{self, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use super::escaped::{EnvTag, session};
use super::unix::close_others;
use super::{HOST_COMMAND, give_group};

/// The word that makes a child a reaper: `PROGRAM host-engine --reaper SESSION`.
pub(crate) const REAPER: &str = "--reaper";

/// A process beside this one, which ends what is left of the engines when this one is gone. It ends
/// with the last engine that may need it.
pub(crate) struct Reaper(Child);

impl Reaper {
    /// The reaper of this process. Without one, engines play all the same.
    pub(crate) fn share(program: &Path) -> Option<Arc<Reaper>> {
        static SHARED: Mutex<Weak<Reaper>> = Mutex::new(Weak::new());
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(reaper) = shared.upgrade() {
            return Some(reaper);
        }
        match Reaper::start(program) {
            Ok(reaper) => {
                let reaper = Arc::new(reaper);
                *shared = Arc::downgrade(&reaper);
                Some(reaper)
            }
            Err(error) => {
                log::warn!("{}: no reaper of engines: {error}", program.display());
                None
            }
        }
    }

    fn start(program: &Path) -> io::Result<Reaper> {
        let mut command = Command::new(program);
        command.args([HOST_COMMAND, REAPER, session()]);
        // The pipe is never written to. It ends with this process, however that ends.
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        // Where this process is an engine itself, the reaper must outlive it.
        EnvTag::remove(&mut command);
        give_group(&mut command);
        command.spawn().map(Reaper)
    }
}

impl Drop for Reaper {
    fn drop(&mut self) {
        if let Err(error) = self.0.kill().and_then(|()| self.0.wait()) {
            log::error!("the reaper of engines was not stopped: {error}");
        }
    }
}

/// Body of a reaper: waits for the end of its pipe, and ends every engine of that session.
pub(crate) fn run_reaper(session: &OsStr) -> io::Result<()> {
    close_others(None);
    io::stdin().lock().read_to_end(&mut Vec::new())?;
    EnvTag::kill_session(session);
    Ok(())
}
